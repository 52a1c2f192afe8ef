// Finds the sides of polygons that run along the same edge.
#include "edge_sides.h"

#include <assert.h>
#include <stdlib.h>

static int compare_sides(const void *p, const void *q)
{
  const EdgeSide *a = p, *b = q;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->side > b->side) - (a->side < b->side);
}

void edge_sides_sort(EdgeSide *sides, int count)
{
  assert(count >= 0 && (sides != NULL || count == 0) && "sides are given");
  if (count > 0) qsort(sides, (size_t)count, sizeof *sides, compare_sides);
}

void edge_sides_mate(EdgeSide *sides, int count, int *mates)
{
  assert(count >= 0 && (mates != NULL || count == 0) && "mates have room");
  edge_sides_sort(sides, count);
  for (int i = 0, end; i < count; i = end) {
    end = edge_sides_end(sides, count, i);
    for (int k = i; k < end; k++) mates[sides[k].side] = -1;
    if (end - i != 2) continue;
    mates[sides[i].side] = sides[i + 1].side;
    mates[sides[i + 1].side] = sides[i].side;
  }
}
