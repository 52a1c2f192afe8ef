#pragma once
// Vertex only and Consistent vertex: corners of one tetrahedron inside the other.
#include "method_tetra.h"

// From the first tetrahedron to the second, of a face of the first or of the second.
static inline real3 vertex_normal(const FacePlane *plane, bool of_second)
{
  const real3 outwards = plane_unit(plane);
  return of_second ? real3_neg(outwards) : outwards;
}

// The surface faces with the least signed distance, which is the deepest (program), or the nearest
// (text), every one of equals.
static inline void add_vertex_contacts(const MethodPair *pair, const RealTetra *of, real3 vertex)
{
  real distance[4] = {0, 0, 0, 0}, wanted = pair->text ? -REAL_MOST : REAL_MOST;
  for (int k = 0; k < 4; k++) {
    if (!of->on_surface[k]) continue;
    distance[k] = plane_distance(&of->planes[k], vertex);
    wanted = pair->text ? real_max(wanted, distance[k]) : real_min(wanted, distance[k]);
  }
  for (int k = 0; k < 4; k++) {
    if (!of->on_surface[k] || distance[k] < wanted || distance[k] > wanted) continue;
    method_add(pair, vertex, vertex_normal(&of->planes[k], of == pair->b), distance[k]);
  }
}

static inline void method_vertex(const MethodPair *pair)
{
  for (int side = 0; side < 2; side++) {
    const RealTetra *of = side ? pair->b : pair->a, *other = side ? pair->a : pair->b;
    for (int v = 0; v < 4; v++) {
      if (tetra_holds(of, other->corners[v])) add_vertex_contacts(pair, of, other->corners[v]);
    }
  }
}

// The surface plane that the edge from a vertex inside to one outside crosses first; -1: none.
static inline int first_face_crossed(const RealTetra *of, real3 inside, real3 outside)
{
  int best = -1;
  real least = REAL_MOST;
  for (int k = 0; k < 4; k++) {
    if (!of->on_surface[k] || !plane_parts(&of->planes[k], inside, outside)) continue;
    const real share = plane_share(&of->planes[k], inside, outside);
    if (!(share < least)) continue;
    least = share;
    best = k;
  }
  return best;
}

static inline void method_consistent(const MethodPair *pair)
{
  for (int side = 0; side < 2; side++) {
    const RealTetra *of = side ? pair->b : pair->a, *other = side ? pair->a : pair->b;
    bool inside[4];
    for (int v = 0; v < 4; v++) inside[v] = tetra_holds(of, other->corners[v]);
    // each edge from inside to outside says which face
    for (int edge = 0; edge < 12; edge++) {
      const int from = edge / 3, to = (from + 1 + edge % 3) % 4;
      if (!inside[from] || inside[to]) continue;
      const real3 vertex = other->corners[from];
      const int face = first_face_crossed(of, vertex, other->corners[to]);
      if (face < 0) continue;
      const FacePlane *plane = &of->planes[face];
      method_add(pair, vertex, vertex_normal(plane, side == 1), plane_distance(plane, vertex));
    }
  }
}
