// Factors of one body's matrix; nodes that are held have no unknowns.
#include "finite_factor.h"

#include <assert.h>
#include <cs.h>
#include <string.h>

#include "check.h"
#include "memory.h"

struct FiniteFactor {
  int nodes, unknowns;
  int *first;   // [nodes] first unknown of a node, -1: held
  css *symbols;
  bool borrows;   // its symbols are another factor's
  csn *numbers;
  double *given, *ordered;   // [unknowns]
};

// The upper triangle of M + scale K0 + added.
static cs *upper_triangle(const FiniteFactor *factor, const FiniteStiffness *k0, double scale,
                          const double *mass, const double *added)
{
  const size_t most = (size_t)k0->start[k0->nodes] * FINITE_BLOCK;
  cs *triplets = cs_spalloc(factor->unknowns, factor->unknowns, (int)most, 1, 1);
  assert(triplets != NULL && "memory for the matrix of a body");
  for (int n = 0; n < k0->nodes; n++) {
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++) {
      const int row = factor->first[n], column = factor->first[k0->column[k]];
      if (row < 0 || column < row) continue;   // a held column is below every row
      const double *block = &k0->value[(size_t)FINITE_BLOCK * (size_t)k];
      for (int e = 0; e < FINITE_BLOCK; e++) {
        const int i = row + e / 3, j = column + e % 3;
        double more = i == j && mass ? mass[n] : 0;
        if (added && e % 4 == 0) more += added[k];
        if (i <= j) cs_entry(triplets, i, j, more + scale * block[e]);
      }
    }
  }
  cs *matrix = cs_compress(triplets);
  cs_spfree(triplets);
  assert(matrix != NULL && "memory for the matrix of a body");
  return matrix;
}

FiniteFactor *finite_factor_new(const FiniteStiffness *stiffness, double scale, const double *mass,
                                const bool *held)
{
  assert(stiffness->nodes > 0 && scale > 0 && "a stiffness");
  FiniteFactor *factor = memory_allocate_zero(1, sizeof *factor);
  factor->nodes = stiffness->nodes;
  factor->first = memory_allocate((size_t)factor->nodes * sizeof(int));
  for (int n = 0; n < factor->nodes; n++) {
    factor->first[n] = held && held[n] ? -1 : factor->unknowns;
    factor->unknowns += held && held[n] ? 0 : 3;
  }
  factor->given = memory_allocate(((size_t)factor->unknowns + 1) * sizeof(double));
  factor->ordered = memory_allocate(((size_t)factor->unknowns + 1) * sizeof(double));

  cs *matrix = upper_triangle(factor, stiffness, scale, mass, NULL);
  factor->symbols = cs_schol(1, matrix);
  factor->numbers = factor->symbols ? cs_chol(matrix, factor->symbols) : NULL;
  cs_spfree(matrix);
  if (!factor->numbers) {
    finite_factor_destroy(factor);
    return NULL;
  }
  return factor;
}

FiniteFactor *finite_factor_with(const FiniteFactor *like, const FiniteStiffness *stiffness,
                                 double scale, const double *mass, const double *added)
{
  assert(like->nodes == stiffness->nodes && mass && added && "a matrix of the same pattern");
  FiniteFactor *factor = memory_allocate_zero(1, sizeof *factor);
  *factor = (FiniteFactor){
      .nodes = like->nodes, .unknowns = like->unknowns, .symbols = like->symbols, .borrows = true};
  factor->first = memory_allocate((size_t)like->nodes * sizeof(int));
  memcpy(factor->first, like->first, (size_t)like->nodes * sizeof(int));
  factor->given = memory_allocate(((size_t)factor->unknowns + 1) * sizeof(double));
  factor->ordered = memory_allocate(((size_t)factor->unknowns + 1) * sizeof(double));
  cs *matrix = upper_triangle(factor, stiffness, scale, mass, added);
  factor->numbers = cs_chol(matrix, factor->symbols);
  cs_spfree(matrix);
  if (factor->numbers) return factor;
  finite_factor_destroy(factor);
  return NULL;
}

void finite_factor_destroy(FiniteFactor *factor)
{
  if (!factor) return;
  assert_debug(factor->nodes > 0 && "a factor that was made");
  cs_nfree(factor->numbers);
  if (!factor->borrows) cs_sfree(factor->symbols);
  memory_free(factor->first);
  memory_free(factor->given);
  memory_free(factor->ordered);
  memory_free(factor);
}

void finite_factor_solve(FiniteFactor *factor, vec3 *values)
{
  assert_debug(factor->numbers != NULL && "a factor that was made");
  double *x = factor->given;
  for (int n = 0; n < factor->nodes; n++) {
    if (factor->first[n] < 0) continue;
    double *to = &x[factor->first[n]];
    to[0] = values[n].x, to[1] = values[n].y, to[2] = values[n].z;
  }
  cs_ipvec(factor->symbols->pinv, x, factor->ordered, factor->unknowns);
  cs_lsolve(factor->numbers->L, factor->ordered);
  cs_ltsolve(factor->numbers->L, factor->ordered);
  cs_pvec(factor->symbols->pinv, factor->ordered, x, factor->unknowns);
  for (int n = 0; n < factor->nodes; n++) {
    const double *of = &x[factor->first[n]];
    values[n] = factor->first[n] < 0 ? (vec3){0, 0, 0} : (vec3){of[0], of[1], of[2]};
  }
}

int64_t finite_factor_numbers(const FiniteFactor *factor)
{
  assert(factor->numbers != NULL && "a factor that was made");
  return factor->numbers->L->p[factor->unknowns];
}
