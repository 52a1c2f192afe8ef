#pragma once
// What frames tell of bodies of finite elements: their nodes where these are now, and the cells
// between them. Frames without such bodies have nothing of it.
#include "case.h"
#include "frame_views.h"
#include "hdf5_writer.h"
#include "row_spans.h"

// This rank's rows, those of its spans' bodies.
typedef struct {
  uint64_t first_point, first_cell, first_loop;
  MeshRows own, all;   // nodes, cells, corners in all cells: of this rank, of all
} ElasticPiece;

// Collective. Counts the nodes and cells of the bodies.
ElasticPiece frame_elastic_piece(const RowSpans *spans);

// Numbers of columns in a file; -1: it has none.
typedef struct {
  int topology, connectivity, offsets, types, body, material;
} ElasticFixed;
typedef struct {
  int points, velocity, displacement, force, stress, principal, mises, rank;
} ElasticMoving;

// Local. Columns of what does not change while the bodies are the same ones, and of what does.
// fields: FRAME_...
ElasticFixed frame_elastic_add_fixed(Hdf5Writer *writer, const ElasticPiece *piece);
ElasticMoving frame_elastic_add_moving(Hdf5Writer *writer, const ElasticPiece *piece,
                                       unsigned fields);

// Local. This rank's rows of them, after the file was laid out. time: of the frame, s
void frame_elastic_write_fixed(Hdf5Writer *writer, ElasticFixed columns, const RowSpans *spans,
                               const ElasticPiece *piece);
typedef struct {
  const RowSpans *spans;
  const ElasticPiece *piece;
  const Case *c;
  double time;
} ElasticFrame;
void frame_elastic_write_moving(Hdf5Writer *writer, ElasticMoving columns,
                                const ElasticFrame *frame);
