#pragma once
// Most opposing surfaces (Erleben 2018, algorithm 1): the two surface faces whose normals look most
// at each other.
#include "method_overlap.h"
#include "method_points.h"

// Whether two faces with the corners opposite them lie between the tetrahedra: the text wants each
// corner in front of the other's face, the program drops pairs with both corners behind.
static inline bool faces_may_oppose(const MethodPair *pair, int of_a, int of_b)
{
  assert(of_a >= 0 && of_a < 4 && of_b >= 0 && of_b < 4 && "a tetrahedron has four faces");
  const real above_a = plane_height(&pair->a->planes[of_a], pair->b->corners[of_b]);
  const real above_b = plane_height(&pair->b->planes[of_b], pair->a->corners[of_a]);
  return pair->text ? above_a > 0 && above_b > 0 : !(above_a < 0 && above_b < 0);
}

static inline void method_opposing(const MethodPair *pair)
{
  const RealTetra *a = pair->a, *b = pair->b;
  if (!method_overlap(a, b)) return;
  real least = 0;
  real3 normal = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    if (!a->on_surface[i]) continue;
    const real3 out_of_a = plane_unit(&a->planes[i]);
    for (int j = 0; j < 4; j++) {
      if (!b->on_surface[j]) continue;
      const real3 out_of_b = plane_unit(&b->planes[j]);
      const real cosine = real3_dot(out_of_a, out_of_b);
      if (!(cosine < least) || !faces_may_oppose(pair, i, j)) continue;
      least = cosine;
      normal = pair->text ? real3_unit(real3_sub(out_of_a, out_of_b)) : out_of_a;
    }
  }
  if (least < 0) method_project(pair, normal);
}
