#pragma once
// Contact points of affine bodies that do not converge as rigid ones: they give, by a share of what
// deformation gives at them in the step. Affine bodies have no strain at their corners, so that
// what joints between them carry may be next to undetermined.
//
// Such a point has the law's velocity V = U + c (r - r(n)) in the place of U, r(n) its impulse in
// the step before, c the share times its `soft` (problem.h): a spring that knows its length by its
// last impulse, as springs along a joint do (elastic_points.c). A steady load moves nothing.
#include "convergence.h"
#include "group_memory.h"

typedef struct {
  Problem *problem;
  GroupMemories *memories;
  Arena *arena;
  double share;           // 0: no point may give
  bool begun;             // groups are known, and columns kept
  ContactGroups groups;   // joined
  int *steps;             // [places] that the group gives in, with this one; 0: it does not
  const vec3 *before;     // [points] r(n)
  double *give;           // [points] c, m/s per N s; 0: the point does not give
  double *offset;         // [points] of the problem, of points that give
  bool limited;           // the problem had limits before
} Giving;

// Collective. Lets those groups give that did in the step before. Memory from the arena.
Giving giving_new(Problem *problem, SolverParameters parameters, GroupMemories *memories,
                  Arena *arena);

// Local. Of the sweeps of a step those before groups begin to give.
int giving_first_sweeps(const Giving *giving, int max_sweeps);

// Collective. Lets groups give that are above the tolerance and may. False: there is none more.
bool giving_begin(Giving *giving, double tolerance);

// Collective. The problem gets its own laws back, and what gave is remembered. Returns the largest
// velocity by which a point gave, m/s; 0: none did.
double giving_end(Giving *giving);
