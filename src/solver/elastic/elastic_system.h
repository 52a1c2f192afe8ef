#pragma once
// The linear system of ADMM where rows deform, A = A0 + H' Sig H in velocities (v, w, S) of rows
// (elastic_rows.h): sparse factors of all of it, or conjugate gradients, preconditioned by exact
// solutions in each body around a cycle on the system of their rigid motions, the leading part of
// A.
#include "amg.h"
#include "elastic_factors.h"
#include "finite_system.h"
#include "point_operators.h"

typedef struct ElasticSystem ElasticSystem;

// Local. Rows must outlive it. direct: by sparse factors of all of it. Memory from the arena.
ElasticSystem *elastic_system_new(const Problem *problem, const SystemRows *rows, bool direct,
                                  Arena *arena);

// Collective. Products that factors take for a body, about; of a system that is direct. factors: as
// below.
double elastic_system_work(const ElasticSystem *system, Cholesky **factors);

// Factors of an earlier call, which are spent, and what comes of them.
typedef struct {
  Cholesky **factors;      // of all of it, where it is direct
  FiniteFactors *bodies;   // else of each body of finite elements
} ElasticCache;

// Collective. New weights [points], kg. False on all ranks: not definite.
bool elastic_system_prepare(ElasticSystem *system, const double *weights, ElasticCache cache);

// Local. What answers leave out of their loads: those that the operators have, H' Sig U_free.
void elastic_system_set_push(ElasticSystem *system, const PointOperators *operators);

// Solves a system, by one of these: the factors of all of it; a multigrid of rigid motions.
typedef struct {
  const Cholesky *factors;
  Amg *amg;
} ElasticSolver;

// Collective. A x = the loads that the operators have without the push; by multigrid from the last
// x, until no momentum is missing beyond the tolerance; weights of end: [own * BLOCK]. Returns
// iterations.
int elastic_system_solve(ElasticSystem *system, const PointOperators *operators,
                         ElasticSolver solver, GradientsEnd end);

// Local. The next solution begins with what now, velocities of own rows, has more than free.
void elastic_system_begin(ElasticSystem *system, Velocities free, Velocities now);

// Local. free + x, for all rows of the system.
void elastic_system_velocities(const ElasticSystem *system, Velocities free, VelocityColumns to);
