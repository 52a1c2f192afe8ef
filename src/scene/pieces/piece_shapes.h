#pragma once
// Pieces of bodies: blocks of their cells, in the order of finite_blocks.h.
#include "arena.h"
#include "elastic.h"
#include "shape.h"

typedef struct {
  const ElasticMesh *mesh;   // of whole bodies
  const int *blocks;         // [3] along each axis of the cells; zeros: they are whole
  int uncut;                 // shapes that stay whole, the last ones
} PieceCuts;

// Local. In the place of each shape come those of its pieces. NULL, or a phrase (arena) that says
// what to change.
const char *piece_shapes(const PieceCuts *cuts, Arena *arena, ShapeRecipe **shapes,
                         int *shape_count);

// Local. The finite elements of a shape, by its number among those that are made so.
ElasticMesh piece_mesh(const PieceCuts *cuts, int shape);
