#pragma once
// Sparsification: fewer contacts where bodies of many parts make more than are needed.
//
// After the Solfec-1.0 user manual, "Contact sparsification": of the contacts that are new in this
// step, one is removed whose area is below min_area; one whose area is below threshold times that
// of a contact between topologically adjacent parts; and one nearer than min_distance to another
// contact. What was there in the last step stays, so that nothing flickers at a limit.
//
// A contact has the area of its patch: the corners of one patch are never set against each other by
// area. Points and lines have no area, and any min_area or threshold removes them like others. Of
// two contacts the one that is not new stays, else the one with more area, else the deeper one,
// else the one whose key comes first; only contacts that stay remove others. So the result does not
// depend on any order, and a second pass removes nothing.
//
// Parts of one body are adjacent when they share a face, at least in part; contacts are when their
// parts are the same or adjacent on both bodies.
#include "arena.h"
#include "contact_settings.h"
#include "contacts.h"
#include "generator.h"
#include "persist.h"
#include "shape.h"

// Local. Do two parts of a shape share a face, at least in part?; for the tests.
bool sparsify_parts_adjacent(const Shape *shape, int part, int other);

typedef struct {
  const Shape *a, *b;
} ShapePair;

// Local. Removes points of set, contacts between bodies of two shapes, and patches without points;
// returns how many points. known: points of the pair in the last step. What a point loses to one of
// its own patch is added to that one's area; otherwise the area of the patch shrinks.
int sparsify_set(PatchSet *set, ShapePair shapes, const SparsifyParameters *parameters,
                 OldPoints known, Arena *arena);
