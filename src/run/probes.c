// Sums what probes ask for at the middle of each step, and makes their lines at its end.
#include "probes.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kind.h"
#include "log.h"
#include "material_point.h"
#include "parallel.h"
#include "scene.h"

enum { COLUMN_BYTES = 128 };
typedef enum { OUTSIDE, FIRST, SECOND } Side;   // what a body is to a probe

// Numbers that kinds add up: a force; a force, the sum of places times pressing forces, the sum of
// these; a stress; a volume.
static const int SUMS[] = {
    [PROBE_REACTION] = 3, [PROBE_RESULTANT] = 7,    [PROBE_PLANE] = 7,   [PROBE_STRESS] = 6,
    [PROBE_POROSITY] = 1, [PROBE_DISPLACEMENT] = 0, [PROBE_OPENING] = 0, [PROBE_SUPPORT] = 3};

// Whether probes of a kind add up what bodies do to each other.
static bool is_pushed(ProbeKind kind)
{
  return kind == PROBE_REACTION || kind == PROBE_RESULTANT || kind == PROBE_PLANE ||
         kind == PROBE_STRESS;
}

// Whether they ask where these bodies are.
static bool is_placed(ProbeKind kind) { return kind == PROBE_PLANE || kind == PROBE_STRESS; }

// ------------------------------------------------------------------------------------------------
// The middle of a step.

// What two bodies do to each other at a place.
typedef struct {
  IdPair bodies;
  vec3 point, normal, force;   // on the lower body, N
  bool joined;                 // by a joint: it has no normal
} Push;

// One of the two as probes see it.
typedef struct {
  JointEnd named;   // its group and its number there
  int row;          // -1: space, or nobody asks
} PushedBody;

typedef struct {
  const World *world;
  const Push *push;
  PushedBody low, high;
} Pushed;

static PushedBody pushed_body(const Probes *probes, uint64_t id)
{
  const World *w = probes->world;
  if (id >= w->c->body_count) return (PushedBody){{-1, 0, false}, -1};   // space
  const BodyGroup *group = scene_group(w->c, id);
  return (PushedBody){{(int)(group - w->c->groups), id - group->first_id, false},
                      probes->placed ? bodies_find(&w->bodies, id) : -1};
}

// Most bodies lie before the first of those that a probe names, or behind the last one.
static bool has(const BodySelection *on, JointEnd body)
{
  const BodySpan *first = &on->spans[0], *last = &on->spans[on->count - 1];
  if (body.group < first->group || body.group > last->group) return false;
  if (body.group == first->group && body.index < first->begin) return false;
  if (body.group == last->group && body.index >= last->end) return false;
  return body_selection_has(on, body.group, body.index);
}

static Side side_of(const ProbeSettings *of, JointEnd body)
{
  if (body.group < 0) return OUTSIDE;
  if (has(&of->on[0], body)) return FIRST;
  return of->kind == PROBE_RESULTANT && has(&of->on[1], body) ? SECOND : OUTSIDE;
}

static void add_vector(ExactSum *sums, vec3 v)
{
  exact_sum_add(&sums[0], v.x);
  exact_sum_add(&sums[1], v.y);
  exact_sum_add(&sums[2], v.z);
}

static void add_resultant(ExactSum *sums, const Push *push, double sign, double pressing)
{
  add_vector(sums, vec3_scale(sign, push->force));
  add_vector(sums + 3, vec3_scale(pressing, push->point));
  exact_sum_add(&sums[6], pressing);
}

// The force that goes through a plane: between bodies whose centres lie on either side of it.
static void add_through_plane(const Pushed *pushed, const ProbeSettings *of, ExactSum *sums)
{
  const int low = pushed->low.row, high = pushed->high.row;
  if (low < 0 || high < 0) return;
  const vec3 *position = pushed->world->bodies.position, force = pushed->push->force;
  const bool above = vec3_dot(of->normal, vec3_sub(position[low], of->at)) > 0,
             other = vec3_dot(of->normal, vec3_sub(position[high], of->at)) > 0;
  if (above == other) return;
  const double sign = above ? 1 : -1;
  add_resultant(sums, pushed->push, sign, sign * vec3_dot(force, of->normal));
}

