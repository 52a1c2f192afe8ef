// Finds the pieces of the parts' faces that are the surface of a shape.
#include "shape_facets.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SHAPE_ROUNDING \
  1e-9   // of the shape's extent: pieces of faces thinner than this are nothing

typedef struct {
  int count;
  const vec3 *corners;
} Polygon;   // convex, planar, counter-clockwise

typedef struct {
  int count, capacity;
  Polygon *items;
} PolygonList;

static void polygon_list_add(PolygonList *list, Polygon polygon, Arena *arena)
{
  list->items =
      arena_grow(arena, list->items, list->count + 1, &list->capacity, sizeof *list->items);
  list->items[list->count++] = polygon;
}

// One side of a polygon cut by a line of its plane: side > 0 keeps what lies along the direction,
// side < 0 the rest. Corners within the tolerance of the line belong to both sides, so no sliver
// thinner than it arises.
static Polygon polygon_cut(Polygon p, vec3 origin, vec3 direction, double side, double tolerance,
                           Arena *arena)
{
  vec3 *corners = arena_allocate(arena, 2 * (size_t)p.count * sizeof *corners);
  int count = 0, strictly_inside = 0;
  for (int i = 0; i < p.count; i++) {
    const vec3 here = p.corners[i], next = p.corners[(i + 1) % p.count];
    const double s = side * vec3_dot(direction, vec3_sub(here, origin));
    const double t = side * vec3_dot(direction, vec3_sub(next, origin));
    if (s > tolerance) strictly_inside++;
    if (s >= -tolerance) corners[count++] = here;
    if ((s > tolerance && t < -tolerance) || (s < -tolerance && t > tolerance)) {
      corners[count++] = vec3_axpy(s / (s - t), vec3_sub(next, here), here);
    }
  }
  return (Polygon){strictly_inside > 0 && count >= 3 ? count : 0, corners};
}

// Outward direction, in the plane, of side k of a polygon whose plane has that unit normal.
static vec3 polygon_side(Polygon p, int k, vec3 normal)
{
  const vec3 out = vec3_cross(vec3_sub(p.corners[(k + 1) % p.count], p.corners[k]), normal);
  return vec3_scale(1.0 / vec3_norm(out), out);
}

static bool polygon_has_area(Polygon p, double tolerance, double extent)
{
  assert(tolerance >= 0 && extent > 0 && "a shape has an extent");
  return p.count >= 3 && vec3_norm(polyhedron_area_vector(p.corners, p.count)) > tolerance * extent;
}

// p minus cut, as convex pieces appended to the list: p is cut along the sides of cut, one after
// another; what lies outside of a side is a piece, the rest goes on. A polygon that cut misses is
// appended as it is.
static void polygon_subtract(Polygon p, Polygon cut, vec3 cut_normal, double extent,
                             PolygonList *pieces, Arena *arena)
{
  assert(extent > 0 && "a shape has an extent");
  const double tolerance = SHAPE_ROUNDING * extent;
  Polygon common = p;
  for (int k = 0; k < cut.count && common.count > 0; k++) {
    common = polygon_cut(common, cut.corners[k], polygon_side(cut, k, cut_normal), -1.0, tolerance,
                         arena);
  }
  if (!polygon_has_area(common, tolerance, extent)) {
    polygon_list_add(pieces, p, arena);
    return;
  }
  Polygon rest = p;
  for (int k = 0; k < cut.count && rest.count > 0; k++) {
    const vec3 out = polygon_side(cut, k, cut_normal);
    const Polygon piece = polygon_cut(rest, cut.corners[k], out, 1.0, tolerance, arena);
    if (polygon_has_area(piece, tolerance, extent)) polygon_list_add(pieces, piece, arena);
    rest = polygon_cut(rest, cut.corners[k], out, -1.0, tolerance, arena);
  }
}

