// Conjugate gradients in the scaled vectors of the multigrid's first level.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "amg_level.h"
#include "block_kernel.h"
#include "exact_sum.h"
#include "parallel.h"

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

// Of a residual r, over all ranks.
typedef struct {
  double weighted, scaled;   // largest component of L r times weight; of r
} ResidualSize;

// r -= step q, and the size of what is left
static ResidualSize reduce(const Level *level, double step, const double *q, const double *weight,
                           double *r)
{
  double largest[2] = {0, 0};
  for (int i = 0; i < level->own; i++) {
    double *row = row_of(r, i);
    const double *change = q + (size_t)BLOCK * (size_t)i, *w = weight + (size_t)BLOCK * (size_t)i;
    for (int c = 0; c < BLOCK; c++) row[c] -= step * change[c];
    double factor[BLOCK_SIZE], residual[BLOCK];
    block_apply(triangle_unpack(triangle_of(level->factor, i), factor), row, residual);
    for (int c = 0; c < BLOCK; c++) {
      par_raise(&largest[0], fabs(residual[c] * w[c]));
      par_raise(&largest[1], fabs(row[c]));
    }
  }
  if (!level->shared) par_max_many(largest, 2);
  for (int k = 0; k < 2; k++)
    if (isnan(largest[k])) largest[k] = INFINITY;
  return (ResidualSize){largest[0], largest[1]};
}

int conjugate_gradients_solve(Amg *amg, const double *b, GradientsEnd end, double *x, Arena *arena)
{
  assert(end.most >= 0 && !(end.tolerance < 0) && "iterations are limited");
  assert(b != NULL && end.weight != NULL && x != NULL && "vectors are given");
  const TrafficKind served = par_traffic_serves(TRAFFIC_INNER);
  const ArenaMark mark = arena_mark(arena);
  Level *level = &amg->levels[0];
  const size_t row_bytes = BLOCK * sizeof(double);
  const size_t bytes = ((size_t)level->count + 1) * row_bytes;
  double *solution = arena_allocate(arena, bytes), *r = arena_allocate(arena, bytes);
  double *p = arena_allocate(arena, bytes), *q = arena_allocate(arena, bytes);
  double *w = arena_allocate(arena, bytes), *z = q;
  const int n = BLOCK * level->own;

  amg_level_take(level, end.weight, row_bytes, w);
  amg_level_take(level, x, row_bytes, solution);
  amg_level_rescale(level, solution, solution);
  amg_level_take(level, b, row_bytes, r);
  amg_level_scale(level, r, r);
  amg_level_multiply(level, solution, q, arena);
  ResidualSize size = reduce(level, 1, q, w, r);

  int iterations = 0;
  double before = 1;   // r.z of the last iteration
  while (size.weighted > end.tolerance && iterations < end.most) {
    amg_cycle(amg, r, size.scaled, z);
    const double now = dot(level, r, z);
    if (!(now > 0)) break;   // at the end of what the numbers hold
    const double carried = now / before;
    for (int i = 0; i < n; i++) p[i] = iterations > 0 ? z[i] + carried * p[i] : z[i];
    before = now;
    amg_level_multiply(level, p, q, arena);
    const double curvature = dot(level, p, q);
    if (!(curvature > 0)) break;
    const double step = now / curvature;
    for (int i = 0; i < n; i++) solution[i] += step * p[i];
    size = reduce(level, step, q, w, r);
    iterations++;
  }

  amg_level_unscale(level, solution, solution);
  amg_level_unload(level, solution, row_bytes, x);
  halo_refresh(&amg->space.plan, x, BLOCK * sizeof *x, arena);
  arena_release(arena, mark);
  par_traffic_rounds(iterations);
  par_traffic_serves(served);
  return iterations;
}
