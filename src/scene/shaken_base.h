#pragma once
// A base that moves all fixed bodies of a case.
#include "bodies.h"
#include "case.h"
#include "shape.h"

// Local. After all else is prepared: NULL, or a message (arena) that says what contradicts the
// base.
const char *shaken_base_check(const Case *c);

// Collective. How far the base is from where it began, from the poses of bodies that it moves, m;
// zero where it moves none.
vec3 shaken_base_displacement(const Case *c, const Bodies *bodies, ShapeSet *shapes);
