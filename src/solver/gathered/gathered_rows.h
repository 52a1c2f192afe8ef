#pragma once
// Rows and contact points of a problem on rank 0, in an order that no number of ranks changes: what
// is written or solved as a whole there.
#include "problem.h"

// A contact point without its place in the problem.
typedef struct {
  IdPair ids;
  int order;   // within the pair, by key
  unsigned char low_moves, high_moves;
  double friction;
  mat3 basis;
  vec3 low_arm, high_arm;
  vec3 more[2];   // what the taker adds
} GatheredPoint;

// Whether a point of pair k is taken; adds what is wanted of it.
typedef struct {
  bool (*take)(const void *context, int k, int i, const SolverPoint *point, vec3 more[2]);
  const void *context;
} PointTaker;

// Collective. Own points that are taken, of all ranks, by pair and key: on rank 0, others have
// none. Arena memory.
GatheredPoint *gathered_points(const Problem *problem, PointTaker taker, int *count, Arena *arena);

// Rows of some other kind: their size, and an order in which no two of them are equal.
typedef struct {
  size_t bytes;
  int (*compare)(const void *a, const void *b);
} GatheredKind;

// Collective. Rows of [own] structs of a kind, of all ranks in its order: on rank 0, others have
// none. Arena memory.
void *gathered_sorted(const void *rows, size_t own, GatheredKind kind, int *count, Arena *arena);

// Collective. Rows of [own] structs of a size, whose first member is the id of a body, of all ranks
// by that id: on rank 0, others have none. Arena memory.
void *gathered_bodies(const void *rows, size_t own, size_t bytes, int *count, Arena *arena);

// Local. The place among those of a body that must be there.
int gathered_body(const void *rows, int count, size_t bytes, uint64_t id);
