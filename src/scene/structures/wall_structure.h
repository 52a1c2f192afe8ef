#pragma once
// Walls of bricks in bond, of one or more leaves, with openings under lintels or arches.
#include "ring.h"

typedef enum { WALL_RUNNING, WALL_STACK, WALL_ENGLISH, WALL_FLEMISH } WallBond;

// What carries the wall above an opening.
typedef enum { OPENING_LINTEL, OPENING_ARCH, OPENING_BARE } OpeningHead;

typedef struct {
  const char *name;
  double x, z, width, height;   // lower corner at the left, and size, m; up to the springing of an
                                // arch
  OpeningHead head;
  double lintel_height, bearing;   // of a lintel; bearing: on each side, m
  RingMeasures ring;               // of an arch; its span is the width
} WallOpening;

// The wall goes along x from the origin on and rises along z; y = 0 is the middle of its thickness.
typedef struct {
  WallBond bond;
  int courses, bricks;   // bricks: lengths of a brick along the wall
  vec3 brick;            // length with its head joint, thickness of a leaf, height, m
  double joint;          // open head joint, m
  int leaves;
  int tie_courses, tie_bricks;   // every so many courses and lengths a stone goes through all
                                 // leaves of a running or stack bond; 0: none does
  bool toothed[2];               // at the left and at the right end: odd courses end earlier
  int opening_count;
  const WallOpening *openings;
} WallMeasures;

// What is wrong with the measures, by the key of a wall; opening: the one at fault, or -1.
typedef struct {
  StructureFault fault;
  int opening;
} WallFault;

// Local.
WallFault wall_structure_check(const WallMeasures *measures);

// Local. The stones course by course from below. In a course the leaves follow each other from -y
// to +y, then the stones that go through; each from -x to +x. Then lintels and voussoirs of the
// openings in their order.
Structure wall_structure_make(const WallMeasures *measures, Arena *arena);