// The end of a branch: the centre of a body, or the point where it does not move freely, whose
// centre may lie anywhere.
static vec3 branch_end(const World *w, int row, vec3 point)
{
  const bool moves = row >= 0 && w->bodies.drive[row] == DRIVE_DYNAMIC;
  return moves && !kind_founded(&w->bodies, row) ? w->bodies.position[row] : point;
}

static void add_to_stress(const Pushed *pushed, const ProbeSettings *of, ExactSum *sums)
{
  const vec3 x = pushed->push->point, f = pushed->push->force;
  if (x.x < of->low.x || x.y < of->low.y || x.z < of->low.z || x.x >= of->high.x ||
      x.y >= of->high.y || x.z >= of->high.z)
    return;
  const vec3 b = vec3_sub(branch_end(pushed->world, pushed->high.row, x),
                          branch_end(pushed->world, pushed->low.row, x));
  const double t[6] = {b.x * f.x,
                       b.y * f.y,
                       b.z * f.z,
                       0.5 * (b.x * f.y + b.y * f.x),
                       0.5 * (b.y * f.z + b.z * f.y),
                       0.5 * (b.x * f.z + b.z * f.x)};
  for (int i = 0; i < 6; i++) exact_sum_add(&sums[i], t[i]);
}

static void add_push(Probes *probes, const Push *push)
{
  const Pushed pushed = {probes->world, push, pushed_body(probes, push->bodies.low),
                         pushed_body(probes, push->bodies.high)};
  for (int i = 0; i < probes->count; i++) {
    const ProbeSettings *of = probes->of[i].of;
    ExactSum *sums = probes->sums + probes->of[i].first_sum;
    if (of->kind == PROBE_STRESS) add_to_stress(&pushed, of, sums);
    else if (of->kind == PROBE_PLANE) add_through_plane(&pushed, of, sums);
    if (of->kind != PROBE_REACTION && of->kind != PROBE_RESULTANT) continue;
    const Side low = side_of(of, pushed.low.named), high = side_of(of, pushed.high.named);
    // a support reacts on others against what they do to it
    if (of->kind == PROBE_REACTION && (low == FIRST) != (high == FIRST))
      add_vector(sums, vec3_scale(low == FIRST ? -1 : 1, push->force));
    const bool crosses = (low == FIRST && high == SECOND) || (low == SECOND && high == FIRST);
    if (of->kind == PROBE_RESULTANT && crosses)
      add_resultant(sums, push, low == FIRST ? 1 : -1,
                    push->joined ? 0 : vec3_dot(push->force, push->normal));
  }
}

static void add_contacts(Probes *probes, double step)
{
  const Contacts *c = &probes->world->contacts;
  for (int i = 0; i < c->table.owned; i++) {
    const vec3 r = c->reaction[i];
    if (r.x == 0 && r.y == 0 && r.z == 0) continue;
    const vec3 impulse = mat3_mul_transposed(contacts_basis(c->normal[i]), r);
    add_push(probes, &(Push){c->bodies[i], c->point[i], c->normal[i], vec3_scale(1 / step, impulse),
                             false});
  }
}

static void add_others(Probes *probes, double step)
{
  World *w = probes->world;
  const Joints *j = world_joints(w);
  for (int i = 0; j && i < j->table.owned; i++)
    add_push(
        probes,
        &(Push){j->bodies[i], j->place[i], {0, 0, 0}, vec3_scale(1 / step, j->reaction[i]), true});
  const Volumes *v = world_volumes(w) ? &w->volumes : NULL;
  for (int i = 0; v && i < v->table.owned; i++)
    add_push(probes, &(Push){v->bodies[i], v->point[i], v->normal[i],
                             vec3_scale(1 / step, v->impulse[i]), false});
}

