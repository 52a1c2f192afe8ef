// Columns of equilibrium point by point; the system in 6x6 blocks of bodies, in an order of
// elimination by nested dissection.
#include "limit_matrix.h"

#include <assert.h>
#include <math.h>
#include <metis.h>
#include <stdlib.h>
#include <string.h>

#include "block_factor.h"
#include "fail.h"
#include "memory.h"

#define DAMPING 1e-15      // of a body's diagonal: what keeps singular systems solvable
#define DAMPED_MOST 1e-8   // that is tried
#define REFINEMENTS 3      // of a solution at most
#define REFINED 1e-14      // of the right side: good enough

// What a point does to one of its bodies: six rows, three columns.
typedef struct {
  double at[BLOCK][3];
} PointColumns;

// Where the blocks of a point's two bodies are; -1: a body is held.
typedef struct {
  int low, high, both;   // block of low and low, high and high, low and high
  bool flipped;          // the last is stored as high and low
} PointBlocks;

struct LimitMatrix {
  const LimitPoint *points;
  int bodies, count, blocks;
  PointColumns *low, *high;   // [count]
  PointBlocks *where;         // [count]
  int *position;              // [bodies] in the order of elimination
  int *diagonal;              // [bodies] blocks, in that order
  const mat3 *weight;         // [count] D of the factors
  double *value;              // [blocks * BLOCK_SIZE]
  BlockFactor *factor;
  vec3 *force;                                       // [count]
  double *ordered, *asked, *left, *product, *step;   // [6 * bodies]
};

// ------------------------------------------------------------------------------------------------
// Units

LimitUnits limit_units(const LimitProblem *problem, Arena *arena)
{
  const size_t count = (size_t)problem->point_count + 1;
  LimitUnits units = {.normal = arena_allocate(arena, count * sizeof *units.normal),
                      .tangent = arena_allocate(arena, count * sizeof *units.tangent)};
  double sum = 0;
  for (int b = 0; b < problem->body_count; b++) sum += vec3_norm(problem->dead[b].force);
  if (!(sum > 0) && problem->live)
    for (int b = 0; b < problem->body_count; b++) sum += vec3_norm(problem->live[b].force);
  units.force = sum > 0 ? sum / problem->body_count : 1;
  for (int i = 0; i < problem->point_count; i++) {
    const double friction = problem->points[i].friction;
    assert(friction >= 0 && "friction is a number from zero on");
    units.normal[i] = friction > 1 ? 1 / friction : 1;
    units.tangent[i] = friction > 1 ? 1 : friction;
  }
  return units;
}

// ------------------------------------------------------------------------------------------------
// Columns

static void fill_columns(const LimitPoint *point, vec3 arm, double extent, vec3 scale, double sign,
                         PointColumns *columns)
{
  const double scales[3] = {scale.x, scale.y, scale.z};
  for (int c = 0; c < 3; c++) {
    const vec3 force = vec3_scale(sign * scales[c], point->basis.row[c]);
    const vec3 moment = vec3_scale(1 / extent, vec3_cross(arm, force));
    const double numbers[BLOCK] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    for (int r = 0; r < BLOCK; r++) columns->at[r][c] = numbers[r];
  }
}

static void make_columns(LimitMatrix *m, const LimitProblem *problem, const LimitUnits *units)
{
  for (int i = 0; i < m->count; i++) {
    const LimitPoint *p = &m->points[i];
    const vec3 scale = {units->normal[i], units->tangent[i], units->tangent[i]};
    assert(p->low >= -1 && p->low < m->bodies && p->high >= -1 && p->high < m->bodies &&
           "points are of bodies of the problem");
    if (p->low >= 0) fill_columns(p, p->low_arm, problem->extent[p->low], scale, 1, &m->low[i]);
    if (p->high >= 0)
      fill_columns(p, p->high_arm, problem->extent[p->high], scale, -1, &m->high[i]);
  }
}

static inline void add_columns(const PointColumns *g, vec3 x, double *y)
{
  for (int r = 0; r < BLOCK; r++) y[r] += g->at[r][0] * x.x + g->at[r][1] * x.y + g->at[r][2] * x.z;
}

