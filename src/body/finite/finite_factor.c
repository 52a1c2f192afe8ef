// Factors of one body's matrix; nodes that are held have no unknowns.
#include "finite_factor.h"

#include <assert.h>
#include <cs.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "memory.h"

// Columns of blocks of L: below the diagonal, by rows that grow.
typedef struct {
  int columns;
  int *start;   // [columns + 1]
  int *row;     // [start[columns]]
} BlockColumns;

struct FiniteFactor {
  int nodes, unknowns;
  int *first;   // [nodes] first unknown of a node in the order of elimination, -1: held
  css *symbols;
  csn *numbers;
  BlockColumns blocks;
  double *ordered;   // [unknowns]
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

// The first of the three columns of a block holds its diagonal and all rows below.
static void find_blocks(FiniteFactor *factor)
{
  const cs *l = factor->numbers->L;
  BlockColumns *blocks = &factor->blocks;
  blocks->columns = factor->unknowns / 3;
  blocks->start = memory_allocate(((size_t)blocks->columns + 1) * sizeof(int));
  blocks->start[0] = 0;
  for (int c = 0; c < blocks->columns; c++)
    blocks->start[c + 1] = blocks->start[c] + (l->p[3 * c + 1] - l->p[3 * c]) / 3 - 1;
  blocks->row = memory_allocate(((size_t)blocks->start[blocks->columns] + 1) * sizeof(int));
  for (int c = 0; c < blocks->columns; c++) {
    const int *rows = l->i + l->p[3 * c] + 3;
    for (int e = blocks->start[c]; e < blocks->start[c + 1]; e++, rows += 3) {
      assert(rows[0] % 3 == 0 && rows[2] == rows[0] + 2 && "rows of nodes stay together");
      blocks->row[e] = rows[0] / 3;
    }
  }
}

FiniteFactor *finite_factor_new(const FiniteStiffness *stiffness, double scale, const double *mass,
                                const bool *held)
{
  assert(stiffness->nodes > 0 && scale > 0 && "a stiffness");
  FiniteFactor *factor = memory_allocate_zero(1, sizeof *factor);
  factor->nodes = stiffness->nodes;
  factor->first = memory_allocate((size_t)factor->nodes * sizeof(int));
  order_nodes(factor, stiffness, held);
  factor->ordered = memory_allocate(((size_t)factor->unknowns + 1) * sizeof(double));

  cs *matrix = upper_triangle(factor, stiffness, scale, mass, NULL);
  factor->symbols = cs_schol(0, matrix);
  factor->numbers = factor->symbols ? cs_chol(matrix, factor->symbols) : NULL;
  cs_spfree(matrix);
  if (!factor->numbers) {
    finite_factor_destroy(factor);
    return NULL;
  }
  find_blocks(factor);
  return factor;
}

void finite_factor_destroy(FiniteFactor *factor)
{
  if (!factor) return;
  assert_debug(factor->nodes > 0 && "a factor that was made");
  cs_nfree(factor->numbers);
  cs_sfree(factor->symbols);
  memory_free(factor->first);
  memory_free(factor->blocks.start);
  memory_free(factor->blocks.row);
  memory_free(factor->ordered);
  memory_free(factor);
}

void finite_factor_solve(FiniteFactor *factor, vec3 *values)
{
  assert_debug(factor->numbers != NULL && "a factor that was made");
  double *x = factor->ordered;
  for (int n = 0; n < factor->nodes; n++) {
    if (factor->first[n] < 0) continue;
    double *to = &x[factor->first[n]];
    to[0] = values[n].x, to[1] = values[n].y, to[2] = values[n].z;
  }
  cs_lsolve(factor->numbers->L, x);
  cs_ltsolve(factor->numbers->L, x);
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

// ------------------------------------------------------------------------------------------------
// Single precision. A block has its nine numbers by columns; a column is taken as four lanes, the
// fourth of which is the next number, and counts nowhere.

enum { NODE_LANES = 4 };
typedef float NodeLanes __attribute__((vector_size(16), aligned(4), may_alias));

struct FiniteSingle {
  const FiniteFactor *like;
  float *diagonal;   // [columns * FINITE_BLOCK + 1] inverses of the triangles on the diagonal
  float *below;      // [blocks * FINITE_BLOCK + 1]
  float *ordered;    // [columns * NODE_LANES]
};

// The inverse of a lower triangle, by columns.
static void invert_triangle(double l[3][3], float *inverse)
{
  const double a = 1 / l[0][0], b = 1 / l[1][1], c = 1 / l[2][2];
  const double ba = -b * l[1][0] * a, cb = -c * l[2][1] * b;
  const double ca = -c * (l[2][0] * a + l[2][1] * ba);
  const double columns[FINITE_BLOCK] = {a, ba, ca, 0, b, cb, 0, 0, c};
  for (int e = 0; e < FINITE_BLOCK; e++) inverse[e] = (float)columns[e];
}

static void take_numbers(FiniteSingle *single, const cs *l)
{
  const BlockColumns *blocks = &single->like->blocks;
  assert_debug(l->n == 3 * blocks->columns && "factors of one pattern");
  for (int c = 0; c < blocks->columns; c++) {
    double triangle[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
      const double *x = l->x + l->p[3 * c + k];
      for (int i = k; i < 3; i++) triangle[i][k] = *x++;
      for (int e = blocks->start[c]; e < blocks->start[c + 1]; e++)
        for (int i = 0; i < 3; i++) single->below[FINITE_BLOCK * e + 3 * k + i] = (float)*x++;
    }
    invert_triangle(triangle, single->diagonal + FINITE_BLOCK * c);
  }
}

FiniteSingle *finite_single_new(const FiniteFactor *like, const FiniteStiffness *stiffness,
                                double scale, const double *mass, const double *added)
{
  assert(like->nodes == stiffness->nodes && mass && added && "a matrix of the same pattern");
  cs *matrix = upper_triangle(like, stiffness, scale, mass, added);
  csn *numbers = cs_chol(matrix, like->symbols);
  cs_spfree(matrix);
  if (!numbers) return NULL;
  const size_t columns = (size_t)like->blocks.columns,
               below = (size_t)like->blocks.start[like->blocks.columns];
  FiniteSingle *single = memory_allocate_zero(1, sizeof *single);
  single->like = like;
  single->diagonal = memory_allocate_zero(columns * FINITE_BLOCK + 1, sizeof(float));
  single->below = memory_allocate_zero(below * FINITE_BLOCK + 1, sizeof(float));
  single->ordered = memory_allocate_zero(columns * NODE_LANES + 1, sizeof(float));
  take_numbers(single, numbers->L);
  cs_nfree(numbers);
  return single;
}

void finite_single_destroy(FiniteSingle *single)
{
  if (!single) return;
  assert_debug(single->like != NULL && "a factor that was made");
  memory_free(single->diagonal);
  memory_free(single->below);
  memory_free(single->ordered);
  memory_free(single);
}

static NodeLanes column_of(const float *block, int k)
{
  return *(const NodeLanes *)(block + 3 * k);
}

static NodeLanes times(const float *block, NodeLanes x)
{
  return (column_of(block, 0) * x[0] + column_of(block, 1) * x[1]) + column_of(block, 2) * x[2];
}

// What the columns of a block, as rows, make of x, lane by lane.
typedef struct {
  NodeLanes column[3];
} NodeSums;

static void add_lanes(NodeSums *sums, const float *block, NodeLanes x)
{
  for (int k = 0; k < 3; k++) sums->column[k] += column_of(block, k) * x;
}

static NodeLanes total(const NodeSums *sums)
{
  NodeLanes all = {0};
  for (int k = 0; k < 3; k++)
    all[k] = (sums->column[k][0] + sums->column[k][1]) + sums->column[k][2];
  return all;
}

// L L' x = x
static void solve_lanes(const FiniteSingle *single, NodeLanes *x)
{
  const BlockColumns *blocks = &single->like->blocks;
  for (int c = 0; c < blocks->columns; c++) {
    const NodeLanes found = x[c] = times(single->diagonal + FINITE_BLOCK * c, x[c]);
    for (int e = blocks->start[c]; e < blocks->start[c + 1]; e++)
      x[blocks->row[e]] -= times(single->below + FINITE_BLOCK * e, found);
  }
  for (int c = blocks->columns - 1; c >= 0; c--) {
    NodeSums sums = {0}, inverse = {0};
    for (int e = blocks->start[c]; e < blocks->start[c + 1]; e++)
      add_lanes(&sums, single->below + FINITE_BLOCK * e, x[blocks->row[e]]);
    add_lanes(&inverse, single->diagonal + FINITE_BLOCK * c, x[c] - total(&sums));
    x[c] = total(&inverse);
  }
}

void finite_single_solve(const FiniteSingle *single, vec3 *values)
{
  const FiniteFactor *like = single->like;
  double most = 0;
  for (int n = 0; n < like->nodes; n++)
    most = larger_of(most,
                     larger_of(larger_of(fabs(values[n].x), fabs(values[n].y)), fabs(values[n].z)));
  if (most == 0) return;
  assert_debug(most < INFINITY && "values are numbers");
  const double less = 1 / most;   // floats have no room for numbers of every size
  for (int n = 0; n < like->nodes; n++) {
    if (like->first[n] < 0) continue;
    float *to = single->ordered + NODE_LANES * (like->first[n] / 3);
    to[0] = (float)(less * values[n].x), to[1] = (float)(less * values[n].y);
    to[2] = (float)(less * values[n].z), to[3] = 0;
  }
  solve_lanes(single, (NodeLanes *)single->ordered);
  for (int n = 0; n < like->nodes; n++) {
    const float *of = single->ordered + NODE_LANES * (like->first[n] / 3);
    values[n] =
        like->first[n] < 0 ? (vec3){0, 0, 0} : (vec3){most * of[0], most * of[1], most * of[2]};
  }
}
