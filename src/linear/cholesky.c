// Factors L L' (block_factor.h) of the matrix of all ranks: no BLAS and no threads have a part in
// the bits.
#include "cholesky.h"

#include <assert.h>

#include "block_factor.h"
#include "gathered.h"
#include "memory.h"
#include "parallel.h"

struct Cholesky {
  Gathered *gathered;
  BlockFactor *factor;
  double *numbers;    // [blocks * BLOCK_SIZE] upper triangle in the order of elimination
  double *solution;   // [rows * BLOCK] in the order of elimination
};

static void forget(Cholesky *c)
{
  gathered_destroy(c->gathered);
  block_factor_destroy(c->factor);
  memory_free(c->numbers);
  memory_free(c->solution);
}

Cholesky *cholesky_analyse(const BlockSpace *space, const BlockMatrix *a, Cholesky *reuse,
                           Arena *arena)
{
  assert(space != NULL && a != NULL && arena != NULL && "a matrix over a space");
  Cholesky *c = reuse ? reuse : memory_allocate_zero(1, sizeof *c);
  if (gathered_fits(c->gathered, space, a, arena)) return c;
  forget(c);
  c->gathered = gathered_new(space, a, arena);
  const GatheredPattern pattern = gathered_pattern(c->gathered);
  c->factor = block_factor_new(pattern.rows, pattern.start, pattern.row);
  c->numbers = memory_allocate_zero(((size_t)pattern.blocks + 1) * BLOCK_SIZE, sizeof(double));
  c->solution = memory_allocate(((size_t)pattern.rows + 1) * BLOCK * sizeof(double));
  return c;
}

Cholesky *cholesky_new(const BlockSpace *space, const BlockMatrix *a, Cholesky *reuse, Arena *arena)
{
  Cholesky *c = cholesky_analyse(space, a, reuse, arena);

  // all ranks do the same with the same numbers
  const bool finite = gathered_fill(c->gathered, a, (GatheredNumbers){.above = c->numbers}, arena);
  if (!par_all(finite && block_factor_make(c->factor, c->numbers))) {
    cholesky_destroy(c);
    c = NULL;
  }
  return c;
}

void cholesky_destroy(Cholesky *c)
{
  if (!c) return;
  forget(c);
  memory_free(c);
}

double cholesky_work(const Cholesky *c)
{
  const double numbers = (double)block_factor_numbers(c->factor);
  const int rows = gathered_pattern(c->gathered).rows;
  return rows > 0 ? numbers * numbers / (BLOCK * (double)rows) : 0;
}

int64_t cholesky_numbers(const Cholesky *c) { return block_factor_numbers(c->factor); }

void cholesky_solve(const Cholesky *c, const BlockSpace *space, const double *b, double *x,
                    Arena *arena)
{
  assert(b != NULL && x != NULL && "both vectors are given");
  gathered_collect(c->gathered, b, c->solution, arena);
  block_factor_solve(c->factor, c->solution);
  gathered_return(c->gathered, space, c->solution, x, arena);
}
