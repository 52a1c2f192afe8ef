#pragma once
// A tetrahedron in one precision with the planes of its faces, and the questions that all methods
// ask of it.
#include "methods.h"
#include "real.h"

// Corners of face k, counter-clockwise seen from outside; of edges; the faces beside an edge.
static const int tetra_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
static const int tetra_edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const int tetra_beside[6][2] = {{2, 3}, {3, 1}, {1, 2}, {0, 3}, {2, 0}, {0, 1}};

typedef struct {
  real3 normal;   // outwards, not of unit length
  real3 at;       // a place on it
  real length;    // of the normal
} FacePlane;

typedef struct {
  real3 corners[4];
  bool on_surface[4];
  FacePlane planes[4];
} RealTetra;

typedef struct {
  real3 place, normal;
  real depth;
} RealContact;

typedef struct {
  int count;
  RealContact list[METHODS_MOST_CONTACTS];
} RealContacts;

// Two tetrahedra before a method.
typedef struct {
  const RealTetra *a, *b;
  bool text;   // the text's wording counts
  real envelope;
  RealContacts *found;
} MethodPair;

static inline void method_add(const MethodPair *pair, real3 place, real3 normal, real depth)
{
  RealContacts *found = pair->found;
  assert(found->count < METHODS_MOST_CONTACTS && "room for the contacts of two tetrahedra");
  found->list[found->count++] = (RealContact){place, normal, depth};
}

// The normal is the longest of the cross products at the three corners, the first of equals last.
static inline FacePlane face_plane(const RealTetra *tetra, int face)
{
  assert(face >= 0 && face < 4 && "a tetrahedron has four faces");
  FacePlane best = {.length = -1};
  real longest = -1;
  for (int k = 0; k < 3; k++) {
    const real3 at = tetra->corners[tetra_face[face][k]];
    const real3 next = tetra->corners[tetra_face[face][(k + 1) % 3]];
    const real3 last = tetra->corners[tetra_face[face][(k + 2) % 3]];
    const real3 normal = real3_cross(real3_sub(next, at), real3_sub(last, at));
    const real square = real3_dot(normal, normal);
    if (square < longest) continue;
    longest = square;
    best.normal = normal;
    best.at = at;
  }
  best.length = real_sqrt(longest);
  return best;
}

// Height above a plane times the length of its normal: only its sign and ratios count.
static inline real plane_height(const FacePlane *plane, real3 place)
{
  return real3_dot(plane->normal, real3_sub(place, plane->at));
}

static inline real plane_distance(const FacePlane *plane, real3 place)
{
  return plane_height(plane, place) / plane->length;
}

static inline real3 plane_unit(const FacePlane *plane) { return real3_unit(plane->normal); }

static inline bool tetra_holds(const RealTetra *tetra, real3 place)
{
  for (int k = 0; k < 4; k++) {
    if (plane_height(&tetra->planes[k], place) > 0) return false;
  }
  return true;
}

// Whether the ends of a segment lie strictly on both sides, and where it meets the plane then.
static inline bool plane_parts(const FacePlane *plane, real3 from, real3 to)
{
  const real first = plane_height(plane, from), last = plane_height(plane, to);
  return (first > 0 && last < 0) || (first < 0 && last > 0);
}

static inline real plane_share(const FacePlane *plane, real3 from, real3 to)
{
  const real first = real_abs(plane_height(plane, from)), last = real_abs(plane_height(plane, to));
  assert(first + last > 0 && "a segment crosses the plane");
  return first / (first + last);
}

static inline real3 plane_meet(const FacePlane *plane, real3 from, real3 to)
{
  return real3_add(from, real3_scale(plane_share(plane, from, to), real3_sub(to, from)));
}

// Whether a place lies within the three planes that stand on the sides of a face.
static inline bool face_is_below(const RealTetra *tetra, int face, real3 place)
{
  assert(face >= 0 && face < 4 && "a tetrahedron has four faces");
  for (int k = 0; k < 3; k++) {
    const real3 from = tetra->corners[tetra_face[face][k]];
    const real3 to = tetra->corners[tetra_face[face][(k + 1) % 3]];
    const real3 inwards = real3_cross(tetra->planes[face].normal, real3_sub(to, from));
    if (real3_dot(inwards, real3_sub(place, from)) < 0) return false;
  }
  return true;
}

static inline bool edge_on_surface(const RealTetra *tetra, int edge)
{
  assert(edge >= 0 && edge < 6 && "a tetrahedron has six edges");
  return tetra->on_surface[tetra_beside[edge][0]] || tetra->on_surface[tetra_beside[edge][1]];
}

static inline real3 edge_vector(const RealTetra *tetra, int edge)
{
  assert(edge >= 0 && edge < 6 && "a tetrahedron has six edges");
  return real3_sub(tetra->corners[tetra_edge[edge][1]], tetra->corners[tetra_edge[edge][0]]);
}

// A line through a place along a unit direction.
typedef struct {
  real3 from, along;
} MethodLine;

static inline MethodLine line_between(real3 from, real3 to)
{
  return (MethodLine){from, real3_unit(real3_sub(to, from))};
}

static inline real3 line_place(const MethodLine *line, real at)
{
  return real3_add(line->from, real3_scale(at, line->along));
}

// Where two lines are nearest, along each; at the beginning of each where they are parallel.
typedef struct {
  real first, second;
} NearestOnLines;

static inline bool lines_are_parallel(const MethodLine *first, const MethodLine *second)
{
  const real cosine = real3_dot(first->along, second->along);
  return real_abs(1 - cosine * cosine) < REAL_ROUNDING;
}

static inline NearestOnLines lines_nearest(const MethodLine *first, const MethodLine *second)
{
  const real cosine = real3_dot(first->along, second->along);
  const real square = 1 - cosine * cosine;
  if (!(real_abs(square) > REAL_ROUNDING)) return (NearestOnLines){0, 0};
  const real3 between = real3_sub(second->from, first->from);
  const real a = real3_dot(first->along, between), b = -real3_dot(second->along, between);
  return (NearestOnLines){(a + cosine * b) / square, (b + cosine * a) / square};
}
