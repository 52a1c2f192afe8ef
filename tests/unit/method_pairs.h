#pragma once
// Files of pairs of tetrahedra with the contacts that a method found, and their comparison with
// ours, in single precision as the author's program has the method. A line each:
//   p  corners of both (24 numbers), whether their faces are on the surface (8 times 0 or 1)
//   m  name of the method of the contacts that follow; a file of one method has no such lines
//   c  place, normal, depth (7 numbers)
#include <stdio.h>

#include "methods.h"

#define METHOD_PAIRS_ENVELOPE 0.02   // m, of the author's program

extern const char *const METHOD_PAIRS_NAMES[METHOD_COUNT];

typedef struct {
  int pairs;      // compared, or pairs times methods
  int contacts;   // in the file
  int same;       // pairs for which every contact of either has one of its own in the other
} MethodPairsCount;

// method: of a file without lines m, else METHOD_COUNT. Numbers may differ by tolerance.
MethodPairsCount method_pairs_compare(FILE *file, Method method, double tolerance);

void method_pairs_write(FILE *file, const MethodTetra *a, const MethodTetra *b);
