// Moves surfaces inwards and looks for places where they cross themselves.
#include "lmd_judge.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "lmd_search.h"

#define JUDGE_HALVINGS 20   // of the search for a dilation that would do
#define JUDGE_BELOW 0.99    // of the largest dilation at which nothing turns: that is tried
#define JUDGE_TOLD 0.95     // of what would do is told; of that, if it does not, and so on

// Builds a surface and looks for crossings of distant places.
static SurfaceBaseResult judge_once(const SurfacePieces *pieces, double dilation, Arena *arena,
                                    SurfaceBase *surface)
{
  assert(pieces->count > 0 && dilation >= 0 && "a surface is moved inwards");
  const SurfaceBaseResult result = surface_base_build(pieces, dilation, arena, surface);
  if (result.status != SURFACE_BASE_OK) return result;
  const LmdBody body = {surface, mat3_diagonal(1, 1, 1), {0, 0, 0}};
  const LmdQuery query = {.a = &body, .b = &body, .list_crossings = true, .of_itself = true};
  const LmdSet set = lmd_search_trees(&query, arena);
  if (!set.meets) return result;
  const int face = surface->base.faces[set.crossings[0].face].piece;
  return (SurfaceBaseResult){.status = SURFACE_BASE_CROSSES,
                             .piece = surface->sharp.faces[face].piece,
                             .at = set.crossings[0].at};
}

// Is a surface sound when it is moved inwards?
static bool is_sound(const SurfacePieces *pieces, double dilation, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  SurfaceBase surface;
  const bool sound = judge_once(pieces, dilation, arena, &surface).status == SURFACE_BASE_OK;
  arena_release(arena, mark);
  return sound;
}

SurfaceBaseResult lmd_judge_surface(const SurfacePieces *pieces, double dilation, Arena *arena,
                                    SurfaceBase *surface)
{
  const ArenaMark mark = arena_mark(arena);
  SurfaceBaseResult result = judge_once(pieces, dilation, arena, surface);
  if (result.status == SURFACE_BASE_OK || result.status == SURFACE_BASE_PIECES) return result;
  arena_release(arena, mark);
  // where nothing turns it may cross itself
  double low = JUDGE_BELOW * result.would_do, high = dilation;
  if (!(low > 0) || !is_sound(pieces, low, arena)) {
    if (low > 0) high = low;
    low = 0;
    for (int i = 0; i < JUDGE_HALVINGS; i++) {
      const double middle = 0.5 * (low + high);
      if (is_sound(pieces, middle, arena)) low = middle;
      else high = middle;
    }
  }
  result.would_do = low;
  if (low > 0) return result;
  SurfaceBaseResult unmoved = judge_once(pieces, 0, arena, surface);
  arena_release(arena, mark);
  if (unmoved.status != SURFACE_BASE_CROSSES) return result;
  unmoved.status = SURFACE_BASE_UNMOVED;
  return unmoved;
}

double lmd_judge_share(const SurfacePieces *pieces, const SurfaceBaseResult *refused, double extent,
                       double least)
{
  assert(refused->status != SURFACE_BASE_OK && extent > 0 && least > 0 && "a surface was refused");
  Arena scratch = arena_new();
  double share = 0;
  for (double most = JUDGE_TOLD * refused->would_do / extent; most >= least; most *= JUDGE_TOLD) {
    // the number that a reader of the message gives
    char digits[32];
    snprintf(digits, sizeof digits, "%.3g", most);
    share = strtod(digits, NULL);
    if (share >= least && is_sound(pieces, share * extent, &scratch)) break;
    share = 0;
  }
  arena_destroy(&scratch);
  return share;
}
