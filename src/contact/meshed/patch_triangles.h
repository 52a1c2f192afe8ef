#pragma once
// Triangles between points of a plane, as nearly equilateral as flips of sides make them. Local.
#include "arena.h"
#include "patch_clip.h"

typedef struct {
  int count;
  int (*corner)[3];   // numbers of points, counter-clockwise
} PatchTriangles;

// Of points no two of which are nearer than same, m; those as near to a side are on it. Together
// they are the hull of the points, and every point is a corner. None where all lie in a line.
PatchTriangles patch_triangles_new(const PlaneCorner *points, int count, double same, Arena *arena);
