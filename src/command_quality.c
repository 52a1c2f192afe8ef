// drystone quality: contact points on Erleben's suite, scored and compared with the methods of his
// text. Rank 0 does the work.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "mesh_block.h"
#include "parallel.h"
#include "quality_published.h"
#include "quality_suite.h"
#include "tetgen.h"

// The paper's meshes: radius to edge at most 2.0 without touching the surface; or small
// tetrahedra, in stones of round section much smaller ones, and a ratio of 1.1, since with
// the 1.015 of the text today's TetGen (1.6) comes to no end in the box of the ground.
#define SWITCHES_RAW "-pYMFQ"
#define SWITCHES_MESH "-pYMFQq2.0"
#define SWITCHES_FINE "-pMFQq1.1a0.015"
#define SWITCHES_FINE_ROUND "-pMFQq1.1a0.00015"

#define CELL 18   // characters of one column of a table

typedef struct {
  bool json, fine;
} QualityOptions;

typedef struct {
  const QualityScenes *scenes;
  QualityResults results;
  const char *missing[CUT_COUNT];   // why a cut was left out; NULL: it was not
} QualityReport;

static bool parse_words(int count, char **words, QualityOptions *o)
{
  *o = (QualityOptions){0};
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], "--json") == 0) o->json = true;
    else if (strcmp(words[i], "--fine") == 0) o->fine = true;
    else if (words[i][0] == '-')
      return all_ok(false, "unknown option %s; drystone --help lists the options", words[i]);
    else return all_ok(false, "quality takes no file, found '%s'", words[i]);
  }
  return true;
}

// -- tetrahedra
// ------------------------------------------------------------------------------------

// The surface of a solid as a mesh file would bring it.
static bool block_of_solid(const QualitySolid *solid, Arena *arena, MeshBlock *block, char *error,
                           size_t error_bytes)
{
  const int count = solid->triangle_count;
  MeshSoup soup = {
      .point_count = solid->point_count,
      .points = arena_allocate(arena, (size_t)solid->point_count * sizeof *soup.points),
      .face_count = count,
      .face_start = arena_allocate(arena, (size_t)(count + 1) * sizeof *soup.face_start),
      .corners = arena_allocate(arena, (size_t)(3 * count) * sizeof *soup.corners),
      .face_block = arena_allocate_zero(arena, (size_t)count, sizeof *soup.face_block),
      .block_count = 1,
      .block_names = arena_allocate(arena, sizeof *soup.block_names)};
  soup.block_names[0] = "";
  memcpy(soup.points, solid->points, (size_t)solid->point_count * sizeof *soup.points);
  memcpy(soup.corners, solid->triangles, (size_t)count * sizeof *solid->triangles);
  for (int t = 0; t <= count; t++) soup.face_start[t] = 3 * t;
  MeshBlocks blocks;
  if (!mesh_blocks(&soup, "a solid of the suite", (MeshFrame){.scale = 1, .up = 2}, arena, &blocks,
                   error, error_bytes))
    return false;
  *block = blocks.blocks[0];
  return true;
}

static TetgenMeshing meshing_of(QualityCut cut, const QualitySolid *solid)
{
  if (cut == CUT_RAW) return (TetgenMeshing){SWITCHES_RAW, false};
  if (cut == CUT_MESH) return (TetgenMeshing){SWITCHES_MESH, false};
  // 14 points: a frustum of six sides
  const bool box = solid->point_count == 8;
  return (TetgenMeshing){box ? SWITCHES_FINE : SWITCHES_FINE_ROUND, true};
}

static bool solid_is_of_scene(const QualityScene *scene, int solid)
{
  for (int i = 0; i < scene->body_count; i++) {
    if (scene->bodies[i].solid == solid) return true;
  }
  return false;
}

// Tetrahedra of all solids that variants of a cut need, or NULL with the reason.
static const QualityFilling *fill_solids(const QualityScenes *scenes, QualityCut cut, Arena *arena,
                                         char *error, size_t error_bytes)
{
  QualityFilling *fillings =
      arena_allocate_zero(arena, (size_t)scenes->solid_count, sizeof *fillings);
  for (int s = 0; s < scenes->solid_count; s++) {
    // fine meshes are the paper's for the pillar alone
    if (cut == CUT_FINE && !solid_is_of_scene(&scenes->scenes[SCENE_PILLAR], s)) continue;
    MeshBlock block;
    Tetrahedra filling;
    if (!block_of_solid(&scenes->solids[s], arena, &block, error, error_bytes) ||
        !tetgen_mesh(meshing_of(cut, &scenes->solids[s]), &block, arena, &filling, error,
                     error_bytes))
      return NULL;
    fillings[s] = (QualityFilling){.point_count = filling.point_count,
                                   .points = filling.points,
                                   .tetra_count = filling.tetra_count,
                                   .tetra = filling.tetra};
  }
  return fillings;
}

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

