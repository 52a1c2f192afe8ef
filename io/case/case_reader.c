// Reads a case file on all ranks, with each key that no file of its own reads.
#include "case_reader.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "case_barrier.h"
#include "case_bodies.h"
#include "case_damping.h"
#include "case_elastic.h"
#include "case_faces.h"
#include "case_ground.h"
#include "case_inner.h"
#include "case_joints.h"
#include "case_loads.h"
#include "case_materials.h"
#include "case_meshes.h"
#include "case_output.h"
#include "case_probes.h"
#include "case_servo.h"
#include "case_shapes.h"
#include "case_stages.h"
#include "case_time.h"
#include "case_tree.h"
#include "case_until.h"
#include "case_value.h"
#include "case_volumetric.h"
#include "convergence.h"
#include "disk.h"
#include "id_range.h"
#include "kind.h"
#include "log.h"
#include "memory.h"
#include "model.h"
#include "parallel.h"
#include "patch.h"
#include "scene.h"
#include "stones.h"

#define MESSAGE_BYTES 1024
#define GIBIBYTE 1073741824.0

static void read_time(CaseReader *reader, Case *c)
{
  static const char *const keys[] = {"step", "end", "until", "high_frequency_ratio", NULL};
  static const NumberRule step = {1e-12, 1e9, "a time from 1e-12 to 1e9 s"};
  static const NumberRule end = {0, 1e12, "a time from 0 to 1e12 s"};
  const CaseNode *time =
      case_value_mapping(reader, case_value_require(reader, reader->root, "time"), keys);
  const CaseNode *step_node = case_value_require(reader, time, "step");
  c->step = case_value_number(reader, step_node, &step, 1);
  c->end = case_value_number(reader, case_value_require(reader, time, "end"), &end, 0);
  c->until = case_read_until(reader, case_tree_find(time, "until"), false);
  c->high_frequency_ratio = case_value_number(reader, case_tree_find(time, "high_frequency_ratio"),
                                              &CASE_VALUE_SHARE, 0.9);
  if (!reader->failed && c->end / c->step > CASE_MOST_STEPS)
    case_tree_fail(reader, step_node, "%g s in steps of %g s are too many steps", c->end, c->step);
}

static SolverMethod read_method(CaseReader *reader, const CaseNode *node)
{
  if (!node) return SOLVER_AUTOMATIC;
  char names[256] = "";
  for (SolverMethod method = 0; method < SOLVER_METHOD_COUNT; method++) {
    if (case_value_is_word(node, convergence_method_name(method))) return method;
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s'%s'", method ? ", " : "",
             convergence_method_name(method));
  }
  char found[TREE_FOUND_BYTES];
  case_tree_fail(reader, node, "expected one of %s, found %s", names, case_tree_found(node, found));
  return SOLVER_AUTOMATIC;
}

// Sweeps know rigid bodies alone.
static void refuse_sweeps(CaseReader *reader, const CaseNode *method, const Case *c)
{
  const SolverMethod asked = c->solver.solve.method;
  if (!convergence_sweeps(asked)) return;
  for (int i = 0; i < c->group_count && !reader->failed; i++) {
    if (!group_deforms(&c->groups[i])) continue;
    char name[64];
    case_tree_quote(convergence_method_name(asked), name, sizeof name);
    case_tree_fail(reader, method,
                   "'%s' knows rigid bodies alone, and those of line %d are elastic: expected "
                   "'automatic', 'admm', 'admm-cholesky' or 'admm-amg'",
                   name, c->groups[i].line);
  }
}

