// drystone quality: contact points on Erleben's suite, scored and compared with the methods of his
// text. Rank 0 does the work.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "command_json.h"
#include "mesh_block.h"
#include "parallel.h"
#include "quality_published.h"
#include "quality_suite.h"
#include "tetgen.h"

// The text's meshes: radius to edge at most 2.0 without touching the surface; or 1.015 and small
// tetrahedra, in stones of round section much smaller ones.
#define SWITCHES_RAW "-pYMFQ"
#define SWITCHES_MESH "-pYMFQq2.0"
#define FINE_RATIO 1.015
#define FINE_VOLUME 0.015   // m3
#define FINE_VOLUME_ROUND 0.00015

// No bound as low as 1.015 is sure to be reached: in some bodies TetGen adds points until memory is
// full. Meshes that are done have less than a twentieth of these points; others get the next ratio.
#define FINE_MOST_ADDED 50000
#define FINE_RATIO_INSTEAD 1.1

#define NAME_WIDTH 15   // characters of the first column of a table
#define CELL 15         // and of one cell

typedef struct {
  bool json, fine;
} QualityOptions;

// A fine mesh of a solid of the pillar.
typedef struct {
  int solid;
  double volume, ratio;   // bounds on the tetrahedra (m3) and on their radius over shortest edge
  int tetra_count;
  char why[1024];   // the ratio is not that of the text; "": it is
} FineMesh;

