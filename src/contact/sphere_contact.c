// Finds contact points of spheres in closed form, with spheres and with bodies of convex parts.
#include "sphere_contact.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "contacts.h"
#include "lmd_model.h"
#include "lmd_sphere.h"
#include "part_touch.h"
#include "shape_facets.h"

#define SPHERE_COINCIDENT 1e-14   // of the sum of radii: centres nearer than this have no direction
// of the body's extent and the sphere's radius together: places nearer than this are one. Twice
// what two parts may leave a common plane by; the feet of a far point differ by as much as the
// faces turn
#define SPHERE_ONE_PLACE (2 * SHAPE_COPLANAR)

static PatchSet one_point(Patch patch, PatchPoint point, int failed, Arena *arena)
{
  assert_debug(failed >= 0 && failed <= 1 && "a point fails or not");
  PatchSet set = {.patch_count = 1, .failed = failed};
  set.patches = arena_allocate(arena, sizeof *set.patches);
  set.patches[0] = patch;
  set.patches[0].points = arena_allocate(arena, sizeof point);
  set.patches[0].points[0] = point;
  return set;
}

static PatchSet spheres_touch(const PosedBody *a, const PosedBody *b, double margin, double reach,
                              Arena *arena)
{
  assert_debug(a->shape->sphere_radius > 0 && b->shape->sphere_radius > 0 && "both are spheres");
  const double ra = a->shape->sphere_radius, rb = b->shape->sphere_radius;
  const vec3 from_b = vec3_sub(a->center, b->center);
  const double distance = vec3_norm(from_b), gap = distance - (ra + rb);
  if (gap > margin * 2 * smaller_of(ra, rb) + reach) return (PatchSet){0};
  const bool coincident = !(distance > SPHERE_COINCIDENT * (ra + rb));
  const vec3 normal = coincident ? vec3_new(0, 0, 1) : vec3_scale(1 / distance, from_b);

  // the way between the centres is cut in the ratio of the radii, so that rolling has their ratio
  const vec3 point = vec3_scale(-ra / (ra + rb), from_b);
  const uint32_t whole = feature_new(FEATURE_VERTEX, 0);
  return one_point((Patch){.normal = normal,
                           .axis_a = AXIS_NONE,
                           .axis_b = AXIS_NONE,
                           .separation = gap,
                           .point_count = 1},
                   (PatchPoint){.point = point,
                                .gap = gap,
                                .feature_a = whole,
                                .feature_b = whole,
                                .axis_a = AXIS_NONE,
                                .axis_b = AXIS_NONE},
                   coincident || distance < fabs(ra - rb), arena);
}

// Place of the segment nearest to x, as a share of its length.
static double nearest_share(vec3 from, vec3 side, vec3 x)
{
  const double t = vec3_dot(vec3_sub(x, from), side) / vec3_dot(side, side);
  return t > 0 ? (t < 1 ? t : 1) : 0;
}

// Replaces the nearest place by that of one side of a face where it is nearer, or as near and of
// lower feature.
static void try_side(const Part *part, int loop, vec3 from, vec3 to, vec3 x, PartTouch *best)
{
  assert_debug(loop >= 0 && "a side has a number");
  const Polyhedron *hull = &part->hull;
  const vec3 side = vec3_sub(to, from);
  const double t = nearest_share(from, side, x);
  const vec3 point = t < 1 ? vec3_axpy(t, side, from) : to;
  const double distance = vec3_norm(vec3_sub(x, point));
  const int edge = part->loop_edge[loop], corner = hull->face_vertices[loop];
  const int *ends = hull->edges[edge].vertex;
  uint32_t feature = feature_new(FEATURE_EDGE, edge);
  if (t <= 0) feature = feature_new(FEATURE_VERTEX, corner);
  if (t >= 1) feature = feature_new(FEATURE_VERTEX, ends[0] == corner ? ends[1] : ends[0]);
  if (distance > best->gap || (distance == best->gap && feature >= best->feature)) return;
  best->place = point;
  best->gap = distance;
  best->feature = feature;
}

