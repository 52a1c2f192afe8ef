// Finds all overlapping pairs of boxes: grids first, then the recursion for the others.
#include "box_overlap.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "box_overlap_inside.h"

#define FEW_BOXES 128   // that no grid is made for

static Scale find_scale(const Box *boxes, int count)
{
  assert(count >= 0 && (boxes != NULL || count == 0) && "boxes are given");
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < count; i++) {
    const double x[3] = {boxes[i].low.x, boxes[i].low.y, boxes[i].low.z};
    for (int k = 0; k < 3; k++) {
      // an end that is not finite counts in neither
      const double lower = x[k] >= -DBL_MAX ? x[k] : INFINITY;
      const double upper = x[k] <= DBL_MAX ? x[k] : -INFINITY;
      low[k] = smaller_of(low[k], lower);
      high[k] = larger_of(high[k], upper);
    }
  }
  Scale scale;
  for (int k = 0; k < 3; k++) {
    const double extent = high[k] - low[k];
    const bool usable = extent > 0 && isfinite(extent) && isfinite(WHOLE_TOP / extent);
    scale.zero[k] = usable ? low[k] : 0;
    scale.factor[k] = usable ? WHOLE_TOP / extent : 0;
  }
  return scale;
}

BoxSet box_set_new(const Box *boxes, int count, Arena *arena)
{
  assert(count >= 0 && (boxes != NULL || count == 0) && "boxes are given");
  BoxSet set = {.boxes = boxes,
                .scale = find_scale(boxes, count),
                .indices = arena_allocate(arena, ((size_t)count + 1) * sizeof(int32_t))};
  for (int i = 0; i < count; i++) {
    set.indices[set.count] = i;
    set.count += box_is_valid(boxes[i]) ? 1 : 0;
  }
  return set;
}

BoxPairs box_overlap_find(const Box *boxes, int count, Arena *arena)
{
  assert(count >= 0 && (boxes != NULL || count == 0) && "boxes are given");
  Arena scratch = arena_new();
  BoxPairList list = box_overlap_pairs_new(count);
  BoxSet set = box_set_new(boxes, count, &scratch);

  // grids, each for the boxes that are too large for the last one, as long as they help
  while (set.count > FEW_BOXES && box_overlap_grid(&set, &list, &scratch)) continue;
  box_overlap_tree(&set, &list, &scratch);
  const BoxPairs pairs = box_overlap_pairs_sort(&list, arena);
  arena_destroy(&scratch);
  box_overlap_pairs_destroy(&list);
  return pairs;
}

BoxPairs box_overlap_brute_force(const Box *boxes, int count, Arena *arena)
{
  assert(count >= 0 && (boxes != NULL || count == 0) && "boxes are given");
  BoxPairs result = {0, NULL};
  for (int pass = 0; pass < 2; pass++) {
    // the first pass counts, the second writes
    if (pass == 1) result.pairs = arena_allocate(arena, (size_t)result.count * sizeof(BoxPair));
    int64_t n = 0;
    for (int a = 0; a < count; a++) {
      for (int b = a + 1; b < count; b++) {
        if (!box_is_valid(boxes[a]) || !box_is_valid(boxes[b])) continue;
        if (!box_overlaps(boxes[a], boxes[b])) continue;
        if (pass == 1) result.pairs[n] = (BoxPair){a, b};
        n++;
      }
    }
    result.count = n;
  }
  return result;
}
