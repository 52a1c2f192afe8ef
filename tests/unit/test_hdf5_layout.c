// Layouts of files behind each other: one that is taken over from the file before has the bytes of
// one that is made anew, whatever its attributes say; other columns or longer texts make it anew.
#include <string.h>

#include "harness.h"
#include "hdf5_image.h"
#include "hdf5_layout.h"
#include "memory.h"

enum { FILES = 6 };

static bool same_images(const Hdf5Image *a, const Hdf5Image *b)
{
  if (a->size != b->size || a->page_count != b->page_count) return false;
  for (int i = 0; i < a->page_count; i++)
    if (a->pages[i].number != b->pages[i].number ||
        memcmp(a->pages[i].bytes, b->pages[i].bytes, 4096) != 0)
      return false;
  return true;
}

// Attributes of a file: more in the root than an object's header holds, so that most lie elsewhere.
static int list_attributes(Hdf5Attribute *list, int file, const char *text)
{
  static const char *const names[] = {"step", "bodies", "contacts", "joints", "volumes", "nodes"};
  int count = 0;
  for (int i = 0; i < 6; i++)
    list[count++] = (Hdf5Attribute){.kind = ATTRIBUTE_INTEGER,
                                    .group = "/",
                                    .name = names[i],
                                    .integer = i % 2 == 0 ? 1000 * file + i : i};
  list[count++] = (Hdf5Attribute){
      .kind = ATTRIBUTE_REAL, .group = "/", .name = "time", .real = file == 2 ? -0.0 : 0.5 * file};
  list[count++] = (Hdf5Attribute){
      .kind = ATTRIBUTE_VECTOR, .group = "/", .name = "gravity", .vector = {0, file, -9.81}};
  list[count++] =
      (Hdf5Attribute){.kind = ATTRIBUTE_TEXT, .group = "/", .name = "hash", .text = text};
  list[count++] = (Hdf5Attribute){
      .kind = ATTRIBUTE_INTEGER, .group = "provenance", .name = "ranks", .integer = 3 + file};
  list[count++] = (Hdf5Attribute){.kind = ATTRIBUTE_DOCUMENT,
                                  .group = "provenance",
                                  .name = "case_text",
                                  .text = "units: SI\n"};
  return count;
}

// Texts that are gone when the next file comes: layouts have copies.
typedef struct {
  char texts[1024];
  size_t used;
} Room;

static const char *put(Room *room, const char *text)
{
  if (!text) return NULL;
  char *at = room->texts + room->used;
  room->used += strlen(text) + 1;
  CHECK(room->used <= sizeof room->texts);
  return strcpy(at, text);
}

static void put_all(Room *room, const Hdf5Content *content)
{
  for (int i = 0; i < content->column_count; i++) {
    Hdf5Column *column = &content->columns[i];
    column->group = put(room, column->group);
    column->name = put(room, column->name);
    column->unit = put(room, column->unit);
    column->text = put(room, column->text);
  }
  for (int i = 0; i < content->attribute_count; i++) {
    Hdf5Attribute *attribute = &content->attributes[i];
    attribute->group = put(room, attribute->group);
    attribute->name = put(room, attribute->name);
    attribute->text = put(room, attribute->text);
  }
}

// The same files behind each other and each for itself. Returns how many took over the one before.
static int compare(const uint64_t *rows, const char *const *texts)
{
  DiskStatus status = {0};
  Hdf5Layout *kept = NULL;
  int taken_over = 0;
  for (int file = 0; file < FILES; file++) {
    Hdf5Column columns[] = {
        {"bodies", "id", "1", "number of the body", FIELD_U64, 1, 7},
        {"bodies", "name", "1", "of the entry", FIELD_TEXT, 12, 7},
        {"contacts", "point", "m", "where bodies touch", FIELD_F64, 3, rows[file]},
        {"contacts", "status", "1", "", FIELD_I32, 1, rows[file]},
    };
    Hdf5Attribute attributes[16];
    const Hdf5Content content = {4, list_attributes(attributes, file, texts[file]), columns,
                                 attributes};
    Room room = {.used = (size_t)file};   // never where the last ones were
    put_all(&room, &content);
    const Hdf5Layout *before = kept;
    kept = hdf5_layout_make(kept, &content, &status);
    Hdf5Layout *alone = hdf5_layout_make(NULL, &content, &status);
    if (!CHECK(kept != NULL && alone != NULL && !status.failed)) return -1;
    taken_over += kept == before;   // another one is made before the earlier one ends
    CHECK(same_images(hdf5_layout_image(kept), hdf5_layout_image(alone)));
    for (int i = 0; i < 4; i++) CHECK(hdf5_layout_offset(kept, i) == hdf5_layout_offset(alone, i));
    memset(&room, 'x', sizeof room);
    hdf5_layout_end(alone);
  }
  hdf5_layout_end(kept);
  return taken_over;
}

int main(void)
{
  const int64_t live = memory_live_bytes();
  const uint64_t same[FILES] = {40, 40, 40, 40, 40, 40}, others[FILES] = {0, 40, 40, 2000, 40, 40};
  const char *const alike[FILES] = {"0123", "4567", "4567", "89ab", "cdef", "0123"};
  const char *const longer[FILES] = {"0", "12", "12", "345", "6789", "0123"};
  CHECK(compare(same, alike) == FILES - 1);
  CHECK(compare(others, alike) == 2);
  CHECK(compare(same, longer) == 2);
  CHECK(memory_live_bytes() == live);
  return test_report();
}
