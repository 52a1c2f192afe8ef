#pragma once
// The table of bodies: own rows first, ghosts after.
#include <assert.h>
#include <stdint.h>

#include "check.h"
#include "shape.h"
#include "state.h"
#include "table.h"
#include "vec3.h"

// How a body is driven. Fixed and prescribed bodies have no mass in the contact problem and no work
// in partitions; the latter move as the case says.
enum { DRIVE_DYNAMIC = 0, DRIVE_FIXED = 1, DRIVE_PRESCRIBED = 2 };

// The owner of what lies between bodies, and with it the rank that has the row: the first dynamic
// one in order of ids; the first one where none is. drives[count], count >= 1; returns its place.
static inline int bodies_owner(const int32_t *drives, int count)
{
  assert_debug(count >= 1 && "what lies between bodies has one");
  for (int i = 0; i < count; i++)
    if (drives[i] == DRIVE_DYNAMIC) return i;
  return 0;
}

// The id of space, which joints hold bodies to: above those of all bodies.
#define BODIES_SPACE ((uint64_t)1 << 32)

#define BODIES_OF_ROW 2   // bodies that a row of a table lies between, at most

// A symmetric tensor in the order in which ParaView takes them.
typedef struct {
  double xx, yy, zz, xy, yz, xz;
} BodyTensor;

#define BODY_FIELDS(F)                                                                         \
  F(uint64_t, id, FIELD_U64, 1, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY | FIELD_BODIES, "1",    \
    "global id, in the order of the case file")                                                \
  F(vec3, position, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m", "centre of mass")           \
  F(quat, orientation, FIELD_F64, 4, FIELD_STATE | FIELD_OUTPUT, "1",                          \
    "unit quaternion w x y z, body to world")                                                  \
  F(vec3, velocity, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m/s", "of the centre of mass")  \
  F(vec3, spin, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "rad/s",                             \
    "angular velocity, world frame")                                                           \
  F(vec3, angular, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "kg m2/s",                        \
    "angular momentum about the centre of mass, world frame")                                  \
  F(int32_t, drive, FIELD_I32, 1, FIELD_SCENE | FIELD_OUTPUT, "1",                             \
    "0 dynamic, 1 fixed, 2 prescribed")                                                        \
  F(int32_t, kind, FIELD_I32, 1, FIELD_SCENE | FIELD_OUTPUT | FIELD_KINDS | FIELD_UNTOLD, "1", \
    "0 rigid, 1 affine, 64 of finite elements, 65 likewise with faces that are held; others: " \
    "rigid and guided, one plus the bits of what is held: 1 2 4 for "                          \
    "velocities along x y z, 8 16 32 for turning about them; left out where all are rigid")    \
  F(int32_t, material, FIELD_I32, 1, FIELD_SCENE | FIELD_OUTPUT, "1",                          \
    "index in the case's list of materials")                                                   \
  F(int32_t, shape, FIELD_I32, 1, FIELD_SCENE | FIELD_OUTPUT, "1",                             \
    "index of the reference geometry")                                                         \
  F(double, mass, FIELD_F64, 1, FIELD_SCENE | FIELD_OUTPUT, "kg", "density times volume")      \
  F(mat3, gradient, FIELD_F64, 9,                                                              \
    FIELD_STATE | FIELD_OUTPUT | FIELD_RARE | FIELD_APART | FIELD_UNTOLD, "1",                 \
    "of displacements, body frame, by rows: a place X of an affine body is at (1 + G) X")      \
  F(mat3, gradient_rate, FIELD_F64, 9,                                                         \
    FIELD_STATE | FIELD_OUTPUT | FIELD_RARE | FIELD_APART | FIELD_UNTOLD, "1/s",               \
    "its rate, without a rigid part")                                                          \
  F(vec3, net_force, FIELD_F64, 3, FIELD_STATE | FIELD_APART | FIELD_OPTION, "N",              \
    "that nothing balanced in the last step, without damping; of cases with damping")          \
  F(vec3, net_torque, FIELD_F64, 3, FIELD_STATE | FIELD_APART | FIELD_OPTION, "N m",           \
    "likewise, about the centre of mass")                                                      \
  F(vec3, reference, FIELD_F64, 3, FIELD_STATE | FIELD_APART | FIELD_OPTION, "m",              \
    "centre of mass when the stage began; zero in the first one")                              \
  F(BodyTensor, strain, FIELD_F64, 6, FIELD_OUTPUT | FIELD_RARE | FIELD_UNTOLD, "1",           \
    "small strain, world frame: xx yy zz xy yz xz")                                            \
  F(BodyTensor, stress, FIELD_F64, 6, FIELD_OUTPUT | FIELD_RARE | FIELD_UNTOLD, "Pa",          \
    "world frame: xx yy zz xy yz xz, tension above zero")                                      \
  F(uint64_t, work, FIELD_U64, 1, FIELD_CARRIED, "1",                                          \
    "counted work in a step, smoothed over steps; 0: not known yet; own rows")

typedef struct BodyKind BodyKind;
typedef struct ElasticSet ElasticSet;
typedef struct Nodes Nodes;

typedef struct {
  Table table;
  BODY_FIELDS(TABLE_COLUMN)
  const BodyKind *const *kinds;   // what numbers in `kind` mean (kind.h)
  ElasticSet *elastic;            // what rows that deform are made of (elastic.h); NULL: none does
  Nodes *nodes;                   // of rows of finite elements (nodes.h); NULL: there are none
} Bodies;

// The row of the owner of a pair of rows, the lower id first.
static inline int bodies_pair_owner(const Bodies *bodies, int low, int high)
{
  assert_debug(low >= 0 && high >= 0 && bodies->id[low] < bodies->id[high] &&
               "the lower id comes first");
  return bodies_owner((int32_t[2]){bodies->drive[low], bodies->drive[high]}, 2) == 0 ? low : high;
}

extern const TableSchema BODIES_SCHEMA;

// Local. The bodies of a state, its first table.
static inline Bodies *bodies_of(const State *state)
{
  assert(state->tables[0]->schema == &BODIES_SCHEMA && "bodies stand first");
  return (Bodies *)state->tables[0];
}

// Local. Tells the bodies of a state where the nodes of it are, if it has a table of them.
void bodies_link_nodes(const State *state);

// Local. An empty table, without kinds and the columns of bodies that deform: all are rigid;
// release its memory.
void bodies_begin(Bodies *bodies);
void bodies_end(Bodies *bodies);

// Local. Tells a row its kind, where the table has the column; else all are rigid.
static inline void bodies_set_kind(Bodies *bodies, int row, int32_t kind)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  if (bodies->kind) bodies->kind[row] = kind;
}

// Local. Does the table have the columns of bodies that deform? The same on all ranks.
bool bodies_deform(const Bodies *bodies);

// Local. Row of an id, or -1; rows of each half (own, ghost) must be sorted by id.
int bodies_find(const Bodies *bodies, uint64_t id);
// Local. The same among ghosts alone.
int bodies_find_ghost(const Bodies *bodies, uint64_t id);
