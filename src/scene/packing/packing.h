#pragma once
// Packs stones into a room: they begin small at random places, grow together and push each other
// apart until they have their sizes.
#include <stdbool.h>
#include <stdint.h>

#include "room.h"
#include "shape.h"
#include "vec3.h"

typedef struct {
  Room room;
  int shape_count;
  const ShapeRecipe *shapes;   // [shape_count] sound ones: convex parts, balls or ellipsoids
  int count;                   // of stones, above 0
  const int *shape_of;         // [count]
  bool turned;                 // they begin in random orientations and may turn; else as described
  uint64_t stream;             // of random numbers
} StonePacking;

typedef enum {
  PACKING_OK,
  PACKING_LARGE,   // a stone has no place in the room even alone
  PACKING_FULL     // stones did not get their sizes
} PackingStatus;

typedef struct {
  PackingStatus status;
  int stone;        // at fault where one is too large
  double scale;     // of all stones when they last had room, 1 where they are packed
  int64_t sweeps;   // over all pairs
} PackingResult;

// Local. Places of origins and turns of stones that have no point in common and lie in the room, in
// the coordinate frame of the room: places[count], turns[count]. The same bits for the same
// arguments.
PackingResult packing_make(const StonePacking *packing, vec3 *places, quat *turns);
