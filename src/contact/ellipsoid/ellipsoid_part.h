#pragma once
// The place where an ellipsoid touches a convex part.
#include <stdbool.h>

#include "arena.h"
#include "ellipsoid.h"
#include "part_touch.h"
#include "shape.h"

// All in the frame of the body that has the part.
typedef struct {
  const Ellipsoid *ellipsoid;
  vec3 center;        // m
  double one_place;   // places nearer than this are one, m
} EllipsoidPose;

// Local. The touch along the axis of largest separation of a part and an ellipsoid; false where
// they are apart by more than far (m). Scratch memory from the arena is given back.
bool ellipsoid_part_touch(const Part *part, const EllipsoidPose *pose, double far, Arena *arena,
                          PartTouch *touch);
