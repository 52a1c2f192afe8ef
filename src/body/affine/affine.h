#pragma once
// Affine (pseudo-rigid) bodies: a body frame and a homogeneous small strain in it, by four nodes of
// equal mass (Cohen and Muncaster 1988). Pure functions of one body; all in its body frame, origin
// at the centre of mass, unless world axes are named.
//
// A place X of the body is at (1 + G) X, G the gradient of displacements; its rate G' has no rigid
// part. The nodes p_i = B t_i have a quarter of the mass each, t_i the corners of a regular
// tetrahedron, B B' = 3/m times the Euler tensor: mass, centre and Euler tensor are the body's, and
// so is the kinetic energy of any affine field. Any affine field is its values at the nodes,
//   u(X) = sum w_i(X) u_i,   w_i(X) = 1/4 + g_i . X,   g_i = 3/4 B^-T t_i.
#include <stdbool.h>

#include "vec3.h"

enum { AFFINE_NODES = 4, AFFINE_UNKNOWNS = 3 * AFFINE_NODES };

// Elastic constants of a material.
typedef struct {
  double young;       // Pa; 0: the material has none, its bodies are rigid
  double poisson;     // between -1 and 1/2
  double damping;     // of strain rates, in proportion to the stiffness, s
  double expansion;   // thermal, 1/K
} ElasticLaw;

// What a body is made of, and how time is stepped.
typedef struct {
  double mass, volume;   // kg, m3
  mat3 inertia;          // about the centre of mass, kg m2
  ElasticLaw law;
  double step;                   // h, s
  double high_frequency_ratio;   // spectral radius at infinite frequency, 0 to 1
} AffineInput;

// What all bodies of one shape and material share.
typedef struct {
  double mass, volume;        // kg, m3
  double lambda, shear;       // Lame's constants, Pa
  double damping;             // eta, s
  double expansion;           // 1/K
  double dissipation;         // b = (1 - s)/(1 + s) of the time scheme, s the ratio of the input
  double step;                // h, s
  mat3 euler;                 // Euler tensor, integral of density X X', kg m2
  mat3 shape;                 // B, m
  vec3 node[AFFINE_NODES];    // p_i, m
  vec3 slope[AFFINE_NODES];   // g_i, 1/m
  double stiffness[AFFINE_UNKNOWNS * AFFINE_UNKNOWNS];   // K0, N/m, by rows
  double factor[AFFINE_UNKNOWNS * AFFINE_UNKNOWNS];      // lower triangle of A0 = factor factor'
  double inverse[AFFINE_UNKNOWNS * AFFINE_UNKNOWNS];     // A0^-1, 1/kg
} Affine;

// Largest (h c / L)^2 for which time is stepped, c the speed of waves, L the size of the body; and
// the largest of bodies of all kinds whose walls are sure to take few iterations.
#define AFFINE_MOST_STIFF 2e5
#define AFFINE_SURE_STIFF 1e4

// (h c / L)^2 with c^2 = E / density.
double affine_stiffness_ratio(const ElasticLaw *law, double density, double size, double step);

// A0 = M + (h^2/4 (1 + b)^2 + damping h/2) K0, with its factor.
Affine affine_new(const AffineInput *input);

// w_i of a place (for the tests).
void affine_weights(const Affine *affine, vec3 place, double weights[AFFINE_NODES]);

// The gradient, by reference places, of the affine field through values at the nodes (for the
// tests).
mat3 affine_gradient(const Affine *affine, const vec3 values[AFFINE_NODES]);

// Stress of an elongation, Pa: lambda tr(e) + 2 shear e, e the symmetric part.
sym3 affine_stress(const Affine *affine, mat3 gradient);

// Symmetric part.
sym3 affine_strain(mat3 gradient);

// V stress : strain, J; twice the elastic energy (for the tests).
double affine_form(const Affine *affine, mat3 gradient);

// The gradient of free thermal strain at a temperature above that of no stress, K.
mat3 affine_thermal(const Affine *affine, double temperature);

// Elastic energy, J.
double affine_energy(const Affine *affine, mat3 gradient, double temperature);

// Kinetic energy of the rate of deformation alone, J.
double affine_rate_energy(const Affine *affine, mat3 gradient_rate);

// Inertia of the deformed body, kg m2.
mat3 affine_inertia(const Affine *affine, mat3 gradient);

// Values: A0^-1 values: velocities of impulses at the nodes. Their mean is that of the momentum to
// rounding, however stiff the body is (for the tests).
void affine_respond(const Affine *affine, vec3 values[AFFINE_NODES]);

// A0 of a field of velocities L y about the centre of mass, y places of the deformed body: the
// dyad sum f y' of the impulses that it takes, N m s.
mat3 affine_resist(const Affine *affine, mat3 gradient, mat3 field);

// L of velocities of the nodes, and the velocities v + L y of the nodes.
mat3 affine_field(const Affine *affine, mat3 gradient, const vec3 velocities[AFFINE_NODES]);
void affine_spread(const Affine *affine, mat3 gradient, vec3 v, mat3 field,
                   vec3 velocities[AFFINE_NODES]);

// W of a material point by its weights, 1/kg (for the tests).
mat3 affine_delassus(const Affine *affine, const double weights[AFFINE_NODES]);

// (A0 + addition) x = x, addition symmetric and not negative, [12 * 12] by rows: the blocks H' Sig
// H of the points of the body. False where rounding has made the sum indefinite (for the tests).
bool affine_solve_with(const Affine *affine, const double *addition, vec3 values[AFFINE_NODES]);

// A state in the middle of the step, and what acts there.
typedef struct {
  mat3 gradient;         // at the middle of the step
  mat3 gradient_rate;    // at its start, 1/s
  vec3 velocity, spin;   // at its start, m/s, rad/s
  vec3 acceleration;     // of all bodies, m/s2
  vec3 force;            // sum of forces at material points, N
  mat3 dyad;             // sum of force X', N m: f_i = force/4 + dyad g_i
  vec3 couple;           // torque that does not deform the body, N m
  double temperature;    // K
} AffineMiddle;

// Velocities of the nodes at the start of the step.
void affine_start(const Affine *affine, const AffineMiddle *middle, vec3 start[AFFINE_NODES]);

// Velocities of the nodes at the end of the step if nothing touches.
void affine_free(const Affine *affine, const AffineMiddle *middle, vec3 end[AFFINE_NODES]);

// Rate of deformation of velocities of the nodes: what is left without their rigid part.
mat3 affine_rate(const Affine *affine, mat3 gradient, const vec3 velocities[AFFINE_NODES]);

// What a step has done to the sum of kinetic and elastic energy, J: works that are negative take
// energy.
typedef struct {
  double damping, scheme;   // of the material, of the time scheme
  double load;              // of temperature, and of loads as far as they deform the body
} AffineWorks;

// Rates at the start and at the end of the step; temperatures at its start, middle and end, K.
AffineWorks affine_works(const Affine *affine, const AffineMiddle *middle, mat3 end_rate,
                         const double temperature[3]);
