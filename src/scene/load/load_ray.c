// Cuts a line with convex parts, spheres, ellipsoids and surfaces of triangles.
#include "load_ray.h"

#include <assert.h>
#include <math.h>

// A ray that runs along a plane within rounding is where the plane is: it passes through two blocks
// that share the plane, and not between them.
#define RAY_PARALLEL 1e-12   // of a cosine
#define RAY_ROUNDING 1e-9    // of the extent of the part

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

// The first triangle that looks against the way before the place is behind the surface.
static Passage through_surface(const ShapeSurface *surface, vec3 from, vec3 way)
{
  Passage last = passes_by, first = passes_by;
  for (int t = 0; t < surface->triangle_count; t++) {
    const int *corner = surface->triangles[t];
    const vec3 a = surface->points[corner[0]];
    const vec3 u = vec3_sub(surface->points[corner[1]], a),
               v = vec3_sub(surface->points[corner[2]], a);
    const vec3 normal = vec3_cross(u, v), to = vec3_sub(from, a);
    const double slope = vec3_dot(normal, way);
    if (!(slope < 0)) continue;
    const double at = -vec3_dot(normal, to) / slope;
    const vec3 place = vec3_axpy(at, way, to);
    const double size = vec3_dot(normal, normal);
    const double share_u = vec3_dot(vec3_cross(place, v), normal) / size,
                 share_v = vec3_dot(vec3_cross(u, place), normal) / size;
    if (!(share_u >= 0 && share_v >= 0 && share_u + share_v <= 1)) continue;
    if (at >= 0 && at < first.enters) first = (Passage){at, INFINITY};
    if (at < 0 && (last.enters == INFINITY || at > last.enters)) last = (Passage){at, INFINITY};
  }
  return first.enters < INFINITY ? first : last;
}

double load_ray_enters(const Shape *shape, vec3 from, vec3 way)
{
  const vec3 aside = vec3_axpy(-vec3_dot(from, way), way, from);
  if (vec3_norm(aside) > shape->radius * (1 + 1e-9)) return INFINITY;
  if (shape->sphere_radius > 0) {
    const double r = shape->sphere_radius;
    return entry(through_ellipsoid((vec3){r, r, r}, from, way));
  }
  if (shape->radii.x > 0) return entry(through_ellipsoid(shape->radii, from, way));
  if (shape->surface) return entry(through_surface(shape->surface, from, way));
  double least = INFINITY;
  for (int p = 0; p < shape->part_count; p++)
    least = smaller_of(least, entry(through_part(&shape->parts[p].hull, from, way)));
  return least;
}

WheelPlace load_ray_wheel(const LoadWheel *wheel, double time)
{
  if (wheel->point_count == 0)
    return (WheelPlace){true, time_vector_at(&wheel->position, time), wheel->heading};
  if (wheel->point_count == 1) return (WheelPlace){true, wheel->points[0], wheel->heading};
  const int last = wheel->point_count - 1;
  const double gone = wheel->speed * (time - wheel->start);
  if (!(gone >= 0 && gone <= wheel->along[last])) return (WheelPlace){.stands = false};
  int i = 1;
  while (i < last && wheel->along[i] < gone) i++;
  const vec3 a = wheel->points[i - 1], leg = vec3_sub(wheel->points[i], a);
  const double length = wheel->along[i] - wheel->along[i - 1];
  return (WheelPlace){true, vec3_axpy((gone - wheel->along[i - 1]) / length, leg, a),
                      vec3_scale(1 / length, leg)};
}
