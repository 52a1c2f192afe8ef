#include "shape.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gjk.h"
#include "intersection.h"
#include "memory.h"

#define SHAPE_COMMON_VOLUME 1e-9   // of the smaller of two parts: more than this is overlap
#define SHAPE_COPLANAR 1e-8        // of the shape's extent: faces of two parts in one plane
#define SHAPE_ROUNDING \
  1e-9   // of the shape's extent: pieces of faces thinner than this are nothing
#define SHAPE_MIN_INRADIUS 1e-3   // of the shape's extent

typedef struct {
  int count;
  const vec3 *corners;
} Polygon;   // convex, planar, counter-clockwise

typedef struct {
  int count, capacity;
  Polygon *items;
} PolygonList;

typedef struct {
  vec3 low, high;
} PartBox;

static void polygon_list_add(PolygonList *list, Polygon polygon, Arena *arena)
{
  if (list->count == list->capacity) {
    const int capacity = list->capacity > 0 ? 2 * list->capacity : 8;
    Polygon *items = arena_allocate(arena, (size_t)capacity * sizeof *items);
    if (list->count > 0) memcpy(items, list->items, (size_t)list->count * sizeof *items);
    list->items = items;
    list->capacity = capacity;
  }
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
  return p.count >= 3 && vec3_norm(polygon_area_vector(p.corners, p.count)) > tolerance * extent;
}

// p minus cut, as convex pieces appended to the list: p is cut along the sides of cut, one after
// another; what lies outside of a side is a piece, the rest goes on. A polygon that cut misses is
// appended as it is.
static void polygon_subtract(Polygon p, Polygon cut, vec3 cut_normal, double extent,
                             PolygonList *pieces, Arena *arena)
{
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
  const int first = hull->face_start[face], count = hull->face_start[face + 1] - first;
  vec3 *corners = arena_allocate(arena, (size_t)count * sizeof *corners);
  for (int k = 0; k < count; k++) corners[k] = hull->vertices[hull->face_vertices[first + k]];
  return (Polygon){count, corners};
}

static PartBox part_box(const Polyhedron *hull, double margin)
{
  PartBox box = {hull->vertices[0], hull->vertices[0]};
  for (int i = 1; i < hull->vertex_count; i++) {
    box.low = vec3_min(box.low, hull->vertices[i]);
    box.high = vec3_max(box.high, hull->vertices[i]);
  }
  const vec3 grow = {margin, margin, margin};
  return (PartBox){vec3_sub(box.low, grow), vec3_add(box.high, grow)};
}

static bool part_boxes_meet(PartBox p, PartBox q)
{
  return p.low.x <= q.high.x && q.low.x <= p.high.x && p.low.y <= q.high.y && q.low.y <= p.high.y &&
         p.low.z <= q.high.z && q.low.z <= p.high.z;
}

// Do the parts share the plane of these two faces, from opposite sides?
static bool faces_are_opposite(const Polyhedron *p, int face, const Polyhedron *q, int other,
                               double tolerance)
{
  const Plane plane = p->planes[face];
  if (vec3_dot(plane.normal, q->planes[other].normal) > -0.999) return false;
  for (int k = q->face_start[other]; k < q->face_start[other + 1]; k++) {
    const vec3 corner = q->vertices[q->face_vertices[k]];
    if (fabs(vec3_dot(plane.normal, corner) - plane.offset) > tolerance) return false;
  }
  return true;
}

