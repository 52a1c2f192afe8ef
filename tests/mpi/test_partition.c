// Partitions of walls, rubble and loose bodies beside METIS on the whole graph: balance, cut,
// ghosts, neighbours; a second one at once moves nothing; any number of bodies anywhere.
// test: timeout 300
// test: also_on 16 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve.h"
#include "harness.h"
#include "hash.h"
#include "lattice_graph.h"
#include "parallel.h"
#include "whole_partition.h"

typedef enum { DEAL_IN_ORDER, DEAL_AT_RANDOM, DEAL_LAST } Deal;

static int *deal_bodies(Lattice l, Deal deal, Arena *arena)
{
  const int n = lattice_count(l), ranks = par_size();
  int *owner = arena_allocate(arena, ((size_t)n + 1) * sizeof *owner);
  for (int v = 0; v < n; v++)
    owner[v] = deal == DEAL_IN_ORDER    ? (int)((int64_t)v * ranks / n)
               : deal == DEAL_AT_RANDOM ? (int)(hash_mix((uint64_t)v, 3) % (uint64_t)ranks)
                                        : ranks - 1;
  return owner;
}

// Shares out anew what owner[] tells, in place, and checks the report by what came of it.
static OwnershipReport partition(Lattice l, OwnershipGrain grain, int64_t scale, int *owner,
                                 Arena *arena)
{
  const int n = lattice_count(l);
  const OwnershipGraph graph = lattice_graph(l, owner, scale, arena);
  int *own = arena_allocate(arena, ((size_t)graph.vertex_count + 1) * sizeof *own);
  int *after = arena_allocate(arena, ((size_t)n + 1) * sizeof *after);
  const OwnershipReport report = ownership_partition(&graph, grain, own, arena);
  int wrong = 0;
  for (int v = 0; v < graph.vertex_count; v++) wrong += own[v] < 0 || own[v] >= par_size();
  if (!CHECK(wrong == 0)) return report;
  lattice_gather(l, &graph, own, after, arena);
  int moved = 0;
  for (int v = 0; v < n; v++) moved += owner[v] != after[v];
  if (par_size() > 1) {
    const LatticeCut was = lattice_cut(l, owner, arena), is = lattice_cut(l, after, arena);
    CHECK(report.vertices == n && report.moved == moved);
    CHECK(report.cut_before == scale * was.cut && report.cut_after == scale * is.cut);
    if (n > 0) CHECK_NEAR(report.imbalance, is.imbalance, 1e-12);
  }
  memcpy(owner, after, (size_t)n * sizeof *owner);
  return report;
}

static int64_t cut_of_metis(Lattice l, const int *owner, Arena *arena)
{
  const OwnershipGraph graph = lattice_graph(l, owner, 1, arena);
  int *own = arena_allocate(arena, ((size_t)graph.vertex_count + 1) * sizeof *own);
  int *all = arena_allocate(arena, (size_t)lattice_count(l) * sizeof *all);
  whole_partition(&graph, own, arena);
  lattice_gather(l, &graph, own, all, arena);
  return lattice_cut(l, all, arena).cut;
}

// with segments of some ten bodies, as on many ranks; the wall has at least 500 per rank up to 12
static void check_quality(Lattice l, const char *name, Arena *arena)
{
  const OwnershipGrain coarse = {32, 256, 0};
  int *owner = deal_bodies(l, DEAL_IN_ORDER, arena);
  const int64_t metis = cut_of_metis(l, owner, arena);
  const OwnershipReport report = partition(l, coarse, 1, owner, arena);
  const LatticeCut cut = lattice_cut(l, owner, arena);
  if (par_rank() == 0)
    printf(
        "%s: %lld segments, imbalance %.3f, share %.3f, neighbours %d, ghosts %d, cut %lld, that "
        "of METIS %lld\n",
        name, (long long)report.segments, report.imbalance, report.share_after, cut.neighbours,
        cut.ghosts, (long long)cut.cut, (long long)metis);
  if (par_size() > 1) CHECK(report.segments <= 32 * par_size() || report.segments <= 256);
  CHECK(report.share_after <= 1.1 && report.imbalance <= 1.1);
  CHECK((double)cut.cut <= 1.05 * (double)metis || l.kind == LATTICE_LOOSE);
  if (l.kind == LATTICE_LOOSE) CHECK(cut.cut * 20 <= report.cut_before);
  if (l.kind == LATTICE_WALL) CHECK(cut.neighbours <= 8);

  // nothing has changed, or the work of all alike: hardly a body moves
  const int n = lattice_count(l);
  CHECK(partition(l, coarse, 1, owner, arena).moved <= n / 50);
  CHECK(partition(l, coarse, 4, owner, arena).moved <= n / 50);
  if (par_size() > 7) return;
  partition(l, OWNERSHIP_GRAIN, 1, owner, arena);
  CHECK(lattice_cut(l, owner, arena).imbalance <= 1.1);
  CHECK(partition(l, OWNERSHIP_GRAIN, 1, owner, arena).moved <= n / 50);
}

