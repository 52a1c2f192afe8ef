#pragma once
// Inner sphere trees: the inside of a body filled by spheres that do not overlap, and a tree over
// them (Weller and Zachmann 2010). An approximation of the body, for common volumes alone.
#include <stdint.h>

#include "arena.h"
#include "shape.h"

#define INNER_MOST_SPHERES 1000000

typedef struct {
  vec3 center;     // body frame, m
  double radius;   // m
} InnerSphere;

// A ball around some spheres that follow each other.
typedef struct {
  vec3 center;     // body frame, m
  double radius;   // m
  int first, end;
  int children;   // the first of two, which follow each other; 0: none
} InnerNode;

typedef struct {
  int count;
  const InnerSphere *spheres;   // in the order of the tree
  double volume;                // sum of all, m3
  int node_count;
  const InnerNode *nodes;   // the first one holds all
} InnerSpheres;

// Local. At most so many spheres inside a shape, each near the largest one that fits beside those
// before it; fewer, or none, where nothing but rounding is left. A sphere is itself. The shape is
// no ellipsoid. A function of the shape and the number alone, to the bit. Memory from the arena.
InnerSpheres inner_spheres_fill(const Shape *shape, int wanted, Arena *arena);

// Spheres of a body where it is: from body frame to world axes, relative to a place of the caller.
typedef struct {
  const InnerSpheres *inner;
  mat3 rotation;
  vec3 center;   // m
} InnerPosed;

static inline vec3 inner_spheres_place(const InnerPosed *posed, vec3 center)
{
  return vec3_add(mat3_mul(posed->rotation, center), posed->center);
}

typedef struct {
  int a, b;
} InnerPair;   // spheres of two bodies

typedef struct {
  int count;
  InnerPair *pairs;   // arena; sorted by (a, b)
  int64_t nodes;      // pairs of nodes and of spheres that were compared
} InnerPairs;

// Local. All pairs of spheres of two filled bodies that overlap, and perhaps some that touch but
// for rounding.
InnerPairs inner_spheres_overlap(const InnerPosed *a, const InnerPosed *b, Arena *arena);
