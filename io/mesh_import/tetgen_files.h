#pragma once
// The text files that the program tetgen reads and writes. Local.
#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "mesh_block.h"

// Tetrahedra that can still be turned round.
typedef struct {
  int point_count;
  vec3 *points;   // m
  int tetra_count;
  int (*tetra)[4];
} MeshFilling;

// The coordinates in which the program sees a mesh block: (point - low) / size.
typedef struct {
  vec3 low;       // m
  double size;    // m
  bool on_grid;   // rounded to multiples of 2^-40
} TetgenUnit;

// Local. Metres, as they are.
TetgenUnit tetgen_unit_metre(void);

// Local. A unit of the mesh block's own: its longest side is 1, and its points lie on a grid. A
// mesh block then looks the same at any scale and place, but for points within rounding of the
// middle between two of the grid.
TetgenUnit tetgen_unit_of_block(const MeshBlock *mesh_block);

// Local. The surface of a mesh block as the text of an .smesh file (arena): points counted from 0,
// every triangle a facet. Numbers have 17 digits, so that they come back as they were.
char *tetgen_write_surface(const MeshBlock *mesh_block, TetgenUnit unit, size_t *count,
                           Arena *arena);

// The texts of a .node and an .ele file, each of which ends with a zero, and their unit.
typedef struct {
  TetgenUnit unit;
  const char *node, *ele;
} TetgenAnswer;

// Local. Reads an answer that belongs to a mesh block: its points first, to rounding, then inner
// points; the mesh block's own are taken, others put back to metres. False with a phrase that says
// what is wrong.
bool tetgen_read_filling(const MeshBlock *mesh_block, const TetgenAnswer *answer, Arena *arena,
                         MeshFilling *filling, ErrorText reason);