static Polygon face_polygon(const Polyhedron *hull, int face, Arena *arena)
{
  assert(face >= 0 && face < hull->face_count && "a face has a number");
  const int first = hull->face_start[face], count = hull->face_start[face + 1] - first;
  vec3 *corners = arena_allocate(arena, (size_t)count * sizeof *corners);
  for (int k = 0; k < count; k++) corners[k] = hull->vertices[hull->face_vertices[first + k]];
  return (Polygon){count, corners};
}

// Do the parts share the plane of these two faces, from opposite sides?
static bool faces_are_opposite(const Polyhedron *p, int face, const Polyhedron *q, int other,
                               double tolerance)
{
  assert(face >= 0 && face < p->face_count && other >= 0 && other < q->face_count &&
         "faces have numbers");
  const Plane plane = p->planes[face];
  if (vec3_dot(plane.normal, q->planes[other].normal) > -0.999) return false;
  for (int k = q->face_start[other]; k < q->face_start[other + 1]; k++) {
    const vec3 corner = q->vertices[q->face_vertices[k]];
    if (fabs(vec3_dot(plane.normal, corner) - plane.offset) > tolerance) return false;
  }
  return true;
}

// The face minus what opposite faces of other parts cover.
static PolygonList face_uncovered(const Shape *shape, const Box *boxes, int part, int face,
                                  Arena *scratch)
{
  assert(part >= 0 && part < shape->part_count && "a part has a number");
  const Polyhedron *hull = &shape->parts[part].hull;
  PolygonList left = {0};
  polygon_list_add(&left, face_polygon(hull, face, scratch), scratch);
  for (int q = 0; q < shape->part_count; q++) {
    if (q == part || !box_overlaps(boxes[part], boxes[q])) continue;
    const Polyhedron *other = &shape->parts[q].hull;
    for (int g = 0; g < other->face_count; g++) {
      if (!faces_are_opposite(hull, face, other, g, SHAPE_COPLANAR * shape->extent)) continue;
      const Polygon cut = face_polygon(other, g, scratch);
      PolygonList next = {0};
      for (int i = 0; i < left.count; i++) {
        polygon_subtract(left.items[i], cut, other->planes[g].normal, shape->extent, &next,
                         scratch);
      }
      left = next;
    }
  }
  return left;
}

void shape_facets_find(Shape *shape, const Box *boxes, int index, Arena *scratch, Arena *arena)
{
  assert(index >= 0 && index < shape->part_count && "a part has a number");
  Part *part = &shape->parts[index];
  const Polyhedron *hull = &part->hull;
  part->facet_start =
      arena_allocate(arena, ((size_t)hull->face_count + 1) * sizeof *part->facet_start);
  const ArenaMark mark = arena_mark(scratch);
  PolygonList all = {0};
  for (int f = 0; f < hull->face_count; f++) {
    part->facet_start[f] = all.count;
    const PolygonList left = face_uncovered(shape, boxes, index, f, scratch);
    for (int i = 0; i < left.count; i++) polygon_list_add(&all, left.items[i], scratch);
  }
  part->facet_start[hull->face_count] = all.count;
  part->facet_count = all.count;
  part->facets = arena_allocate(arena, (size_t)all.count * sizeof *part->facets);
  int face = 0;
  for (int i = 0; i < all.count; i++) {
    while (part->facet_start[face + 1] <= i) face++;
    const size_t bytes = (size_t)all.items[i].count * sizeof(vec3);
    vec3 *corners = arena_allocate(arena, bytes);
    memcpy(corners, all.items[i].corners, bytes);
    // untouched by any cut: the corners are the loop itself
    const int first = hull->face_start[face], count = hull->face_start[face + 1] - first;
    bool whole = all.items[i].count == count;
    for (int k = 0; k < count && whole; k++) {
      whole =
          memcmp(&corners[k], &hull->vertices[hull->face_vertices[first + k]], sizeof(vec3)) == 0;
    }
    part->facets[i] = (Facet){
        .face = face, .corner_count = all.items[i].count, .whole = whole, .corners = corners};
  }
  arena_release(scratch, mark);
}
