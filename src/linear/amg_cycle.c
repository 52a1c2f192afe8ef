// One V-cycle: Chebyshev smoothing of degree two (Adams, Brezina, Hu and Tuminaro 2003), dense
// factors on the last level.
#include <string.h>

#include "amg_level.h"
#include "block_kernel.h"

#define SMOOTHED_SPAN 8.0   // the smoother acts on eigenvalues down to the highest over this

// Coefficients of two steps: d = first r; d = carried d + second r
typedef struct {
  double first, carried, second;
} Chebyshev;

static Chebyshev chebyshev(double highest)
{
  const double lowest = highest / SMOOTHED_SPAN;
  const double middle = 0.5 * (highest + lowest), half = 0.5 * (highest - lowest);
  const double sigma = middle / half, rho = 1 / (2 * sigma - 1 / sigma);
  return (Chebyshev){1 / middle, rho / sigma, 2 * rho / half};
}

// from x = 0 when start, else on; r = b - A x of the result when asked for
static void smooth(const Level *level, bool start, bool residual, Arena *scratch)
{
  const Chebyshev c = chebyshev(level->highest);
  const int n = BLOCK * level->own;
  double *x = level->x, *b = level->b, *r = level->r, *d = level->d, *product = level->product;
  if (!start) level_multiply(level, x, product, scratch);
  for (int i = 0; i < n; i++) {
    r[i] = start ? b[i] : b[i] - product[i];
    d[i] = c.first * r[i];
    x[i] = start ? d[i] : x[i] + d[i];
  }
  level_multiply(level, d, product, scratch);
  for (int i = 0; i < n; i++) {
    r[i] -= product[i];
    d[i] = c.carried * d[i] + c.second * r[i];
    x[i] += d[i];
  }
  if (!residual) return;
  level_multiply(level, d, product, scratch);
  for (int i = 0; i < n; i++) r[i] -= product[i];
}

// rhs of the coarser level from the residual, in order of the fine key
static void restrict_residual(const Transfer *t, const Level *level, const Level *coarse,
                              Arena *scratch)
{
  double *sums = coarse->x;
  memset(sums, 0, ((size_t)coarse->count + 1) * BLOCK * sizeof *sums);
  halo_refresh(&t->far_row_plan, level->r, BLOCK * sizeof *level->r, scratch);
  for (int n = 0; n < t->own + t->received; n++) {
    const int row = t->restrict_order[n], p = row < t->own ? row : row + t->near;
    for (int e = t->start[p]; e < t->start[p + 1]; e++)
      block_add_transposed(block_of(t->block, e), row_of(level->r, row),
                           row_of(sums, t->column[e]));
  }
  if (coarse->gather) {
    level_unload(coarse, sums, coarse->d);
    level_load(coarse, coarse->d, coarse->b);
  } else {
    memcpy(coarse->b, sums, (size_t)coarse->own * BLOCK * sizeof *sums);
  }
  level_scale(coarse, coarse->b, coarse->b);
}

static void add_correction(const Transfer *t, const Level *level, const Level *coarse,
                           Arena *scratch)
{
  level_unscale(coarse, coarse->x, coarse->x);
  halo_refresh(&coarse->plan, coarse->x, BLOCK * sizeof *coarse->x, scratch);
  for (int i = 0; i < t->own; i++) {
    ColumnSum sum;
    column_sum_zero(&sum);
    for (int e = t->start[i]; e < t->start[i + 1]; e++)
      column_sum_add(&sum, block_of(t->block, e), row_of(coarse->x, t->column[e]));
    column_sum_to(&sum, row_of(level->x, i));
  }
}

// L L' x = b, dense, by columns
static void solve_dense(const double *factor, int n, double *x)
{
  for (int j = 0; j < n; j++) {
    const double *column = factor + (size_t)j * (size_t)n;
    const double value = x[j] /= column[j];
    for (int i = j + 1; i < n; i++) x[i] -= value * column[i];
  }
  // rows of L' are columns of L: four sums, since one would wait for each addition
  for (int j = n - 1; j >= 0; j--) {
    const double *column = factor + (size_t)j * (size_t)n;
    double sum[4] = {0, 0, 0, 0};
    int i = j + 1;
    for (; i + 4 <= n; i += 4)
      for (int k = 0; k < 4; k++) sum[k] += column[i + k] * x[i + k];
    for (; i < n; i++) sum[0] += column[i] * x[i];
    x[j] = (x[j] - ((sum[0] + sum[1]) + (sum[2] + sum[3]))) / column[j];
  }
}

void amg_cycle(Amg *amg)
{
  const int last = amg->level_count - 1;
  for (int l = 0; l < last; l++) {
    smooth(&amg->levels[l], true, true, &amg->scratch);
    restrict_residual(&amg->transfers[l], &amg->levels[l], &amg->levels[l + 1], &amg->scratch);
  }
  const Level *bottom = &amg->levels[last];
  memcpy(bottom->x, bottom->b, (size_t)bottom->own * BLOCK * sizeof *bottom->x);
  if (amg->dense) solve_dense(amg->dense, BLOCK * bottom->own, bottom->x);
  for (int l = last - 1; l >= 0; l--) {
    const Level *level = &amg->levels[l];
    add_correction(&amg->transfers[l], level, &amg->levels[l + 1], &amg->scratch);
    smooth(level, false, false, &amg->scratch);

    // a row coupled with nobody is solved by its own block
    for (int i = 0; i < level->own; i++)
      if (level->alone[i])
        memcpy(row_of(level->x, i), row_of(level->b, i), BLOCK * sizeof *level->x);
  }
}