// Nearest place of a convex part to x, which lies above a face; false where it is beyond far.
static bool part_nearest(const Part *part, vec3 x, double far, PartTouch *nearest)
{
  const Polyhedron *hull = &part->hull;
  for (int f = 0; f < hull->face_count; f++)
    if (plane_height(hull->planes[f], x) > far) return false;

  // the foot on the plane of a face is the nearest place where it lies in the face; else one of the
  // sides of the faces that x is above
  *nearest = (PartTouch){.gap = INFINITY};
  for (int f = 0; f < hull->face_count; f++) {
    const double height = plane_height(hull->planes[f], x);
    if (height <= 0) continue;
    const vec3 normal = hull->planes[f].normal, foot = vec3_axpy(-height, normal, x);
    const int first = hull->face_start[f], end = hull->face_start[f + 1];
    bool inside = true;
    vec3 from = hull->vertices[hull->face_vertices[end - 1]];
    for (int k = first, last = end - 1; k < end; last = k++) {
      const vec3 to = hull->vertices[hull->face_vertices[k]];
      if (vec3_dot(vec3_cross(vec3_sub(to, from), vec3_sub(foot, from)), normal) < 0) {
        inside = false;
        try_side(part, last, from, to, x, nearest);
      }
      from = to;
    }
    if (inside) {
      *nearest = (PartTouch){
          .place = foot, .normal = normal, .gap = height, .feature = feature_new(FEATURE_FACE, f)};
      return height <= far;
    }
  }
  nearest->normal = vec3_scale(1 / nearest->gap, vec3_sub(x, nearest->place));
  return nearest->gap <= far;
}

// Nearest place of a facet to x, which is inside the body.
static PartTouch facet_nearest(const Facet *facet, const Plane *plane, vec3 x, double one_place)
{
  const double height = vec3_dot(plane->normal, x) - plane->offset;
  const vec3 foot = vec3_axpy(-height, plane->normal, x);
  PartTouch nearest = {.place = foot,
                       .normal = plane->normal,
                       .gap = INFINITY,
                       .feature = feature_new(FEATURE_FACE, facet->face)};
  bool inside = true;
  for (int k = 0; k < facet->corner_count; k++) {
    const vec3 from = facet->corners[k];
    const vec3 side = vec3_sub(facet->corners[(k + 1) % facet->corner_count], from);
    if (vec3_dot(vec3_cross(side, vec3_sub(foot, from)), plane->normal) >= 0) continue;
    inside = false;
    const vec3 point = vec3_axpy(nearest_share(from, side, x), side, from);
    const double distance = vec3_norm(vec3_sub(x, point));
    if (distance >= nearest.gap) continue;
    nearest.gap = distance;
    nearest.place = point;
  }
  if (inside) nearest.gap = fabs(height);
  else if (nearest.gap > one_place)
    nearest.normal = vec3_scale(1 / nearest.gap, vec3_sub(nearest.place, x));
  return nearest;
}

// The nearest place of the true surface to a point inside the body; the first facet of
// those that are as near, as the two at a concave edge are.
static PartTouch surface_nearest(const Shape *shape, vec3 x, double one_place)
{
  PartTouch best = {.gap = INFINITY};
  for (int p = 0; p < shape->part_count; p++) {
    const Part *part = &shape->parts[p];
    for (int i = 0; i < part->facet_count; i++) {
      const Facet *facet = &part->facets[i];
      PartTouch nearest = facet_nearest(facet, &part->hull.planes[facet->face], x, one_place);
      nearest.part = p;
      if (nearest.gap < best.gap - one_place) best = nearest;
    }
  }
  assert(best.gap < INFINITY && "a body has a surface");
  best.gap = vec3_dot(best.normal, vec3_sub(x, best.place));
  return best;
}

// Places of the body where the distance to x has a local minimum below far; x and places in
// the body frame. inside: x is, then there is one place.
static int body_nearest(const Shape *shape, vec3 x, double far, double one_place, PartTouch *places,
                        bool *inside)
{
  assert_debug(shape->part_count > 0 && "a body has parts");
  *inside = false;
  int near = 0;
  for (int p = 0; p < shape->part_count; p++) {
    if (polyhedron_holds(&shape->parts[p].hull, x, one_place)) {
      places[0] = surface_nearest(shape, x, one_place);
      *inside = true;
      return 1;
    }
    if (part_nearest(&shape->parts[p], x, far, &places[near])) places[near++].part = p;
  }
  return part_touch_keep_minima(shape, places, near, one_place);
}

