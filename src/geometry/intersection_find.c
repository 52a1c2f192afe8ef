#include "intersection_find.h"

#include "intersection_reference.h"

Intersection intersection_find(const Polyhedron *a, const Polyhedron *b, double margin,
                               Arena *arena, IntersectionRoute *route)
{
  *route = ROUTE_CLIP;
  const ArenaMark mark = arena_mark(arena);
  const Intersection clipped = intersection_clip(a, b, margin, arena);
  if (clipped.status != INTERSECTION_FAILED) return clipped;
  arena_release(arena, mark);
  *route = ROUTE_REFERENCE;
  return intersection_reference(a, b, margin, arena);
}
