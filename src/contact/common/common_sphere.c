// Lenses and caps of spheres.
#include "common_sphere.h"

#include "check.h"
#include "gjk.h"
#include "trig.h"

// A disk or cap outside of a plane by less than this share of the radius is inside.
#define SPHERE_ROUNDING 1e-12

// With t from the highest point, the disk at t has the area pi (2 R t - t^2).
SphereCap common_sphere_cap(double radius, double height)
{
  assert_debug(radius > 0 && height > 0 && height <= 2 * radius && "a cap is of its sphere");
  const double r = radius, h = height, h2 = h * h, h3 = h2 * h;
  return (SphereCap){.volume = TRIG_PI * h2 * (3 * r - h) / 3,
                     .depth = h * (8 * r - 3 * h) / (4 * (3 * r - h)),
                     .along = TRIG_PI * h2 * h2 * (40 * r * r - 24 * r * h + 3 * h2) /
                              (240 * (3 * r - h)),
                     .across = TRIG_PI * h3 * (20 * r * r - 15 * r * h + 3 * h2) / 60,
                     .disk = TRIG_PI * h * (2 * r - h)};
}

// The second moments of a body of revolution about the unit axis.
static mat3 moments_about(vec3 axis, double along, double across)
{
  const double more = along - across;
  mat3 m = mat3_diagonal(across, across, across);
  m.row[0] = vec3_axpy(more * axis.x, axis, m.row[0]);
  m.row[1] = vec3_axpy(more * axis.y, axis, m.row[1]);
  m.row[2] = vec3_axpy(more * axis.z, axis, m.row[2]);
  return m;
}

// The cap of a sphere on the side of the axis.
static CommonSolid cap_solid(double radius, vec3 center, vec3 axis, double height)
{
  const SphereCap cap = common_sphere_cap(radius, height);
  return (CommonSolid){.volume = cap.volume,
                       .centroid = vec3_axpy(radius - cap.depth, axis, center),
                       .second = moments_about(axis, cap.along, cap.across)};
}

#define WORK_SERIES 0.5   // of the sum of radii: the depth up to which the series is used
#define WORK_TERMS 60

// t^3/3 + t^4/4 + ... = -ln(1 - t) - t - t^2/2
static double log_rest(double t)
{
  if (t > WORK_SERIES) return -trig_log(1 - t) - t - 0.5 * t * t;
  double sum = 0, power = t * t * t;
  for (int k = 3; k < WORK_TERMS; k++) {
    sum += power / k;
    power *= t;
  }
  return sum;
}

// V = pi/12 d^2 (3 s - d - 3 (R_a - R_b)^2 / (s - d)) for the depth d and the sum of radii s.
double common_sphere_work(double radius_a, double radius_b, double depth)
{
  assert_debug(radius_a > 0 && radius_b > 0 && depth > 0 && "a lens");
  const double s = radius_a + radius_b, d = depth, apart = radius_a - radius_b;
  const double even = s * d * d * d - d * d * d * d / 4;
  const double uneven = apart != 0 ? 3 * apart * apart * s * s * log_rest(d / s) : 0;
  return TRIG_PI / 12 * (even - uneven);
}

CommonSolid common_sphere_lens(double radius_a, double radius_b, vec3 center_b)
{
  assert_debug(radius_a > 0 && radius_b > 0 && "spheres have radii");
  const double distance = vec3_norm(center_b), depth = radius_a + radius_b - distance;
  const double less = smaller_of(radius_a, radius_b);
  if (!(depth > 0)) return (CommonSolid){.volume = 0};
  if (depth >= 2 * less) {
    const int owner = radius_b < radius_a;
    CommonSolid whole =
        cap_solid(less, owner ? center_b : (vec3){0, 0, 0}, (vec3){0, 0, 1}, 2 * less);
    whole.size[owner] = 4 * TRIG_PI * less * less;
    return whole;
  }

  // the disk of both caps lies across the line of centres
  const vec3 axis = vec3_scale(1 / distance, center_b);
  const double cap_a = depth * (2 * radius_b - depth) / (2 * distance);
  const double cap_b = depth * (2 * radius_a - depth) / (2 * distance);
  const CommonSolid p = cap_solid(radius_a, (vec3){0, 0, 0}, axis, cap_a);
  const CommonSolid q = cap_solid(radius_b, center_b, vec3_neg(axis), cap_b);
  CommonSolid lens = common_solid_sum(&p, &q);
  const double disk = TRIG_PI * cap_a * (2 * radius_a - cap_a);
  lens.area[0] = vec3_scale(disk, axis);
  lens.area[1] = vec3_neg(lens.area[0]);
  lens.size[0] = 2 * TRIG_PI * radius_a * cap_a;
  lens.size[1] = 2 * TRIG_PI * radius_b * cap_b;
  const double height = common_sphere_work(radius_a, radius_b, depth) / lens.volume;
  for (int side = 0; side < 2; side++) lens.flat[side] = lens.area[side];
  lens.middle[0] = vec3_axpy(height, axis, lens.centroid);
  lens.middle[1] = vec3_axpy(-height, axis, lens.centroid);
  return lens;
}

