#pragma once
// A base that moves all fixed bodies of a case.
#include "bodies.h"
#include "case.h"
#include "shape.h"

// Local. After all else is prepared: NULL, or a message (arena) that says what contradicts the
// base.
const char *shaken_base_check(const Case *c);

// Local. Whether the base moves bodies in this stage, or has moved them in one before.
bool shaken_base_has_moved(const Case *stage);

// Collective. How far the base is from where it began, from the poses of bodies that it moves, m;
// zero where it moves none, and no earlier stage has moved it. since: places of rows that count
// instead, all of the stage; NULL: those of the case.
vec3 shaken_base_displacement(const Case *stage, const Bodies *bodies, const vec3 *since,
                              ShapeSet *shapes);
