#pragma once
// Scenes of convex bodies that step with barriers, every rank with all bodies: for the tests of
// Newton's method on any number of ranks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "barrier_newton.h"
#include "barrier_skin.h"
#include "barrier_system.h"
#include "exact_sum.h"
#include "harness.h"
#include "parallel.h"
#include "rotation.h"
#include "shape.h"

enum { SCENE_MOST = 600 };

typedef struct {
  int count;
  uint64_t ids[SCENE_MOST];
  int owner[SCENE_MOST];
  BarrierSurface surfaces[SCENE_MOST];
  vec3 position[SCENE_MOST], velocity[SCENE_MOST], spin[SCENE_MOST], angular[SCENE_MOST];
  quat orientation[SCENE_MOST];
  double mass[SCENE_MOST];
  mat3 inertia[SCENE_MOST];   // body axes
  vec3 gravity;
  double friction, step;
  BarrierSettings settings;
  BarrierCache cache;
  Arena shapes, scratch;
  // of the last step
  BarrierResult result;
  double normal_impulse, tangential_impulse;   // sizes of the sums of all terms, of all grips
  double gap;                                  // m: the least of all terms
} BarrierScene;

static inline BarrierScene *scene_new(BarrierSettings settings, double step)
{
  BarrierScene *scene = (BarrierScene *)memory_allocate_zero(1, sizeof *scene);
  scene->settings = settings;
  scene->step = step;
  scene->shapes = arena_new();
  scene->scratch = arena_new();
  return scene;
}

static inline void scene_free(BarrierScene *scene)
{
  barrier_newton_forget(&scene->cache);
  arena_destroy(&scene->shapes);
  arena_destroy(&scene->scratch);
  memory_free(scene);
}

// Adds a body of convex parts, density 0: fixed. Returns its number.
static inline int scene_add_parts(BarrierScene *scene, ShapeRecipe recipe, double density,
                                  int refine)
{
  const int i = scene->count++;
  Shape shape;
  CHECK(shape_build(&recipe, &scene->shapes, &shape).status == SHAPE_OK);
  const BarrierSkin skin = {0.5 * scene->settings.scale.distance, refine};
  CHECK(barrier_skin_build(&shape, skin, &scene->shapes, &scene->surfaces[i]).status ==
        BARRIER_SKIN_OK);
  scene->ids[i] = (uint64_t)(3 * i + 1);
  scene->owner[i] = par_size() == 1 ? 0 : (int)(hash_mix((uint64_t)i, 5) % (uint64_t)par_size());
  scene->position[i] = shape.center;
  scene->orientation[i] = quat_identity();
  scene->mass[i] = density * shape.volume;
  scene->inertia[i] = mat3_scale(density, shape.inertia);
  return i;
}

// Adds the hull of points.
static inline int scene_add(BarrierScene *scene, const vec3 *points, int count, double density,
                            int refine)
{
  vec3 *copy = (vec3 *)arena_allocate(&scene->shapes, (size_t)count * sizeof *copy);
  memcpy(copy, points, (size_t)count * sizeof *copy);
  PartRecipe part = {.count = count, .points = copy};
  return scene_add_parts(scene, (ShapeRecipe){.part_count = 1, .parts = &part}, density, refine);
}