// What becomes of a step above the tolerance; demanded: the flag that says so of the end alone.
static Unsolved read_unsolved(CaseReader *reader, const CaseNode *node, const CaseNode *demanded)
{
  static const struct {
    const char *word;
    Unsolved unsolved;
  } words[] = {{"keep", UNSOLVED_KEEP}, {"halve", UNSOLVED_HALVE}, {"end", UNSOLVED_END}};
  const bool demands = case_value_flag(reader, demanded, false);
  if (!node) return demands ? UNSOLVED_END : UNSOLVED_KEEP;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!case_value_is_word(node, words[i].word)) continue;
    const bool ends = words[i].unsolved == UNSOLVED_END;
    if (!reader->failed && demanded && demands != ends)
      case_tree_fail(reader, node,
                     "'%s' contradicts demand_convergence: %s; leave that key out, it is an older "
                     "word for 'end'",
                     words[i].word, demands ? "true" : "false");
    return words[i].unsolved;
  }
  char found[TREE_FOUND_BYTES];
  case_tree_fail(reader, node, "expected 'keep', 'halve' or 'end', found %s",
                 case_tree_found(node, found));
  return UNSOLVED_KEEP;
}

static SolverStops read_stops(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"unbalanced", "penetration", NULL};
  static const NumberRule share = {0, 0.5, "a share of forces from 0 to 0.5"};
  static const NumberRule distance = {0, 1e9, "a distance from 0 to 1e9 m"};
  const CaseNode *stop = case_value_mapping(reader, node, keys);
  return (SolverStops){
      .unbalanced = case_value_number(reader, case_tree_find(stop, "unbalanced"), &share, 0),
      .penetration = case_value_number(reader, case_tree_find(stop, "penetration"), &distance, 0)};
}

static void read_solver(CaseReader *reader, Case *c)
{
  static const char *const keys[] = {
      "method",     "tolerance", "max_sweeps",   "unsolved", "demand_convergence",
      "correction", "slop",      "impact_speed", "stop",     "give",
      NULL};
  static const NumberRule tolerance = {1e-15, 1, "a number from 1e-15 to 1"};
  static const NumberRule slop = {0, 0.5, "a number from 0 to 0.5"};
  static const NumberRule give = {0, 0.1, "'automatic' or a share from 0 to 0.1"};
  static const NumberRule speed = {0, 1e9, "'automatic' or a speed from 0 to 1e9 m/s"};
  const CaseNode *solver = case_value_mapping(reader, case_tree_find(reader->root, "solver"), keys);
  SolverSettings *s = &c->solver;
  s->solve.method = read_method(reader, case_tree_find(solver, "method"));
  s->solve.tolerance =
      case_value_number(reader, case_tree_find(solver, "tolerance"), &tolerance, 1e-6);
  s->solve.max_sweeps =
      (int)case_value_integer(reader, case_tree_find(solver, "max_sweeps"), 1, 2147483647, 2000);
  s->unsolved = read_unsolved(reader, case_tree_find(solver, "unsolved"),
                              case_tree_find(solver, "demand_convergence"));
  s->stops = read_stops(reader, case_tree_find(solver, "stop"));
  const CaseNode *given = case_tree_find(solver, "give");
  s->solve.all_give = given && !case_value_is_word(given, "automatic");
  s->solve.give =
      s->solve.all_give ? case_value_number(reader, given, &give, SOLVER_GIVE) : SOLVER_GIVE;
  c->correction.share =
      case_value_number(reader, case_tree_find(solver, "correction"), &CASE_VALUE_SHARE, 0.2);
  c->correction.slop = case_value_number(reader, case_tree_find(solver, "slop"), &slop, 1e-5);
  if (!reader->failed) refuse_sweeps(reader, case_tree_find(solver, "method"), c);
  const CaseNode *impact = case_tree_find(solver, "impact_speed");
  s->impact_speed =
      case_value_is_word(impact, "automatic") ? -1 : case_value_number(reader, impact, &speed, -1);
}

static ContactModel read_contact_model(CaseReader *reader, const CaseNode *node)
{
  if (!node) return CONTACT_MODEL_PATCH;
  char names[256] = "";
  for (ContactModel model = 0; model < CONTACT_MODEL_COUNT; model++) {
    if (case_value_is_word(node, model_word(model))) return model;
    const char *between = model == 0 ? "" : model == CONTACT_MODEL_COUNT - 1 ? " or " : ", ";
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s'%s'", between,
             model_word(model));
  }
  char found[TREE_FOUND_BYTES];
  case_tree_fail(reader, node, "expected %s, found %s", names, case_tree_found(node, found));
  return CONTACT_MODEL_PATCH;
}

