// Cuts a solid by planes until there are enough parts, and takes their hulls.
#include "pieces.h"

#include <assert.h>

#include "box.h"
#include "lump.h"
#include "lump_hull.h"
#include "lump_plane.h"
#include "memory.h"

#define PIECES_ROUGH 2e-3    // of the extent: corners of a piece that stand out less are left out
#define CONVEX_ENOUGH 1e-9   // of the solid's volume: what a hull may have more

// A lump that may be cut, with memory of its own.
typedef struct {
  Lump lump;
  Arena arena;
  bool whole;   // no plane cuts it
} Leaf;

static double excess(const Leaf *leaf) { return leaf->lump.hull.volume - leaf->lump.volume; }

// What a hull has too much, times how thick that is spread over it. By volume alone noise, which
// no cut takes away, would have large leaves cut where small ones have dents.
static double need(const Leaf *leaf) { return excess(leaf) * excess(leaf) / leaf->lump.hull.area; }

// The leaf that needs a cut most; -1: all are done.
static int worst_leaf(const Leaf *leaves, int count, double least)
{
  int worst = -1;
  for (int i = 0; i < count; i++) {
    if (leaves[i].whole || excess(&leaves[i]) <= least) continue;
    if (worst < 0 || need(&leaves[i]) > need(&leaves[worst])) worst = i;
  }
  return worst;
}

// Cuts a leaf in two: itself and a new one.
static bool cut_leaf(Leaf *leaf, const MeshBlock *solid, Leaf *added)
{
  Plane plane;
  if (!lump_plane_find(&leaf->lump, solid, &plane)) return false;
  Arena arenas[2] = {arena_new(), arena_new()};
  Lump sides[2];
  if (!lump_cut(&leaf->lump, plane, solid, arenas, sides)) {
    arena_destroy(&arenas[0]);
    arena_destroy(&arenas[1]);
    return false;
  }
  arena_destroy(&leaf->arena);
  *leaf = (Leaf){.lump = sides[0], .arena = arenas[0]};
  *added = (Leaf){.lump = sides[1], .arena = arenas[1]};
  return true;
}

ShapeRecipe pieces_make(const MeshBlock *solid, int most, Arena *arena)
{
  assert(most >= 1 && most <= MESH_MOST_PIECES && "a solid has at least one piece");
  Leaf *leaves = memory_allocate((size_t)most * sizeof *leaves);
  int count = 1;
  leaves[0] = (Leaf){.arena = arena_new()};
  leaves[0].lump = lump_of_solid(solid, &leaves[0].arena);
  const Box box = box_of_points(solid->points, solid->point_count);
  const double tolerance = PIECES_ROUGH * box_longest_side(box);
  const double least = CONVEX_ENOUGH * solid->volume;
  int worst;
  while (count < most && (worst = worst_leaf(leaves, count, least)) >= 0) {
    if (cut_leaf(&leaves[worst], solid, &leaves[count])) count++;
    else leaves[worst].whole = true;
  }
  ShapeRecipe recipe = {.part_count = count};
  recipe.parts = arena_allocate(arena, (size_t)count * sizeof *recipe.parts);
  for (int i = 0; i < count; i++) {
    recipe.parts[i] = lump_hull_take(&leaves[i].lump, tolerance, arena);
    arena_destroy(&leaves[i].arena);
  }
  memory_free(leaves);
  return recipe;
}
