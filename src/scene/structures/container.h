#pragma once
// Boxes and drums that hold other bodies: walls, floor and lid as parts of one shape.
#include <stdbool.h>

#include "arena.h"
#include "shape.h"
#include "vec3.h"

#define CONTAINER_FEWEST_SIDES 3
#define CONTAINER_MOST_SIDES 360

// Measures of the room inside, m.
typedef struct {
  vec3 box;                // full sizes; zero: a drum
  double radius, height;   // of a drum: that of the circle inside its sides
  int sides;               // of a drum
  double thickness;        // of walls, floor and lid
  bool floor, lid;
} Container;

// Local. The parts of a container. The origin is the middle of the floor of the room, which rises
// along +z. Parts share faces and do not overlap; the first side of a drum looks along +x.
ShapeRecipe container_shape(const Container *container, Arena *arena);
