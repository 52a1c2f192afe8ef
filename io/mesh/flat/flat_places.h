#pragma once
// Where points of bodies go so that faces are flat and neighbours share the planes of their joints.
#include "flat_faces.h"

// What becomes of one body.
typedef struct {
  vec3 *points;   // [point_count] m; those that stay keep their bits
  int moved;
  double farthest;   // m
} FlatMove;

typedef struct {
  FlatMove *moves;          // [body_count]
  int joints;               // planes that two bodies or more share
  int crowded;              // points in the planes of more than three joints, which stay
  int bent;                 // faces that keep dents
  double widest, deepest;   // gap and overlap of joints that were closed, m
} FlatPlaces;

// Local. Planes of joints come first. A point where more than three planes meet goes to those of
// its joints, and its other faces are turned until they go through it. Then each point goes to the
// nearest place in its planes. A body of which some point would go farther than twice its reach, or
// in a joint twice its overlap, keeps all of them. Memory from the arena.
FlatPlaces flat_places_find(const FlatBody *bodies, int count, Arena *arena);
