#pragma once
// Whether a surface suits the model lmd: it can be moved inwards, and does not cross itself then.
#include "surface_base.h"

// Local. The result of surface_base_build, or SURFACE_BASE_CROSSES with a place and the largest
// dilation that would do. dilation >= 0, m. The surface is in the arena where it is sound.
SurfaceBaseResult lmd_judge_surface(const SurfacePieces *pieces, double dilation, Arena *arena,
                                    SurfaceBase *surface);
