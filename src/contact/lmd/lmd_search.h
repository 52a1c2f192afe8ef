#pragma once
// Where two surfaces are nearest, locally: quasi-LMDs (Merlhiot 2007, section 6) between base
// surfaces, with places and gaps of the surfaces as they are.
//
// A pair of simplices has a point if it is one of two vertices, a vertex and an edge, a vertex and
// a face, or two edges; all of them with a normal cone (classes of surface_complex.h). The lines
// and planes that they span have one nearest pair of places, which lies in both simplices. The
// direction d from a to b is normal to both, d.u <= 0 for u in U(a), -d.u <= 0 for u in U(b), but
// for a turn: one turn along the other's edge makes all of these true for vertex and edge and for
// two edges; a vertex over a face may lean by the turn. All conditions hold with rounding, and of
// points in one place the one of the lowest dimension stays.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "surface_base.h"
#include "vec3.h"

#define LMD_ROUNDING 1e-10   // of the sum of the extents: lateral distances below this are rounding
#define LMD_SINE 1e-9        // sines below this are rounding
#define LMD_PARALLEL 1e-6    // sine: edges nearer to parallel have no single nearest places
#define LMD_PLACE 1e-9       // of the sum of the extents: points nearer than this are one

// A surface somewhere. Centres are kept apart so that differences of positions stay exact.
typedef struct {
  const SurfaceBase *surface;
  mat3 rotation;   // body to world
  vec3 center;     // world, m
} LmdBody;

typedef struct {
  const LmdBody *a, *b;
  double turn;           // tangent of the largest turn
  double limit;          // m: points of a larger gap are left out; may be INFINITY
  bool any_kind;         // nodes do not part by their kinds, which costs time alone: for the bench
  bool list_crossings;   // of the base surfaces, by trees
  bool of_itself;        // a and b are one surface: nothing but crossings of distant places
} LmdQuery;

typedef enum { LMD_VERTEX, LMD_EDGE, LMD_FACE } LmdKind;

typedef struct {
  LmdKind kind;
  int index;   // in the base surface
} LmdFeature;

typedef struct {
  LmdFeature a, b;
  vec3 point;    // half way through the gap of the sharp surfaces, from a's centre, world, m
  vec3 normal;   // unit, from b into a
  double gap;    // of the sharp surfaces along the normal; where a vertex meets a vertex or an
                 // edge that of the rounded ones, m
  double separation;   // what the limit is compared with: the gap, of a tip that of lmd_tip.h, m
  bool tip;            // the motion tells the normal
  vec3 base[2];      // nearest places of the base surfaces, a's and b's, from a's centre, world, m
  double distance;   // between them, m
} LmdPoint;

// Where an edge of one base surface goes through a face of the other.
typedef struct {
  vec3 at;          // from a's centre, world, m
  vec3 normal;      // unit, of the face: out of b or into a
  int edge, face;   // of the one and of the other base surface
} LmdCrossing;

typedef struct {
  int count;
  LmdPoint *points;   // arena, by features
  int crossing_count;
  LmdCrossing *crossings;   // arena; where they are listed
  bool meets;      // the base surfaces cross, or one is inside the other: deeper than the dilations
  int64_t tried;   // pairs of simplices
  int64_t nodes;   // pairs of nodes of both trees
} LmdSet;

// Local. All points of two surfaces, by whichever search below is faster: the bits are the same.
LmdSet lmd_search(const LmdQuery *query, Arena *arena);

// Local. All points of two surfaces by their trees. Of the pairs of nodes those part that have no
// kinds that go together, that are too far apart, or whose normals, turned, have no direction in
// common with each other or with the ways between their balls.
LmdSet lmd_search_trees(const LmdQuery *query, Arena *arena);

// Local. The same points, bit for bit, by looking at all pairs of simplices that are near the other
// surface: the slow reference of the tests, and faster between bricks.
LmdSet lmd_search_pairs(const LmdQuery *query, Arena *arena);
