// Lists pairs of stones that are being packed.
#include "stone_pairs.h"

#include <assert.h>

#include "box_overlap.h"
#include "check.h"

#define SKIN 0.15   // pairs are listed as if stones were larger by this much of their radius

// Whether a list may miss a pair.
static bool is_old(const PackedStones *p)
{
  if (p->scale_listed == 0) return true;
  assert_debug(p->pairs != NULL && "pairs were listed");
  for (int i = 0; i < p->count; i++) {
    const PackedStone *s = &p->stones[i];
    const double listed = (1 + SKIN) * p->scale_listed * s->form->shape.radius;
    const double left = listed - packed_stones_radius(p, i) - packed_stones_margin(p, i);
    const vec3 moved = vec3_sub(s->place, s->place_listed);
    if (!(left > 0 && vec3_dot(moved, moved) < left * left)) return true;
  }
  return false;
}

// Boxes about all stones, then triangles.
static BoxPairs find_pairs(PackedStones *p, Arena *memory)
{
  const int total = p->count + p->triangle_count;
  assert(total > 0 && "there are stones");
  Box *boxes = arena_allocate(memory, (size_t)total * sizeof *boxes);
  for (int i = 0; i < p->count; i++) {
    PackedStone *s = &p->stones[i];
    s->place_listed = s->place;
    boxes[i] = box_grow((Box){s->place, s->place}, (1 + SKIN) * packed_stones_radius(p, i));
  }
  for (int t = 0; t < p->triangle_count; t++)
    boxes[p->count + t] = box_of_points(p->triangles[t].points, 3);
  return box_overlap_find(boxes, total, memory);
}

static bool is_before(const StonePair *pair, BoxPair other)
{
  return pair->a < other.a || (pair->a == other.a && pair->b < other.b);
}

void stone_pairs_refresh(PackedStones *p)
{
  assert(p->scale > 0 && "stones have a size");
  if (!is_old(p)) return;
  Arena *memory = &p->lists[p->list = 1 - p->list];
  arena_reset(memory);
  const BoxPairs found = find_pairs(p, memory);
  StonePair *pairs = arena_allocate(memory, (size_t)found.count * sizeof *pairs);
  int count = 0, known = 0;
  for (int64_t k = 0; k < found.count; k++) {
    const BoxPair pair = found.pairs[k];
    if (pair.a >= p->count) continue;   // two triangles
    while (known < p->pair_count && is_before(&p->pairs[known], pair)) known++;
    const bool again =
        known < p->pair_count && p->pairs[known].a == pair.a && p->pairs[known].b == pair.b;
    pairs[count++] = (StonePair){pair.a, pair.b, again ? p->pairs[known].axis : (vec3){0}};
  }
  p->pairs = pairs;
  p->pair_count = count;
  p->scale_listed = p->scale;
}
