// Makes shapes of convex parts, spheres or ellipsoids, with their mass properties.
#include "shape.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "gjk.h"
#include "intersection_find.h"
#include "memory.h"
#include "shape_facets.h"
#include "shape_surface.h"
#include "shape_triangles.h"
#include "trig.h"

#define SHAPE_COMMON_VOLUME 1e-9   // of the smaller of two parts: more than this is overlap
#define SHAPE_FAR 1e3   // extents: a shape farther from zero is described from a corner of its own

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

// Radius, extent; boxes of the parts grown by rounding, for the searches that follow.
static void shape_measure(Shape *shape, Box *boxes)
{
  Box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  double farthest = 0;
  for (int p = 0; p < shape->part_count; p++) {
    const Polyhedron *hull = &shape->parts[p].hull;
    boxes[p] = box_of_points(hull->vertices, hull->vertex_count);
    all = box_join(all, boxes[p]);
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
    boxes[p] = box_grow(boxes[p], SHAPE_COPLANAR * shape->extent);
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
          shape_triangles_polygon_distance(facet->corners, facet->corner_count, normal);
      if (distance < nearest) nearest = distance;
      shape->output_points += facet->corner_count;
      shape->output_cells++;
    }
  }
  const double least = SHAPE_MIN_INRADIUS * shape->extent;
  shape->inradius = nearest > least ? nearest : least;
}

// When neither route can tell, parts shrunk by a thousandth about their centroids must be apart.
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
  assert(p >= 0 && p < shape->part_count && q >= 0 && q < shape->part_count &&
         "parts have numbers");
  const ArenaMark mark = arena_mark(scratch);
  const Polyhedron *a = &shape->parts[p].hull, *b = &shape->parts[q].hull;
  const double smaller =
      moments[p].volume < moments[q].volume ? moments[p].volume : moments[q].volume;
  IntersectionRoute route;
  const Intersection common = intersection_find(a, b, 0, scratch, &route);
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

