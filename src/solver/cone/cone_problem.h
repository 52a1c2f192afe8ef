#pragma once
// A contact problem by its operators alone: points with laws, and what answers to their impulses;
// how far impulses are from a solution.
#include <stdbool.h>

#include "arena.h"
#include "convergence.h"
#include "law.h"
#include "vec3.h"

// U = W r + U_free with law(V, r) at every point, V = U + offset + diag(give) r. Vectors
// [point_count] are in the bases of the points; a rank gives all points it knows, also those that
// another rank gives too.
typedef struct {
  int point_count;
  const unsigned char *owned;   // [point_count] counts in sums; NULL: all do
  const double *friction;
  const PointLimits *limits;   // NULL: all points are plain contacts
  const double *rho;      // 1 / |W_aa + diag(give)|_2, kg; 0: takes no part, its impulse is zero
  const double *soft;     // share of deformation in |W_aa|_2, 1/kg; NULL: none deforms
  const double *speed;    // sum of both bodies' without contact, m/s; NULL: zero
  const double *offset;   // to U_N, m/s; infinite: no constraint, takes no part
  const double *size;     // s, N s: errors are relative to it (residual.h)
  int most_k;             // sigma stays at or below 10^(k/2); 0: no bound
  int least_k;            // and at or above
  int first_k;          // sigma starts at 10^(k/2) when nothing is known; below 10^3 it stays below
  double inner_share;   // of the present error that a linear solution may leave; 0: a tenth
  bool dear;            // a check costs little beside an iteration
  bool finish;          // gradients finish what iterations have brought near to the tolerance
  void *context;
  // Collective. Makes ready for Sig = diag(weight), [point_count] kg, 0 where a point takes no
  // part; weights stay as they are until the next call. Memory that it takes from the arena of
  // admm_solve it gives back. False on all ranks: the system cannot be solved.
  bool (*prepare)(void *context, const double *weight);
  // Collective. u = G (I + G' Sig G)^-1 (y_free + G' d) for d in N s, with G G' = W and G y_free =
  // U_free; equally u = (I + W Sig)^-1 (U_free + W d). accuracy: error of a body's impulse that
  // may be left, relative to the least size at its points; direct solvers go to rounding. d may be
  // u. Returns inner iterations.
  int (*respond)(void *context, const vec3 *d, double accuracy, vec3 *u);
  // Collective. u = W r + U_free; u is not r.
  void (*velocity)(void *context, const vec3 *r, vec3 *u);
  // Collective. residual_max of r by the sums that decide in the end, where velocity takes other
  // ones that are faster; asked when the latter would do. NULL: there are no others.
  double (*confirm)(void *context, const vec3 *r);
} ConeProblem;

static inline PointLaw cone_law(const ConeProblem *problem, int i)
{
  if (!problem->limits) return law_of_contact(problem->friction[i]);
  return law_of_limits(problem->friction[i], &problem->limits[i]);
}

// Local. The same two for points with limits, which go out of line: plain contacts keep their
// speed.
vec3 cone_velocity_of_limited(const ConeProblem *problem, int i, vec3 u, vec3 r);
vec3 cone_project_limited(const ConeProblem *problem, int i, double weight, vec3 z);

// U with the offsets along the tangents of a point with limits
static inline vec3 cone_with_along(const ConeProblem *problem, int i, vec3 u)
{
  const double *along = problem->limits[i].along;
  return (vec3){u.x, u.y + along[0], u.z + along[1]};
}

// U + b with what point i gives, for its impulse r
static inline vec3 cone_velocity(const ConeProblem *problem, int i, vec3 u, vec3 r)
{
  u.x += problem->offset[i];
  return problem->limits ? cone_velocity_of_limited(problem, i, u, r) : u;
}

// law_project_state; with weight 0: law_project
static inline vec3 cone_project(const ConeProblem *problem, int i, double weight, vec3 z)
{
  if (problem->limits) return cone_project_limited(problem, i, weight, z);
  return law_project(law_of_contact(problem->friction[i]), z);
}

// rho of points that take part, 0 of others
static inline double cone_rho(const ConeProblem *problem, int i)
{
  return problem->offset[i] < INFINITY ? problem->rho[i] : 0;
}

typedef struct {
  double largest, rms;   // residual_max and residual_rms of a Convergence; infinite when an impulse
                         // or velocity is not finite
} ConeResidual;

// Collective. Errors of impulses r whose velocities are u = W r + U_free.
ConeResidual cone_residual(const ConeProblem *problem, const vec3 *r, const vec3 *u);

// Collective. The largest error alone, for solvers that ask often.
double cone_residual_largest(const ConeProblem *problem, const vec3 *r, const vec3 *u);
