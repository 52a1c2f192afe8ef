#pragma once
// What a mesh file says, before anything is judged: points, polygons and cells, by mesh block.
#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "error_text.h"
#include "vec3.h"

// One file of a mesh: its name for messages, and its bytes; NULL for a file that does not exist.
typedef struct {
  const char *path;
  const char *bytes;
  size_t count;
} MeshText;

typedef enum {
  MESH_OBJ,
  MESH_STL,
  MESH_PLY,
  MESH_TETGEN,   // .node with .ele or .face, or .smesh
  MESH_GMSH,
  MESH_COMPAS,   // .json
  MESH_OFF,
  MESH_DXF,
  MESH_UNKNOWN
} MeshFormat;

// The files of a mesh, in the order of mesh_companions.
typedef struct {
  MeshFormat format;
  int count;
  const MeshText *texts;   // [count]
} MeshFiles;

// Mesh blocks are what the file keeps apart: objects, solids, regions; each has a face or a
// cell. There are faces, tetrahedra or hexahedra, one of them. Indices are sound: of points and
// mesh blocks that exist. Coordinates may be anything a double can be.
typedef struct {
  const char *path;   // of the first file, whose text outlives the soup; for messages
  int point_count;
  vec3 *points;   // as in the file, no unit
  int face_count;
  int *face_start;   // [face_count + 1] into corners
  int *corners;      // polygons of at least 3 corners, in the order of the file
  int *face_block;   // [face_count]
  int tetra_count;
  int (*tetra)[4];    // in the order of the file; those of a hexahedron are six in a row
  int *tetra_block;   // [tetra_count]
  int hexa_count;
  int (*hexa)[8];   // in the order of the file, corners as in mesh_hexa.h
  int mesh_block_count;
  const char **mesh_block_names;   // [mesh_block_count], UTF-8, "" where the file gives none
  const bool *mesh_block_fixed;    // [mesh_block_count] supports; NULL: the file knows none
  bool mesh_blocks_apart;          // each of them is closed by itself
  const char *remark;              // what else the file says that is not read; NULL: nothing
} MeshSoup;

// Local. The format that a path's extension names, in capitals or not.
MeshFormat mesh_format(const char *path);

// Local. Paths of all files that make up the mesh that a path names (stone.ele: stone.ele and
// stone.node), the path itself first; at most two. The second one of a .smesh may be missing.
// Arena.
int mesh_companions(const char *path, const char *paths[2], Arena *arena);

// Local. Reads a mesh from the bytes of its files. Any bytes are safe, and so are missing files.
// False with one message that names file, line (or byte) and reason.
bool mesh_parse(MeshFiles files, Arena *arena, MeshSoup *soup, ErrorText error);

// Local. Whether counts, indices and mesh blocks are what the comments above promise. For the
// tests.
bool mesh_soup_is_valid(const MeshSoup *soup);
