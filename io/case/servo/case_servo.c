// Reads servos.
#include "case_servo.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "case_selection.h"
#include "case_time.h"
#include "group.h"
#include "guided.h"

#define MOST_SERVOS 1000

static const NumberRule speed_rule = {1e-12, 1e6, "a speed from 1e-12 to 1e6 m/s"};
static const NumberRule area_rule = {1e-12, 1e12, "an area from 1e-12 to 1e12 m2"};

// x, -y and so on: the number of the axis, and the sign of what looks along it.
static int read_axis(CaseReader *reader, const CaseNode *node, double *sign)
{
  static const char *const words[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
  if (!node || reader->failed) return 0;
  int k = 0;
  while (words[k] && !case_value_is_word(node, words[k])) k++;
  char found[TREE_FOUND_BYTES];
  if (!words[k])
    case_tree_fail(reader, node, "expected one of x, y, z, -x, -y, -z, found %s",
                   case_tree_found(node, found));
  *sign = k < 3 ? 1 : -1;
  return k % 3;
}

// The face of a box along an axis, m2; 0: the body is no box along the axes.
static double face_of(const BodyGroup *group, int axis)
{
  const ShapeRecipe *shape = &group->shape;
  const quat q = group->turn;
  const bool straight = q.x == 0 && q.y == 0 && q.z == 0;
  const bool one_shape = group->kind == GROUP_BODY || group->kind == GROUP_GRID;
  if (!one_shape || !straight || shape->part_count != 1 || shape->surface_alone) return 0;
  const PartRecipe *part = &shape->parts[0];
  if (part->count != 8 || part->triangle_count > 0) return 0;
  vec3 low = part->points[0], high = low;
  for (int i = 1; i < 8; i++) {
    low = vec3_min(low, part->points[i]);
    high = vec3_max(high, part->points[i]);
  }
  for (int i = 0; i < 8; i++) {
    const vec3 p = part->points[i];
    if ((p.x != low.x && p.x != high.x) || (p.y != low.y && p.y != high.y) ||
        (p.z != low.z && p.z != high.z))
      return 0;
  }
  const vec3 side = vec3_sub(high, low);
  return axis == 0 ? side.y * side.z : axis == 1 ? side.x * side.z : side.x * side.y;
}

// The force, or a pressure with its area; known: the area of the case, 0: none.
static void read_force(CaseReader *reader, const CaseNode *entry, const Case *c, double known,
                       Servo *servo)
{
  const CaseNode *force = case_tree_find(entry, "force"),
                 *pressure = case_tree_find(entry, "pressure"),
                 *area = case_tree_find(entry, "area");
  if (reader->failed) return;
  if (force && pressure)
    case_tree_fail(reader, force, "expected one of 'force' and 'pressure', found both");
  else if (!force && !pressure)
    case_tree_fail(reader, entry, "expected 'force' or 'pressure', found none");
  else if (force && area)
    case_tree_fail(reader, area, "an area goes with 'pressure', and 'force' is given");
  if (reader->failed) return;
  const CaseNode *node = force ? force : pressure;
  servo->force = case_time_read(reader, node, force ? TIME_THRUST : TIME_PRESSURE, c);
  const BodyGroup *group = &c->groups[servo->on.group];
  const double face = known > 0 ? known : face_of(group, servo->axis);
  servo->is_pressure = !force;
  servo->area = force ? 1 : case_value_number(reader, area, &area_rule, face);
  if (!reader->failed && !(servo->area > 0))
    case_tree_fail(reader, pressure,
                   "the body is no box along the axes, whose face is known: expected 'area' beside "
                   "it, in m2");
}

// What moves otherwise along the axis.
static void check_body(CaseReader *reader, const CaseNode *node, const CaseNode *axis,
                       const Case *c, const Servo *servo)
{
  if (reader->failed) return;
  const BodyGroup *group = &c->groups[servo->on.group];
  if (group->fixed || group->motion || servo->on.index >= group_size(group).dynamic)
    case_tree_fail(reader, node, "'%s' is %s: a servo moves bodies that are free along its axis",
                   group->name, group->motion ? "moved by its 'motion'" : "fixed");
  else if (group->guide && guided_holds(group->guide->held, servo->axis))
    case_tree_fail(reader, axis, "'motion' of '%s' (line %d) does not leave %c free", group->name,
                   group->line, "xyz"[servo->axis]);
  for (int k = 0; k < c->servo_count && !reader->failed; k++) {
    const Servo *other = &c->servos[k];
    if (other->on.group == servo->on.group && other->on.index == servo->on.index &&
        other->axis == servo->axis)
      case_tree_fail(reader, axis, "the servo of line %d moves this body along %c already",
                     other->line, "xyz"[servo->axis]);
  }
}

static Servo read_servo(BodySelector *selector, const CaseNode *node)
{
  CaseReader *reader = selector->reader;
  const Case *c = selector->c;
  static const char *const keys[] = {"on", "axis", "force", "pressure", "area", "speed", NULL};
  Servo servo = {.on = {0, 0}, .sign = 1};
  const CaseNode *entry = case_value_mapping(reader, node, keys);
  if (!entry) return servo;
  servo.line = case_tree_line(node);
  const CaseNode *on = case_value_require(reader, entry, "on"),
                 *axis = case_value_require(reader, entry, "axis");
  servo.on = case_selection_one(selector, on);
  servo.axis = read_axis(reader, axis, &servo.sign);
  servo.speed =
      case_value_number(reader, case_value_require(reader, entry, "speed"), &speed_rule, 1);
  check_body(reader, on, axis, c, &servo);
  read_force(reader, entry, c, 0, &servo);
  return servo;
}

void case_servo_read(CaseReader *reader, Case *c)
{
  assert(c->servos == NULL && c->servo_count == 0 && "servos are read once");
  const CaseNode *node = case_tree_find(reader->root, "servos");
  const CaseNode *list = case_value_list(reader, node, 0, "a list of servos");
  if (!list || list->count == 0) return;
  if (list->count > MOST_SERVOS) {
    case_tree_fail(reader, node, "more than %d servos", MOST_SERVOS);
    return;
  }
  c->servos = arena_allocate_zero(reader->arena, (size_t)list->count, sizeof *c->servos);
  const size_t joints = (size_t)c->joint_count;
  Joint *all = arena_allocate_zero(reader->arena, joints + (size_t)list->count, sizeof *all);
  if (joints > 0) memcpy(all, c->joints, joints * sizeof *all);
  c->joints = all;
  BodySelector selector = case_selection_begin(reader, c);
  for (int i = 0; i < list->count && !reader->failed; i++) {
    const Servo servo = read_servo(&selector, list->members[i]);
    if (reader->failed) return;
    const double along[3] = {servo.axis == 0, servo.axis == 1, servo.axis == 2};
    c->servos[c->servo_count++] = servo;
    c->joints[c->joint_count++] = (Joint){.kind = JOINT_SERVO,
                                          .name = "",
                                          .line = servo.line,
                                          .ends = {servo.on, {-1, 0}},
                                          .axis = {along[0], along[1], along[2]},
                                          .push = INFINITY,
                                          .stiffness = {INFINITY, INFINITY},
                                          .speed = servo.speed};
  }
}

// The servo of the case that an entry of a stage means; NULL after a failure.
static Servo *find_servo(BodySelector *selector, const CaseNode *entry, Case *stage)
{
  CaseReader *reader = selector->reader;
  const CaseNode *on = case_value_require(reader, entry, "on"),
                 *axis = case_tree_find(entry, "axis");
  const JointEnd body = case_selection_one(selector, on);
  double sign = 0;
  const int along = read_axis(reader, axis, &sign);
  if (reader->failed) return NULL;
  Servo *found = NULL;
  int count = 0;
  for (int k = 0; k < stage->servo_count; k++) {
    Servo *servo = &stage->servos[k];
    if (servo->on.group != body.group || servo->on.index != body.index) continue;
    if (axis && (servo->axis != along || servo->sign != sign)) continue;
    found = servo;
    count++;
  }
  if (count == 0)
    case_tree_fail(
        reader, axis ? axis : on,
        "no servo of the case moves this body%s: 'servos' of a stage change the force of "
        "those of the case",
        axis ? " along this axis" : "");
  else if (count > 1)
    case_tree_fail(reader, on, "%d servos move this body: expected 'axis' beside it", count);
  return reader->failed ? NULL : found;
}

void case_servo_read_stage(CaseReader *reader, const CaseNode *node, Case *stage)
{
  static const char *const keys[] = {"on", "axis", "force", "pressure", "area", NULL};
  assert(stage->stage_name != NULL && "a stage has a name");
  const CaseNode *list = case_value_list(reader, node, 1, "a list of servos");
  if (!list) return;
  const size_t count = (size_t)stage->servo_count;
  Servo *own = arena_allocate_zero(reader->arena, count + 1, sizeof *own);
  if (count > 0) memcpy(own, stage->servos, count * sizeof *own);
  stage->servos = own;
  BodySelector selector = case_selection_begin(reader, stage);
  for (int i = 0; i < list->count && !reader->failed; i++) {
    const CaseNode *entry = case_value_mapping(reader, list->members[i], keys);
    Servo *servo = find_servo(&selector, entry, stage);
    if (!servo) return;
    const int line = case_tree_line(list->members[i]);
    if (servo->stage_line > 0) {
      case_tree_fail(reader, list->members[i], "the entry of line %d says what this servo does",
                     servo->stage_line);
      return;
    }
    servo->stage_line = line;
    const double area = case_tree_find(entry, "pressure") && servo->is_pressure ? servo->area : 0;
    read_force(reader, entry, stage, area, servo);
  }
}
