// drystone bench: times the kernels of the contact geometry on scenarios that are the same in every
// run. Rank 0 does the work.
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "geometry_bench.h"
#include "lmd_bench.h"
#include "overlap_bench.h"
#include "parallel.h"
#include "values.h"

typedef enum { BENCH_GEOMETRY, BENCH_OVERLAP, BENCH_LMD, BENCH_COUNT } BenchSubject;

typedef struct {
  BenchSubject subject;
  bool json;
  int items;       // pairs of bodies, boxes, or poses
  int triangles;   // most of a surface
  int repeats;
} BenchOptions;

static const Option options_of_geometry[] = {
    {"--pairs", "N", "different pairs of bodies in each scenario (default: 20000)", OPTION_COUNT,
     .offset = offsetof(BenchOptions, items), .low = 1, .high = 10000000},
    {"--repeats", "N", "of which the median counts (default: 5)", OPTION_COUNT,
     .offset = offsetof(BenchOptions, repeats), .low = 1, .high = 10000},
    {"--json", NULL, "one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(BenchOptions, json)}};

const OptionTable COMMAND_GEOMETRY_BENCH_OPTIONS = {
    .command = "bench geometry",
    .purpose = "time the kernels of the contact geometry on fixed\nloads",
    .count = sizeof options_of_geometry / sizeof *options_of_geometry,
    .options = options_of_geometry,
};

static const Option options_of_overlap[] = {
    {"--boxes", "N", "boxes in each scenario (default: 1000000)", OPTION_COUNT,
     .offset = offsetof(BenchOptions, items), .low = 1, .high = 100000000},
    {"--repeats", "N", "of which the median counts (default: 5)", OPTION_COUNT,
     .offset = offsetof(BenchOptions, repeats), .low = 1, .high = 10000},
    {"--json", NULL, "one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(BenchOptions, json)}};

const OptionTable COMMAND_OVERLAP_BENCH_OPTIONS = {
    .command = "bench overlap",
    .purpose = "time the search for boxes that overlap on fixed scenarios",
    .count = sizeof options_of_overlap / sizeof *options_of_overlap,
    .options = options_of_overlap,
};

static const Option options_of_lmd[] = {
    {"--poses", "N", "of each pair of surfaces (default: 50)", OPTION_COUNT,
     .offset = offsetof(BenchOptions, items), .low = 1, .high = 1000000},
    {"--triangles", "N", "leave out surfaces of more (default: none)", OPTION_COUNT,
     .offset = offsetof(BenchOptions, triangles), .low = 1, .high = 1000000000},
    {"--repeats", "N", "of which the median counts (default: 5)", OPTION_COUNT,
     .offset = offsetof(BenchOptions, repeats), .low = 1, .high = 10000},
    {"--json", NULL, "one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(BenchOptions, json)}};

const OptionTable COMMAND_LMD_BENCH_OPTIONS = {
    .command = "bench lmd",
    .purpose = "time the search of the contact model lmd on fixed\nsurfaces",
    .count = sizeof options_of_lmd / sizeof *options_of_lmd,
    .options = options_of_lmd,
};

// by BenchSubject
static const struct {
  const char *word;
  const OptionTable *options;
  int items;   // where none are asked for
} SUBJECTS[BENCH_COUNT] = {
    [BENCH_GEOMETRY] = {"geometry", &COMMAND_GEOMETRY_BENCH_OPTIONS, 20000},
    [BENCH_OVERLAP] = {"overlap", &COMMAND_OVERLAP_BENCH_OPTIONS, 1000000},
    [BENCH_LMD] = {"lmd", &COMMAND_LMD_BENCH_OPTIONS, 50},
};

static bool read_options(int count, char **words, BenchOptions *o)
{
  const char *what = count > 0 ? words[0] : "";
  BenchSubject subject = BENCH_GEOMETRY;
  while (subject < BENCH_COUNT && strcmp(SUBJECTS[subject].word, what) != 0) subject++;
  if (!all_ok(subject < BENCH_COUNT,
              "bench needs to know of what: drystone bench geometry, bench overlap, bench lmd or "
              "bench solver"))
    return false;
  *o = (BenchOptions){
      .subject = subject, .items = SUBJECTS[subject].items, .triangles = INT_MAX, .repeats = 5};
  return options_read(SUBJECTS[subject].options, count - 1, words + 1, o);
}

// -- tables ---------------------------------------------------------------------------------------

// JSON has a budget where there is one, the text a blank where there is none.
static void list_budget(Value *row, double budget, int decimals)
{
  assert(decimals >= 0 && !(budget < 0) && "a budget is a time");
  char text[32] = "";
  if (budget > 0) snprintf(text, sizeof text, "%.*f", decimals, budget);
  if (budget > 0) values_add(row, "budget %g", budget);
  values_add(row, "-budget %s", text);
}

static void list_geometry(GeometryRows rows, Value *list)
{
  assert(rows.count >= 0 && list->kind == VALUE_LIST && "rows are listed");
  for (int i = 0; i < rows.count; i++) {
    const GeometryRow *r = &rows.rows[i];
    const Spread *ns = &r->nanoseconds;
    assert(ns->low <= ns->median && ns->median <= ns->high && "a median lies between its ends");
    const bool patch = strcmp(r->kernel, "patch") == 0;
    Value *row = values_group(list, NULL);
    values_add(row, "load %s kernel %s pairs %lld", r->scenario, r->kernel, (long long)r->pairs);
    values_add(row, "ns_per_pair %g ns_low %g ns_high %g", ns->median, ns->low, ns->high);
    list_budget(row, r->budget, 0);
    values_add(row, "sum %g failed %lld", r->sum, (long long)r->failed);
    values_add(row, "-failed %s", patch ? "too deep" : "without an answer");
  }
}

static void list_overlap(OverlapRows rows, Value *list)
{
  assert(rows.count >= 0 && list->kind == VALUE_LIST && "rows are listed");
  for (int i = 0; i < rows.count; i++) {
    const OverlapRow *r = &rows.rows[i];
    char checksum[32];
    snprintf(checksum, sizeof checksum, "%016" PRIx64, r->checksum);
    Value *row = values_group(list, NULL);
    values_add(row, "load %s boxes %d pairs %lld", r->scenario, r->boxes, (long long)r->pairs);
    values_add(row, "seconds %g seconds_low %g seconds_high %g", r->seconds.median, r->seconds.low,
               r->seconds.high);
    list_budget(row, r->budget, 1);
    values_add(row, "checksum %s", checksum);
  }
}

static void list_lmd(LmdRows rows, Value *list)
{
  assert(rows.count >= 0 && list->kind == VALUE_LIST && "rows are listed");
  for (int i = 0; i < rows.count; i++) {
    const LmdRow *r = &rows.rows[i];
    const Spread *us = &r->microseconds;
    Value *row = values_group(list, NULL);
    values_add(row, "load %s search %s triangles %d simplices %d", r->scenario, r->search,
               r->triangles, r->simplices);
    values_add(row, "build_seconds %g tree_seconds %g -build %g -tree %g", r->build, r->tree,
               1e3 * r->build, 1e3 * r->tree);
    values_add(row, "us_per_pair %g us_low %g us_high %g", us->median, us->low, us->high);
    list_budget(row, r->budget, 0);
    values_add(row, "requests %g nodes %g points %lld", r->requests, r->nodes,
               (long long)r->points);
  }
}

static void print_geometry(const Value *all)
{
  values_table(values_find(all, "rows"),
               "{load:-11:load} {kernel:-12:kernel} {ns_per_pair:10.1f:ns a pair} "
               "{ns_low:10.1f:lowest} {ns_high:10.1f:highest} {-budget:7:budget}  "
               "{sum:.15g:sum of what was found}<, {failed} {-failed}>\n");
  values_print(
      all,
      "clip         the common solid, faces labelled by owner; sum of volumes, m3\n"
      "labels       no more of it than the patch search asks for; m3\n"
      "reference    the same solid by an independent slow route; m3\n"
      "patch        all of the patch search; sum of contact areas, m2\n"
      "gjk          distance of the bodies; sum, m\n"
      "planes       search for a face that separates them, cached plane: with that of the last "
      "time;\n"
      "             pairs separated\n"
      "budget       ns a pair that the kernel is meant to take\n"
      "{-items} different pairs of each scenario; median, lowest and highest of {repeats} repeats; "
      "{clock}\n");
}

static void print_overlap(const Value *all)
{
  values_table(values_find(all, "rows"),
               "{load:-18:load} {boxes:10:boxes} {pairs:11:pairs} {seconds:9.3g:seconds} "
               "{seconds_low:9.3g:lowest} {seconds_high:9.3g:highest} {-budget:8:budget}   "
               "{checksum:1:checksum}\n");
  values_print(
      all, "budget: seconds it is meant to take. The checksum tells which pairs, in any order.\n"
           "median, lowest and highest of {repeats} repeats; {clock}\n");
}

static void print_lmd(const Value *all)
{
  values_table(
      values_find(all, "rows"),
      "{load:-13:load} {search:-11:search} {simplices:9:simplices} {-build:6.1f:build} "
      "{-tree:6.1f:tree} {us_per_pair:8.2f:us} {us_low:6.1f:lowest} {us_high:7.1f:highest} "
      "{-budget:6:budget} {requests:5.0f:tried} {nodes:5.0f:nodes} {points:6:points}\n");
  values_print(
      all,
      "trees        as the contact model searches\n"
      "no kinds     pairs of nodes do not part by the kinds of their simplices\n"
      "turned cuts  trees whose levels are cut by place and by normal in turn\n"
      "all pairs    of simplices near the other surface, as bricks are searched\n"
      "model        the whole model, from two poses to patches\n"
      "build, tree  ms: both surfaces from triangles to trees, and their trees alone\n"
      "us           a pair of surfaces in one pose; budget: what it is meant to take\n"
      "tried, nodes pairs of simplices and of nodes that were looked at, means\n"
      "points       found in all poses\n"
      "{-items} poses of each pair; median, lowest and highest of {repeats} repeats; {clock}\n");
}

// -- the command ----------------------------------------------------------------------------------

int command_bench(int count, char **words)
{
  if (count > 0 && strcmp(words[0], "solver") == 0)
    return command_bench_solver(count - 1, words + 1);
  BenchOptions options;
  if (!read_options(count, words, &options)) return EXIT_USER;
  if (par_rank() != 0) return EXIT_DONE;
  assert(options.items >= 1 && options.repeats >= 1 && "limits of options hold");
  Arena arena = arena_new();
  Value *all = values_new(&arena);
  values_add(all, "bench %s clock %s", SUBJECTS[options.subject].word, "processor time");
  values_add(all, "repeats %d -items %d", options.repeats, options.items);
  values_add(all, "build %s compiler %s", DRYSTONE_BUILD_TYPE, DRYSTONE_COMPILER);
  Value *rows = values_list(all, "rows");
  switch (options.subject) {
  case BENCH_OVERLAP:
    list_overlap(overlap_bench_run(options.items, options.repeats, &arena), rows);
    break;
  case BENCH_LMD:
    list_lmd(lmd_bench_run((LmdLoad){options.items, options.repeats, options.triangles}, &arena),
             rows);
    break;
  default: list_geometry(geometry_bench_run(options.items, options.repeats, &arena), rows);
  }
  if (options.json) values_json(all, true);
  else if (options.subject == BENCH_OVERLAP) print_overlap(all);
  else if (options.subject == BENCH_LMD) print_lmd(all);
  else print_geometry(all);
  arena_destroy(&arena);
  return EXIT_DONE;
}