static void read_sparsify(CaseReader *reader, const CaseNode *node, SparsifyParameters *s)
{
  static const char *const keys[] = {"threshold", "min_area", "min_distance", NULL};
  static const NumberRule area = {0, 1e18, "an area from 0 to 1e18 m2"};
  static const NumberRule distance = {0, 1e9, "a distance from 0 to 1e9 m"};
  const CaseNode *sparsify = case_value_mapping(reader, node, keys);
  s->threshold =
      case_value_number(reader, case_tree_find(sparsify, "threshold"), &CASE_VALUE_SHARE, 0);
  s->min_area = case_value_number(reader, case_tree_find(sparsify, "min_area"), &area, 0);
  s->min_distance =
      case_value_number(reader, case_tree_find(sparsify, "min_distance"), &distance, 0);
}

static void read_lmd(CaseReader *reader, const CaseNode *node, LmdParameters *lmd)
{
  static const char *const keys[] = {"dilation", "turn", NULL};
  static const NumberRule dilation = {CASE_LEAST_DILATION, 0.1,
                                      "a share of the extent from 1e-6 to 0.1"};
  static const NumberRule turn = {1e-6, 0.5, "a tangent from 1e-6 to 0.5"};
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  lmd->dilation =
      case_value_number(reader, case_tree_find(mapping, "dilation"), &dilation, CONTACT_DILATION);
  lmd->turn = case_value_number(reader, case_tree_find(mapping, "turn"), &turn, CONTACT_TURN);
}

static void read_contact(CaseReader *reader, Case *c)
{
  static const char *const keys[] = {
      "margin",     "feature_width", "max_points", "model", "sparsify", "stop_on_large_steps",
      "keep_pairs", "lmd",           "initial",    "rows",  "geometry", "spheres",
      NULL};
  static const NumberRule margin = {1e-12, 0.5, "a number from 1e-12 to 0.5"};
  static const NumberRule width = {0, 0.5, "a number from 0 to 0.5"};
  static const NumberRule initial = {0, 1e6, "a distance from 0 to 1e6 m"};
  const CaseNode *contact =
      case_value_mapping(reader, case_tree_find(reader->root, "contact"), keys);
  ContactSettings *s = &c->contact;
  s->patch.margin = case_value_number(reader, case_tree_find(contact, "margin"), &margin, 1e-3);
  s->patch.feature_width =
      case_value_number(reader, case_tree_find(contact, "feature_width"), &width, 2e-3);
  s->initial = case_value_number(reader, case_tree_find(contact, "initial"), &initial, 0);
  s->patch.max_points = (int)case_value_integer(reader, case_tree_find(contact, "max_points"), 3,
                                                PATCH_MAX_POINTS, 8);
  s->keep_pairs = case_value_flag(reader, case_tree_find(contact, "keep_pairs"), true);
  s->stop_on_large_steps =
      case_value_flag(reader, case_tree_find(contact, "stop_on_large_steps"), false);
  s->model = read_contact_model(reader, case_tree_find(contact, "model"));
  s->rows_of_bodies = case_volumetric_rows(reader, case_tree_find(contact, "rows"), c);
  case_inner_read(reader, contact, c);
  read_lmd(reader, case_tree_find(contact, "lmd"), &s->lmd);
  read_sparsify(reader, case_tree_find(contact, "sparsify"), &s->sparsify);
}

static void read_domain(CaseReader *reader, Case *c)
{
  assert(!c->domain.given && "a domain is read once");
  static const char *const keys[] = {"low", "high", NULL};
  const CaseNode *domain = case_value_mapping(reader, case_tree_find(reader->root, "domain"), keys);
  if (!domain) return;
  c->domain.given = true;
  const CaseNode *high = case_value_require(reader, domain, "high");
  c->domain.low = case_value_vector(reader, case_value_require(reader, domain, "low"),
                                    &CASE_VALUE_COORDINATE, (vec3){0});
  c->domain.high = case_value_vector(reader, high, &CASE_VALUE_COORDINATE, (vec3){0});
  const vec3 l = c->domain.low, h = c->domain.high;
  if (!reader->failed && !(l.x < h.x && l.y < h.y && l.z < h.z))
    case_tree_fail(reader, high,
                   "expected a corner above domain.low [%g, %g, %g], found [%g, %g, %g]", l.x, l.y,
                   l.z, h.x, h.y, h.z);
}

