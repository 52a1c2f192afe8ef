// drystone bench: times the kernels of the contact geometry on loads that are the same in every
// run. Rank 0 does the work.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_json.h"
#include "geometry_bench.h"
#include "overlap_bench.h"
#include "parallel.h"

typedef struct {
  bool overlap;   // false: geometry
  bool json;
  int items;   // pairs of bodies, or boxes
  int repeats;
} BenchOptions;

static bool parse_count(const char *option, const char *word, long most, int *count)
{
  char *end = NULL;
  const long value = word ? strtol(word, &end, 10) : 0;
  if (!word) return all_ok(false, "option %s needs a value", option);
  const bool sound = end != word && *end == 0 && value >= 1 && value <= most;
  *count = sound ? (int)value : 0;
  return all_ok(sound, "option %s: expected a whole number from 1 to %ld, found '%s'", option, most,
                word);
}

static bool parse_words(int count, char **words, BenchOptions *o)
{
  const char *what = count > 0 ? words[0] : "";
  const bool known = strcmp(what, "overlap") == 0 || strcmp(what, "geometry") == 0;
  if (!all_ok(known, "bench needs to know of what: drystone bench geometry, bench overlap or bench "
                     "solver"))
    return false;
  *o = (BenchOptions){.overlap = strcmp(what, "overlap") == 0, .repeats = 5};
  o->items = o->overlap ? 1000000 : 20000;
  const char *items = o->overlap ? "--boxes" : "--pairs";
  for (int i = 1; i < count; i++) {
    const char *value = i + 1 < count ? words[i + 1] : NULL;
    if (strcmp(words[i], "--json") == 0) {
      o->json = true;
    } else if (strcmp(words[i], items) == 0) {
      if (!parse_count(words[i++], value, o->overlap ? 100000000 : 10000000, &o->items))
        return false;
    } else if (strcmp(words[i], "--repeats") == 0) {
      if (!parse_count(words[i++], value, 10000, &o->repeats)) return false;
    } else {
      return all_ok(false, "unknown option %s of bench %s, which takes %s, --repeats and --json",
                    words[i], what, items);
    }
  }
  return true;
}

// -- geometry -------------------------------------------------------------------------------------

static void print_geometry_text(const BenchOptions *o, GeometryRows rows)
{
  printf("%-11s %-12s %10s %10s %10s %7s  %s\n", "load", "kernel", "ns a pair", "lowest", "highest",
         "budget", "sum of what was found");
  for (int i = 0; i < rows.count; i++) {
    const GeometryRow *r = &rows.rows[i];
    char budget[32] = "";
    if (r->budget > 0) snprintf(budget, sizeof budget, "%.0f", r->budget);
    printf("%-11s %-12s %10.1f %10.1f %10.1f %7s  %.15g", r->load, r->kernel, r->nanoseconds.median,
           r->nanoseconds.low, r->nanoseconds.high, budget, r->sum);
    if (r->failed > 0)
      printf(", %" PRId64 " %s", r->failed,
             strcmp(r->kernel, "patch") == 0 ? "too deep" : "without an answer");
    puts("");
  }
  puts("clip         the common solid, faces labelled by owner; sum of volumes, m3\n"
       "labels       no more of it than the patch search asks for; m3\n"
       "reference    the same solid by an independent slow route; m3\n"
       "patch        all of the patch search; sum of contact areas, m2\n"
       "gjk          distance of the bodies; sum, m\n"
       "planes       search for a face that separates them, cached plane: with that of the last "
       "time;\n"
       "             pairs separated\n"
       "budget       ns a pair that the kernel is meant to take");
  printf(
      "%d different pairs of each load; median, lowest and highest of %d repeats; processor time\n",
      o->items, o->repeats);
}

