// Evaluates the forces and torques of the case on its bodies.
#include "loads.h"

#include <assert.h>

#include "check.h"
#include "kind.h"
#include "scene.h"

LoadValues loads_at_middle(const World *world, Arena *arena)
{
  assert(world->step >= 0 && world->c->load_count >= 0 && "loads have a time");
  const Case *c = world->c;
  const double time = world_time(world, 0.5);
  const size_t count = (size_t)c->load_count + 1;
  vec3 *forces = arena_allocate(arena, count * sizeof *forces),
       *torques = arena_allocate(arena, count * sizeof *torques);
  for (int k = 0; k < c->load_count; k++) {
    forces[k] = time_vector_at(&c->loads[k].force, time);
    torques[k] = time_vector_at(&c->loads[k].torque, time);
  }
  return (LoadValues){forces, torques};
}

// How often a body has a load.
static double portion(const Bodies *b, const BodyLoad *load, int row)
{
  return load->per == LOAD_PER_GROUP ? load->share : b->mass[row];
}

// A load of the case on one body.
typedef struct {
  vec3 force, torque;   // world axes, N and N m
  bool has_place;       // else the force acts on the centre of mass
  vec3 place;           // of the force, from the centre of mass, body frame, m
} ActingLoad;

static ActingLoad acting_load(World *world, const LoadValues *values, int number, int row,
                              mat3 rotation)
{
  assert_debug(number >= 0 && number < world->c->load_count && "a load of the case");
  const BodyLoad *load = &world->c->loads[number];
  ActingLoad acting = {.force = values->forces[number],
                       .torque = values->torques[number],
                       .has_place = load->has_at};
  if (load->per != LOAD_PER_BODY) {
    const double times = portion(&world->bodies, load, row);
    acting.force = vec3_scale(times, acting.force);
    acting.torque = vec3_scale(times, acting.torque);
  }
  if (load->follows) {
    acting.force = mat3_mul(rotation, acting.force);
    acting.torque = mat3_mul(rotation, acting.torque);
  }
  if (load->has_at) {
    const Shape *shape = shape_set_get(&world->shapes, world->bodies.shape[row]);
    acting.place = vec3_sub(load->at, shape->center);
  }
  return acting;
}

LoadSum loads_on(World *world, const LoadValues *values, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  LoadSum sum = {{0, 0, 0}, {0, 0, 0}};
  const Bodies *b = &world->bodies;
  const LoadSpan *span = scene_loads(world->c, b->id[row]);
  if (!span || b->drive[row] != DRIVE_DYNAMIC) return sum;
  const mat3 r = quat_to_mat3(b->orientation[row]);
  for (int k = 0; k < span->count; k++) {
    const ActingLoad load = acting_load(world, values, span->loads[k], row, r);
    vec3 torque = load.torque;
    if (load.has_place) torque = vec3_add(torque, vec3_cross(mat3_mul(r, load.place), load.force));
    sum.force = vec3_add(sum.force, load.force);
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

// What acts on a row that deforms, but temperature.
static DeformingLoad deforming_load(World *world, const LoadValues *values, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  DeformingLoad sum = {.couple = {0, 0, 0}};
  const Bodies *b = &world->bodies;
  const LoadSpan *span = scene_loads(world->c, b->id[row]);
  if (!span || b->drive[row] != DRIVE_DYNAMIC) return sum;
  const mat3 r = quat_to_mat3(b->orientation[row]);
  for (int k = 0; k < span->count; k++) {
    const ActingLoad load = acting_load(world, values, span->loads[k], row, r);
    sum.couple = vec3_add(sum.couple, load.torque);
    if (!load.has_place) continue;
    const mat3 dyad = {{vec3_scale(load.force.x, load.place), vec3_scale(load.force.y, load.place),
                        vec3_scale(load.force.z, load.place)}};
    sum.dyad = mat3_add(sum.dyad, dyad);
  }
  return sum;
}

double loads_temperature(const Case *c, uint64_t id, double time)
{
  assert_debug(time >= 0 && "a run begins at 0");
  const LoadSpan *span = scene_loads(c, id);
  double sum = 0;
  for (int k = 0; span && k < span->count; k++)
    sum += time_vector_at(&c->loads[span->loads[k]].temperature, time).x;
  return sum;
}

MotionChange loads_change(World *world, LoadSum load, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  const mat3 inertia = motion_inertia(&world->bodies, row, &world->shapes, world->densities);
  return motion_change(&world->bodies, row, inertia, load, world_interval(world));
}

// ------------------------------------------------------------------------------------------------
// Bodies that deform.

static DeformingLoad *deforming_loads(World *world, Arena *arena)
{
  if (world->c->load_count == 0) return NULL;
  const LoadValues values = loads_at_middle(world, arena);
  const int rows = world->bodies.table.count;
  DeformingLoad *loads = arena_allocate_zero(arena, (size_t)rows + 1, sizeof *loads);
  for (int i = 0; i < rows; i++) {
    if (kind_nodes(&world->bodies, i) == 0) continue;
    loads[i] = deforming_load(world, &values, i);
    for (int k = 0; k < 3; k++)
      loads[i].temperature[k] =
          loads_temperature(world->c, world->bodies.id[i], world_time(world, 0.5 * k));
  }
  return loads;
}

const Deforming *loads_begin_deforming(World *world, Arena *arena)
{
  assert(world->step >= 0 && "steps are counted from zero");
  if (!world->c->deforms) return NULL;
  const int rows = world->bodies.table.count;
  // one row of them is space, which joints may add behind the others and which has no nodes
  const size_t room = (size_t)rows + 1;
  int *first = arena_allocate_zero(arena, room + 1, sizeof *first);
  for (int i = 0; i < rows; i++) {
    const bool moves = world->bodies.drive[i] == DRIVE_DYNAMIC;
    first[i + 1] = first[i] + (moves ? kind_nodes(&world->bodies, i) : 0);
  }
  first[room] = first[rows];
  const size_t nodes = (size_t)first[rows] + 1;
  Deforming *deforming = arena_allocate(arena, sizeof *deforming);
  *deforming = (Deforming){.first = first,
                           .start = arena_allocate(arena, nodes * sizeof(vec3)),
                           .end = arena_allocate(arena, nodes * sizeof(vec3)),
                           .loads = deforming_loads(world, arena),
                           .works = arena_allocate_zero(arena, room, sizeof(AffineWorks))};
  return deforming;
}

void loads_add_works(const World *world, const Deforming *deforming, ExactSum *sums)
{
  assert(deforming->first != NULL && deforming->works != NULL && "a step has been done");
  for (int i = 0; i < world->bodies.table.owned; i++) {
    if (deforming->first[i] == deforming->first[i + 1]) continue;
    exact_sum_add(&sums[LOADS_DAMPING], deforming->works[i].damping);
    exact_sum_add(&sums[LOADS_SCHEME], deforming->works[i].scheme);
    exact_sum_add(&sums[LOADS_STRAIN], deforming->works[i].load);
  }
}

double loads_elastic_energy(const World *world, int row)
{
  const double temperature =
      loads_temperature(world->c, world->bodies.id[row], world_time(world, 0));
  return motion_elastic_energy(&world->bodies, row, temperature);
}

void loads_fill_tensors(World *world)
{
  Bodies *b = &world->bodies;
  if (!b->strain) return;
  for (int i = 0; i < b->table.owned; i++)
    motion_fill_tensors(b, i, loads_temperature(world->c, b->id[i], world_time(world, 0)));
}
