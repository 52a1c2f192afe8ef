#pragma once
// The plane of a contact patch, and what its points say there. Local.
#include "arena.h"
#include "patch_clip.h"
#include "plane_basis.h"

// A quantity that is linear over the patch: value = mean + slope . (u, v).
typedef struct {
  double mean, slope[2];
} PlaneLinear;

typedef struct {
  PlaneBasis basis;
  vec3 middle;          // of its points, m
  double square[3];     // sums of uu, uv, vv over them
  PlaneLinear height;   // above the middle along the normal, m
} PatchPlane;

// The plane of a unit normal through the middle of points.
PatchPlane patch_plane_new(vec3 normal, const vec3 *points, int count);

// The linear function nearest to values at those points.
PlaneLinear patch_plane_fit(const PatchPlane *plane, const vec3 *points, const double *values,
                            int count);

static inline double patch_plane_value(const PlaneLinear *of, double u, double v)
{
  return of->mean + of->slope[0] * u + of->slope[1] * v;
}

// The place at (u, v), as the points have it.
vec3 patch_plane_place(const PatchPlane *plane, double u, double v);

// The hull of corners, counter-clockwise (Andrew 1979), in the arena; they keep what they are
// called.
Figure patch_plane_hull_of(const PlaneCorner *corners, int count, Arena *arena);

// The hull of points in the plane, counter-clockwise (Andrew 1979), in the arena.
Figure patch_plane_hull(const PatchPlane *plane, const vec3 *points, int count, Arena *arena);
