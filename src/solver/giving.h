#pragma once
// Contact points that do not converge as rigid ones: they give. Where bodies have more points than
// freedoms, chains of them carry forces that next to nothing determines, and that solvers look for
// longest. Groups with affine bodies give so, on request all.
//
// Such a point has the law's velocity V = U + c (r - r(n)) in the place of U, r(n) its impulse in
// the step before, c a share of |W_aa|, a thousandth: a spring that knows its length by its last
// impulse, as springs along a joint do (elastic_points.c). A steady load moves nothing.
#include "convergence.h"
#include "group_memory.h"

typedef struct {
  Problem *problem;
  GroupMemories *memories;
  Arena *arena;
  double share;           // 0: no point may give
  bool all;               // groups without affine bodies may, too
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

// Local. What is asked of the first solution, and of the second one, which goes on from it: half of
// the sweeps each, of heaps fewer in the first.
SolverParameters giving_first(const Giving *giving, SolverParameters parameters);
SolverParameters giving_second(const Giving *giving, SolverParameters parameters);

// Collective. Lets groups give that are above the tolerance and may. False: there is no second
// solution.
bool giving_begin(Giving *giving, double tolerance);

// Collective. The problem gets its own laws back, and what gave is remembered. Returns the largest
// velocity by which a point gave, m/s; 0: none did.
double giving_end(Giving *giving);
