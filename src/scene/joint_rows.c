// Makes the rows of joints out of what the case file says of them.
#include "joint_rows.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "check.h"
#include "joint_conflict.h"
#include "phrase.h"
#include "recipe.h"
#include "scene.h"

// of the reach of the smaller of two bodies: how far apart the points are that keep a direction
#define SPREAD 0.5

// a third: the share of a point of those that hold a direction together
#define OF_THREE (1.0 / 3.0)

static const int row_counts[JOINT_KIND_COUNT] = {
    [JOINT_BALL] = 1,   [JOINT_HINGE] = 2, [JOINT_SLIDER] = 3, [JOINT_WELD] = 3,   [JOINT_ROD] = 1,
    [JOINT_CABLE] = 1,  [JOINT_STRUT] = 1, [JOINT_PIN] = 1,    [JOINT_ROLLER] = 1, [JOINT_TIE] = 1,
    [JOINT_SPRING] = 1, [JOINT_DOWEL] = 1, [JOINT_SERVO] = 2};

// A joint on its way to rows.
typedef struct {
  Case *c;
  const Joint *joint;
  int number;        // of the joint
  uint64_t ids[2];   // of its ends; space is above all bodies
  vec3 axis;         // unit, from the second end to the first
  double spread;     // m, see SPREAD
  int next;          // row
} Expansion;

static uint64_t end_id(const Case *c, JointEnd end)
{
  if (end.group < 0) return BODIES_SPACE;
  assert(end.group < c->group_count && "a joint is about bodies of a group");
  assert(end.index < c->groups[end.group].body_count && "a body has a number in its group");
  return c->groups[end.group].first_id + end.index;
}

// Unit vectors along a direction of any length but zero.
static vec3 unit_of(vec3 v)
{
  const double largest = larger_of(fabs(v.x), larger_of(fabs(v.y), fabs(v.z)));
  assert(largest > 0 && isfinite(largest) && "a direction has a length");
  v = vec3_scale(1 / largest, v);
  return vec3_scale(1 / vec3_norm(v), v);
}

// A unit vector at right angles to another one: across the axis it has least of.
static vec3 across(vec3 n)
{
  const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  const vec3 axis = x <= y && x <= z ? (vec3){1, 0, 0} : y <= z ? (vec3){0, 1, 0} : (vec3){0, 0, 1};
  return unit_of(vec3_cross(n, axis));
}

// What a row of the joint holds where it has the whole of its limits.
static JointRule whole_rule(const Expansion *e)
{
  const Joint *j = e->joint;
  JointRule rule = {.joint = e->number,
                    .frame_low = e->ids[1] < e->ids[0],
                    .tension = j->tension,
                    .push = j->push,
                    .shear = j->shear,
                    .pretension = j->pretension,
                    .speed = j->speed,
                    .breaks = j->breaks};
  for (int d = 0; d < JOINT_DIRECTIONS; d++) {
    rule.stiffness[d] = j->stiffness[d];
    rule.damping[d] = j->damping[d];
  }
  return rule;
}

static JointRule scaled(JointRule rule, double share)
{
  rule.tension *= share;
  rule.push *= share;
  rule.shear *= share;
  return rule;
}

// A row for two places, in the order of the file, that are apart along the axis from the second end
// to the first.
static void add_row(Expansion *e, vec3 first, vec3 second, vec3 axis, JointRule rule)
{
  assert(e->next < e->c->joint_row_count && joint_rule_is_valid(&rule) && "a row has a rule");
  const bool in_order = e->ids[0] < e->ids[1];
  e->c->joint_rows[e->next] = (JointRow){.bodies = id_pair_of(e->ids[0], e->ids[1]),
                                         .place = in_order ? first : second,
                                         .place_high = in_order ? second : first,
                                         .normal = in_order ? axis : vec3_neg(axis)};
  e->c->joint_rules[e->next++] = rule;
}

static void add_point(Expansion *e, double along, double aside, double beside, JointRule rule)
{
  const vec3 t = across(e->axis), u = vec3_cross(e->axis, t);
  vec3 place = vec3_axpy(e->spread * along, e->axis, e->joint->places[0]);
  place = vec3_axpy(e->spread * aside, t, place);
  place = vec3_axpy(e->spread * beside, u, place);
  add_row(e, place, place, e->axis, rule);
}

