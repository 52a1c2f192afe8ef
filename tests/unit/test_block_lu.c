// Sparse factors of matrices that are not symmetric: solutions have the residual of rounding, and
// blocks without inverse are told.
#include "block_lu.h"

#include <math.h>
#include <string.h>

#include "harness.h"
#include "random_numbers.h"

enum { ROWS = 40, ENTRIES = ROWS * (ROWS + 1) / 2, NUMBERS = BLOCK * ROWS };

// Both triangles by block columns, and the matrix as a whole.
typedef struct {
  int start[ROWS + 1], row[ENTRIES];
  double above[ENTRIES * BLOCK_SIZE], below[ENTRIES * BLOCK_SIZE];
  double whole[NUMBERS][NUMBERS];
} Both;

static void make_pattern(Both *a, double share, Random *random)
{
  int at = 0;
  for (int k = 0; k < ROWS; k++) {
    a->start[k] = at;
    for (int i = 0; i < k; i++)
      if (random_between(random, 0, 1) < share) a->row[at++] = i;
    a->row[at++] = k;
  }
  a->start[ROWS] = at;
}

// Its symmetric part is positive by the diagonal.
static void make_numbers(Both *a, Random *random)
{
  memset(a->whole, 0, sizeof a->whole);
  for (int k = 0; k < ROWS; k++)
    for (int e = a->start[k]; e < a->start[k + 1]; e++)
      for (int r = 0; r < BLOCK; r++)
        for (int s = 0; s < BLOCK; s++) {
          const int i = a->row[e];
          double up = random_between(random, -1, 1), down = random_between(random, -1, 1);
          if (i == k) up = down = down + (r == s ? 4.0 * ROWS : 0);
          a->whole[BLOCK * i + r][BLOCK * k + s] = up;
          if (i != k) a->whole[BLOCK * k + s][BLOCK * i + r] = down;
          a->above[BLOCK_SIZE * e + BLOCK * r + s] = up;
          // by columns; (s, r) of the block below the diagonal, (r, s) of that on it
          if (i != k) a->below[BLOCK_SIZE * e + BLOCK * r + s] = down;
          else a->below[BLOCK_SIZE * e + BLOCK * s + r] = down;
        }
}

static void check_solution(const Both *a, BlockLu *lu, Random *random)
{
  double x[NUMBERS], b[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) x[i] = b[i] = random_between(random, -1, 1);
  CHECK(block_lu_make(lu, a->above, a->below));
  block_lu_solve(lu, x);
  double worst = 0;
  for (int i = 0; i < NUMBERS; i++) {
    double sum = -b[i];
    for (int j = 0; j < NUMBERS; j++) sum += a->whole[i][j] * x[j];
    worst = fmax(worst, fabs(sum));
  }
  CHECK_NEAR(worst, 0, 1e-13);
}

static void test_solutions(Random *random)
{
  static Both a;
  for (int k = 0; k < 12; k++) {
    make_pattern(&a, 0.03 * k, random);
    BlockLu *lu = block_lu_new(ROWS, a.start, a.row);
    for (int again = 0; again < 3; again++) {
      make_numbers(&a, random);
      check_solution(&a, lu, random);
    }
    block_lu_destroy(lu);
  }
}

// A row of zeros, and a number that is none; factors of the next numbers are as if nothing was.
static void test_refusals(Random *random)
{
  static Both a, bad;
  make_pattern(&a, 0.2, random);
  make_numbers(&a, random);
  BlockLu *lu = block_lu_new(ROWS, a.start, a.row);
  bad = a;
  const int last = BLOCK_SIZE * (a.start[1] - 1);
  for (int s = 0; s < BLOCK; s++) bad.below[last + BLOCK * s + 2] = 0;
  CHECK(!block_lu_make(lu, bad.above, bad.below));
  bad = a;
  bad.below[last + 3] = NAN;
  CHECK(!block_lu_make(lu, bad.above, bad.below));
  check_solution(&a, lu, random);
  block_lu_destroy(lu);
}

static void test_nothing(void)
{
  const int start[] = {0}, row[] = {0};
  const double blocks[BLOCK_SIZE] = {0};
  double x[1] = {7};
  BlockLu *lu = block_lu_new(0, start, row);
  CHECK(block_lu_make(lu, blocks, blocks));
  block_lu_solve(lu, x);
  CHECK(x[0] == 7);
  block_lu_destroy(lu);
}

int main(void)
{
  Random random = {7};
  test_solutions(&random);
  test_refusals(&random);
  test_nothing();
  return test_report();
}