// A wall of 20 courses grows in length: ghosts of a rank stay what they are, one of each course at
// two straight ends of a slice.
static void check_growth(Arena *arena)
{
  const Lattice l = {LATTICE_WALL, 25 * par_size(), 1, 20};
  int *owner = deal_bodies(l, DEAL_IN_ORDER, arena);
  const OwnershipReport report = partition(l, OWNERSHIP_GRAIN, 1, owner, arena);
  const LatticeCut cut = lattice_cut(l, owner, arena);
  if (par_rank() == 0)
    printf("long wall: %lld segments, share %.3f, neighbours %d, ghosts %d\n",
           (long long)report.segments, report.share_after, cut.neighbours, cut.ghosts);
  CHECK(report.share_after <= 1.1);
  CHECK(cut.neighbours <= 2 && cut.ghosts <= 2 * l.nz);
}

// whoever holds what: balanced, and the segments are the same
static void check_deals(Arena *arena)
{
  const Lattice l = {LATTICE_RUBBLE, 12, 12, 12};
  int64_t segments[3];
  for (int deal = 0; deal < 3; deal++) {
    const ArenaMark mark = arena_mark(arena);
    int *owner = deal_bodies(l, (Deal)deal, arena);
    const OwnershipReport report = partition(l, (OwnershipGrain){20, 0, 0}, 1, owner, arena);
    segments[deal] = report.segments;
    const bool many = lattice_count(l) >= 200 * par_size();
    CHECK(report.share_after <= (many ? 1.1 : 1.3));
    arena_release(arena, mark);
  }
  CHECK(segments[0] == segments[1] && segments[0] == segments[2]);
}

static void check_few(Arena *arena)
{
  const int counts[] = {0, 1, 2, 5, 11, 40};
  for (int c = 0; c < 6; c++)
    for (int deal = 0; deal < 3; deal++) {
      const Lattice l = {LATTICE_WALL, counts[c], 1, 1};
      int *owner = deal_bodies(l, (Deal)deal, arena);
      const OwnershipReport first = partition(l, OWNERSHIP_GRAIN, 1, owner, arena);
      CHECK(first.most_after <= first.most_before);
      const OwnershipReport again = partition(l, OWNERSHIP_GRAIN, 1, owner, arena);
      CHECK(again.moved * 50 <= counts[c]);
    }
}

// each place once, neighbours along the curve share a face
static void check_curve(int dimensions, int bits)
{
  const int side = 1 << bits, cells = 1 << (dimensions * bits);
  uint32_t at[1 << 12][3];
  int seen = 0, apart = 0;
  memset(at, 0xff, sizeof at);
  for (int i = 0; i < cells; i++) {
    const uint32_t cell[3] = {(uint32_t)(i % side), (uint32_t)(i / side % side),
                              (uint32_t)(i / side / side)};
    const uint64_t place = curve_place_of_cell(cell, dimensions, bits);
    if (!CHECK(place < (uint64_t)cells)) return;
    seen += at[place][0] == UINT32_MAX;
    memcpy(at[place], cell, sizeof cell);
  }
  CHECK(seen == cells);
  for (int i = 1; i < cells; i++) {
    int steps = 0;
    for (int a = 0; a < 3; a++) steps += abs((int)at[i][a] - (int)at[i - 1][a]);
    apart += steps != 1;
  }
  CHECK(apart == 0);
}

static void check_curves(void)
{
  check_curve(1, 7);
  check_curve(2, 6);
  check_curve(3, 4);
  const vec3 low = {-1, 2, 3};
  CHECK(curve_new(low, vec3_add(low, vec3_new(4, 1, 3)), 1000).dimensions == 3);
  CHECK(curve_new(low, vec3_add(low, vec3_new(4, 0.01, 3)), 1000).dimensions == 2);
  CHECK(curve_new(low, vec3_add(low, vec3_new(0.001, 0, 300)), 1000).dimensions == 1);
  CHECK(curve_new(low, low, 1).dimensions == 1 && curve_key(&(Curve){.dimensions = 1}, low) == 0);

  // lengths scaled by powers of four give the same places
  const Curve one = curve_new(low, vec3_new(2, 7, 5), 1000),
              four = curve_new(vec3_scale(4, low), vec3_new(8, 28, 20), 1000);
  for (int i = 0; i < 100; i++) {
    const vec3 x = vec3_new(-1 + 0.03 * i, 2 + 0.05 * i, 3 + 0.02 * i);
    CHECK(curve_key(&one, x) == curve_key(&four, vec3_scale(4, x)));
  }
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  Arena arena = arena_new();
  if (par_size() <= 7) {
    check_curves();
    check_deals(&arena);
    arena_reset(&arena);
    check_few(&arena);
    arena_reset(&arena);
    check_quality((Lattice){LATTICE_LOOSE, 16, 16, 16}, "loose", &arena);
    arena_reset(&arena);
  } else {
    check_growth(&arena);
    arena_reset(&arena);
  }
  if (par_size() <= 16) {
    check_quality((Lattice){LATTICE_RUBBLE, 16, 16, 16}, "rubble", &arena);
    arena_reset(&arena);
  }
  check_quality((Lattice){LATTICE_WALL, 100, 1, 60}, "wall", &arena);
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
