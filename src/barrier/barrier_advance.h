#pragma once
// How far two bodies can move before their surfaces meet (conservative advancement, Mirtich 1996).
#include <stdbool.h>

#include "arena.h"
#include "barrier_pair.h"
#include "motion.h"

// A body along a path: at its share s of 0 to 1 the body is where displacement and turn lead it
// from its pose, displacement = from.v + s by.v and turn = exp(from.w + s by.w), world axes.
typedef struct {
  const BarrierSurface *surface;
  vec3 position;      // m
  quat orientation;   // body to world
  Twist from, by;     // m, rad
} BarrierPath;

// Local. Where the body is.
BarrierBody barrier_advance_body(const BarrierPath *path, double share);

// Local. Distance of two surfaces, m, 0 where they meet; one that is not below within may be any
// number that is not.
double barrier_advance_distance(const BarrierBody bodies[2], double within, Arena *scratch);

// Local. A share of both paths, at most 1, up to which the surfaces stay apart. Below 1 they have
// come as near as a tenth of the distance that they begin at, and not as near as a hundredth; or a
// thousand steps were not enough. 0 where they meet at the start.
double barrier_advance_share(const BarrierPath paths[2], Arena *scratch);

// Local. Do the surfaces, which begin at a distance of at least first (m), stay apart along both
// paths whole? False also where a thousand steps do not show it.
bool barrier_advance_is_free(const BarrierPath paths[2], double first, Arena *scratch);
