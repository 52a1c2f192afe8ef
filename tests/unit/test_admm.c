// Alternating directions on their own: numbers that are none are seen wherever they stand.
#include "admm.h"

#include <math.h>

#include "arena.h"
#include "harness.h"
#include "memory.h"

#define POINTS 5

// W = I: every point is a body of its own of 1 kg that falls on the ground
typedef struct {
  vec3 free[POINTS];
  double weight[POINTS];
  int wild;   // point whose velocity is no number after the first system, -1: none
  bool prepared;
} Falling;

static bool prepare(void *context, const double *weight)
{
  Falling *f = context;
  for (int i = 0; i < POINTS; i++) f->weight[i] = weight[i];
  f->prepared = true;
  return true;
}

static int respond(void *context, const vec3 *d, double accuracy, vec3 *u)
{
  const Falling *f = context;
  (void)accuracy;
  for (int i = 0; i < POINTS; i++)
    u[i] = vec3_scale(1 / (1 + f->weight[i]), vec3_add(f->free[i], d[i]));
  return 0;
}

static void velocity(void *context, const vec3 *r, vec3 *u)
{
  const Falling *f = context;
  for (int i = 0; i < POINTS; i++) u[i] = vec3_add(r[i], f->free[i]);
  if (f->prepared && f->wild >= 0) u[f->wild].y = NAN;
}

typedef struct {
  Falling falling;
  double friction[POINTS], rho[POINTS], offset[POINTS], size[POINTS];
  vec3 r[POINTS];
  ConeProblem problem;
} Scene;

static void scene_begin(Scene *s)
{
  *s = (Scene){.falling.wild = -1};
  for (int i = 0; i < POINTS; i++) {
    s->falling.free[i] = (vec3){-1 - i, 0.1 * i, 0.05};
    s->friction[i] = 0.5;
    s->rho[i] = 1;
    s->size[i] = POINTS;
  }
  s->problem = (ConeProblem){.point_count = POINTS,
                             .friction = s->friction,
                             .rho = s->rho,
                             .offset = s->offset,
                             .size = s->size,
                             .first_k = 2,
                             .context = &s->falling,
                             .prepare = prepare,
                             .respond = respond,
                             .velocity = velocity};
}

// one that is no number, followed by points that are well, must not be forgotten
static void residual_keeps_what_is_no_number(void)
{
  Scene s;
  for (int bad = 0; bad < POINTS; bad++)
    for (int of_impulse = 0; of_impulse < 2; of_impulse++) {
      scene_begin(&s);
      vec3 u[POINTS];
      velocity(&s.falling, s.r, u);
      if (of_impulse) s.r[bad].z = NAN;
      else u[bad].z = NAN;
      const ConeResidual residual = cone_residual(&s.problem, s.r, u);
      CHECK(residual.largest == INFINITY && residual.rms == INFINITY);
      CHECK(cone_residual_largest(&s.problem, s.r, u) == INFINITY);
    }
}

static const SolverParameters parameters = {
    .method = SOLVER_ADMM, .tolerance = 1e-10, .max_sweeps = 500};

static void guess_that_is_no_number(void)
{
  Scene s;
  Arena arena = arena_new();
  for (int bad = 0; bad < POINTS; bad++) {
    scene_begin(&s);
    s.r[bad].x = NAN;
    AdmmController controller = {.k = -1};
    const Convergence result = admm_solve(&s.problem, s.r, &controller, parameters, &arena);
    CHECK(result.converged);
    for (int i = 0; i < POINTS; i++) CHECK_NEAR(s.r[i].x, 1 + i, 1e-8);
  }
  arena_destroy(&arena);
}

static void velocities_that_are_no_numbers(void)
{
  Scene s;
  Arena arena = arena_new();
  for (int bad = 0; bad < POINTS; bad++) {
    scene_begin(&s);
    s.falling.wild = bad;
    AdmmController controller = {.k = -1};
    const Convergence result = admm_solve(&s.problem, s.r, &controller, parameters, &arena);
    CHECK(!result.converged && result.residual_max == INFINITY);
    CHECK(result.sweeps < 10);
    for (int i = 0; i < POINTS; i++) CHECK(vec3_is_finite(s.r[i]));
  }
  arena_destroy(&arena);
}

static void point_without_part(void)
{
  Scene s;
  Arena arena = arena_new();
  scene_begin(&s);
  s.rho[2] = 0;
  s.r[2] = (vec3){3, 1, 0};
  s.offset[4] = INFINITY;   // of an impact that is yet to come
  s.r[4] = (vec3){1, 0, 0};
  AdmmController controller = {.k = -1};
  const Convergence result = admm_solve(&s.problem, s.r, &controller, parameters, &arena);
  CHECK(result.converged);
  CHECK(s.r[2].x == 0 && s.r[2].y == 0 && s.r[2].z == 0);
  CHECK(s.r[4].x == 0 && s.r[4].y == 0 && s.r[4].z == 0);
  CHECK_NEAR(s.r[3].x, 4, 1e-8);
  arena_destroy(&arena);
}

int main(void)
{
  residual_keeps_what_is_no_number();
  guess_that_is_no_number();
  velocities_that_are_no_numbers();
  point_without_part();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
