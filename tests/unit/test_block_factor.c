// Sparse factors in blocks have the bits of CXSparse's scalar ones, solutions too.
#include "block_factor.h"

#include <cs.h>
#include <math.h>
#include <string.h>

#include "harness.h"
#include "random_numbers.h"

enum { MOST_ROWS = 60, MOST_BLOCKS = MOST_ROWS * (MOST_ROWS + 1) / 2 };

// The upper triangle of a matrix by block columns.
typedef struct {
  int rows, start[MOST_ROWS + 1], row[MOST_BLOCKS];
  double blocks[MOST_BLOCKS * BLOCK_SIZE];
} Upper;

static double random_number(Random *random) { return random_between(random, -1, 1); }

// a block with the column of each lower row by chance, in any order; definite by its diagonal
static void make_upper(Upper *a, int rows, double share, Random *random)
{
  a->rows = rows;
  a->start[0] = 0;
  for (int k = 0, at = 0; k < rows; k++) {
    for (int i = 0; i < k; i++)
      if (random_between(random, 0, 1) < share) a->row[at++] = i;
    for (int e = at - 1; e > a->start[k]; e--) {
      const int other = a->start[k] + random_below(random, e - a->start[k] + 1), kept = a->row[e];
      a->row[e] = a->row[other];
      a->row[other] = kept;
    }
    a->row[at++] = k;
    a->start[k + 1] = at;
  }
  for (int e = 0; e < BLOCK_SIZE * a->start[rows]; e++) a->blocks[e] = random_number(random);
  for (int k = 0; k < rows; k++)
    for (int i = 0; i < BLOCK; i++)
      a->blocks[BLOCK_SIZE * (a->start[k + 1] - 1) + (BLOCK + 1) * i] += 6.0 * rows + BLOCK;
}

// the same number by number
static cs_di *scalar_of(const Upper *a)
{
  const int n = BLOCK * a->rows;
  cs_di *m = cs_di_spalloc(n, n, BLOCK_SIZE * a->start[a->rows] + 1, 1, 0);
  int at = 0;
  for (int k = 0; k < a->rows; k++)
    for (int s = 0; s < BLOCK; s++) {
      m->p[BLOCK * k + s] = at;
      for (int e = a->start[k]; e < a->start[k + 1]; e++)
        for (int r = 0; r < (a->row[e] == k ? s + 1 : BLOCK); r++, at++) {
          m->i[at] = BLOCK * a->row[e] + r;
          m->x[at] = a->blocks[BLOCK_SIZE * e + BLOCK * r + s];
        }
    }
  m->p[n] = at;
  return m;
}

static void check_system(const Upper *a, BlockFactor *factor, Random *random)
{
  const int n = BLOCK * a->rows;
  double x[BLOCK * MOST_ROWS], reference[BLOCK * MOST_ROWS];
  for (int i = 0; i < n; i++) x[i] = reference[i] = random_number(random);
  cs_di *matrix = scalar_of(a);
  cs_dis *analysis = cs_di_schol(0, matrix);
  cs_din *scalar = cs_di_chol(matrix, analysis);
  CHECK(scalar != NULL && block_factor_make(factor, a->blocks));
  CHECK(block_factor_numbers(factor) == (int64_t)analysis->lnz);
  cs_di_lsolve(scalar->L, reference);
  cs_di_ltsolve(scalar->L, reference);
  block_factor_solve(factor, x);
  CHECK(memcmp(x, reference, (size_t)n * sizeof *x) == 0);
  cs_di_nfree(scalar);
  cs_di_sfree(analysis);
  cs_di_spfree(matrix);
}

static void test_bits(Random *random)
{
  static Upper a;
  for (int k = 0; k < 200; k++) {
    const double share = random_between(random, 0, 1);
    make_upper(&a, 1 + random_below(random, MOST_ROWS), share * share, random);
    BlockFactor *factor = block_factor_new(a.rows, a.start, a.row);
    check_system(&a, factor, random);

    // one that fails leaves nothing behind for the next
    Upper *bad = &a;
    double *pivot = &bad->blocks[BLOCK_SIZE * (a.start[random_below(random, a.rows) + 1] - 1)];
    const double kept = *pivot;
    *pivot = -1;
    CHECK(!block_factor_make(factor, bad->blocks));
    *pivot = NAN;
    CHECK(!block_factor_make(factor, bad->blocks));
    *pivot = kept;
    check_system(&a, factor, random);
    block_factor_destroy(factor);
  }
}

// the solution itself, not only its bits
static void test_solution(Random *random)
{
  static Upper a;
  make_upper(&a, 40, 0.1, random);
  BlockFactor *factor = block_factor_new(a.rows, a.start, a.row);
  CHECK(block_factor_make(factor, a.blocks));
  double x[BLOCK * MOST_ROWS], b[BLOCK * MOST_ROWS];
  for (int i = 0; i < BLOCK * a.rows; i++) x[i] = b[i] = random_number(random);
  block_factor_solve(factor, x);
  cs_di *matrix = scalar_of(&a);
  for (int j = 0; j < matrix->n; j++)
    for (int p = matrix->p[j]; p < matrix->p[j + 1]; p++) {
      b[matrix->i[p]] -= matrix->x[p] * x[j];
      if (matrix->i[p] != j) b[j] -= matrix->x[p] * x[matrix->i[p]];
    }
  for (int i = 0; i < BLOCK * a.rows; i++) CHECK_NEAR(b[i], 0, 1e-13);
  cs_di_spfree(matrix);
  block_factor_destroy(factor);
}

static void test_nothing(void)
{
  const int start[] = {0}, row[] = {0};
  const double blocks[] = {0};
  double x[] = {0};
  BlockFactor *factor = block_factor_new(0, start, row);
  CHECK(block_factor_make(factor, blocks));
  block_factor_solve(factor, x);
  CHECK(block_factor_numbers(factor) == 0);
  block_factor_destroy(factor);
}

int main(void)
{
  Random random = {2026};
  test_bits(&random);
  test_solution(&random);
  test_nothing();
  return test_report();
}
