#pragma once
// The profile of factors of one mesh. Nodes are eliminated in layers along an axis (after Cuthill
// and McKee 1969), so that the rows below a block on the diagonal are one run; what lies between is
// zero in the matrix, and filled in the factor. Local.
//
// Rows are taken eight at once, from multiples of eight on: what a store wrote is then what a later
// load reads. Numbers of rows outside a run are zero.
#include <stdint.h>

#include "finite_stiffness.h"

enum { FINITE_WIDE = 8 };

typedef struct {
  const FiniteStiffness *stiffness;
  int columns;      // of blocks: nodes that are not held
  int *place;       // [nodes] in the order of elimination; -1: held
  int *node;        // [columns]
  int *last;        // [columns] of the run below a column; the column itself: there is none
  int *first;       // [columns] of the vectors of rows that the run is in
  int64_t *start;   // [columns + 1] where those of a column begin among all
} FiniteProfile;

// place: [nodes] m; held: [nodes] nodes that do not move, NULL: none. The stiffness must outlive
// it.
FiniteProfile finite_profile_new(const FiniteStiffness *stiffness, const vec3 *place,
                                 const bool *held);
void finite_profile_destroy(FiniteProfile *profile);
