#pragma once
// What frames show of joints beside the columns of their table: lines between their places, forces.
#include "hdf5_writer.h"
#include "row_spans.h"

// Numbers of columns in a file.
typedef struct {
  int ends, line, force;
} JointColumns;

// Local. Columns of what is derived from rows of joints.
JointColumns frame_joints_add(Hdf5Writer *writer, const RowSpan *span);

// Local. This rank's rows of them, after the file was laid out. step: s
void frame_joints_write(Hdf5Writer *writer, JointColumns columns, const RowSpan *span, double step);