static void add_volumes(Probes *probes, const MidState *mid)
{
  World *w = probes->world;
  const Bodies *b = &w->bodies;
  for (int p = 0; p < probes->count; p++) {
    ProbeState *probe = &probes->of[p];
    if (probe->of->kind != PROBE_POROSITY) continue;
    for (int i = 0; i < b->table.owned; i++)
      exact_sum_add(&probes->sums[probe->first_sum],
                    box_fill_volume(&probe->box, shape_set_get(&w->shapes, b->shape[i]),
                                    (FillPlace){b->position[i], mid[i].rotation}, &w->scratch));
  }
}

// What the ground gives foundations through their faces that are held.
static void add_anchorage(Probes *probes, double step)
{
  const World *w = probes->world;
  const Bodies *b = &w->bodies;
  for (int i = 0; w->anchorage && i < b->table.owned; i++) {
    if (!kind_founded(b, i)) continue;
    const PushedBody body = pushed_body(probes, b->id[i]);
    for (int p = 0; p < probes->count; p++)
      if (probes->of[p].of->kind == PROBE_SUPPORT && has(&probes->of[p].of->on[0], body.named))
        add_vector(probes->sums + probes->of[p].first_sum, vec3_scale(1 / step, w->anchorage[i]));
  }
}

static void meet_middle(void *context, const MidState *mid)
{
  Probes *probes = context;
  const double step = world_interval(probes->world);
  for (int i = 0; i < probes->sum_count; i++) probes->sums[i] = exact_sum_new();
  if (probes->pushed) {
    add_contacts(probes, step);
    add_others(probes, step);
  }
  add_anchorage(probes, step);
  add_volumes(probes, mid);
}

// ------------------------------------------------------------------------------------------------
// Begin and end.

static void begin_displacement(ProbeState *probe, World *w)
{
  probe->body = supports_body(w->whole, probe->of->ends[0]);
  const Shape *shape = shape_set_get(&w->shapes, probe->body.shape);
  const LoadStart start = scene_start(w->whole, probe->body.id, shape);
  probe->start = probe->of->has_at ? probe->of->at : start.centre;
  probe->arm = mat3_mul_transposed(start.turn, vec3_sub(probe->start, start.centre));
}

// False where the two bodies of an opening have no joint.
static bool begin_probe(Probes *probes, ProbeState *probe, const ProbeSettings *of)
{
  World *w = probes->world;
  *probe = (ProbeState){.of = of, .first_sum = probes->sum_count, .first_pose = probes->pose_count};
  probes->sum_count += SUMS[of->kind];
  probes->pushed |= is_pushed(of->kind);
  probes->placed |= is_placed(of->kind);
  switch (of->kind) {
  case PROBE_DISPLACEMENT:
    probes->pose_count += 1;
    begin_displacement(probe, w);
    break;
  case PROBE_OPENING:
    probes->pose_count += 2;
    probe->joint = supports_watch(w->whole, of->ends, &w->shapes);
    return supports_touch(&probe->joint);
  case PROBE_POROSITY: probe->box = box_fill_new(of->low, of->high, &probes->arena); break;
  case PROBE_REACTION:
  case PROBE_RESULTANT:
  case PROBE_PLANE:
  case PROBE_STRESS:
  case PROBE_SUPPORT: break;
  }
  return true;
}

bool probes_begin(Probes *probes, World *world)
{
  const OutputSettings *output = &world->whole->output;
  assert(output->probe_count >= 0 && "probes are counted");
  *probes = (Probes){.world = world, .arena = arena_new(), .count = output->probe_count};
  probes->of = arena_allocate_zero(&probes->arena, (size_t)probes->count + 1, sizeof *probes->of);
  const ProbeSettings *odd = NULL;
  for (int i = 0; i < probes->count; i++)
    if (!begin_probe(probes, &probes->of[i], &output->probes[i]) && !odd) odd = &output->probes[i];
  probes->sums =
      arena_allocate(&probes->arena, ((size_t)probes->sum_count + 1) * sizeof *probes->sums);
  for (int i = 0; i < probes->sum_count; i++) probes->sums[i] = exact_sum_new();
  const size_t poses = (size_t)probes->pose_count;
  probes->poses =
      arena_allocate_zero(&probes->arena, (POSE_NUMBERS + 3) * poses + 1, sizeof *probes->poses);
  probes->moved = probes->poses + POSE_NUMBERS * poses;
  probes->reductions =
      arena_allocate(&probes->arena, ((size_t)probes->sum_count + 1) * sizeof *probes->reductions);
  probes->line_bytes = COLUMN_BYTES * (8 * (size_t)probes->count + 2);
  for (int i = 0; i < probes->count; i++) probes->line_bytes += 8 * strlen(output->probes[i].name);
  probes->line = arena_allocate(&probes->arena, probes->line_bytes);
  if (probes->count > 0) world->middle = (MiddleHook){meet_middle, probes};
  if (!odd) return true;
  return all_ok(false, "%s:%d: probe '%s': the two bodies have no joint as the case puts them",
                world->whole->path, odd->line, odd->name);
}

