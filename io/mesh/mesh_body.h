#pragma once
// From one closed piece of surface to a body: turned outwards, judged, measured.
#include "mesh_block.h"
#include "mesh_fault.h"
#include "mesh_surface.h"

typedef struct {
  const MeshFault *fault;
  int mesh_block;   // of the file, for messages
  bool open;        // edges may have one face: there is a hull alone
  int vertex_count;
  const vec3 *points;   // [vertex_count] m
  const int *source;    // [vertex_count] points of the file
  double tolerance;     // m; triangles lower than it have no area
  Surface surface;      // triangles of vertices; all edges of a closed piece have mates or are
                        // crowded
  const int *face;      // [surface.count] face of the file, those of one face in a row
  int tetra_count;      // above 0: the surface is the boundary of these, looking outwards
  const int (*tetra)[4];
  int hexa_count;   // above 0: the tetrahedra are parts of these
  const int (*hexa)[8];
  bool keep_points;   // they stay, or are moved with those of all bodies of the file
} Piece;

// Local. Fills points, triangles, tetrahedra, polygons, measures and the repairs that show here:
// turned_faces, inside_out, split_points, moved_points, polygons. *source: points of the file of
// the body's points (arena). False with a message.
bool mesh_body_make(const Piece *piece, Arena *arena, Arena *scratch, MeshBlock *body,
                    const int **source);

// Local. Gives the points of a body other places, and takes its measures anew. False, and nothing
// is changed, where its surface would cross itself, turn a triangle round or lose its volume. For
// bodies without tetrahedra and split points.
bool mesh_body_move(MeshBlock *body, const vec3 *points, Arena *scratch);

// Local. The convex hull of the piece's vertices, whatever its surface is. False with a message
// where they lie in one plane, or are too far from the origin.
bool mesh_body_make_hull(const Piece *piece, Arena *arena, Arena *scratch, MeshBlock *body,
                         const int **source);
