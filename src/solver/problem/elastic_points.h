#pragma once
// Contact points between surfaces with a joint stiffness: springs of the tributary area.
#include "problem.h"

// Local. Gives the contact points of a problem that are made already the springs of their surfaces:
// tangents, rho and limits. The rest of them stays.
void elastic_points_make(const ProblemInput *in, Problem *problem);

// Local. Whether a point of a contact gives along its normal.
static inline bool elastic_points_give(const Problem *problem, int i)
{
  assert_debug(i >= 0 && i < problem->point_count && "a point of the problem");
  return problem->limits && problem->limits[i].give[0] > 0;
}

// Local. In the correction of positions such a point is no constraint: its overlap is the spring's.
void elastic_points_release(Problem *problem, int i);