static void read_tree(CaseReader *reader, Case *c)
{
  assert(!reader->failed && reader->root != NULL && "a tree is there to be read");
  static const char *const keys[] = {
      "title",   "units",     "gravity", "time",   "materials", "contacts", "bodies", "solver",
      "contact", "partition", "domain",  "output", "seed",      "loads",    "joints", "tilt",
      "base",    "servos",    "damping", "stages", "scheme",    "barrier",  NULL};
  const CaseNode *root = case_value_mapping(reader, reader->root, keys);
  const CaseNode *units = case_tree_find(root, "units");
  char found[TREE_FOUND_BYTES];
  if (units && !case_value_is_word(units, "SI"))
    case_tree_fail(reader, units, "expected 'SI' (m, kg, s), found %s",
                   case_tree_found(units, found));
  c->title = case_value_text(reader, case_tree_find(root, "title"), "");
  c->seed =
      (uint64_t)case_value_integer(reader, case_tree_find(root, "seed"), 0, (int64_t)1 << 53, 1);
  read_time(reader, c);
  c->gravity =
      case_time_read(reader, case_value_require(reader, root, "gravity"), TIME_ACCELERATION, c);
  case_ground_read(reader, c);
  case_read_materials(reader, c);
  case_read_bodies(reader, c);
  case_until_name(reader, case_tree_find(case_tree_find(root, "time"), "until"), c);
  case_read_loads(reader, c);
  c->damping = case_damping_read(reader, case_tree_find(root, "damping"), c);
  case_read_joints(reader, c);
  case_servo_read(reader, c);
  case_read_contacts(reader, c);
  read_solver(reader, c);
  read_contact(reader, c);
  read_domain(reader, c);
  case_output_read_partition(reader, c);
  case_output_read(reader, c);
  case_probes_read(reader, c);
  case_stages_read(reader, c);
  case_barrier_read(reader, c);
}

static const char *copy_text(Arena *arena, const char *text, size_t bytes)
{
  assert((text != NULL || bytes == 0) && "a text is given");
  char *copy = arena_allocate(arena, bytes + 1);
  if (bytes > 0) memcpy(copy, text, bytes);
  copy[bytes] = 0;
  return copy;
}

// The overrides one under the other.
static const char *join_overrides(Arena *arena, const CaseOptions *options)
{
  assert(options->override_count >= 0 && "overrides are counted");
  size_t bytes = 1;
  for (int i = 0; i < options->override_count; i++) bytes += strlen(options->overrides[i]) + 1;
  char *text = arena_allocate(arena, bytes);
  char *end = text;
  for (int i = 0; i < options->override_count; i++) {
    const size_t length = strlen(options->overrides[i]);
    if (i > 0) *end++ = '\n';
    memcpy(end, options->overrides[i], length);
    end += length;
  }
  *end = 0;
  return text;
}

bool case_parse(CaseFile file, const CaseOptions *options, Case *c, ErrorText error)
{
  assert(file.path != NULL && (file.text != NULL || file.bytes == 0) &&
         "a case has a path and a text");
  assert(error.text != NULL && error.bytes > 0 && "a message has room");
  static const CaseOptions none = {0};
  if (!options) options = &none;
  *c = (Case){.arena = memory_allocate(sizeof(Arena))};
  *c->arena = arena_new();

  CaseReader reader = {
      .path = file.path, .arena = c->arena, .scratch = arena_new(), .error = error};
  CaseMeshes meshes = {.read = options->read_mesh, .arena = c->arena};
  reader.meshes = &meshes;
  CaseRecords records = {.read = options->read_record, .arena = c->arena};
  reader.records = &records;
  case_tree_load(&reader, file.text, file.bytes);
  for (int i = 0; i < options->override_count; i++)
    case_tree_override(&reader, options->overrides[i]);
  if (!reader.failed) {
    c->path = copy_text(c->arena, file.path, strlen(file.path));
    c->text = copy_text(c->arena, file.text, file.bytes);
    c->overrides = join_overrides(c->arena, options);
    read_tree(&reader, c);
    c->mesh_notes = case_mesh_notes(&meshes);
    c->meshes = case_record_list(&records, case_mesh_list(&meshes));
  }
  arena_destroy(&reader.scratch);
  if (reader.failed) case_destroy(c);
  return !reader.failed;
}