// The face minus what opposite faces of other parts cover.
static PolygonList face_uncovered(const Shape *shape, const PartBox *boxes, int part, int face,
                                  Arena *scratch)
{
  const Polyhedron *hull = &shape->parts[part].hull;
  PolygonList left = {0};
  polygon_list_add(&left, face_polygon(hull, face, scratch), scratch);
  for (int q = 0; q < shape->part_count; q++) {
    if (q == part || !part_boxes_meet(boxes[part], boxes[q])) continue;
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

static void part_find_facets(Shape *shape, const PartBox *boxes, int index, Arena *scratch,
                             Arena *arena)
{
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

static void part_find_loop_edges(Part *part, Arena *arena)
{
  const Polyhedron *hull = &part->hull;
  const int corners = hull->face_start[hull->face_count];
  part->loop_edge = arena_allocate(arena, (size_t)corners * sizeof *part->loop_edge);
  for (int i = 0; i < corners; i++) part->loop_edge[i] = -1;
  for (int e = 0; e < hull->edge_count; e++) {
    for (int side = 0; side < 2; side++) {
      const int face = hull->edges[e].face[side], from = hull->edges[e].vertex[side];
      for (int k = hull->face_start[face]; k < hull->face_start[face + 1]; k++) {
        if (hull->face_vertices[k] == from) part->loop_edge[k] = e;
      }
    }
  }
  for (int i = 0; i < corners; i++)
    assert(part->loop_edge[i] >= 0 && "every side of a face is an edge");
}

// Sums the moments of the parts; fills volume, centre of mass and inertia.
static void shape_sum_moments(Shape *shape, const Moments *moments)
{
  double volume = 0;
  vec3 first = {0, 0, 0};
  for (int p = 0; p < shape->part_count; p++) {
    volume += moments[p].volume;
    first = vec3_axpy(moments[p].volume, moments[p].centroid, first);
  }
  const vec3 center = vec3_scale(1.0 / volume, first);
  mat3 second = mat3_diagonal(0, 0, 0);
  for (int p = 0; p < shape->part_count; p++) {
    const vec3 arm = vec3_sub(moments[p].centroid, center),
               scaled = vec3_scale(moments[p].volume, arm);
    const mat3 moved = {
        {vec3_scale(scaled.x, arm), vec3_scale(scaled.y, arm), vec3_scale(scaled.z, arm)}};
    second = mat3_add(second, mat3_add(moments[p].second, moved));
  }
  // the diagonal of the inertia is the sum of the other two second moments; products change sign
  const double xx = second.row[0].x, yy = second.row[1].y, zz = second.row[2].z;
  const double xy = 0.5 * (second.row[0].y + second.row[1].x);
  const double xz = 0.5 * (second.row[0].z + second.row[2].x);
  const double yz = 0.5 * (second.row[1].z + second.row[2].y);
  shape->volume = volume;
  shape->center = center;
  shape->inertia = (mat3){{{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}}};
}

static double polygon_distance_to_origin(const vec3 *corners, int count, vec3 normal)
{
  const double offset = vec3_dot(normal, corners[0]);
  const vec3 foot = vec3_scale(offset, normal);
  bool inside = true;
  double nearest = INFINITY;
  for (int k = 0; k < count; k++) {
    const vec3 from = corners[k], side = vec3_sub(corners[(k + 1) % count], from);
    if (vec3_dot(vec3_cross(side, vec3_sub(foot, from)), normal) < 0) inside = false;
    double t = -vec3_dot(from, side) / vec3_dot(side, side);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const double distance = vec3_norm(vec3_axpy(t, side, from));
    if (distance < nearest) nearest = distance;
  }
  return inside ? fabs(offset) : nearest;
}

// Radius, extent; boxes of the parts grown by rounding, for the searches that follow.
static void shape_measure(Shape *shape, PartBox *boxes)
{
  PartBox all = part_box(&shape->parts[0].hull, 0);
  double farthest = 0;
  for (int p = 0; p < shape->part_count; p++) {
    const Polyhedron *hull = &shape->parts[p].hull;
    const PartBox box = part_box(hull, 0);
    all = (PartBox){vec3_min(all.low, box.low), vec3_max(all.high, box.high)};
    for (int i = 0; i < hull->vertex_count; i++) {
      const double square = vec3_dot(hull->vertices[i], hull->vertices[i]);
      if (square > farthest) farthest = square;
    }
  }
  const vec3 size = vec3_sub(all.high, all.low);
  shape->radius = sqrt(farthest);
  shape->extent = size.x > size.y ? size.x : size.y;
  if (size.z > shape->extent) shape->extent = size.z;
  for (int p = 0; p < shape->part_count; p++) {
    boxes[p] = part_box(&shape->parts[p].hull, SHAPE_COPLANAR * shape->extent);
  }
}

static void shape_measure_surface(Shape *shape)
{
  double nearest = INFINITY;
  shape->output_points = 0;
  shape->output_cells = 0;
  for (int p = 0; p < shape->part_count; p++) {
    const Part *part = &shape->parts[p];
    for (int i = 0; i < part->facet_count; i++) {
      const Facet *facet = &part->facets[i];
      const vec3 normal = part->hull.planes[facet->face].normal;
      const double distance =
          polygon_distance_to_origin(facet->corners, facet->corner_count, normal);
      if (distance < nearest) nearest = distance;
      shape->output_points += facet->corner_count;
      shape->output_cells++;
    }
  }
  const double least = SHAPE_MIN_INRADIUS * shape->extent;
  shape->inradius = nearest > least ? nearest : least;
}

// When the clipper cannot tell, parts shrunk by a thousandth about their centroids must be apart.
static bool parts_overlap_shrunk(const Polyhedron *p, vec3 p_centroid, const Polyhedron *q,
                                 vec3 q_centroid, Arena *scratch)
{
  const double shrink = 1.0 - 1e-3;
  vec3 *a = arena_allocate(scratch, (size_t)p->vertex_count * sizeof *a);
  vec3 *b = arena_allocate(scratch, (size_t)q->vertex_count * sizeof *b);
  for (int i = 0; i < p->vertex_count; i++) {
    a[i] = vec3_axpy(shrink, vec3_sub(p->vertices[i], p_centroid), p_centroid);
  }
  for (int i = 0; i < q->vertex_count; i++) {
    b[i] = vec3_axpy(shrink, vec3_sub(q->vertices[i], q_centroid), q_centroid);
  }
  return !(gjk_distance(a, p->vertex_count, b, q->vertex_count).distance > 0);
}

static bool parts_overlap(const Shape *shape, int p, int q, const Moments *moments, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  const Polyhedron *a = &shape->parts[p].hull, *b = &shape->parts[q].hull;
  const double smaller =
      moments[p].volume < moments[q].volume ? moments[p].volume : moments[q].volume;
  const Intersection common = intersection_clip(a, b, 0, scratch);
  bool overlap = false;
  if (common.status == INTERSECTION_OK) {
    overlap = common.volume > SHAPE_COMMON_VOLUME * smaller;
  } else if (common.status == INTERSECTION_FAILED) {
    overlap = parts_overlap_shrunk(a, vec3_sub(moments[p].centroid, shape->center), b,
                                   vec3_sub(moments[q].centroid, shape->center), scratch);
  }
  arena_release(scratch, mark);
  return overlap;
}

static ShapeResult shape_build_parts(const ShapeRecipe *recipe, Moments *moments, Arena *scratch,
                                     Arena *arena, Shape *shape)
{
  shape->part_count = recipe->part_count;
  shape->parts = arena_allocate_zero(arena, (size_t)recipe->part_count, sizeof *shape->parts);
  Polyhedron *hulls = arena_allocate(scratch, (size_t)recipe->part_count * sizeof *hulls);
  for (int p = 0; p < recipe->part_count; p++) {
    const PartRecipe *part = &recipe->parts[p];
    const HullStatus status = hull_build(part->points, part->count, arena, &hulls[p]);
    if (status != HULL_OK)
      return (ShapeResult){.status = SHAPE_HULL, .hull = status, .part = p, .other = p};
    moments[p] = polyhedron_moments(&hulls[p]);
  }
  shape_sum_moments(shape, moments);
  const mat3 identity = mat3_diagonal(1, 1, 1);
  for (int p = 0; p < recipe->part_count; p++) {
    shape->parts[p].hull = polyhedron_place(&hulls[p], identity, vec3_neg(shape->center), arena);
  }
  return (ShapeResult){.status = SHAPE_OK};
}

ShapeResult shape_build(const ShapeRecipe *recipe, Arena *arena, Shape *shape)
{
  assert(recipe->part_count > 0 && "a shape has at least one part");
  *shape = (Shape){0};
  Arena scratch = arena_new();
  const size_t parts = (size_t)recipe->part_count;
  Moments *moments = arena_allocate(&scratch, parts * sizeof *moments);
  PartBox *boxes = arena_allocate(&scratch, parts * sizeof *boxes);
  ShapeResult result = shape_build_parts(recipe, moments, &scratch, arena, shape);
  if (result.status == SHAPE_OK) {
    shape_measure(shape, boxes);
    for (int p = 0; p < shape->part_count && result.status == SHAPE_OK; p++) {
      for (int q = p + 1; q < shape->part_count && result.status == SHAPE_OK; q++) {
        if (!part_boxes_meet(boxes[p], boxes[q]) || !parts_overlap(shape, p, q, moments, &scratch))
          continue;
        result = (ShapeResult){.status = SHAPE_OVERLAP, .part = p, .other = q};
      }
    }
  }
  if (result.status == SHAPE_OK) {
    for (int p = 0; p < shape->part_count; p++) {
      part_find_facets(shape, boxes, p, &scratch, arena);
      part_find_loop_edges(&shape->parts[p], arena);
    }
    shape_measure_surface(shape);
  }
  arena_destroy(&scratch);
  return result;
}

void shape_result_text(ShapeResult result, char *text, size_t bytes)
{
  switch (result.status) {
  case SHAPE_OK: snprintf(text, bytes, "sound"); return;
  case SHAPE_HULL:
    snprintf(text, bytes, "part %d: %s", result.part + 1, hull_status_text(result.hull));
    return;
  case SHAPE_OVERLAP:
    snprintf(text, bytes, "parts %d and %d overlap", result.part + 1, result.other + 1);
    return;
  }
  assert(!"a shape result has one of three statuses");
}

ShapeSet shape_set_new(const ShapeRecipe *recipes, int count)
{
  return (ShapeSet){.count = count,
                    .recipes = recipes,
                    .built = memory_allocate_zero((size_t)count, sizeof(Shape *)),
                    .arena = arena_new()};
}

void shape_set_destroy(ShapeSet *set)
{
  memory_free(set->built);
  arena_destroy(&set->arena);
  *set = (ShapeSet){0};
}

const Shape *shape_set_get(ShapeSet *set, int index)
{
  assert(index >= 0 && index < set->count && "a shape index of this set");
  if (set->built[index] == NULL) {
    Shape *shape = arena_allocate(&set->arena, sizeof *shape);
    const ShapeResult result = shape_build(&set->recipes[index], &set->arena, shape);
    assert(result.status == SHAPE_OK && "recipes were checked at load");
    (void)result;
    set->built[index] = shape;
  }
  return set->built[index];
}
