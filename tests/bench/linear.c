// Processor time of the multigrid and of conjugate gradients on bonded walls, and of sparse factors
// on those that are small: bench_linear [REPEATS [WALLS]]
#include <stdio.h>
#include <time.h>

#include "amg.h"
#include "cholesky.h"
#include "linear_systems.h"

static const int WALLS[][3] = {{10, 1, 20}, {20, 1, 100}, {20, 5, 20}, {40, 10, 42}, {80, 16, 52}};

// processor time of this rank: the wall's is no use beside other work
static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct {
  double fresh, again, apply, seconds[2];
  int iterations[2];
} Times;

static double least(double a, double b) { return a < b ? a : b; }

static void time_once(const BlockSpace *space, const BlockMatrix *a, const double *weight,
                      const double *b, double *x, Times *best, Arena *arena)
{
  const size_t bytes = (size_t)space->count * BLOCK * sizeof *x;
  double at = seconds();
  Amg *amg = amg_new(space, a, NULL, arena);
  best->fresh = least(best->fresh, seconds() - at);
  at = seconds();
  amg = amg_new(space, a, amg, arena);
  best->again = least(best->again, seconds() - at);
  at = seconds();
  amg_apply(amg, b, x);
  best->apply = least(best->apply, seconds() - at);
  for (int k = 0; k < 2; k++) {
    memset(x, 0, bytes);
    at = seconds();
    const GradientsEnd end = {weight, k ? 1e-8 : 1e-1, 1000};
    best->iterations[k] = conjugate_gradients_solve(amg, b, end, x, arena);
    best->seconds[k] = least(best->seconds[k], seconds() - at);
  }
  amg_destroy(amg);
}

static void time_factors(const BlockSpace *space, const BlockMatrix *a, const double *b, double *x,
                         int repeats, Arena *arena)
{
  double best[3] = {1e9, 1e9, 1e9};
  for (int k = 0; k < repeats; k++) {
    double at = seconds();
    Cholesky *factors = cholesky_new(space, a, NULL, arena);
    best[0] = least(best[0], seconds() - at);
    at = seconds();
    factors = cholesky_new(space, a, factors, arena);
    best[1] = least(best[1], seconds() - at);
    at = seconds();
    cholesky_solve(factors, space, b, x, arena);
    best[2] = least(best[2], seconds() - at);
    cholesky_destroy(factors);
  }
  if (par_rank() == 0)
    printf("%30s factors %8.2f ms, again %8.2f, solution %7.3f\n", "", 1e3 * best[0], 1e3 * best[1],
           1e3 * best[2]);
}

static void time_wall(const int *wall, double sigma, int repeats, Arena *arena)
{
  const System s = system_wall(wall[0], wall[1], wall[2], 0.5, sigma, true, arena);
  int *owner = arena_allocate(arena, ((size_t)s.bodies + 1) * sizeof *owner);
  for (int i = 0; i < s.bodies; i++) owner[i] = (int)((int64_t)i * par_size() / s.bodies);
  BlockSpace space;
  const BlockMatrix a = system_assemble(&s, owner, &space, arena);
  const size_t n = (size_t)space.count * BLOCK + 1;
  double *x = arena_allocate_zero(arena, n, sizeof *x),
         *b = arena_allocate_zero(arena, n, sizeof *b);
  double *weight = arena_allocate_zero(arena, n, sizeof *weight);
  for (int i = 0; i < space.own; i++) {
    // weight of each body, and moments of it about an arm of a brick's size; relative to it
    const double m = 2700 * 0.25;
    for (int c = 0; c < BLOCK; c++) weight[BLOCK * i + c] = c < 3 ? 1 / m : 2 / m;
    b[BLOCK * i + 2] = -m;
    b[BLOCK * i] = 0.3 * m;
  }
  Times best = {1e9, 1e9, 1e9, {1e9, 1e9}, {0, 0}};
  for (int k = 0; k < repeats; k++) time_once(&space, &a, weight, b, x, &best, arena);
  if (par_rank() == 0)
    printf(
        "%7d bodies sigma %6.0e: set-up %8.2f ms, again %8.2f, cycle %7.3f, to 1e-1 %3d in %8.2f, "
        "to 1e-8 %3d in %8.2f\n",
        s.bodies, sigma, 1e3 * best.fresh, 1e3 * best.again, 1e3 * best.apply, best.iterations[0],
        1e3 * best.seconds[0], best.iterations[1], 1e3 * best.seconds[1]);
  if (s.bodies <= 2000) time_factors(&space, &a, b, x, repeats, arena);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  const int repeats = argc > 1 ? atoi(argv[1]) : 3;
  const int walls = argc > 2 ? atoi(argv[2]) : 4;
  Arena arena = arena_new();
  for (int w = 0; w < walls; w++)
    for (int k = 0; k < 2; k++) {
      time_wall(WALLS[w], k ? 1e4 : 1e3, repeats, &arena);
      arena_reset(&arena);
    }
  arena_destroy(&arena);
  par_end();
  return 0;
}
