// Steps of bodies with barriers: known answers, no contact on the way, gradients against
// differences, and the same bits on any number of ranks.
// BARRIER_THROWS=1000 BARRIER_FIRST=500: that many throws, from the 500th on.
// test: timeout 300
#include "barrier_newton.h"

#include <stdio.h>

#include "barrier_advance.h"
#include "barrier_scene.h"
#include "barrier_skin.h"
#include "barrier_system.h"
#include "halo.h"
#include "parallel.h"
#include "random_frames.h"
#include "random_numbers.h"
#include "vec3.h"

static BarrierSettings settings_of(double distance, double stiffness, double tolerance)
{
  return (BarrierSettings){.scale = {distance, stiffness},
                           .stick_speed = 1e-6,
                           .friction_passes = 3,
                           .tolerance = tolerance,
                           .most = 200};
}

static BarrierScene *floor_scene(BarrierSettings settings, double step, double friction)
{
  BarrierScene *scene = scene_new(settings, step);
  scene->friction = friction;
  scene_add_box(scene, (vec3){-5, -5, -1}, (vec3){5, 5, 0}, 0, 1);
  return scene;
}

// On a slope of tan = c mu a block creeps where c < 1, by what the law of friction gives for ever;
// above it slides.
static void test_slope(void)
{
  const double share[4] = {0.5, 0.9, 0.99, 1.2}, mu = 0.5, g = 9.81, stick = 1e-3;
  for (int n = 0; n < 4; n++) {
    const double c = share[n], slope = c * mu, size = sqrt(1 + slope * slope);
    BarrierSettings settings = settings_of(1e-3, 1e7, 1e-8);
    settings.stick_speed = stick;
    BarrierScene *scene = floor_scene(settings, 1e-3, mu);
    const int b = scene_add_box(scene, (vec3){-.5, -.25, 0}, (vec3){.5, .25, .5}, 2000, 1);
    scene->gravity = (vec3){g * slope / size, 0, -g / size};
    double before = 0;
    for (int i = 0; i < 50; i++) {
      if (i == 30) before = scene->velocity[b].x;
      scene_step(scene);
      CHECK(scene->result.converged && scene->result.newton < 20);
    }
    const double creep = stick * (1 - sqrt(1 - fmin(c, 1))), v = scene->velocity[b].x;
    if (c < 1) CHECK_NEAR(v / creep, 1, 1e-4);
    else CHECK_NEAR((v - before) / (20 * scene->step), g * (slope - mu) / size, 1e-3 * g);
    CHECK(fabs(scene->velocity[b].y) < 1e-9 && vec3_norm(scene->spin[b]) < 1e-6);
    if (c < 1) {
      const double force = 2000 * .25 * g / size;
      CHECK_NEAR(scene->normal_impulse / scene->step, force, 1e-5 * force);
    }
    scene_free(scene);
  }
}

// In one impact friction takes its whole share of the normal impulse.
static void test_impact(void)
{
  BarrierScene *scene = floor_scene(settings_of(1e-3, 1e7, 1e-7), 1e-2, 0.3);
  const int b = scene_add_box(scene, (vec3){-.5, -.5, .004}, (vec3){.5, .5, .504}, 2000, 1);
  scene->velocity[b] = (vec3){3, 0, -1};
  scene_step(scene);
  CHECK(scene->result.converged && scene->normal_impulse > 500);
  CHECK_NEAR(scene->tangential_impulse / scene->normal_impulse, 0.3, 0.3e-3);
  CHECK_NEAR(3 - scene->velocity[b].x, 0.3 * (scene->velocity[b].z + 1), 1e-3);
  scene_free(scene);
}

static void check_momentum(const BarrierScene *scene, vec3 start, double mass)
{
  vec3 sum = {0, 0, 0};
  for (int b = 0; b < scene->count; b++) sum = vec3_axpy(scene->mass[b], scene->velocity[b], sum);
  CHECK_NEAR(vec3_norm(vec3_sub(sum, start)), 0, 1e-12 * mass * 10);
}

static void test_stack(void)
{
  BarrierScene *scene = floor_scene(settings_of(1e-3, 1e7, 1e-4), 1e-3, 0.5);
  scene->gravity = (vec3){0, 0, -9.81};
  for (int i = 0; i < 10; i++)
    scene_add_box(scene, (vec3){-.5, -.5, i}, (vec3){.5, .5, i + 1}, 2400, 1);
  int sum = 0, most = 0;
  for (int i = 0; i < 160; i++) {
    scene_step(scene);
    CHECK(scene->result.converged);
    sum += scene->result.newton;
    most = scene->result.newton > most ? scene->result.newton : most;
  }
  CHECK(sum <= 4 * 160 && most <= 10);
  if (par_rank() == 0) printf("stack: %.2f Newton steps a step, %d at most\n", sum / 160.0, most);
  for (int b = 1; b < scene->count; b++) CHECK(vec3_norm(scene->velocity[b]) < 2e-4);
  CHECK(scene->gap > 0.9e-3);
  scene_free(scene);
}

