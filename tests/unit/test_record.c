// Records of functions of time: PEER files and columns, good and bad; the public ones.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "record_share.h"

static const RecordLayout peer = {.peer = true};

// Reads a text, whose rows are in the arena; the message is "" where it is sound.
static Record read_text(const char *text, RecordLayout layout, Arena *arena, char message[256])
{
  Record record = {0};
  message[0] = 0;
  const RecordText file = {"r.txt", text, strlen(text)};
  const bool sound = record_text_read(file, layout, arena, &record, (ErrorText){message, 256});
  CHECK(sound == !*message && sound == (record.count > 0));
  return record;
}

static void check_refused(const char *text, RecordLayout layout, const char *expected)
{
  Arena arena = arena_new();
  char message[256];
  read_text(text, layout, &arena, message);
  if (!CHECK(strcmp(message, expected) == 0))
    printf("  found    %s\n  expected %s\n", message, expected);
  arena_destroy(&arena);
}

static void test_peer(void)
{
  // both forms of the header, line ends of all kinds, values over lines as they come
  static const char *const texts[] = {
      "a\nb\nc\nNPTS=  3, DT= .01000 SEC\n .5E-02 -.25\n 1\n",
      "a\r\nb\r\nc\r\nNPTS=  3, DT= .01000 SEC,\r\n .5E-02\r\n-.25 1",
      "a\r\r\nb\r\r\nc\r\r\n  NPTS=3,DT=0.01\r\r\n .5E-02 -.25\r\r\n\r\r\n1\r\r\n",
      "\n\n\n3 0.01 NPTS, DT\n+0.005 -0.25 1.0",
      "\xef\xbb\xbf\n\n\nnpts= 3 dt= 1e-2\n0.005 -0.25 1.0",
  };
  uint32_t contents = 0;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Arena arena = arena_new();
    char message[256];
    const Record r = read_text(texts[i], peer, &arena, message);
    if (CHECK(r.count == 3 && r.components == 1)) {
      static const double rows[] = {0, 0.005, 0.01, -0.25, 0.02, 1};
      CHECK(memcmp(r.rows, rows, sizeof rows) == 0);
      contents = i == 0 ? r.contents : contents;
      CHECK(r.contents == contents);
    } else {
      printf("  %s\n", message);
    }
    arena_destroy(&arena);
  }
  CHECK(strcmp(record_text_peer_unit("a/b.At2"), "g") == 0);
  CHECK(strcmp(record_text_peer_unit("V.vt2"), "cm/s") == 0);
  CHECK(!record_text_peer_unit("at2") && !record_text_peer_unit("a.at2.txt"));
}

static void test_bad_peer(void)
{
#define HEAD "a\nb\nc\nNPTS= 2, DT= .01 SEC\n"
  check_refused("", peer,
                "r.txt:1: expected 'NPTS= COUNT, DT= SECONDS' in the fourth line, found "
                "the end of the file");
  check_refused("a\nb\nc\nvalues\n1 2", peer,
                "r.txt:4: expected 'NPTS= COUNT, DT= SECONDS' in the fourth line, found 'values'");
  check_refused("a\nb\nc\n2 0.01\n1 2", peer,
                "r.txt:4: expected 'NPTS= COUNT, DT= SECONDS' in the fourth line, found the end "
                "of the line");
  check_refused("a\nb\nc\nNPTS= 2, DX= .01\n1 2", peer,
                "r.txt:4: expected 'NPTS= COUNT, DT= SECONDS' in the fourth line, found 'DX'");
  check_refused("a\nb\nc\nNPTS= 0, DT= .01\n1 2", peer,
                "r.txt:4: expected NPTS from 1 to 1073741823, found '0'");
  check_refused("a\nb\nc\nNPTS= 2, DT= 0\n1 2", peer,
                "r.txt:4: expected DT from 1e-9 to 1e9 s, found '0'");
  check_refused("a\nb\nc\nNPTS= 2, DT= nan\n1 2", peer,
                "r.txt:4: expected DT from 1e-9 to 1e9 s, found 'nan'");
  check_refused(HEAD "1", peer, "r.txt:5: the file ends after 1 of 2 values");
  check_refused(HEAD "1\n2\n3\n", peer, "r.txt:7: more than the 2 values of NPTS");
  check_refused(HEAD "1\n-.00001-.00002\n", peer,
                "r.txt:6: expected a value, found '-.00001-.00002'");
  check_refused(HEAD "1\n1e400\n", peer, "r.txt:6: expected a value, found '1e400'");
  check_refused("a\nb\n\x01", peer, "r.txt:3: byte 0x01 is no text, and the format is one of text");
  check_refused("a\r\r\nb\r\r\nc\r\r\nNPTS= 2, DT= .01\r\r\n1\r\r\nx", peer,
                "r.txt:6: expected a value, found 'x'");
#undef HEAD
}

