// drystone quality: contact points on Erleben's suite, scored and compared with the methods of his
// text. Rank 0 does the work.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "command_methods.h"
#include "parallel.h"
#include "published_values.h"
#include "quality_fillings.h"
#include "quality_published.h"
#include "quality_suite.h"
#include "values.h"

#define NAME_WIDTH 15   // characters of the first column of a table
#define CELL 15         // and of one cell

typedef struct {
  bool json, fine, methods;
  int turns;       // 0: not given
  int64_t seed;    // -1: not given
  double within;   // 0: not given
} QualityOptions;

typedef struct {
  const QualityScenes *scenes;
  QualityResults results;
  const char *missing[CUT_COUNT];   // why a cut was left out; NULL: it was not
  FineMeshes fine;
} QualityReport;

static const Option options_of_quality[] = {
    {"--fine", NULL, "fine meshes of the pillar as well (about a minute)", OPTION_FLAG,
     .offset = offsetof(QualityOptions, fine)},
    {"--methods", NULL,
     "instead: run the eight methods of his text on tetrahedra, in\nscenes turned at random, "
     "beside "
     "the contact models",
     OPTION_FLAG, .offset = offsetof(QualityOptions, methods)},
    {"--turns", "N", "random turns of each scene (with --methods; default: 40)", OPTION_COUNT,
     .offset = offsetof(QualityOptions, turns), .low = 1, .high = 10000},
    {"--seed", "N", "of the random turns (with --methods; default: 0)", OPTION_LONG_COUNT,
     .offset = offsetof(QualityOptions, seed), .low = 0, .high = 1e15},
    {"--within", "D",
     "length of the difference from a right normal up to which one is right\n"
     "(with --methods; default: 0.0014)",
     OPTION_REAL, .offset = offsetof(QualityOptions, within), .low = 1e-9, .high = 1},
    {"--json", NULL, "one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(QualityOptions, json)}};

const OptionTable COMMAND_QUALITY_OPTIONS = {
    .command = "quality",
    .purpose = "score contact points on Erleben's suite, beside the\nmethods of his text",
    .count = sizeof options_of_quality / sizeof *options_of_quality,
    .options = options_of_quality,
    .note = "  exit codes: 70 a score that is promised does not hold, 2 the program tetgen is "
            "missing, so\n"
            "              that meshed bodies were left out; whatever ran is printed",
};

// -- scores
// ----------------------------------------------------------------------------------------

// Whether all scores with a bar hold.
static bool report_holds(const QualityReport *report)
{
  for (int i = 0; i < report->results.count; i++) {
    if (!report->results.entries[i].holds) return false;
  }
  return true;
}

// The entry of a variant and a scene, or NULL.
static const QualityEntry *find_entry(const QualityReport *report, const QualityVariant *variant,
                                      int scene)
{
  assert(scene >= 0 && scene < SCENE_COUNT && "a scene has a number");
  for (int i = 0; i < report->results.count; i++) {
    const QualityEntry *entry = &report->results.entries[i];
    if (entry->variant == variant && entry->scene == scene) return entry;
  }
  return NULL;
}

static bool has_entries(const QualityReport *report, const QualityVariant *variant)
{
  for (int i = 0; i < report->results.count; i++) {
    if (report->results.entries[i].variant == variant) return true;
  }
  return false;
}

// -- all values -----------------------------------------------------------------------------------

static void list_entries(const QualityReport *report, bool promised, Value *list)
{
  for (int i = 0; i < report->results.count; i++) {
    const QualityEntry *entry = &report->results.entries[i];
    const QualityVariant *variant = entry->variant;
    const QualityScore *s = &entry->score;
    if (variant->promised != promised) continue;
    Value *row = values_group(list, NULL);
    values_add(row, "name %s", report->scenes->scenes[entry->scene].name);
    values_add(row, "variant %s model %s", variant->name, model_word(variant->model));
    values_add(row, "quality %g coverage %g excess %g", s->quality, s->coverage, quality_excess(s));
    values_add(row, "points %d least_points %d failed %d", s->points, s->least_points, s->failed);
    values_add(row, "parts %d runs %d", entry->parts, variant->runs);
    values_add(row, "Q %g worst_normal %g", s->mean_cosine, s->worst_normal);
    if (s->has_area) {
      values_add(row, "P %g pair_coverage_min %g pair_coverage_max %g", s->area_ratio, s->low_ratio,
                 s->high_ratio);
      values_add(row, "carried_area %g pair_carried_min %g", s->carried_ratio, s->low_carried);
    }
    values_add(row, "lowest_gap %g highest_gap %g", s->low_gap, s->high_gap);
    values_add(row, "judged %i holds %i", entry->judged, entry->holds);
  }
}

static void list_missing(const QualityReport *report, Value *list)
{
  const QualityVariant *variants;
  const int count = quality_suite_variants(&variants);
  for (int v = 0; v < count; v++) {
    const char *why = report->missing[variants[v].setup.cut];
    if (!why) continue;
    Value *row = values_group(list, NULL);
    values_add(row, "variant %s reason %s", variants[v].name, why);
  }
}

static void list_fine(const QualityReport *report, Value *list)
{
  assert(report->fine.count <= report->scenes->solid_count && "a solid has one fine mesh");
  const QualityScene *pillar = &report->scenes->scenes[SCENE_PILLAR];
  for (int i = 0; i < report->fine.count; i++) {
    const FineMesh *mesh = &report->fine.list[i];
    Value *row = values_group(list, NULL);
    values_add(row, "name %s", pillar->name);
    Value *bodies = values_list(row, "bodies");
    for (int body = 0; body < pillar->body_count; body++)
      if (pillar->bodies[body].solid == mesh->solid) values_add(bodies, "%d", body);
    values_add(row, "volume %g ratio_asked %g ratio %g", mesh->volume, FINE_RATIO, mesh->ratio);
    values_add(row, "tetrahedra %d", mesh->tetra_count);
    values_text(row, "reason", mesh->why[0] ? mesh->why : NULL);
  }
}

static Value *values_of(const QualityReport *report, Arena *arena)
{
  const PatchParameters p = QUALITY_SUITE_PARAMETERS;
  Value *all = values_new(arena);
  values_add(all, "version %s holds %i", DRYSTONE_VERSION, report_holds(report));
  values_add(all, "margin %g feature_width %g", p.margin, p.feature_width);
  values_add(all, "max_points %d step %g gravity %g", p.max_points, SUITE_STEP, SETUP_GRAVITY);
  values_add(all, "normal_tolerance %g area_tolerance %g", SUITE_NORMAL, SUITE_AREA);
  list_missing(report, values_list(all, "left_out"));
  if (report->fine.count > 0) list_fine(report, values_list(all, "fine_meshes"));
  list_entries(report, true, values_list(all, "cases"));
  list_entries(report, false, values_list(all, "reference"));
  published_values_list(report->scenes, values_list(all, "published"));
  return all;
}

// -- tables ---------------------------------------------------------------------------------------

// Percent in four characters: 100 and 0 without decimals.
static void print_percent(double percent)
{
  if (isnan(percent)) printf("%4s", "-");
  else if (percent >= 100 || percent <= 0) printf("%4.0f", percent);
  else printf("%4.1f", percent);
}

static void print_cell(const QualityEntry *entry)
{
  if (!entry) {
    printf("%*s", CELL, "");
    return;
  }
  printf(entry->holds ? " " : "!");
  print_percent(entry->score.quality);
  printf(" ");
  print_percent(entry->score.coverage);
  printf("%5.2f", quality_excess(&entry->score));
}

static void print_best(int scene)
{
  assert(scene >= 0 && scene < SCENE_COUNT && "a scene has a number");
  PublishedScore score;
  const int method = quality_published_best(scene, &score);
  printf(" ");
  print_percent(score.quality);
  printf(" ");
  print_percent(score.coverage);
  if (isnan(score.excess)) printf("%5s", "-");
  else printf("%5.1f", score.excess);
  printf("%2d\n", method + 1);
}

// Quality, coverage and excess of a group of variants beside one another, and the lowest Q.
static void print_scores(const QualityReport *report, const QualityVariant *group, int count)
{
  assert(count > 0 && "a group has variants");
  printf("\n%s\n%-*s", group->group, NAME_WIDTH, "");
  for (int v = 0; v < count; v++) printf("%*s", CELL, group[v].heading);
  if (group->promised) printf("%23s", "best in the text");
  printf("\n%-*s", NAME_WIDTH, "");
  for (int v = 0; v < count; v++) printf("%*s", CELL, " qual  cov exc.");
  printf("%7s%s\n", "Q - 1", group->promised ? " qual  cov exc." : "");
  for (int scene = 0; scene < SCENE_COUNT; scene++) {
    if (!find_entry(report, group, scene)) continue;
    double cosine = 1;
    printf("%-*s", NAME_WIDTH, report->scenes->scenes[scene].name);
    for (int v = 0; v < count; v++) {
      const QualityEntry *entry = find_entry(report, &group[v], scene);
      print_cell(entry);
      if (entry) cosine = fmin(cosine, entry->score.mean_cosine);
    }
    printf("%7.1g", cosine - 1);
    if (group->promised) print_best(scene);
    else puts("");
  }
}

// What the text has of a structure, in the columns of print_structures.
static void print_structure_of_text(const QualityReport *report, int scene)
{
  assert(scene >= 0 && scene < SCENE_COUNT && "a scene has a number");
  PublishedScore score;
  const int method = quality_published_best(scene, &score);
  printf("%-8s%s %-8d", report->scenes->scenes[scene].name, "in the text:", method + 1);
  if (score.points < 0) printf("%6s", "-");
  else printf("%6d", score.points);
  printf("%7d", quality_scene_least_points(&report->scenes->scenes[scene]));
  if (isnan(score.area_ratio)) printf("%9s\n", "-");
  else printf("%9.1g\n", score.area_ratio - 1);
}

// Points and areas of the structures.
static void print_structures(const QualityReport *report, const QualityVariant *group, int count)
{
  assert(count > 0 && "a group has variants");
  printf("\n%-29s%6s%7s%9s%9s%9s%9s%9s\n", "", "points", "needed", "P - 1", "least", "most",
         "carried", "normals");
  for (int scene = SCENE_FUNDAMENTAL; scene < SCENE_COUNT; scene++) {
    for (int v = 0; v < count; v++) {
      const QualityEntry *entry = find_entry(report, &group[v], scene);
      if (!entry) continue;
      const QualityScore *s = &entry->score;
      printf("%-8s%-21s%6d%7d%9.1g%9.1g%9.1g%9.1g%9.1g%s\n", report->scenes->scenes[scene].name,
             group[v].heading, s->points, s->least_points, s->area_ratio - 1, s->low_ratio - 1,
             s->high_ratio - 1, s->low_carried - 1, s->worst_normal, entry->holds ? "" : " !");
    }
    if (group->promised) print_structure_of_text(report, scene);
  }
}

// Which fine meshes were made, body by body.
static void print_fine(const QualityReport *report, const Value *all)
{
  if (report->fine.count == 0) return;
  printf("\nFine meshes of the pillar, of tetrahedra up to a volume (m3) and a ratio of radius to\n"
         "shortest edge: %g as in the text where TetGen comes to an end with it, else %g.\n",
         FINE_RATIO, FINE_RATIO_INSTEAD);
  const char *const columns = "{volume:10g:volume}{ratio:10g:ratio}{tetrahedra:12:tetrahedra}\n";
  printf("%-8s", "body");
  values_print(NULL, columns);
  const QualityScene *pillar = &report->scenes->scenes[SCENE_PILLAR];
  for (int body = 0; body < pillar->body_count; body++) {
    const Value *row = values_find(all, "fine_meshes")->first;
    for (int i = 0; i < report->fine.count; i++, row = row->next) {
      if (report->fine.list[i].solid != pillar->bodies[body].solid) continue;
      printf("%-8d", body);
      values_print(row, columns);
      if (report->fine.list[i].why[0]) values_print(row, "        {ratio_asked:g}: {reason}\n");
    }
  }
}

static void print_missing(const QualityReport *report)
{
  static const char *const what[CUT_COUNT] = {"", "bodies of raw tetrahedra",
                                              "meshes of quality 2.0", "fine meshes"};
  for (int cut = 0; cut < CUT_COUNT; cut++) {
    if (report->missing[cut]) printf("left out: %s, since %s\n", what[cut], report->missing[cut]);
  }
}

static void print_verdict(const QualityReport *report)
{
  int barred = 0, failed = 0;
  for (int i = 0; i < report->results.count; i++) {
    const QualityEntry *entry = &report->results.entries[i];
    barred += entry->judged;
    failed += !entry->holds;
  }
  puts("");
  print_missing(report);
  if (failed == 0) printf("all %d scores that are promised hold\n", barred);
  else printf("%d of %d scores that are promised do not hold; they are marked !\n", failed, barred);
}

// Methods of the text that are the best of some scene, by their numbers.
static void print_methods(void)
{
  const char *before = "  best     of eight methods in the text: ";
  for (int method = 0; method < PUBLISHED_METHODS; method++) {
    bool best = false;
    PublishedScore score;
    for (int s = 0; s < SCENE_COUNT; s++) best |= quality_published_best(s, &score) == method;
    if (best) printf("%s%d %s", before, method + 1, quality_published_method(method));
    if (best) before = ", ";
  }
  puts("");
}

static void print_legend(const Value *all)
{
  values_print(
      all,
      "Contact points on the suite of Erleben 2018 (Methodology for assessing mesh-based contact\n"
      "point methods), by the model patch: margin {margin:g}, feature width {feature_width:g}, "
      "at most {max_points} points.\n");
  puts("  qual     percent of the points whose normal is right\n"
       "  cov      percent of the right normals that were found\n"
       "  exc.     points over those needed\n"
       "  Q        mean of |n.n_true| over the points; the lowest of the row\n"
       "  P        area that the points of each contact span, in sum over the true area\n"
       "  least    the same of the contact where it is least, minus 1\n"
       "  most     the same of the contact where it is most, minus 1\n"
       "  carried  least share of a contact's true area that its points carry, minus 1\n"
       "  normals  largest distance of a normal from the true one\n"
       "  !        less than is promised");
  print_methods();
  published_values_print_notes();
  values_print(all, "Turned: the worst of several random turns, up to 900 m from the origin. "
                    "Steps of {step:g} s.\n");
}

static void print_text(const QualityReport *report, const Value *all)
{
  print_legend(all);
  const QualityVariant *variants;
  const int count = quality_suite_variants(&variants);
  for (int first = 0, next = 0; first < count; first = next) {
    while (next < count && strcmp(variants[next].group, variants[first].group) == 0) next++;
    // columns without scores stand last in a group
    int shown = 0;
    while (first + shown < next && has_entries(report, &variants[first + shown])) shown++;
    if (shown == 0) continue;
    print_scores(report, &variants[first], shown);
    if (variants[first].model == CONTACT_MODEL_PATCH)
      print_structures(report, &variants[first], shown);
  }
  print_fine(report, all);
  print_verdict(report);
}

// -- the command
// -----------------------------------------------------------------------------------

// The exit code: what is promised does not hold by a fault of ours, or could not be looked at.
static int run_suite(const QualityOptions *o)
{
  Arena arena = arena_new();
  const QualityScenes scenes = quality_scenes_new(&arena);
  QualityReport report = {.scenes = &scenes};
  const QualityFilling *fillings[CUT_COUNT] = {NULL};
  char errors[CUT_COUNT][1024] = {""};
  bool complete = true;
  for (int cut = CUT_RAW; cut < CUT_COUNT; cut++) {
    if (cut == CUT_FINE && !o->fine) continue;
    fillings[cut] = quality_fillings_make(&scenes, (QualityCut)cut, &report.fine, &arena,
                                          (ErrorText){errors[cut], sizeof errors[cut]});
    if (fillings[cut]) continue;
    report.missing[cut] = errors[cut];
    complete = false;
  }
  report.results = quality_suite_run(&scenes, fillings, &arena);
  const Value *all = values_of(&report, &arena);
  if (o->json) values_json(all, true);
  else print_text(&report, all);
  const bool holds = report_holds(&report);
  arena_destroy(&arena);
  return !holds ? EXIT_BUG : complete ? EXIT_DONE : EXIT_USER;
}

// What belongs to --methods alone, and what it takes the place of.
static bool options_agree(const QualityOptions *o)
{
  const bool alone = o->turns == 0 && o->seed < 0 && !(o->within > 0);
  if (!all_ok(o->methods || alone, "quality: --turns, --seed and --within belong to --methods"))
    return false;
  return all_ok(!(o->methods && o->fine),
                "quality: --fine adds to the suite, in place of which --methods stands");
}

int command_quality(int count, char **words)
{
  QualityOptions options = {.seed = -1};
  if (!options_read(&COMMAND_QUALITY_OPTIONS, count, words, &options)) return EXIT_USER;
  if (!options_agree(&options)) return EXIT_USER;
  const SpreadRuns runs = {.turns = options.turns > 0 ? options.turns : METHODS_TURNS,
                           .seed = options.seed > 0 ? (uint64_t)options.seed : 0,
                           .scenes = SCENE_COUNT,
                           .within = options.within > 0 ? options.within : METHODS_WITHIN};
  int code = EXIT_DONE;
  if (par_rank() == 0)
    code = options.methods ? command_methods(&runs, options.json) : run_suite(&options);
  par_broadcast(&code, sizeof code, 0);
  return code;
}
