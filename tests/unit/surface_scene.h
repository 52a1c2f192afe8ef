#pragma once
// Bodies with the base surfaces of a case that says nothing, for the tests of the model lmd.
#include "harness.h"
#include "model.h"
#include "posed_scene.h"
#include "surface_base.h"

static inline PosedBody body_with_surface(PosedBody body, Arena *arena)
{
  SurfaceBase *surface = arena_allocate(arena, sizeof *surface);
  const SurfacePieces pieces = surface_pieces_of_shape(body.shape, arena);
  const double dilation = CONTACT_DILATION * body.shape->extent;
  CHECK(surface_base_build(&pieces, dilation, arena, surface).status == SURFACE_BASE_OK);
  body.surface = surface;
  return body;
}
