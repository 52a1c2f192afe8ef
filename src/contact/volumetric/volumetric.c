// Finds one contact point from the volume that two convex parts of bodies share.
#include "volumetric.h"

#include "check.h"
#include "gjk.h"
#include "intersection_contact.h"
#include "intersection_find.h"

#define ALONG 1e-6   // sine of two edges: below it they have no direction across

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

// The point once b is moved by a vector, as it is without that.
static VolumetricPoint moved_point(const PartOverlap *parts, vec3 by, Arena *arena)
{
  assert_debug(vec3_is_finite(by) && "a part is moved by some way");
  const ArenaMark mark = arena_mark(arena);
  PartOverlap moved = *parts;
  moved.hull_b = polyhedron_shift(&parts->hull_b, by, arena);
  moved.shift = vec3_add(parts->shift, by);
  VolumetricPoint point = volumetric_point(&moved, arena);
  arena_release(arena, mark);
  point.point = vec3_axpy(-0.5, by, point.point);
  point.gap += vec3_dot(by, point.normal);
  return point;
}

static bool is_found(const VolumetricPoint *point)
{
  return point->status != VOLUMETRIC_NONE && point->status != VOLUMETRIC_INTERNAL;
}

// Is all of its surface that of its body?
static bool stands_alone(const Part *part)
{
  bool all = true;
  for (int f = 0; f < part->hull.face_count; f++) all = all && part_surface_has(part, f);
  return all;
}

// Raises separation to that along one direction, whichever way, and turns the normal with it.
static void raise_along(const PartOverlap *parts, vec3 n, vec3 *normal, double *separation)
{
  const Polyhedron *a = &parts->hull_a, *b = &parts->hull_b;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int side = 0; side < 2; side++) {
    const Polyhedron *of = side == 0 ? a : b;
    for (int v = 0; v < of->vertex_count; v++) {
      const double z = vec3_dot(n, of->vertices[v]);
      low[side] = smaller_of(low[side], z);
      high[side] = larger_of(high[side], z);
    }
  }
  for (int side = 0; side < 2; side++) {
    const double s = low[side] - high[1 - side];
    if (s <= *separation) continue;
    *separation = s;
    *normal = vec3_scale(side == 0 ? 1 : -1, n);
  }
}

static vec3 edge_along(const Polyhedron *p, int edge)
{
  const int *vertex = p->edges[edge].vertex;
  const vec3 along = vec3_sub(p->vertices[vertex[1]], p->vertices[vertex[0]]);
  return vec3_scale(1 / vec3_norm(along), along);
}

// The direction across two edges along which parts without seams are farthest apart.
static void take_edge_axis(const PartOverlap *parts, VolumetricPoint *point)
{
  assert_debug(stands_alone(parts->ref_a) && stands_alone(parts->ref_b) && "no edge is a seam's");
  const Polyhedron *a = &parts->hull_a, *b = &parts->hull_b;
  point->gap = -INFINITY;
  for (int e = 0; e < a->edge_count; e++)
    for (int f = 0; f < b->edge_count; f++) {
      const vec3 across = vec3_cross(edge_along(a, e), edge_along(b, f));
      const double sine = vec3_norm(across);
      if (sine > ALONG)
        raise_along(parts, vec3_scale(1 / sine, across), &point->normal, &point->gap);
    }
}

// The point once parts are moved along an axis until they share a layer; NONE where they do without
// or are farther apart than the window.
static VolumetricPoint layer_point(const PartOverlap *parts, const VolumetricPoint *axis,
                                   VolumetricReach reach, Arena *arena)
{
  const bool acts = axis->gap > -reach.layer && axis->gap <= reach.window;
  if (!acts) return (VolumetricPoint){.status = VOLUMETRIC_NONE, .normal = {0, 0, 1}};
  return moved_point(parts, vec3_scale(axis->gap + reach.layer, axis->normal), arena);
}

VolumetricPoint volumetric_near(const PartOverlap *parts, VolumetricReach reach, Arena *arena)
{
  assert_debug(reach.layer > 0 && !(reach.window < 0) && "parts share a layer");
  VolumetricPoint axis = {.status = VOLUMETRIC_NONE, .normal = {0, 0, 1}};
  if (take_face_axis(parts, &axis)) {
    if (axis.gap > reach.window) return axis;
    const VolumetricPoint point = layer_point(parts, &axis, reach, arena);
    if (is_found(&point)) return point;
  }
  const VolumetricPoint point = volumetric_point(parts, arena);
  if (point.status != VOLUMETRIC_NONE) return point;

  // no true face tells them apart: edges, where there are none of seams
  const Polyhedron *a = &parts->hull_a, *b = &parts->hull_b;
  if (!stands_alone(parts->ref_a) || !stands_alone(parts->ref_b)) return point;
  if (gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count).distance >
      reach.window)
    return point;
  take_edge_axis(parts, &axis);
  return layer_point(parts, &axis, reach, arena);
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
