// Near parts of two bodies: parts far from the other body's box go first, then a sweep along the
// axis on which the rest is spread most.
#include "part_pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define FEW_PAIRS 256   // up to as many all are compared with all

// What a search needs to know of one body.
typedef struct {
  const PosedBody *body;
  vec3 shift;
  int count;     // parts that are left
  int *parts;    // [count] ascending
  Box *boxes;    // [count]
  double most;   // largest extent of them, m
} PartSide;

typedef struct {
  NearParts near;
  int capacity;
  double margin, reach;
  Arena *arena;
} PartSearch;

Box *part_boxes_new(const Polyhedron *parts, int count, Arena *arena)
{
  assert_debug((count >= 0 && (parts != NULL || count == 0)) && "parts are given");
  Box *boxes = arena_allocate(arena, (size_t)count * sizeof *boxes);
  for (int p = 0; p < count; p++) {
    boxes[p] = box_of_points(parts[p].vertices, parts[p].vertex_count);
  }
  return boxes;
}

void part_pairs_pose(PosedBody *body, Arena *arena)
{
  const Shape *shape = body->shape;
  assert_debug(body->parts == NULL && "parts are posed once");
  Polyhedron *parts = arena_allocate(arena, (size_t)shape->part_count * sizeof *parts);
  for (int p = 0; p < shape->part_count; p++)
    parts[p] = polyhedron_place(&shape->parts[p].hull, body->rotation, (vec3){0, 0, 0}, arena);
  body->parts = parts;
  body->boxes = part_boxes_new(parts, shape->part_count, arena);
}

static bool boxes_within(Box p, Box q, double distance)
{
  return p.low.x <= q.high.x + distance && q.low.x <= p.high.x + distance &&
         p.low.y <= q.high.y + distance && q.low.y <= p.high.y + distance &&
         p.low.z <= q.high.z + distance && q.low.z <= p.high.z + distance;
}

static inline bool are_near(const BoxedPart *a, const BoxedPart *b, double margin, double reach)
{
  return boxes_within(a->box, b->box,
                      margin * smaller_of(a->part->extent, b->part->extent) + reach);
}

bool part_boxes_near(BoxedPart a, BoxedPart b, double margin, double reach)
{
  assert_debug(!(margin < 0) && !(reach < 0) && "boxes that touch are near");
  return are_near(&a, &b, margin, reach);
}

static void add_pair(PartSearch *search, int a, int b)
{
  assert_debug(search->near.count <= search->capacity && "pairs are in their room");
  NearParts *near = &search->near;
  if (near->count == search->capacity)
    near->pairs = arena_grow(search->arena, near->pairs, near->count + 1, &search->capacity,
                             sizeof *near->pairs);
  near->pairs[near->count++] = (PartIndices){a, b};
}

// Adds two parts, given by their places in the sides, if they are near.
static void try_pair(PartSearch *search, const PartSide *a, int i, const PartSide *b, int j)
{
  assert_debug(i >= 0 && i < a->count && j >= 0 && j < b->count &&
               "parts have places in their sides");
  const int p = a->parts[i], q = b->parts[j];
  search->near.compared++;
  const BoxedPart of_a = {&a->body->parts[p], a->boxes[i]};
  const BoxedPart of_b = {&b->body->parts[q], b->boxes[j]};
  if (are_near(&of_a, &of_b, search->margin, search->reach)) { add_pair(search, p, q); }
}

static void try_all_pairs(PartSearch *search, const PartSide *a, const PartSide *b)
{
  for (int i = 0; i < a->count; i++) {
    for (int j = 0; j < b->count; j++) try_pair(search, a, i, b, j);
  }
}

static PartSide side_new(const PosedBody *body, vec3 shift, Arena *arena)
{
  const int count = body->shape->part_count;
  assert(body->boxes != NULL && "a posed body knows the boxes of its parts");
  PartSide side = {.body = body,
                   .shift = shift,
                   .count = count,
                   .parts = arena_allocate(arena, (size_t)count * sizeof(int)),
                   .boxes = arena_allocate(arena, (size_t)count * sizeof(Box))};
  for (int p = 0; p < count; p++) {
    side.parts[p] = p;
    side.boxes[p] = part_box_at(body->boxes, p, shift);
    if (body->parts[p].extent > side.most) side.most = body->parts[p].extent;
  }
  return side;
}

