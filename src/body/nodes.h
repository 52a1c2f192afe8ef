#pragma once
// The table of nodes of bodies of finite elements: own rows first, those of ghosts of bodies after;
// each half sorted by key, so that the nodes of a body follow each other.
#include <stdint.h>

#include "bodies.h"
#include "table.h"
#include "vec3.h"

#define NODE_FIELDS(F)                                                                        \
  F(uint64_t, body, FIELD_U64, 1, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY | FIELD_BODIES, "1", \
    "id of the body")                                                                         \
  F(uint32_t, number, FIELD_U32, 1, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY, "1",              \
    "of the node in the mesh of the body")                                                    \
  F(vec3, displacement, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m",                        \
    "from the place in the mesh, in the frame of the body")                                   \
  F(vec3, rate, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m/s",                              \
    "of the displacement, in the frame of the body, without a rigid part")                    \
  F(vec3, impulse, FIELD_F64, 3, FIELD_SHOWN | FIELD_IMPULSE, "N s",                          \
    "of contacts and joints in the last step, world axes")

struct Nodes {
  Table table;
  NODE_FIELDS(TABLE_COLUMN)
};

extern const TableSchema NODES_SCHEMA;

// Local. The first row of a body that has nodes here, own or those of a ghost; -1: none is here.
int nodes_find(const Nodes *nodes, uint64_t body);

// Local. Adds own rows at rest for a body that has none yet, behind the others.
void nodes_append(Nodes *nodes, uint64_t body, int count);
