// Case files of the corpus, whole and damaged: the reader gives a case or one message, never less.
// test: timeout 300
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_reader.h"
#include "disk.h"
#include "harness.h"
#include "hash.h"
#include "memory.h"
#include "scene.h"

#define FOLDER TESTS_FOLDER "/fuzz/case"
#define DAMAGES 24   // of each kind and file

// Parses as if from a file of that name; true with a case, false with a message.
static bool parses(const char *name, const char *text, size_t bytes, char message[1024])
{
  Case c;
  message[0] = 0;
  // meshes are found beside the case
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", FOLDER, name);
  const CaseOptions options = {.read_mesh = mesh_read_here, .read_record = record_share_here};
  if (!case_parse((CaseFile){path, text, bytes}, &options, &c, (ErrorText){message, 1024})) {
    // the folder is of no interest in messages
    if (CHECK(strncmp(message, FOLDER "/", sizeof FOLDER) == 0))
      memmove(message, message + sizeof FOLDER, strlen(message + sizeof FOLDER) + 1);
    return false;
  }
  const char *refusal = scene_prepare(&c);
  if (refusal) snprintf(message, 1024, "%s", refusal + sizeof FOLDER);
  else CHECK(c.body_count > 0 && c.shape_count > 0 && message[0] == 0);
  case_destroy(&c);
  return !refusal;
}

// A message is one line of text that names the file first.
static bool is_message(const char *message, const char *name)
{
  if (strncmp(message, name, strlen(name)) != 0) return false;
  for (const char *p = message; *p; p++)
    if ((unsigned char)*p < 0x20 || *p == 0x7F) return false;
  return strlen(message) > strlen(name) + 5;
}

// What the first line says the message must hold, or "".
static const char *expected_of(const char *text, char expected[256])
{
  static const char head[] = "# expect: ";
  expected[0] = 0;
  if (strncmp(text, head, sizeof head - 1) == 0) {
    const char *begin = text + sizeof head - 1;
    const size_t length = strcspn(begin, "\n");
    snprintf(expected, 256, "%.*s", (int)(length < 255 ? length : 255), begin);
  }
  return expected;
}

static void test_whole(const char *name, const char *text, size_t bytes)
{
  char message[1024], expected[256];
  const bool sound = parses(name, text, bytes, message);
  if (strncmp(name, "good-", 5) == 0) {
    if (!CHECK(sound)) printf("  %s\n", message);
    return;
  }
  const bool fits = CHECK(!sound) && CHECK(is_message(message, name)) &&
                    CHECK(strstr(message, expected_of(text, expected)) != NULL);
  if (!fits) printf("  %s: '%s', expected '%s'\n", name, message, expected);
}

// Cut short, with a byte changed, with a piece repeated: only sane answers count.
static void test_damaged(const char *name, const char *text, size_t bytes)
{
  char *copy = memory_allocate(2 * bytes + 1);
  char message[1024];
  const uint64_t damages = (uint64_t)test_rounds(DAMAGES);
  for (uint64_t k = 0; k < damages && bytes > 0; k++) {
    const size_t place = (size_t)(hash_mix(k, bytes) % bytes);
    if (!parses(name, text, place, message)) CHECK(is_message(message, name));

    memcpy(copy, text, bytes);
    static const char letters[] = "[]{}:,-#&*!|>'\"%@` \n\t\0\xff";
    copy[place] = letters[hash_mix(k, 1) % sizeof letters];
    if (!parses(name, copy, bytes, message)) CHECK(is_message(message, name));

    // everything after the place comes twice
    memcpy(copy, text, bytes);
    memcpy(copy + bytes, text + place, bytes - place);
    if (!parses(name, copy, 2 * bytes - place, message)) CHECK(is_message(message, name));
  }
  memory_free(copy);
}

int main(void)
{
  struct dirent **entries;
  const int count = scandir(FOLDER, &entries, NULL, alphasort);
  int good = 0, bad = 0;
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    const bool is_good = strncmp(name, "good-", 5) == 0, is_bad = strncmp(name, "bad-", 4) == 0;
    if (is_good || is_bad) {
      good += is_good;
      bad += is_bad;
      DiskStatus status = {0};
      size_t bytes = 0;
      char *path = disk_path(FOLDER, name);
      char *text = disk_read_whole(path, 1 << 20, &bytes, &status);
      if (CHECK(!status.failed)) {
        test_whole(name, text, bytes);
        test_damaged(name, text, bytes);
      }
      memory_free(text);
      memory_free(path);
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  CHECK(good >= 10 && bad >= 80);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
