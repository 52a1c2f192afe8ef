#pragma once
// Surfaces for the tests of nearest places, and their points by both searches.
#include "harness.h"
#include "lmd_judge.h"
#include "lmd_search.h"
#include "surface_solids.h"

static const double angle[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
static const double cup[8][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
static const mat3 one = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// All points of two bodies, by trees and by all pairs to the same bits.
static inline LmdSet find_both(LmdQuery query, Arena *arena)
{
  const LmdSet set = lmd_search_pairs(&query, arena), fast = lmd_search_trees(&query, arena);
  CHECK(set.count == fast.count && set.meets == fast.meets);
  CHECK(set.count != fast.count || set.count == 0 ||
        memcmp(set.points, fast.points, (size_t)set.count * sizeof *set.points) == 0);
  return set;
}

// Bodies of many kinds, none convex alone: prisms, lattices of cubes, stones.
#define LMD_SOLIDS 12
static inline SurfaceBase *lmd_solids(double share, Random *random, Arena *arena)
{
  SurfaceBase *solid = arena_allocate(arena, LMD_SOLIDS * sizeof *solid);
  for (int k = 0; k < LMD_SOLIDS; k++) {
    SurfaceBaseStatus status;
    do {
      const CubeLattice lattice = lattice_random(2 + k % 2, 0.6, random);
      const Net net = k < 2   ? net_prism(k ? angle : cup, k ? 6 : 8, 0, 1, arena)
                      : k < 8 ? net_of_lattice(&lattice, arena)
                              : net_stone(k % 2, 0.3, random, arena);
      const SurfacePieces pieces = net_pieces(&net, arena);
      status = share > 0 ? lmd_judge_surface(&pieces, share, arena, &solid[k]).status
                         : surface_base_build(&pieces, share, arena, &solid[k]).status;
      // pits of a lattice that touch in a corner open into each other when it is moved inwards
    } while (k > 1 && k < 8 && (status == SURFACE_BASE_CROSSES || status == SURFACE_BASE_UNMOVED));
    CHECK(status == SURFACE_BASE_OK);
  }
  return solid;
}
