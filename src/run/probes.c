// Sums what probes ask for at the middle of each step, and makes their lines at its end.
#include "probes.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "log.h"
#include "parallel.h"
#include "scene.h"

enum { POSE = 7, COLUMN_BYTES = 128 };
enum { NOT_ASKED = 0, OUTSIDE = 1, FIRST = 2, SECOND = 3 };   // what a body is to a probe

// Numbers that kinds add up: a force; a force, the sum of places times pressing forces, the sum of
// these; a stress; a volume.
static const int SUMS[] = {
    [PROBE_REACTION] = 3, [PROBE_RESULTANT] = 7,    [PROBE_PLANE] = 7,  [PROBE_STRESS] = 6,
    [PROBE_POROSITY] = 1, [PROBE_DISPLACEMENT] = 0, [PROBE_OPENING] = 0};

static uint64_t id_of(const Case *c, JointEnd end)
{
  return c->groups[end.group].first_id + end.index;
}

// ------------------------------------------------------------------------------------------------
// The middle of a step.

static int side_of(ProbeState *probe, const Case *c, uint64_t id)
{
  if (id >= c->body_count) return OUTSIDE;   // space
  unsigned char *side = &probe->sides[id];
  if (*side == NOT_ASKED) {
    const ProbeSettings *of = probe->of;
    if (scene_selects(c, &of->on[0], id)) *side = FIRST;
    else if (of->kind == PROBE_RESULTANT && scene_selects(c, &of->on[1], id)) *side = SECOND;
    else *side = OUTSIDE;
  }
  return *side;
}

// What two bodies do to each other at a place.
typedef struct {
  IdPair bodies;
  vec3 point, normal, force;   // on the lower body, N
  bool joined;                 // by a joint: it has no normal
} Push;

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

// The row of a body that the rank knows; -1: space.
static int row_of(const World *w, uint64_t id)
{
  return id < w->c->body_count ? bodies_find(&w->bodies, id) : -1;
}

// The force that goes through a plane: between bodies whose centres lie on either side of it.
static void add_through_plane(const World *w, const ProbeSettings *of, const Push *push,
                              ExactSum *sums)
{
  const int low = row_of(w, push->bodies.low), high = row_of(w, push->bodies.high);
  if (low < 0 || high < 0) return;
  const bool above = vec3_dot(of->normal, vec3_sub(w->bodies.position[low], of->at)) > 0,
             other = vec3_dot(of->normal, vec3_sub(w->bodies.position[high], of->at)) > 0;
  if (above == other) return;
  const double sign = above ? 1 : -1;
  add_resultant(sums, push, sign, sign * vec3_dot(push->force, of->normal));
}

// The end of a branch: the centre of a body, or the point where it does not move freely, whose
// centre may lie anywhere.
static vec3 branch_end(const World *w, int row, vec3 point)
{
  return row >= 0 && w->bodies.drive[row] == DRIVE_DYNAMIC ? w->bodies.position[row] : point;
}