void case_destroy(Case *c)
{
  if (c->arena) {
    arena_destroy(c->arena);
    memory_free(c->arena);
  }
  *c = (Case){0};
}

static const BodyGroup *group_of_shape(const Case *c, int shape)
{
  assert(shape >= 0 && shape < c->shape_count && "a shape has a number");
  int i = 0;
  while (shape >= c->groups[i].first_shape + c->groups[i].shape_count) i++;
  return &c->groups[i];
}

// False with a message where waves cross the bodies of a group too often in a step. The message is
// of the smallest of them, so that its limits serve all.
static bool check_stiffness(const Case *c, const BodyGroup *group, const Shape *shape,
                            ErrorText error)
{
  if (!group_deforms(group)) return true;
  const Material *material = &c->materials[group->material];
  const ElasticLaw *law = &material->elastic;
  const double most = group->affine ? AFFINE_MOST_STIFF : CASE_CELLS_MOST_STIFF;
  if (affine_stiffness_ratio(law, material->density, shape->extent, c->step) <= most) return true;
  const double extent = smaller_of(shape->extent, case_least_extent(c, group));
  const double ratio = affine_stiffness_ratio(law, material->density, extent, c->step);
  char name[64], of[48];
  case_tree_quote(group->name, name, sizeof name);
  case_tree_quote(material->name, of, sizeof of);
  snprintf(error.text, error.bytes,
           "%s:%d: body%s%s%s: 'young' of '%s', %g Pa, is too much for bodies of %.4g m and steps "
           "of %g s: waves cross them %.4g times in a step; lower it to at most %.4g Pa, lower "
           "time.step to at most %.4g s, or leave out 'elastic'",
           c->path, group->line, *name ? " '" : "", name, *name ? "'" : "", of, law->young, extent,
           c->step, sqrt(ratio), law->young * most / ratio, c->step * sqrt(most / ratio));
  return false;
}

// False with a message for a group whose bodies have that shape and are too stiff, or do not suit
// the contact model.
static bool check_users(Case *c, int number, const Shape *shape, ErrorText error)
{
  const bool asks = c->deforms || c->contact.model == CONTACT_MODEL_LMD ||
                    c->shapes[number].surface_alone || case_volumetric_used(c) || c->barrier.given;
  bool judged = false;   // the surface, which is that of all of them
  for (int i = 0; asks && i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    if (number < group->first_shape || number >= group->first_shape + group->shape_count) continue;
    if (c->deforms && !case_elastic_check(c, group, shape, error)) return false;
    if (c->deforms && !check_stiffness(c, group, shape, error)) return false;
    if (!case_volumetric_check(c, i, shape, error)) return false;
    if (!case_inner_fill(c, number, group, shape, error)) return false;
    if (c->barrier.given && !case_barrier_check(c, group, shape, error)) return false;
    if (!judged && !case_check_surface(c, group, shape, &c->bases[number], error)) return false;
    judged = true;
  }
  return true;
}

