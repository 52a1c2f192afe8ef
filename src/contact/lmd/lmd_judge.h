#pragma once
// Whether a surface suits the model lmd: it can be moved inwards, and does not cross itself then.
#include "surface_base.h"

// Local. The result of surface_base_build, SURFACE_BASE_CROSSES or SURFACE_BASE_UNMOVED with a
// place, and a dilation that would do: moved inwards by it the surface is sound. dilation >= 0, m.
// The surface is in the arena where it is sound.
SurfaceBaseResult lmd_judge_surface(const SurfacePieces *pieces, double dilation, Arena *arena,
                                    SurfaceBase *surface);

// Local. A share of the extent (m) for a surface that was refused, a little below the largest one
// that would do and of three digits, at which it is sound; 0: none from the least one on.
double lmd_judge_share(const SurfacePieces *pieces, const SurfaceBaseResult *refused, double extent,
                       double least);
