#pragma once
// Gradient and matrix of a Newton step, 6 unknowns a row.
#include "barrier_problem.h"
#include "block_matrix.h"

// Local. Derivatives of the energy by u of own rows, [own * BLOCK]; 0 of rows that do not move.
void barrier_system_gradient(const BarrierProblem *problem, const BarrierIterate *iterate,
                             const BarrierGrips *grips, double *gradient, Arena *scratch);

// What a row takes in the step from all its terms and grips.
typedef struct {
  vec3 push, turn;   // N s, N m s about the centre of mass
} BarrierImpulse;

// Local. Of own rows, [own].
void barrier_system_impulses(const BarrierProblem *problem, const BarrierIterate *iterate,
                             const BarrierGrips *grips, BarrierImpulse *impulses, Arena *scratch);

// Local. The force of friction at a grip, on the lower body the opposite, N.
vec3 barrier_system_friction(const BarrierProblem *problem, const BarrierGrip *grip,
                             const Twist pair[2]);

// Local. M + h^2 H' S H of own rows, with columns of the same or a higher id; the unit matrix for
// rows that do not move. Couples without terms have blocks of zeros, so that the pattern is that of
// the couples. Friction has its second derivatives, or, as a secant, its force over its slip in all
// directions along the surface, which is no less. Memory from the arena.
BlockMatrix barrier_system_matrix(const BarrierProblem *problem, const BarrierIterate *iterate,
                                  const BarrierGrips *grips, bool secant, Arena *arena);
