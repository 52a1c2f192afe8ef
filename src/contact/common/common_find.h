#pragma once
// The rows of a compliant law between two bodies: one a pair of parts, or all of the pair of
// bodies.
#include "common_solid.h"

// A row is named after the pair of parts that it began with.
typedef struct {
  int part_a, part_b;   // a sphere's part is 0
  CommonSolid solid;
} CommonRow;

typedef struct {
  int row_count;
  CommonRow *rows;   // arena; ascending by parts
  CommonPolygons
      faces;          // where asked for, of all parts that share a volume; spheres have none: NULL
  int *face_start;    // [row_count + 1] into face_of_row; a row's faces surround its solid
  int *face_of_row;   // [faces.count] in the order of faces in each row
  int failed;         // pairs of parts whose common solid is not known: they have no row
  int rerouted;       // that the fast route could not make: the reference did, and nothing is lost
  PatchCount count;
} CommonSet;

typedef struct {
  bool pooled;   // all pairs of parts are one row
  bool faces;    // of the solids of rows
} CommonAsked;

// Local. The rows of two bodies of parts or spheres.
//
// A pair of parts whose common solid has surface of both bodies is a row. One without joins a row
// that it shares a seam with, the largest one, or by others that have joined one; where no seams
// lead to a row, the nearest, and where there is no row at all such pairs are one. Pooled, all
// pairs are one row. Where one part of each body meets the other, both rules are the same.
//
// Two bodies with inner spheres are one row, named after their first parts: common_inner.h.
//
// A sphere on a body of parts meets those that it shares a cap of one facet with (common_sphere.h),
// which needs no rule. Another common solid of a sphere is counted as failed.
CommonSet common_find(const ModelPair *pair, CommonAsked asked, Arena *arena);
