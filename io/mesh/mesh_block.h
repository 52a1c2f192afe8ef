#pragma once
// From the soup of a file to closed solids: harmless faults mended and counted, others refused.
#include <stdbool.h>

#include "mesh_soup.h"

// What was mended, and what is worth knowing.
typedef struct {
  int merged_points;   // points at the place of another one
  int dropped_faces;   // faces without area, and repeated ones
  int turned_faces;    // faces that looked the other way than their neighbours
  bool inside_out;     // the whole block was turned
  int split_faces;     // polygons that are not flat, taken as triangles
  int polygons;        // faces once coplanar neighbours are merged
  int unused_points;   // in no face
} MeshRepairs;

// A closed, oriented, connected surface that does not cross itself, and the tetrahedra that fill it
// where the file has them.
typedef struct {
  const char *name;   // of the file's block, "" where it gives none
  int point_count;
  vec3 *points;   // after scale and up axis, m
  int triangle_count;
  int (*triangles)[3];   // counter-clockwise seen from outside
  int *polygon;          // [triangle_count] coplanar neighbours have the same number
  int tetra_count;       // 0: none in the file
  int (*tetra)[4];       // of positive volume; their outer faces are the triangles
  bool convex;
  double volume;   // m3
  vec3 centroid;   // m
  mat3 inertia;    // about the centroid, for unit density, m5
  MeshRepairs repairs;
} MeshBlock;

typedef struct {
  double scale;   // m per unit of the file
  int up;         // axis of the file that becomes z: 0 x, 1 y, 2 z
} MeshFrame;

typedef struct {
  int count;
  MeshBlock *blocks;   // in the order of the file
} MeshBlocks;

// Local. Bodies are connected pieces of the surface; blocks of the file that are closed by
// themselves stay apart even where they touch. False with one message that names file, block and
// reason: open, self-crossing, no volume, not finite, one inside another. Memory from the arena.
bool mesh_blocks(const MeshSoup *soup, const char *path, MeshFrame frame, Arena *arena,
                 MeshBlocks *blocks, char *error, size_t error_bytes);
