#pragma once
// Kinematics of rigid bodies: Moreau's midpoint rule with rotations by the exponential map.
#include <stdbool.h>

#include "bodies.h"

// What the step needs of a body at the middle of the step, beside its row.
typedef struct {
  mat3 rotation;          // body to world
  double inverse_mass;    // 1/kg, 0 but for dynamic bodies
  mat3 inverse_inertia;   // world axes, 1/(kg m2), zero but for dynamic ones
} MidState;

// Local. exp(spin * time) applied to an orientation; normalised.
quat motion_rotate(quat orientation, vec3 spin, double time);

// Local. Angular momentum about the centre of mass, world axes; density times the shape's inertia
// is the tensor.
vec3 motion_angular_momentum(quat orientation, vec3 spin, mat3 inertia);

// Local. The spin w whose motion over half a step conserves the momentum:
//   R(q) exp(h/2 W) J W = momentum,   W: spin in body axes   (implicit midpoint rule, second order)
// rotation: body to world at the middle of the step; guess: world axes.
vec3 motion_spin_of_momentum(mat3 rotation, mat3 inertia, vec3 momentum, double half_step,
                             vec3 guess);

// Local. First half of the step for all rows, ghosts too: rows move to the middle of the step;
// fills mid[count]. Dynamic bodies only; others get their rotation and zeros.
void motion_first_half(Bodies *bodies, ShapeSet *shapes, const double *densities, double step,
                       MidState *mid);

// Local. Second half for own rows: velocity and spin are those at the end of the step.
void motion_second_half(Bodies *bodies, double step);

// Local. Inertia of a row's body about its centre of mass in body axes, kg m2.
mat3 motion_inertia(const Bodies *bodies, int row, ShapeSet *shapes, const double *densities);

// Local. True when the body moves more than half its inradius or turns more than 0.2 rad in one
// step. How far a sphere turns does not matter: its surface stays where it is.
bool motion_is_large(const Bodies *bodies, int row, const Shape *shape, double step);
