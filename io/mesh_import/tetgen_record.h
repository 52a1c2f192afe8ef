#pragma once
// A filling that tetgen found as bytes of a file, named by the content of its mesh block. A file
// holds one record after another.
#include "convex_parts.h"
#include "hash.h"
#include "tetgen_files.h"

#define TETGEN_RECORD_LARGEST ((size_t)1 << 36)   // bytes of a file

// Bytes of one record or more (memory_free); NULL: none.
typedef struct {
  char *bytes;
  size_t count;
} TetgenRecords;

// Local. The hash of points and triangles of a mesh block.
Hash128 tetgen_record_hash(const MeshBlock *mesh_block);

// Local. The record of a filling.
TetgenRecords tetgen_record_make(const MeshBlock *mesh_block, const Tetrahedra *filling);

// Local. Looks in records for that of a mesh block; false where there is none, or a damaged one, or
// one of another version. Fillings are not judged.
bool tetgen_record_find(const TetgenRecords *records, const MeshBlock *mesh_block, Arena *arena,
                        MeshFilling *filling);

// Local. Adds to [to] the sound records of [from] that it lacks.
void tetgen_record_join(TetgenRecords *to, const TetgenRecords *from);
