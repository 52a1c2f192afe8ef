// Evaluates the forces and torques of the case on its bodies.
#include "loads.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "finite_loads.h"
#include "kind.h"
#include "load_ray.h"
#include "parallel.h"
#include "scene.h"
#include "search.h"

// ------------------------------------------------------------------------------------------------
// Wheels

enum { CELLS_ALONG = 8, CELLS_ACROSS = 4, MOST_CELLS = CELLS_ALONG * CELLS_ACROSS };

// A wheel that pushes: its rays begin in the middles of equal cells of the patch.
typedef struct {
  int load;
  vec3 force, way;   // N; unit
  int count;
  vec3 from[MOST_CELLS];   // m
  double deepest;          // m beyond the nearest ground, from where on it is no ground
} WheelRays;

// Unit vector of what of v is across a unit way; of any across it where nothing is.
static vec3 across(vec3 v, vec3 way)
{
  const vec3 flat = vec3_axpy(-vec3_dot(v, way), way, v);
  const double length = vec3_norm(flat);
  if (length > 1e-9) return vec3_scale(1 / length, flat);
  const vec3 other = way.x * way.x < 0.5 ? vec3_new(1, 0, 0) : vec3_new(0, 1, 0);
  const vec3 any = vec3_cross(way, other);
  return vec3_scale(1 / vec3_norm(any), any);
}

static WheelRays wheel_rays(const BodyLoad *load, int number, vec3 force, double time)
{
  const WheelPlace at = load_ray_wheel(load->wheel, time);
  const double size = vec3_norm(force);
  WheelRays rays = {.load = number, .force = force};
  if (!at.stands || !(size > 0)) return rays;
  rays.way = vec3_scale(1 / size, force);
  const double length = load->wheel->length, width = load->wheel->width;
  const vec3 ahead = across(at.heading, rays.way), aside = vec3_cross(rays.way, ahead);
  const int along = length > 0 ? CELLS_ALONG : 1, beside = width > 0 ? CELLS_ACROSS : 1;
  rays.deepest = larger_of(length, width);
  for (int i = 0; i < along; i++)
    for (int j = 0; j < beside; j++) {
      const vec3 row = vec3_axpy(length * ((i + 0.5) / along - 0.5), ahead, at.place);
      rays.from[rays.count++] = vec3_axpy(width * ((j + 0.5) / beside - 0.5), aside, row);
    }
  return rays;
}

// The nearest own body below each ray: less its distance, and its id.
static void find_below(World *world, const WheelRays *rays, ParFirst *below)
{
  const Bodies *b = &world->bodies;
  const BodySelection *on = &world->c->loads[rays->load].wheel->on;
  for (int k = 0; k < rays->count; k++) below[k] = (ParFirst){-INFINITY, UINT64_MAX, 0};
  for (int i = 0; i < b->table.owned && rays->count > 0; i++) {
    const Shape *shape = shape_set_get(&world->shapes, b->shape[i]);
    const vec3 to = vec3_sub(rays->from[0], b->position[i]);
    const vec3 aside = vec3_axpy(-vec3_dot(to, rays->way), rays->way, to);
    if (vec3_norm(aside) > shape->radius + 2 * rays->deepest) continue;
    if (!scene_selects(world->c, on, b->id[i])) continue;
    const mat3 r = quat_to_mat3(b->orientation[i]);
    const vec3 way = mat3_mul_transposed(r, rays->way);
    for (int k = 0; k < rays->count; k++) {
      const vec3 from = mat3_mul_transposed(r, vec3_sub(rays->from[k], b->position[i]));
      const ParFirst found = {-load_ray_enters(shape, from, way), b->id[i], 0};
      if (par_comes_first(found, below[k])) below[k] = found;
    }
  }
}

