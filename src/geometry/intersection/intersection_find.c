// Intersects by the fast route, and by the reference where that fails.
#include "intersection_find.h"

#include "check.h"
#include "intersection_reference.h"

Intersection intersection_find(const Polyhedron *a, const Polyhedron *b, double margin,
                               Arena *arena, IntersectionRoute *route)
{
  assert_debug(route != NULL && "the caller is told the route");
  assert_debug(margin >= 0 && "planes are pushed outward");
  *route = ROUTE_CLIP;
  const ArenaMark mark = arena_mark(arena);
  const Intersection clipped = intersection_clip(a, b, margin, arena);
  if (clipped.status != INTERSECTION_FAILED) return clipped;
  arena_release(arena, mark);
  *route = ROUTE_REFERENCE;
  return intersection_reference(a, b, margin, arena);
}
