// Aggregates of rows: roots by hash of key in rounds, then the rows beside them.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "amg_level.h"
#include "check.h"
#include "hash.h"

#define SALT 0xa99e9a7e5U   // of the priorities of levels

// What is known of a row while roots are found; the higher class, then the higher hash wins.
enum { CLASS_OUT, CLASS_OPEN, CLASS_ROOT };
typedef struct {
  uint64_t hash;
  int64_t class;
} Candidate;

static Candidate better(Candidate a, Candidate b)
{
  if (a.class != b.class) return a.class > b.class ? a : b;
  return a.hash >= b.hash ? a : b;
}

static Candidate best_around(const Level *level, const Candidate *candidates, int row)
{
  assert_debug(row >= 0 && row < level->own && "an own row knows its couplings");
  Candidate best = candidates[row];
  for (int e = level->full_start[row]; e < level->full_start[row + 1]; e++)
    best = better(best, candidates[level->full_column[e]]);
  return best;
}

// the lexicographically first set by hash, in rounds: an open row that is the best within two
// couplings is a root, one that has a root there is out
static void find_roots(const Level *level, int depth, Candidate *rows, Arena *scratch)
{
  assert(depth >= 0 && "levels are counted from the finest");
  Candidate *near = arena_allocate(scratch, ((size_t)level->count + 1) * sizeof *near);
  int *open = arena_allocate(scratch, ((size_t)level->own + 1) * sizeof *open);
  int open_count = 0;
  for (int i = 0; i < level->count; i++) {
    const bool is_open = i >= level->own || !level->alone[i];
    rows[i] = (Candidate){hash_mix(level->key[i], SALT + (uint64_t)depth),
                          is_open ? CLASS_OPEN : CLASS_OUT};
    if (i < level->own && is_open) open[open_count++] = i;
  }
  while (amg_level_any(level, open_count > 0)) {
    for (int i = 0; i < level->own; i++) near[i] = best_around(level, rows, i);
    halo_refresh(&level->plan, near, sizeof *near, scratch);
    int left = 0;
    for (int k = 0; k < open_count; k++) {
      const int i = open[k];
      const Candidate best = best_around(level, near, i);
      if (best.class == CLASS_ROOT) rows[i].class = CLASS_OUT;
      else if (best.hash == rows[i].hash) rows[i].class = CLASS_ROOT;
      else open[left++] = i;
    }
    open_count = left;
    halo_refresh(&level->plan, rows, sizeof *rows, scratch);
  }
}

static int compare_aggregates(const void *a, const void *b)
{
  const Aggregate *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return p->joined - q->joined;
}

// the aggregate that most couplings of a row lead to, from those beside their roots
static void join_most(const Level *level, const Aggregate *aggregates, int row, Aggregate *chosen,
                      int *via, Aggregate *around)
{
  assert_debug(row >= 0 && row < level->own && !level->alone[row] &&
               "an own row with couplings joins");
  // joined holds the neighbour for the while
  int count = 0;
  for (int e = level->full_start[row]; e < level->full_start[row + 1]; e++) {
    const int j = level->full_column[e];
    if (aggregates[j].rank < 0 || aggregates[j].joined) continue;
    around[count] = aggregates[j];
    around[count++].joined = j;
  }
  if (count > 1) qsort(around, (size_t)count, sizeof *around, compare_aggregates);
  int most = 0;
  for (int i = 0, end; i < count; i = end) {
    for (end = i; end < count && around[end].key == around[i].key; end++) continue;
    if (end - i <= most) continue;
    most = end - i;
    *chosen = (Aggregate){around[i].key, around[i].rank, 1};
    *via = around[i].joined;
  }
}

Aggregation amg_level_aggregate(const Level *level, int depth, Arena *arena)
{
  assert(level->own <= level->count && level->full_start != NULL && "a level has its pattern");
  Aggregate *aggregates = arena_allocate(arena, ((size_t)level->count + 1) * sizeof *aggregates);
  int *via = arena_allocate(arena, ((size_t)level->own + 1) * sizeof *via);
  const ArenaMark mark = arena_mark(arena);
  Candidate *rows = arena_allocate(arena, ((size_t)level->count + 1) * sizeof *rows);
  find_roots(level, depth, rows, arena);

  // roots and their neighbours; a row has one root beside it at most
  int widest = 0;
  for (int i = 0; i < level->own; i++) {
    const int degree = level->full_start[i + 1] - level->full_start[i];
    if (degree > widest) widest = degree;
    int root = rows[i].class == CLASS_ROOT ? i : -1;
    for (int e = level->full_start[i]; e < level->full_start[i + 1] && root < 0; e++)
      if (rows[level->full_column[e]].class == CLASS_ROOT) root = level->full_column[e];
    via[i] = root;
    aggregates[i] = (Aggregate){0, -1, 0};
    if (root < 0) continue;
    const int rank = root < level->own ? par_rank() : level->rank[root - level->own];
    aggregates[i] = (Aggregate){level->key[root], rank, 0};
  }
  halo_refresh(&level->plan, aggregates, sizeof *aggregates, arena);

  // the rest
  Aggregate *around = arena_allocate(arena, ((size_t)widest + 1) * sizeof *around);
  for (int i = 0; i < level->own; i++)
    if (aggregates[i].rank < 0 && !level->alone[i])
      join_most(level, aggregates, i, &aggregates[i], &via[i], around);
  halo_refresh(&level->plan, aggregates, sizeof *aggregates, arena);
  arena_release(arena, mark);
  return (Aggregation){aggregates, via};
}
