#pragma once
// A mesh while it is read: rows that grow, mesh blocks known by keys; and what all readers share.
#include <stdint.h>

#include "mesh_scan.h"
#include "mesh_soup.h"

// A growing list of rows (memory_free).
typedef struct {
  void *rows;
  int64_t count;
  size_t capacity;   // bytes
} MeshList;

// Local. Room for one more row of that many bytes, whose address it returns; not zeroed.
void *mesh_list_add(MeshList *list, size_t row_bytes);

typedef struct {
  MeshList points;       // vec3
  MeshList face_start;   // int, first of its corners
  MeshList face_key;     // int64_t, faces of one key are one mesh block
  MeshList corners;      // int, from 0
  MeshList tetra;        // int [4], from 0
  MeshList tetra_key;    // int64_t
  MeshList hexa;         // int [8]; each of them is six tetrahedra, too
} MeshDraft;

// What a reader gets, and fills: the draft, and names of mesh blocks once it has a soup.
typedef struct {
  const MeshText *files;
  int file_count;
  MeshDraft draft;
  Arena *arena;
  MeshSoup *soup;
  ErrorText error;
} MeshReading;

void mesh_draft_destroy(MeshDraft *draft);

// Local. Add a row; a face gets its corners one by one and is then closed, which demands three.
// False when a count exceeds an int, with a message.
bool mesh_draft_point(MeshDraft *draft, MeshScan *scan, vec3 point);
bool mesh_draft_face(MeshDraft *draft, MeshScan *scan, int64_t key);
bool mesh_draft_corner(MeshDraft *draft, MeshScan *scan, int64_t point);
bool mesh_draft_close_face(MeshDraft *draft, MeshScan *scan);
bool mesh_draft_tetra(MeshDraft *draft, MeshScan *scan, const int64_t points[4], int64_t key);
// Corners as in mesh_hexa.h.
bool mesh_draft_hexa(MeshDraft *draft, MeshScan *scan, const int64_t points[8], int64_t key);

// Local. Makes the soup of the draft; with tetrahedra the faces are left out. Mesh blocks are
// numbered as they first come and have no names; returns their keys [mesh_block_count]. Arena.
const int64_t *mesh_draft_finish(MeshReading *reading);

// Local. For each word the index of the first one that is the same (memory_free).
int64_t *mesh_draft_first_words(const MeshWord *words, int64_t count);

// Local. One per format; false with a message. The soup has been made unless they fail.
bool mesh_obj_read(MeshReading *reading);
bool mesh_stl_read(MeshReading *reading);
bool mesh_ply_read(MeshReading *reading);
bool mesh_tetgen_read(MeshReading *reading);
bool mesh_gmsh_read(MeshReading *reading);
bool mesh_compas_read(MeshReading *reading);
bool mesh_off_read(MeshReading *reading);
bool mesh_dxf_read(MeshReading *reading);
