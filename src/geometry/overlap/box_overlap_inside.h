#pragma once
// What the routes of the box overlap share: boxes in whole numbers, and the list of pairs they
// report to.
#include <stdbool.h>

#include "box_overlap.h"
#include "check.h"

#define WHOLE_TOP 2147483647   // coordinates become whole numbers up to this

// Along an axis low ends become 0 .. WHOLE_TOP; high ends beyond the last low end need not be told
// apart.
typedef struct {
  double zero[3], factor[3];
} Scale;

// A box in whole numbers. Rounding keeps order (a <= b gives whole(a) <= whole(b)), so boxes that
// overlap still do; strictly ordered whole numbers are ordered boxes.
typedef struct {
  int32_t low[3], high[3];
} WholeBox;

// Some valid boxes.
typedef struct {
  const Box *boxes;
  Scale scale;
  int count;
  int32_t *indices;   // [count]
} BoxSet;

typedef struct PairChunk PairChunk;

// Pairs (a, b), a < b, in buckets by the higher bits of a.
typedef struct {
  Arena memory;   // of the chunks
  int bits;       // of a that buckets do not tell apart
  int bucket_count;
  PairChunk **buckets;   // the chunk that is being filled
  int64_t count;
} BoxPairList;

// Local. The valid ones of some boxes. For the tests.
BoxSet box_set_new(const Box *boxes, int count, Arena *arena);

// Local. An empty list of pairs of boxes; release its memory.
BoxPairList box_overlap_pairs_new(int box_count);
void box_overlap_pairs_destroy(BoxPairList *list);

// Local. Adds pairs of one box with others, all of different indices.
void box_overlap_pairs_add(BoxPairList *list, int32_t one, const int32_t *others, int count);

// Local. The pairs sorted by (a, b).
BoxPairs box_overlap_pairs_sort(const BoxPairList *list, Arena *arena);

// Local. Reports the overlapping pairs of a set by streaming scans and segment-tree recursion,
// however the boxes lie.
void box_overlap_tree(const BoxSet *set, BoxPairList *list, Arena *scratch);

// Local. Reports all pairs of boxes that are small in comparison with the cells of a grid chosen
// here, and of these with the others, and leaves the others in the set. When no grid is worth while
// it returns false, and nothing has happened.
bool box_overlap_grid(BoxSet *set, BoxPairList *list, Arena *scratch);

// The bounds come first: they win over what is not a number.
static inline int32_t whole_from(const Scale *scale, int axis, double x)
{
  assert_debug(axis >= 0 && axis < 3 && !(scale->factor[axis] < 0) && "scales keep order");
  const double scaled = (x - scale->zero[axis]) * scale->factor[axis];
  const double above = scaled > 0 ? scaled : 0;
  return (int32_t)(above < WHOLE_TOP ? above : WHOLE_TOP);
}

static inline WholeBox whole_box(const BoxSet *set, int32_t index)
{
  assert_debug(index >= 0 && "boxes are numbered");
  const Box *box = &set->boxes[index];
  const Scale *s = &set->scale;
  return (WholeBox){
      {whole_from(s, 0, box->low.x), whole_from(s, 1, box->low.y), whole_from(s, 2, box->low.z)},
      {whole_from(s, 0, box->high.x), whole_from(s, 1, box->high.y),
       whole_from(s, 2, box->high.z)}};
}
