// Derives lines and forces from rows of joints.
#include "frame_joints.h"

#include <assert.h>

#include "joints.h"

JointColumns frame_joints_add(Hdf5Writer *w, const RowSpan *span)
{
  const char *name = span->table->schema->name;
  const uint64_t rows = span->row_count;
  return (JointColumns){
      .ends = hdf5_add_column(w, (Hdf5Column){name, "ends", "m",
                                              "places of the lower and the higher body, two rows",
                                              FIELD_F64, 3, 2 * rows}),
      .line = hdf5_add_column(
          w, (Hdf5Column){name, "line", "1", "its rows of ends", FIELD_U64, 2, rows}),
      .force = hdf5_add_column(w, (Hdf5Column){name, "force", "N",
                                               "on the lower body, mean of the step, world axes",
                                               FIELD_F64, 3, rows})};
}

void frame_joints_write(Hdf5Writer *w, JointColumns k, const RowSpan *span, double step)
{
  assert(span->table->schema == &JOINTS_SCHEMA && step > 0 && "the span is that of joints");
  const Joints *j = (const Joints *)span->table;
  const size_t count = (size_t)j->table.count;
  Arena arena = arena_new();
  vec3 *ends = arena_allocate(&arena, (2 * count + 1) * sizeof *ends),
       *force = arena_allocate(&arena, (count + 1) * sizeof *force);
  uint64_t *line = arena_allocate(&arena, (2 * count + 1) * sizeof *line);
  for (size_t i = 0; i < count; i++) {
    ends[2 * i] = j->place[i];
    ends[2 * i + 1] = j->place_high[i];
    force[i] = vec3_scale(1 / step, j->reaction[i]);
    line[2 * i] = 2 * (span->first_row + i);
    line[2 * i + 1] = line[2 * i] + 1;
  }
  const uint64_t first = span->first_row, rows = (uint64_t)count;
  hdf5_write_rows(w, k.ends, 2 * first, 2 * rows, ends);
  hdf5_write_rows(w, k.line, first, rows, line);
  hdf5_write_rows(w, k.force, first, rows, force);
  arena_destroy(&arena);
}
