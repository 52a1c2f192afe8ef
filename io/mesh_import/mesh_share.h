#pragma once
// Meshes read on one rank and known to all.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "finite_pieces.h"
#include "mesh_block.h"
#include "shape.h"

// A body in pieces that are bodies themselves.
typedef struct {
  const FinitePieces *pieces;   // NULL: it is whole
  const ShapeRecipe *shapes;    // [pieces->count] in the mesh frame, m
  const vec3 *arm;              // [pieces->count] see mesh_cut.h
  uint32_t shares;              // CRC-32C of the piece of each cell
} SharedPieces;

typedef struct {
  const char *path;
  MeshFrame mesh_frame;
  int count;              // bodies in it
  const char **names;     // [count] "" where the file gives none
  ShapeRecipe *shapes;    // [count] in the mesh frame, m
  bool *fixed;            // [count] supports of the file; NULL: it cannot say so
  FiniteMesh *cells;      // [count] of the file, in the mesh frame; NULL: unasked, or faces alone
  SharedPieces *pieces;   // [count] where cells are; NULL: no body is cut
  const char *note;       // what was mended, a line per body, and what is not read; "" for nothing
  uint32_t contents;      // CRC-32C of the shapes and cells; of names and supports where there are
  uint32_t layout;        // CRC-32C of their numbers of parts, corners and triangles, of cells, and
                          // of the piece that each cell is in
} SharedMesh;

// A way to read a mesh, whichever ranks take part: false with one message that names file, mesh
// block and reason.
typedef bool (*MeshReader)(const char *path, MeshFrame mesh_frame, Arena *arena, SharedMesh *mesh,
                           ErrorText error);

// Local. Reads the file here. For the tests.
bool mesh_read_here(const char *path, MeshFrame mesh_frame, Arena *arena, SharedMesh *mesh,
                    ErrorText error);

// Collective. Rank 0 reads the file, cuts it into convex parts, and sends these to everybody.
bool mesh_read_shared(const char *path, MeshFrame mesh_frame, Arena *arena, SharedMesh *mesh,
                      ErrorText error);
