#pragma once
// Stones: which shape, size and orientation each has, and its place on a lattice or in a layer of
// an inlet. All are functions of the group's stream of random numbers and of the stone's number.
#include "arena.h"
#include "case.h"
#include "group.h"

#define STONES_MAX_SHAPES 100000   // of a group

// Local. NULL, or a phrase that says which measures do not go together.
const char *stones_check(const BodyGroup *group);

// Local. Shapes of a kind, and classes of size of each of them.
static inline int stones_variants(const StoneKind *kind)
{
  return kind->variety > 0 ? kind->variety : 1;
}
static inline int stones_classes(const Stones *s) { return s->row_count > 0 ? s->classes : 1; }

// Local. Makes the shapes of stones, whose random numbers are of that stream: those of a kind
// follow each other, and of each shape of a kind its classes of size. NULL, or a phrase (arena).
const char *stones_shapes(Stones *s, uint64_t stream, Arena *arena, ShapeRecipe **shapes,
                          int *shape_count);

// Local. Completes the group and makes its shapes (arena): those of a kind follow each other, and
// of each shape of a kind its classes of size. Every shape has its centre of mass at its origin.
// NULL, or a phrase (arena) that says what to change.
const char *stones_prepare(BodyGroup *group, const GroupSetting *setting, Arena *arena,
                           ShapeRecipe **shapes, int *shape_count);

// Local. Stone number index of a prepared group.
GroupBody stones_body(const BodyGroup *group, uint64_t index);

// Local. What share of the stones of a prepared group is expected to have shape number shape of the
// group; the shares of all add up to 1.
double stones_share(const BodyGroup *group, int shape);

typedef struct {
  vec3 low, high;   // m
} StonesBox;

// Local. Boxes in the coordinate frame of a prepared group that hold all of its stones, and all
// their centres of mass, whatever is drawn.
StonesBox stones_bounds(const BodyGroup *group);
StonesBox stones_centres(const BodyGroup *group);
