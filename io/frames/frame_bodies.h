#pragma once
// What frames tell of bodies beside the columns of their table: how far they have gone, what they
// bear, what they are called.
#include "case.h"
#include "hdf5_writer.h"
#include "pair_forces.h"
#include "row_spans.h"
#include "shape.h"

// Of this rank's rows of bodies; a NULL column is not asked for.
typedef struct {
  vec3 *displacement;       // m, of the centre of mass since the case put it
  vec3 *rotation;           // rad, axis times angle, likewise
  double *volume;           // m3
  BodyTensor *stress;       // Pa, mean over the body
  uint32_t *coordination;   // bodies that it bears on
  uint64_t *index;          // row in the file
} BodyRows;

// Pairs of this rank and their forces, where stress or coordination is asked for.
typedef struct {
  const FramePairs *list;
  const PairForces *forces;   // [list->count]
} BodyPairs;

// Collective. Memory from the arena. Stresses of rows that deform stay those of their material.
BodyRows frame_bodies_derive(const RowSpans *spans, const BodyPairs *pairs, const Case *c,
                             ShapeSet *shapes, Arena *arena);

// Numbers of columns in a file; -1: it has none.
typedef struct {
  int displacement, rotation, volume, stress, coordination, index;
} BodyColumns;

// Local. Columns of them, behind those of the table, and this rank's rows.
BodyColumns frame_bodies_add(Hdf5Writer *writer, const RowSpan *span, const BodyRows *rows);
void frame_bodies_write(Hdf5Writer *writer, BodyColumns columns, const RowSpan *span,
                        const BodyRows *rows);

// Names of this rank's bodies, as texts of the same width.
typedef struct {
  int width;    // 0: not asked for
  char *text;   // [rows * width]
} BodyNameRows;

// Collective. The entry of the case, and for several bodies of an entry a dot and the member.
BodyNameRows frame_bodies_name(const RowSpans *spans, const Case *c, Arena *arena);
