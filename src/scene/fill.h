#pragma once
// Stones that fill a room to a fraction: which they are, so that they follow their size curve, and
// where they stand.
#include "arena.h"
#include "case.h"
#include "group.h"

#define FILL_MOST_STONES 100000
#define FILL_DENSEST 0.9   // fraction that may be asked for

// Local. NULL, or a phrase that says which measures do not go together.
const char *fill_check(const BodyGroup *group);

// Local. Makes the shapes of a group whose random numbers are of that stream, chooses its stones
// and packs them (arena), before the case is prepared. NULL, or a phrase (arena) that says what to
// change.
const char *fill_make(BodyGroup *group, uint64_t stream, Arena *arena);

// Local. The shapes of a fill that is made.
void fill_shapes(const BodyGroup *group, ShapeRecipe **shapes, int *shape_count);

// Local. Stone number index of a fill that is made.
GroupBody fill_body(const BodyGroup *group, uint64_t index);
