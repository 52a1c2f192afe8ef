#pragma once
// The volumetric law: forces between two bodies from the solid that they share (Gonthier 2005;
// Vilela 2018, chapter 3).
//
//   F_n = k V max(0, 1 + a v)                       along the normal
//   T_r = -k a J (w - n n.w)                        rolling, where F_n > 0
//   F_t = -(k_t A s + c_t A U_t), T_s = -r^2 (k_t A t + c_t A n.w)   sliding and spinning
//   sqrt(F_t^2 + T_s^2/r^2) <= mu F_n,  mu = mu_d + (mu_s - mu_d) exp(-(U_t^2 + r^2 (n.w)^2)/v_s^2)
//
// k is the stiffness of a layer by its depth, V the volume, a the damping, v the speed of approach;
// J = tr(E_t) P - E_t with the second moments E_t of the solid across the normal, P = 1 - n n'; A
// is the area, r^2 = tr(E_t)/V, s the bristle and t the twist, U the velocity of a relative to b at
// the centroid, w that of their spins. Beyond the limit F_t, T_s, s and t shrink alike. Where
// spinning is viscous, the torque that acts is -F_n r^2 n.w instead (3.8, with a factor 1 s/m);
// F_t, s and t are the same: a joint that spins holds less along itself. Where it is integrated,
// the limit is that of friction at every place of the footprint (footprint.h): F_t and T_s are
// those of spring and damper up to it, and bristle and twist slip by what is least.
#include "common_solid.h"
#include "footprint.h"
#include "plane_basis.h"
#include "surface_law.h"

// What of a common solid the law knows.
typedef struct {
  vec3 normal;      // unit, from b into a
  double volume;    // m3
  double area;      // of N below, m2
  mat3 rolling;     // J, m5
  double radius2;   // r^2, m2
  double height;    // half the mean length of columns along the normal, by volume, m: k V times it
                    // is the energy of the layer
  bool curved;      // no surface has all columns on one face: those of polyhedra are then not twice
                    // the way from a face to the centroid (compliant_columns.h)
  const JointFootprint *footprint;   // NULL: friction is not integrated
  PlaneBasis plane;                  // its axes, the third one is the normal
} CompliantSolid;

// Local. The normal is that of N = b_a N_b - b_b N_a, brought to the sum of weights one. b tells
// how far from flat a surface is: 1 - |N|/size of the row, and the same of all rows of the two
// bodies. Where nothing is internal N_a = -N_b, and N is both. Of pieces of bodies the flatter
// surface counts: neither the side faces of a piece at the end of its body tilt its normal, nor a
// face of a round body that covers some of the piece alone. all: the sum of the solids of all rows;
// NULL where the row is the only one. False where the surfaces of the two bodies tell no normal: it
// is then not to be used.
bool compliant_law_solid(const CommonSolid *common, const CommonSolid *all, CompliantSolid *solid);

typedef struct {
  vec3 bristle;   // m, world axes, across the normal
  double twist;   // rad
} CompliantState;

typedef struct {
  const VolumetricLaw *law;
  double friction;
  double tangential_damping;   // N s/m3, >= 0: that of the law, or what is critical
  double step;                 // s
  vec3 slip;                   // U: of a relative to b at the centroid, m/s
  vec3 turn;                   // w of a less that of b, rad/s
  vec3 mean_turn;              // half their sum, rad/s: bristles turn with it
} CompliantMotion;

// On a, at the centroid; the opposite on b.
typedef struct {
  bool acts;                       // false: bodies part so fast that all forces are zero
  double elastic;                  // k V, N: the share of the normal force without damping
  double normal;                   // F_n, N
  vec3 rolling;                    // T_r, N m
  vec3 sliding;                    // F_t, N
  double spinning;                 // T_s about the normal, N m
  bool slides;                     // at the limit of friction
  double bristle_energy;           // k_t A (s^2 + r^2 t^2) / 2, J
  double damped, rolled, rubbed;   // what damping along the normal, rolling and friction take in
                                   // the step at these velocities, J
  CompliantState state;            // at the end of the step
} CompliantForce;

// Local. All forces of a row that is a joint of its own.
CompliantForce compliant_law_force(const CompliantSolid *solid, const CompliantMotion *motion,
                                   CompliantState before);

// Local. 1 + a v: the share of k V that is the normal force, where it is positive.
double compliant_law_share(const CompliantSolid *solid, const CompliantMotion *motion);

// Local. Normal force, for a share of k V, and rolling, without friction.
CompliantForce compliant_law_normal(const CompliantSolid *solid, const CompliantMotion *motion,
                                    double share);

// Local. Adds friction to a force, by the normal force that it has, which is positive.
void compliant_law_friction(const CompliantSolid *solid, const CompliantMotion *motion,
                            CompliantState before, CompliantForce *force);

// Local. Tangential damping (N s/m3) that is critical for two bodies with the mobility W (1/kg)
// across the normal, in steps of h: 2 sqrt(k_t / (A W)), at most 1 / (h A W), beyond which an
// explicit step overshoots. area: of all rows between the two, m2.
double compliant_law_critical(double tangential_stiffness, double area, double mobility,
                              double step);

// Local. The damping a (s/m) with which bodies of any shape that meet straight at a speed (m/s)
// part with the share restitution of it, 0 < restitution <= 1: ln((1 + d)/(1 - e d)) = d (1 + e),
// d = a v. The same on all machines.
double compliant_law_damping(double restitution, double speed);
