#pragma once
// A convex solid that is cut by one plane after another, kept as edges between labelled faces.
// Local.
#include <stdbool.h>

#include "arena.h"
#include "polyhedron.h"

// A solid of n faces has fewer than 2 n vertices and 3 n edges; twice that leaves room for a cut.
#define CLIPPER_VERTICES_PER_FACE 4
#define CLIPPER_EDGES_PER_FACE 6

// Room for this many faces, without asking the arena.
#define CLIPPER_SMALL_FACES 48
#define CLIPPER_SMALL_VERTICES (CLIPPER_VERTICES_PER_FACE * CLIPPER_SMALL_FACES)
#define CLIPPER_SMALL_EDGES (CLIPPER_EDGES_PER_FACE * CLIPPER_SMALL_FACES)

// Faces are numbers below face_room given by the user. An edge is all that binds its two faces and
// its two vertices; which loop of a face it belongs to follows from its ends.
typedef struct {
  int vertex_count, edge_count;
  int vertex_room, edge_room, face_room;
  int cut_count;          // cuts made
  vec3 *vertices;         // [vertex_count], m
  Edge *edges;            // [edge_count]
  vec3 *spare_vertices;   // the next state is written here, then the two change places
  Edge *spare_edges;
  double *heights;          // [vertex_count] above the plane of the cut, m
  int *renamed;             // [vertex_count] place among the kept vertices
  int *crossings;           // edges that the plane cuts
  int *entry, *entry_cut;   // [face_room] where the loop of a face comes back below the plane, and
                            // in which cut
} Clipper;

typedef struct {
  vec3 vertices[2][CLIPPER_SMALL_VERTICES];
  Edge edges[2][CLIPPER_SMALL_EDGES];
  double heights[CLIPPER_SMALL_VERTICES];
  int renamed[CLIPPER_SMALL_VERTICES];
  int crossings[CLIPPER_SMALL_EDGES];
  int faces[2][CLIPPER_SMALL_FACES];
} ClipperSpace;

typedef enum {
  CUT_NOTHING,   // the solid lies below the plane
  CUT_PART,
  CUT_ALL,     // no vertex lies below the plane
  CUT_BROKEN   // no room left or loops that do not close
} CutResult;

// Local. A clipper without a solid, in the space given where that is enough, else in the arena.
Clipper clipper_new(int face_room, ClipperSpace *space, Arena *arena);

// Local. Fills in a polyhedron; its faces get the numbers from first_face on.
void clipper_start_polyhedron(Clipper *c, const Polyhedron *p, int first_face);

// Local. Fills in a polyhedron whose planes are pushed outward by margin (m). False when more than
// three faces meet in a vertex or an edge would vanish: the topology is then another one.
bool clipper_start_dilated(Clipper *c, const Polyhedron *p, double margin, int first_face);

// Local. Fills in a box, faces -x, +x, -y, +y, -z, +z.
void clipper_start_box(Clipper *c, vec3 low, vec3 high, int first_face);

// Local. Removes what is not below the plane. The sign of a vertex is taken once and decides
// topology for all edges and faces around it, so that rounding bends the solid but never tears it.
CutResult clipper_cut(Clipper *c, Plane plane, int face);
