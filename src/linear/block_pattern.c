// Elimination tree and sizes of columns by CXSparse; rows of the factors as they are made.
#include "block_pattern.h"

#include <assert.h>
#include <string.h>

#include "fail.h"
#include "memory.h"

static cs_di matrix_of(const BlockPattern *p)
{
  return (cs_di){p->start[p->rows], p->rows, p->rows, p->start, p->row, NULL, -1};
}

// how many blocks each column of L has below the diagonal
static void count_blocks(BlockPattern *p)
{
  const cs_di matrix = matrix_of(p);
  p->parent = p->rows ? cs_di_etree(&matrix, 0) : NULL;
  int *post = p->parent ? cs_di_post(p->parent, p->rows) : NULL;
  int *counts = post ? cs_di_counts(&matrix, p->parent, post, 0) : NULL;
  if (p->rows && !counts) die_memory("no room to analyse a system of %d rows", p->rows);
  p->first[0] = 0;
  for (int i = 0; i < p->rows; i++) p->first[i + 1] = p->first[i] + counts[i] - 1;
  cs_di_free(post);
  cs_di_free(counts);
}

BlockPattern block_pattern_new(int rows, const int *start, const int *row)
{
  assert(rows >= 0 && start != NULL && row != NULL && "a matrix has a pattern");
  const size_t n = (size_t)rows + 1, entries = (size_t)start[rows];
  BlockPattern p = {.rows = rows};
  p.start = memory_allocate(n * sizeof *p.start);
  p.row = memory_allocate((entries + 1) * sizeof *p.row);
  memcpy(p.start, start, n * sizeof *start);
  memcpy(p.row, row, entries * sizeof *row);
  p.first = memory_allocate(n * sizeof *p.first);
  count_blocks(&p);
  p.end = memory_allocate(n * sizeof *p.end);
  p.reach = memory_allocate(n * sizeof *p.reach);
  p.marks = memory_allocate_zero(n, sizeof *p.marks);
  return p;
}

void block_pattern_destroy(BlockPattern *p)
{
  assert(p != NULL && "a pattern is given");
  cs_di_free(p->parent);
  memory_free(p->start);
  memory_free(p->row);
  memory_free(p->first);
  memory_free(p->end);
  memory_free(p->below);
  memory_free(p->reach);
  memory_free(p->marks);
}

void block_pattern_begin(BlockPattern *p)
{
  assert(p->rows >= 0 && p->first != NULL && "the pattern is analysed");
  if (!p->below) p->below = memory_allocate(((size_t)p->first[p->rows] + 1) * sizeof *p->below);
  memset(p->end, 0, (size_t)p->rows * sizeof *p->end);
}

int block_pattern_reach(BlockPattern *p, int k)
{
  assert(k >= 0 && k < p->rows && "a row of the matrix");
  const cs_di matrix = matrix_of(p);
  return cs_di_ereach(&matrix, k, p->parent, p->reach, p->marks);
}

int64_t block_pattern_append(BlockPattern *p, int k, int i)
{
  const int64_t place = p->first[i] + p->end[i]++;
  assert(place < p->first[i + 1] && "the analysis has counted the blocks of a column");
  p->below[place] = k;
  return place;
}
