#pragma once
// How well the inner spheres of a body stand for it: common volumes and normals of two copies of it
// against those of the exact shape.
#include "inner_spheres.h"

#define SPHERE_DEPTHS 3

typedef struct {
  double depth;   // by which the copies overlap, share of the extent
  bool turned;    // one copy is turned at random, and comes from any side; else both lie alike, and
                  // one comes along an axis with a shift across it
  int pairs;      // of copies that overlap so
  int apart;      // of them: no spheres meet, or they tell no normal
  double mean, least, most;   // volume by spheres over the exact one
  double mean_turn,
      most_turn;               // distance of unit normals, of pairs that tell one: the angle in rad
  double mean_off, most_off;   // distance of centroids, likewise, share of the extent
} SphereErrorRow;

typedef struct {
  int spheres;
  double share;                             // of the body that they fill
  SphereErrorRow rows[2 * SPHERE_DEPTHS];   // deepest first; bodies that lie alike first
} SphereErrors;

// Local. Fills a shape of parts with at most so many spheres and measures pairs of copies that
// overlap by 5, 1 and 0.1 % of the extent. Scratch from the arena, released on return.
SphereErrors sphere_errors_measure(const Shape *shape, int wanted, Arena *arena);