void probes_end(Probes *probes)
{
  for (int i = 0; i < probes->count; i++) supports_forget(&probes->of[i].joint);
  if (probes->world) arena_destroy(&probes->arena);
  *probes = (Probes){0};
}

// ------------------------------------------------------------------------------------------------
// The end of a step.

// A line under way: names of columns or values, so that neither is without the other.
typedef struct {
  Probes *probes;
  size_t used;
  bool heading;
} Row;

__attribute__((format(printf, 2, 3))) static void add(Row *row, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  const size_t room = row->probes->line_bytes - row->used;
  const int length = vsnprintf(row->probes->line + row->used, room, format, values);
  va_end(values);
  assert(length >= 0 && (size_t)length < room && "a line of probes fits");
  row->used += (size_t)length;
}

static void number(Row *row, const ProbeState *probe, const char *end, double value)
{
  if (row->heading) add(row, ",%s%s", probe->of->name, end);
  else if (isfinite(value)) add(row, ",%.17g", value);
  else add(row, ",nan");
}

static void vector(Row *row, const ProbeState *probe, const char *const ends[3], vec3 v)
{
  number(row, probe, ends[0], v.x);
  number(row, probe, ends[1], v.y);
  number(row, probe, ends[2], v.z);
}

static const char *const FORCE[] = {"_x", "_y", "_z"}, *const PLACE[] = {"_at_x", "_at_y", "_at_z"},
                         *const TURN[] = {"_turn_x", "_turn_y", "_turn_z"};

static const vec3 NOWHERE = {NAN, NAN, NAN};

static void add_displacement(Row *row, ProbeState *probe)
{
  FrameBody *body = &probe->body;
  vec3 way = NOWHERE;
  if (!row->heading) {
    supports_read_pose(row->probes->poses + POSE_NUMBERS * probe->first_pose, body);
    const vec3 arm = mat3_mul(quat_to_mat3(body->orientation), probe->arm);
    const vec3 now = vec3_add(body->position, arm);
    const double *moved = row->probes->moved + 3 * probe->first_pose;
    if (body->there)
      way = vec3_add(vec3_sub(now, probe->start), (vec3){moved[0], moved[1], moved[2]});
  }
  vector(row, probe, FORCE, way);
}

static void add_opening(Row *row, ProbeState *probe)
{
  World *w = row->probes->world;
  FramePair *pair = &probe->joint.pair;
  JointMotion motion = {.opening = NAN, .slip = NAN, .turn = NOWHERE};
  if (!row->heading) {
    const double *poses = row->probes->poses + POSE_NUMBERS * probe->first_pose;
    supports_read_pose(poses, &pair->low);
    supports_read_pose(poses + POSE_NUMBERS, &pair->high);
    if (pair->low.there && pair->high.there) motion = put_joints_motion(&probe->joint.put, 0, pair);
    // of the first of the two against the second
    const bool swapped = supports_body(w->whole, probe->of->ends[0]).id != pair->bodies.low;
    if (swapped) motion.turn = vec3_neg(motion.turn);
  }
  number(row, probe, "_opening", motion.opening);
  number(row, probe, "_slip", motion.slip);
  vector(row, probe, TURN, motion.turn);
}

