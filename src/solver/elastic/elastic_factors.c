// The system of rows that deform as one of 6x6 blocks, for sparse factors.
#include "elastic_factors.h"

#include <assert.h>
#include <string.h>

#include "check.h"

enum { U = ELASTIC_ROW_UNKNOWNS };

static bool deforms(const ElasticPattern *p, int row)
{
  return p->first[row + 1] - p->first[row] > 1;
}

// the pair of a body's k-th entry where that has a column of a higher key, and its row; -1: none
static int higher_row(const ElasticPattern *p, int k)
{
  const int entry = p->problem->body_pairs[k];
  if (entry % 2 != 0) return -1;
  return p->rows.row_of_body[p->problem->pairs[entry / 2].high];
}

// rows of blocks: those of a body are neighbours
static void make_space(ElasticPattern *p, Arena *arena)
{
  const BlockSpace *bodies = p->rows.space;
  const size_t most = 2 * (size_t)bodies->count + 1;
  p->first = arena_allocate(arena, ((size_t)bodies->count + 1) * sizeof *p->first);
  uint64_t *key = arena_allocate(arena, most * sizeof *key);
  int *rank = arena_allocate(arena, most * sizeof *rank);
  vec3 *place = arena_allocate(arena, most * sizeof *place);
  int made = 0;
  for (int row = 0; row < bodies->count; row++) {
    if (row == bodies->own) p->space.own = made;
    const int of = elastic_rows_find(p->problem->elastic, p->rows.body_of_row[row]) ? 2 : 1;
    p->first[row] = made;
    for (int i = 0; i < of; i++) {
      key[made] = 2 * bodies->key[row] + (uint64_t)i;
      place[made] = bodies->place[row];
      if (row >= bodies->own) rank[made - p->space.own] = bodies->rank[row - bodies->own];
      made++;
    }
  }
  p->first[bodies->count] = made;
  if (bodies->own == bodies->count) p->space.own = made;
  p->space.count = made;
  p->space.key = key;
  p->space.rank = rank;
  p->space.place = place;
}

// columns of the rows of a body
static int add_columns(ElasticPattern *p, int row, int half, int made)
{
  const Problem *problem = p->problem;
  for (int c = p->first[row] + half; c < p->first[row + 1]; c++) p->column[made++] = c;
  const int b = p->rows.body_of_row[row];
  for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
    const int high = higher_row(p, k);
    for (int c = high < 0 ? 0 : p->first[high]; high >= 0 && c < p->first[high + 1]; c++)
      p->column[made++] = c;
  }
  return made;
}

ElasticPattern elastic_pattern_new(const Problem *problem, const SystemRows *rows, Arena *arena)
{
  assert(problem->elastic != NULL && "some row deforms");
  ElasticPattern p = {.problem = problem, .rows = *rows};
  make_space(&p, arena);
  const size_t own = (size_t)rows->space->own;
  p.start = arena_allocate(arena, (2 * own + 1) * sizeof *p.start);
  p.column = arena_allocate(arena, (3 * own + 4 * (size_t)problem->pair_count + 1) * sizeof(int));
  int made = 0;
  for (int row = 0; row < rows->space->own; row++)
    for (int half = 0; half < p.first[row + 1] - p.first[row]; half++) {
      p.start[p.first[row] + half] = made;
      made = add_columns(&p, row, half, made);
    }
  p.start[p.space.own] = made;
  return p;
}

// halves i, j of a block of two bodies
static void copy_part(const double *block, int i, int j, double *to)
{
  for (int r = 0; r < BLOCK; r++)
    memcpy(to + BLOCK * r, block + U * (BLOCK * i + r) + BLOCK * j, BLOCK * sizeof *to);
}

// places of lines in the higher body, which are not those in the lower one
static void take_lines(const Problem *problem, int pair, const double *weights, double sums[4][4])
{
  for (int i = problem_contacts_end(problem, pair); i < problem->pairs[pair].end; i++) {
    const vec3 a = problem->levers[i].low_arm, s = problem->apart[i];
    const double low[4] = {1, a.x, a.y, a.z}, by[3] = {s.x, s.y, s.z};
    for (int p = 0; p < 4; p++)
      for (int q = 0; q < 3; q++) sums[p][1 + q] -= weights[i] * low[p] * by[q];
  }
}

