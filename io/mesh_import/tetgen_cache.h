#pragma once
// Where fillings that tetgen found are kept: the user's cache, and a file beside a mesh that
// travels with it.
#include "tetgen_record.h"

enum { TETGEN_CACHE_PATH = 4096 };

// Local. The file of the cache for a mesh block: HASH.tetra in the folder drystone/tetra1 of
// XDG_CACHE_HOME or, where that is not an absolute path, of ~/.cache. False with a reason where
// there is none.
bool tetgen_cache_path(const MeshBlock *mesh_block, char path[TETGEN_CACHE_PATH], ErrorText reason);

// Local. The file beside a mesh: MESH.tetra; false where it is longer than the room.
bool tetgen_cache_beside(const char *mesh_path, char path[TETGEN_CACHE_PATH]);

// Local. The records of a file (memory_free), none where it cannot be read.
TetgenRecords tetgen_cache_read(const char *path);

// Local. Writes a file in one go, whoever else writes or reads it now; folders above it that are
// missing are made. Removes what writers that died have left in its folder. False with a reason.
bool tetgen_cache_write(const char *path, const TetgenRecords *records, ErrorText reason);
