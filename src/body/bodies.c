#include "bodies.h"

#include <stdlib.h>

static const Field FIELDS[] = {
#define BODY_FIELD(...) TABLE_FIELD_OF(Bodies, __VA_ARGS__)
    BODY_FIELDS(BODY_FIELD)
#undef BODY_FIELD
};

void bodies_begin(Bodies *bodies)
{
  table_begin(&bodies->table, "bodies", FIELDS, (int)(sizeof FIELDS / sizeof *FIELDS));
}

void bodies_end(Bodies *bodies) { table_end(&bodies->table); }

typedef struct {
  uint64_t id;
  int row;
} Sorted;

static int compare_sorted(const void *a, const void *b)
{
  const Sorted *p = a, *q = b;
  return (p->id > q->id) - (p->id < q->id);
}

void bodies_sort(Bodies *bodies, Arena *arena)
{
  const int n = bodies->table.owned;
  int ordered = 1;
  while (ordered < n && bodies->id[ordered - 1] < bodies->id[ordered]) ordered++;
  if (ordered >= n) return;
  const ArenaMark mark = arena_mark(arena);
  Sorted *sorted = arena_allocate(arena, (size_t)n * sizeof *sorted);
  int *order = arena_allocate(arena, (size_t)n * sizeof *order);
  for (int i = 0; i < n; i++) sorted[i] = (Sorted){bodies->id[i], i};
  qsort(sorted, (size_t)n, sizeof *sorted, compare_sorted);
  for (int i = 0; i < n; i++) order[i] = sorted[i].row;
  table_permute(&bodies->table, 0, n, order);
  arena_release(arena, mark);
}

static int find_between(const Bodies *bodies, int first, int end, uint64_t id)
{
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (bodies->id[middle] == id) return middle;
    if (bodies->id[middle] < id) first = middle + 1;
    else end = middle;
  }
  return -1;
}

int bodies_find_ghost(const Bodies *bodies, uint64_t id)
{
  return find_between(bodies, bodies->table.owned, bodies->table.count, id);
}

int bodies_find(const Bodies *bodies, uint64_t id)
{
  const int own = find_between(bodies, 0, bodies->table.owned, id);
  return own >= 0 ? own : bodies_find_ghost(bodies, id);
}