static int compare_touches(const void *p, const void *q)
{
  const WheelTouch *a = p, *b = q;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  if (a->load != b->load) return a->load < b->load ? -1 : 1;
  // rays of one wheel differ in place
  const double u[3] = {a->place.x, a->place.y, a->place.z};
  const double v[3] = {b->place.x, b->place.y, b->place.z};
  for (int k = 0; k < 3; k++)
    if (u[k] != v[k]) return u[k] < v[k] ? -1 : 1;
  return 0;
}

// Each ray that finds ground no deeper than the patch is large has an equal part of the force.
static int touch_below(const WheelRays *rays, const ParFirst *below, WheelTouch *touches)
{
  double nearest = INFINITY;
  for (int k = 0; k < rays->count; k++) nearest = smaller_of(nearest, -below[k].size);
  if (!(nearest < INFINITY)) return 0;
  int count = 0;
  for (int k = 0; k < rays->count; k++) {
    const double far = -below[k].size;
    if (!(far <= nearest + rays->deepest)) continue;
    touches[count++] = (WheelTouch){
        .id = below[k].low, .load = rays->load, .place = vec3_axpy(far, rays->way, rays->from[k])};
  }
  for (int k = 0; k < count; k++) touches[k].force = vec3_scale(1.0 / count, rays->force);
  return count;
}

// Collective. Where wheels push at a time, on bodies as they are now.
static void wheels_find(World *world, double time, LoadValues *values, Arena *arena)
{
  const Case *c = world->c;
  const size_t room = (size_t)c->wheel_count;
  WheelRays *wheels = arena_allocate(arena, room * sizeof *wheels);
  ParFirst *below = arena_allocate(arena, room * MOST_CELLS * sizeof *below);
  WheelTouch *touches = arena_allocate(arena, room * MOST_CELLS * sizeof *touches);
  int count = 0, rays = 0;
  for (int k = 0; k < c->load_count; k++) {
    if (!c->loads[k].wheel) continue;
    wheels[count] = wheel_rays(&c->loads[k], k, values->forces[k], time);
    find_below(world, &wheels[count], below + rays);
    rays += wheels[count++].count;
  }
  const Reduction all = {REDUCE_FIRST, below, rays};
  par_reduce(&all, 1);
  rays = 0;
  for (int w = 0; w < count; w++) {
    const int found = touch_below(&wheels[w], below + rays, touches + values->touch_count);
    if (wheels[w].count > 0 && found == 0 && values->off++ == 0) values->first_off = wheels[w].load;
    values->touch_count += found;
    rays += wheels[w].count;
  }
  qsort(touches, (size_t)values->touch_count, sizeof *touches, compare_touches);
  values->touches = touches;
}

LoadValues loads_at_middle(World *world, Arena *arena)
{
  assert(world->step >= 0 && world->c->load_count >= 0 && "loads have a time");
  const Case *c = world->c;
  const double time = world_time(world, 0.5);
  const size_t count = (size_t)c->load_count + 1;
  vec3 *forces = arena_allocate(arena, count * sizeof *forces),
       *torques = arena_allocate(arena, count * sizeof *torques);
  double *pressures = arena_allocate(arena, count * sizeof *pressures);
  for (int k = 0; k < c->load_count; k++) {
    forces[k] = time_vector_at(&c->loads[k].force, time);
    torques[k] = time_vector_at(&c->loads[k].torque, time);
    pressures[k] = time_vector_at(&c->loads[k].pressure, time).x;
  }
  LoadValues values = {.forces = forces, .torques = torques, .pressures = pressures};
  if (c->wheel_count > 0) wheels_find(world, time, &values, arena);
  return values;
}

