// Moves surfaces inwards and looks for places where they cross themselves.
#include "lmd_judge.h"

#include <assert.h>

#include "lmd_search.h"

#define JUDGE_HALVINGS 20   // of the search for a dilation that would do

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

SurfaceBaseResult lmd_judge_surface(const SurfacePieces *pieces, double dilation, Arena *arena,
                                    SurfaceBase *surface)
{
  const ArenaMark mark = arena_mark(arena);
  SurfaceBaseResult result = judge_once(pieces, dilation, arena, surface);
  if (result.status != SURFACE_BASE_CROSSES) return result;
  double low = 0, high = dilation;
  for (int i = 0; i < JUDGE_HALVINGS; i++) {
    arena_release(arena, mark);
    const double middle = 0.5 * (low + high);
    if (judge_once(pieces, middle, arena, surface).status == SURFACE_BASE_OK) low = middle;
    else high = middle;
  }
  result.would_do = low;
  return result;
}