static inline vec3 transposed_columns(const PointColumns *g, const double *v)
{
  vec3 x = {0, 0, 0};
  for (int r = 0; r < BLOCK; r++) {
    x.x += g->at[r][0] * v[r];
    x.y += g->at[r][1] * v[r];
    x.z += g->at[r][2] * v[r];
  }
  return x;
}

void limit_matrix_add(const LimitMatrix *m, const vec3 *x, double *y)
{
  for (int i = 0; i < m->count; i++) {
    const LimitPoint *p = &m->points[i];
    if (p->low >= 0) add_columns(&m->low[i], x[i], y + BLOCK * (size_t)p->low);
    if (p->high >= 0) add_columns(&m->high[i], x[i], y + BLOCK * (size_t)p->high);
  }
}

void limit_matrix_transposed(const LimitMatrix *m, const double *v, vec3 *x)
{
  for (int i = 0; i < m->count; i++) {
    const LimitPoint *p = &m->points[i];
    x[i] = (vec3){0, 0, 0};
    if (p->low >= 0) x[i] = transposed_columns(&m->low[i], v + BLOCK * (size_t)p->low);
    if (p->high >= 0)
      x[i] = vec3_add(x[i], transposed_columns(&m->high[i], v + BLOCK * (size_t)p->high));
  }
}

// ------------------------------------------------------------------------------------------------
// Pattern

// Two bodies that share points, in the order of elimination: above < column.
typedef struct {
  int column, above, point;
} BodyEdge;

static int compare_edges(const void *a, const void *b)
{
  const BodyEdge *p = a, *q = b;
  if (p->column != q->column) return p->column < q->column ? -1 : 1;
  if (p->above != q->above) return p->above < q->above ? -1 : 1;
  return (p->point > q->point) - (p->point < q->point);
}

// Points between two bodies that may move, sorted by the positions of these.
static int list_edges(const LimitMatrix *m, BodyEdge *edges)
{
  int count = 0;
  for (int i = 0; i < m->count; i++) {
    const LimitPoint *p = &m->points[i];
    if (p->low < 0 || p->high < 0) continue;
    const int a = m->position[p->low], b = m->position[p->high];
    edges[count++] = (BodyEdge){a < b ? b : a, a < b ? a : b, i};
  }
  if (count > 1) qsort(edges, (size_t)count, sizeof *edges, compare_edges);
  return count;
}

static bool same_pair(const BodyEdge *a, const BodyEdge *b)
{
  return a->column == b->column && a->above == b->above;
}

// nested dissection of the graph of bodies
static void order_bodies(LimitMatrix *m, const BodyEdge *edges, int edge_count, Arena *scratch)
{
  const size_t n = (size_t)m->bodies;
  idx_t *start = arena_allocate_zero(scratch, n + 2, sizeof *start);
  for (int e = 0; e < edge_count; e++)
    if (e == 0 || !same_pair(&edges[e], &edges[e - 1])) {
      start[edges[e].column + 1]++;
      start[edges[e].above + 1]++;
    }
  for (size_t b = 0; b < n; b++) start[b + 1] += start[b];
  if (start[n] == 0) return;   // no two bodies meet, and any order will do
  idx_t *next = arena_allocate(scratch, (n + 1) * sizeof *next);
  memcpy(next, start, n * sizeof *next);
  idx_t *beside = arena_allocate(scratch, (size_t)start[n] * sizeof *beside);
  for (int e = 0; e < edge_count; e++)
    if (e == 0 || !same_pair(&edges[e], &edges[e - 1])) {
      beside[next[edges[e].column]++] = edges[e].above;
      beside[next[edges[e].above]++] = edges[e].column;
    }
  idx_t *order = arena_allocate(scratch, (n + 1) * sizeof *order);
  idx_t *place = arena_allocate(scratch, (n + 1) * sizeof *place);
  idx_t options[METIS_NOPTIONS], count = (idx_t)m->bodies;
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  if (METIS_NodeND(&count, start, beside, NULL, options, order, place) != METIS_OK)
    die_memory("no room to order a system of %d bodies", m->bodies);
  for (int b = 0; b < m->bodies; b++) m->position[b] = (int)place[b];
}

