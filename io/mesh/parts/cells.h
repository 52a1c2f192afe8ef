#pragma once
// Convex cells that fill a solid and fit together: whole faces meet whole faces, whole edges whole
// edges, also after cells are cut by planes.
#include <stdbool.h>

#include "arena.h"
#include "check.h"
#include "convex_parts.h"
#include "polyhedron.h"

#define CELL_FLAT \
  1e-12   // of the solid's extent: a vertex this little above a face is level with it
#define CELL_SNAP 0.5e-12   // of the solid's extent: a vertex this near a cutting plane lies in it
#define CELL_VOLUME 1e-12   // of a part: the volume of its hull may differ by this

// A convex polygon; corners may lie on straight lines.
typedef struct {
  int first, count;   // into loops, counter-clockwise seen from outside of cell[0]
  int plane;          // into planes, looks out of cell[0]; kept when the face is cut
  int cell[2];        // cell[1] -1: none, the face is surface
} CellFace;

typedef struct {
  int count;
  int *faces;      // arena
  double volume;   // m3
  int group;       // the caller's
  int side;        // of the last cutting plane, for cells of the group that was cut: -1 below, 1
} Cell;

typedef struct {
  vec3 center;     // where the coordinate frame of the cells has its origin, m
  double extent;   // largest side of the bounding box, m
  int given;       // the first points are those of the tetrahedra
  int point_count, point_capacity;
  vec3 *points;   // relative to the center, m
  int plane_count, plane_capacity;
  Plane *planes;
  int face_count, face_capacity;
  CellFace *faces;
  int loop_count, loop_capacity;
  int *loops;
  int cell_count, cell_capacity;
  Cell *cells;
  Arena *arena;
} Cells;

// Local. Cells of tetrahedra, all of group 0; coplanar neighbours on the surface get one plane.
// False when tetrahedra share triangles as solids cannot, or are flat.
bool cells_from_tetrahedra(const Tetrahedra *filling, Arena *arena, Cells *cells);

// Local. A deep copy.
Cells cells_copy(const Cells *cells, Arena *arena);

// Local. Cuts the cells of a group that a plane passes through; what lies below it stays the cell,
// what lies above becomes a new one of the same group. Faces of other cells get the corners they
// need. Fills side. False when rounding leaves no sound cut; the cells are of no more use then.
bool cells_cut(Cells *cells, int group, Plane plane);

// Local. One more of each; returns its index.
int cells_add_point(Cells *cells, vec3 point);
int cells_add_plane(Cells *cells, Plane plane);
int cells_add_face(Cells *cells, CellFace face);
int cells_add_cell(Cells *cells, Cell cell);

// Local. Corners one after another; returns where they begin in loops.
int cells_add_loop(Cells *cells, const int *corners, int count);

// Local. Plane of a face as seen from outside of a cell.
static inline Plane cells_face_plane(const Cells *cells, const CellFace *face, int cell)
{
  assert_debug((face->cell[0] == cell || face->cell[1] == cell) && "the face bounds the cell");
  const Plane plane = cells->planes[face->plane];
  return face->cell[0] == cell ? plane : (Plane){vec3_neg(plane.normal), -plane.offset};
}

// Local. Area times normal of a face, out of its first cell, m2.
vec3 cells_face_area(const Cells *cells, int face);

// Local. Two faces of one solid that meet at an edge, each with the cell that it bounds: is the
// solid convex there, to rounding?
bool cells_edge_is_convex(const Cells *cells, int face_a, int cell_a, int face_b, int cell_b);

// Local. The cell on the other side of a face, or -1.
static inline int cells_across(const CellFace *face, int cell)
{
  assert_debug((face->cell[0] == cell || face->cell[1] == cell) && "the face bounds the cell");
  return face->cell[face->cell[0] == cell];
}