LoadValues loads_choose(const Case *c, const LoadValues *all, int load, bool alone, Arena *arena)
{
  assert(load < c->load_count && "a load of the case");
  const size_t count = (size_t)c->load_count + 1;
  vec3 *forces = arena_allocate_zero(arena, count, sizeof *forces);
  vec3 *torques = arena_allocate_zero(arena, count, sizeof *torques);
  double *pressures = arena_allocate_zero(arena, count, sizeof *pressures);
  WheelTouch *touches = arena_allocate(arena, ((size_t)all->touch_count + 1) * sizeof *touches);
  for (int k = 0; k < c->load_count; k++) {
    if ((k == load) != alone) continue;
    forces[k] = all->forces[k];
    torques[k] = all->torques[k];
    pressures[k] = all->pressures[k];
  }
  LoadValues chosen = {
      .forces = forces, .torques = torques, .pressures = pressures, .touches = touches};
  for (int t = 0; t < all->touch_count; t++)
    if ((all->touches[t].load == load) == alone) touches[chosen.touch_count++] = all->touches[t];
  return chosen;
}

// ------------------------------------------------------------------------------------------------
// What acts on one body

// How often a body has a load.
static double portion(const Bodies *b, const BodyLoad *load, int row)
{
  return load->per == LOAD_PER_GROUP ? load->share : b->mass[row];
}

// A force and a torque on one body.
typedef struct {
  vec3 force, torque;      // world axes, N and N m
  bool has_place;          // else the force acts on the centre of mass
  vec3 place;              // of the force, from the centre of mass, body frame, m
  bool pushes;             // it is of a pressure on a face
  int face_count;          // of the first face of a pressure: how many it pushes
  const LoadFace *faces;   // [face_count]
  double pressure;         // Pa
} ActingLoad;

// All that acts on a row.
typedef struct {
  int count, capacity;
  ActingLoad *items;   // [count] loads in their order, then wheels
} ActingLoads;

static void add_load(ActingLoads *all, ActingLoad load, Arena *arena)
{
  all->items =
      arena_grow(arena, all->items, (int64_t)all->count + 1, &all->capacity, sizeof *all->items);
  all->items[all->count++] = load;
}

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

// -p A n at the centroids of the faces that are chosen; they go with the body.
static void add_pressure(World *world, const LoadValues *values, int number, int row,
                         ActingLoads *all)
{
  const BodyLoad *load = &world->c->loads[number];
  const Bodies *b = &world->bodies;
  Arena *arena = &world->scratch;
  if (values->pressures[number] == 0) return;
  const Shape *shape = shape_set_get(&world->shapes, b->shape[row]);
  const mat3 rotation = quat_to_mat3(b->orientation[row]);
  LoadFace *faces;
  const LoadBody body = scene_load_body(world->c, b->id[row], shape);
  const int count = load_faces_find(load->faces, &body, arena, &faces);
  for (int f = 0; f < count; f++) {
    const vec3 force = vec3_scale(-values->pressures[number], mat3_mul(rotation, faces[f].area));
    const ActingLoad push = {.force = force,
                             .has_place = true,
                             .place = faces[f].centroid,
                             .pushes = true,
                             .face_count = f == 0 ? count : 0,
                             .faces = faces,
                             .pressure = values->pressures[number]};
    add_load(all, push, arena);
  }
}

static int order_touch(const void *touch, const void *id)
{
  return ((const WheelTouch *)touch)->id < *(const uint64_t *)id ? -1 : 1;
}

// Loads on a dynamic row; memory of the step.
static ActingLoads loads_of_row(World *world, const LoadValues *values, int row)
{
  const Bodies *b = &world->bodies;
  ActingLoads all = {0};
  if (b->drive[row] != DRIVE_DYNAMIC) return all;
  const uint64_t id = b->id[row];
  const LoadSpan *span = scene_loads(world->c, id);
  const mat3 r = quat_to_mat3(b->orientation[row]);
  for (int k = 0; span && k < span->count; k++) {
    const int number = span->loads[k];
    if (world->c->loads[number].faces) add_pressure(world, values, number, row, &all);
    else add_load(&all, acting_load(world, values, number, row, r), &world->scratch);
  }
  int64_t t =
      search_rows(values->touches, values->touch_count, sizeof *values->touches, &id, order_touch);
  for (; t < values->touch_count && values->touches[t].id == id; t++) {
    const WheelTouch *touch = &values->touches[t];
    const vec3 place = mat3_mul_transposed(r, vec3_sub(touch->place, b->position[row]));
    add_load(&all, (ActingLoad){.force = touch->force, .has_place = true, .place = place},
             &world->scratch);
  }
  return all;
}

