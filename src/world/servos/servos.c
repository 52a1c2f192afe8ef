// Evaluates servos of the case.
#include "servos.h"

#include <assert.h>

#include "check.h"

// A unit vector out of what the body presses.
static vec3 outwards(const Servo *servo)
{
  assert_debug(servo->axis >= 0 && servo->axis < 3 && "a servo has an axis");
  const double s = servo->sign;
  return (vec3){servo->axis == 0 ? s : 0, servo->axis == 1 ? s : 0, servo->axis == 2 ? s : 0};
}

// The force on the body at rest by which what it touches pushes back with the force that is wanted:
// its weight along the axis is no part of it.
static vec3 force_of(const ServoTime *at, const Servo *servo, double mass)
{
  const vec3 out = outwards(servo);
  const double wanted = servo->area * time_vector_at(&servo->force, at->time).x;
  return vec3_scale(-(wanted + mass * vec3_dot(at->gravity, out)), out);
}

LoadSum servos_on(const ServoTime *at, int row, LoadSum loads)
{
  assert_debug(row >= 0 && row < at->bodies->table.count && "a row of the table");
  const Bodies *b = at->bodies;
  for (int k = 0; k < at->c->servo_count; k++) {
    const Servo *servo = &at->c->servos[k];
    if (servo->id == b->id[row])
      loads.force = vec3_add(loads.force, force_of(at, servo, b->mass[row]));
  }
  return loads;
}

LoadSum *servos_on_all(const ServoTime *at, LoadSum *loads, Arena *arena)
{
  assert(at->c->servo_count >= 0 && "servos are counted");
  if (at->c->servo_count == 0) return loads;
  const Bodies *b = at->bodies;
  if (!loads) loads = arena_allocate_zero(arena, (size_t)b->table.count + 1, sizeof *loads);
  for (int i = 0; i < b->table.count; i++) loads[i] = servos_on(at, i, loads[i]);
  return loads;
}

void servos_add_work(const ServoTime *at, const Joints *joints, const Twist *start, double interval,
                     ServoSums to)
{
  assert(interval > 0 && "a servo acts for a time");
  const Bodies *b = at->bodies;
  for (int k = 0; k < at->c->servo_count; k++) {
    const Servo *servo = &at->c->servos[k];
    const int row = bodies_find(b, servo->id);
    if (row < 0 || row >= b->table.owned) continue;
    const LoadSum force = {force_of(at, servo, b->mass[row]), {0, 0, 0}};
    const double work = motion_work_of_load(b, row, force, start[row], interval);
    exact_sum_add(to.servos, work);
    exact_sum_add(to.loads, -work);
  }
  for (int i = 0; i < joints->table.owned; i++) {
    if (!(joints_rule(joints, i)->speed > 0)) continue;
    const int row = bodies_find(b, joints->bodies[i].low);
    assert(row >= 0 && row < b->table.owned && "the body of a servo owns its rows");
    const vec3 both = vec3_add(start[row].v, b->velocity[row]);
    const double work = 0.5 * vec3_dot(joints->reaction[i], both);
    exact_sum_add(to.servos, work);
    exact_sum_add(to.joints, -work);
  }
}
