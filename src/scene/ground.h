#pragma once
// Gravity as the ground of a case sees it, which may tilt, or be shaken as the frame of the case.
#include "case.h"

// Local. Gravity in the axes of the case at a time, with the inertia of a moving frame, m/s2.
vec3 ground_gravity(const Case *c, double time);

// Local. A number that its norm never exceeds; whether it is the same at all times.
double ground_gravity_bound(const Case *c);
bool ground_gravity_is_constant(const Case *c);

// Local. Whether fixed bodies are moved by the base.
bool ground_moves(const Case *c);