LoadSum loads_on(World *world, const LoadValues *values, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  LoadSum sum = {{0, 0, 0}, {0, 0, 0}};
  const ArenaMark mark = arena_mark(&world->scratch);
  const ActingLoads all = loads_of_row(world, values, row);
  const mat3 r = quat_to_mat3(world->bodies.orientation[row]);
  for (int k = 0; k < all.count; k++) {
    const ActingLoad load = all.items[k];
    vec3 torque = load.torque;
    if (load.has_place) torque = vec3_add(torque, vec3_cross(mat3_mul(r, load.place), load.force));
    sum.force = vec3_add(sum.force, load.force);
    sum.torque = vec3_add(sum.torque, torque);
  }
  arena_release(&world->scratch, mark);
  return sum;
}

LoadSum *loads_on_all(World *world, const LoadValues *values, Arena *arena)
{
  world->record.wheels_off = values->off;
  world->record.first_off = values->first_off;
  if (world->c->load_count == 0) return NULL;
  const int rows = world->bodies.table.count;
  LoadSum *sums = arena_allocate(arena, ((size_t)rows + 1) * sizeof *sums);
  for (int i = 0; i < rows; i++) sums[i] = loads_on(world, values, i);
  return sums;
}

void loads_ask_others(World *world, Arena *arena)
{
  world->loaded = NULL;
  if (!world->loading.call) return;
  LoadSum *sums = arena_allocate_zero(arena, (size_t)world->bodies.table.owned + 1, sizeof *sums);
  world->loading.call(world->loading.context, sums);
  world->loaded = sums;
}

LoadSum *loads_add_others(World *world, LoadSum *loads, const HaloPlan *plan, Arena *arena)
{
  if (!world->loaded) return loads;
  const size_t rows = (size_t)world->bodies.table.count;
  LoadSum *others = arena_allocate(arena, (rows + 1) * sizeof *others);
  memcpy(others, world->loaded, (size_t)world->bodies.table.owned * sizeof *others);
  halo_refresh(plan, others, sizeof *others, arena);
  world->loaded = others;
  if (!loads) loads = arena_allocate_zero(arena, rows + 1, sizeof *loads);
  for (size_t i = 0; i < rows; i++) {
    if (world->bodies.drive[i] != DRIVE_DYNAMIC) continue;
    loads[i].force = vec3_add(loads[i].force, others[i].force);
    loads[i].torque = vec3_add(loads[i].torque, others[i].torque);
  }
  return loads;
}

MotionChange loads_change(World *world, LoadSum load, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  const mat3 inertia = motion_inertia(&world->bodies, row, &world->shapes, world->densities);
  return motion_change(&world->bodies, row, inertia, load, world_interval(world));
}

// ------------------------------------------------------------------------------------------------
// Bodies that deform.

// A pressure on faces of a mesh.
static void carry_pressure(const FiniteShape *shape, const ActingLoad *load, vec3 *nodes,
                           Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  FiniteSide *sides = arena_allocate(arena, ((size_t)load->face_count + 1) * sizeof *sides);
  for (int f = 0; f < load->face_count; f++)
    sides[f] = (FiniteSide){load->faces[f].corner_count, load->faces[f].corners};
  const FinitePressure on = {load->face_count, sides, load->pressure};
  finite_loads_add_pressure(shape, &on, nodes);
  arena_release(arena, mark);
}