// -- tables ---------------------------------------------------------------------------------------

// Percent in five characters: 100 and 0 without decimals.
static void print_percent(double percent)
{
  if (isnan(percent)) printf("%5s", "-");
  else if (percent >= 100 || percent <= 0) printf("%5.0f", percent);
  else printf("%5.1f", percent);
}

static void print_cell(const QualityEntry *entry)
{
  if (!entry) {
    printf("%*s", CELL, "");
    return;
  }
  print_percent(entry->score.quality);
  print_percent(entry->score.coverage);
  printf("%6.2f", quality_excess(&entry->score));
  printf(entry->holds ? "  " : " !");
}

static void print_best(int scene)
{
  PublishedScore score;
  const int method = quality_published_best(scene, &score);
  print_percent(score.quality);
  print_percent(score.coverage);
  if (isnan(score.excess)) printf("%6s", "-");
  else printf("%6.1f", score.excess);
  printf("  %s", quality_published_method(method));
  if (!isnan(score.area_ratio)) printf(", P %.2f", score.area_ratio);
}

// Quality, coverage and excess of a group of variants beside one another.
static void print_scores(const QualityReport *report, const QualityVariant *group, int count)
{
  printf("\n%s\n%-16s", group->group, "");
  for (int v = 0; v < count; v++) printf("%-*s", CELL, group[v].heading);
  printf("%s\n%-16s", group->promised ? "best of eight in the text" : "", "");
  for (int v = 0; v < count; v++) printf("%-*s", CELL, " qual. cov. exc.");
  printf("%s\n", group->promised ? " qual. cov. exc." : "");
  for (int scene = 0; scene < SCENE_COUNT; scene++) {
    if (!find_entry(report, group, scene)) continue;
    printf("%-16s", report->scenes->scenes[scene].name);
    for (int v = 0; v < count; v++) print_cell(find_entry(report, &group[v], scene));
    if (group->promised) print_best(scene);
    puts("");
  }
}

