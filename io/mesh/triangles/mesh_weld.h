#pragma once
// Points at the same place become one.
#include "arena.h"
#include "vec3.h"

typedef struct {
  int count;
  const vec3 *points;        // [count], finite, m
  const int *pool;           // [count] points of different pools never become one
  const double *tolerance;   // [count] m, the same for all points of a pool
} WeldInput;

// Local. number[i] is the vertex of point i: points are taken in their order, each becomes the
// earliest vertex of its pool that is no farther than the tolerance in any coordinate, or a new
// one. Returns how many vertices there are; first[v] is the point that vertex v stands for.
int mesh_weld_points(const WeldInput *input, int *number, int *first, Arena *scratch);
