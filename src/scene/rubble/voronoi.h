#pragma once
// Voronoi cells of seeds in a box: which of the box is nearer to a seed than to any other.
#include <stdbool.h>

#include "arena.h"
#include "vec3.h"

typedef struct {
  vec3 high;      // sides of the box, which begins at the origin, m
  vec3 stretch;   // squares of distances are those of differences stretched by these factors
  int count;
  const vec3 *seeds;   // [count] in the box, all different, m
} VoronoiSpace;

#define VORONOI_SIDES 6   // of the box: -x, +x, -y, +y, -z, +z

// A convex polygon of the surface of a cell.
typedef struct {
  int neighbour;   // the cell behind it; -1 .. -6: a side of the box
  int corner_count;
  const int *corners;   // counter-clockwise seen from outside
} VoronoiFace;

typedef struct {
  int face_count;
  const VoronoiFace *faces;
} VoronoiCell;

typedef struct {
  int corner_count;
  const vec3 *corners;   // m
  int count;
  const VoronoiCell *cells;   // [count] in the order of the seeds
} VoronoiCells;

// Local. All cells, memory from the arena. Cells fill the box; neighbours have the very same
// corners. False: the cuts broke down.
bool voronoi_cells(const VoronoiSpace *space, Arena *arena, VoronoiCells *cells);

// Local. The plane between two seeds as a unit normal that points to the second one and its offset,
// m; the same numbers with other signs when they are swapped.
vec3 voronoi_plane(const VoronoiSpace *space, int seed, int other, double *offset);

// Local. Volume (m3) and centre of mass of a cell.
double voronoi_measure(const VoronoiCells *cells, int cell, vec3 *centroid);