static Box box_of_all(const PartSide *side)
{
  assert_debug(side->count > 0 && "a side has parts");
  Box all = side->boxes[0];
  for (int i = 1; i < side->count; i++) all = box_join(all, side->boxes[i]);
  return all;
}

// Leaves the parts that are within the distance of a box.
static void keep_near_box(PartSearch *search, PartSide *side, Box box, double distance)
{
  int kept = 0;
  search->near.compared += side->count;
  for (int i = 0; i < side->count; i++) {
    if (!boxes_within(side->boxes[i], box, distance)) continue;
    side->parts[kept] = side->parts[i];
    side->boxes[kept++] = side->boxes[i];
  }
  side->count = kept;
}

typedef struct {
  double low;
  int index;
} SweepEntry;

static int compare_entries(const void *p, const void *q)
{
  const SweepEntry *x = p, *y = q;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static int compare_pairs(const void *p, const void *q)
{
  const PartIndices *x = p, *y = q;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

static SweepEntry *sorted_entries(const PartSide *side, int axis, Arena *arena)
{
  assert_debug(axis >= 0 && axis < 3 && "space has three axes");
  SweepEntry *entries = arena_allocate(arena, (size_t)side->count * sizeof *entries);
  for (int i = 0; i < side->count; i++) {
    entries[i] = (SweepEntry){vec3_component(side->boxes[i].low, axis), i};
  }
  qsort(entries, (size_t)side->count, sizeof *entries, compare_entries);
  return entries;
}

// Both sides sorted by their low ends: each box meets those of the other side that begin within it.
static void sweep(PartSearch *search, const PartSide *a, const PartSide *b, double distance)
{
  const Box all = box_of_all(a);
  const vec3 size = vec3_sub(all.high, all.low);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const SweepEntry *of_a = sorted_entries(a, axis, search->arena);
  const SweepEntry *of_b = sorted_entries(b, axis, search->arena);
  for (int i = 0, j = 0; i < a->count && j < b->count;) {
    if (of_a[i].low <= of_b[j].low) {
      const double end = vec3_component(a->boxes[of_a[i].index].high, axis) + distance;
      for (int k = j; k < b->count && of_b[k].low <= end; k++)
        try_pair(search, a, of_a[i].index, b, of_b[k].index);
      i++;
    } else {
      const double end = vec3_component(b->boxes[of_b[j].index].high, axis) + distance;
      for (int k = i; k < a->count && of_a[k].low <= end; k++)
        try_pair(search, a, of_a[k].index, b, of_b[j].index);
      j++;
    }
  }
  if (search->near.count > 1) {
    qsort(search->near.pairs, (size_t)search->near.count, sizeof *search->near.pairs,
          compare_pairs);
  }
}

NearParts part_pairs_find(const PosedBody *a, const PosedBody *b, double margin, double reach,
                          Arena *arena)
{
  assert_debug(a->shape->part_count > 0 && b->shape->part_count > 0 && "both bodies have parts");
  PartSearch search = {.margin = margin, .reach = reach, .arena = arena};
  PartSide of_a = side_new(a, vec3_new(0, 0, 0), arena);
  PartSide of_b = side_new(b, vec3_sub(b->center, a->center), arena);
  if ((int64_t)of_a.count * of_b.count > FEW_PAIRS) {
    // no pair is looked at with more than this
    const double distance = margin * smaller_of(of_a.most, of_b.most) + reach;
    keep_near_box(&search, &of_a, box_of_all(&of_b), distance);
    if (of_a.count > 0) keep_near_box(&search, &of_b, box_of_all(&of_a), distance);
    if ((int64_t)of_a.count * of_b.count > FEW_PAIRS) {
      sweep(&search, &of_a, &of_b, distance);
      return search.near;
    }
  }
  try_all_pairs(&search, &of_a, &of_b);
  return search.near;
}

NearParts part_pairs_all(const PosedBody *a, const PosedBody *b, double margin, double reach,
                         Arena *arena)
{
  PartSearch search = {.margin = margin, .reach = reach, .arena = arena};
  const PartSide of_a = side_new(a, vec3_new(0, 0, 0), arena);
  const PartSide of_b = side_new(b, vec3_sub(b->center, a->center), arena);
  try_all_pairs(&search, &of_a, &of_b);
  return search.near;
}