static void add_stress(Row *row, const ProbeState *probe, const double *s)
{
  static const char *const ends[] = {"_xx", "_yy", "_zz", "_xy", "_yz", "_xz"};
  const vec3 side = vec3_sub(probe->of->high, probe->of->low);
  for (int i = 0; i < 6; i++) number(row, probe, ends[i], s[i] / (side.x * side.y * side.z));
}

static void add_probe(Row *row, ProbeState *probe)
{
  double s[8] = {0};
  for (int i = 0; i < SUMS[probe->of->kind] && !row->heading; i++)
    s[i] = exact_sum_value(&row->probes->sums[probe->first_sum + i]);
  const vec3 side = vec3_sub(probe->of->high, probe->of->low);
  switch (probe->of->kind) {
  case PROBE_DISPLACEMENT: add_displacement(row, probe); break;
  case PROBE_OPENING: add_opening(row, probe); break;
  case PROBE_SUPPORT:
  case PROBE_REACTION: vector(row, probe, FORCE, (vec3){s[0], s[1], s[2]}); break;
  case PROBE_RESULTANT:
  case PROBE_PLANE:
    vector(row, probe, FORCE, (vec3){s[0], s[1], s[2]});
    vector(row, probe, PLACE, s[6] != 0 ? vec3_scale(1 / s[6], (vec3){s[3], s[4], s[5]}) : NOWHERE);
    break;
  case PROBE_STRESS: add_stress(row, probe, s); break;
  case PROBE_POROSITY: number(row, probe, "", 1 - s[0] / (side.x * side.y * side.z)); break;
  }
}

const char *probes_heading(Probes *probes)
{
  assert(probes->line != NULL && "probes have begun");
  Row row = {.probes = probes, .heading = true};
  add(&row, "step,time");
  for (int i = 0; i < probes->count; i++) add_probe(&row, &probes->of[i]);
  return probes->line;
}

// What an own body has deformed at the place of a probe, world axes; nothing of others.
static void fill_moved(Probes *probes, const ProbeState *probe)
{
  World *w = probes->world;
  const Bodies *b = &w->bodies;
  const int row = bodies_find(b, probe->body.id);
  const bool own = row >= 0 && row < b->table.owned;
  vec3 moved = {-INFINITY, -INFINITY, -INFINITY};
  if (own) {
    const mat3 rotation = quat_to_mat3(b->orientation[row]);
    const MaterialPoint point = material_point_of(b, row, 0, &rotation, probe->arm);
    moved = material_point_moved(b, &point);
  }
  double *to = probes->moved + 3 * probe->first_pose;
  to[0] = moved.x;
  to[1] = moved.y;
  to[2] = moved.z;
}

// Where own bodies of probes are, and nothing of others.
static void fill_poses(Probes *probes)
{
  const Bodies *b = &probes->world->bodies;
  for (int i = 0; i < probes->count; i++) {
    const ProbeState *probe = &probes->of[i];
    double *poses = probes->poses + POSE_NUMBERS * probe->first_pose;
    if (probe->of->kind == PROBE_DISPLACEMENT) {
      supports_fill_pose(b, probe->body.id, poses);
      fill_moved(probes, probe);
    }
    if (probe->of->kind != PROBE_OPENING) continue;
    supports_fill_pose(b, probe->joint.pair.bodies.low, poses);
    supports_fill_pose(b, probe->joint.pair.bodies.high, poses + POSE_NUMBERS);
  }
}

const char *probes_line(Probes *probes)
{
  const World *w = probes->world;
  assert(probes->count > 0 && w->step > 0 && "a step has probes");
  fill_poses(probes);
  probes->reductions[0] =
      (Reduction){REDUCE_MAX, probes->poses, (POSE_NUMBERS + 3) * probes->pose_count};
  for (int i = 0; i < probes->sum_count; i++)
    probes->reductions[i + 1] = exact_sum_reduction(&probes->sums[i]);
  par_reduce(probes->reductions, probes->sum_count + 1);
  if (par_rank() != 0) return NULL;
  Row row = {.probes = probes};
  add(&row, "%lld,%.17g", (long long)w->record.step, w->record.time);
  for (int i = 0; i < probes->count; i++) add_probe(&row, &probes->of[i]);
  return probes->line;
}
