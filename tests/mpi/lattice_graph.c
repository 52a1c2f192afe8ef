#include "lattice_graph.h"

#include <string.h>

#include "hash.h"
#include "parallel.h"

#define POINT_WORK 30   // of a contact point on one side, about 50 sweeps
#define POINTS 4        // of a contact
#define GHOST_WORK 8

int lattice_count(Lattice l) { return l.nx * l.ny * l.nz; }

static double jitter(int id, int axis)
{
  return (double)(hash_mix((uint64_t)id, (uint64_t)axis) >> 11) * 0x1p-53 - 0.5;
}

// bricks of 2 x 1 x 1 in running bond, or bodies about one apart
static vec3 place_of(Lattice l, int id)
{
  const int x = id % l.nx, y = id / l.nx % l.ny, z = id / l.nx / l.ny;
  if (l.kind == LATTICE_WALL) return vec3_new(2 * x + z % 2, y, z);
  const double by = l.kind == LATTICE_RUBBLE ? 0.5 : 0.8;
  return vec3_new(x + by * jitter(id, 0), y + by * jitter(id, 1), z + by * jitter(id, 2));
}

static bool touch(Lattice l, int a, int b)
{
  const vec3 d = vec3_sub(place_of(l, a), place_of(l, b));
  if (l.kind == LATTICE_WALL)
    return fabs(d.x) + 2 * fabs(d.y) + fabs(d.z) < 2.5 && (d.z == 0 || fabs(d.x) < 2);
  const double reach = l.kind == LATTICE_RUBBLE ? 1.25 : 0.7;
  return vec3_dot(d, d) < reach * reach;
}

int lattice_neighbours(Lattice l, int id, int *others)
{
  const int x = id % l.nx, y = id / l.nx % l.ny, z = id / l.nx / l.ny;
  int count = 0;
  for (int k = z - 1; k <= z + 1; k++)
    for (int j = y - 1; j <= y + 1; j++)
      for (int i = x - 1; i <= x + 1; i++) {
        if (i < 0 || j < 0 || k < 0 || i >= l.nx || j >= l.ny || k >= l.nz) continue;
        const int other = i + l.nx * (j + l.ny * k);
        if (other != id && touch(l, id, other)) others[count++] = other;
      }
  return count;
}

static int64_t work_of(Lattice l, int id)
{
  int others[26];
  return GHOST_WORK + POINTS * POINT_WORK * lattice_neighbours(l, id, others) +
         (int64_t)(hash_mix((uint64_t)id, 7) % 64);
}

OwnershipGraph lattice_graph(Lattice l, const int *owner, int64_t scale, Arena *arena)
{
  const int n = lattice_count(l);
  size_t own = 0;
  for (int v = 0; v < n; v++) own += owner[v] == par_rank();
  uint64_t *ids = arena_allocate(arena, (own + 1) * sizeof *ids);
  vec3 *places = arena_allocate(arena, (own + 1) * sizeof *places);
  int64_t *work = arena_allocate(arena, (own + 1) * sizeof *work);
  int64_t *start = arena_allocate_zero(arena, own + 1, sizeof *start);
  uint64_t *edges = arena_allocate(arena, (26 * own + 1) * sizeof *edges);
  int *ranks = arena_allocate(arena, (26 * own + 1) * sizeof *ranks);
  int64_t *edge_work = arena_allocate(arena, (26 * own + 1) * sizeof *edge_work);
  OwnershipGraph graph = {0, ids, places, work, start, edges, ranks, edge_work, scale * GHOST_WORK};
  int64_t e = 0;
  for (int v = 0; v < n; v++) {
    if (owner[v] != par_rank()) continue;
    int others[26];
    const int degree = lattice_neighbours(l, v, others);
    for (int k = 0; k < degree; k++) {
      edges[e] = (uint64_t)others[k];
      ranks[e] = owner[others[k]];
      edge_work[e++] = scale * POINTS * POINT_WORK;
    }
    ids[graph.vertex_count] = (uint64_t)v;
    places[graph.vertex_count] = place_of(l, v);
    work[graph.vertex_count++] = scale * work_of(l, v);
    start[graph.vertex_count] = e;
  }
  return graph;
}

LatticeCut lattice_cut(Lattice l, const int *owner, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const size_t ranks = (size_t)par_size();
  int *neighbours = arena_allocate_zero(arena, ranks, sizeof *neighbours);
  int *ghosts = arena_allocate_zero(arena, ranks, sizeof *ghosts);
  int64_t *work = arena_allocate_zero(arena, ranks, sizeof *work), total = 0;
  unsigned char *meet = arena_allocate_zero(arena, ranks * ranks, 1);
  LatticeCut cut = {0};
  for (int v = 0; v < lattice_count(l); v++) {
    int others[26], seen[26], seen_count = 0;
    const int degree = lattice_neighbours(l, v, others);
    work[owner[v]] += work_of(l, v);
    total += work_of(l, v);
    for (int k = 0; k < degree; k++) {
      const int other = owner[others[k]];
      if (other == owner[v]) continue;
      cut.cut += POINTS * POINT_WORK;
      meet[(size_t)owner[v] * ranks + (size_t)other] = 1;
      int s = 0;
      while (s < seen_count && seen[s] != other) s++;
      if (s == seen_count) {
        seen[seen_count++] = other;
        ghosts[other]++;
        cut.cut += GHOST_WORK;
      }
    }
  }
  int64_t most = 0;
  for (size_t r = 0; r < ranks; r++) {
    for (size_t s = 0; s < ranks; s++) neighbours[r] += meet[r * ranks + s];
    if (neighbours[r] > cut.neighbours) cut.neighbours = neighbours[r];
    if (ghosts[r] > cut.ghosts) cut.ghosts = ghosts[r];
    if (work[r] > most) most = work[r];
  }
  cut.imbalance = (double)most * (double)ranks / (double)total;
  arena_release(arena, mark);
  return cut;
}

void lattice_gather(Lattice l, const OwnershipGraph *graph, const int *owners, int *all,
                    Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const int n = lattice_count(l);
  int64_t *sum = arena_allocate_zero(arena, (size_t)n, sizeof *sum);
  for (int v = 0; v < graph->vertex_count; v++) sum[graph->ids[v]] = owners[v];
  par_sum_many(sum, n);
  for (int v = 0; v < n; v++) all[v] = (int)sum[v];
  arena_release(arena, mark);
}
