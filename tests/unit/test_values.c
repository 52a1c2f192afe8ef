// Values of a command as text and as JSON: one list, two prints.
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "memory.h"

static FILE *printed;   // in the place of standard output
static int terminal;

static void begin_print(void)
{
  fflush(stdout);
  terminal = dup(STDOUT_FILENO);
  printed = tmpfile();
  dup2(fileno(printed), STDOUT_FILENO);
}

// Whether just that was printed since the begin; ends it.
static bool end_print(const char *expected)
{
  char text[4096] = "";
  fflush(stdout);
  dup2(terminal, STDOUT_FILENO);
  close(terminal);
  rewind(printed);
  text[fread(text, 1, sizeof text - 1, printed)] = 0;
  fclose(printed);
  const bool same = strcmp(text, expected) == 0;
  if (!same) printf("printed:\n%s\nexpected:\n%s\n", text, expected);
  return same;
}

static bool prints(const Value *group, const char *template, const char *expected)
{
  begin_print();
  values_print(group, template);
  return end_print(expected);
}

static bool prints_json(const Value *group, bool spread, const char *expected)
{
  begin_print();
  values_json(group, spread);
  return end_print(expected);
}

// one list, all kinds of values
static void test_both(Arena *arena)
{
  Value *all = values_new(arena);
  char name[] = "pillar", key[] = "rows";
  values_add(all, "name %s volume %g parts %d", name, 0.1, 3);
  values_add(all, "many %lld convex %i closed %i", 9007199254740993LL, true, false);
  values_add(all, "low %g %g %g -note %s", 1.0, -2.5, 1e-3, "for people");
  values_text(all, "reason", NULL);
  values_integer(all, key, 7);
  Value *places = values_list(all, "places"), *inner = values_group(all, "inner");
  values_add(places, "%d", 4);
  values_add(places, "%s", "five");
  values_add(inner, "x %g", 2.0);
  values_list(inner, "none");
  name[0] = 0;   // texts are copied
  CHECK(
      prints_json(all, false,
                  "{\"name\": \"pillar\", \"volume\": 0.10000000000000001, \"parts\": 3, \"many\": "
                  "9007199254740993, \"convex\": true, \"closed\": false, \"low\": [1.0, -2.5, "
                  "0.001], \"reason\": null, \"rows\": 7, \"places\": [4, \"five\"], \"inner\": "
                  "{\"x\": 2.0, \"none\": []}}\n"));
  CHECK(prints_json(inner, true, "{\n  \"x\": 2.0,\n  \"none\": []\n}\n"));
  CHECK(prints(all, "{name}, {volume:.3f} m3, {parts} of {many}, {-note}\n",
               "pillar, 0.100 m3, 3 of 9007199254740993, for people\n"));
  CHECK(prints(all, "[{low.0:g}, {low.1:.2g}, {low.2:g}] {places.1} {inner.x}",
               "[1, -2.5, 0.001] five 2"));
  CHECK(prints(all, "({reason})({reason:3})", "()(   )"));
  CHECK(values_find(all, "rows")->integer == 7 && values_find(all, "convex")->integer == 1);
}

// columns in the widths of their values
static void test_tables(Arena *arena)
{
  Value *all = values_new(arena), *rows = values_list(all, "rows");
  const char *const columns =
      "{load:-6:load} {pairs:8:pairs} {ns:7.1f:ns a pair} {kind:5:kind}<, {failed} too deep>\n";
  for (int i = 0; i < 2; i++) {
    Value *row = values_group(rows, NULL);
    values_add(row, "load %s pairs %d ns %g", i ? "hull" : "box", 10 + 90 * i, 2.25 + i);
    values_add(row, "kind %s failed %d", i ? "" : "one", 3 * i);
  }
  begin_print();
  values_table(rows, columns);
  CHECK(end_print("load      pairs ns a pair  kind\n"
                  "box          10     2.2   one\n"
                  "hull        100     3.2      , 3 too deep\n"));
  CHECK(prints(NULL, "{a:4:aa}{b:-4:bb}|{c}\n", "  aabb  |\n"));
}

// parts that are left out: of 0, false, no number, an empty text and none
static void test_parts(Arena *arena)
{
  Value *all = values_new(arena);
  values_add(all, "none %d no %i zero %g nan %g empty %s", 0, false, 0.0, NAN, "");
  values_add(all, "some %d yes %i small %g text %s", -1, true, -1e-300, "t");
  values_text(all, "null", NULL);
  CHECK(prints(all, "a<, {none}>b< x {empty}>c<{zero:g}>d<{nan:g}>e<{null}>f\n", "abcdef\n"));
  CHECK(prints(all, "<{some} {none}>, <{text}>, <{small:g}>\n", "-1 0, t, -1e-300\n"));
  CHECK(prints(all, "<with {text} < within {none}>< {some}>>.<without {none}< {text}>>",
               "with t  -1."));
}

// JSON has no word for them, and text has
static void test_not_finite(Arena *arena)
{
  Value *all = values_new(arena);
  values_add(all, "a %g b %g c %g", NAN, INFINITY, -INFINITY);
  CHECK(prints_json(all, false, "{\"a\": null, \"b\": null, \"c\": null}\n"));
  CHECK(prints(all, "{a:5.1f}{b:5.1f}{c:5.1f}", "  nan  inf -inf"));
}

// quotes, signs of the template, control characters, and bytes that are no UTF-8
static void test_escapes(Arena *arena)
{
  Value *all = values_new(arena);
  values_add(all, "a %s b %s", "q\" \\ {a} <%d>", "\x1b[2J \xC3\xA9 \xFF\xC0\xAF");
  values_add(all, "surrogate %s stone %s", "\xED\xA0\x80", "\xF0\x9F\xAA\xA8");
  CHECK(prints_json(all, false,
                    "{\"a\": \"q\\\" \\\\ {a} <%d>\", \"b\": \"\\u001B[2J \xC3\xA9 "
                    "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\", \"surrogate\": "
                    "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\", "
                    "\"stone\": \"\xF0\x9F\xAA\xA8\"}\n"));
  CHECK(prints(all, "{surrogate} {stone}", "\\xed\\xa0\\x80 \xF0\x9F\xAA\xA8"));
  values_add(all, "long %s",
             "\xE0\x80\xAF\xF0\x80\x80\xAF\xED\x9F\xBF\xED\xBF\xBF\xF4\x90\x80\x80");
  CHECK(
      prints(all, "{long}",
             "\\xe0\\x80\\xaf\\xf0\\x80\\x80\\xaf\xED\x9F\xBF\\xed\\xbf\\xbf\\xf4\\x90\\x80\\x80"));
  CHECK(prints(all, "{a} 100% {b}", "q\" \\ {a} <%d> 100% \\x1b[2J \xC3\xA9 \\xff\\xc0\\xaf"));
}

int main(void)
{
  Arena arena = arena_new();
  test_both(&arena);
  test_tables(&arena);
  test_parts(&arena);
  test_not_finite(&arena);
  test_escapes(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
