#pragma once
// Vectors of the linear system of rows that deform (elastic_system.h), and sums over them that are
// the same on any ranks.
#include "finite_system.h"

typedef struct {
  double *rows;   // [rows * ELASTIC_ROW_UNKNOWNS] zeros of rows of finite elements,
  vec3 *nodes;    // which have these (finite_system.h); NULL: there are none
} SystemVector;

// Rows of a system; own ones come first.
typedef struct {
  const BlockSpace *rows;
  const FiniteSystem *finite;   // NULL: no row is of finite elements
  Arena *arena;
} SystemSpace;

// Local. A vector of zeros of own rows, or of all. Memory from the arena of the space.
SystemVector system_vector_new(const SystemSpace *space, bool ghosts);

// Local. On own rows: x = 0, x += factor y.
void system_vector_clear(const SystemSpace *space, SystemVector x);
void system_vector_add(const SystemSpace *space, double factor, SystemVector y, SystemVector x);

// Collective. x.y over own rows of all ranks.
double system_vector_dot(const SystemSpace *space, SystemVector x, SystemVector y);

// Collective. The largest momentum of any row by its weight, [own * BLOCK], N s; infinite where
// one is no number.
double system_vector_size(const SystemSpace *space, SystemVector r, const double *weight);
