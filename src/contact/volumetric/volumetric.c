// Finds one contact point from the volume that two convex parts of bodies share.
#include "volumetric.h"

#include "check.h"
#include "gjk.h"
#include "intersection_contact.h"
#include "intersection_find.h"

// The true face whose plane is nearest to the place from inside; any face where none is true.
static int nearest_true_face(const Part *part, const Polyhedron *hull, vec3 x)
{
  int best = -1;
  double highest = -INFINITY;
  for (int f = 0; f < hull->face_count; f++) {
    if (!part_surface_has(part, f)) continue;
    const double height = plane_height(hull->planes[f], x);
    if (height <= highest) continue;
    highest = height;
    best = f;
  }
  return best >= 0 ? best : polyhedron_nearest_face(hull, x, &highest);
}

static void name_faces(const PartOverlap *parts, VolumetricPoint *point)
{
  point->face_a = nearest_true_face(parts->ref_a, &parts->hull_a, point->point);
  point->face_b = nearest_true_face(parts->ref_b, &parts->hull_b, point->point);
}

// Raises separation to that of the faces of own, and turns the normal with it. sign: from b into a.
static void raise_separation(const Part *part, const Polyhedron *own, const Polyhedron *other,
                             double sign, vec3 *normal, double *separation)
{
  for (int f = 0; f < own->face_count; f++) {
    if (!part_surface_has(part, f)) continue;
    double s = INFINITY;
    for (int v = 0; v < other->vertex_count; v++)
      s = smaller_of(s, plane_height(own->planes[f], other->vertices[v]));
    if (s <= *separation) continue;
    *separation = s;
    *normal = vec3_scale(sign, own->planes[f].normal);
  }
}

// The way out along a true face that is least far; false where no face is true.
static bool take_face_axis(const PartOverlap *parts, VolumetricPoint *point)
{
  point->gap = -INFINITY;
  raise_separation(parts->ref_a, &parts->hull_a, &parts->hull_b, -1, &point->normal, &point->gap);
  raise_separation(parts->ref_b, &parts->hull_b, &parts->hull_a, 1, &point->normal, &point->gap);
  return point->gap > -INFINITY;
}

VolumetricPoint volumetric_point(const PartOverlap *parts, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  VolumetricPoint point = {.normal = {0, 0, 1}};
  IntersectionRoute route;
  const Polyhedron *a = &parts->hull_a, *b = &parts->hull_b;
  const Intersection common = intersection_find(a, b, 0, arena, &route);
  point.rerouted = route == ROUTE_REFERENCE;
  IntersectionContact contact = {.status = CONTACT_NONE};
  if (common.status == INTERSECTION_OK)
    contact =
        intersection_contact(&common, a, b, part_surface_pieces(parts, &common, arena), arena);
  arena_release(arena, mark);

  switch (contact.status) {
  case CONTACT_NONE:
    point.status = common.status == INTERSECTION_FAILED ? VOLUMETRIC_FAILED : VOLUMETRIC_NONE;
    return point;
  case CONTACT_NO_SURFACE: point.status = VOLUMETRIC_INTERNAL; return point;
  case CONTACT_NO_NORMAL:
    point.status = VOLUMETRIC_FACE_AXIS;
    take_face_axis(parts, &point);
    break;
  case CONTACT_OK:
  case CONTACT_OUTSIDE:
    point.status = VOLUMETRIC_OK;
    point.normal = contact.normal;
    point.gap = contact.gap;
  }
  point.point = contact.point;
  point.area = contact.area;
  name_faces(parts, &point);
  return point;
}

VolumetricPoint volumetric_touch(const PartOverlap *parts)
{
  VolumetricPoint point = {.status = VOLUMETRIC_TOUCH, .normal = {0, 0, 1}};
  if (!take_face_axis(parts, &point)) return (VolumetricPoint){.status = VOLUMETRIC_INTERNAL};
  const Polyhedron *a = &parts->hull_a, *b = &parts->hull_b;
  const GjkResult near = gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count);
  point.point = vec3_scale(0.5, vec3_add(near.on_a, near.on_b));
  name_faces(parts, &point);
  return point;
}