static void add_line(Expansion *e)
{
  const Joint *j = e->joint;
  const vec3 apart = vec3_sub(j->places[0], j->places[1]);
  JointRule rule = whole_rule(e);
  rule.along_line = true;
  rule.frame_low = false;
  const double start = vec3_norm(apart);
  double length = j->length < 0 ? start : j->length;
  // a rigid line is not stretched or pressed by the rounding of its length
  const bool rigid = isinf(rule.stiffness[JOINT_NORMAL]);
  if (rigid && rule.push == 0) length = larger_of(length, start);
  else if (rigid && rule.tension == 0) length = smaller_of(length, start);
  const int row = e->next;
  add_row(e, j->places[0], j->places[1], unit_of(apart), rule);
  e->c->joint_rows[row].length = length;
}

// Normals of a pin hold nothing.
static JointRule pin_of(JointRule rule)
{
  rule.tension = rule.push = 0;
  return rule;
}

static void add_rows(Expansion *e)
{
  static const double half_root_3 = 0.86602540378443864676;
  const JointRule rule = whole_rule(e), third = scaled(rule, OF_THREE);
  switch (e->joint->kind) {
  case JOINT_HINGE:
    // a ball and a pin would do, and take the solver many times the iterations
    add_point(e, -1, 0, 0, scaled(rule, 0.5));
    add_point(e, 1, 0, 0, scaled(rule, 0.5));
    return;
  case JOINT_SLIDER:
    add_point(e, -0.5, 0, 0, pin_of(third));
    add_point(e, 0.5, 0, 0, pin_of(third));
    add_point(e, 0, 1, 0, pin_of(third));
    return;
  case JOINT_WELD:
    add_point(e, 0, 1, 0, third);
    add_point(e, 0, -0.5, half_root_3, third);
    add_point(e, 0, -0.5, -half_root_3, third);
    return;
  case JOINT_SERVO:
    add_row(e, (vec3){0}, (vec3){0}, e->axis, rule);
    add_row(e, (vec3){0}, (vec3){0}, vec3_neg(e->axis), rule);
    return;
  case JOINT_BALL:
  case JOINT_DOWEL:
  case JOINT_PIN:
  case JOINT_ROLLER: add_point(e, 0, 0, 0, rule); return;
  default: add_line(e); return;
  }
}

// Reach of a shape about the middle of its box, m; each is measured once.
static double reach_of(const Case *c, int shape, double *reaches)
{
  assert(shape >= 0 && shape < c->shape_count && "a shape has a number");
  if (reaches[shape] > 0) return reaches[shape];
  vec3 low, high;
  recipe_bounds(&c->shapes[shape], &low, &high);
  const double half = 0.5 * vec3_norm(vec3_sub(high, low));
  reaches[shape] = smaller_of(half, recipe_reach(&c->shapes[shape]));
  return reaches[shape];
}

static double spread_of(const Expansion *e, double *reaches)
{
  double least = INFINITY;
  for (int i = 0; i < 2; i++)
    if (e->ids[i] != BODIES_SPACE)
      least = smaller_of(least, reach_of(e->c, scene_body(e->c, e->ids[i]).shape, reaches));
  assert(least > 0 && least < INFINITY && "a joint has a body");
  return SPREAD * least;
}

// A message in the case's arena: file, line, joint, bodies, reason.
static const char *refuse(const Case *c, const Joint *joint, const char *reason)
{
  const char *path = c->path ? c->path : "case";
  const uint64_t second = end_id(c, joint->ends[1]);
  const char *other = second == BODIES_SPACE ? phrase_make(c->arena, "space")
                                             : phrase_make(c->arena, "body %" PRIu64, second);
  return phrase_make(c->arena, "%s:%d: joint%s%s%s between body %" PRIu64 " and %s: %s", path,
                     joint->line, *joint->name ? " '" : "", joint->name, *joint->name ? "'" : "",
                     end_id(c, joint->ends[0]), other, reason);
}

static int compare_pairs(const void *p, const void *q)
{
  return id_pair_compare(*(const IdPair *)p, *(const IdPair *)q);
}

// Pairs of bodies that pass through each other, each once, ascending.
static void make_passes(Case *c)
{
  assert(c->pass_count == 0 && "passes are made once");
  int count = 0, capacity = 0;
  for (int j = 0; j < c->joint_count; j++) {
    const Joint *joint = &c->joints[j];
    if (!joint->passes || joint->ends[1].group < 0) continue;
    const IdRange a = scene_siblings(c, end_id(c, joint->ends[0])),
                  b = scene_siblings(c, end_id(c, joint->ends[1]));
    for (uint64_t i = a.first; i < a.end; i++)
      for (uint64_t k = b.first; k < b.end; k++) {
        c->passes =
            arena_grow(c->arena, c->passes, (int64_t)count + 1, &capacity, sizeof *c->passes);
        c->passes[count++] = id_pair_of(i, k);
      }
  }
  if (count > 0) qsort(c->passes, (size_t)count, sizeof *c->passes, compare_pairs);
  for (int i = 0; i < count; i++)
    if (i == 0 || !id_pair_equal(c->passes[i], c->passes[c->pass_count - 1]))
      c->passes[c->pass_count++] = c->passes[i];
}

