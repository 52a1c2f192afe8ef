#pragma once
// Where a ray first meets a body, and where a wheel is.
#include "body_load.h"
#include "shape.h"

// Local. How far along a ray from a place (body frame, m; unit way) it enters the shape. Where the
// place is inside, the line behind it counts, up to where it came in from outside, so that the
// distance is negative. INFINITY: it passes by, or the shape lies behind the place. A ray through
// an edge or a corner of a surface meets it.
double load_ray_enters(const Shape *shape, vec3 from, vec3 way);

// A wheel at a time.
typedef struct {
  bool stands;    // it is on its path
  vec3 place;     // m
  vec3 heading;   // unit
} WheelPlace;

// Local. Where it is at a time, s.
WheelPlace load_ray_wheel(const LoadWheel *wheel, double time);
