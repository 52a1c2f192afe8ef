#pragma once
// The holes of an open surface: rims of edges that one face has, the longest ones with their place.
#include "mesh_surface.h"

enum { MESH_HOLES_TOLD = 3 };

typedef struct {
  int edges;   // of the rim
  vec3 centre;
} MeshHole;

typedef struct {
  int count;
  MeshHole worst[MESH_HOLES_TOLD];   // most edges first; as many as there are
} MeshHoles;

// Where the vertices of a surface are in a file.
typedef struct {
  int count;
  const int *source;    // [count] points of the file
  const vec3 *points;   // of the file
} VertexPlaces;

// Local. Open edges that hang together by vertices are one rim.
MeshHoles mesh_holes_find(const Surface *surface, const VertexPlaces *vertices, Arena *scratch);

// Local. "2 holes, about (0, 0, 1) with 4 edges, about ...". bytes >= 1.
void mesh_holes_text(const MeshHoles *holes, char *text, size_t bytes);
