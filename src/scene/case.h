#pragma once
// What a case file says, as plain data: filled by the reader, completed by scene_prepare. Immutable
// after that.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "shape.h"
#include "vec3.h"

typedef struct {
  const char *name;
  double density;
} Material;   // kg/m3, > 0

typedef struct {
  int first, second;
  double friction, restitution;
} SurfacePair;   // indices of materials

typedef struct {
  double time;
  vec3 value;
} VectorSample;   // s, value

// Linear between samples, constant outside; one sample is a constant.
typedef struct {
  int count;
  VectorSample *samples;
} VectorTable;

typedef enum { GROUP_BODY, GROUP_GRID, GROUP_WALL, GROUP_ARCH } GroupKind;

// An entry of the list of bodies: one body or a generator.
typedef struct {
  GroupKind kind;
  const char *name;   // of the body or group; "" when the file gives none
  int line;           // of the case file, for messages
  int material;       // index
  bool fixed;
  vec3 at;               // where the origin of the shape or of the generator goes, m
  quat turn;             // of all the group makes, about that origin
  vec3 velocity, spin;   // of every body at the start: centre of mass, world axes, m/s, rad/s
  ShapeRecipe shape;     // GROUP_BODY and GROUP_GRID
  // GROUP_GRID: copies along the axes, the first at the origin; ids run fastest along x
  int count[3];
  vec3 spacing;   // between origins of neighbours, m
  // GROUP_WALL: running bond from the origin along x, rising along z, centred in y
  int courses, bricks;   // bricks: whole bricks in an even course
  vec3 brick;            // pitch: length with its head joint, thickness, height, m
  double joint;          // open head joint, m
  // GROUP_ARCH: ring in the x-z plane, symmetric about +z, centre at the origin, axis along y
  int voussoirs;
  double radius, thickness, width;   // centre line, radial, along y, m
  double embrace;                    // opening angle, rad (pi: semicircle)
  bool supports;                     // fixed springer blocks at both ends, ids after the voussoirs'
  // set by scene_prepare
  uint64_t first_id, body_count;
  int first_shape, shape_count;
} BodyGroup;

typedef struct {
  const char *path, *text;   // the file and what it says, overrides applied apart
  const char *overrides;     // one "key=value" a line, "" when none
  const char *title;
  VectorTable gravity;   // m/s2
  double step, end;      // s
  int material_count;
  Material *materials;
  int pair_count;
  SurfacePair *pairs;
  int group_count;
  BodyGroup *groups;
  // solver
  double tolerance;   // of residual_max
  int max_sweeps;
  bool demand_convergence;
  double correction;     // share of penetration removed in one step, 0: off
  double slop;           // penetration left alone, relative to the smaller body's extent
  double impact_speed;   // restitution below it is nil, m/s; negative: 5 |g| h
  // contact
  double margin, feature_width;   // relative to the smaller part's extent
  int max_points;
  bool stop_on_large_steps;   // a body that moves or turns too far in one step ends the run
  // partition
  int partition_every;   // steps; 0: once at the start
  // output
  double frame_every;     // s; 0: no frames
  int checkpoint_steps;   // 0: at the end alone
  // set by scene_prepare
  uint64_t body_count;
  int shape_count;
  ShapeRecipe *shapes;   // of all groups, in order
  Arena *arena;          // owns everything above
} Case;
