#pragma once
// Closest points: features of two shrunk bodies within an envelope of each other. The depth is the
// envelope less the distance (program), or the distance (text).
#include "method_tetra.h"

// What has made a contact already, of a and b.
typedef struct {
  bool vertex[2][4], edge[2][6];
} UsedFeatures;

static inline bool vertex_on_surface(const RealTetra *tetra, int vertex)
{
  assert(vertex >= 0 && vertex < 4 && "a tetrahedron has four corners");
  for (int face = 0; face < 4; face++) {
    if (face != vertex && tetra->on_surface[face]) return true;
  }
  return false;
}

static inline bool edge_ends_used(const UsedFeatures *used, int side, int edge)
{
  assert(side >= 0 && side < 2 && edge >= 0 && edge < 6 && "an edge of one of two");
  return used->vertex[side][tetra_edge[edge][0]] && used->vertex[side][tetra_edge[edge][1]];
}

static inline real depth_within(const MethodPair *pair, real distance)
{
  return pair->text ? distance : pair->envelope - distance;
}

// Vertices of one (side 0: of a) before faces of the other.
static inline void add_vertices_before(const MethodPair *pair, int side, UsedFeatures *used)
{
  assert((side == 0 || side == 1) && "one of two tetrahedra");
  const RealTetra *own = side ? pair->b : pair->a, *other = side ? pair->a : pair->b;
  for (int v = 0; v < 4; v++) {
    if (!vertex_on_surface(own, v)) continue;
    const real3 vertex = own->corners[v];
    for (int k = 0; k < 4; k++) {
      if (!other->on_surface[k] || !face_is_below(other, k, vertex)) continue;
      const FacePlane *plane = &other->planes[k];
      const real height = plane_height(plane, vertex), distance = height / plane->length;
      if (distance > pair->envelope || distance <= 0) continue;
      const real square = real3_dot(plane->normal, plane->normal);
      const real3 foot = real3_sub(vertex, real3_scale(height / square, plane->normal));
      const real3 outwards = plane_unit(plane);
      method_add(pair, real3_middle(vertex, foot), side ? outwards : real3_neg(outwards),
                 depth_within(pair, distance));
      used->vertex[side][v] = true;
    }
  }
}

// An edge of each. The program's normal is the cross product of a's edge with a line between the
// edges (a slip); the text's is the separation.
static inline void add_edge_pair(const MethodPair *pair, int of_a, int of_b, UsedFeatures *used)
{
  const real3 from_a = pair->a->corners[tetra_edge[of_a][0]];
  const real3 to_a = pair->a->corners[tetra_edge[of_a][1]];
  const real3 from_b = pair->b->corners[tetra_edge[of_b][0]];
  const real3 to_b = pair->b->corners[tetra_edge[of_b][1]];
  const MethodLine line_a = line_between(from_a, to_a), line_b = line_between(from_b, to_b);
  if (lines_are_parallel(&line_a, &line_b)) return;
  const NearestOnLines at = lines_nearest(&line_a, &line_b);
  if (at.first <= 0 || at.first >= real3_norm(real3_sub(to_a, from_a))) return;
  if (at.second <= 0 || at.second >= real3_norm(real3_sub(to_b, from_b))) return;
  const real3 on_a = line_place(&line_a, at.first), on_b = line_place(&line_b, at.second);
  const real3 between = real3_sub(on_b, on_a);
  const real distance = real3_norm(between);
  if (distance > pair->envelope || !(distance > 0)) return;
  const real3 across = real3_cross(real3_sub(to_a, from_a), real3_sub(to_b, from_a));
  if (!(real3_norm(across) > 0) && !pair->text) return;   // no direction at all
  real3 normal = real3_unit(pair->text ? between : across);
  if (real3_dot(on_a, normal) > real3_dot(on_b, normal)) normal = real3_neg(normal);
  method_add(pair, real3_middle(on_a, on_b), normal, depth_within(pair, distance));
  used->edge[0][of_a] = used->edge[1][of_b] = true;
}

// Surface edges that no vertices stand for. The program looks up the vertices of b's edge by the
// number of a's (a slip).
static inline void add_edges_before(const MethodPair *pair, UsedFeatures *used)
{
  for (int i = 0; i < 6; i++) {
    if (!edge_on_surface(pair->a, i) || edge_ends_used(used, 0, i)) continue;
    for (int j = 0; j < 6; j++) {
      if (used->edge[1][j] || !edge_on_surface(pair->b, j)) continue;
      if (!edge_ends_used(used, 1, pair->text ? j : i)) add_edge_pair(pair, i, j, used);
    }
  }
}

// The program alone: edges through faces. Of b it takes the first four edges, and asks of each
// whether the vertex of that number may be used (a slip).
static inline void add_edges_through(const MethodPair *pair, int side, const UsedFeatures *used)
{
  assert((side == 0 || side == 1) && "one of two tetrahedra");
  const RealTetra *own = side ? pair->b : pair->a, *other = side ? pair->a : pair->b;
  for (int i = 0; i < (side ? 4 : 6); i++) {
    if (side ? used->vertex[1][i] || !vertex_on_surface(own, i)
             : used->edge[0][i] || !edge_on_surface(own, i))
      continue;
    const real3 from = own->corners[tetra_edge[i][0]], to = own->corners[tetra_edge[i][1]];
    for (int k = 0; k < 4; k++) {
      const FacePlane *plane = &other->planes[k];
      if (!other->on_surface[k] || !plane_parts(plane, from, to)) continue;
      const real3 place = plane_meet(plane, from, to);
      if (!face_is_below(other, k, place)) continue;
      const real3 outwards = plane_unit(plane);
      method_add(pair, place, side ? outwards : real3_neg(outwards),
                 real_min(plane_distance(plane, from), plane_distance(plane, to)));
    }
  }
}

static inline void method_closest(const MethodPair *pair)
{
  UsedFeatures used = {.edge = {{false}}};
  for (int side = 0; side < 2; side++) add_vertices_before(pair, side, &used);
  add_edges_before(pair, &used);
  for (int side = 0; side < 2 && !pair->text; side++) add_edges_through(pair, side, &used);
}