typedef struct {
  const QualityScenes *scenes;
  QualityResults results;
  const char *missing[CUT_COUNT];   // why a cut was left out; NULL: it was not
  int fine_count;
  FineMesh *fine;   // arena
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

static bool solid_is_of_scene(const QualityScene *scene, int solid)
{
  for (int i = 0; i < scene->body_count; i++) {
    if (scene->bodies[i].solid == solid) return true;
  }
  return false;
}

// The mesh of the text where TetGen comes to an end with it.
static bool mesh_finely(const QualitySolid *solid, const MeshBlock *block, Arena *arena,
                        Tetrahedra *filling, FineMesh *mesh, char *error, size_t error_bytes)
{
  // 14 points: a frustum of six sides
  mesh->volume = solid->point_count == 8 ? FINE_VOLUME : FINE_VOLUME_ROUND;
  mesh->ratio = FINE_RATIO;
  char switches[48];
  snprintf(switches, sizeof switches, "-pMFQq%ga%g", mesh->ratio, mesh->volume);
  const TetgenMeshing asked = {switches, true, FINE_MOST_ADDED};
  bool done = tetgen_mesh(asked, block, arena, filling, mesh->why, sizeof mesh->why);
  if (done) {
    mesh->why[0] = 0;
  } else {
    mesh->ratio = FINE_RATIO_INSTEAD;
    snprintf(switches, sizeof switches, "-pMFQq%ga%g", mesh->ratio, mesh->volume);
    const TetgenMeshing instead = {switches, true, 0};
    done = tetgen_mesh(instead, block, arena, filling, error, error_bytes);
  }
  mesh->tetra_count = done ? filling->tetra_count : 0;
  return done;
}

// Tetrahedra of all solids that variants of a cut need, or NULL with the reason.
static const QualityFilling *fill_solids(QualityReport *report, QualityCut cut, Arena *arena,
                                         char *error, size_t error_bytes)
{
  const QualityScenes *scenes = report->scenes;
  QualityFilling *fillings =
      arena_allocate_zero(arena, (size_t)scenes->solid_count, sizeof *fillings);
  if (cut == CUT_FINE)
    report->fine = arena_allocate_zero(arena, (size_t)scenes->solid_count, sizeof *report->fine);
  for (int s = 0; s < scenes->solid_count; s++) {
    // fine meshes are the text's for the pillar alone
    if (cut == CUT_FINE && !solid_is_of_scene(&scenes->scenes[SCENE_PILLAR], s)) continue;
    const QualitySolid *solid = &scenes->solids[s];
    MeshBlock block;
    Tetrahedra filling;
    if (!block_of_solid(solid, arena, &block, error, error_bytes)) return NULL;
    const TetgenMeshing meshing = {cut == CUT_RAW ? SWITCHES_RAW : SWITCHES_MESH, false, 0};
    FineMesh mesh = {.solid = s};
    const bool done = cut == CUT_FINE
                          ? mesh_finely(solid, &block, arena, &filling, &mesh, error, error_bytes)
                          : tetgen_mesh(meshing, &block, arena, &filling, error, error_bytes);
    if (!done) return NULL;
    if (cut == CUT_FINE) report->fine[report->fine_count++] = mesh;
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
static void print_fine(const QualityReport *report)
{
  if (report->fine_count == 0) return;
  printf("\nFine meshes of the pillar, of tetrahedra up to a volume (m3) and a ratio of radius to\n"
         "shortest edge: %g as in the text where TetGen comes to an end with it, else %g.\n"
         "%-8s%10s%10s%12s\n",
         FINE_RATIO, FINE_RATIO_INSTEAD, "body", "volume", "ratio", "tetrahedra");
  const QualityScene *pillar = &report->scenes->scenes[SCENE_PILLAR];
  for (int body = 0; body < pillar->body_count; body++) {
    for (int i = 0; i < report->fine_count; i++) {
      const FineMesh *mesh = &report->fine[i];
      if (mesh->solid != pillar->bodies[body].solid) continue;
      printf("%-8d%10g%10g%12d\n", body, mesh->volume, mesh->ratio, mesh->tetra_count);
      if (mesh->why[0]) printf("        %g: %s\n", FINE_RATIO, mesh->why);
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

static void print_legend(void)
{
  const PatchParameters p = SUITE_PARAMETERS;
  printf(
      "Contact points on the suite of Erleben 2018 (Methodology for assessing mesh-based contact\n"
      "point methods), by the model patch: margin %g, feature width %g, at most %d points.\n",
      p.margin, p.feature_width, p.max_points);
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
  printf("Turned: the worst of several random turns, up to 900 m from the origin. Steps of %g s.\n",
         SUITE_STEP);
}

static void print_text(const QualityReport *report)
{
  print_legend();
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
  print_fine(report);
  print_verdict(report);
}

// -- JSON -----------------------------------------------------------------------------------------

static json_t *json_of_entry(const QualityReport *report, const QualityEntry *entry)
{
  const QualityScore *s = &entry->score;
  json_t *object = json_object();
  command_json_add(object, "name", command_json_text(report->scenes->scenes[entry->scene].name));
  command_json_add(object, "variant", command_json_text(entry->variant->name));
  command_json_add(object, "model", command_json_text(model_word(entry->variant->model)));
  command_json_add(object, "quality", command_json_number(s->quality));
  command_json_add(object, "coverage", command_json_number(s->coverage));
  command_json_add(object, "excess", command_json_number(quality_excess(s)));
  command_json_add(object, "points", json_integer(s->points));
  command_json_add(object, "least_points", json_integer(s->least_points));
  command_json_add(object, "failed", json_integer(s->failed));
  command_json_add(object, "parts", json_integer(entry->parts));
  command_json_add(object, "runs", json_integer(entry->variant->runs));
  command_json_add(object, "Q", command_json_number(s->mean_cosine));
  command_json_add(object, "worst_normal", command_json_number(s->worst_normal));
  if (s->has_area) {
    command_json_add(object, "P", command_json_number(s->area_ratio));
    command_json_add(object, "pair_coverage_min", command_json_number(s->low_ratio));
    command_json_add(object, "pair_coverage_max", command_json_number(s->high_ratio));
    command_json_add(object, "carried_area", command_json_number(s->carried_ratio));
    command_json_add(object, "pair_carried_min", command_json_number(s->low_carried));
  }
  command_json_add(object, "lowest_gap", command_json_number(s->low_gap));
  command_json_add(object, "highest_gap", command_json_number(s->high_gap));
  command_json_add(object, "judged", json_boolean(entry->judged));
  command_json_add(object, "holds", json_boolean(entry->holds));
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
      command_json_add(object, "name", command_json_text(report->scenes->scenes[scene].name));
      command_json_add(object, "method", command_json_text(quality_published_method(method)));
      command_json_add(object, "best", json_boolean(method == best));
      command_json_add(object, "quality", command_json_number(score.quality));
      command_json_add(object, "coverage", command_json_number(score.coverage));
      command_json_add(object, "excess", command_json_number(score.excess));
      command_json_add(object, "points",
                       score.points < 0 ? json_null() : json_integer(score.points));
      command_json_add(object, "P", command_json_number(score.area_ratio));
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
    command_json_add(object, "variant", command_json_text(variants[v].name));
    command_json_add(object, "reason", command_json_text(why));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *json_of_fine(const QualityReport *report)
{
  const QualityScene *pillar = &report->scenes->scenes[SCENE_PILLAR];
  json_t *list = json_array();
  for (int i = 0; i < report->fine_count; i++) {
    const FineMesh *mesh = &report->fine[i];
    json_t *bodies = json_array(), *object = json_object();
    for (int body = 0; body < pillar->body_count; body++) {
      if (pillar->bodies[body].solid == mesh->solid)
        json_array_append_new(bodies, json_integer(body));
    }
    command_json_add(object, "name", command_json_text(pillar->name));
    command_json_add(object, "bodies", bodies);
    command_json_add(object, "volume", command_json_number(mesh->volume));
    command_json_add(object, "ratio_asked", command_json_number(FINE_RATIO));
    command_json_add(object, "ratio", command_json_number(mesh->ratio));
    command_json_add(object, "tetrahedra", json_integer(mesh->tetra_count));
    command_json_add(object, "reason", mesh->why[0] ? command_json_text(mesh->why) : json_null());
    json_array_append_new(list, object);
  }
  return list;
}

static void print_json(const QualityReport *report)
{
  json_t *text = json_object();
  command_json_add(text, "version", command_json_text(DRYSTONE_VERSION));
  command_json_add(text, "holds", json_boolean(report_holds(report)));
  command_json_add(text, "margin", command_json_number(SUITE_PARAMETERS.margin));
  command_json_add(text, "feature_width", command_json_number(SUITE_PARAMETERS.feature_width));
  command_json_add(text, "max_points", json_integer(SUITE_PARAMETERS.max_points));
  command_json_add(text, "step", command_json_number(SUITE_STEP));
  command_json_add(text, "gravity", command_json_number(SETUP_GRAVITY));
  command_json_add(text, "normal_tolerance", command_json_number(SUITE_NORMAL));
  command_json_add(text, "area_tolerance", command_json_number(SUITE_AREA));
  command_json_add(text, "left_out", json_of_missing(report));
  if (report->fine_count > 0) command_json_add(text, "fine_meshes", json_of_fine(report));
  command_json_add(text, "cases", json_of_entries(report, true));
  command_json_add(text, "reference", json_of_entries(report, false));
  command_json_add(text, "published", json_of_published(report));
  command_json_print(text, true);
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
    fillings[cut] = fill_solids(&report, (QualityCut)cut, &arena, errors[cut], sizeof errors[cut]);
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
