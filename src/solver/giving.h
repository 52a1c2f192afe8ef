#pragma once
// Contact points that do not converge as rigid ones: they give. Where bodies have more points than
// freedoms, chains of them carry forces that next to nothing determines, and that solvers look for
// longest. Heaps and groups with affine bodies give so, on request all.
//
// Such a point has the law's velocity V = U + c (r - r(n)) in the place of U, r(n) its impulse in
// the step before, c a share of |W_aa|, a thousandth: a spring that knows its length by its last
// impulse, as springs along a joint do (elastic_points.c). A steady load moves nothing. Where a
// group misses the tolerance though it gave so, it gives ten times as much in that step.
#include "convergence.h"
#include "group_look.h"
#include "group_memory.h"

typedef struct {
  Problem *problem;
  GroupMemories *memories;
  Arena *arena;
  SolverParameters parameters;   // of the first solution
  ContactGroups groups;          // joined, once there are steps
  int *steps;                    // [places] that the group gives in, with this one; 0: it does not
  vec3 *before;     // [points] r(n); of groups without affine bodies that begin to give, those
                    // of the first solution
  double *give;     // [points] c, m/s per N s; 0: the point does not give
  double *offset;   // [points] of the problem, of points that give
  bool limited;     // the problem had limits before
} Giving;

// Collective. Lets those groups give that did in the step before. Memory from the arena.
Giving giving_new(Problem *problem, SolverParameters parameters, GroupMemories *memories,
                  Arena *arena);

// Local. Sweeps and iterations of a group in the solution at hand, which may give: half of all in
// each of the two, of heaps a few in the first unless they give in it. Others have all in the
// first.
int giving_sweeps(SolverParameters parameters, const GroupLook *look, bool gives);

// Collective. Lets groups give, or give more, that are above the tolerance and may. False: there is
// no second solution; else what is asked of it, which goes on from the first.
bool giving_begin(Giving *giving, SolverParameters *second);

// Collective. The problem gets its own laws back, and what gave is remembered. Returns the largest
// velocity by which a point gave, m/s; 0: none did.
double giving_end(Giving *giving);