// Builds this rank's share of the shapes; false with the first that is not sound.
static bool check_shapes(Case *c, ErrorText error)
{
  assert(c->shape_count > 0 && error.bytes > 0 && "a case has a shape");
  const uint64_t shapes = (uint64_t)c->shape_count;
  const int first = (int)id_range_first(shapes, par_rank(), par_size());
  const int end = (int)id_range_first(shapes, par_rank() + 1, par_size());
  c->bases = arena_allocate_zero(c->arena, (size_t)shapes, sizeof *c->bases);
  c->inner = arena_allocate_zero(c->arena, (size_t)shapes, sizeof *c->inner);
  Arena scratch = arena_new();
  bool sound = true;
  for (int i = first; i < end && sound; i++) {
    const ArenaMark mark = arena_mark(&scratch);
    Shape shape;
    const ShapeResult result = shape_build(&c->shapes[i], &scratch, &shape);
    sound = result.status == SHAPE_OK;
    if (sound) sound = check_users(c, i, &shape, error);
    else {
      const BodyGroup *group = group_of_shape(c, i);
      char reason[256], name[64];
      shape_result_text(result, reason, sizeof reason);
      case_tree_quote(group->name, name, sizeof name);
      snprintf(error.text, error.bytes, *name ? "%s:%d: body '%s': %s" : "%s:%d: body%s: %s",
               c->path, group->line, name, reason);
    }
    arena_release(&scratch, mark);
  }
  arena_destroy(&scratch);
  return sound;
}

// Of the extent of a group: nearer to a face of the domain than this, its bodies are asked.
#define DOMAIN_ROUNDING 1e-9

// Whether all places of a group's stones lie inside the domain, whatever is drawn: the domain is a
// box, so it holds a box when it holds its corners.
static bool holds_stones(const Case *c, const BodyGroup *group)
{
  assert(((group->kind != GROUP_STONES && group->kind != GROUP_INLET) || group->stones != NULL) &&
         "a group of stones has stones");
  if (group->kind != GROUP_STONES && group->kind != GROUP_INLET) return false;
  StonesBox box = stones_centres(group);
  const double rounding = DOMAIN_ROUNDING * (vec3_norm(vec3_sub(box.high, box.low)) +
                                             vec3_norm(group->at) + group->stones->pitch);
  const vec3 room = {rounding, rounding, rounding};
  box = (StonesBox){vec3_sub(box.low, room), vec3_add(box.high, room)};
  const mat3 rotation = quat_to_mat3(group->turn);
  for (int m = 0; m < 8; m++) {
    const vec3 corner = {m & 1 ? box.high.x : box.low.x, m & 2 ? box.high.y : box.low.y,
                         m & 4 ? box.high.z : box.low.z};
    if (!scene_contains(c, vec3_add(group->at, mat3_mul(rotation, corner)))) return false;
  }
  return true;
}

// False with a message when a body is dynamic and appears outside the domain.
static bool appears_inside(const Case *c, ShapeSet *shapes, uint64_t id, ErrorText error)
{
  assert(id < c->body_count && "a body has an id");
  const BodyRecipe body = scene_body(c, id);
  if (body.drive != DRIVE_DYNAMIC || body.kind == KIND_FOUNDATION) return true;
  const vec3 center = shape_set_get(shapes, body.shape)->center;
  const vec3 place = vec3_add(body.origin, mat3_mul(quat_to_mat3(body.turn), center));
  if (scene_contains(c, place)) return true;
  const BodyGroup *group = scene_group(c, id);
  char name[64];
  case_tree_quote(group->name, name, sizeof name);
  snprintf(error.text, error.bytes,
           *name ? "%s:%d: body %llu of '%s' appears at [%.6g, %.6g, %.6g], outside the domain"
                 : "%s:%d: body %llu%s appears at [%.6g, %.6g, %.6g], outside the domain",
           c->path, group->line, (unsigned long long)id, name, place.x, place.y, place.z);
  return false;
}

// Dynamic bodies of this rank's range of ids appear inside the domain; false with the first that
// does not.
static bool check_domain(const Case *c, ErrorText error)
{
  if (!c->domain.given) return true;
  const uint64_t end = id_range_first(c->body_count, par_rank() + 1, par_size());
  ShapeSet shapes = shape_set_new(c->shapes, c->shape_count);
  bool sound = true;
  for (uint64_t id = id_range_first(c->body_count, par_rank(), par_size()); id < end && sound;) {
    const BodyGroup *group = scene_group(c, id);
    const uint64_t last = group->first_id + group->body_count;
    const uint64_t next = last < end ? last : end;
    if (holds_stones(c, group)) id = next;
    for (; id < next && sound; id++) sound = appears_inside(c, &shapes, id, error);
  }
  shape_set_destroy(&shapes);
  return sound;
}

