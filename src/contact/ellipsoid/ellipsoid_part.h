#pragma once
// The place where an ellipsoid touches a convex part.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "ellipsoid.h"
#include "shape.h"

// All in the frame of the body that has the part.
typedef struct {
  const Ellipsoid *ellipsoid;
  vec3 center;        // m
  double one_place;   // places nearer than this are one, m
} EllipsoidPose;

typedef struct {
  vec3 place;         // of the surface of the part, m
  vec3 normal;        // unit, from the part into the ellipsoid
  double gap;         // m; negative: overlap
  uint32_t feature;   // face, edge or vertex of the part
  int part;
  bool rough;      // so deep that another axis may be better
  bool left_out;   // no local minimum of the distance, or the same as another
} EllipsoidTouch;

// Local. The touch along the axis of largest separation of a part and an ellipsoid; false where
// they are apart by more than far (m). Scratch memory from the arena is given back.
bool ellipsoid_part_touch(const Part *part, const EllipsoidPose *pose, double far, Arena *arena,
                          EllipsoidTouch *touch);
