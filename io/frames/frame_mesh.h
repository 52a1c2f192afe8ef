#pragma once
// The mesh of all bodies as the files of frames hold it: polygons and what facets inherit from
// their bodies, and corners where they are in a frame.
#include "frame_bodies.h"
#include "frame_views.h"
#include "hdf5_writer.h"
#include "row_spans.h"
#include "shape_mesh.h"

// This rank's rows in the mesh, those of its spans' bodies.
typedef struct {
  uint64_t first_point, first_cell, first_loop;
  MeshRows own, all;   // rows of this rank, of all
  BodyRows rows;       // what facets show of their bodies; NULL columns: not that
  BodyNameRows names;
} MeshPiece;

// Collective. Counts the mesh of the bodies.
MeshPiece frame_mesh_piece(const RowSpans *spans, MeshSet *meshes);

// Numbers of columns in a file.
typedef struct {
  int polygons, reference, body, part, material, drive, first_point, first_cell, connectivity,
      offsets;
  int name;   // -1: there are none
} FixedColumns;
typedef struct {
  int points, velocity, speed, rank;
  int strain, stress;              // -1: the bodies have none
  int displacement, mean_stress;   // -1: not told
} MovingColumns;

// Local. Columns of what does not change while the bodies are the same ones, and of what does.
FixedColumns frame_mesh_add_fixed(Hdf5Writer *writer, const RowSpans *spans,
                                  const MeshPiece *piece);
MovingColumns frame_mesh_add_moving(Hdf5Writer *writer, const RowSpans *spans,
                                    const MeshPiece *piece);

// Local. This rank's rows of them, after the file was laid out.
void frame_mesh_write_fixed(Hdf5Writer *writer, FixedColumns columns, const RowSpans *spans,
                            const MeshPiece *piece, MeshSet *meshes);
void frame_mesh_write_moving(Hdf5Writer *writer, MovingColumns columns, const RowSpans *spans,
                             const MeshPiece *piece, MeshSet *meshes);
