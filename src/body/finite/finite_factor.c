// Factors of one body's matrix; nodes that are held have no unknowns.
#include "finite_factor.h"

#include <assert.h>
#include <cs.h>
#include <string.h>

#include "check.h"
#include "lane.h"
#include "memory.h"

struct FiniteFactor {
  int nodes, unknowns;
  int *first;   // [nodes] first unknown of a node in the order of elimination, -1: held
  css *symbols;
  csn *numbers;
  double *inverse;   // [unknowns] of the diagonal
  double *ordered;   // [unknowns / 3 * LANES] three of a node and one that counts nowhere
};

// The upper triangle of M + scale K0.
static cs *upper_triangle(const FiniteFactor *factor, const FiniteStiffness *k0, double scale,
                          const double *mass)
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
        const int i = row + e % 3, j = column + e / 3;
        const double more = i == j && mass ? mass[n] : 0;
        if (i <= j) cs_entry(triplets, i, j, more + scale * block[e]);
      }
    }
  }
  cs *matrix = cs_compress(triplets);
  cs_spfree(triplets);
  assert(matrix != NULL && "memory for the matrix of a body");
  return matrix;
}

// Numbers the nodes that are not held in an order of small fill.
static void order_nodes(FiniteFactor *factor, const FiniteStiffness *k0, const bool *held)
{
  const int most = k0->start[k0->nodes];
  int *free_node = memory_allocate(((size_t)k0->nodes + 1) * sizeof(int)), count = 0;
  for (int n = 0; n < k0->nodes; n++) {
    factor->first[n] = held && held[n] ? -1 : count;
    if (factor->first[n] >= 0) free_node[count++] = n;
  }
  cs *triplets = cs_spalloc(count, count, most, 1, 1);
  assert(triplets != NULL && "memory for the graph of a body");
  for (int n = 0; n < k0->nodes; n++)
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++) {
      const int row = factor->first[n], column = factor->first[k0->column[k]];
      if (row >= 0 && column >= 0) cs_entry(triplets, row, column, 1);
    }
  cs *graph = cs_compress(triplets);
  int *order = graph ? cs_amd(1, graph) : NULL;
  assert(order != NULL && "memory for the graph of a body");
  for (int place = 0; place < count; place++) factor->first[free_node[order[place]]] = 3 * place;
  factor->unknowns = 3 * count;
  cs_free(order);
  cs_spfree(graph);
  cs_spfree(triplets);
  memory_free(free_node);
}

FiniteFactor *finite_factor_new(const FiniteStiffness *stiffness, double scale, const double *mass,
                                const bool *held)
{
  assert(stiffness->nodes > 0 && scale > 0 && "a stiffness");
  FiniteFactor *factor = memory_allocate_zero(1, sizeof *factor);
  factor->nodes = stiffness->nodes;
  factor->first = memory_allocate((size_t)factor->nodes * sizeof(int));
  order_nodes(factor, stiffness, held);
  factor->ordered = memory_allocate_zero((size_t)factor->unknowns / 3 * LANES + 1, sizeof(double));

  cs *matrix = upper_triangle(factor, stiffness, scale, mass);
  factor->symbols = cs_schol(0, matrix);
  factor->numbers = factor->symbols ? cs_chol(matrix, factor->symbols) : NULL;
  cs_spfree(matrix);
  if (!factor->numbers) {
    finite_factor_destroy(factor);
    return NULL;
  }
  const cs *l = factor->numbers->L;
  for (int k = 0; k < factor->unknowns; k += 3)
    for (int e = l->p[k]; e < l->p[k + 1]; e += 3)
      assert(l->i[e] % 3 == 0 && l->i[e + 2] == l->i[e] + 2 && "rows of nodes stay together");
  factor->inverse = memory_allocate(((size_t)factor->unknowns + 1) * sizeof(double));
  for (int k = 0; k < factor->unknowns; k++) factor->inverse[k] = 1 / l->x[l->p[k]];
  return factor;
}

