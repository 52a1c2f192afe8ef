#pragma once
// Contact patches between two bodies made of convex parts: which points, along which normal, with
// which gap and area.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "box_overlap.h"
#include "separation.h"
#include "shape.h"
#include "vec3.h"

#define PATCH_MAX_POINTS 32   // max_points is at most this

typedef struct {
  double margin;   // gap filter, relative to the smaller part's extent (case: contact.margin)
  double feature_width;   // polygon vertices nearer than this to the chord of their neighbours are
                          // dropped, likewise
  int max_points;   // corners of one patch, 3 to PATCH_MAX_POINTS; places inside that bulge come on
                    // top, at most as many again
} PatchParameters;

// A body at the configuration where contacts are detected. Parts are turned into world axes about
// the body's own centre of mass; the centre is kept apart so that differences of positions stay
// exact.
typedef struct {
  const Shape *shape;
  const Polyhedron *parts;   // [shape->part_count], world axes, origin at the centre of mass
  const Box *boxes;          // [shape->part_count] of the parts, made by part_boxes_new; NULL: the
                             // search makes them
  mat3 rotation;             // body to world
  vec3 center;               // world, m
  vec3 velocity,
      spin;   // m/s, rad/s, world axes: free of contact, so that what is about to touch approaches
} PosedBody;

#define AXIS_NONE UINT32_MAX   // the side that does not take part in an axis

// What made a point. Merged patches hold points of several pairs of parts, so every point names its
// own; parts and features together are unique among the points of two bodies. A feature index at or
// beyond the hull's own number of vertices or edges is a corner or side of a facet that another
// part cuts.
typedef struct {
  vec3 point;    // relative to a's centre, world axes, m
  double gap;    // along the normal, positive: separated, m
  double area;   // tributary, m2
  int part_a, part_b;
  uint32_t feature_a, feature_b;
  uint32_t axis_a, axis_b;   // axis of its pair of parts: a face and AXIS_NONE, or two edges; both
                             // AXIS_NONE: none
} PatchPoint;

typedef struct {
  int part_a, part_b;        // of a merged patch: the pair that gave the normal
  vec3 normal;               // unit, from b into a
  uint32_t axis_a, axis_b;   // features that made the normal
  double area;               // of the polygon, 0 for points and lines, m2
  double separation;         // along the normal, negative: depth, m
  int point_count;
  PatchPoint *points;   // arena, counter-clockwise seen against the normal
} Patch;

// The axis a pair of parts used in the last step: parts and axis of any of its points.
typedef struct {
  int part_a, part_b;
  uint32_t axis_a, axis_b;
} KeptAxis;

// Faces that parted parts in the last step, as many as the caller cares to keep: they are tried
// first and replaced where others part, and change no bit of the result. Any content does; pairs of
// parts share them (one for two convex bodies, some for bodies of several parts).
typedef struct {
  SeparatingFace *faces;   // [count], the caller's; NULL: none
  int count;
} PatchHints;

typedef struct {
  const PosedBody *a, *b;
  const PatchParameters *parameters;
  double reach;           // m, as for patch_find
  const KeptAxis *kept;   // [kept_count], as for patch_find
  int kept_count;
  PatchHints hints;
  bool whole_search;   // leave out nothing that has no influence: the slow reference of the tests
} PatchQuery;

// What the search looked at, in proportion to what it cost.
typedef struct {
  int64_t part_boxes;   // pairs of parts whose boxes were compared
  int64_t parted;       // vertices and faces of the pairs of near parts that do not touch
  int64_t touching;     // of those that do
} PatchCount;

typedef struct {
  int patch_count;
  Patch *patches;   // arena
  int failed;       // pairs of parts too deep for a patch; resolved by the single volumetric point
  int rerouted;   // pairs of parts whose common solid the fast route could not make: every edge was
                  // looked at instead, or the reference made it, and nothing is lost
  PatchCount count;   // of the search
} PatchSet;

// Local. All patches between two bodies. reach (m, >= 0) is added to the margin's gap filter: how
// far the pair can close within the step; it changes no normal and no gap. kept: axes of the last
// step, any order; where two parts had one they keep it while it is near the best, and a line or
// point between their edges stays a contact, which between other parts it is only while they
// approach.
PatchSet patch_find(const PosedBody *a, const PosedBody *b, const PatchParameters *parameters,
                    double reach, const KeptAxis *kept, int kept_count, Arena *arena);

// Local. The same with hints, which are brought up to date.
PatchSet patch_search(const PatchQuery *query, Arena *arena);
