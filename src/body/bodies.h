#pragma once
// The table of rigid bodies: own rows first, ghosts after.
#include <stdint.h>

#include "arena.h"
#include "shape.h"
#include "table.h"
#include "vec3.h"

// Fixed and prescribed bodies have no mass in the contact problem and no work in partitions; the
// latter move as the case says.
enum { BODY_DYNAMIC = 0, BODY_FIXED = 1, BODY_PRESCRIBED = 2 };

#define BODY_FIELDS(F)                                                                        \
  F(uint64_t, id, FIELD_U64, 1, FIELD_STATE | FIELD_OUTPUT, "1",                              \
    "global id, in the order of the case file")                                               \
  F(vec3, position, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m", "centre of mass")          \
  F(quat, orientation, FIELD_F64, 4, FIELD_STATE | FIELD_OUTPUT, "1",                         \
    "unit quaternion w x y z, body to world")                                                 \
  F(vec3, velocity, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m/s", "of the centre of mass") \
  F(vec3, spin, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "rad/s",                            \
    "angular velocity, world frame")                                                          \
  F(vec3, angular, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "kg m2/s",                       \
    "angular momentum about the centre of mass, world frame")                                 \
  F(int32_t, kind, FIELD_I32, 1, FIELD_SCENE | FIELD_OUTPUT, "1",                             \
    "0 dynamic, 1 fixed, 2 prescribed")                                                       \
  F(int32_t, material, FIELD_I32, 1, FIELD_SCENE | FIELD_OUTPUT, "1",                         \
    "index in the case's list of materials")                                                  \
  F(int32_t, shape, FIELD_I32, 1, FIELD_SCENE | FIELD_OUTPUT, "1",                            \
    "index of the reference geometry")                                                        \
  F(double, mass, FIELD_F64, 1, FIELD_SCENE | FIELD_OUTPUT, "kg", "density times volume")     \
  F(uint64_t, work, FIELD_U64, 1, FIELD_CARRIED, "1",                                         \
    "counted work in a step, smoothed over steps; 0: not known yet; own rows")

typedef struct {
  Table table;
  BODY_FIELDS(TABLE_COLUMN)
} Bodies;

#define BODY_SENT (FIELD_STATE | FIELD_SCENE)   // what a migrating body and a new ghost carry

// Local. An empty table; release its memory.
void bodies_begin(Bodies *bodies);
void bodies_end(Bodies *bodies);

// Local. Sorts the own rows by id; rows that are in order already cost one look.
void bodies_sort(Bodies *bodies, Arena *arena);

// Local. Row of an id, or -1; rows of each half (own, ghost) must be sorted by id.
int bodies_find(const Bodies *bodies, uint64_t id);
// Local. The same among ghosts alone.
int bodies_find_ghost(const Bodies *bodies, uint64_t id);
