// Cuts a line with convex parts, spheres, ellipsoids and surfaces of triangles.
#include "load_ray.h"

#include <assert.h>
#include <math.h>

// A ray that runs along a plane within rounding is where the plane is: it passes through two blocks
// that share the plane, and not between them.
#define RAY_PARALLEL 1e-12   // of a cosine
#define RAY_ROUNDING 1e-9    // of the extent of the part or the shape

// An interval of the line: from where it enters to where it leaves.
typedef struct {
  double enters, leaves;
} Passage;

static const Passage passes_by = {INFINITY, -INFINITY};

static double entry(Passage p)
{
  return p.enters <= p.leaves && p.leaves >= 0 ? p.enters : INFINITY;
}

static Passage through_part(const Polyhedron *hull, vec3 from, vec3 way)
{
  Passage p = {-INFINITY, INFINITY};
  for (int f = 0; f < hull->face_count; f++) {
    const double height = plane_height(hull->planes[f], from);
    const double slope = vec3_dot(hull->planes[f].normal, way);
    if (fabs(slope) < RAY_PARALLEL) {
      if (height > RAY_ROUNDING * hull->extent) return passes_by;
      continue;
    }
    const double at = -height / slope;
    if (slope < 0) p.enters = larger_of(p.enters, at);
    else p.leaves = smaller_of(p.leaves, at);
  }
  return p;
}

// x'x = 1 after the axes are scaled by one over the radii.
static Passage through_ellipsoid(vec3 radii, vec3 from, vec3 way)
{
  assert(radii.x > 0 && radii.y > 0 && radii.z > 0 && "an ellipsoid has radii");
  const vec3 p = {from.x / radii.x, from.y / radii.y, from.z / radii.z};
  const vec3 d = {way.x / radii.x, way.y / radii.y, way.z / radii.z};
  const double a = vec3_dot(d, d), half = vec3_dot(p, d), c = vec3_dot(p, p) - 1;
  const double root = half * half - a * c;
  if (!(root >= 0)) return passes_by;
  const double width = sqrt(root);
  return (Passage){(-half - width) / a, (-half + width) / a};
}

// Where the solid that the first passage ahead belongs to begins: parts that touch are one.
static double through_parts(const Shape *shape, vec3 from, vec3 way)
{
  assert(shape->part_count > 0 && "a body without parts is a surface or round");
  double least = INFINITY;
  for (int p = 0; p < shape->part_count; p++)
    least = smaller_of(least, entry(through_part(&shape->parts[p].hull, from, way)));
  if (shape->part_count == 1) return least;
  const double slack = RAY_ROUNDING * shape->extent;
  for (bool reaches_back = least < INFINITY; reaches_back;) {
    reaches_back = false;
    for (int p = 0; p < shape->part_count; p++) {
      const Passage other = through_part(&shape->parts[p].hull, from, way);
      if (!(other.enters < least && other.leaves >= least - slack)) continue;
      least = other.enters;
      reaches_back = true;
    }
  }
  return least;
}

// ------------------------------------------------------------------------------------------------
// Surfaces

// A ray with two axes across it, all of them at right angles.
typedef struct {
  vec3 from, way, first, second;
} Sight;

static Sight sight_along(vec3 from, vec3 way)
{
  const vec3 other = way.x * way.x < 0.5 ? vec3_new(1, 0, 0) : vec3_new(0, 1, 0);
  const vec3 across = vec3_cross(way, other);
  const vec3 first = vec3_scale(1 / vec3_norm(across), across);
  return (Sight){from, way, first, vec3_cross(way, first)};
}

// A point as it is seen: x and y across the ray, z along it.
static vec3 seen(const Sight *sight, vec3 point)
{
  const vec3 to = vec3_sub(point, sight->from);
  return (vec3){vec3_dot(to, sight->first), vec3_dot(to, sight->second), vec3_dot(to, sight->way)};
}

// On which side of an edge the ray passes; of the edge the other way round it is minus that to the
// bit, so that no ray passes between two triangles that share it.
static double side_of(vec3 a, vec3 b) { return a.x * b.y - a.y * b.x; }

// Where the ray crosses a triangle, INFINITY: nowhere. enters: the triangle looks against it.
static double crosses(const Sight *sight, const ShapeSurface *surface, int triangle, bool *enters)
{
  vec3 at[3];
  for (int k = 0; k < 3; k++) at[k] = seen(sight, surface->points[surface->triangles[triangle][k]]);
  const double u = side_of(at[1], at[2]), v = side_of(at[2], at[0]), w = side_of(at[0], at[1]);
  const double sum = u + v + w;
  *enters = sum < 0;
  const bool within = *enters ? u <= 0 && v <= 0 && w <= 0 : sum > 0 && u >= 0 && v >= 0 && w >= 0;
  return within ? (u * at[0].z + v * at[1].z + w * at[2].z) / sum : INFINITY;
}

// The solid ahead is the one that the ray leaves first; it begins where the ray entered last before
// that.
static double through_surface(const Shape *shape, vec3 from, vec3 way)
{
  const ShapeSurface *surface = shape->surface;
  assert(surface->triangle_count > 0 && "a surface has triangles");
  const Sight sight = sight_along(from, way);
  const double slack = RAY_ROUNDING * shape->extent;
  bool enters;
  double leaves = INFINITY, begins = -INFINITY;
  for (int t = 0; t < surface->triangle_count; t++) {
    const double at = crosses(&sight, surface, t, &enters);
    if (!enters && at >= 0) leaves = smaller_of(leaves, at);
  }
  if (!(leaves < INFINITY)) return INFINITY;
  for (int t = 0; t < surface->triangle_count; t++) {
    const double at = crosses(&sight, surface, t, &enters);
    if (enters && at <= leaves + slack) begins = larger_of(begins, at);
  }
  return begins > -INFINITY ? begins : INFINITY;
}

double load_ray_enters(const Shape *shape, vec3 from, vec3 way)
{
  const vec3 aside = vec3_axpy(-vec3_dot(from, way), way, from);
  if (vec3_norm(aside) > shape->radius * (1 + RAY_ROUNDING)) return INFINITY;
  if (shape->sphere_radius > 0) {
    const double r = shape->sphere_radius;
    return entry(through_ellipsoid((vec3){r, r, r}, from, way));
  }
  if (shape->radii.x > 0) return entry(through_ellipsoid(shape->radii, from, way));
  return shape->surface ? through_surface(shape, from, way) : through_parts(shape, from, way);
}

// ------------------------------------------------------------------------------------------------
// Wheels

WheelPlace load_ray_wheel(const LoadWheel *wheel, double time)
{
  assert(wheel->point_count >= 0 && "places are counted");
  if (wheel->point_count == 0)
    return (WheelPlace){true, time_vector_at(&wheel->position, time), wheel->heading};
  if (wheel->point_count == 1) return (WheelPlace){true, wheel->points[0], wheel->heading};
  const int last = wheel->point_count - 1;
  const double since = time - (wheel->origin ? *wheel->origin : 0) - wheel->start;
  const double gone = wheel->speed * since;
  if (!(gone >= 0 && gone <= wheel->along[last])) return (WheelPlace){.stands = false};
  int i = 1;
  while (i < last && wheel->along[i] < gone) i++;
  const vec3 a = wheel->points[i - 1], leg = vec3_sub(wheel->points[i], a);
  const double length = wheel->along[i] - wheel->along[i - 1];
  return (WheelPlace){true, vec3_axpy((gone - wheel->along[i - 1]) / length, leg, a),
                      vec3_scale(1 / length, leg)};
}
