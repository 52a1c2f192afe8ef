#pragma once
// Places that pieces of one body have in common. Pieces that hang together have one velocity there:
// points of both with another body are one, and solvers cannot tell which of them bears. The point
// of the lowest pair holds the place for all, with their areas (FEATURE_HOLDS); the others take no
// part (FEATURE_HELD). Pieces that may part keep all their points. Local.
#include "bodies.h"
#include "box.h"
#include "generator.h"
#include "surface_law.h"

typedef struct {
  PatchSet set;   // places relative to the lower body's centre
  double side;    // shortest one of a face of their meshes, m
} PairPatches;

typedef struct {
  const Bodies *bodies;
  const Box *boxes;   // [rows] that overlap wherever bodies touch
  const SurfaceLaws *laws;
  // The patches of two rows, the lower id first, as if they had not met before: a function of both
  // rows alone, so that every rank decides alike. None: they do not touch or may not.
  PairPatches (*find)(void *context, int low, int high);
  void *context;
} SharedPlaces;

// Marks the points that a pair of rows has, the lower id first, of two bodies; one of them may be a
// piece. Needs all pieces that are there.
void shared_places_mark(const SharedPlaces *in, int low, int high, const PairPatches *of,
                        Arena *arena);

// The same for the points that two pieces of one body hang together by: those that other pairs of
// pieces, lower ones, hold together already take no part.
void shared_places_mark_weld(const SharedPlaces *in, int low, int high, const PairPatches *of,
                             Arena *arena);
