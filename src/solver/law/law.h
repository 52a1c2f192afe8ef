#pragma once
// Signorini's condition with Newton restitution and Coulomb's exact cone, and the limits and
// springs of bonds and joints, at one contact point.
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "check.h"
#include "vec3.h"

// Of the search for a sliding point's multiplier.
#define LAW_SLIP_ITERATIONS 200     // far more than halving a bracket's exponents, then its digits
#define LAW_SLIP_ROUNDING 4e-16     // error of |t| = limit that is left, relative to |t|
#define LAW_NEGLIGIBLE (1.0 / 16)   // times the rounding of S: no multiplier below it matters

#define LAW_ROUNDING 16   // roundings in an error that tell nothing

// Limits of the impulse r at one point, a convex set C that holds 0:
//   -tension <= r_N <= push,  |r_T| <= shear + friction r_N       (limits in N s, >= 0)
// A contact without bond has tension = shear = 0 and an infinite push: Coulomb's cone. Where
// tension ends a disc of radius shear - friction tension is left, which must not be negative. A
// finite push, an infinite tension and an infinite shear go without friction: C is a cylinder.
// A point that gives has the velocity V = U + diag(give) r in its law, in the place of U.
typedef struct {
  double friction, tension, shear, push;
  double give[2];   // compliance along the normal and along tangents, m/s per N s; 0: rigid
} PointLaw;

// What a point has beside friction: a bond, a joint, a spring.
typedef struct {
  double tension, shear, push, give[2];   // see PointLaw
  double along[2];                        // offset in the law along the tangents, m/s
} PointLimits;

// Local. The law of a contact without more than friction, and its limits.
static inline PointLaw law_of_contact(double friction)
{
  assert_debug(!(friction < 0) && "friction is not below zero");
  return (PointLaw){.friction = friction, .push = INFINITY};
}
static inline PointLimits law_no_limits(void) { return (PointLimits){.push = INFINITY}; }

// Local. Whether limits bound the impulse of a point by more than friction, and whether it gives.
static inline bool law_bounds(const PointLimits *limits)
{
  return limits->tension != 0 || limits->shear != 0 || limits->push < INFINITY;
}
static inline bool law_gives(const PointLimits *limits)
{
  return limits->give[0] != 0 || limits->give[1] != 0;
}

// Local. The law of a point with friction and limits.
static inline PointLaw law_of_limits(double friction, const PointLimits *limits)
{
  assert_debug(!(friction < 0) && "friction is not below zero");
  return (PointLaw){
      friction, limits->tension, limits->shear, limits->push, {limits->give[0], limits->give[1]}};
}

// Local. The limits of a law, with offsets along the tangents.
static inline PointLimits law_limits(PointLaw law, double along1, double along2)
{
  assert_debug(!(law.push < 0) && "limits are not below zero");
  return (PointLimits){
      law.tension, law.shear, law.push, {law.give[0], law.give[1]}, {along1, along2}};
}

// W_aa in a local basis (normal, two tangents) turned so that S = W_TT - w w'/W_NN is diagonal.
typedef struct {
  double normal;    // W_NN, 1/kg; 0: no impulse changes the normal velocity
  double inverse;   // 1 / W_NN; 0 where W_NN is 0
  double w1, w2;    // W_TN
  double s1, s2;    // S, not below the rounding of W
} LocalDelassus;

// Local. W_aa of a point that gives, by which its own impulse changes V.
static inline sym3 law_add_give(PointLaw law, sym3 w)
{
  assert_debug(!(law.give[0] < 0) && !(law.give[1] < 0) && "springs are not below zero");
  w.xx += law.give[0];
  w.yy += law.give[1];
  w.zz += law.give[1];
  return w;
}

// Local. V = U + diag(give) r for U, to which the law's offset may be added already.
static inline vec3 law_add_elastic(PointLaw law, vec3 u, vec3 r)
{
  if (law.give[0] == 0 && law.give[1] == 0) return u;   // zeros keep their sign
  return (vec3){u.x + law.give[0] * r.x, u.y + law.give[1] * r.y, u.z + law.give[1] * r.z};
}

// Local. The same law with the springs of an impulse that is a weight (kg) times as large.
static inline PointLaw law_times(PointLaw law, double weight)
{
  assert_debug(!(weight < 0) && "a weight is not below zero");
  law.give[0] *= weight;
  law.give[1] *= weight;
  return law;
}

// Local. W_aa (normal x, tangents y and z) in a basis that is turned already: what rounding leaves
// beside the diagonal of S goes.
LocalDelassus law_turned(const sym3 *w);

// Local. Turns the tangents of a basis so that S is diagonal: w is symmetric and positive
// semidefinite, of any rank, in the basis given; basis is updated.
LocalDelassus law_diagonalize(mat3 w, mat3 *basis);

// Local. W r in the turned basis.
static inline vec3 law_apply(const LocalDelassus *d, vec3 r)
{
  const double c = (d->w1 * r.y + d->w2 * r.z) * d->inverse + r.x;
  return (vec3){d->normal * r.x + (d->w1 * r.y + d->w2 * r.z), d->w1 * c + d->s1 * r.y,
                d->w2 * c + d->s2 * r.z};
}

