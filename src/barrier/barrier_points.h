#pragma once
// Where the potential of the other body is summed over a surface.
#include "barrier_surface.h"

// Local. Fills points and areas of a surface that has all else: refine parts to each side of a
// cell, as barrier_surface.h says.
void barrier_points_lay(BarrierSurface *surface, int refine, Arena *arena);
