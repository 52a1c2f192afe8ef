#pragma once
// What rank 0 gets of a contact problem to write it as matrices: bodies that move, their nodes,
// points, and the shares of nodes in points, in an order that no number of ranks changes.
#include "gathered_rows.h"

// A body that moves.
typedef struct {
  uint64_t id;
  MotionMass mass;
  Twist free;
  bool deforms;                                         // it is affine
  double resist[ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS];   // of an affine one, see ElasticRow
  double field[ELASTIC_UNKNOWNS];   // its free velocities beside that of its centre
  int nodes;                        // of one of finite elements; 0: it is none
  int shape, material;              // which say what it is made of
  mat3 rotation;   // from its axes to those of the world, at the middle of the step
} DumpBody;

// A node of a body of finite elements.
typedef struct {
  uint64_t body;
  int number;   // in its mesh
  vec3 free;    // velocity without contact, world axes, m/s
} DumpNode;

// The share of a node in a point.
typedef struct {
  IdPair ids;   // of the point, as its order is
  int order;
  bool high;   // it is of the higher body
  int place;   // among the shares of that body
  int node;    // in the mesh
  double weight;
} DumpShare;

// All but the points as counts say; each of them by id of the body or ids of the pair.
typedef struct {
  int body_count, node_count, point_count, share_count;
  const DumpBody *bodies;
  const DumpNode *nodes;
  const GatheredPoint *points;   // more[0]: the velocity that bodies without freedom give, and the
                                 // law's offset
  const DumpShare *shares;
} DumpRows;

// How large the matrices are, all ranks together.
typedef struct {
  int64_t unknowns, numbers;   // numbers: of M and of H, those of nodes that are held among them
} DumpSize;

// Collective. The same on all ranks.
DumpSize dump_rows_size(const Problem *problem);

// Collective. On rank 0, others have none. Arena memory. Without points that are no constraint in
// this step.
DumpRows dump_rows_gather(const Problem *problem, Velocities free, Arena *arena);
