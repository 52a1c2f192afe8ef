#pragma once
// Corners of Voronoi cells that were cut one by one: those in one place become one corner.
#include "voronoi.h"

// Corners of all cells as they were cut.
typedef struct {
  Arena *arena;
  int corner_count, capacity;
  vec3 *corners;   // [corner_count] m
} VoronoiDraft;

// Local. Adds a corner.
void voronoi_draft_corner(VoronoiDraft *draft, vec3 corner);

// Local. Writes the cells with one corner for each place. Edges and faces that vanish by that are
// left out.
void voronoi_weld(const VoronoiSpace *space, const VoronoiDraft *draft, const VoronoiCell *drafted,
                  Arena *arena, VoronoiCells *cells);
