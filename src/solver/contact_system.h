#pragma once
// The contact problem of a step as operators for ADMM: impulses at points against velocities of
// bodies, by a system of 6x6 blocks on the graph of pairs.
#include "amg.h"
#include "cholesky.h"
#include "cone_problem.h"
#include "contact_space.h"
#include "finite_system.h"
#include "lu.h"
#include "problem.h"

// What lasts from step to step and only saves work.
typedef struct {
  Cholesky *factors;
  Amg *amg;
  Lu *lu;
  FiniteFactors bodies;
} SystemCache;

typedef struct ContactSystem ContactSystem;

// Collective. free: velocities without contact. The problem's points have their sizes. direct: by
// sparse factors on every rank, otherwise by multigrid. Memory from the arena.
ContactSystem *contact_system_new(Problem *problem, Velocities free, bool direct,
                                  SystemCache *cache, Arena *arena);

// Collective. Products that factors take for a body, about, where bodies deform; of a direct
// system.
double contact_system_work(ContactSystem *system);

// Local. The operators, and the scale of the residual; valid as long as the system.
ConeProblem contact_system_operators(ContactSystem *system);

// Local. What it is made of; valid as long as the system.
const Problem *contact_system_problem(const ContactSystem *system);
const ContactSpace *contact_system_rows(const ContactSystem *system);

// Collective. Bodies that take part in the linear system, of all ranks.
int64_t contact_system_bodies(const Problem *problem);

// Local. Releases what a cache holds.
void contact_system_cache_destroy(SystemCache *cache);