static void random_hull(BarrierScene *scene, Random *random, vec3 at, vec3 stretch)
{
  vec3 cloud[12];
  const int count = 6 + random_below(random, 7);
  for (int i = 0; i < count; i++) {
    const vec3 v = random_direction(random);
    cloud[i] = vec3_add(at, (vec3){stretch.x * v.x, stretch.y * v.y, stretch.z * v.z});
  }
  scene_add(scene, cloud, count, 2000, 1);
}

static void add_frame(BarrierScene *scene, Random *random, vec3 at, bool ring)
{
  vec3 corners[FRAME_PARTS][8];
  PartRecipe parts[FRAME_PARTS];
  const int count = random_frame(random, ring, corners);
  for (int k = 0; k < count; k++) {
    for (int i = 0; i < 8; i++) corners[k][i] = vec3_add(at, corners[k][i]);
    parts[k] = (PartRecipe){.count = 8, .points = corners[k]};
  }
  scene_add_parts(scene, (ShapeRecipe){.part_count = count, .parts = parts}, 2000, 1);
}

// Some bodies, stones, plates, needles, rings and hooks, thrown at one another at a speed whose
// decimal logarithm is between two.
static BarrierScene *throw_scene(uint64_t seed, double low, double high)
{
  static const vec3 stretch[3] = {{.5, .5, .5}, {.5, .5, .1}, {.6, .15, .15}};
  Random random = {seed};
  BarrierScene *scene = scene_new(settings_of(5e-3, 1e7, 1e-5), 1e-2);
  scene->friction = random_between(&random, 0, 1);
  scene->settings.most = 60;
  const int bodies = 2 + random_below(&random, 4);
  const double speed = pow(10, random_between(&random, low, high));
  for (int i = 0; i < bodies; i++) {
    const vec3 at = {1.6 * (i % 2), 1.6 * (i / 2 % 2), 1.6 * (i / 4)};
    const int kind = random_below(&random, 5);
    if (kind < 3) random_hull(scene, &random, at, stretch[kind]);
    else add_frame(scene, &random, at, kind == 3);
    const vec3 to = vec3_sub((vec3){.8, .8, .4}, at);
    scene->velocity[i] = vec3_axpy(speed, to, vec3_scale(0.2 * speed, random_direction(&random)));
    scene->spin[i] = vec3_scale(random_between(&random, 0, 50), random_direction(&random));
    scene->angular[i] = mat3_mul(scene->inertia[i], scene->spin[i]);
  }
  return scene;
}

// The least distance of bodies at instants between two states that the step's velocities lead
// through, m; 0 where some overlap. Adds pairs that come within reach of each other's barrier.
static double least_distance(const BarrierScene *scene, const vec3 *position,
                             const quat *orientation, int *impacts, Arena *arena)
{
  const double reach = scene->settings.scale.distance;
  double least = reach;
  for (int a = 0; a < scene->count; a++) {
    for (int b = a + 1; b < scene->count; b++) {
      BarrierPath paths[2];
      const int pair[2] = {a, b};
      for (int k = 0; k < 2; k++) {
        const int i = pair[k];
        const vec3 way = vec3_sub(scene->position[i], position[i]);
        paths[k] = (BarrierPath){&scene->surfaces[i],
                                 position[i],
                                 orientation[i],
                                 {{0, 0, 0}, {0, 0, 0}},
                                 {way, vec3_scale(scene->step, scene->spin[i])}};
      }
      double nearest = reach;
      for (int t = 1; t <= 16; t++) {
        const BarrierBody bodies[2] = {barrier_advance_body(&paths[0], t / 16.0),
                                       barrier_advance_body(&paths[1], t / 16.0)};
        nearest = fmin(nearest, barrier_advance_distance(bodies, nearest, arena));
      }
      *impacts += nearest < reach;
      least = fmin(least, nearest);
    }
  }
  return least;
}

static Hash128 hash_scene(const BarrierScene *scene)
{
  const size_t n = (size_t)scene->count;
  Hash128 hash = hash_bytes(scene->position, n * sizeof(vec3), 1);
  hash = hash_add(hash, hash_bytes(scene->orientation, n * sizeof(quat), 2));
  hash = hash_add(hash, hash_bytes(scene->velocity, n * sizeof(vec3), 3));
  return hash_add(hash, hash_bytes(scene->angular, n * sizeof(vec3), 4));
}

