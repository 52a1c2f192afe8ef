#pragma once
// Two solids whose intersection is looked for, and how what the cuts leave becomes a result.
// Local.
#include <stdbool.h>

#include "check.h"
#include "clipper_small.h"
#include "intersection.h"

#define COUPLE_BOX_FACES 6   // of a box to begin with: labels after those of both solids

// The two solids in the order in which they are worked on, which does not depend on which of them
// is a. Faces of the first have the labels 0, 1, .., those of the second follow.
typedef struct {
  const Polyhedron *solids[2];
  int owner[2];   // of the faces of each, for the result
  double margin;
  int face_count;   // of both
} Couple;

static inline const Plane *couple_plane(const Couple *couple, int label)
{
  assert_debug(label >= 0 && label < couple->face_count && "a label of a face, not of the box");
  const int first = couple->solids[0]->face_count;
  return label < first ? &couple->solids[0]->planes[label]
                       : &couple->solids[1]->planes[label - first];
}

// Local. Faces, vertices and measures of what is left, arrays from the arena. False when a face of
// the box is left.
bool intersection_write(const Couple *couple, const SmallSolid *s, Arena *arena, Intersection *x);

// Local. Labels and measures alone. False also when rounding has split a face into several.
bool intersection_write_labels(const Couple *couple, const SmallSolid *s, Arena *arena,
                               IntersectionLabels *x);
