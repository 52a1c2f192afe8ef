#pragma once
// The pattern of a symmetric matrix of blocks and of its sparse factors (Davis 2006), whatever the
// numbers are. Local.
#include <cs.h>
#include <stdint.h>

#include "block_matrix.h"

typedef struct {
  int rows;
  int *start, *row;     // upper triangle by block columns, [rows + 1], [start[rows]]
  int *parent;          // elimination tree of block columns
  int64_t *first;       // [rows + 1] of L's blocks below the diagonal, by block column
  int *end;             // [rows] how many of a column there are so far
  int *below;           // [first[rows]] their block rows, ascending; NULL: nothing is made yet
  int *reach, *marks;   // [rows], [rows] of ereach
} BlockPattern;

// Analyses the upper triangle: start[rows + 1]; row[start[rows]], of each block column the rows
// above the diagonal, in any order, then the diagonal. Rows are in the order of elimination.
BlockPattern block_pattern_new(int rows, const int *start, const int *row);
void block_pattern_destroy(BlockPattern *pattern);

// Forgets the blocks that there are, before numbers are made anew.
void block_pattern_begin(BlockPattern *pattern);

// Block columns that row k of L has blocks in, in the order of elimination: reach[top] to
// reach[rows - 1]; returns top.
int block_pattern_reach(BlockPattern *pattern, int k);

// The place of L's block in row k and column i, the next one of that column.
int64_t block_pattern_append(BlockPattern *pattern, int k, int i);

// where the numbers of a block begin
static inline size_t block_at(int64_t block) { return (size_t)block * BLOCK_SIZE; }
