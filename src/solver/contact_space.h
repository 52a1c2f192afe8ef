#pragma once
// The rows of a linear system in velocities of bodies, and which of them points couple.
#include "block_matrix.h"
#include "problem.h"

typedef struct {
  const Problem *problem;
  BlockSpace space;      // bodies with points that something moves, own ones first
  int *row_of_body;      // [rows] of the space, -1: none
  int *body_of_row;      // [count]
  int *start, *column;   // of a matrix: the diagonal, then columns of higher keys
} ContactSpace;

// Local. Memory from the arena; the problem must outlive it.
ContactSpace contact_space_new(const Problem *problem, Arena *arena);

// Local. The pair of a body's k-th entry where that has a column of a higher key; NULL: none.
const SolverPair *contact_space_higher_pair(const ContactSpace *space, int k);

// Local. What stands for a body in a linear system: whether something moves it.
static inline bool contact_space_takes(const Problem *problem, int row)
{
  assert_debug(row >= 0 && row < problem->row_count && "a row of the problem");
  return motion_moves(&problem->mid[row]);
}