// The step before which the last of a joint's bodies appears.
static int64_t begin_of(const Case *c, const Joint *joint)
{
  int64_t begin = 0;
  for (int i = 0; i < 2; i++) {
    const uint64_t id = end_id(c, joint->ends[i]);
    const int64_t birth = id == BODIES_SPACE ? 0 : scene_birth(c, id);
    if (birth > begin) begin = birth;
  }
  return begin;
}

// A row and when it begins.
typedef struct {
  int64_t begin;
  int row;
} Beginning;

static int compare_beginnings(const void *p, const void *q)
{
  const Beginning *a = p, *b = q;
  return a->begin != b->begin ? (a->begin > b->begin) - (a->begin < b->begin) : a->row - b->row;
}

static void make_order(Case *c, Arena *scratch)
{
  assert(c->joint_rows != NULL && "rows are made");
  const size_t rows = (size_t)c->joint_row_count;
  Beginning *all = arena_allocate(scratch, rows * sizeof *all);
  for (int k = 0; k < c->joint_row_count; k++) all[k] = (Beginning){c->joint_rows[k].begin, k};
  qsort(all, rows, sizeof *all, compare_beginnings);
  int *order = arena_allocate(c->arena, rows * sizeof *order);
  for (size_t k = 0; k < rows; k++) order[k] = all[k].row;
  c->joint_order = order;
}

static void expand(Case *c, Arena *scratch)
{
  double *reaches = arena_allocate_zero(scratch, (size_t)c->shape_count, sizeof *reaches);
  Expansion e = {.c = c};
  for (int j = 0; j < c->joint_count; j++) {
    const Joint *joint = e.joint = &c->joints[j];
    e.number = j;
    for (int i = 0; i < 2; i++) e.ids[i] = end_id(c, joint->ends[i]);
    e.axis = vec3_norm(joint->axis) > 0 ? unit_of(joint->axis) : (vec3){0, 0, 1};
    e.spread = row_counts[joint->kind] > 1 ? spread_of(&e, reaches) : 0;
    add_rows(&e);
    assert(e.next == joint->first_row + joint->row_count && "a kind has its number of rows");
    const int64_t begin = begin_of(c, joint);
    for (int k = joint->first_row; k < e.next; k++) c->joint_rows[k].begin = begin;
  }
}

const char *joint_rows_make(Case *c)
{
  assert(c->joint_count >= 0 && (c->joints != NULL || c->joint_count == 0) && "joints are read");
  c->joint_row_count = c->pass_count = 0;
  if (c->joint_count == 0) return NULL;
  for (int j = 0; j < c->joint_count; j++) {
    Joint *joint = &c->joints[j];
    assert((int)joint->kind >= 0 && joint->kind < JOINT_KIND_COUNT && "a joint has a kind");
    joint->first_row = c->joint_row_count;
    joint->row_count = row_counts[joint->kind];
    assert(c->joint_row_count <= INT32_MAX - joint->row_count && "rows are counted by an int");
    c->joint_row_count += joint->row_count;
  }
  const size_t rows = (size_t)c->joint_row_count;
  for (int k = 0; k < c->servo_count; k++) c->servos[k].id = end_id(c, c->servos[k].on);
  c->joint_rows = arena_allocate_zero(c->arena, rows, sizeof *c->joint_rows);
  c->joint_rules = arena_allocate_zero(c->arena, rows, sizeof *c->joint_rules);
  Arena scratch = arena_new();
  const char *refusal = NULL;
  expand(c, &scratch);
  make_order(c, &scratch);
  JointConflict conflict;
  if (joint_conflict_find(c, &scratch, &conflict))
    refusal = refuse(c, &c->joints[conflict.joint],
                     phrase_make(c->arena,
                                 "with other joints%s it holds body %" PRIu64
                                 " at points that move apart from the start on, by %.3g m/s",
                                 scene_body(c, conflict.body).guide ? " and its 'motion'" : "",
                                 conflict.body, conflict.speed));
  if (!refusal) make_passes(c);
  arena_destroy(&scratch);
  return refusal;
}