// the upper triangle by columns, and where the points' blocks are in it
static void make_pattern(LimitMatrix *m, Arena *arena, Arena *scratch)
{
  BodyEdge *edges = arena_allocate(scratch, ((size_t)m->count + 1) * sizeof *edges);
  order_bodies(m, edges, list_edges(m, edges), scratch);
  const int edge_count = list_edges(m, edges);
  int *start = arena_allocate(scratch, ((size_t)m->bodies + 1) * sizeof *start);
  int *row = arena_allocate(scratch, ((size_t)m->bodies + (size_t)edge_count + 1) * sizeof *row);
  int *diagonal = m->diagonal;
  int e = 0;
  for (int j = 0; j < m->bodies; j++) {
    start[j] = m->blocks;
    for (; e < edge_count && edges[e].column == j; e++) {
      if (e == 0 || !same_pair(&edges[e], &edges[e - 1])) row[m->blocks++] = edges[e].above;
      const LimitPoint *p = &m->points[edges[e].point];
      PointBlocks *where = &m->where[edges[e].point];
      where->both = m->blocks - 1;
      where->flipped = m->position[p->low] > m->position[p->high];
    }
    diagonal[j] = m->blocks;
    row[m->blocks++] = j;
  }
  start[m->bodies] = m->blocks;
  for (int i = 0; i < m->count; i++) {
    const LimitPoint *p = &m->points[i];
    m->where[i].low = p->low < 0 ? -1 : diagonal[m->position[p->low]];
    m->where[i].high = p->high < 0 ? -1 : diagonal[m->position[p->high]];
    if (p->low < 0 || p->high < 0) m->where[i].both = -1;
  }
  m->value = arena_allocate(arena, ((size_t)m->blocks + 1) * BLOCK_SIZE * sizeof *m->value);
  m->factor = block_factor_new(m->bodies, start, row);
}

LimitMatrix *limit_matrix_new(const LimitProblem *problem, const LimitUnits *units, Arena *arena)
{
  assert(problem->body_count > 0 && problem->point_count >= 0 && "there is a body that may move");
  LimitMatrix *m = arena_allocate_zero(arena, 1, sizeof *m);
  m->points = problem->points;
  m->bodies = problem->body_count;
  m->count = problem->point_count;
  const size_t points = (size_t)m->count + 1, rows = BLOCK * (size_t)m->bodies;
  m->low = arena_allocate_zero(arena, points, sizeof *m->low);
  m->high = arena_allocate_zero(arena, points, sizeof *m->high);
  m->where = arena_allocate_zero(arena, points, sizeof *m->where);
  m->force = arena_allocate(arena, points * sizeof *m->force);
  m->position = arena_allocate(arena, (size_t)m->bodies * sizeof *m->position);
  m->diagonal = arena_allocate(arena, (size_t)m->bodies * sizeof *m->diagonal);
  for (int b = 0; b < m->bodies; b++) m->position[b] = b;
  m->ordered = arena_allocate(arena, rows * sizeof(double));
  m->asked = arena_allocate(arena, rows * sizeof(double));
  m->left = arena_allocate(arena, rows * sizeof(double));
  m->product = arena_allocate(arena, rows * sizeof(double));
  m->step = arena_allocate(arena, rows * sizeof(double));
  make_columns(m, problem, units);
  Arena scratch = arena_new();
  make_pattern(m, arena, &scratch);
  arena_destroy(&scratch);
  return m;
}

void limit_matrix_destroy(LimitMatrix *m) { block_factor_destroy(m->factor); }

int64_t limit_matrix_numbers(const LimitMatrix *m) { return block_factor_numbers(m->factor); }

// ------------------------------------------------------------------------------------------------
// Factors

// block += p (q D)'
static void add_product(const PointColumns *p, const PointColumns *q_d, double *block)
{
  for (int r = 0; r < BLOCK; r++)
    for (int c = 0; c < BLOCK; c++)
      block[BLOCK * r + c] +=
          p->at[r][0] * q_d->at[c][0] + p->at[r][1] * q_d->at[c][1] + p->at[r][2] * q_d->at[c][2];
}

