#pragma once
// A body of finite elements: a body frame and small displacements of nodes in it, with lumped
// masses. Pure functions of one body; all in its body frame, origin at the centre of mass. Local.
//
// Node i of reference place Z is at y = Z + d about the centre of mass, its velocity is
// v + w x y + d'. The step takes d to its middle, d + h/2 d', and solves with
//   A0 = M + (h^2/4 (1 + b)^2 + eta h/2) K0,
// constant in the body frame: one factorisation for a shape, a material and a step.
#include "finite_factor.h"
#include "finite_masses.h"
#include "finite_single.h"

typedef struct {
  FiniteMoments moments;   // of the body
  ElasticLaw law;
  double step;                   // h, s
  double high_frequency_ratio;   // spectral radius at infinite frequency, 0 to 1
  const bool *held;              // [nodes] those that impulses do not move; NULL: none
} FiniteInput;

// What all bodies of one mesh and material share.
typedef struct {
  int nodes;
  double mass;                 // kg
  double inertia_error;        // of the lumped masses (finite_masses.h)
  double damping;              // eta, s
  double expansion;            // 1/K
  double dissipation;          // b = (1 - s)/(1 + s), s the ratio of the input
  double step;                 // h, s
  vec3 *place;                 // [nodes] Z, m
  double *lumped;              // [nodes] masses, kg
  bool *held;                  // [nodes] those that impulses do not move (finite_held.h), or NULL
  FiniteStiffness stiffness;   // K0
  vec3 *stretched;             // [nodes] K0 Z, N: of a stretch by one along all axes
  FiniteFactor *factor;        // of A0
  FiniteScratch *scratch;      // of that with more on it
  vec3 *force, *other;         // [nodes] scratch
} FiniteBody;

// The mesh is in the body frame. NULL where a cell has no volume, the first of them in *bad.
FiniteBody *finite_body_new(const FiniteMesh *mesh, const FiniteInput *input, int *bad);
void finite_body_destroy(FiniteBody *body);

// Inertia of the displaced nodes, kg m2.
mat3 finite_body_inertia(const FiniteBody *body, const vec3 *displacement);

// Elastic energy at a temperature above that of no stress, K; kinetic energy of rates alone. J. As
// yet for the tests.
double finite_body_energy(FiniteBody *body, const vec3 *displacement, double temperature);
double finite_body_rate_energy(const FiniteBody *body, const vec3 *rate);

// Values: A0^-1 values: velocities of impulses at the nodes. Their mean by mass is that of the
// momentum to rounding, however stiff the body is. Where nodes are held A0 is that of the others,
// and these have none.
void finite_body_respond(FiniteBody *body, vec3 *values);

// result = A0 values, [nodes]; zero at nodes that are held.
void finite_body_resist(const FiniteBody *body, const vec3 *values, vec3 *result);

// What A0 has of K0, h^2/4 (1 + b)^2 + eta h/2, s2.
double finite_body_share(const FiniteBody *body);

// Values of nodes that are held become zero.
void finite_body_leave_held(const FiniteBody *body, vec3 *values);

// The factor of A0 with more on the diagonals of its blocks, in single precision (finite_single.h).
// NULL: not definite.
FiniteSingle *finite_body_factor_with(const FiniteBody *body, const double *added);

// A state in the middle of the step, and what acts there.
typedef struct {
  const vec3 *displacement;   // [nodes] at the middle of the step
  const vec3 *rate;           // [nodes] at its start, m/s
  vec3 velocity, spin;        // at its start, m/s, rad/s
  vec3 acceleration;          // of all bodies, m/s2
  const vec3 *force;          // [nodes] N; NULL: none
  double temperature;         // K
} FiniteMiddle;

// Velocities of the nodes at the start of the step, [nodes].
void finite_body_start(const FiniteBody *body, const FiniteMiddle *middle, vec3 *start);

// Velocities of the nodes at the end of the step if nothing touches, [nodes].
void finite_body_free(FiniteBody *body, const FiniteMiddle *middle, vec3 *end);

// Rate of displacements of velocities of the nodes: what is left without their rigid part.
void finite_body_rate(const FiniteBody *body, const vec3 *displacement, const vec3 *velocities,
                      vec3 *rate);

// What a step has done to the sum of kinetic and elastic energy; temperatures at its start, middle
// and end, K.
AffineWorks finite_body_works(FiniteBody *body, const FiniteMiddle *middle, const vec3 *end_rate,
                              const double temperature[3]);
