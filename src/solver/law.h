#pragma once
// Signorini's condition with Newton restitution and Coulomb's exact cone, at one contact point.
#include "vec3.h"

// Friction and restitution by pair of materials.
typedef struct {
  int material_count;
  const double *friction, *restitution;   // [material_count * material_count], symmetric
} SurfaceLaws;

// W_aa in a local frame (normal, two tangents) turned so that S = W_TT - w w'/W_NN is diagonal.
typedef struct {
  double normal;   // W_NN, 1/kg
  double w1, w2;   // W_TN
  double s1, s2;   // S
} LocalDelassus;

// Local. Turns the tangents of a frame so that S is diagonal: w is symmetric, in the frame given;
// frame is updated.
LocalDelassus law_diagonalize(mat3 w, mat3 *frame);

// Local. W r in the turned frame.
static inline vec3 law_apply(const LocalDelassus *d, vec3 r)
{
  const double c = (d->w1 * r.y + d->w2 * r.z) / d->normal + r.x;
  return (vec3){d->normal * r.x + d->w1 * r.y + d->w2 * r.z, d->w1 * c + d->s1 * r.y,
                d->w2 * c + d->s2 * r.z};
}

// Local. The impulse r (N s) of one point such that U = q + W r fulfils
//   0 <= U_N perp r_N >= 0,  |r_T| <= mu r_N,  sliding opposes U_T        (q_N includes the law's
//   offset)
// exactly: stick or slip is decided by one scalar equation (q: m/s). mu >= 0.
vec3 law_solve_point(const LocalDelassus *d, double mu, vec3 q);

// Local. Orthogonal projection on Coulomb's cone |r_T| <= mu r_N.
vec3 law_project(double mu, vec3 r);
