#pragma once
// Places where a round solid touches the parts of a body, and which of them count.
#include <stdbool.h>
#include <stdint.h>

#include "shape.h"

// The place where a part is nearest to a point, or touches an ellipsoid; in the body frame.
typedef struct {
  vec3 place;         // of the surface of the part, m
  vec3 normal;        // unit, outward: of the face, or from the place to the other
  double gap;         // along the normal, m; negative: overlap, or the point is inside
  uint32_t feature;   // face, edge or vertex of the part
  int part;
  bool rough;      // so deep that another axis may be better
  bool left_out;   // no local minimum of the distance, or the same as another
} PartTouch;

// Local. Keeps the touches that are local minima of the distance to the body, each once, in their
// order; returns how many. touches [count] has one of each part that is near; places nearer than
// one_place (m) are one. Of some there is always one left, the deepest.
int part_touch_keep_minima(const Shape *shape, PartTouch *touches, int count, double one_place);
