#pragma once
// Are two convex solids apart along a face of one of them? Local.
#include <stdbool.h>

#include "polyhedron.h"

// A face whose plane separates two solids.
typedef struct {
  int owner;   // -1: none is known, 0: a face of a, 1: of b
  int face;    // index of the face in its solid
} SeparatingFace;

#define SEPARATING_FACE_NONE ((SeparatingFace){-1, 0})

// Local. True when some face's plane has all of the other solid at least the distance (m) above it.
// The face in the hint is tried first, whatever it names, and becomes the one that was found; the
// answer does not depend on it. A hint without a match stays as it is.
bool separation_find(const Polyhedron *a, const Polyhedron *b, double distance,
                     SeparatingFace *hint);
