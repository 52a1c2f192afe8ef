// The pairs that a tree of boxes visits are those that testing all pairs finds, each once.
#include <stdlib.h>

#include "harness.h"
#include "memory.h"
#include "mesh_boxes.h"
#include "random_numbers.h"

typedef struct {
  BoxPair *pairs;
  int64_t count, room;
} Seen;

static void remember(void *context, int a, int b)
{
  Seen *seen = context;
  if (seen->count < seen->room) seen->pairs[seen->count] = (BoxPair){a, b};
  seen->count++;
}

static int compare_pairs(const void *p, const void *q)
{
  const BoxPair *a = p, *b = q;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return (a->b > b->b) - (a->b < b->b);
}

int main(void)
{
  Random random = {2};
  for (int round = 0; round < 600; round++) {
    Arena arena = arena_new();
    const int count = random_below(&random, round % 20 ? 40 : 600);
    const double size = random_between(&random, 0, 0.6);
    Box *boxes = arena_allocate(&arena, (size_t)count * sizeof(Box));
    for (int i = 0; i < count; i++) {
      vec3 low = random_in_cube(&random, 1), high = low;
      // on a grid, so that boxes touch and middles are equal; all at one place; anywhere
      if (round % 3 == 0) low = (vec3){floor(4 * low.x), floor(4 * low.y), floor(4 * low.z)};
      if (round % 3 == 1) low = (vec3){0, 0, 0};
      high = vec3_add(low, (vec3){size * random_below(&random, 4), size * random_below(&random, 3),
                                  size * random_below(&random, 2)});
      boxes[i] = (Box){low, high};
    }
    const BoxPairs expected = box_overlap_brute_force(boxes, count, &arena);
    Seen seen = {.room = expected.count};
    seen.pairs = arena_allocate(&arena, (size_t)expected.count * sizeof(BoxPair));
    mesh_boxes_visit(boxes, count, remember, &seen, &arena);
    if (CHECK(seen.count == expected.count)) {
      qsort(seen.pairs, (size_t)seen.count, sizeof(BoxPair), compare_pairs);
      for (int64_t i = 0; i < seen.count; i++)
        CHECK(compare_pairs(&seen.pairs[i], &expected.pairs[i]) == 0);
    }
    arena_destroy(&arena);
  }
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