static json_t *geometry_json(GeometryRows rows)
{
  json_t *list = json_array();
  for (int i = 0; i < rows.count; i++) {
    const GeometryRow *r = &rows.rows[i];
    json_t *row = json_object();
    command_json_add(row, "load", command_json_text(r->load));
    command_json_add(row, "kernel", command_json_text(r->kernel));
    command_json_add(row, "pairs", json_integer(r->pairs));
    command_json_add(row, "ns_per_pair", command_json_number(r->nanoseconds.median));
    command_json_add(row, "ns_low", command_json_number(r->nanoseconds.low));
    command_json_add(row, "ns_high", command_json_number(r->nanoseconds.high));
    if (r->budget > 0) command_json_add(row, "budget", command_json_number(r->budget));
    command_json_add(row, "sum", command_json_number(r->sum));
    command_json_add(row, "failed", json_integer(r->failed));
    json_array_append_new(list, row);
  }
  return list;
}

// -- overlap --------------------------------------------------------------------------------------

static void print_overlap_text(const BenchOptions *o, OverlapRows rows)
{
  printf("%-18s %10s %11s %9s %9s %9s %8s   %s\n", "load", "boxes", "pairs", "seconds", "lowest",
         "highest", "budget", "checksum");
  for (int i = 0; i < rows.count; i++) {
    const OverlapRow *r = &rows.rows[i];
    char budget[32] = "";
    if (r->budget > 0) snprintf(budget, sizeof budget, "%.1f", r->budget);
    printf("%-18s %10d %11" PRId64 " %9.3g %9.3g %9.3g %8s   %016" PRIx64 "\n", r->load, r->boxes,
           r->pairs, r->seconds.median, r->seconds.low, r->seconds.high, budget, r->checksum);
  }
  puts("budget: seconds it is meant to take. The checksum tells which pairs, in any order.");
  printf("median, lowest and highest of %d repeats; processor time\n", o->repeats);
}

static json_t *overlap_json(OverlapRows rows)
{
  json_t *list = json_array();
  for (int i = 0; i < rows.count; i++) {
    const OverlapRow *r = &rows.rows[i];
    char checksum[32];
    snprintf(checksum, sizeof checksum, "%016" PRIx64, r->checksum);
    json_t *row = json_object();
    command_json_add(row, "load", command_json_text(r->load));
    command_json_add(row, "boxes", json_integer(r->boxes));
    command_json_add(row, "pairs", json_integer(r->pairs));
    command_json_add(row, "seconds", command_json_number(r->seconds.median));
    command_json_add(row, "seconds_low", command_json_number(r->seconds.low));
    command_json_add(row, "seconds_high", command_json_number(r->seconds.high));
    if (r->budget > 0) command_json_add(row, "budget", command_json_number(r->budget));
    command_json_add(row, "checksum", command_json_text(checksum));
    json_array_append_new(list, row);
  }
  return list;
}

// -- both -----------------------------------------------------------------------------------------

static void print_json(const BenchOptions *o, json_t *rows)
{
  json_t *text = json_object();
  command_json_add(text, "bench", command_json_text(o->overlap ? "overlap" : "geometry"));
  command_json_add(text, "clock", command_json_text("processor time"));
  command_json_add(text, "repeats", json_integer(o->repeats));
  command_json_add(text, "build", command_json_text(DRYSTONE_BUILD_TYPE));
  command_json_add(text, "compiler", command_json_text(DRYSTONE_COMPILER));
  command_json_add(text, "rows", rows);
  command_json_print(text, true);
}

int command_bench(int count, char **words)
{
  if (count > 0 && strcmp(words[0], "solver") == 0)
    return command_bench_solver(count - 1, words + 1);
  BenchOptions options;
  if (!parse_words(count, words, &options)) return EXIT_USER;
  if (par_rank() != 0) return EXIT_DONE;
  Arena arena = arena_new();
  if (options.overlap) {
    const OverlapRows rows = overlap_bench_run(options.items, options.repeats, &arena);
    if (options.json) print_json(&options, overlap_json(rows));
    else print_overlap_text(&options, rows);
  } else {
    const GeometryRows rows = geometry_bench_run(options.items, options.repeats, &arena);
    if (options.json) print_json(&options, geometry_json(rows));
    else print_geometry_text(&options, rows);
  }
  arena_destroy(&arena);
  return EXIT_DONE;
}
