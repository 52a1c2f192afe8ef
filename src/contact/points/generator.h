#pragma once
// The types at the door of contact generators: what a generator gets and what it gives.
//
// A generator is a function of two posed bodies A and B. It gets
//   - both as PosedBody, A with the lower id: parts in world axes about the own centre of mass,
//     centres apart (work in differences of them), free velocities, the shape with the true facets
//     of its parts in the body frame. Either may be a sphere or an ellipsoid: a shape with radii
//     and no parts; or a surface alone, also without parts;
//   - parameters of the case that filter and reduce, and the reach, by which the pair can close
//     within the step;
//   - the axes that the pair used in the last step. They are state and come with every point.
// It must give a PatchSet in the arena, in which
//   - a patch has one unit normal, from B into A, and at least one point; area, gaps, places as
//     below; the areas of the points add up to that of the patch;
//   - every point names a part and a feature of A and of B, different for every point of the pair:
//     this is the key by which its reaction is found again in the next step;
//   - axis_a and axis_b hold what the generator wants back in the next step, or AXIS_NONE;
//   - failed counts what the generator could not treat as it should, count what it cost.
// The result is a function of the arguments alone, bit for bit: no order of calls, no address, no
// cache that could change it.
#include <stdint.h>

#include "arena.h"
#include "box.h"
#include "inner_spheres.h"
#include "separation.h"
#include "shape.h"
#include "surface_base.h"
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
  const SurfaceBase *surface;   // of all parts; NULL where no model asks for it
  const SurfaceBase *sharp;     // of a surface alone, moved by nothing, for spheres; else NULL
  const InnerSpheres *inner;    // the body as common solids see it; NULL: as its shape
  const Polyhedron *parts;      // [shape->part_count], world axes, origin at the centre of mass
  const Box *boxes;   // [shape->part_count] of the parts, made by part_boxes_new; NULL: the
                      // search makes them
  mat3 rotation;      // body to world
  vec3 center;        // world, m
  vec3 velocity,
      spin;   // m/s, rad/s, world axes: free of contact, so that what is about to touch approaches
} PosedBody;

#define AXIS_NONE UINT32_MAX   // the side that does not take part in an axis

// What made a point. Merged patches hold points of several pairs of parts, so every point names its
// own; parts and features together are unique among the points of two bodies. A feature index at or
// beyond the hull's own number of vertices or edges is a corner or side of a facet that another
// part cuts.
typedef struct {
  vec3 point;      // relative to a's centre, world axes, m
  double gap;      // along the normal, positive: separated, m
  double area;     // tributary, m2
  double offset;   // that the gap was more at the start and is none (initial_gaps.h), m; 0 of a
                   // generator
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
  bool meets;       // the base surfaces of the model lmd do
  int rerouted;   // pairs of parts whose common solid the fast route could not make: every edge was
                  // looked at instead, or the reference made it, and nothing is lost
  PatchCount count;   // of the search
} PatchSet;

// Two bodies near each other and what a generator may know of them.
typedef struct {
  const PosedBody *a, *b;
  const PatchParameters *parameters;
  double reach;           // m, >= 0
  double turn;            // tangent of the largest turn of the model lmd
  const KeptAxis *kept;   // [kept_count], any order
  int kept_count;
  bool displaced;     // surfaces are displaced from where the shapes have them, which adds to gaps
                      // later; patches need not know
  PatchHints hints;   // what parted them in the last step: a cache that may change no bit
} ModelPair;
