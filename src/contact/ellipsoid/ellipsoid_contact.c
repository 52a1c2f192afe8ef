// Finds contact points of ellipsoids, with each other, with spheres and with bodies of convex
// parts.
#include "ellipsoid_contact.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "contacts.h"
#include "ellipsoid_part.h"
#include "shape_facets.h"

// of the body's extent and the ellipsoid's largest radius of curvature together: places nearer than
// this are one, as for spheres
#define ONE_PLACE (2 * SHAPE_COPLANAR)

static vec3 radii_of(const Shape *shape)
{
  const double r = shape->sphere_radius;
  return r > 0 ? (vec3){r, r, r} : shape->radii;
}

// A patch of one point, without axes.
static void set_point(PatchSet *set, int at, vec3 normal, PatchPoint point)
{
  point.axis_a = point.axis_b = AXIS_NONE;
  PatchPoint *place = set->patches[at].points;
  *place = point;
  set->patches[at] = (Patch){.part_a = point.part_a,
                             .part_b = point.part_b,
                             .normal = normal,
                             .axis_a = AXIS_NONE,
                             .axis_b = AXIS_NONE,
                             .separation = point.gap,
                             .point_count = 1,
                             .points = place};
}

// Patches with room for one point each; as yet there is none.
static PatchSet new_set(int most, Arena *arena)
{
  PatchSet set = {.patches = arena_allocate(arena, (size_t)most * sizeof(Patch))};
  PatchPoint *points = arena_allocate(arena, (size_t)most * sizeof *points);
  for (int i = 0; i < most; i++) set.patches[i].points = &points[i];
  return set;
}

static PatchSet ellipsoids_touch(const PosedBody *a, const PosedBody *b, double far, Arena *arena)
{
  const vec3 from_b = vec3_sub(a->center, b->center);
  const double limit = a->shape->radius + b->shape->radius + far;
  if (vec3_dot(from_b, from_b) > limit * limit) return (PatchSet){0};
  const Ellipsoid of_a = ellipsoid_place(radii_of(a->shape), a->rotation),
                  of_b = ellipsoid_place(radii_of(b->shape), b->rotation);
  const EllipsoidAxis axis = ellipsoid_axis_find(&of_a, &of_b, from_b, far);
  if (axis.apart) return (PatchSet){0};

  PatchSet set = new_set(1, arena);
  set.patch_count = 1;
  set.failed = !axis.settled || axis.separation < -2 * smaller_of(axis.reach_a, axis.reach_b);
  const double share = axis.reach_a / (axis.reach_a + axis.reach_b);
  const vec3 between = vec3_sub(vec3_add(from_b, axis.arm_a), axis.arm_b);
  const uint32_t whole = feature_new(FEATURE_VERTEX, 0);
  set_point(&set, 0, axis.normal,
            (PatchPoint){.point = vec3_axpy(-share, between, axis.arm_a),
                         .gap = axis.separation,
                         .feature_a = whole,
                         .feature_b = whole});
  return set;
}

// The place of a facet that is nearest to the centre, which is inside the body.
static PartTouch facet_touch(const Facet *facet, const Plane *plane, const EllipsoidPose *pose)
{
  const vec3 x = pose->center;
  const vec3 foot = vec3_axpy(-plane_height(*plane, x), plane->normal, x);
  PartTouch touch = {
      .place = foot, .normal = plane->normal, .feature = feature_new(FEATURE_FACE, facet->face)};
  double nearest = INFINITY;
  bool inside = true;
  for (int k = 0; k < facet->corner_count; k++) {
    const vec3 from = facet->corners[k];
    const vec3 side = vec3_sub(facet->corners[(k + 1) % facet->corner_count], from);
    if (vec3_dot(vec3_cross(side, vec3_sub(foot, from)), plane->normal) >= 0) continue;
    inside = false;
    double t = vec3_dot(vec3_sub(x, from), side) / vec3_dot(side, side);
    t = t > 0 ? smaller_of(t, 1) : 0;
    const vec3 place = vec3_axpy(t, side, from);
    const double distance = vec3_norm(vec3_sub(x, place));
    if (distance >= nearest) continue;
    nearest = distance;
    touch.place = place;
  }
  if (!inside && nearest > pose->one_place)
    touch.normal = vec3_scale(1 / nearest, vec3_sub(touch.place, x));
  touch.gap = vec3_dot(touch.normal, vec3_sub(x, touch.place)) -
              ellipsoid_reach(pose->ellipsoid, touch.normal);
  return touch;
}

