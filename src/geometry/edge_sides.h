#pragma once
// Which sides of polygons run along the same edge: by the numbers of its ends.
#include "check.h"

typedef struct {
  int low, high;   // ends of the edge, low <= high
  int side;        // the caller's number
} EdgeSide;

static inline EdgeSide edge_side(int from, int to, int side)
{
  assert_debug(from >= 0 && to >= 0 && "the ends of an edge are numbered");
  return from < to ? (EdgeSide){from, to, side} : (EdgeSide){to, from, side};
}

// Local. Sorts by edge, then by side.
void edge_sides_sort(EdgeSide *sides, int count);

// Local. Behind the last one of sorted sides that has the edge of the first one.
static inline int edge_sides_end(const EdgeSide *sides, int count, int first)
{
  assert_debug(first >= 0 && first < count && "a run begins with one of the sides");
  int end = first + 1;
  while (end < count && sides[end].low == sides[first].low && sides[end].high == sides[first].high)
    end++;
  return end;
}

// Local. Sorts; mates[side]: the other side along its edge, -1 where there are not just two.
void edge_sides_mate(EdgeSide *sides, int count, int *mates);
