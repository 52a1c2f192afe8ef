// Finds the sides of polygons that run along the same edge.
#include "edge_sides.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define FEW_SIDES 32     // are sorted by insertion
#define MANY_SIDES 256   // are counted first

static int compare_sides(const void *p, const void *q)
{
  const EdgeSide *a = p, *b = q;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->side > b->side) - (a->side < b->side);
}

// Few sides, by insertion: all have the same lower end.
static void sort_few(EdgeSide *sides, int count)
{
  assert_debug(count <= FEW_SIDES && "insertion is for few");
  for (int i = 1; i < count; i++) {
    const EdgeSide side = sides[i];
    int at = i;
    for (; at > 0 && compare_sides(&side, &sides[at - 1]) < 0; at--) sides[at] = sides[at - 1];
    sides[at] = side;
  }
}

void edge_sides_sort(EdgeSide *sides, int count)
{
  assert(count >= 0 && (sides != NULL || count == 0) && "sides are given");
  int ends = 0;
  for (int i = 0; i < count; i++) ends = sides[i].low >= ends ? sides[i].low + 1 : ends;
  if (count < MANY_SIDES || ends > count) {
    if (count > 0) qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    return;
  }
  // counted by the lower end, which few sides have in common
  EdgeSide *given = memory_allocate((size_t)count * sizeof *given);
  int *behind = memory_allocate_zero((size_t)ends + 1, sizeof *behind);
  memcpy(given, sides, (size_t)count * sizeof *given);
  for (int i = 0; i < count; i++) behind[given[i].low + 1]++;
  for (int v = 0; v < ends; v++) behind[v + 1] += behind[v];
  for (int i = 0; i < count; i++) sides[behind[given[i].low]++] = given[i];
  for (int v = 0, first = 0; v < ends; first = behind[v++]) {
    const int own = behind[v] - first;
    if (own <= FEW_SIDES) sort_few(sides + first, own);
    else qsort(sides + first, (size_t)own, sizeof *sides, compare_sides);
  }
  memory_free(behind);
  memory_free(given);
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
