// Gathers by rank, then sorts.
#include "gathered_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "parallel.h"

// rows of all ranks one behind the other
static void *gather(const void *rows, size_t own, size_t bytes, int *count, Arena *arena)
{
  size_t *counts = arena_allocate(arena, (size_t)par_size() * sizeof *counts);
  void *all = par_gather(rows, own * bytes, counts, arena);
  size_t sum = 0;
  for (int r = 0; r < par_size() && par_rank() == 0; r++) sum += counts[r];
  assert(sum % bytes == 0 && "ranks send whole rows");
  *count = (int)(sum / bytes);
  return all;
}

static int compare_points(const void *a, const void *b)
{
  const GatheredPoint *p = a, *q = b;
  const int order = id_pair_compare(p->ids, q->ids);
  return order != 0 ? order : order_int(p->order, q->order);
}

void *gathered_sorted(const void *rows, size_t own, GatheredKind kind, int *count, Arena *arena)
{
  assert(kind.bytes > 0 && kind.compare != NULL && "rows have a size and an order");
  void *all = gather(rows, own, kind.bytes, count, arena);
  if (*count > 1) qsort(all, (size_t)*count, kind.bytes, kind.compare);
  return all;
}

void *gathered_bodies(const void *rows, size_t own, size_t bytes, int *count, Arena *arena)
{
  assert(bytes >= sizeof(uint64_t) && "a row begins with its id");
  return gathered_sorted(rows, own, (GatheredKind){bytes, order_u64s}, count, arena);
}

int gathered_body(const void *rows, int count, size_t bytes, uint64_t id)
{
  const char *found = bsearch(&id, rows, (size_t)count, bytes, order_u64s);
  assert(found != NULL && "a body that moves is among the rows");
  return (int)((size_t)(found - (const char *)rows) / bytes);
}

GatheredPoint *gathered_points(const Problem *problem, PointTaker taker, int *count, Arena *arena)
{
  assert(taker.take != NULL && "somebody chooses points");
  const size_t room = (size_t)problem->point_count + 1;
  GatheredPoint *points = arena_allocate_zero(arena, room, sizeof *points);
  size_t own = 0;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    for (int i = pair->first; i < pair->end; i++) {
      if (!problem->owned[i]) continue;
      const SolverPoint p = problem_point(problem, k, i);
      GatheredPoint *point = &points[own];
      if (!taker.take(taker.context, k, i, &p, point->more)) continue;
      own++;
      point->ids = (IdPair){problem->bodies->id[p.low], problem->bodies->id[p.high]};
      point->order = i - pair->first;
      point->low_moves = motion_moves(&problem->mid[p.low]);
      point->high_moves = motion_moves(&problem->mid[p.high]);
      point->friction = p.law.friction;
      point->basis = p.basis;
      point->low_arm = p.low_arm;
      point->high_arm = p.high_arm;
    }
  }
  const GatheredKind kind = {sizeof *points, compare_points};
  return gathered_sorted(points, own, kind, count, arena);
}