static void add_to_stress(const World *w, const ProbeSettings *of, const Push *push, ExactSum *sums)
{
  const vec3 x = push->point, f = push->force;
  if (x.x < of->low.x || x.y < of->low.y || x.z < of->low.z || x.x >= of->high.x ||
      x.y >= of->high.y || x.z >= of->high.z)
    return;
  const vec3 b = vec3_sub(branch_end(w, row_of(w, push->bodies.high), x),
                          branch_end(w, row_of(w, push->bodies.low), x));
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
  const World *w = probes->world;
  for (int i = 0; i < probes->count; i++) {
    ProbeState *probe = &probes->of[i];
    ExactSum *sums = probes->sums + probe->first_sum;
    if (probe->of->kind == PROBE_STRESS) add_to_stress(w, probe->of, push, sums);
    else if (probe->of->kind == PROBE_PLANE) add_through_plane(w, probe->of, push, sums);
    if (!probe->sides) continue;
    const int low = side_of(probe, w->c, push->bodies.low),
              high = side_of(probe, w->c, push->bodies.high);
    // a support reacts on others against what they do to it
    if (probe->of->kind == PROBE_REACTION && (low == FIRST) != (high == FIRST))
      add_vector(sums, vec3_scale(low == FIRST ? -1 : 1, push->force));
    const bool crosses = (low == FIRST && high == SECOND) || (low == SECOND && high == FIRST);
    if (probe->of->kind == PROBE_RESULTANT && crosses)
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

static void meet_middle(void *context, const MidState *mid)
{
  Probes *probes = context;
  const double step = world_interval(probes->world);
  for (int i = 0; i < probes->sum_count; i++) probes->sums[i] = exact_sum_new();
  if (probes->sum_count == 0) return;
  add_contacts(probes, step);
  add_others(probes, step);
  add_volumes(probes, mid);
}

// ------------------------------------------------------------------------------------------------
// Begin and end.

static FrameBody put_body(const World *w, uint64_t id)
{
  const BodyRecipe recipe = scene_body(w->whole, id);
  return (FrameBody){.id = id, .drive = recipe.drive, .shape = recipe.shape};
}

// False where the two bodies have no joint.
static bool begin_opening(ProbeState *probe, World *w)
{
  const uint64_t a = id_of(w->whole, probe->of->ends[0]), b = id_of(w->whole, probe->of->ends[1]);
  probe->pair = (FramePair){.bodies = id_pair_of(a, b)};
  probe->pair.low = put_body(w, probe->pair.bodies.low);
  probe->pair.high = put_body(w, probe->pair.bodies.high);
  const FramePairs pairs = {1, &probe->pair};
  put_joints_follow(&probe->joint, &pairs, w->whole, &w->shapes);
  return probe->joint.of[0].count > 0;
}

static void begin_displacement(ProbeState *probe, World *w)
{
  const uint64_t id = id_of(w->whole, probe->of->ends[0]);
  probe->pair.low = put_body(w, id);
  const Shape *shape = shape_set_get(&w->shapes, probe->pair.low.shape);
  probe->start = probe->of->has_at ? probe->of->at : scene_start(w->whole, id, shape).centre;
}

static bool begin_probe(Probes *probes, ProbeState *probe, const ProbeSettings *of)
{
  World *w = probes->world;
  *probe = (ProbeState){.of = of, .first_sum = probes->sum_count, .first_pose = probes->pose_count};
  probes->sum_count += SUMS[of->kind];
  switch (of->kind) {
  case PROBE_REACTION:
  case PROBE_RESULTANT:
    probe->sides = arena_allocate_zero(&probes->arena, (size_t)w->whole->body_count, 1);
    break;
  case PROBE_DISPLACEMENT:
    probes->pose_count += 1;
    begin_displacement(probe, w);
    break;
  case PROBE_OPENING: probes->pose_count += 2; return begin_opening(probe, w);
  case PROBE_POROSITY: probe->box = box_fill_new(of->low, of->high, &probes->arena); break;
  case PROBE_PLANE:
  case PROBE_STRESS: break;
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
  probes->poses = arena_allocate(&probes->arena,
                                 (POSE * (size_t)probes->pose_count + 1) * sizeof *probes->poses);
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
  for (int i = 0; i < probes->count; i++) put_joints_end(&probes->of[i].joint);
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

// A body's pose after the step; not there where it has left or is yet to come.
static void read_pose(const Probes *probes, int number, FrameBody *body)
{
  const double *p = probes->poses + POSE * number;
  body->there = p[0] > -INFINITY;
  body->position = (vec3){p[0], p[1], p[2]};
  body->orientation = (quat){p[3], p[4], p[5], p[6]};
}

static void add_displacement(Row *row, ProbeState *probe)
{
  World *w = row->probes->world;
  FrameBody *body = &probe->pair.low;
  vec3 way = NOWHERE;
  if (!row->heading) {
    read_pose(row->probes, probe->first_pose, body);
    const Shape *shape = shape_set_get(&w->shapes, body->shape);
    const LoadStart start = scene_start(w->whole, body->id, shape);
    const vec3 arm = mat3_mul_transposed(start.turn, vec3_sub(probe->start, start.centre));
    const vec3 now = vec3_add(body->position, mat3_mul(quat_to_mat3(body->orientation), arm));
    if (body->there) way = vec3_sub(now, probe->start);
  }
  vector(row, probe, FORCE, way);
}

static void add_opening(Row *row, ProbeState *probe)
{
  World *w = row->probes->world;
  JointMotion motion = {.opening = NAN, .slip = NAN, .turn = NOWHERE};
  if (!row->heading) {
    read_pose(row->probes, probe->first_pose, &probe->pair.low);
    read_pose(row->probes, probe->first_pose + 1, &probe->pair.high);
    if (probe->pair.low.there && probe->pair.high.there)
      motion = put_joints_motion(&probe->joint, 0, &probe->pair, w->whole, &w->shapes);
    // of the first of the two against the second
    const bool swapped = id_of(w->whole, probe->of->ends[0]) != probe->pair.bodies.low;
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

// Where own bodies of probes are, and nothing of others.
static void fill_poses(Probes *probes)
{
  const World *w = probes->world;
  const Bodies *b = &w->bodies;
  for (int i = 0; i < POSE * probes->pose_count; i++) probes->poses[i] = -INFINITY;
  for (int p = 0; p < probes->count; p++) {
    const ProbeState *probe = &probes->of[p];
    const int bodies = probe->of->kind == PROBE_OPENING ? 2 : probe->of->kind == PROBE_DISPLACEMENT;
    for (int k = 0; k < bodies; k++) {
      const int row = bodies_find(b, k == 0 ? probe->pair.low.id : probe->pair.high.id);
      if (row < 0 || row >= b->table.owned) continue;
      const vec3 x = b->position[row];
      const quat q = b->orientation[row];
      const double pose[POSE] = {x.x, x.y, x.z, q.w, q.x, q.y, q.z};
      memcpy(probes->poses + POSE * (probe->first_pose + k), pose, sizeof pose);
    }
  }
}

const char *probes_line(Probes *probes)
{
  const World *w = probes->world;
  assert(probes->count > 0 && w->step > 0 && "a step has probes");
  fill_poses(probes);
  if (probes->pose_count > 0) par_max_many(probes->poses, POSE * probes->pose_count);
  for (int i = 0; i < probes->sum_count; i += EXACT_SUM_AT_ONCE) {
    const int left = probes->sum_count - i;
    exact_sum_reduce(probes->sums + i, left < EXACT_SUM_AT_ONCE ? left : EXACT_SUM_AT_ONCE);
  }
  Row row = {.probes = probes};
  add(&row, "%lld,%.17g", (long long)w->record.step, w->record.time);
  for (int i = 0; i < probes->count; i++) add_probe(&row, &probes->of[i]);
  return probes->line;
}
