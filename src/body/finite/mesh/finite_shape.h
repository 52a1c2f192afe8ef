#pragma once
// What all bodies of one mesh share whatever they are made of: its surface, where a place lies on
// it, and the mean of a field. Local.
#include <stdbool.h>

#include "finite_surface.h"

// The shares of nodes in a place of the surface.
typedef struct {
  int face;
  int node[FINITE_FACE];        // those of triangles have their last one twice, with share 0
  double weight[FINITE_FACE];   // they add up to 1
} FinitePlace;

typedef struct {
  FiniteMesh mesh;
  FiniteSurface surface;
  vec3 *slope;            // [nodes] the mean of a field's gradient is the sum of values slope', 1/m
  vec3 *middle;           // [faces] of their corners, m
  double *reach;          // [faces] from there to the farthest corner, m
  double shortest;        // side of a face, m
  bool *cut;              // [faces] those of a piece that lie in a larger body; NULL: none does
  unsigned char *seams;   // [faces] bit k: side k, from corner k on, is one of a face in there
} FiniteShape;

// Takes the mesh, which is in the body frame and whose cells are sound.
FiniteShape *finite_shape_new(FiniteMesh mesh);
void finite_shape_destroy(FiniteShape *shape);

// Marks faces of cells [3] of a block that are on sides which are cuts: bit 2 axis + (1: upper
// one).
void finite_shape_cut_sides(FiniteShape *shape, const int cells[3], unsigned sides);

// Marks faces that are not among those of the larger body's surface.
void finite_shape_cut_beside(FiniteShape *shape, const FiniteSurface *outer);

// Shares in the place of the surface that is nearest to a place; of faces equally near the lowest.
FinitePlace finite_shape_place(const FiniteShape *shape, vec3 place);
// The same on some faces alone, [count].
FinitePlace finite_shape_place_among(const FiniteShape *shape, const int *faces, int count,
                                     vec3 place);

// The value there of a field that is known at the nodes, [nodes].
static inline vec3 finite_place_value(const FinitePlace *place, const vec3 *values)
{
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < FINITE_FACE; k++)
    sum = vec3_axpy(place->weight[k], values[place->node[k]], sum);
  return sum;
}

// What carries a point of a contact or a joint: the shares of its place, or those of more nodes
// around it, which add up to 1 and have their middle there.
typedef struct {
  FinitePlace at;
  int count;              // 0: the shares of `at`
  const int *node;        // [count]
  const double *weight;   // [count]
  const mat3 *own;        // share of the body in W there, 1/kg; NULL: as at `at`
} FinitePoint;

// The value that a field of the nodes, [nodes], has for the point.
static inline vec3 finite_point_value(const FinitePoint *point, const vec3 *values)
{
  if (point->count == 0) return finite_place_value(&point->at, values);
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < point->count; k++)
    sum = vec3_axpy(point->weight[k], values[point->node[k]], sum);
  return sum;
}

// The mean over the body of the gradient of a field, by reference places.
mat3 finite_shape_gradient(const FiniteShape *shape, const vec3 *values);
