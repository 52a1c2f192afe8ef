// Evaluates the forces and torques of the case on its bodies.
#include "loads.h"

#include <assert.h>

#include "check.h"
#include "scene.h"

LoadValues loads_at_middle(const World *world, Arena *arena)
{
  assert(world->step >= 0 && world->c->load_count >= 0 && "loads have a time");
  const Case *c = world->c;
  const double time = ((double)world->step + 0.5) * c->step;
  const size_t count = (size_t)c->load_count + 1;
  vec3 *forces = arena_allocate(arena, count * sizeof *forces),
       *torques = arena_allocate(arena, count * sizeof *torques);
  for (int k = 0; k < c->load_count; k++) {
    forces[k] = time_vector_at(&c->loads[k].force, time);
    torques[k] = time_vector_at(&c->loads[k].torque, time);
  }
  return (LoadValues){forces, torques};
}

LoadSum loads_on(World *world, const LoadValues *values, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  LoadSum sum = {{0, 0, 0}, {0, 0, 0}};
  const Bodies *b = &world->bodies;
  const BodyGroup *group = scene_group(world->c, b->id[row]);
  if (group->load_count == 0 || b->drive[row] != DRIVE_DYNAMIC) return sum;
  const Shape *shape = shape_set_get(&world->shapes, b->shape[row]);
  const mat3 r = quat_to_mat3(b->orientation[row]);
  for (int k = 0; k < group->load_count; k++) {
    const int number = group->loads[k];
    assert_debug(number >= 0 && number < world->c->load_count && "a load of the case");
    const BodyLoad *load = &world->c->loads[number];
    vec3 force = values->forces[number], torque = values->torques[number];
    if (load->follows) {
      force = mat3_mul(r, force);
      torque = mat3_mul(r, torque);
    }
    if (load->has_at) {
      const vec3 arm = mat3_mul(r, vec3_sub(load->at, shape->center));
      torque = vec3_add(torque, vec3_cross(arm, force));
    }
    sum.force = vec3_add(sum.force, force);
    sum.torque = vec3_add(sum.torque, torque);
  }
  return sum;
}

LoadSum *loads_on_all(World *world, Arena *arena)
{
  if (world->c->load_count == 0) return NULL;
  const LoadValues values = loads_at_middle(world, arena);
  const int rows = world->bodies.table.count;
  LoadSum *sums = arena_allocate(arena, ((size_t)rows + 1) * sizeof *sums);
  for (int i = 0; i < rows; i++) sums[i] = loads_on(world, &values, i);
  return sums;
}

MotionChange loads_change(World *world, LoadSum load, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  const mat3 inertia = motion_inertia(&world->bodies, row, &world->shapes, world->densities);
  return motion_change(&world->bodies, row, inertia, load, world->c->step);
}