static PointColumns weighted(const PointColumns *g, const mat3 *d)
{
  PointColumns product;
  for (int r = 0; r < BLOCK; r++) {
    const vec3 row = mat3_mul(*d, (vec3){g->at[r][0], g->at[r][1], g->at[r][2]});
    product.at[r][0] = row.x;
    product.at[r][1] = row.y;
    product.at[r][2] = row.z;
  }
  return product;
}

// a little more of what each body has on its diagonal
static void damp(LimitMatrix *m, double share)
{
  for (int b = 0; b < m->bodies; b++) {
    double *block = m->value + BLOCK_SIZE * (size_t)m->diagonal[b];
    double sum = 0;
    for (int r = 0; r < BLOCK; r++) sum += block[BLOCK * r + r];
    for (int r = 0; r < BLOCK; r++) block[BLOCK * r + r] += share * (sum > 0 ? sum : 1);
  }
}

bool limit_matrix_factor(LimitMatrix *m, const mat3 *d)
{
  memset(m->value, 0, (size_t)m->blocks * BLOCK_SIZE * sizeof *m->value);
  m->weight = d;
  for (int i = 0; i < m->count; i++) {
    const PointBlocks where = m->where[i];
    const PointColumns low = weighted(&m->low[i], &d[i]), high = weighted(&m->high[i], &d[i]);
    if (where.low >= 0) add_product(&m->low[i], &low, m->value + BLOCK_SIZE * (size_t)where.low);
    if (where.high >= 0)
      add_product(&m->high[i], &high, m->value + BLOCK_SIZE * (size_t)where.high);
    if (where.both < 0) continue;
    double *both = m->value + BLOCK_SIZE * (size_t)where.both;
    if (where.flipped) add_product(&m->high[i], &low, both);
    else add_product(&m->low[i], &high, both);
  }
  for (double damping = DAMPING; damping <= DAMPED_MOST; damping *= 100) {
    damp(m, damping);
    if (block_factor_make(m->factor, m->value)) return true;
  }
  return false;
}

static void solve_ordered(LimitMatrix *m, const double *from, double *to)
{
  for (int b = 0; b < m->bodies; b++)
    memcpy(m->ordered + BLOCK * (size_t)m->position[b], from + BLOCK * (size_t)b,
           BLOCK * sizeof *from);
  block_factor_solve(m->factor, m->ordered);
  for (int b = 0; b < m->bodies; b++)
    memcpy(to + BLOCK * (size_t)b, m->ordered + BLOCK * (size_t)m->position[b], BLOCK * sizeof *to);
}

static double largest(const double *x, size_t count)
{
  double most = 0;
  for (size_t i = 0; i < count; i++) most = larger_of(most, fabs(x[i]));
  return most;
}

// left = asked - A D A' x
static double residual(LimitMatrix *m, const double *x)
{
  const size_t rows = BLOCK * (size_t)m->bodies;
  limit_matrix_transposed(m, x, m->force);
  for (int i = 0; i < m->count; i++) m->force[i] = mat3_mul(m->weight[i], m->force[i]);
  memset(m->product, 0, rows * sizeof *m->product);
  limit_matrix_add(m, m->force, m->product);
  for (size_t i = 0; i < rows; i++) m->left[i] = m->asked[i] - m->product[i];
  return largest(m->left, rows);
}

void limit_matrix_solve(LimitMatrix *m, double *x)
{
  const size_t rows = BLOCK * (size_t)m->bodies;
  memcpy(m->asked, x, rows * sizeof *x);
  const double enough = REFINED * largest(x, rows);
  solve_ordered(m, m->asked, x);
  double before = residual(m, x);
  for (int k = 0; k < REFINEMENTS && before > enough; k++) {
    solve_ordered(m, m->left, m->step);
    for (size_t i = 0; i < rows; i++) x[i] += m->step[i];
    const double after = residual(m, x);
    if (after < before) {
      before = after;
      continue;
    }
    for (size_t i = 0; i < rows; i++) x[i] -= m->step[i];
    break;
  }
}
