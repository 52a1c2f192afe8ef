#pragma once
// The volumetric contact model: one point for every pair of convex parts that share volume.
#include "generator.h"

// Local. For each two parts A, B that overlap, from the surface of their common solid (Solfec-1.0
// user manual, "Contact points"): the point is the centroid of that surface; the normal the sum of
// its faces' normals weighted by the square of their area, those made by B into A, those made by A
// turned round; the area half of the surface; the gap minus the thickness along the normal, which
// GJK checks where it is large. The point names the faces of A and B nearest to it.
//
// Faces that two parts of one body share are no surface: what they make counts neither for point,
// normal nor area, so that the pieces of a body add up to the body. Two parts that overlap inside
// their bodies alone, away from all surface, give nothing.
//
// Volume decides: margin and reach of the pair have no effect, a gap is never above zero, and
// bodies that touch without volume are no contact yet. Where surfaces are not where the shapes have
// them (ModelPair.displaced), parts up to margin and reach apart have a point, too
// (volumetric_near). failed counts pairs of parts whose common
// solid could not be found although they overlap; they get a point on the axis of least overlap.
PatchSet volumetric_find(const ModelPair *pair, Arena *arena);
