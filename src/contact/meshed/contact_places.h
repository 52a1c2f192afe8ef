#pragma once
// Which nodes of bodies of finite elements carry a contact point (patch_shares.h). Local.
#include "bodies.h"
#include "contacts.h"
#include "finite_shape.h"
#include "material_point.h"
#include "motion.h"

typedef struct {
  const FinitePoint *low, *high;   // [rows of contacts] in the bodies of finite elements
} ContactPlaces;

// Of all rows, ghosts included; a function of the rows of a pair alone. Memory from the arena.
// Bodies are at the middle of the step.
ContactPlaces contact_places_new(const Bodies *bodies, const MidState *mid,
                                 const Contacts *contacts, Arena *arena);

// By how much a point differs from that of a rigid body, world axes, m; at: its nodes, in a body of
// finite elements. mid: of its row.
vec3 contact_places_moved(const Bodies *bodies, const MidState *mid, const MaterialPoint *point,
                          const FinitePoint *at);
