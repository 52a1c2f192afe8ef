// drystone check: reads a case as run would, says what is in it and what touches what at the start,
// simulates nothing.
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_elements.h"
#include "case_places.h"
#include "case_reader.h"
#include "case_sense.h"
#include "case_start.h"
#include "case_summary.h"
#include "command.h"
#include "group.h"
#include "log.h"
#include "parallel.h"
#include "plural.h"
#include "trig.h"
#include "values.h"

#define LIST_BYTES 2048
#define ROUNDING_OF_INERTIA 1e-9   // what masses of nodes miss of inertia is more than that

typedef struct {
  const char *path;
  OptionTexts overrides;
  bool json;
} CheckOptions;

static const Option options_of_check[] = {
    {"--set", "k=v", "override a key of the case (any number of times)", OPTION_TEXTS,
     .offset = offsetof(CheckOptions, overrides)},
    {"--json", NULL, "what touches what at the start, as one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(CheckOptions, json)}};

const OptionTable COMMAND_CHECK_OPTIONS = {
    .command = "check",
    .purpose = "read a case, say what is in it, simulate nothing",
    .file = "CASE",
    .files = "case files",
    .no_file = "check needs a case file: drystone check CASE",
    .file_offset = offsetof(CheckOptions, path),
    .count = sizeof options_of_check / sizeof *options_of_check,
    .options = options_of_check,
};

// -- the start, as text ---------------------------------------------------------------------------

static const char *list_pairs(const Case *c, const StartPairs *pairs, char text[LIST_BYTES])
{
  size_t used = 0;
  *text = 0;
  for (int i = 0; i < pairs->named && used < LIST_BYTES; i++) {
    char low[CASE_START_NAME_BYTES], high[CASE_START_NAME_BYTES];
    const StartPair pair = pairs->worst[i];
    used +=
        (size_t)snprintf(text + used, LIST_BYTES - used, "\n%-15s%.3g m  %s, %s", "", pair.size,
                         case_start_name(c, pair.low, low), case_start_name(c, pair.high, high));
  }
  return text;
}

static const char *list_bodies(const Case *c, const StartBodies *bodies, char text[LIST_BYTES])
{
  size_t used = 0;
  *text = 0;
  for (int i = 0; i < bodies->named && used < LIST_BYTES; i++) {
    char name[CASE_START_NAME_BYTES];
    used += (size_t)snprintf(text + used, LIST_BYTES - used, "%s%s", i ? ", " : "",
                             case_start_name(c, bodies->first[i], name));
  }
  if (used < LIST_BYTES && bodies->count > bodies->named)
    snprintf(text + used, LIST_BYTES - used, ", ...");
  return text;
}

// what: of one pair and of several, after their number
static void log_pairs(const Case *c, const char *heading, const char *const what[2],
                      const StartPairs *pairs)
{
  char text[LIST_BYTES];
  if (pairs->count == 0) return;
  const bool all = pairs->count == pairs->named;
  log_line("%-13s%" PRId64 " %s%s:%s", heading, pairs->count, what[pairs->count != 1],
           all ? "" : ", the worst", list_pairs(c, pairs, text));
}

// what: of one body and of several, after their number
static void log_bodies(const Case *c, const char *heading, const char *const what[2],
                       const StartBodies *bodies)
{
  char text[LIST_BYTES];
  if (bodies->count == 0) return;
  log_line("%-13s%" PRId64 " %s: %s", heading, bodies->count, what[bodies->count != 1],
           list_bodies(c, bodies, text));
}

static void log_start(const Case *c, const StartReport *r)
{
  if (!r->looked) return;
  char closed[80] = "", deep[80] = "", volumes[48] = "";
  if (r->volumes > 0)
    snprintf(volumes, sizeof volumes, " and %" PRId64 " common %s", r->volumes,
             plural(r->volumes, "volume", "volumes"));
  if (r->closed > 0)
    snprintf(closed, sizeof closed, ", %" PRId64 " taken as closed (contact.initial)", r->closed);
  if (r->failed > 0)
    snprintf(deep, sizeof deep, ", %" PRId64 " %s of parts too deep for a patch", r->failed,
             plural(r->failed, "pair", "pairs"));
  log_line("%-13s%" PRId64 " %s%s between %" PRId64 " %s of bodies%s%s", "start", r->points,
           plural(r->points, "contact", "contacts"), volumes, r->pairs,
           plural(r->pairs, "pair", "pairs"), closed, deep);
  static const char *const overlaps[2] = {"pair overlaps", "pairs overlap"};
  static const char *const gaps[2] = {"pair gapes within the margin",
                                      "pairs gape within the margin"};
  static const char *const lone[2] = {"body touches nothing", "bodies touch nothing"};
  static const char *const unsupported[2] = {"body leads to nothing that stands",
                                             "bodies lead to nothing that stands"};
  log_pairs(c, "overlaps", overlaps, &r->overlaps);
  log_pairs(c, "gaps", gaps, &r->gaps);
  log_bodies(c, "alone", lone, &r->lone);
  log_bodies(c, "unsupported", unsupported, &r->unsupported);
}

// -- bodies of finite elements --------------------------------------------------------------------

#define SHAPES_SHOWN 8
#define SAME_QUALITY 1e-9

static double hertz(double frequency) { return frequency / (2 * TRIG_PI); }

// What the entry of a shape is called, "'wall'" or "an unnamed entry".
static const char *entry_name(const ElementShape *of, char text[CASE_START_NAME_BYTES])
{
  char room[CASE_START_NAME_BYTES - 2];
  const char *name = of->group->name ? of->group->name : "";
  if (!*name) snprintf(text, CASE_START_NAME_BYTES, "an unnamed entry");
  else snprintf(text, CASE_START_NAME_BYTES, "'%s'", log_visible(name, room, sizeof room));
  return text;
}

// "2 x 3 x 4 cells", "120 tetrahedra".
static const char *cells_of(const Case *c, const ElementShape *of, char text[64])
{
  const ElasticMesh *mesh = &c->elastic_meshes[of->shape];
  assert(elastic_mesh_is(mesh) && "a shape with cells");
  const int *n = mesh->cells;
  if (!mesh->made) snprintf(text, 64, "%d x %d x %d cells", n[0], n[1], n[2]);
  else
    snprintf(text, 64, "%d %s", of->measure.cells,
             mesh->made->corners == FINITE_TETRAHEDRON ? "tetrahedra" : "hexahedra");
  return text;
}

// In how many pieces is the body that has the shape, or a piece of it?
static int pieces_of(const ElementShape *of)
{
  const BodyGroup *group = of->group;
  const FileBody *whole = group_file_body(group, (uint64_t)(of->shape - group->first_shape));
  return whole ? (int)(whole->end - whole->first) : group_pieces(group);
}

static void log_shape(const Case *c, const ElementShape *of)
{
  char name[CASE_START_NAME_BYTES], inertia[64] = "", cells[64];
  const FiniteMeasure *m = &of->measure;
  if (m->inertia_error > ROUNDING_OF_INERTIA)
    snprintf(inertia, sizeof inertia, ", inertia off by %.2g of itself", m->inertia_error);
  const int pieces = pieces_of(of);
  if (pieces > 1)
    log_line("%-13s%s: in %d pieces; one of %s, %d nodes; worst cell %d, quality %.3g%s", "",
             entry_name(of, name), pieces, cells_of(c, of, cells), m->nodes, m->worst, m->quality,
             inertia);
  else
    log_line("%-13s%s: %" PRId64 " bod%s of %s, %d nodes; worst cell %d, quality %.3g%s", "",
             entry_name(of, name), of->bodies, of->bodies == 1 ? "y" : "ies",
             cells_of(c, of, cells), m->nodes, m->worst, m->quality, inertia);
  char text[128] = "frequencies not looked for";
  size_t used = 0;
  for (int i = 0; i < m->modes && used < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.5g", i ? ", " : "",
                             hertz(m->frequency[i]));
  if (m->modes > 0)
    log_line("%-13s  %s Hz, omega h from %.3g; waves cross it %.3g times in a step", "", text,
             m->frequency[0] * c->step, of->crossings);
  else log_line("%-13s  %s; waves cross it %.3g times in a step", "", text, of->crossings);
}

// A piece of the same body, as many nodes, as good: one of them is enough.
static bool is_alike(const ElementShape *before, const ElementShape *of)
{
  return pieces_of(of) > 1 && before->group == of->group &&
         before->measure.nodes == of->measure.nodes &&
         fabs(before->measure.quality - of->measure.quality) <= SAME_QUALITY;
}

static void log_elements(const Case *c, const ElementReport *r)
{
  if (r->count == 0) return;
  char name[CASE_START_NAME_BYTES];
  const ElementShape *worst = &r->shapes[r->worst];
  log_line("%-13s%" PRId64 " %s of finite elements, %" PRId64 " nodes, %" PRId64
           " %s; the worst is cell %d of %s, quality %.3g",
           "elements", r->bodies, plural(r->bodies, "body", "bodies"), r->nodes, r->cells,
           plural(r->cells, "cell", "cells"), worst->measure.worst, entry_name(worst, name),
           worst->measure.quality);
  int shown = 0, more = 0;
  for (int i = 0; i < r->count; i++) {
    if (i > 0 && is_alike(&r->shapes[i - 1], &r->shapes[i])) continue;
    if (shown < SHAPES_SHOWN) log_shape(c, &r->shapes[i]);
    else more++;
    shown++;
  }
  if (more > 0)
    log_line("%-13s%d more %s, which --json lists", "", more, plural(more, "shape", "shapes"));
}

static void add_elements(const Case *c, const ElementReport *r, Value *all)
{
  Value *elements = values_group(all, "elements");
  values_add(elements, "bodies %lld nodes %lld cells %lld", (long long)r->bodies,
             (long long)r->nodes, (long long)r->cells);
  if (r->count > 0) values_add(elements, "worst %d", r->worst);
  Value *shapes = values_list(elements, "shapes");
  for (int i = 0; i < r->count; i++) {
    const ElementShape *of = &r->shapes[i];
    const FiniteMeasure *m = &of->measure;
    const ElasticMesh *mesh = &c->elastic_meshes[of->shape];
    const int *cells = mesh->cells;
    const bool tetrahedra = mesh->made && mesh->made->corners == FINITE_TETRAHEDRON;
    Value *one = values_group(shapes, NULL);
    values_add(one, "name %s line %d material %s", of->group->name, of->group->line,
               c->materials[of->material].name);
    values_add(one, "bodies %lld pieces %d kind %s", (long long)of->bodies, pieces_of(of),
               tetrahedra ? "tetrahedra" : "hexahedra");
    if (!mesh->made) values_add(one, "divisions %d %d %d", cells[0], cells[1], cells[2]);
    if (mesh->size > 0) values_add(one, "size %g", mesh->size);
    values_add(one, "nodes %d cells %d worst_cell %d", m->nodes, m->cells, m->worst);
    values_add(one, "quality %g inertia_error %g", m->quality, m->inertia_error);
    values_add(one, "extent %g crossings %g", of->extent, of->crossings);
    Value *list = values_list(one, "frequencies");
    for (int k = 0; k < m->modes; k++) values_add(list, "%g", hertz(m->frequency[k]));
  }
}

// -- and as JSON ----------------------------------------------------------------------------------

static void add_pairs(const Case *c, const char *key, const StartPairs *pairs, Value *in)
{
  Value *group = values_group(in, key);
  values_add(group, "pairs %lld", (long long)pairs->count);
  Value *list = values_list(group, "worst");
  for (int i = 0; i < pairs->named; i++) {
    char low[CASE_START_NAME_BYTES], high[CASE_START_NAME_BYTES];
    const StartPair pair = pairs->worst[i];
    Value *one = values_group(list, NULL);
    values_add(one, "size %g ids %lld %lld names %s %s", pair.size, (long long)pair.low,
               (long long)pair.high, case_start_name(c, pair.low, low),
               case_start_name(c, pair.high, high));
  }
}

static void add_bodies(const Case *c, const char *key, const StartBodies *bodies, Value *in)
{
  Value *group = values_group(in, key);
  values_add(group, "bodies %lld", (long long)bodies->count);
  Value *list = values_list(group, "first");
  for (int i = 0; i < bodies->named; i++) {
    char name[CASE_START_NAME_BYTES];
    Value *one = values_group(list, NULL);
    values_add(one, "id %lld name %s", (long long)bodies->first[i],
               case_start_name(c, bodies->first[i], name));
  }
}

// Warnings as they are told, and where messages go besides; lines do not where JSON is printed.
typedef struct {
  LogSink before;
  bool json;
  Arena arena;
  char **texts;
  int count, capacity;
} Warnings;

static void note_warning(void *context, LogLevel level, const char *text)
{
  Warnings *w = context;
  if (!w->json || level == LOG_WARNING || level == LOG_ERROR) log_hand_on(w->before, level, text);
  if (level != LOG_WARNING) return;
  w->texts = arena_grow(&w->arena, w->texts, w->count + 1, &w->capacity, sizeof *w->texts);
  const size_t bytes = strlen(text) + 1;
  w->texts[w->count++] = memcpy(arena_allocate(&w->arena, bytes), text, bytes);
}

typedef struct {
  StartReport start;
  ElementReport elements;
} CheckReports;

static void print_json(const CheckOptions *o, const Case *c, const CheckReports *reports,
                       const Warnings *warnings)
{
  const StartReport *r = &reports->start;
  Arena arena = arena_new();
  Value *all = values_new(&arena);
  values_add(all, "file %s title %s bodies %lld", o->path, c->title, (long long)c->body_count);
  values_add(all, "meshes %s", c->mesh_notes);
  Value *told = values_list(all, "warnings");
  for (int i = 0; i < warnings->count; i++) values_text(told, NULL, warnings->texts[i]);
  Value *start = values_group(all, "start");
  values_add(start, "looked %i", r->looked);
  values_add(start, "bodies %lld dynamic %lld", (long long)r->bodies, (long long)r->dynamic);
  values_add(start, "pairs %lld points %lld", (long long)r->pairs, (long long)r->points);
  values_add(start, "volumes %lld", (long long)r->volumes);
  values_add(start, "closed %lld failed %lld", (long long)r->closed, (long long)r->failed);
  add_pairs(c, "overlaps", &r->overlaps, start);
  add_pairs(c, "gaps", &r->gaps, start);
  add_bodies(c, "alone", &r->lone, start);
  add_bodies(c, "unsupported", &r->unsupported, start);
  add_elements(c, &reports->elements, all);
  values_json(all, true);
  arena_destroy(&arena);
}

static int check_case(const CheckOptions *o, const Warnings *warnings)
{
  const CaseOptions options = {.override_count = o->overrides.count,
                               .overrides = o->overrides.texts};
  Case c;
  if (!case_read(o->path, &options, &c)) return EXIT_USER;
  if (!o->json) log_line("%s", case_summary_text(&c));
  case_sense_warn_of_motion(&c);
  const bool looked = case_sense_warn_of_start(&c);
  if (!looked && !o->json)
    log_line("%-13snot looked at: the bodies have more than %d parts", "places",
             CASE_PLACES_MOST_PARTS);
  char refusal[512] = "";
  int64_t met = 0;
  if (par_rank() == 0) {
    Arena arena = arena_new();
    const CheckReports reports = {case_start_look(&c, CASE_PLACES_MOST_PARTS),
                                  case_elements_look(&c, &arena)};
    met = reports.start.met;
    if (met > 0) case_start_refusal(&c, reports.start.first_met, refusal, sizeof refusal);
    else if (o->json) print_json(o, &c, &reports, warnings);
    else {
      log_elements(&c, &reports.elements);
      log_start(&c, &reports.start);
    }
    arena_destroy(&arena);
  }
  par_broadcast(&met, sizeof met, 0);
  const bool sound = all_ok(met == 0, "%s: %s", o->path, refusal);
  case_destroy(&c);
  return sound ? EXIT_DONE : EXIT_USER;
}

int command_check(int count, char **words)
{
  CheckOptions options = {0};
  const bool sound = options_read(&COMMAND_CHECK_OPTIONS, count, words, &options);
  // standard error and JSON have the same warnings
  Warnings warnings = {.json = options.json, .arena = arena_new()};
  warnings.before = log_use((LogSink){note_warning, &warnings});
  const int code = sound ? check_case(&options, &warnings) : EXIT_USER;
  log_use(warnings.before);
  arena_destroy(&warnings.arena);
  options_end(&COMMAND_CHECK_OPTIONS, &options);
  return code;
}
