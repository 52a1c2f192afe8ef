#pragma once
// What ParaView is shown of a frame: views, each a set of cells with columns, and the data sets of
// HDF5 files where they lie. XDMF and VTKHDF say the same of them. Local.
#include <stdbool.h>
#include <stdint.h>

#include "table.h"

typedef enum {
  VIEW_BODIES,
  VIEW_CENTRES,
  VIEW_CONTACTS,
  VIEW_INTERFACES,
  VIEW_CHAINS,
  VIEW_JOINTS,
  VIEW_VOLUMES,
  VIEW_ELASTIC,
  FRAME_VIEWS
} FrameView;

typedef struct {
  uint64_t points, cells, loops;
} MeshRows;   // corners, facets or cells, corners in all of these

// Rows of bodies, interfaces and chains.
typedef struct {
  uint64_t bodies, interfaces, chains;
} ToldRows;

typedef struct {
  int64_t step;
  double time;                          // s
  uint64_t contacts, joints, volumes;   // rows
  ToldRows told;
  unsigned fields;   // what the frame tells besides, FRAME_... of case.h
  bool own_mesh;     // polygons and cells stand in the frame, not in topology.h5
  bool tensors;      // strain and stress of facets stand in the frame
  bool linkable;     // its polygons, or those of topology.h5, stand there as VTKHDF has them too
  MeshRows mesh;
  MeshRows elastic;   // of bodies of finite elements
} ShownFrame;

// Polygons of the mesh; a point for each row; a line for each row, between two points; cells with a
// volume.
typedef enum { CELLS_POLYGONS, CELLS_POINTS, CELLS_LINES, CELLS_VOLUMES } ViewCells;

// Cells of several kinds, which may stand in topology.h5.
static inline bool view_cells_mixed(ViewCells cells)
{
  return cells == CELLS_POLYGONS || cells == CELLS_VOLUMES;
}

// What a column has rows for: cells, whose row may stand where the cells do, or points.
typedef enum { ROWS_MOVING, ROWS_FIXED, ROWS_POINTS } ViewRows;

// A data set.
typedef struct {
  const char *name, *path;
  FieldType type;
  int components;
  unsigned field;   // a frame has it with that, FRAME_... of case.h or VIEW_TENSORS; 0: always
  ViewRows rows;
} ViewColumn;

#define VIEW_TENSORS (1u << 31)   // of frames with tensors

typedef struct {
  const char *name;   // of the view
  const char *xdmf;   // name of its XDMF file
  ViewCells cells;
  const char *group;           // of connectivity and offsets of cells that are mixed
  const char *points;          // data set of places, m
  const char *corners;         // data set of the points of cells, as XDMF takes them
  const ViewColumn *columns;   // the last has no name
  unsigned fields;             // a frame has the view with any of them; 0: always
} ViewPlan;

const ViewPlan *frame_views_plan(FrameView view);

// Whether a frame has what a view shows, and a column of it.
bool frame_views_show(FrameView view, const ShownFrame *frame);
bool frame_views_have(const ViewColumn *column, const ShownFrame *frame);

// How many cells and points a frame has in a view that it shows, and corners in all cells of it.
uint64_t frame_views_cells(FrameView view, const ShownFrame *frame);
uint64_t frame_views_points(FrameView view, const ShownFrame *frame);
uint64_t frame_views_loops(FrameView view, const ShownFrame *frame);
