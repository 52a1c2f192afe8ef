#pragma once
// Frictional contact by an interior-point method: near a solution in some tens of steps, where
// sweeps and ADMM take thousands. Each step makes and factors a system that is not symmetric.
#include "cone_problem.h"

typedef struct {
  void *context;
  // Collective. Makes ready for B, [point_count] blocks in the bases of points, kg. False on all
  // ranks: the system cannot be solved.
  bool (*prepare)(void *context, const mat3 *weight);
  // Collective. u = (I + W B)^-1 W c, for c in N s; c is not u.
  void (*respond)(void *context, const vec3 *c, vec3 *u);
} InteriorOperators;

typedef struct {
  double gap;    // mean complementarity that is aimed at, relative to the sizes of points
  double near;   // gap below which a short step ends the path; 0: none does
  int steps;     // at most
} InteriorGoal;

typedef struct {
  int steps;    // made, each with one system
  double gap;   // reached
  bool near;    // a short step ended the path
} InteriorEnd;

// Collective. Whether every point is one that the method knows: contacts, springs among them, and
// points that are held for good. Bonds, ties and joints with limits are none.
bool interior_knows(const ConeProblem *problem);

// Collective. Follows the central path from the impulses r [point_count], a guess, and leaves those
// where it ended: inside the cones of friction, near a solution. What is left at single points is
// for sweeps.
InteriorEnd interior_solve(const ConeProblem *problem, const InteriorOperators *operators, vec3 *r,
                           InteriorGoal goal, Arena *arena);