// -- a sphere and a part --------------------------------------------------------------------------

// A disk in a plane.
typedef struct {
  vec3 center, normal;
  double radius;
} Disk;

// How far a disk reaches along a unit vector, m.
static double disk_reach(const Disk *disk, vec3 along)
{
  const double cosine = vec3_dot(disk->normal, along), rest = 1 - cosine * cosine;
  return vec3_dot(along, disk->center) + disk->radius * sqrt(rest > 0 ? rest : 0);
}

// Does the disk lie in a facet of the face?
static bool disk_in_facet(const SpherePart *pair, const Facet *facet, const Disk *disk)
{
  const double slack = SPHERE_ROUNDING * pair->radius;
  for (int k = 0; k < facet->corner_count; k++) {
    const vec3 from = facet->corners[k], to = facet->corners[(k + 1) % facet->corner_count];
    const vec3 side = mat3_mul(pair->turn, vec3_sub(to, from));
    const vec3 out = vec3_cross(side, disk->normal);
    const double length = vec3_norm(out);
    if (!(length > 0)) continue;
    const vec3 place = mat3_mul(pair->turn, from);
    const double height = vec3_dot(out, vec3_sub(disk->center, place)) / length;
    if (height > slack - disk->radius) return false;
  }
  return true;
}

// Does the cap of the sphere below the disk lie below all planes but that of its face?
static bool cap_below(const SpherePart *pair, int face, const Disk *disk)
{
  const double slack = SPHERE_ROUNDING * pair->radius;
  for (int f = 0; f < pair->hull->face_count; f++) {
    if (f == face) continue;
    const Plane plane = pair->hull->planes[f];
    // (the sphere's farthest place counts where it is of the cap)
    const vec3 farthest = vec3_axpy(pair->radius, plane.normal, pair->center);
    const bool of_cap = vec3_dot(disk->normal, vec3_sub(farthest, disk->center)) < 0;
    const double reach = of_cap ? vec3_dot(plane.normal, farthest) : disk_reach(disk, plane.normal);
    if (reach > plane.offset + slack) return false;
  }
  return true;
}

static bool is_apart(const SpherePart *pair)
{
  const Polyhedron *hull = pair->hull;
  const GjkResult near = gjk_distance(hull->vertices, hull->vertex_count, &pair->center, 1);
  return near.distance >= pair->radius;
}

SpherePartSolid common_sphere_part(const SpherePart *pair)
{
  assert_debug(pair->radius > 0 && "a sphere has a radius");
  if (is_apart(pair)) return (SpherePartSolid){.status = COMMON_NONE};
  for (int f = 0; f < pair->hull->face_count; f++) {
    const Plane plane = pair->hull->planes[f];
    const double depth = pair->radius - plane_height(plane, pair->center);
    if (depth >= 2 * pair->radius) continue;
    const Disk disk = {vec3_axpy(depth - pair->radius, plane.normal, pair->center), plane.normal,
                       sqrt(depth * (2 * pair->radius - depth))};
    if (!cap_below(pair, f, &disk)) continue;
    for (int i = pair->part->facet_start[f]; i < pair->part->facet_start[f + 1]; i++) {
      if (!disk_in_facet(pair, &pair->part->facets[i], &disk)) continue;
      const vec3 into = vec3_neg(plane.normal);
      CommonSolid cap = cap_solid(pair->radius, pair->center, into, depth);
      const double area = TRIG_PI * disk.radius * disk.radius;
      cap.area[0] = vec3_scale(area, into);
      cap.area[1] = vec3_neg(cap.area[0]);
      cap.size[0] = 2 * TRIG_PI * pair->radius * depth;
      cap.size[1] = area;
      for (int side = 0; side < 2; side++) cap.flat[side] = cap.area[side];
      cap.middle[0] = vec3_axpy(0.5 * depth, into, disk.center);
      cap.middle[1] = disk.center;
      return (SpherePartSolid){COMMON_OK, cap};
    }
  }
  return (SpherePartSolid){.status = COMMON_FAILED};
}
