#pragma once
// A course of bricks along x, cut out where openings and arches are.
#include "section.h"
#include "structure.h"

// A place of a brick along x, m.
typedef struct {
  double low, high;
} BrickSpan;

typedef struct {
  double y_low, y_high, z_low, z_high;   // m
  int count;
  const BrickSpan *spans;   // [count] ascending, side by side or apart
  int hole_count;
  const Section *holes;   // [hole_count] convex, none twice
  double joint;           // open head joint in the middle of which a place ends, m
  const char *name;       // stones are NAME.0, NAME.1, ...; NULL: they have no names
  int *number;            // of the next stone with that name
} BrickRow;

// Local. Adds the stones of a course from -x to +x. What is left of a brick in two places makes two
// stones. A piece of less than a sixth of its brick belongs to the stone beside it.
void brick_row_lay(const BrickRow *row, Structure *structure);
