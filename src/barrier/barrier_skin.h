#pragma once
// The surface of a body for barriers: the body's own, moved inwards by half the distance, so that
// bodies that touch begin without a force.
#include <stddef.h>

#include "barrier_surface.h"
#include "shape.h"
#include "surface_base.h"

typedef struct {
  double depth;   // m: how far its planes are moved
  int refine;     // parts of each side of a cell
} BarrierSkin;

typedef enum {
  BARRIER_SKIN_OK,
  BARRIER_SKIN_ROUND,    // a sphere or an ellipsoid has no cells
  BARRIER_SKIN_THIN,     // nothing is left so deep inside of the body
  BARRIER_SKIN_SURFACE   // the surface does not bear the move, or is none
} BarrierSkinStatus;

typedef struct {
  BarrierSkinStatus status;
  SurfaceBaseResult surface;   // where the surface is at fault
} BarrierSkinResult;

// Local. The skin of a shape, in its frame. Planes of a convex body move by the depth exactly where
// three of them meet; a vertex of more goes where the nearest place is that all of its planes leave
// by the depth or more, and the skin is the hull of the vertices. Vertices of other bodies go where
// surface_base.h moves them: of more than three planes within the depth on average. For the tests.
BarrierSkinResult barrier_skin_build(const Shape *shape, BarrierSkin skin, Arena *arena,
                                     BarrierSurface *surface);

// Local. A phrase that says what is wrong. For the tests.
void barrier_skin_text(BarrierSkinResult result, BarrierSkin skin, char *text, size_t bytes);
