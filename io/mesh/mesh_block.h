#pragma once
// From the soup of a file to closed solids: harmless faults mended and counted, others refused.
#include <stdbool.h>

#include "mesh_soup.h"

// What was mended, and what is worth knowing.
typedef struct {
  int merged_points;   // points at the place of another one
  int split_points;    // points where faces met in a point alone: each fan of faces got its own
  int dropped_faces;   // faces without area, and repeated ones
  int turned_faces;    // faces that looked the other way than their neighbours
  int turned_tetra;    // tetrahedra of negative volume
  int turned_hexa;     // likewise, which were mirrored
  bool inside_out;     // the whole body was turned
  int split_faces;     // polygons that are not flat, taken as triangles
  int moved_points;    // points of faces that were flat but for the digits of the file
  double farthest;     // of these moves, m
  int polygons;        // faces once coplanar neighbours are merged
  bool hulled;         // the surface is open, or crosses itself: this is its hull
} MeshRepairs;

// A closed, oriented, connected surface that does not cross itself, and the cells that fill it
// where the file has them.
typedef struct {
  const char *name;   // of the file's mesh block, with " 2", " 3" behind it for further bodies of
                      // that mesh block; "" where the file gives none
  int point_count;
  vec3 *points;   // after scale and up axis, m
  int triangle_count;
  int (*triangles)[3];   // counter-clockwise seen from outside
  const int *face;       // [triangle_count] face of the file, from 0; NULL: of a hull, or of
                         // tetrahedra
  int *polygon;          // [triangle_count] coplanar neighbours have the same number
  int tetra_count;       // 0: none in the file
  int (*tetra)[4];       // of positive volume; their outer faces are the triangles
  int hexa_count;        // above 0: the tetrahedra are parts of these, six of each in a row
  int (*hexa)[8];        // corners as in mesh_hexa.h
  bool convex;
  bool fixed;      // a support of the file
  double volume;   // m3
  vec3 centroid;   // m
  mat3 inertia;    // about the centroid, for unit density, m5
  MeshRepairs repairs;
} MeshBlock;

enum { MESH_MOST_PIECES = 1000 };

typedef struct {
  double scale;   // m per unit of the file
  int up;         // axis of the file that becomes z: 0 x, 1 y, 2 z
  bool hull;      // the convex hull of each body is taken in its place
  double flat;    // of the extent of a body: faces are flat to it, and joints are closed by it;
                  // 0: by the digits of the file, MESH_AS_IT_IS: not at all
  bool surface;   // each body stays a surface and is not cut into parts
  int pieces;   // at most so many convex pieces near a body that is not convex; 0: its exact parts
  bool cells;   // the volume cells of the file are wanted beside the bodies
  int most_nodes;   // then bodies of hexahedra with more nodes are cut into pieces; 0: none is
} MeshFrame;

// Of hull, surface and pieces one at most is asked for.
#define MESH_FORMS_EXCLUDE "a body is its hull, its surface or pieces: expected one of them"
static inline bool mesh_block_one_form(MeshFrame frame)
{
  return frame.hull + frame.surface + (frame.pieces > 0) <= 1;
}

// How faces were made flat, and neighbours given the planes of their joints.
typedef struct {
  bool asked;    // by the digits of the file, or by the user
  double step;   // of the numbers of the file, m; 0: full precision
  int joints;    // planes that two bodies or more share
  int moved_points, moved_bodies;
  double farthest;          // of all moves, m
  double widest, deepest;   // gap and overlap of joints that were closed, m
} MeshFlat;

typedef struct {
  int count;
  MeshBlock *of;        // in the order of the file
  bool knows_fixed;     // the file can say which bodies are supports
  int unused_points;    // of the file, in no face and no cell
  const char *remark;   // what else the file says that is not read, "" for nothing
  MeshFlat flat;
} MeshBlocks;

// All relative to the extent of a mesh block of the file, or of the body.
#define MESH_SAME_PLACE 1e-10   // points no farther apart are one; lower triangles have no area
#define MESH_FLAT 1e-9      // corners no farther from a plane lie in it, for numbers of polygons
#define MESH_CONVEX 1e-12   // rise above a neighbour's plane, and above the rounding of coordinates
#define MESH_DIGITS 5e-6    // faces of bodies that are not convex are flat but for digits of a file
#define MESH_STEPS 4.0      // of a file's numbers: corners leave the plane of a face by no more
#define MESH_BLURRED 2e-4   // by no more than that for the digits of any file
#define MESH_OVERLAP 1e-3   // neighbours in a file of few digits that overlap less share the joint
#define MESH_AS_IT_IS (-1.0)
#define MESH_FLAT_LARGEST 0.01   // that a user may ask for
#define MESH_THIN 1e-7           // mean thickness below this is no volume
#define MESH_NEEDLE 1e-12        // of the extent cubed: smaller volumes are lost in rounding
#define MESH_DENT 1e-7           // coordinates rounded by more, far from the origin, are no shape
#define MESH_FAR 1e9             // m, largest coordinate

// Local. Bodies are pieces of surface connected by edges. A piece that the file's own numbering of
// points closes is a body, even where it touches another one; what is left is closed by points at
// equal places, first within each mesh block, then over all mesh blocks of the file that are still
// open, unless the file keeps its mesh blocks
// apart. False with one message that names file, mesh block and reason: not finite, open, crowded
// edges, not orientable, no volume, too few digits for its distance from zero, crossing itself or
// another body of its mesh block, one inside another. Bodies of different mesh blocks are not
// compared. Where hulls are asked for, a piece that is refused otherwise is the hull of its points,
// and so is a piece of an open surface. The scale is above 0. Memory from the arena.
bool mesh_block_make(const MeshSoup *soup, MeshFrame mesh_frame, Arena *arena,
                     MeshBlocks *mesh_blocks, ErrorText error);

// Local. What was mended, in words with commas between them; "" when nothing was. bytes >= 1.
void mesh_repairs_text(MeshRepairs repairs, char *text, size_t bytes);