// The first two parts that overlap, if any do.
static ShapeResult shape_find_overlap(const Shape *shape, const Box *boxes, const Moments *moments,
                                      Arena *scratch)
{
  for (int p = 0; p < shape->part_count; p++) {
    for (int q = p + 1; q < shape->part_count; q++) {
      if (!box_overlaps(boxes[p], boxes[q]) || !parts_overlap(shape, p, q, moments, scratch))
        continue;
      return (ShapeResult){.status = SHAPE_OVERLAP, .part = p, .other = q};
    }
  }
  return (ShapeResult){.status = SHAPE_OK};
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

static Shape shape_of_sphere(double radius)
{
  assert(radius > 0 && "a sphere has a radius");
  const double volume = 4.0 / 3.0 * TRIG_PI * radius * radius * radius;
  const double moment = 0.4 * volume * radius * radius;
  return (Shape){.sphere_radius = radius,
                 .volume = volume,
                 .inertia = mat3_diagonal(moment, moment, moment),
                 .radius = radius,
                 .extent = 2 * radius,
                 .inradius = radius};
}

static Shape shape_of_ellipsoid(vec3 radii)
{
  assert(radii.x > 0 && radii.y > 0 && radii.z > 0 && "an ellipsoid has three radii");
  const double volume = 4.0 / 3.0 * TRIG_PI * radii.x * radii.y * radii.z;
  const double xx = radii.x * radii.x, yy = radii.y * radii.y, zz = radii.z * radii.z;
  const double largest = larger_of(radii.x, larger_of(radii.y, radii.z)),
               smallest = smaller_of(radii.x, smaller_of(radii.y, radii.z)),
               least = SHAPE_MIN_INRADIUS * 2 * largest;
  return (Shape){.radii = radii,
                 .volume = volume,
                 .inertia = mat3_diagonal(0.2 * volume * (yy + zz), 0.2 * volume * (zz + xx),
                                          0.2 * volume * (xx + yy)),
                 .radius = largest,
                 .extent = 2 * largest,
                 .inradius = larger_of(smallest, least)};
}

// Where planes are best described from: on an axis along which a shape is far from zero (in the
// coordinates of a map) the low side of its box. Differences to that are exact.
static vec3 find_anchor(const ShapeRecipe *recipe)
{
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_neg(low), anchor = {0, 0, 0};
  for (int p = 0; p < recipe->part_count; p++) {
    for (int i = 0; i < recipe->parts[p].count; i++) {
      low = vec3_min(low, recipe->parts[p].points[i]);
      high = vec3_max(high, recipe->parts[p].points[i]);
    }
  }
  const vec3 size = vec3_sub(high, low);
  const double extent = fmax(size.x, fmax(size.y, size.z));
  for (int k = 0; k < 3; k++) {
    const double from = (&low.x)[k];
    if (extent > 0 && fabs(from) > SHAPE_FAR * extent) (&anchor.x)[k] = from;
  }
  return anchor;
}

// The same parts from another origin.
static ShapeRecipe move_recipe(const ShapeRecipe *recipe, vec3 origin, Arena *scratch)
{
  ShapeRecipe moved = *recipe;
  moved.parts = arena_allocate(scratch, (size_t)recipe->part_count * sizeof *moved.parts);
  for (int p = 0; p < recipe->part_count; p++) {
    const PartRecipe *part = &recipe->parts[p];
    moved.parts[p] = *part;
    moved.parts[p].points = arena_allocate(scratch, (size_t)part->count * sizeof(vec3));
    for (int i = 0; i < part->count; i++) {
      moved.parts[p].points[i] = vec3_sub(part->points[i], origin);
    }
  }
  return moved;
}

static ShapeResult build_parts_and_facets(const ShapeRecipe *recipe, Arena *scratch, Arena *arena,
                                          Shape *shape)
{
  const size_t parts = (size_t)recipe->part_count;
  Moments *moments = arena_allocate(scratch, parts * sizeof *moments);
  Box *boxes = arena_allocate(scratch, parts * sizeof *boxes);
  ShapeResult result = shape_build_parts(recipe, moments, scratch, arena, shape);
  if (result.status != SHAPE_OK) return result;
  shape_measure(shape, boxes);
  if (!recipe->surface_known) result = shape_find_overlap(shape, boxes, moments, scratch);
  if (result.status != SHAPE_OK) return result;
  for (int p = 0; p < shape->part_count; p++) {
    if (recipe->surface_known) {
      shape_surface_take_facets(shape, &recipe->parts[p], p, scratch, arena);
    } else {
      shape_facets_find(shape, boxes, p, scratch, arena);
    }
    shape->parts[p].loop_edge = polyhedron_loop_edges(&shape->parts[p].hull, arena);
  }
  shape_measure_surface(shape);
  return result;
}

ShapeResult shape_build(const ShapeRecipe *recipe, Arena *arena, Shape *shape)
{
  assert(recipe != NULL && arena != NULL && shape != NULL && "a shape has a recipe and a place");
  assert((recipe->radius > 0 || recipe->radii.x > 0 || recipe->part_count > 0) &&
         "a recipe is of a sphere, of an ellipsoid or of parts");
  if (recipe->radii.x > 0) {
    assert(recipe->part_count == 0 && !(recipe->radius > 0) && "an ellipsoid has no parts");
    *shape = shape_of_ellipsoid(recipe->radii);
    return (ShapeResult){.status = SHAPE_OK};
  }
  if (recipe->radius > 0) {
    assert(recipe->part_count == 0 && "a sphere has no parts");
    *shape = shape_of_sphere(recipe->radius);
    return (ShapeResult){.status = SHAPE_OK};
  }
  assert(recipe->part_count > 0 && "a shape has at least one part");
  *shape = (Shape){0};
  Arena scratch = arena_new();
  const vec3 anchor = find_anchor(recipe);
  const bool is_far = vec3_dot(anchor, anchor) > 0;
  const ShapeRecipe near = is_far ? move_recipe(recipe, anchor, &scratch) : *recipe;
  const ShapeResult result = recipe->surface_alone
                                 ? shape_triangles_build(&near.parts[0], arena, shape)
                                 : build_parts_and_facets(&near, &scratch, arena, shape);
  if (is_far) shape->center = vec3_add(shape->center, anchor);
  arena_destroy(&scratch);
  return result;
}

void shape_result_text(ShapeResult result, char *text, size_t bytes)
{
  assert(text != NULL && bytes > 0 && "a phrase has room");
  switch (result.status) {
  case SHAPE_OK: snprintf(text, bytes, "sound"); return;
  case SHAPE_HULL:
    snprintf(text, bytes, "part %d: %s", result.part + 1, hull_status_text(result.hull));
    return;
  case SHAPE_NO_VOLUME: snprintf(text, bytes, "the surface holds no volume"); return;
  case SHAPE_OVERLAP:
    snprintf(text, bytes, "parts %d and %d overlap", result.part + 1, result.other + 1);
    return;
  }
  assert(!"a shape result has one of four statuses");
}

ShapeSet shape_set_new(const ShapeRecipe *recipes, int count)
{
  assert(count >= 0 && (recipes != NULL || count == 0) && "recipes are given");
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
  assert_debug(index >= 0 && index < set->count && "a shape is in its set");
  assert(index >= 0 && index < set->count && "a shape index of this set");
  if (set->built[index] == NULL) {
    Shape *shape = arena_allocate(&set->arena, sizeof *shape);
    const ShapeResult result = shape_build(&set->recipes[index], &set->arena, shape);
    assert(result.status == SHAPE_OK && "recipes were checked when they were read");
    (void)result;
    set->built[index] = shape;
  }
  return set->built[index];
}
