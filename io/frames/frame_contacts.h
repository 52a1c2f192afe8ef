#pragma once
// What frames tell of contact points beside the columns of their table.
#include "hdf5_writer.h"
#include "row_spans.h"

// Numbers of columns in a file; -1: the frame has none.
typedef struct {
  int reaction, key, index;
  int force, pressure, slip, status;
} ContactColumns;

// Local. Columns of what is derived from contacts. fields: FRAME_...
ContactColumns frame_contacts_add(Hdf5Writer *writer, const RowSpan *span, unsigned fields);

// Local. Impulses on the lower bodies, world axes, N s. Memory from the arena.
vec3 *frame_contacts_impulses(const RowSpan *span, Arena *arena);

// Local. This rank's rows of them, after the file was laid out. step: s
void frame_contacts_write(Hdf5Writer *writer, ContactColumns columns, const RowSpan *span,
                          double step, const vec3 *impulses);
