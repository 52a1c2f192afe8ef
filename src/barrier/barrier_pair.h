#pragma once
// The potential between two bodies as terms, each at one point common to both, so that forces and
// torques of a term sum to zero.
#include <stdbool.h>

#include "arena.h"
#include "barrier_surface.h"
#include "vec3.h"

typedef struct {
  double distance;    // m: beyond it surfaces do not feel each other
  double stiffness;   // Pa
} BarrierScale;

typedef struct {
  const BarrierSurface *surface;
  vec3 position;   // of the body's frame, m
  mat3 rotation;   // body to world
} BarrierBody;

typedef enum { BARRIER_POINT_OF_A, BARRIER_POINT_OF_B, BARRIER_EDGES } BarrierKind;

// A point of one body near the surface of the other, or two edges that pass. World axes.
typedef struct {
  BarrierKind kind;
  int feature[2];   // point and 0, or edge of a and edge of b
  vec3 arm[2];      // from the bodies' origins to the common point, m
  double energy;    // J
  vec3 gradient;    // of the energy by a displacement of a at the point, N; of b: the opposite
  vec3 couple;      // by a turn of a besides, N m; of b: the opposite
  sym3 weight;      // of the relative displacement at the point, positive semidefinite, N/m
  double gap;       // m
  double area;      // that the term stands for, m2
  vec3 normal;      // unit, out of the other body's surface into a
} BarrierTerm;

// Terms of pairs, in the arena that they are made with.
typedef struct {
  int count, capacity;
  BarrierTerm *of;
} BarrierTerms;

// Local. Adds the terms of a pair: points of a, points of b, edges, each in ascending order of
// their features. False where surfaces touch or cross within rounding at some feature; terms are
// useless then.
// For the tests.
bool barrier_pair_find(const BarrierBody bodies[2], BarrierScale scale, BarrierTerms *terms,
                       Arena *arena);
