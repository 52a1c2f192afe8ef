#pragma once
// What the search of two surfaces shares: both in one coordinate frame, and the test of a pair of
// simplices.
#include "lmd_search.h"

// A surface in world axes about the centre of a.
typedef struct {
  const SurfaceBase *surface;
  mat3 rotation;
  vec3 shift;   // its centre, m
  // all at once, or NULL: computed where they are asked for
  const vec3 *base;      // [base vertices] m
  const vec3 *normals;   // [base faces]
  const vec3 *along;     // [base edges]
  vec3 low, high;        // box of the base, m
} LmdSurface;

// Both surfaces with all tolerances.
typedef struct {
  LmdSurface a, b;
  double rounding;             // lateral, m
  double turn, sine, cosine;   // of the largest turn: tangent, sine, cosine
  double far;                  // m: base surfaces farther apart have no gap below the limit
  double limit;                // m
} LmdPair;

typedef struct {
  int edge, face;   // of the one and of the other base surface
} LmdEdgeFace;

// A place of a surface, from body frame.
static inline vec3 lmd_pair_place(const LmdSurface *s, vec3 x)
{
  return vec3_add(mat3_mul(s->rotation, x), s->shift);
}

// The vertex of the surface as it is that became a vertex of the base.
static inline vec3 lmd_pair_sharp_place(const LmdSurface *s, int vertex)
{
  const int sharp = s->surface->base.vertices[vertex].point;
  return lmd_pair_place(s, s->surface->sharp.vertices[sharp].at);
}

// The place of a line that is nearest to another place.
static inline vec3 lmd_pair_line_nearest(vec3 on, vec3 along, vec3 x)
{
  return vec3_axpy(vec3_dot(along, vec3_sub(x, on)), along, on);
}

// Local. The pair of a query.
LmdPair lmd_pair_new(const LmdQuery *query);

// Local. Computes the places of all vertices at once, to the same bits; arena memory.
void lmd_pair_pose(LmdPair *pair, Arena *arena);

// Local. Is there a point between two features, whose gap is at most the limit?
bool lmd_pair_test(const LmdPair *pair, LmdFeature a, LmdFeature b, LmdPoint *point);

// Local. Does an edge of one base surface cross a face of the other? Where, in *crossing.
bool lmd_pair_edge_crosses(const LmdPair *pair, bool edge_of_a, LmdEdgeFace which,
                           LmdCrossing *crossing);

// Local. Is one base surface inside the other? Neither crosses the other.
bool lmd_pair_is_inside(const LmdPair *pair);