static void test_columns(void)
{
  static const struct {
    const char *text;
    RecordLayout layout;
    int components;
    double rows[8];
  } sound[] = {
      {"0 1\n0.5 -2\n",
       {.separator = ' ', .column_count = 2, .columns = {1, 2}},
       1,
       {0, 1, 0.5, -2}},
      {"t\tx\n# nothing\n\n -1\t1 9 9\n0.5   -2 # two",
       {.separator = ' ', .skip = 1, .column_count = 2, .columns = {1, 2}},
       1,
       {-1, 1, 0.5, -2}},
      {"x,y,z,t\r\n1, 2 ,3,0\r\n4,5,6,1e-1\r\n",
       {.separator = ',', .skip = 1, .column_count = 4, .columns = {4, 3, 2, 1}},
       3,
       {0, 3, 2, 1, 0.1, 6, 5, 4}},
      {"a;7;\nb;8;",
       {.separator = ';', .column_count = 1, .columns = {2}, .step = 0.25},
       1,
       {0, 7, 0.25, 8}},
      {"1 2 3\n4 5 6",
       {.separator = ' ', .column_count = 3, .columns = {1, 2, 3}, .step = 2},
       3,
       {0, 1, 2, 3, 2, 4, 5, 6}},
  };
  for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
    Arena arena = arena_new();
    char message[256];
    const Record r = read_text(sound[i].text, sound[i].layout, &arena, message);
    const size_t bytes = 2 * (1 + (size_t)sound[i].components) * sizeof(double);
    if (!CHECK(r.count == 2 && r.components == sound[i].components &&
               memcmp(r.rows, sound[i].rows, bytes) == 0))
      printf("  %zu: %s\n", i, message);
    arena_destroy(&arena);
  }
}

static void test_bad_columns(void)
{
  const RecordLayout blanks = {.separator = ' ', .column_count = 2, .columns = {1, 2}},
                     commas = {.separator = ',', .column_count = 2, .columns = {3, 1}, .skip = 1};
  check_refused("", blanks, "r.txt:1: no row of numbers");
  check_refused("# 1 2\n\n", blanks, "r.txt:3: no row of numbers");
  check_refused("0 1\n1\n", blanks, "r.txt:2: column 2 is missing");
  check_refused("t x\n", blanks, "r.txt:1: expected a time, found 't'");
  check_refused("0 1\n1 inf\n", blanks, "r.txt:2: expected a value, found 'inf'");
  check_refused("0 1\n0 2\n", blanks, "r.txt:2: expected a time after 0 s, found 0");
  check_refused("0,1\n", blanks, "r.txt:1: expected a time, found '0,1'");
  check_refused("h", commas, "r.txt:1: no row of numbers");
  check_refused("", commas, "r.txt:1: the file ends within the lines to skip");
  check_refused("h\n1,2\n", commas, "r.txt:2: column 3 is missing");
  check_refused("h\n,2,3\n", commas, "r.txt:2: expected a value, found the end of the line");
}

// A file of public records: its counts, as they are published.
static void check_public(const char *folder, const char *name, int count, double step, double peak,
                         double last)
{
  char path[1024], message[256] = "";
  snprintf(path, sizeof path, "%s/records/%s", folder, name);
  Arena arena = arena_new();
  Record r;
  if (CHECK(record_share_here(path, peer, &arena, &r, (ErrorText){message, sizeof message}))) {
    double most = 0;
    for (int i = 0; i < r.count; i++) most = fmax(most, fabs(r.rows[2 * i + 1]));
    CHECK(r.count == count && r.rows[2] == step);
    CHECK_NEAR(most, peak, 5e-6);
    CHECK_NEAR(r.rows[2 * count - 1], last, 5e-7);
    CHECK(r.rows[2 * count - 2] == (count - 1) * step);
  } else {
    printf("  %s\n", message);
  }
  arena_destroy(&arena);
}

static void test_public(void)
{
  const char *folder = getenv("MASONRY_FILES");
  if (!folder) folder = TESTS_FOLDER "/../../shared/masonry";
  char path[1024];
  snprintf(path, sizeof path, "%s/records/elCentro.AT2", folder);
  FILE *file = fopen(path, "r");
  if (!file) {
    printf("skipped: no public records in %s\n", folder);
    return;
  }
  fclose(file);
  check_public(folder, "elCentro.AT2", 1559, 0.02, 0.31882, 0);
  check_public(folder, "ARL360.at2", 2000, 0.02, 0.30806, -1.82207e-4);
  check_public(folder, "A-ELC180.AT2", 4000, 0.01, 0.13007, 3.967445e-4);
}

int main(void)
{
  test_peer();
  test_bad_peer();
  test_columns();
  test_bad_columns();
  test_public();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
