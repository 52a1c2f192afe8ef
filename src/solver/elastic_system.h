#pragma once
// The linear system of ADMM where rows deform, A = A0 + H' Sig H in velocities (v, w, S) of rows
// (elastic_rows.h): conjugate gradients, preconditioned by exact solutions in each body around one
// of the system of their rigid motions, which is the leading part of A.
#include "amg.h"
#include "cholesky.h"
#include "point_operators.h"

typedef struct ElasticSystem ElasticSystem;

// Which bodies have rows, as the system of rigid motions has them.
typedef struct {
  const BlockSpace *space;   // their plan and their keys
  const int *row_of_body;    // [rows] -1: none
  const int *body_of_row;    // [space->count]
} SystemRows;

// The system of rigid motions, solved by one of these; the other is NULL.
typedef struct {
  const Cholesky *factors;
  Amg *amg;
} CoarseSystem;

// Local. Rows must outlive it. Memory from the arena.
ElasticSystem *elastic_system_new(const Problem *problem, const SystemRows *rows, Arena *arena);

// Collective. New weights [points], kg; false on all ranks: a body's block is not definite.
bool elastic_system_prepare(ElasticSystem *system, const double *weights);

// Local. What answers leave out of their loads: those that the operators have, H' Sig U_free.
void elastic_system_set_push(ElasticSystem *system, const PointOperators *operators);

// Collective. A x = the loads that the operators have without the push, from the last x, until no
// momentum is missing beyond the tolerance; weights of end: [own * BLOCK]. Returns iterations.
int elastic_system_solve(ElasticSystem *system, const PointOperators *operators,
                         CoarseSystem coarse, GradientsEnd end);

// Local. free + x, for all rows of the system.
void elastic_system_velocities(const ElasticSystem *system, Velocities free, Twist *twist,
                               mat3 *stretch);
