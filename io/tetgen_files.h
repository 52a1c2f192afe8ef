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
} BlockFilling;

// Local. The surface of a block as the text of an .smesh file (arena): points counted from 0, every
// triangle a facet. Numbers have 17 digits, so that they come back as they were.
char *tetgen_write_surface(const MeshBlock *block, size_t *count, Arena *arena);

// Local. Reads the texts of a .node and an .ele file that belong to a block: its points first, to
// rounding, then inner points; the block's own are taken. Each text ends with a zero. False with a
// phrase that says what is wrong.
bool tetgen_read_filling(const MeshBlock *block, const char *node, const char *ele, Arena *arena,
                         BlockFilling *filling, char *reason, size_t bytes);