// Points and areas of the structures.
static void print_structures(const QualityReport *report, const QualityVariant *group, int count)
{
  printf("\n%-8s%-20s%9s%9s%10s%10s%10s%10s%10s\n", "", "", "points", "needed", "P - 1", "least",
         "most", "carried", "normals");
  for (int scene = SCENE_FUNDAMENTAL; scene < SCENE_COUNT; scene++) {
    for (int v = 0; v < count; v++) {
      const QualityEntry *entry = find_entry(report, &group[v], scene);
      if (!entry) continue;
      const QualityScore *s = &entry->score;
      printf("%-8s%-20s%9d%9d%10.1g%10.1g%10.1g%10.1g%10.1g%s\n",
             report->scenes->scenes[scene].name, group[v].heading, s->points, s->least_points,
             s->area_ratio - 1, s->low_ratio - 1, s->high_ratio - 1, s->low_carried - 1,
             s->worst_normal, entry->holds ? "" : " !");
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

static void print_text(const QualityReport *report)
{
  const PatchParameters p = SUITE_PARAMETERS;
  printf(
      "Contact points on the suite of Erleben 2018 (Methodology for assessing mesh-based contact\n"
      "point methods), by the model patch: margin %g, feature width %g, at most %d points.\n"
      "  qual.  percent of the points whose normal is right     P      area of the points' hulls "
      "over the true area\n"
      "  cov.   percent of the right normals that were found    least  the same ratio of a single "
      "contact, minus 1\n"
      "  exc.   points over those needed\n"
      "  most, carried, normals: largest ratio of a contact and smallest of the area its points "
      "carry, "
      "minus 1; largest error of a normal\n"
      "Turned: the worst of several random turns, up to 900 m from the origin. %g s to the step.\n",
      p.margin, p.feature_width, p.max_points, SUITE_STEP);
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
  print_verdict(report);
}

// -- JSON -----------------------------------------------------------------------------------------

static void add(json_t *object, const char *key, json_t *value)
{
  const int failed = json_object_set_new(object, key, value);
  (void)failed;   // of memory alone
}

// A number, or null where there is none.
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *json_of_entry(const QualityReport *report, const QualityEntry *entry)
{
  const QualityScore *s = &entry->score;
  json_t *object = json_object();
  add(object, "name", json_string(report->scenes->scenes[entry->scene].name));
  add(object, "variant", json_string(entry->variant->name));
  add(object, "model", json_string(model_word(entry->variant->model)));
  add(object, "quality", json_real(s->quality));
  add(object, "coverage", json_real(s->coverage));
  add(object, "excess", json_real(quality_excess(s)));
  add(object, "points", json_integer(s->points));
  add(object, "least_points", json_integer(s->least_points));
  add(object, "failed", json_integer(s->failed));
  add(object, "parts", json_integer(entry->parts));
  add(object, "runs", json_integer(entry->variant->runs));
  add(object, "Q", json_real(s->mean_cosine));
  add(object, "worst_normal", json_real(s->worst_normal));
  if (s->has_area) {
    add(object, "P", json_real(s->area_ratio));
    add(object, "pair_coverage_min", json_real(s->low_ratio));
    add(object, "pair_coverage_max", json_real(s->high_ratio));
    add(object, "carried_area", json_real(s->carried_ratio));
    add(object, "pair_carried_min", json_real(s->low_carried));
  }
  add(object, "lowest_gap", json_real(s->low_gap));
  add(object, "highest_gap", json_real(s->high_gap));
  add(object, "judged", json_boolean(entry->judged));
  add(object, "holds", json_boolean(entry->holds));
  return object;
}

static json_t *json_of_entries(const QualityReport *report, bool promised)
{
  json_t *list = json_array();
  for (int i = 0; i < report->results.count; i++) {
    const QualityEntry *entry = &report->results.entries[i];
    if (entry->variant->promised == promised)
      json_array_append_new(list, json_of_entry(report, entry));
  }
  return list;
}

static json_t *json_of_published(const QualityReport *report)
{
  json_t *list = json_array();
  for (int scene = 0; scene < SCENE_COUNT; scene++) {
    PublishedScore score;
    const int best = quality_published_best(scene, &score);
    for (int method = 0; method < PUBLISHED_METHODS; method++) {
      if (!quality_published_score(scene, method, &score)) continue;
      json_t *object = json_object();
      add(object, "name", json_string(report->scenes->scenes[scene].name));
      add(object, "method", json_string(quality_published_method(method)));
      add(object, "best", json_boolean(method == best));
      add(object, "quality", number(score.quality));
      add(object, "coverage", number(score.coverage));
      add(object, "excess", number(score.excess));
      add(object, "points", score.points < 0 ? json_null() : json_integer(score.points));
      add(object, "P", number(score.area_ratio));
      json_array_append_new(list, object);
    }
  }
  return list;
}

static json_t *json_of_missing(const QualityReport *report)
{
  json_t *list = json_array();
  const QualityVariant *variants;
  const int count = quality_suite_variants(&variants);
  for (int v = 0; v < count; v++) {
    const char *why = report->missing[variants[v].setup.cut];
    if (!why) continue;
    json_t *object = json_object();
    add(object, "variant", json_string(variants[v].name));
    add(object, "reason", json_string(why));
    json_array_append_new(list, object);
  }
  return list;
}

static void print_json(const QualityReport *report)
{
  json_t *text = json_object();
  add(text, "version", json_string(DRYSTONE_VERSION));
  add(text, "holds", json_boolean(report_holds(report)));
  add(text, "margin", json_real(SUITE_PARAMETERS.margin));
  add(text, "feature_width", json_real(SUITE_PARAMETERS.feature_width));
  add(text, "max_points", json_integer(SUITE_PARAMETERS.max_points));
  add(text, "step", json_real(SUITE_STEP));
  add(text, "gravity", json_real(SETUP_GRAVITY));
  add(text, "normal_tolerance", json_real(SUITE_NORMAL));
  add(text, "area_tolerance", json_real(SUITE_AREA));
  add(text, "left_out", json_of_missing(report));
  add(text, "cases", json_of_entries(report, true));
  add(text, "reference", json_of_entries(report, false));
  add(text, "published", json_of_published(report));
  json_dumpf(text, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
  puts("");
  json_decref(text);
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
    fillings[cut] = fill_solids(&scenes, (QualityCut)cut, &arena, errors[cut], sizeof errors[cut]);
    if (fillings[cut]) continue;
    report.missing[cut] = errors[cut];
    complete = false;
  }
  report.results = quality_suite_run(&scenes, fillings, &arena);
  if (o->json) print_json(&report);
  else print_text(&report);
  const bool holds = report_holds(&report);
  arena_destroy(&arena);
  return !holds ? EXIT_BUG : complete ? EXIT_DONE : EXIT_USER;
}

int command_quality(int count, char **words)
{
  QualityOptions options;
  if (!parse_words(count, words, &options)) return EXIT_USER;
  int code = EXIT_DONE;
  if (par_rank() == 0) code = run_suite(&options);
  par_broadcast(&code, sizeof code, 0);
  return code;
}
