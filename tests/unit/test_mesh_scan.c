// Words, lines, numbers and binary values of mesh files.
#include "mesh_scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "hash.h"
#include "memory.h"

static MeshScan scan_of(const char *text, char error[256])
{
  const MeshText file = {"f", text, strlen(text)};
  return mesh_scan_new(&file, (ErrorText){error, 256});
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void check_number(const MeshScan *scan, const char *text)
{
  double value = 0;
  const bool read = mesh_word_number(scan, (MeshWord){text, strlen(text)}, &value);
  if (!CHECK(read && same_bits(value, strtod(text, NULL)))) printf("  '%s': %a\n", text, value);
}

// The short way to a double gives the bits of strtod, on all sorts of decimals.
static void test_decimals(const MeshScan *scan)
{
  static const char *const exact[] = {"0",
                                      "-0",
                                      "+0",
                                      "1",
                                      "1.",
                                      ".5",
                                      "-.5e1",
                                      "1e22",
                                      "1e23",
                                      "1e-22",
                                      "1e-23",
                                      "9007199254740992",
                                      "9007199254740993",
                                      "9007199254740993e1",
                                      "0.1",
                                      "123456789012345678",
                                      "1234567890123456789",
                                      "12345678901234567890",
                                      "0.000000000000000000000000000001",
                                      "1e308",
                                      "1e309",
                                      "-1e309",
                                      "4.9e-324",
                                      "2e-324",
                                      "1e-400",
                                      "0e999",
                                      "1e0000000000000000000001",
                                      "0x1.8p3",
                                      "inf",
                                      "-Infinity",
                                      "2.2250738585072011e-308",
                                      "179769313486231580793728971405301e276"};
  for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) check_number(scan, exact[i]);

  for (uint64_t k = 0; k < 20000; k++) {
    char text[64];
    const uint64_t bits = hash_mix(k, 1);
    const int digits = 1 + (int)(hash_mix(k, 2) % 20), power = (int)(hash_mix(k, 3) % 60) - 30;
    const double size = (double)(bits >> 11) / 9007199254740992.0;
    switch (k % 4) {
    case 0: snprintf(text, sizeof text, "%.*e", digits, size); break;
    case 1: snprintf(text, sizeof text, "%.*f", digits, size * 1000 - 500); break;
    case 2:
      snprintf(text, sizeof text, "%llue%d", (unsigned long long)(bits >> (k % 60)), power);
      break;
    default: snprintf(text, sizeof text, "-%.*ge%d", digits, size, power); break;
    }
    char *end;
    strtod(text, &end);
    if (*end == 0) check_number(scan, text);
  }

  double value;
  CHECK(mesh_word_number(scan, (MeshWord){"nan", 3}, &value) && isnan(value));
  static const char *const none[] = {"",      "-",   "+",  ".",  "e5",  "1e",   "1e+", "1,5",
                                     "1.2.3", "--1", "0x", "1 ", "one", "1e5x", "1f"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    CHECK(!mesh_word_number(scan, (MeshWord){none[i], strlen(none[i])}, &value));

  // as long as the exact decimals of a double can be, and longer than any of them
  char *text = memory_allocate(2001);
  memset(text, '9', 2000);
  text[1] = '.';
  text[2000] = 0;
  CHECK(mesh_word_number(scan, (MeshWord){text, 1080}, &value) && value == 10);
  CHECK(!mesh_word_number(scan, (MeshWord){text, 2000}, &value));
  memory_free(text);
}

// Numbers keep their point where the user's locale has a comma.
static void test_locale(void)
{
  static const char *const commas[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8"};
  const char *set = NULL;
  for (size_t i = 0; i < sizeof commas / sizeof commas[0] && !set; i++)
    set = setlocale(LC_ALL, commas[i]);
  if (!set) printf("no locale with a decimal comma is installed\n");
  char error[256];
  MeshScan scan = scan_of("0.1234567890123456789 1.5", error);
  double a, b;
  CHECK(mesh_scan_number(&scan, "a number", &a) && a == 0x1.f9add3746f65fp-4);
  CHECK(mesh_scan_number(&scan, "a number", &b) && b == 1.5);
  mesh_scan_destroy(&scan);
  setlocale(LC_ALL, "C");
}

static void test_integers(void)
{
  static const struct {
    const char *text;
    bool read;
    int64_t value;
  } cases[] = {{"0", true, 0},
               {"-17", true, -17},
               {"+5", true, 5},
               {"9223372036854775807", true, INT64_MAX},
               {"-9223372036854775807", true, -INT64_MAX},
               {"9223372036854775808", false, 0},
               {"99999999999999999999", false, 0},
               {"1.0", false, 0},
               {"", false, 0},
               {"-", false, 0},
               {"1e3", false, 0},
               {"0x10", false, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int64_t value = 0;
    const MeshWord word = {cases[i].text, strlen(cases[i].text)};
    CHECK(mesh_word_integer(word, &value) == cases[i].read);
    if (cases[i].read) CHECK(value == cases[i].value);
  }
}

static bool next_is(MeshScan *scan, const char *text)
{
  return mesh_word_is(mesh_scan_word(scan), text);
}

static void test_words(void)
{
  char error[256];
  MeshScan scan = scan_of("\r\n  a b#c\n#\n\rd\\\ne \\ f # g\nlast", error);
  scan.comment = '#';
  scan.joins_lines = true;
  CHECK(mesh_scan_line(&scan) && next_is(&scan, "a") && scan.line == 2);
  CHECK(next_is(&scan, "b") && next_is(&scan, "") && next_is(&scan, ""));
  CHECK(mesh_scan_line(&scan) && next_is(&scan, "d") && next_is(&scan, "e") && scan.line == 6);
  const MeshWord rest = mesh_scan_rest(&scan);
  CHECK(mesh_word_is(rest, "\\ f"));
  CHECK(mesh_scan_line(&scan) && next_is(&scan, "last") && scan.line == 7);
  CHECK(!mesh_scan_line(&scan) && !mesh_scan_line(&scan));
  CHECK(!scan.failed && error[0] == 0);

  // the first fault stays
  CHECK(!mesh_scan_fail(&scan, "first %d", 1) && !mesh_scan_fail(&scan, "second"));
  CHECK(strcmp(error, "f:7: first 1") == 0);
  mesh_scan_destroy(&scan);

  scan = scan_of("a\n\nb", error);
  scan.across_lines = true;
  CHECK(next_is(&scan, "a") && next_is(&scan, "b") && scan.line == 3 && next_is(&scan, ""));
  mesh_scan_destroy(&scan);

  CHECK(mesh_word_compare((MeshWord){"ab", 2}, (MeshWord){"b", 1}) < 0);
  CHECK(mesh_word_compare((MeshWord){"ab", 2}, (MeshWord){"a", 1}) > 0);
  CHECK(mesh_word_compare((MeshWord){"ab", 2}, (MeshWord){"abc", 2}) == 0);
}

// Names and quotes hold whole characters and nothing that a terminal would act on.
static void test_quotes(void)
{
  static const struct {
    const char *name, *clean;
  } names[] = {{"stone", "stone"},
               {"a\tb\x1B[2J", "a b?[2J"},
               {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\xAA\xA8", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\xAA\xA8"},
               {"\xC0\xAF\xED\xA0\x80\xF5", "??????"},
               {"\xE2\x82", "??"},
               {"\xC2\x9B", "??"}};
  Arena arena = arena_new();
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const MeshWord word = {names[i].name, strlen(names[i].name)};
    CHECK(strcmp(mesh_word_name(word, &arena), names[i].clean) == 0);
  }
  arena_destroy(&arena);

  char error[256], quote[MESH_QUOTE_BYTES], text[201];
  MeshScan scan = scan_of("x", error);
  for (int i = 0; i < 200; i += 2) memcpy(text + i, "\xC3\xA4", 3);
  for (size_t length = 0; length <= 200; length += 2) {
    const char *shown = mesh_word_quote(&scan, (MeshWord){text, length}, quote);
    if (length == 0) CHECK(strcmp(shown, "the end of the line") == 0);
    else CHECK(shown[0] == '\'' && shown[strlen(shown) - 1] == '\'');
    if (length > 60) CHECK(strcmp(shown + strlen(shown) - 6, "\xC3\xA4...'") == 0);
    else if (length > 0 && length < 56) CHECK(strlen(shown) == length + 2);
  }
  mesh_scan_destroy(&scan);
}

static void test_binary(void)
{
  static const char bytes[] = "\xFF\xFE\x01\x02\x80\x00\x00\x00\x00\x00\x00\x00\x3F\xC0\x00\x00";
  const MeshText file = {"f", bytes, sizeof bytes - 1};
  char error[256];
  MeshScan scan = mesh_scan_new(&file, (ErrorText){error, sizeof error});
  scan.binary = true;
  CHECK(mesh_scan_signed(&scan, 1) == -1 && mesh_scan_unsigned(&scan, 1) == 254);
  CHECK(mesh_scan_signed(&scan, 2) == 0x0201);
  scan.at -= 4;
  scan.big_endian = true;
  CHECK(mesh_scan_signed(&scan, 2) == -2 && mesh_scan_unsigned(&scan, 2) == 0x0102);
  CHECK(mesh_scan_signed(&scan, 8) == INT64_MIN && mesh_scan_left(&scan) == 4);
  CHECK(mesh_scan_float(&scan, 4) == 1.5);
  scan.at -= 4;
  scan.big_endian = false;
  CHECK(mesh_scan_has(&scan, 4, "a value") && !mesh_scan_has(&scan, 5, "a value"));
  CHECK(strcmp(error, "f: byte 12: a value needs 5 bytes, and the file ends after 4") == 0);
  mesh_scan_destroy(&scan);
}

int main(void)
{
  char error[256];
  MeshScan scan = scan_of("", error);
  test_decimals(&scan);
  mesh_scan_destroy(&scan);
  test_locale();
  test_integers();
  test_words();
  test_quotes();
  test_binary();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
