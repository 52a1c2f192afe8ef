#pragma once
// The pairs of bodies that a rank knows, in order of key.
#include "colour.h"

typedef struct {
  int first, end;   // points
  int low, high;    // rows of the bodies
} SolverPair;

typedef struct {
  int count;
  ColourPair *pairs;
  SolverPair *ranges;     // rows of contacts in place of points
  unsigned char *owned;   // the pair belongs to this rank
} KnownPairs;
