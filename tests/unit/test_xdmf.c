// XDMF files that grow in place: at every moment they say the same as a file written anew, also
// between the two writes of a frame; when the room is used up or the file is another one, they are
// written anew. Those of few frames are replaced, with the bytes of a file written anew.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "harness.h"
#include "memory.h"
#include "xdmf.h"

enum { FRAMES = 800, CHECKED = 20 };

static const char *const NAMES[FRAME_VIEWS] = {
    [VIEW_BODIES] = "bodies.xmf",     [VIEW_CENTRES] = "centres.xmf",
    [VIEW_CONTACTS] = "contacts.xmf", [VIEW_INTERFACES] = "interfaces.xmf",
    [VIEW_CHAINS] = "chains.xmf",     [VIEW_JOINTS] = "joints.xmf",
    [VIEW_VOLUMES] = "volumes.xmf",   [VIEW_ELASTIC] = "elastic.xmf"};

static ShownFrame frame_of(int i)
{
  return (ShownFrame){.step = i,
                      .time = 1e-3 * i,
                      .contacts = (uint64_t)(i * i),
                      .volumes = (uint64_t)(i % 7),
                      .told = {2, (uint64_t)i, (uint64_t)(i / 2)},
                      .fields = FRAME_ALL,
                      .mesh = {8, 6, 24},
                      .elastic = {12, 2, 16}};
}

static char *read_file(const char *path, size_t *bytes)
{
  DiskStatus status = {0};
  char *text = disk_read_whole(path, (size_t)1 << 30, bytes, &status);
  CHECK(!status.failed);
  return text;
}

// The text without processing instructions behind the first line, and without blanks at the ends of
// lines and blank lines. Returns false where an instruction does not end.
static bool strip(const char *from, char *to)
{
  while (*from) {
    if (*from == '<' && strncmp(from, "<?room", 6) == 0) {
      const char *end = strstr(from, "?>");
      if (!end) return false;
      from = end + 2;
      continue;
    }
    if (*from == ' ' || *from == '\n') {
      const char *next = from;   // strspn would measure the whole text in a build that checks
      while (*next == ' ' || *next == '\n') next++;
      if (*next && strncmp(next, "<?room", 6) != 0) *to++ = ' ';
      from = next;
      continue;
    }
    *to++ = *from++;
  }
  while (to[-1] == ' ') to--;
  *to = 0;
  return true;
}

static bool say_the_same(const char *a, const char *b)
{
  char *p = memory_allocate(strlen(a) + 1), *q = memory_allocate(strlen(b) + 1);
  const bool same = strip(a, p) && strip(b, q) && strcmp(p, q) == 0;
  memory_free(p);
  memory_free(q);
  return same;
}

// What a file written anew says.
static char *anew(FrameView kind, const ShownFrame *frames, int count)
{
  DiskStatus status = {0};
  char folder[] = "anewXXXXXX";
  CHECK(mkdtemp(folder) != NULL);
  XdmfPlace place = xdmf_write(kind, folder, frames, count, &status);
  xdmf_forget(&place);
  char *path = disk_path(folder, NAMES[kind]);
  size_t bytes;
  char *text = read_file(path, &bytes);
  disk_remove(folder, NAMES[kind], &status);
  remove(folder);
  memory_free(path);
  CHECK(!status.failed);
  return text;
}

static void grow(FrameView kind, const ShownFrame *frames)
{
  DiskStatus status = {0};
  XdmfPlace place = xdmf_write(kind, ".", frames, 1, &status);
  CHECK(place.room == place.end && place.few.bytes != NULL);
  int replaced = 0, rewritten = 0;
  uint64_t room_bytes = 0;
  for (int n = 2; n <= FRAMES; n++) {
    const bool few = place.few.bytes != NULL;
    const bool looks = n % (FRAMES / test_rounds(CHECKED)) == 0 || (few && n % 10 == 2);
    size_t bytes = 0;
    char *before = looks ? read_file(NAMES[kind], &bytes) : NULL;
    const XdmfPlace old = place;
    const bool grew = xdmf_append(kind, ".", &frames[n - 1], &place, &status);
    if (!grew) {
      CHECK(old.tags == place.tags && old.room == place.room);
      place = xdmf_write(kind, ".", frames, n, &status);
      rewritten++;
    }
    replaced += few;
    if (few || !grew) room_bytes += place.end - place.room;
    if (looks) {
      char *after = read_file(NAMES[kind], &bytes), *plain = anew(kind, frames, n);
      CHECK(bytes == place.end && say_the_same(after, plain));
      if (few) CHECK(strcmp(after, plain) == 0);
      if (grew && !few) {
        // between the two writes: the new frame stands in the room, the old tags are there
        memcpy(after + old.tags, before + old.tags, (size_t)(old.room - old.tags));
        CHECK(say_the_same(after, before));
      }
      memory_free(after);
      memory_free(plain);
      memory_free(before);
    }
  }
  CHECK(!status.failed);
  CHECK(replaced == 31 && rewritten >= 1 && rewritten < 29);   // less and less often
  CHECK(room_bytes > 0 && place.few.bytes == NULL);
  xdmf_forget(&place);
}

// A file that somebody else has changed or removed is not written into.
static void test_other_file(const ShownFrame *frames)
{
  DiskStatus status = {0};
  XdmfPlace place = xdmf_write(VIEW_BODIES, ".", frames, 100, &status);
  FILE *file = fopen("bodies.xmf", "a");
  fputs("<!-- mine -->\n", file);
  fclose(file);
  CHECK(!xdmf_append(VIEW_BODIES, ".", &frames[100], &place, &status) && !status.failed);
  remove("bodies.xmf");
  CHECK(!xdmf_append(VIEW_BODIES, ".", &frames[100], &place, &status) && !status.failed);
}

int main(void)
{
  const int64_t live = memory_live_bytes();
  ShownFrame *frames = memory_allocate(FRAMES * sizeof *frames);
  for (int i = 0; i < FRAMES; i++) frames[i] = frame_of(i);
  // of the three that are not synchronised one is enough
  static const FrameView kinds[] = {VIEW_BODIES, VIEW_CONTACTS, VIEW_CHAINS, VIEW_JOINTS};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) grow(kinds[i], frames);
  test_other_file(frames);
  remove("contacts.xmf");
  memory_free(frames);
  CHECK(memory_live_bytes() == live);
  return test_report();
}