// Whether the bodies of the start can be held at all: a slip in a count shows here, not when the
// system ends the program for want of memory. Ranks may be on machines of their own, so that only
// what one of them cannot do alone is refused.
static bool check_room(const Case *c, ErrorText error)
{
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  Bodies none = {0};
  bodies_begin(&none);
  double row = 0;
  for (int i = 0; i < none.table.schema->field_count; i++)
    if (c->deforms || table_has(&none.table, &none.table.schema->fields[i]))
      row += (double)none.table.schema->fields[i].row_bytes;
  bodies_end(&none);
  const double bodies = (double)scene_born(c, 0), needed = bodies * row / par_size();
  const double there = (double)pages * (double)page_bytes;
  if (pages <= 0 || page_bytes <= 0 || needed <= there) return true;
  snprintf(error.text, error.bytes,
           "%s: %.0f bodies take at least %.3g GiB on each of %d ranks, more than the %.3g GiB of "
           "this machine",
           c->path, bodies, needed / GIBIBYTE, par_size(), there / GIBIBYTE);
  return false;
}

// Collective. The text of the file (memory_free) on all ranks, or NULL on all after one message.
static char *read_file(const char *path, size_t *bytes)
{
  DiskStatus status = {0};
  uint64_t size = 0;
  char *text = NULL;
  if (par_rank() == 0) {
    text = disk_read_whole(path, TREE_MAX_BYTES, bytes, &status);
    size = text ? *bytes : 0;
  }
  if (!all_ok(!status.failed, "cannot read the case: %s", status.reason)) return NULL;
  par_broadcast(&size, sizeof size, 0);
  *bytes = (size_t)size;
  if (par_rank() != 0) text = memory_allocate(*bytes + 1);
  par_broadcast(text, *bytes, 0);
  return text;
}

bool case_read(const char *path, const CaseOptions *options, Case *c)
{
  assert(path != NULL && c != NULL && "a case has a file and a place");
  *c = (Case){0};
  size_t bytes = 0;
  char *text = read_file(path, &bytes);
  if (!text) return false;
  const bool sound = case_load_text((CaseFile){path, text, bytes}, options, c);
  memory_free(text);
  return sound;
}

bool case_load_text(CaseFile file, const CaseOptions *options, Case *c)
{
  assert(file.text != NULL && c != NULL && "a case has a text and a place");
  // the same text gives the same answer everywhere; rank 0 reads the meshes it names
  char error[MESSAGE_BYTES] = "";
  CaseOptions shared = options ? *options : (CaseOptions){0};
  shared.read_mesh = mesh_read_shared;
  shared.read_record = record_share_all;
  const ErrorText message = {error, sizeof error};
  bool sound = case_parse(file, &shared, c, message);
  const char *refusal = sound ? scene_prepare(c) : NULL;
  if (sound && !refusal) case_barrier_complete(c);
  sound = sound && !refusal;
  if (!all_ok(sound, "%s", refusal ? refusal : error)) {
    case_destroy(c);
    return false;
  }

  if (!all_ok(check_room(c, message), "%s", error)) {
    case_destroy(c);
    return false;
  }

  // shapes and bodies are shared out in order: the lowest rank that complains names the first bad
  // one
  sound = check_shapes(c, message);
  sound = all_ok(sound, "%s", error);
  if (sound && case_volumetric_used(c)) case_volumetric_agree(c);
  if (sound) sound = all_ok(case_elastic_make(c, message), "%s", error);
  if (sound) sound = all_ok(check_domain(c, message), "%s", error);
  if (sound) sound = case_faces_check(c);
  for (int i = 0; i < c->stage_count && sound; i++) sound = case_faces_check(&c->stages[i]);
  if (sound && *c->mesh_notes) log_line("meshes:\n%s", c->mesh_notes);
  if (!sound) case_destroy(c);
  return sound;
}
