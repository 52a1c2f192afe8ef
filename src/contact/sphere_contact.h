#pragma once
// Contact points of spheres, in closed form: with spheres, and with bodies made of convex parts.
#include "arena.h"
#include "generator.h"

// Local. All contact points between two bodies of which at least one is a sphere; each is a patch
// of its own, without area and without axes. Gaps above margin (of the smaller part's extent, a
// sphere's being its diameter) plus reach (m) are no contacts. On the sphere's side a point names
// part 0 and vertex 0.
//
// With a convex part the point is the part's nearest point x to the sphere's centre c, the normal
// runs from x to c. The parts of a body are seen together: x counts where it is a local minimum of
// the distance between c and the body, that is where every part that holds x has its own nearest
// point there. On a flat floor cut into parts that leaves one point, in a concave corner two. A
// sphere whose centre is inside the body has one contact, at the nearest place of the true surface.
// failed: 1 for a sphere that is inside the other body with all of its surface.
PatchSet sphere_contact_find(const PosedBody *a, const PosedBody *b, double margin, double reach,
                             Arena *arena);