// Local. The impulse r (N s) of one point such that U = q + W r fulfils
//   r = P_C(r - rho (U + mu |U_T| n)),  any rho > 0
// exactly: 0 <= U_N perp r_N + tension >= 0, |r_T| <= shear + mu r_N, sliding opposes U_T (q
// includes the law's offset, m/s). For W positive semidefinite with W_NN > 0 there is always one,
// and one of several is found. With W_NN = 0 and an approach nothing stops it: r_N = -tension. In a
// cylinder r is the one that makes r.W r/2 + q.r least. Of a point that gives, W and q are those of
// V: W_aa + diag(give), V - (W_aa + diag(give)) r.
vec3 law_solve_point(const LocalDelassus *d, PointLaw law, vec3 q);

// Local. Whether C is a cylinder because a limit is finite or infinite that no cone has so.
static inline bool law_is_cylinder(PointLaw law)
{
  const bool cylinder = law.push < INFINITY || law.tension == INFINITY || law.shear == INFINITY;
  assert_debug(!(cylinder && law.friction > 0) && "a cylinder has no friction");
  return cylinder;
}

// Local. Orthogonal projection on such a C.
vec3 law_project_on_cylinder(PointLaw law, vec3 r);

// Local. Orthogonal projection on C.
static inline vec3 law_project(PointLaw law, vec3 r)
{
  assert_debug(!(law.friction < 0) && !(law.tension < 0) && !(law.shear < 0) &&
               "limits are not below zero");
  if (law_is_cylinder(law)) return law_project_on_cylinder(law, r);
  const double mu = law.friction;
  const double size = sqrt(r.y * r.y + r.z * r.z);
  double x = r.x, radius = 0;
  if (law.tension > 0 || law.shear > 0) {   // seen from the middle of the disc where tension ends
    x += law.tension;
    radius = fmax(law.shear - mu * law.tension, 0);
  }
  // without friction 0 <= -0 would let tension through
  if (x >= 0 && size <= mu * x + radius) return r;
  if (mu * size <= mu * radius - x) {
    if (radius == 0) return (vec3){0 - law.tension, 0, 0};
    const double scale = size > radius ? radius / size : 1;
    return (vec3){0 - law.tension, scale * r.y, scale * r.z};
  }
  const double n = (x + mu * (size - radius)) / (1 + mu * mu);
  const double scale = (mu * n + radius) / size;
  return (vec3){n - law.tension, scale * r.y, scale * r.z};
}

// Local. z/(1 + give Sig), where a point that gives comes to rest without limits.
static inline vec3 law_target(PointLaw law, double weight, vec3 z)
{
  assert_debug(!(weight < 0) && "a weight is not below zero");
  if (law.give[0] == 0 && law.give[1] == 0) return z;
  const double d = 1 + law.give[1] * weight;
  return (vec3){z.x / (1 + law.give[0] * weight), z.y / d, z.z / d};
}

// Local. The same with limits, for a point that gives: see law_project_state.
vec3 law_project_elastic(PointLaw law, double weight, vec3 z);

// Local. The impulse r within limits for which (r - z)/Sig is a velocity U_hat of the law:
//   r = argmin over C of sum (1 + give_i Sig)/2 (r_i - z_i/(1 + give_i Sig))^2,
// so that z - r - diag(give) Sig r is in the normal cone of C at r; Sig: weight, kg.
static inline vec3 law_project_state(PointLaw law, double weight, vec3 z)
{
  if (law.give[0] == 0 && law.give[1] == 0) return law_project(law, z);
  return law_project_elastic(law, weight, z);
}

// Local. Coulomb's natural map (Alart and Curnier 1991): what x = r - rho V is brought to, along
// the normal by the limits there, along tangents by the disc that r_N leaves. It is r for any rho >
// 0 where r and V fulfil the law, and nowhere else. An approach shows in it whatever the friction
// is, and a slip shows as it is, not times mu.
static inline vec3 law_nearest(PointLaw law, vec3 r, vec3 x)
{
  assert_debug(!(law.friction < 0) && !(law.tension < 0) && !(law.shear < 0) &&
               "limits are not below zero");
  const double n = x.x < -law.tension ? 0 - law.tension : x.x > law.push ? law.push : x.x;
  const double radius = fmax(law.shear + law.friction * r.x, 0);
  const double size = sqrt(x.y * x.y + x.z * x.z);
  if (size <= radius) return (vec3){n, x.y, x.z};
  const double scale = radius / size;
  return (vec3){n, scale * x.y, scale * x.z};
}

// Local. The square of an error of a point over that of its size: what it counts. An error where
// nothing has a size is infinite.
static inline double law_relative(double error, double size)
{
  assert_debug(!(size < 0) && "a size is not below zero");
  return error == 0 ? 0 : error / (size * size);
}

// Local. Error e = |r - law_nearest(r, r - rho V)| up to which nothing but rounding is left of U, a
// difference of velocities of bodies that move with a given sum of speeds (m/s), and of r; N s.
static inline double law_rounding(double rho, double speed, double impulse)
{
  assert_debug(!(rho < 0) && !(speed < 0) && !(impulse < 0) && "sizes are not below zero");
  return LAW_ROUNDING * DBL_EPSILON * (rho * speed + impulse);
}