void finite_factor_destroy(FiniteFactor *factor)
{
  if (!factor) return;
  assert_debug(factor->nodes > 0 && "a factor that was made");
  cs_nfree(factor->numbers);
  cs_sfree(factor->symbols);
  memory_free(factor->first);
  memory_free(factor->inverse);
  memory_free(factor->ordered);
  memory_free(factor);
}

// Three columns of L, of a node: numbers below the triangle on the diagonal by rows, three of a
// node and, as the fourth of a load, one that counts nowhere: below the last node there is nothing.
typedef struct {
  const double *column[3], *inverse;
  double triangle[3];   // of row 1: 0; of row 2: 0, 1
  const int *rows;      // three of each node
  int count;            // nodes below
} NodeColumns;

static NodeColumns columns_of(const FiniteFactor *factor, int k)
{
  assert_debug(k >= 0 && k < factor->unknowns && k % 3 == 0 && "the first unknown of a node");
  const cs *l = factor->numbers->L;
  const double *x = l->x + l->p[k], *y = l->x + l->p[k + 1], *z = l->x + l->p[k + 2];
  return (NodeColumns){.column = {x + 3, y + 2, z + 1},
                       .inverse = factor->inverse + k,
                       .triangle = {x[1], x[2], y[1]},
                       .rows = l->i + l->p[k] + 3,
                       .count = (l->p[k + 1] - l->p[k]) / 3 - 1};
}

// L L' x = x
static void solve_columns(const FiniteFactor *factor, double *x)
{
  for (int k = 0; k < factor->unknowns; k += 3) {
    const NodeColumns l = columns_of(factor, k);
    double *at = x + k / 3 * LANES;
    const double a = at[0] * l.inverse[0], b = (at[1] - l.triangle[0] * a) * l.inverse[1],
                 c = ((at[2] - l.triangle[1] * a) - l.triangle[2] * b) * l.inverse[2];
    at[0] = a, at[1] = b, at[2] = c;
    for (int e = 0; e < l.count; e++) {
      double *to = x + l.rows[3 * e] / 3 * LANES;
      const Lane taken = (lane_load(l.column[0] + 3 * e) * a + lane_load(l.column[1] + 3 * e) * b) +
                         lane_load(l.column[2] + 3 * e) * c;
      lane_store(to, lane_load(to) - taken);
    }
  }
  for (int k = factor->unknowns - 3; k >= 0; k -= 3) {
    const NodeColumns l = columns_of(factor, k);
    Lane first = lane_all(0), second = first, third = first;
    for (int e = 0; e < l.count; e++) {
      const Lane of = lane_load(x + l.rows[3 * e] / 3 * LANES);
      first += lane_load(l.column[0] + 3 * e) * of;
      second += lane_load(l.column[1] + 3 * e) * of;
      third += lane_load(l.column[2] + 3 * e) * of;
    }
    double *at = x + k / 3 * LANES;
    const double c = (at[2] - ((third[0] + third[1]) + third[2])) * l.inverse[2];
    const double b =
        ((at[1] - ((second[0] + second[1]) + second[2])) - l.triangle[2] * c) * l.inverse[1];
    const double sum = (first[0] + first[1]) + first[2];
    at[0] = (((at[0] - sum) - l.triangle[1] * c) - l.triangle[0] * b) * l.inverse[0];
    at[1] = b, at[2] = c;
  }
}

void finite_factor_solve(FiniteFactor *factor, vec3 *values)
{
  assert_debug(factor->numbers != NULL && "a factor that was made");
  double *x = factor->ordered;
  for (int n = 0; n < factor->nodes; n++) {
    if (factor->first[n] < 0) continue;
    double *to = &x[factor->first[n] / 3 * LANES];
    to[0] = values[n].x, to[1] = values[n].y, to[2] = values[n].z, to[3] = 0;
  }
  solve_columns(factor, x);
  for (int n = 0; n < factor->nodes; n++) {
    const double *of = &x[factor->first[n] / 3 * LANES];
    values[n] = factor->first[n] < 0 ? (vec3){0, 0, 0} : (vec3){of[0], of[1], of[2]};
  }
}

int64_t finite_factor_numbers(const FiniteFactor *factor)
{
  assert(factor->numbers != NULL && "a factor that was made");
  return factor->numbers->L->p[factor->unknowns];
}
