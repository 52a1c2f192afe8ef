// Factors L U (block_lu.h) of the matrix of all ranks.
#include "lu.h"

#include <assert.h>

#include "block_lu.h"
#include "gathered.h"
#include "memory.h"
#include "parallel.h"

struct Lu {
  Gathered *gathered;
  BlockLu *factors;
  double *above, *below;   // [blocks * BLOCK_SIZE] the triangles as block_lu_make takes them
  double *solution;        // [rows * BLOCK] in the order of elimination
};

static void forget(Lu *lu)
{
  gathered_destroy(lu->gathered);
  block_lu_destroy(lu->factors);
  memory_free(lu->above);
  memory_free(lu->below);
  memory_free(lu->solution);
}

static Lu *analyse(const BlockSpace *space, const BlockMatrix *a, Lu *reuse, Arena *arena)
{
  Lu *lu = reuse ? reuse : memory_allocate_zero(1, sizeof *lu);
  if (gathered_fits(lu->gathered, space, a, arena)) return lu;
  forget(lu);
  lu->gathered = gathered_new(space, a, arena);
  const GatheredPattern pattern = gathered_pattern(lu->gathered);
  const size_t numbers = ((size_t)pattern.blocks + 1) * BLOCK_SIZE;
  lu->factors = block_lu_new(pattern.rows, pattern.start, pattern.row);
  lu->above = memory_allocate(numbers * sizeof *lu->above);
  lu->below = memory_allocate(numbers * sizeof *lu->below);
  lu->solution = memory_allocate(((size_t)pattern.rows + 1) * BLOCK * sizeof *lu->solution);
  return lu;
}

Lu *lu_new(const BlockSpace *space, const BlockMatrix *a, const double *mirror, Lu *reuse,
           Arena *arena)
{
  assert(space != NULL && a != NULL && mirror != NULL && "a matrix with both triangles");
  Lu *lu = analyse(space, a, reuse, arena);

  // all ranks do the same with the same numbers
  const bool finite =
      gathered_fill(lu->gathered, a, (GatheredNumbers){lu->above, mirror, lu->below}, arena);
  if (!par_all(finite && block_lu_make(lu->factors, lu->above, lu->below))) {
    lu_destroy(lu);
    lu = NULL;
  }
  return lu;
}

void lu_destroy(Lu *lu)
{
  if (!lu) return;
  forget(lu);
  memory_free(lu);
}

void lu_solve(const Lu *lu, const BlockSpace *space, const double *b, double *x, Arena *arena)
{
  assert(b != NULL && x != NULL && "both vectors are given");
  gathered_collect(lu->gathered, b, lu->solution, arena);
  block_lu_solve(lu->factors, lu->solution);
  gathered_return(lu->gathered, space, lu->solution, x, arena);
}
