#pragma once
// Ellipsoids: support, axis of largest separation of two, and the nearest place to a point.
#include <stdbool.h>

#include "vec3.h"

#define ELLIPSOID_MAX_ASPECT 100   // of the largest radius to the smallest

// Centred at the origin of the coordinate frame that it is placed in.
typedef struct {
  vec3 radii;      // m, along its own axes
  mat3 rotation;   // its axes to the frame
  sym3 square;     // S = Q diag(radii^2) Q', m2: sqrt(n.S n) is how far it reaches along a unit n
} Ellipsoid;

// Local.
Ellipsoid ellipsoid_place(vec3 radii, mat3 rotation);

// Local. S n, m2.
static inline vec3 ellipsoid_square_mul(const Ellipsoid *e, vec3 n)
{
  const sym3 *s = &e->square;
  return (vec3){s->xx * n.x + s->xy * n.y + s->xz * n.z, s->xy * n.x + s->yy * n.y + s->yz * n.z,
                s->xz * n.x + s->yz * n.y + s->zz * n.z};
}

// Local. How far it reaches along a unit direction, m.
static inline double ellipsoid_reach(const Ellipsoid *e, vec3 n)
{
  return sqrt(vec3_dot(n, ellipsoid_square_mul(e, n)));
}

// Local. Two unit vectors across a unit vector and each other (Duff et al. 2017).
static inline void ellipsoid_tangents(vec3 n, vec3 *t, vec3 *u)
{
  const double sign = n.z < 0 ? -1.0 : 1.0, a = -1 / (sign + n.z), b = n.x * n.y * a;
  *t = (vec3){1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
  *u = (vec3){b, sign + n.y * n.y * a, -n.y};
}

// Local. Half the sides of its box along the axes of the frame, m.
vec3 ellipsoid_half_box(const Ellipsoid *e);

// Local. The smallest radius of curvature of its surface, m.
double ellipsoid_least_curvature_radius(const Ellipsoid *e);

typedef struct {
  vec3 normal;               // unit, from b into a
  double separation;         // between the two planes along it, negative: overlap, m
  vec3 arm_a, arm_b;         // from each centre to its place in its plane, m
  double reach_a, reach_b;   // of each along the normal, m
  int steps;                 // of all searches
  bool settled;              // the axis is a maximum of the separation
  bool apart;                // the separation exceeds far; the axis is any that shows it
} EllipsoidAxis;

// Local. The axis of largest separation of two ellipsoids; from_b is the centre of a seen from that
// of b, m. The search ends with the first axis along which they are apart by more than far (m).
EllipsoidAxis ellipsoid_axis_find(const Ellipsoid *a, const Ellipsoid *b, vec3 from_b, double far);

typedef struct {
  vec3 place;        // of the surface, m
  vec3 normal;       // unit, outward
  double distance;   // of the point along the normal, negative: inside, m
} EllipsoidPlace;

// Local. The place of the surface that is nearest to a point.
EllipsoidPlace ellipsoid_nearest(const Ellipsoid *e, vec3 point);

// Local. The place of its shadow along a unit direction that is nearest to the shadow of a point;
// the place lies on the surface, the normal across the direction.
EllipsoidPlace ellipsoid_nearest_shadow(const Ellipsoid *e, vec3 along, vec3 point);
