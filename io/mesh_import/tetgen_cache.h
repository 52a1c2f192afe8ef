#pragma once
// Fillings that tetgen found, kept in files beside the mesh and named by the content of the mesh
// block.
#include "tetgen_files.h"

// Local. The path of the file for a mesh block of a mesh: MESH.HASH.tetra; false when it is longer
// than the room.
bool tetgen_cache_path(const MeshBlock *mesh_block, const char *mesh_path, char *path,
                       size_t bytes);

// Local. The filling in a file; false when there is none, or one that is damaged, of another
// version or of another mesh block.
bool tetgen_cache_read(const MeshBlock *mesh_block, const char *path, Arena *arena,
                       MeshFilling *filling);

// Local. Writes a filling in one go, whoever else writes or reads the same file now. False where
// the folder takes no file, which is no error.
bool tetgen_cache_write(const MeshBlock *mesh_block, const char *path, const MeshFilling *filling);
