#pragma once
// Two convex parts of bodies in axes of their own, and what of their common solid is surface of the
// bodies.
#include "check.h"
#include "generator.h"
#include "intersection_contact.h"

// Two parts in world axes about the centre of the first one's body.
typedef struct {
  const Part *ref_a, *ref_b;   // facets, in body frames
  Polyhedron hull_a, hull_b;
  mat3 turn_a, turn_b;   // body to world
  vec3 shift;            // b's centre relative to a's, m
} PartOverlap;

// Local. The parts of two posed bodies. b's hull is moved: memory from the arena.
PartOverlap part_surface_overlap(const PosedBody *a, int part_a, const PosedBody *b, int part_b,
                                 Arena *arena);

// Local. Is anything of a face of a part surface of its body?
static inline bool part_surface_has(const Part *part, int face)
{
  assert_debug(face >= 0 && face < part->hull.face_count && "a face has a number");
  return part->facet_start[face + 1] > part->facet_start[face];
}

// Local. What of each face of the common solid of two parts is surface of the body that made it:
// [face_count] in the arena.
const SurfacePiece *part_surface_pieces(const PartOverlap *parts, const Intersection *common,
                                        Arena *arena);
