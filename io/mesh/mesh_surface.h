#pragma once
// Triangles joined along their edges: what is closed, what hangs together, which way faces look.
#include <stdbool.h>

#include "arena.h"
#include "check.h"
#include "vec3.h"

// Edges are seen from their triangles: edge 3 t + k runs from corner k to corner k + 1 of t.
enum { EDGE_OPEN = -1, EDGE_CROWDED = -2 };   // no other triangle has it; more than two have it

typedef struct {
  int count;
  int (*triangles)[3];   // vertices, three different ones
  int *mates;            // [3 count] the same edge in the other triangle, or one of the above
} Surface;

static inline int edge_start(const Surface *s, int edge)
{
  assert_debug(edge >= 0 && edge / 3 < s->count && "an edge of the surface");
  return s->triangles[edge / 3][edge % 3];
}
static inline int edge_end(const Surface *s, int edge)
{
  assert_debug(edge >= 0 && edge / 3 < s->count && "an edge of the surface");
  return s->triangles[edge / 3][(edge + 1) % 3];
}
static inline int edge_next(int edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }
static inline int edge_opposite(const Surface *s, int edge)
{
  assert_debug(edge >= 0 && edge / 3 < s->count && "an edge of the surface");
  return s->triangles[edge / 3][(edge + 2) % 3];
}

// Local. Finds the mates of all edges (arena). piece[t]: number of the piece that a triangle
// belongs to, pieces in the order of their first triangles; those that share an edge, crowded or
// not, are of one piece. Returns the number of pieces.
int mesh_surface_join(Surface *surface, int *piece, Arena *arena);

// Local. Turns triangles of a piece so that each edge is passed once each way, beginning with the
// first; turned[t] says which. The mates follow. False when there is no such way: *edge is one
// where it fails.
bool mesh_surface_orient(Surface *surface, bool *turned, int *edge, Arena *scratch);

// Local. Turns all triangles.
void mesh_surface_reverse(Surface *surface);

// Local. Removes triangles lower than the tolerance (m) from an oriented closed surface: the
// longest edge of one and its neighbour across it become the two triangles that have its middle
// corner. False when one is left or an edge would be there twice.
bool mesh_surface_flip_flat(Surface *surface, const vec3 *points, double tolerance, Arena *scratch);

// Local. Twice the area of triangle t (m2) along its normal.
static inline vec3 mesh_surface_triangle_cross(const Surface *s, const vec3 *points, int t)
{
  assert_debug(t >= 0 && t < s->count && "a triangle has a number");
  const int *v = s->triangles[t];
  return vec3_cross(vec3_sub(points[v[1]], points[v[0]]), vec3_sub(points[v[2]], points[v[0]]));
}

// Local. Height of a triangle over its longest edge (m); *edge: the longest one, 0 to 2.
double mesh_surface_triangle_height(const vec3 *points, const int *triangle, int *edge);

// Local. fan[3 t + k]: number of the fan of triangles around corner k of t; a vertex where two fans
// meet has two of them. For an oriented closed surface. Returns the number of fans; they are
// numbered by their first corners.
int mesh_surface_fans(const Surface *surface, int *fan, Arena *scratch);
