// One V-cycle: Chebyshev smoothing of degree two (Adams, Brezina, Hu and Tuminaro 2003), dense
// factors on the last level.
#include <assert.h>
#include <string.h>

#include "amg_level.h"
#include "block_kernel.h"
#include "check.h"

#define SMOOTHED_SPAN 8.0   // the smoother acts on eigenvalues down to the highest over this

static Chebyshev chebyshev(double highest)
{
  assert_debug(highest > 0 && "eigenvalues are positive");
  const double lowest = highest / SMOOTHED_SPAN;
  const double middle = 0.5 * (highest + lowest), half = 0.5 * (highest - lowest);
  const double sigma = middle / half, rho = 1 / (2 * sigma - 1 / sigma);
  return (Chebyshev){(float)(1 / middle), (float)(rho / sigma), (float)(2 * rho / half)};
}

// two steps from x = 0; then r = b - A x
static void smooth_down(const Level *level, Arena *scratch)
{
  const Chebyshev c = chebyshev(level->highest);
  for (int i = 0; i < SINGLE_ROW * level->own; i++) {
    level->r[i] = level->b[i];
    level->x[i] = level->d[i] = c.first * level->b[i];
  }
  amg_level_pass(level, PASS_STEP, c, scratch);
  amg_level_pass(level, PASS_RESIDUAL, c, scratch);
}

// the same two steps on from x
static void smooth_up(const Level *level, Arena *scratch)
{
  const Chebyshev c = chebyshev(level->highest);
  amg_level_pass(level, PASS_BEGIN, c, scratch);
  amg_level_pass(level, PASS_STEP, c, scratch);
}

// rhs of the coarser level from the residual, in order of the fine key
static void restrict_residual(const Transfer *t, const Level *level, const Level *coarse,
                              Arena *scratch)
{
  assert_debug(t->own == level->own && "a row of the level has a row of P");
  const size_t row_bytes = SINGLE_ROW * sizeof(float);
  float *sums = coarse->x;
  memset(sums, 0, ((size_t)coarse->count + 1) * row_bytes);
  halo_refresh(&t->far_row_plan, level->r, row_bytes, scratch);
  for (int n = 0; n < t->own + t->received; n++) {
    const int row = t->restrict_order[n], p = row < t->own ? row : row + t->near;
    for (int e = t->start[p]; e < t->start[p + 1]; e++)
      single_add_transposed(single_block(t->scaled, e), single_row(level->r, row),
                            single_row(sums, t->column[e]));
  }
  amg_level_unload(coarse, sums, row_bytes, coarse->d);
  amg_level_take(coarse, coarse->d, row_bytes, coarse->b);
}

static void add_correction(const Transfer *t, const Level *level, const Level *coarse,
                           Arena *scratch)
{
  assert_debug(t->own == level->own && "a row of the level has a row of P");
  halo_refresh(&coarse->plan, coarse->x, SINGLE_ROW * sizeof *coarse->x, scratch);
  for (int i = 0; i < t->own; i++) {
    SingleSum sum;
    single_sum_zero(&sum);
    for (int e = t->start[i]; e < t->start[i + 1]; e++)
      single_sum_add(&sum, single_block(t->scaled, e), single_row(coarse->x, t->column[e]));
    single_sum_to(&sum, single_row(level->x, i));
  }
}

// L L' x = b, dense, by columns
static void solve_dense(const double *factor, int n, double *x)
{
  assert_debug(n >= 0 && "rows are counted");
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

static void solve_last(const Amg *amg, const Level *last)
{
  assert_debug((amg->dense == NULL || amg->dense_rows != NULL) && "a factor has a vector");
  const size_t rows = (size_t)last->own;
  memcpy(last->x, last->b, rows * SINGLE_ROW * sizeof *last->x);
  if (!amg->dense) return;
  double *x = amg->dense_rows;
  for (int i = 0; i < last->own; i++)
    for (int c = 0; c < BLOCK; c++) x[BLOCK * i + c] = (double)single_row(last->b, i)[c];
  solve_dense(amg->dense, BLOCK * last->own, x);
  for (int i = 0; i < last->own; i++)
    for (int c = 0; c < BLOCK; c++) single_row(last->x, i)[c] = (float)x[BLOCK * i + c];
}

static void run_cycle(Amg *amg)
{
  assert(amg->level_count > 0 && amg->level_count <= AMG_MOST_LEVELS && "levels are in their room");
  const int last = amg->level_count - 1;
  for (int l = 0; l < last; l++) {
    smooth_down(&amg->levels[l], &amg->scratch);
    restrict_residual(&amg->transfers[l], &amg->levels[l], &amg->levels[l + 1], &amg->scratch);
  }
  solve_last(amg, &amg->levels[last]);
  for (int l = last - 1; l >= 0; l--) {
    const Level *level = &amg->levels[l];
    add_correction(&amg->transfers[l], level, &amg->levels[l + 1], &amg->scratch);
    smooth_up(level, &amg->scratch);

    // a row coupled with nobody is solved by its own block
    for (int i = 0; i < level->own; i++)
      if (level->alone[i])
        memcpy(single_row(level->x, i), single_row(level->b, i), SINGLE_ROW * sizeof *level->x);
  }
}

// a power of two near a positive number that is not subnormal; 1 for others
static double power_near(double size)
{
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  const uint64_t exponent = bits >> 52;
  if (exponent == 0 || exponent >= 2046) return 1;   // its inverse is a power of two as well
  bits = exponent << 52;
  memcpy(&size, &bits, sizeof bits);
  return size;
}

void amg_cycle(Amg *amg, const double *r, double largest, double *z)
{
  assert(r != NULL && z != NULL && "both vectors are given");
  // numbers near one, whatever units and residual: single precision has 38 decades below
  const Level *top = &amg->levels[0];
  const double unit = power_near(largest);
  const double share = 1 / unit;
  for (int i = 0; i < top->own; i++)
    for (int c = 0; c < BLOCK; c++)
      single_row(top->b, i)[c] = (float)(share * r[(size_t)BLOCK * (size_t)i + (size_t)c]);
  run_cycle(amg);
  for (int i = 0; i < top->own; i++) {
    double *zi = row_of(z, i);
    for (int c = 0; c < BLOCK; c++)
      zi[c] = top->alone[i] ? r[(size_t)BLOCK * (size_t)i + (size_t)c]
                            : unit * (double)single_row(top->x, i)[c];
  }
}
