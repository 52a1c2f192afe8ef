#pragma once
// Sweeps over bodies that are split: their copies start with the body's velocity, and the mean of
// their velocities is the body's after the sweep.
#include "check.h"
#include "problem.h"

// Local. A pair as sweeps see it.
static inline SweepPair split_pair(const Problem *problem, int k)
{
  assert_debug(k >= 0 && k < problem->pair_count && "a pair of the problem");
  if (problem->copies) return problem->copies->pairs[k];
  const SolverPair *pair = &problem->pairs[k];
  return (SweepPair){pair->low, pair->high, 1, 1, true, problem->owned[pair->first]};
}

// Local. One of some copies of a body.
static inline MidState split_mid(const MidState *mid, int copies)
{
  assert_debug(copies >= 1 && "a whole body is one copy");
  MidState copy = *mid;
  if (copies == 1) return copy;
  copy.inverse_mass *= copies;
  copy.inverse_inertia = mat3_scale(copies, mid->inverse_inertia);
  return copy;
}

// Local. Gives point i, which is p, tangents for another W_aa in its basis; its impulse and its
// offset follow them.
void split_turn_point(Problem *problem, SolverPoint p, int i, mat3 w);

// Local. Gives points of split bodies the bases and impulses that belong to the W_aa of copies.
void split_points(Problem *problem);

// Local. Copies get the velocities of their bodies.
void split_begin(Problem *problem);

// Collective. Own split bodies get the mean velocity of their copies: as the copies' masses add up
// to the body's, this is what all impulses together do to it.
void split_end(Problem *problem, Arena *arena);

// Collective. Impulses of points to the ranks of split bodies which do not sweep them.
void split_share_impulses(Problem *problem, Arena *arena);
