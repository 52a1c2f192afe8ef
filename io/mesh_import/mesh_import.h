#pragma once
// A mesh file as shapes: read, mended, judged, cut into convex parts.
#include "finite_mesh.h"
#include "mesh_block.h"
#include "mesh_cut.h"
#include "pieces_measure.h"
#include "shape.h"
#include "tetgen.h"

typedef struct {
  MeshBlock mesh_block;
  ShapeRecipe recipe;    // in the mesh frame, m
  int tetra_count;       // that the parts were made of, 0: the body is convex
  TetgenReport tetgen;   // of mesh blocks that needed it
  Tetrahedra filling;    // of these
  bool needed_tetgen;
  bool in_pieces;         // the recipe is of pieces near the surface
  PiecesMeasure pieces;   // how near
  MeshCut cut;            // into bodies; the recipe is then that of the piece with most parts
} MeshBody;

typedef struct {
  int count;
  MeshBody *bodies;    // in the order of the file
  bool knows_fixed;    // the file can say which bodies are supports
  int unused_points;   // of the file, in no face and no tetrahedron
  MeshFlat flat;
  const char *remark;   // what else the file says that is not read, "" for nothing
} MeshBodies;

// Local. Reads a file with its companions. A convex body, or one
// whose hull is asked for, is one part, the hull of its corners; one that is asked for as a surface
// stays its triangles; others are cut into parts that carry their true surface, or into pieces near
// it. False with one message that names file, mesh block and reason. Memory from the arena.
// Fillings of TetGen are taken from the file beside the mesh, else from the user's cache; a warning
// says where they cannot be kept.
bool mesh_import(const char *path, MeshFrame mesh_frame, Arena *arena, MeshBodies *mesh,
                 ErrorText error);

// Local. The volume cells that the file has of a body, in the mesh frame, which are its own;
// without cells: the file has faces alone.
FiniteMesh mesh_import_cells(const MeshBody *body);

// Local. Writes the fillings of a mesh that has been read to the file beside it, to travel with it;
// fillings of other mesh blocks that lie there stay. *count: of this mesh; with 0 no file is
// written. False with a reason.
bool mesh_import_keep(const char *path, const MeshBodies *mesh, int *count, ErrorText reason);
