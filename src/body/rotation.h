#pragma once
// How a body frame turns: orientation, spin and angular momentum, by the exponential map.
#include "vec3.h"

// Local. exp(spin * time) applied to an orientation; normalised.
quat rotation_apply(quat orientation, vec3 spin, double time);

// Local. Angular momentum about the centre of mass, world axes; density times the shape's inertia
// is the tensor.
vec3 rotation_momentum(quat orientation, vec3 spin, mat3 inertia);

// Local. exp(v) applied to a vector x; v: axis times angle, rad.
vec3 rotation_turn(vec3 v, vec3 x);

// Local. The spin w whose motion over half a step conserves the momentum:
//   R(q) exp(h/2 W) J W = momentum,   W: spin in body axes   (implicit midpoint rule, second order)
// rotation: body to world at the middle of the step; guess: world axes.
vec3 rotation_spin_of_momentum(mat3 rotation, mat3 inertia, vec3 momentum, double half_step,
                               vec3 guess);
