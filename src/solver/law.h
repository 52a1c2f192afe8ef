#pragma once
// Signorini's condition with Newton restitution and Coulomb's exact cone, at one contact point.
#include "vec3.h"

// Friction and restitution by pair of materials.
typedef struct {
  int material_count;
  const double *friction, *restitution;   // [material_count * material_count], symmetric
} SurfaceLaws;

// Limits of the impulse r at one point, a convex set C that holds 0:
//   r_N >= -tension,  |r_T| <= shear + friction r_N       (tension and shear in N s, >= 0)
// A contact without bond has tension = shear = 0: Coulomb's cone.
typedef struct {
  double friction, tension, shear;
} PointLaw;

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
//   r = P_C(r - rho (U + mu |U_T| n)),  any rho > 0
// exactly; for a contact that is 0 <= U_N perp r_N >= 0, |r_T| <= mu r_N, sliding opposes U_T
// (q includes the law's offset, m/s): stick or slip is decided by one scalar equation.
vec3 law_solve_point(const LocalDelassus *d, PointLaw law, vec3 q);

// Local. Orthogonal projection on C.
vec3 law_project(PointLaw law, vec3 r);
