#pragma once
// The pairs of bodies that a rank knows, in order of key.
#include "colour.h"

typedef struct {
  int first, end;   // points
  int low, high;    // rows of the bodies
} SolverPair;

// Where the joints of a pair begin, behind its contacts.
typedef struct {
  int point;   // first point of the pair that a joint holds; the pair's end: none
  int row;     // its row of joints; the next points' follow
} JointSpan;

typedef struct {
  int count;
  ColourPair *pairs;
  SolverPair *ranges;     // from the row of the first contact on, in place of points
  JointSpan *joints;      // points counted from the pair's first one; NULL: there are no joints
  unsigned char *owned;   // the pair belongs to this rank
} KnownPairs;
