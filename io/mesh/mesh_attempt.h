#pragma once
// One attempt to close faces of a file: points of a pool that lie at the same place become one, and
// what is closed then is a piece.
#include "mesh_body.h"
#include "mesh_holes.h"

// How far points may be joined: within what shares points in the file, within a mesh block, over
// the file.
typedef enum { STAGE_NUMBERED, STAGE_BLOCK, STAGE_FILE } StageReach;

typedef struct {
  const MeshFault *fault;
  const vec3 *points;      // of the file, m
  const double *extents;   // [mesh_block_count] m
  const int *faces;        // faces to be closed, ascending
  int face_count;
  StageReach reach;
  bool keep_flat;   // triangles without area take part
  bool keep_open;   // pieces that are not closed are pieces too
} AttemptInput;

// What an open surface lacks.
typedef struct {
  int count;        // edges with one face
  int first[2];     // ends of the first one, points of the file
  int face;         // of the file: that face
  int mesh_block;   // of its face
  MeshHoles holes;
} OpenEdges;

typedef struct {
  int piece_count;
  Piece *pieces;          // closed, or kept as they are, in the order of their first faces
  MeshRepairs *repairs;   // [piece_count] merged_points, dropped_faces, split_faces, split_points
  int rest_count;
  int *rest;         // faces that no piece has, ascending
  bool *rest_area;   // [rest_count] the face has area
  bool any_flat;     // triangles without area were seen
  OpenEdges open;
} AttemptResult;

// Local. False with a message when a polygon crosses itself. Memory from the arena.
bool mesh_attempt_run(const AttemptInput *input, Arena *arena, AttemptResult *result);
