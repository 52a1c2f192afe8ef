#include "loads.h"

#include "scene.h"

LoadValues loads_at_middle(const World *world, Arena *arena)
{
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
  LoadSum sum = {{0, 0, 0}, {0, 0, 0}};
  const Bodies *b = &world->bodies;
  const BodyGroup *group = scene_group(world->c, b->id[row]);
  if (group->load_count == 0 || b->kind[row] != BODY_DYNAMIC) return sum;
  const Shape *shape = shape_set_get(&world->shapes, b->shape[row]);
  const mat3 r = quat_to_mat3(b->orientation[row]);
  for (int k = 0; k < group->load_count; k++) {
    const int number = group->loads[k];
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

DetectChange loads_change(World *world, LoadSum load, int row)
{
  const Bodies *b = &world->bodies;
  const double h = world->c->step;
  if (vec3_norm(load.force) == 0 && vec3_norm(load.torque) == 0) return (DetectChange){.way = 0};
  const mat3 inertia = motion_inertia(b, row, &world->shapes, world->densities);
  const mat3 r = quat_to_mat3(b->orientation[row]);
  const vec3 body_torque = mat3_mul_transposed(r, load.torque);
  const vec3 spin = mat3_mul(r, mat3_mul(mat3_inverse(inertia), body_torque));
  return (DetectChange){vec3_scale(h / b->mass[row], load.force), vec3_scale(h, spin), 0};
}

double loads_work(LoadSum load, Twist start, Twist end, double step)
{
  const vec3 v = vec3_add(start.v, end.v), w = vec3_add(start.w, end.w);
  return 0.5 * step * (vec3_dot(load.force, v) + vec3_dot(load.torque, w));
}
