#pragma once
// Fills closed surfaces with tetrahedra by the program tetgen in a process of its own; what it
// found is kept in the user's cache.
#include <stdbool.h>
#include <stddef.h>

#include "convex_parts.h"
#include "mesh_block.h"
#include "tetgen_cache.h"

typedef struct {
  bool from_cache;                 // or from the file beside the mesh
  char cache[TETGEN_CACHE_PATH];   // the file that holds or now holds the result; "" for none
  char unkept[600];                // why there is none
} TetgenReport;

// Which program, and how long it may take.
typedef struct {
  const char *program;   // name or path; NULL: that of the user
  double seconds;        // of one mesh block
} TetgenProgram;

// What is filled.
typedef struct {
  const MeshBlock *mesh_block;
  const char *mesh_path;   // the file it came from
  TetgenProgram by;
  const TetgenRecords *beside;   // what lies beside that; NULL: nothing
} TetgenTask;

#define TETGEN_VARIABLE "DRYSTONE_TETGEN"   // names another program than "tetgen"
#define TETGEN_SECONDS 1200.0

// Local. Tetrahedra of a mesh block; its points come first, unchanged, and its triangles are their
// outer faces. The sum of the volumes equals the mesh block's to 1e-12. False with one message: no
// such program (and what to install), a failure of it, another volume. May be called after message
// passing has begun: the process of the program shares nothing.
bool tetgen_fill(const TetgenTask *task, Arena *arena, Tetrahedra *filling, TetgenReport *report,
                 ErrorText error);

// Other tetrahedra than those that parts of contact are made of.
typedef struct {
  const char *switches;   // of the program, which must fill a surface (-p)
  bool split;             // they may split the surface's triangles
  int most_added;         // points that may be added to the mesh block's; 0: no limit
} TetgenMeshing;

// Local. Tetrahedra of a mesh block by switches of one's own: meshes to compare with, kept in no
// file. A split surface must still enclose the mesh block's volume. Errors as above, and a mesh
// that is not done with the points that may be added: some qualities never are, and fill all memory
// before the time is up.
bool tetgen_mesh(TetgenMeshing meshing, const MeshBlock *mesh_block, Arena *arena,
                 Tetrahedra *filling, ErrorText error);