// Distances that tests compute are good to 1e-13 (unit.gjk); one above this is no overlap.
#define SURE 1e-10

// At up to 50 sizes in a step nothing ever overlaps, whether a step is solved or not: bodies that
// the motion from the start of the step to its end would lead through one another end where the
// last iterate has them.
static void test_throws(int throws, Arena *arena)
{
  int overlaps = 0, impacts = 0, hits = 0, steps = 0, unsolved = 0;
  const int first = getenv("BARRIER_FIRST") ? atoi(getenv("BARRIER_FIRST")) : 0;
  double least = INFINITY;
  for (int n = first; n < first + throws; n++) {
    BarrierScene *scene = throw_scene((uint64_t)n + 7, 0, 3.5);
    vec3 start = {0, 0, 0};
    double mass = 0;
    for (int b = 0; b < scene->count; b++) {
      start = vec3_axpy(scene->mass[b], scene->velocity[b], start);
      mass += scene->mass[b] * vec3_norm(scene->velocity[b]);
    }
    bool solved = true;
    for (int i = 0; i < 4; i++) {
      vec3 position[8];
      quat orientation[8];
      for (int b = 0; b < scene->count; b++) {
        position[b] = scene->position[b];
        orientation[b] = scene->orientation[b];
      }
      scene_step(scene);
      const double distance = least_distance(scene, position, orientation, &impacts, arena);
      least = fmin(least, distance);
      overlaps += !(distance > SURE);
      steps++;
      hits += scene->normal_impulse > 0;
      unsolved += !scene->result.converged;
      solved = solved && scene->result.converged;
    }
    if (solved) check_momentum(scene, start, mass);
    scene_free(scene);
  }
  CHECK(overlaps == 0 && hits >= throws / 3 && unsolved < 0.6 * steps);
  if (par_rank() == 0)
    printf(
        "%d throws: %d of %d steps with contact, %d impacts of two bodies, %d steps not solved, %d "
        "overlaps, bodies %.1e m apart at least\n",
        throws, hits, steps, impacts, unsolved, overlaps, least);
}

// The shorter the way in a step, the more steps are solved.
static void test_short_ways(void)
{
  const double step[3] = {1e-2, 5e-3, 1e-3}, speed = 8;
  for (int k = 0; k < 3; k++) {
    int hits = 0, unsolved = 0;
    double distance = 0;
    for (int n = 0; n < 2; n++) {
      BarrierScene *scene = throw_scene((uint64_t)n + 8, log10(speed), log10(speed));
      scene->step = step[k];
      distance = scene->settings.scale.distance;
      for (int i = 0; i * step[k] < 0.12; i++) {
        scene_step(scene);
        hits += scene->normal_impulse > 0;
        unsolved += !scene->result.converged;
      }
      scene_free(scene);
    }
    CHECK(hits > 5 && unsolved <= (k == 0 ? hits / 2 : k == 1 ? hits / 10 : 0));
    if (par_rank() == 0)
      printf("ways of %.1f distances in a step: %d steps with contact, %d not solved\n",
             speed * step[k] / distance, hits, unsolved);
  }
}

static BarrierScene *heap_scene(void)
{
  Random random = {12};
  BarrierScene *scene = floor_scene(settings_of(2e-3, 1e7, 1e-6), 5e-3, 0.6);
  scene->gravity = (vec3){0, 0, -9.81};
  for (int i = 0; i < 12; i++)
    random_hull(scene, &random, (vec3){.9 * (i % 3), .9 * (i / 3 % 2), .7 + .9 * (i / 6)},
                (vec3){.4, .4, .3});
  return scene;
}

static Hash128 run_heap(int steps)
{
  BarrierScene *scene = heap_scene();
  for (int i = 0; i < steps; i++) {
    scene_step(scene);
    CHECK(scene->result.converged);
  }
  const Hash128 hash = hash_scene(scene);
  scene_free(scene);
  return hash;
}

