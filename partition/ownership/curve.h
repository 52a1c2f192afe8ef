#pragma once
// Places along Hilbert's space-filling curve in one, two or three dimensions. Local.
#include <stdint.h>

#include "vec3.h"

// Cells of the curve over a box.
typedef struct {
  vec3 low;
  double scale;     // cells per metre, the same along all axes
  int dimensions;   // 1 to 3: what is thin does not count
  int axes[3];      // longest side first
  int bits;         // of the number of a cell along an axis
} Curve;

// The curve for so many places in a box: sides thinner than two of their mean distances are left
// out, so that a leaf of a wall is filled as a plane is. An empty box gives one cell.
Curve curve_new(vec3 low, vec3 high, int64_t places);

// How far along the curve a place in the box is.
uint64_t curve_key(const Curve *curve, vec3 place);

// How far along the curve a cell is, cell[axis] < 2^bits, dimensions * bits <= 63. Neighbours along
// the curve share a face (Hilbert 1891; states of the curve: Hamilton and Rau-Chaplin 2008).
// For the tests.
uint64_t curve_place_of_cell(const uint32_t *cell, int dimensions, int bits);
