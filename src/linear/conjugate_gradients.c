// Conjugate gradients in the scaled vectors of the multigrid's first level.
#include <math.h>
#include <string.h>

#include "amg_level.h"
#include "block_kernel.h"
#include "exact_sum.h"

// x.y: a row's six products in order, the rows exactly, so that no rank matters
static double dot(const Level *level, const double *x, const double *y)
{
  ExactSum sum = exact_sum_new();
  for (int i = 0; i < level->own; i++) {
    const double *p = x + (size_t)BLOCK * (size_t)i, *q = y + (size_t)BLOCK * (size_t)i;
    exact_sum_add(&sum, ((p[0] * q[0] + p[1] * q[1]) + (p[2] * q[2] + p[3] * q[3])) +
                            (p[4] * q[4] + p[5] * q[5]));
  }
  if (!level->shared) exact_sum_reduce(&sum, 1);
  return exact_sum_value(&sum);
}

// largest component of the residual L r times weight
static double residual_max(const Level *level, const double *r, const double *weight)
{
  double most = 0;
  for (int i = 0; i < level->own; i++) {
    double residual[BLOCK];
    block_apply(block_of(level->factor, i), r + (size_t)BLOCK * (size_t)i, residual);
    for (int c = 0; c < BLOCK; c++) par_raise(&most, fabs(residual[c] * weight[BLOCK * i + c]));
  }
  return level_max(level, most);
}

int amg_conjugate_gradients(Amg *amg, const double *b, const double *weight, double tolerance,
                            int most, double *x, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  Level *level = &amg->levels[0];
  const size_t bytes = ((size_t)level->count + 1) * BLOCK * sizeof(double);
  double *solution = arena_allocate(arena, bytes), *r = arena_allocate(arena, bytes);
  double *p = arena_allocate(arena, bytes), *q = arena_allocate(arena, bytes);
  double *w = arena_allocate(arena, bytes);
  const int n = BLOCK * level->own;

  level_load(level, weight, w);
  level_load(level, x, solution);
  level_rescale(level, solution, solution);
  level_load(level, b, r);
  level_scale(level, r, r);
  level_multiply(level, solution, q, arena);
  for (int i = 0; i < n; i++) r[i] -= q[i];

  int iterations = 0;
  double before = 0;
  while (residual_max(level, r, w) > tolerance && iterations < most) {
    memcpy(level->b, r, (size_t)n * sizeof *r);
    amg_cycle(amg);
    const double now = dot(level, r, level->x);
    if (!(now > 0)) break;   // at the end of what the numbers hold
    for (int i = 0; i < n; i++) p[i] = before > 0 ? level->x[i] + now / before * p[i] : level->x[i];
    before = now;
    level_multiply(level, p, q, arena);
    const double curvature = dot(level, p, q);
    if (!(curvature > 0)) break;
    const double step = now / curvature;
    for (int i = 0; i < n; i++) {
      solution[i] += step * p[i];
      r[i] -= step * q[i];
    }
    iterations++;
  }

  level_unscale(level, solution, solution);
  level_unload(level, solution, x);
  halo_refresh(&amg->space.plan, x, BLOCK * sizeof *x, arena);
  arena_release(arena, mark);
  return iterations;
}
