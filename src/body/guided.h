#pragma once
// Guided bodies: rigid ones of whose velocity some components are given, as the case says, and the
// others are their own. Components are those of the centre of mass along the world axes, and of the
// spin about them.
#include "check.h"
#include "vec3.h"

// A component is the bit of its number: x y z of the velocity, x y z of the spin.
enum { GUIDED_COMPONENTS = 6, GUIDED_SPIN = 3, GUIDED_ALL = (1 << GUIDED_COMPONENTS) - 1 };

// Local. Whether a component is held, 1 or 0.
static inline unsigned guided_holds(unsigned held, int component)
{
  assert_debug(component >= 0 && component < GUIDED_COMPONENTS && "a component has a number");
  return held >> component & 1;
}

// Local. Components of a velocity, those of `held` from the second one. Of a spin: held >>
// GUIDED_SPIN.
static inline vec3 guided_mix(unsigned held, vec3 own, vec3 given)
{
  return (vec3){held & 1 ? given.x : own.x, held & 2 ? given.y : own.y, held & 4 ? given.z : own.z};
}

// Local. The components that are free, zero in the place of others; those that are held.
static inline vec3 guided_free(unsigned held, vec3 v) { return guided_mix(held, v, (vec3){0}); }
static inline vec3 guided_given(unsigned held, vec3 v) { return guided_mix(held, (vec3){0}, v); }

// Local. Response of the free spin to a torque, world axes: E (E' R J R' E)^-1 E', E the free axes,
// symmetric. rotation: body to world; inertia J: body axes. held: of all components.
mat3 guided_inverse(mat3 rotation, mat3 inertia, unsigned held);

// Local. The same with a number above zero on the diagonal where axes are held, so that it has an
// inverse.
mat3 guided_filled(mat3 inverse, unsigned held, double scale);

// What decides the spin of a guided body.
typedef struct {
  mat3 rotation, inertia;   // body to world at the middle of the step; body axes, kg m2
  vec3 momentum;            // angular momentum, of which the free components count, kg m2/s
  vec3 given;               // spin, of which the held components count, rad/s
  double half_step;         // s
  unsigned held;            // of all components
} GuidedSpin;

// Local, beside its kind for tests. The spin w whose free components conserve those of the
// momentum:
//   E' exp(h/2 w) R J R' w = E' momentum    (rotation_spin_of_momentum where nothing is held)
// guess: world axes. momentum: R exp(h/2 W) J W with it, all components.
vec3 guided_spin(const GuidedSpin *of, vec3 guess, vec3 *momentum);

// Local. Takes the held components out of a block of 6x6 by rows that maps the velocity of a body
// to the impulse on another one, or the same: rows and columns become zero.
void guided_take_out(unsigned row_held, unsigned column_held, double *block);
