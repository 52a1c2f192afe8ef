#pragma once
// Cuts polygons into triangles.
#include <stdbool.h>

#include "arena.h"
#include "vec3.h"

typedef struct {
  int count;
  const int *corners;   // [count] vertices; equal ones that follow each other count once
  const vec3 *points;   // of vertices, m
} MeshPolygon;

typedef struct {
  int count;
  int (*triangles)[3];   // arena; in the sense of the polygon
  bool flat;             // all corners in one plane within the tolerance
} PolygonCut;

// Local. Ears are clipped off, that of the shortest diagonal first, decided without rounding in the
// projection along the polygon's largest axis. There and back counts as nothing. The result does
// not depend on where the polygon begins. No triangle is without area unless the polygon is:
// corners on a line give a fan of triangles without area. Tolerance in m. False when the polygon
// crosses itself.
bool mesh_polygon_cut(MeshPolygon polygon, double tolerance, PolygonCut *cut, Arena *arena);