static PatchSet sphere_touches_parts(const PosedBody *a, const PosedBody *b, double margin,
                                     double reach, Arena *arena)
{
  const bool first = a->shape->sphere_radius > 0;   // a is the sphere
  const PosedBody *sphere = first ? a : b, *body = first ? b : a;
  const Shape *shape = body->shape;
  const double radius = sphere->shape->sphere_radius;
  const vec3 away = vec3_sub(sphere->center, body->center);
  const double slack = margin * smaller_of(2 * radius, shape->extent) + reach;
  const double limit = shape->radius + radius + slack;
  if (vec3_dot(away, away) > limit * limit) return (PatchSet){0};

  bool inside;
  PartTouch *places = arena_allocate(arena, (size_t)shape->part_count * sizeof *places);
  const vec3 x = mat3_mul_transposed(body->rotation, away);
  const double one_place = SPHERE_ONE_PLACE * (shape->extent + radius);
  const int count = body_nearest(shape, x, radius + slack, one_place, places, &inside);

  PatchSet set = {.count = {.part_boxes = shape->part_count}};
  set.patches = arena_allocate(arena, (size_t)count * sizeof *set.patches);
  PatchPoint *points = arena_allocate(arena, (size_t)count * sizeof *points);
  const uint32_t whole = feature_new(FEATURE_VERTEX, 0);
  for (int i = 0; i < count; i++) {
    const PartTouch *place = &places[i];
    const double gap = place->gap - radius;
    const double extent = smaller_of(2 * radius, shape->parts[place->part].hull.extent);
    if (gap > margin * extent + reach) continue;
    if (inside && place->gap < -radius) set.failed = 1;
    // on the sphere's surface, so that its arm is the radius
    const vec3 normal = mat3_mul(body->rotation, place->normal);
    const vec3 arm = vec3_scale(-radius, normal);
    PatchPoint *point = &points[set.patch_count];
    *point = (PatchPoint){.point = first ? arm : vec3_add(away, arm),
                          .gap = gap,
                          .part_a = first ? 0 : place->part,
                          .part_b = first ? place->part : 0,
                          .feature_a = first ? whole : place->feature,
                          .feature_b = first ? place->feature : whole,
                          .axis_a = AXIS_NONE,
                          .axis_b = AXIS_NONE};
    set.patches[set.patch_count++] = (Patch){.part_a = point->part_a,
                                             .part_b = point->part_b,
                                             .normal = first ? normal : vec3_neg(normal),
                                             .axis_a = AXIS_NONE,
                                             .axis_b = AXIS_NONE,
                                             .separation = gap,
                                             .point_count = 1,
                                             .points = point};
  }
  return set;
}

// A sphere and a body that is a surface alone: local minima of the distance of its centre.
static PatchSet sphere_touches_surface(const PosedBody *a, const PosedBody *b, double margin,
                                       double reach, Arena *arena)
{
  const bool first = a->shape->sphere_radius > 0;   // a is the sphere
  const PosedBody *sphere = first ? a : b, *body = first ? b : a;
  const double radius = sphere->shape->sphere_radius;
  const double slack = margin * smaller_of(2 * radius, body->shape->extent) + reach;
  const vec3 away = vec3_sub(sphere->center, body->center);
  const double limit = body->shape->radius + radius + slack;
  if (vec3_dot(away, away) > limit * limit) return (PatchSet){0};

  const LmdBody own = {body->sharp, body->rotation, body->center};
  const LmdPlaces found = lmd_sphere_find(&own, sphere->center, radius + slack, arena);
  PatchSet set = {.failed = found.inside && found.places[0].distance < -radius};
  *(found.count > 0 ? &set.count.touching : &set.count.parted) = found.tried;
  set.patches = arena_allocate(arena, (size_t)found.count * sizeof *set.patches);
  PatchPoint *points = arena_allocate(arena, (size_t)found.count * sizeof *points);
  const uint32_t whole = feature_new(FEATURE_VERTEX, 0);
  for (int i = 0; i < found.count; i++) {
    const LmdPlace *place = &found.places[i];
    const vec3 arm = vec3_scale(-radius, place->normal);
    points[i] = (PatchPoint){.point = first ? arm : vec3_add(away, arm),
                             .gap = place->distance - radius,
                             .feature_a = first ? whole : lmd_model_feature(place->feature),
                             .feature_b = first ? lmd_model_feature(place->feature) : whole,
                             .axis_a = AXIS_NONE,
                             .axis_b = AXIS_NONE};
    set.patches[set.patch_count++] =
        (Patch){.normal = first ? place->normal : vec3_neg(place->normal),
                .axis_a = AXIS_NONE,
                .axis_b = AXIS_NONE,
                .separation = points[i].gap,
                .point_count = 1,
                .points = &points[i]};
  }
  return set;
}

PatchSet sphere_contact_find(const PosedBody *a, const PosedBody *b, double margin, double reach,
                             Arena *arena)
{
  assert_debug((a->shape->sphere_radius > 0 || b->shape->sphere_radius > 0) &&
               "one of two bodies is a sphere");
  assert_debug(!(margin < 0) && !(reach < 0) && "a gap filter lets touching bodies pass");
  const bool both = a->shape->sphere_radius > 0 && b->shape->sphere_radius > 0;
  if (both) return spheres_touch(a, b, margin, reach, arena);
  return a->shape->surface || b->shape->surface ? sphere_touches_surface(a, b, margin, reach, arena)
                                                : sphere_touches_parts(a, b, margin, reach, arena);
}