static inline int scene_add_box(BarrierScene *scene, vec3 low, vec3 high, double density,
                                int refine)
{
  vec3 points[8];
  for (int i = 0; i < 8; i++)
    points[i] = (vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
  return scene_add(scene, points, 8, density, refine);
}

// Rows of the rank: own bodies, then all others.
typedef struct {
  int body_of[SCENE_MOST];
  int own;
  HaloPlan plan;
} SceneRows;

static inline SceneRows scene_rows(const BarrierScene *scene, Arena *arena)
{
  SceneRows rows = {.own = 0};
  int made = 0;
  for (int half = 0; half < 2; half++) {
    for (int b = 0; b < scene->count; b++) {
      if ((scene->owner[b] == par_rank()) == (half == 0)) rows.body_of[made++] = b;
    }
    if (half == 0) rows.own = made;
  }
  uint64_t *ids = (uint64_t *)arena_allocate(arena, ((size_t)made + 1) * sizeof *ids);
  for (int i = 0; i < made; i++) ids[i] = scene->ids[rows.body_of[i]];
  HaloRequest *requests = (HaloRequest *)arena_allocate(
      arena, ((size_t)rows.own * (size_t)par_size() + 1) * sizeof *requests);
  int count = 0;
  for (int i = 0; i < rows.own; i++) {
    for (int r = 0; r < par_size(); r++) {
      if (r != par_rank()) requests[count++] = (HaloRequest){r, 0, i, ids[i]};
    }
  }
  halo_plans_of_requests((HaloRequests){1, count, requests}, (HaloIds){rows.own, made, ids},
                         &rows.plan, arena);
  return rows;
}

static inline double scene_range(const BarrierScene *scene)
{
  double fastest = 0;
  for (int b = 0; b < scene->count; b++) {
    const double turning = vec3_norm(scene->spin[b]) * scene->surfaces[b].radius;
    fastest = fmax(fastest, vec3_norm(scene->velocity[b]) + turning);
  }
  return scene->step * (2 * fastest + 4 * scene->step * vec3_norm(scene->gravity)) +
         scene->settings.scale.distance;
}

// Bodies that may come near each other, of those that have a row of ours that moves.
static inline int scene_couples(const BarrierScene *scene, const SceneRows *rows, double range,
                                BarrierCouple *couples)
{
  int count = 0, row_of[SCENE_MOST];
  Box boxes[SCENE_MOST];
  for (int i = 0; i < scene->count; i++) row_of[rows->body_of[i]] = i;
  for (int b = 0; b < scene->count; b++) {
    const mat3 r = quat_to_mat3(scene->orientation[b]);
    vec3 *at = (vec3 *)malloc((size_t)scene->surfaces[b].vertex_count * sizeof *at);
    for (int v = 0; v < scene->surfaces[b].vertex_count; v++)
      at[v] = vec3_add(scene->position[b], mat3_mul(r, scene->surfaces[b].vertices[v]));
    const double moves = scene->mass[b] > 0 ? range : 0;
    boxes[b] = box_grow(box_of_points(at, scene->surfaces[b].vertex_count),
                        0.5 * scene->settings.scale.distance + moves);
    free(at);
  }
  for (int a = 0; a < scene->count; a++) {
    for (int b = a + 1; b < scene->count; b++) {
      const int low = row_of[a], high = row_of[b];
      const bool ours =
          (low < rows->own && scene->mass[a] > 0) || (high < rows->own && scene->mass[b] > 0);
      if (!ours || !box_overlaps(boxes[a], boxes[b])) continue;
      const int owner = scene->mass[a] > 0 ? low : high;
      couples[count++] = (BarrierCouple){low, high, scene->friction, owner < rows->own};
    }
  }
  return count;
}

// Collective. A vector added up over all ranks.
static inline vec3 scene_total(vec3 of_rank)
{
  ExactSum sums[3] = {exact_sum_new(), exact_sum_new(), exact_sum_new()};
  exact_sum_add(&sums[0], of_rank.x);
  exact_sum_add(&sums[1], of_rank.y);
  exact_sum_add(&sums[2], of_rank.z);
  exact_sum_reduce(sums, 3);
  return (vec3){exact_sum_value(&sums[0]), exact_sum_value(&sums[1]), exact_sum_value(&sums[2])};
}

// Collective. Impulses along normals and across them.
static inline void scene_measure(BarrierScene *scene, const BarrierProblem *problem,
                                 const BarrierIterate *end, const BarrierGrips *grips)
{
  vec3 normal = {0, 0, 0}, across = {0, 0, 0};
  double gap = INFINITY;
  for (int c = 0; c < problem->couple_count; c++) {
    const BarrierCouple *couple = &problem->couples[c];
    if (!couple->counted) continue;
    for (int i = end->start[c]; i < end->start[c + 1]; i++) {
      normal = vec3_axpy(problem->step, end->terms.of[i].gradient, normal);
      gap = fmin(gap, end->terms.of[i].gap);
    }
    const Twist pair[2] = {end->u[couple->low], end->u[couple->high]};
    for (int i = grips->start[c]; i < grips->start[c + 1]; i++) {
      const vec3 u = barrier_problem_slip(&grips->of[i], pair);
      const double speed = vec3_norm(u), y = fmin(1, speed / problem->settings.stick_speed);
      if (speed > 0)
        across = vec3_axpy(problem->step * grips->of[i].limit * (2 - y) * y / speed, u, across);
    }
  }
  scene->gap = par_min(gap);
  scene->normal_impulse = vec3_norm(scene_total(normal));
  scene->tangential_impulse = vec3_norm(scene_total(across));
}

// What a row begins and ends the step with.
typedef struct {
  vec3 position, velocity, spin, angular;
  quat orientation;
} SceneRow;

// Collective. One step; bodies stay where they are if it cannot begin.
static inline void scene_step(BarrierScene *scene)
{
  Arena *arena = &scene->scratch;
  arena_reset(arena);
  const int count = scene->count;
  const size_t room = (size_t)count + 1;
  const double h = scene->step;
  const SceneRows rows = scene_rows(scene, arena);
  uint64_t *ids = (uint64_t *)arena_allocate(arena, room * sizeof *ids);
  int *ranks = (int *)arena_allocate(arena, room * sizeof *ranks);
  const BarrierSurface **surfaces =
      (const BarrierSurface **)arena_allocate(arena, room * sizeof *surfaces);
  vec3 *position = (vec3 *)arena_allocate(arena, room * sizeof *position);
  quat *orientation = (quat *)arena_allocate(arena, room * sizeof *orientation);
  double *mass = (double *)arena_allocate(arena, room * sizeof *mass);
  mat3 *inertia = (mat3 *)arena_allocate(arena, room * sizeof *inertia);
  Twist *free_twist = (Twist *)arena_allocate_zero(arena, room, sizeof *free_twist);
  for (int i = 0; i < count; i++) {
    const int b = rows.body_of[i];
    const mat3 r = quat_to_mat3(scene->orientation[b]);
    ids[i] = scene->ids[b];
    if (i >= rows.own) ranks[i - rows.own] = scene->owner[b];
    surfaces[i] = &scene->surfaces[b];
    position[i] = scene->position[b];
    orientation[i] = scene->orientation[b];
    mass[i] = scene->mass[b];
    inertia[i] = mat3_mul_mat(mat3_mul_mat(r, scene->inertia[b]), mat3_transpose(r));
    free_twist[i].v = scene->velocity[b];
    if (!(mass[i] > 0)) continue;
    free_twist[i] = (Twist){vec3_axpy(h, scene->gravity, scene->velocity[b]),
                            rotation_spin_of_momentum(r, scene->inertia[b], scene->angular[b],
                                                      0.5 * h, scene->spin[b])};
  }
  const double range = scene_range(scene);
  BarrierCouple *couples =
      (BarrierCouple *)arena_allocate(arena, room * room / 2 * sizeof *couples);
  const BarrierProblem problem = {rows.own,
                                  count,
                                  ids,
                                  ranks,
                                  rows.plan,
                                  surfaces,
                                  position,
                                  orientation,
                                  mass,
                                  inertia,
                                  free_twist,
                                  range,
                                  scene_couples(scene, &rows, range, couples),
                                  couples,
                                  h,
                                  scene->settings};
  BarrierIterate end;
  BarrierGrips grips;
  scene->result = barrier_newton_solve(&problem, &scene->cache, &end, &grips, arena);
  if (!scene->result.apart) {
    arena_destroy(&end.memory);
    return;
  }
  scene_measure(scene, &problem, &end, &grips);

  // momenta are those of impulses where the step is solved
  BarrierImpulse *impulses = (BarrierImpulse *)arena_allocate(arena, room * sizeof *impulses);
  barrier_system_impulses(&problem, &end, &grips, impulses, arena);
  SceneRow *after = (SceneRow *)arena_allocate_zero(arena, room, sizeof *after);
  for (int i = 0; i < rows.own; i++) {
    const int b = rows.body_of[i];
    const Twist u = end.u[i];
    after[i] = (SceneRow){vec3_axpy(h, u.v, position[i]), u.v, u.w, scene->angular[b],
                          rotation_apply(orientation[i], u.w, h)};
    if (!(mass[i] > 0)) continue;
    if (scene->result.converged) {
      after[i].velocity = vec3_axpy(1 / mass[i], impulses[i].push, free_twist[i].v);
      after[i].angular = vec3_add(scene->angular[b], impulses[i].turn);
    } else {
      after[i].angular =
          vec3_add(scene->angular[b], mat3_mul(inertia[i], vec3_sub(u.w, free_twist[i].w)));
    }
  }
  halo_refresh(&rows.plan, after, sizeof *after, arena);
  for (int i = 0; i < count; i++) {
    const int b = rows.body_of[i];
    scene->position[b] = after[i].position;
    scene->velocity[b] = after[i].velocity;
    scene->spin[b] = after[i].spin;
    scene->angular[b] = after[i].angular;
    scene->orientation[b] = after[i].orientation;
  }
  arena_destroy(&end.memory);
}