// A floor that rises through the room between it and a block leaves no place to begin from: the
// pair is named, and nothing is solved.
static void test_driven(void)
{
  BarrierScene *scene = floor_scene(settings_of(1e-3, 1e7, 1e-6), 1e-2, 0.6);
  scene_add_box(scene, (vec3){-4, -4, 2}, (vec3){-3, -3, 3}, 2000, 1);
  const int b = scene_add_box(scene, (vec3){-.5, -.5, .01}, (vec3){.5, .5, .51}, 2000, 1);
  scene->velocity[0] = (vec3){0, 0, 0.5};
  scene_step(scene);
  CHECK(scene->result.apart && scene->result.converged);
  scene->velocity[0] = (vec3){0, 0, 10};
  scene_step(scene);
  CHECK(!scene->result.apart && scene->result.newton == 0);
  CHECK(scene->result.touching.low == scene->ids[0] &&
        scene->result.touching.high == scene->ids[b]);
  scene_free(scene);
}

// One rank by itself gets the bits that all of them get together.
static void test_ranks(void)
{
  const Hash128 together = run_heap(12);
  par_alone_begin();
  const Hash128 alone = run_heap(12);
  par_alone_end();
  CHECK(together.low == alone.low && together.high == alone.high);
}

// A block that turns over a floor for one step: the gradient of what the step minimises against
// differences, for angles on both sides of where the turn is a series.
static void test_gradient(Arena *arena)
{
  static const vec3 corners[2][2] = {{{-2, -2, -1}, {2, 2, 0}}, {{-.3, -.2, -.25}, {.3, .2, .25}}};
  BarrierScene *scene = scene_new(settings_of(0.1, 1e4, 1e-8), 1);
  for (int b = 0; b < 2; b++) scene_add_box(scene, corners[b][0], corners[b][1], b * 2000.0, 1);
  const BarrierSurface *surfaces[2] = {&scene->surfaces[0], &scene->surfaces[1]};
  vec3 position[2] = {{0, 0, -.5}, {0, 0, 0}};
  const quat orientation[2] = {quat_identity(), quat_identity()};
  const Twist free[2] = {0};
  const BarrierCouple couple = {0, 1, 0, true};
  const BarrierProblem problem = {.own = 2,
                                  .count = 2,
                                  .ids = scene->ids,
                                  .surfaces = surfaces,
                                  .position = position,
                                  .orientation = orientation,
                                  .mass = scene->mass,
                                  .inertia = scene->inertia,
                                  .free = free,
                                  .range = 2,
                                  .couple_count = 1,
                                  .couples = &couple,
                                  .step = scene->step,
                                  .settings = scene->settings};
  const BarrierGrips grips = {(int[]){0, 0}, NULL};
  static const double angles[] = {0, 1e-8, 1e-3, 0.1, 0.31, 0.32, 0.6};
  double worst = 0;
  for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
    const ArenaMark mark = arena_mark(arena);
    const vec3 spin = vec3_scale(angles[k] / 3, (vec3){1, -2, 2});
    const vec3 down =   // in the axes of the block where the step leads
        mat3_mul_transposed(quat_to_mat3(rotation_apply(orientation[1], spin, scene->step)),
                            (vec3){0, 0, 1});
    position[1].z = -0.03 + .3 * fabs(down.x) + .2 * fabs(down.y) + .25 * fabs(down.z);
    double gradient[2 * BLOCK], value[2] = {0}, size = 0;
    Twist u[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0.01, 0.02, -0.01}, spin}};
    BarrierIterate now = {.memory = arena_new(), .u = u};
    barrier_problem_look(&problem, &now);
    if (!CHECK(now.apart && now.terms.count > 0)) break;
    barrier_system_gradient(&problem, &now, &grips, gradient, arena);
    for (int i = 0; i < 2 * BLOCK; i++) size = fmax(size, fabs(gradient[i]));
    for (int i = 0; i < BLOCK; i++) {
      double *of = i < 3 ? &u[1].v.x + i : &u[1].w.x + i - 3;
      const double at = *of, by = 1e-6;
      for (int side = 0; side < 2; side++) {
        *of = at + (side ? by : -by);
        arena_reset(&now.memory);
        barrier_problem_look(&problem, &now);
        value[side] = barrier_problem_energy(&problem, &now, &grips).value;
      }
      *of = at;
      worst = fmax(worst, fabs((value[1] - value[0]) / (2 * by) - gradient[BLOCK + i]) / size);
    }
    arena_destroy(&now.memory);
    arena_release(arena, mark);
  }
  printf("gradient off differences by %.1e\n", worst);
  CHECK(worst < 1e-8);
  scene_free(scene);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  Arena arena = arena_new();
  const char *throws = getenv("BARRIER_THROWS");
  if (par_size() == 1 || throws) {
    test_slope();
    test_impact();
    test_stack();
    test_gradient(&arena);
    test_short_ways();
    test_throws(throws ? atoi(throws) : 8, &arena);
  }
  test_driven();
  test_ranks();
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