// The least overlap with the true surface, from inside.
static PartTouch surface_touch(const Shape *shape, const EllipsoidPose *pose)
{
  PartTouch best = {.gap = -INFINITY};
  for (int p = 0; p < shape->part_count; p++) {
    const Part *part = &shape->parts[p];
    for (int i = 0; i < part->facet_count; i++) {
      // a facet that looks at the centre has the surface of the solid about it in front
      const Facet *facet = &part->facets[i];
      const Plane *plane = &part->hull.planes[facet->face];
      if (plane_height(*plane, pose->center) > pose->one_place) continue;
      PartTouch touch = facet_touch(facet, plane, pose);
      touch.part = p;
      if (touch.gap > best.gap + pose->one_place) best = touch;
    }
  }
  assert(best.gap > -INFINITY && "a body has a surface");
  return best;
}

// Where the ellipsoid touches the body, local minima of their distance; *failed: too deep.
static int body_touches(const Shape *shape, const EllipsoidPose *pose, double far, Arena *arena,
                        PartTouch *touches, int *failed)
{
  assert_debug(shape->part_count > 0 && "a body has parts");
  *failed = 0;
  int near = 0;
  for (int p = 0; p < shape->part_count; p++) {
    if (polyhedron_holds(&shape->parts[p].hull, pose->center, pose->one_place)) {
      touches[0] = surface_touch(shape, pose);
      *failed = touches[0].gap < -2 * ellipsoid_reach(pose->ellipsoid, touches[0].normal);
      return 1;
    }
    if (ellipsoid_part_touch(&shape->parts[p], pose, far, arena, &touches[near]))
      touches[near++].part = p;
  }

  const int count = part_touch_keep_minima(shape, touches, near, pose->one_place);
  for (int i = 0; i < count; i++)
    if (touches[i].rough) *failed = 1;
  return count;
}

static PatchSet ellipsoid_touches_parts(const PosedBody *a, const PosedBody *b, double margin,
                                        double reach, Arena *arena)
{
  const bool first = a->shape->part_count == 0;   // a is the ellipsoid
  const PosedBody *round = first ? a : b, *body = first ? b : a;
  const Shape *shape = body->shape;
  const vec3 away = vec3_sub(round->center, body->center);
  const double far = margin * smaller_of(round->shape->extent, shape->extent) + reach;
  const double limit = shape->radius + round->shape->radius + far;
  if (vec3_dot(away, away) > limit * limit) return (PatchSet){0};

  // in the frame of the body
  const mat3 to_body = mat3_transpose(body->rotation);
  const Ellipsoid ellipsoid =
      ellipsoid_place(round->shape->radii, mat3_mul_mat(to_body, round->rotation));
  const double flattest = round->shape->radius * round->shape->radius / round->shape->inradius;
  const EllipsoidPose pose = {.ellipsoid = &ellipsoid,
                              .center = mat3_mul(to_body, away),
                              .one_place = ONE_PLACE * (shape->extent + flattest)};
  PartTouch *touches = arena_allocate(arena, (size_t)shape->part_count * sizeof *touches);
  int failed;
  const int count = body_touches(shape, &pose, far, arena, touches, &failed);

  PatchSet set = new_set(count, arena);
  set.count.part_boxes = shape->part_count;
  set.failed = failed;
  const uint32_t whole = feature_new(FEATURE_VERTEX, 0);
  for (int i = 0; i < count; i++) {
    const PartTouch *touch = &touches[i];
    const double extent = smaller_of(round->shape->extent, shape->parts[touch->part].hull.extent);
    if (touch->gap > margin * extent + reach) continue;
    // on the ellipsoid's surface, so that its arm is exact
    const vec3 square = ellipsoid_square_mul(&ellipsoid, touch->normal);
    const double inverse = 1 / sqrt(vec3_dot(touch->normal, square));
    const vec3 normal = mat3_mul(body->rotation, touch->normal),
               arm = mat3_mul(body->rotation, vec3_scale(-inverse, square));
    set_point(&set, set.patch_count++, first ? normal : vec3_neg(normal),
              (PatchPoint){.point = first ? arm : vec3_add(away, arm),
                           .gap = touch->gap,
                           .part_a = first ? 0 : touch->part,
                           .part_b = first ? touch->part : 0,
                           .feature_a = first ? whole : touch->feature,
                           .feature_b = first ? touch->feature : whole});
  }
  return set;
}

PatchSet ellipsoid_contact_find(const PosedBody *a, const PosedBody *b, double margin, double reach,
                                Arena *arena)
{
  assert_debug((a->shape->radii.x > 0 || b->shape->radii.x > 0) && "one of two is an ellipsoid");
  assert_debug(!(margin < 0) && !(reach < 0) && "a gap filter lets touching bodies pass");
  if (a->shape->part_count > 0 || b->shape->part_count > 0)
    return ellipsoid_touches_parts(a, b, margin, reach, arena);
  const double far = margin * smaller_of(a->shape->extent, b->shape->extent) + reach;
  return ellipsoids_touch(a, b, far, arena);
}
