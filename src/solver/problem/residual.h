#pragma once
// How far impulses are from a solution of Signorini-Coulomb, by Coulomb's natural map (Alart and
// Curnier 1991). Each point has its own measure, so that none notices what it does not touch.
#include "problem.h"

typedef struct {
  double largest, rms;   // of e_a / s_a; infinite when an impulse or velocity is not finite
  IdPair worst;          // lowest pair of bodies that holds the largest error; 0, 0: none has any
} Residual;

// Collective. Gives points what their errors count relative to, s_a = rho_a max(|U_free,a|, |g| h),
// and the speeds of their bodies, whose rounding is no error. Without gravity the largest |U_free|
// of the group of touching bodies is in the place of |g| h.
// The problem's stops raise s_a of contacts, so that an error is within the tolerance where it is
// within all of them:
//   e_a <= unbalanced min F_b / n_b,   e_a <= rho_a penetration / h.
// b are the bodies of the point that something moves, n_b their points of contact, F_b = m_b |g| h
// + the sum of |r| over these, r the impulses that the problem holds now.
void residual_prepare(Problem *problem, Velocities free, Arena *arena);

// Collective. Errors on the frozen state; velocities of ghost rows must be up to date.
Residual residual_measure(const Problem *problem);

// Collective. The same of the problem's impulses, whose velocities are summed first, in order of
// key; ghost rows included.
Residual residual_of_impulses(Problem *problem, Velocities free, Arena *arena);

// Local. The error e_a of a point, N s; 0 where it is rounding.
double residual_of_point(const SolverPoint *point, vec3 velocity);

// Local. The largest square of e_a / s_a at the points of pair k; infinite where one is no number.
double residual_of_pair(const Problem *problem, int k);