// the rows of a body
static void fill_rows(const ElasticPattern *p, int row, ElasticNumbers numbers, double *value)
{
  const Problem *problem = p->problem;
  const int halves = p->first[row + 1] - p->first[row], b = p->rows.body_of_row[row];
  double *to[2];
  for (int i = 0; i < halves; i++)
    to[i] = value + (size_t)BLOCK_SIZE * (size_t)p->start[p->first[row] + i];
  const double *diagonal = numbers.diagonal + (size_t)row * U * U;
  for (int i = 0; i < halves; i++)
    for (int j = i; j < halves; j++, to[i] += BLOCK_SIZE) copy_part(diagonal, i, j, to[i]);
  for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
    const int high = higher_row(p, k);
    if (high < 0) continue;
    const int pair = problem->body_pairs[k] / 2;
    const vec3 c = problem_between(problem, &problem->pairs[pair]);
    ElasticBlock across = {
        .row_deforms = deforms(p, row), .column_deforms = deforms(p, high), .sign = -1};
    elastic_sums_of_pair(&numbers.moments[pair], c, across.sums);
    if (problem_has_lines(problem, pair)) take_lines(problem, pair, numbers.weights, across.sums);
    double block[U * U] = {0};
    elastic_block_add(&across, block);
    for (int i = 0; i < halves; i++)
      for (int j = 0; j < p->first[high + 1] - p->first[high]; j++, to[i] += BLOCK_SIZE)
        copy_part(block, i, j, to[i]);
  }
}

Cholesky *elastic_factors_analyse(const ElasticPattern *p, Cholesky *reuse, Arena *arena)
{
  assert(p->start != NULL && p->column != NULL && "a system has a pattern");
  const BlockMatrix a = {.start = p->start, .column = p->column};
  return cholesky_analyse(&p->space, &a, reuse, arena);
}

Cholesky *elastic_factors_new(const ElasticPattern *p, ElasticNumbers numbers, Cholesky *reuse,
                              Arena *arena)
{
  assert(numbers.moments != NULL && "pairs have moments");
  const ArenaMark mark = arena_mark(arena);
  const size_t blocks = (size_t)p->start[p->space.own] + 1;
  double *value = arena_allocate(arena, blocks * BLOCK_SIZE * sizeof *value);
  for (int row = 0; row < p->rows.space->own; row++) fill_rows(p, row, numbers, value);
  const BlockMatrix a = {p->start, p->column, value, NULL, NULL};
  Cholesky *factors = cholesky_new(&p->space, &a, reuse, arena);
  arena_release(arena, mark);
  return factors;
}

void elastic_factors_solve(const ElasticPattern *p, const Cholesky *factors, const double *b,
                           double *x, Arena *arena)
{
  assert(factors != NULL && b != NULL && x != NULL && "a system has factors");
  const ArenaMark mark = arena_mark(arena);
  const size_t rows = (size_t)p->space.count + 1;
  double *right = arena_allocate(arena, rows * BLOCK * sizeof *right);
  double *found = arena_allocate_zero(arena, rows * BLOCK, sizeof *found);
  const int own = p->rows.space->own;
  for (int row = 0; row < own; row++) {
    const size_t count = (size_t)(p->first[row + 1] - p->first[row]) * BLOCK;
    memcpy(right + (size_t)p->first[row] * BLOCK, b + (size_t)row * U, count * sizeof *b);
  }
  cholesky_solve(factors, &p->space, right, found, arena);
  for (int row = 0; row < own; row++) {
    const size_t count = (size_t)(p->first[row + 1] - p->first[row]) * BLOCK;
    memcpy(x + (size_t)row * U, found + (size_t)p->first[row] * BLOCK, count * sizeof *x);
  }
  arena_release(arena, mark);
}
