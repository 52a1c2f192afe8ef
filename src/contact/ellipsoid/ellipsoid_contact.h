#pragma once
// Contact points of ellipsoids: with ellipsoids, spheres, and bodies made of convex parts.
#include "arena.h"
#include "generator.h"

// Local. All contact points between two bodies of which at least one is an ellipsoid; each is a
// patch of its own, without area and without axes. Gaps above margin (of the smaller part's extent,
// that of an ellipsoid or sphere being its largest diameter) plus reach (m) are no contacts. On the
// side of an ellipsoid or a sphere a point names part 0 and vertex 0.
//
// The normal is the axis of largest separation. Between two ellipsoids the point cuts the way
// between their extreme places in the ratio of their reaches along the normal, which is that of the
// radii of spheres. With a convex part it is the extreme place of the ellipsoid. The parts of a
// body are seen together as for spheres (sphere_contact.h): the place x of a part counts where
// every part that holds x touches there. An ellipsoid whose centre is inside the body has one
// contact, at the place of the true surface from which it overlaps least. failed: 1 for an
// ellipsoid that is inside the other body with all of its extent along the normal, too deep in a
// part for a place of its surface, or without a settled axis. There is a contact then as well.
PatchSet ellipsoid_contact_find(const PosedBody *a, const PosedBody *b, double margin, double reach,
                                Arena *arena);