// Forces that have places act on the nodes around these. What nodes miss of their moments, of
// places beside the mesh, turns the body as a whole.
static void carry_loads(World *world, int row, const ActingLoads *all, vec3 *nodes,
                        DeformingLoad *sum)
{
  assert_debug(nodes != NULL && "nodes have forces");
  const FiniteShape *shape = kind_mesh(&world->bodies, row)->shape;
  const mat3 r = quat_to_mat3(world->bodies.orientation[row]);
  vec3 moment = {0, 0, 0}, force = {0, 0, 0};   // about the centre of mass, body frame
  for (int k = 0; k < all->count; k++) {
    const ActingLoad *load = &all->items[k];
    if (!load->has_place) continue;
    const vec3 own = mat3_mul_transposed(r, load->force);
    moment = vec3_add(moment, vec3_cross(load->place, own));
    if (load->face_count > 0) carry_pressure(shape, load, nodes, &world->scratch);
    else if (!load->pushes) finite_loads_add_force(shape, load->place, own, nodes);
  }
  for (int n = 0; n < shape->mesh.nodes; n++) {
    force = vec3_add(force, nodes[n]);
    moment = vec3_sub(moment, vec3_cross(shape->mesh.place[n], nodes[n]));
  }
  sum->nodes = nodes;
  sum->placed = mat3_mul(r, force);
  sum->couple = vec3_add(sum->couple, mat3_mul(r, moment));
}

static bool any_has_place(const ActingLoads *all)
{
  for (int k = 0; k < all->count; k++)
    if (all->items[k].has_place) return true;
  return false;
}

// What acts on a row that deforms, but temperature; memory of the step.
static DeformingLoad deforming_load(World *world, const LoadValues *values, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  DeformingLoad sum = {.couple = {0, 0, 0}};
  const ActingLoads all = loads_of_row(world, values, row);
  const int nodes = kind_mesh_nodes(&world->bodies, row);
  for (int k = 0; k < all.count; k++) {
    const ActingLoad *load = &all.items[k];
    sum.couple = vec3_add(sum.couple, load->torque);
    if (load->has_place && nodes == 0)
      sum.dyad = mat3_add(sum.dyad, mat3_outer(load->force, load->place));
  }
  if (world->loaded) sum.couple = vec3_add(sum.couple, world->loaded[row].torque);
  if (nodes == 0 || !any_has_place(&all)) return sum;
  vec3 *of_nodes = arena_allocate_zero(&world->scratch, (size_t)nodes, sizeof *of_nodes);
  carry_loads(world, row, &all, of_nodes, &sum);
  return sum;
}

static DeformingLoad *deforming_loads(World *world, const LoadValues *values, Arena *arena)
{
  if (world->c->load_count == 0 && !world->loaded) return NULL;
  const int rows = world->bodies.table.count;
  DeformingLoad *loads = arena_allocate_zero(arena, (size_t)rows + 1, sizeof *loads);
  for (int i = 0; i < rows; i++) {
    if (kind_nodes(&world->bodies, i) == 0) continue;
    loads[i] = deforming_load(world, values, i);
    for (int k = 0; k < 3; k++)
      loads[i].temperature[k] =
          scene_temperature(world->c, world->bodies.id[i], world_time(world, 0.5 * k));
  }
  return loads;
}

const Deforming *loads_begin_deforming(World *world, const LoadValues *values, Arena *arena)
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
                           .loads = deforming_loads(world, values, arena),
                           .works = arena_allocate_zero(arena, room, sizeof(AffineWorks)),
                           .reaction = arena_allocate(arena, nodes * sizeof(vec3))};
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
      scene_temperature(world->c, world->bodies.id[row], world_time(world, 0));
  return motion_elastic_energy(&world->bodies, row, temperature);
}

void loads_fill_tensors(World *world)
{
  Bodies *b = &world->bodies;
  if (!b->strain) return;
  for (int i = 0; i < b->table.owned; i++)
    motion_fill_tensors(b, i, scene_temperature(world->c, b->id[i], world_time(world, 0)));
}
