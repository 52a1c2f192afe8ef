#pragma once
// What bodies of finite elements have in the linear system of rows that deform
// (elastic_system.h): their nodes, 3 unknowns each, in the axes of the body. The first node of a
// row of the system is first[row]; rows of other kinds have none.
#include "elastic_factors.h"

typedef struct FiniteSystem FiniteSystem;

// Factors of bodies, which last until others are made.
typedef struct {
  int count;
  FiniteSingle **of;   // [count]
} FiniteFactors;

void finite_factors_destroy(FiniteFactors *factors);

// Local. Memory from the arena; rows must outlive it.
FiniteSystem *finite_system_new(const Problem *problem, const SystemRows *rows, Arena *arena);

// Local. A vector of zeros for the nodes of own rows, or of all.
vec3 *finite_system_vector(const FiniteSystem *system, bool ghosts);
int finite_system_nodes(const FiniteSystem *system, bool ghosts);

// Local. The nodes of a row of the system among those of a vector; NULL: it has none.
vec3 *finite_system_row(const FiniteSystem *system, int row, vec3 *vector, int *count);

// Local. New weights [points], kg: factors of A0 + H' Sig H in each own body. False: not definite.
bool finite_system_prepare(FiniteSystem *system, const double *weights, FiniteFactors *factors);

// Collective among neighbours. Vectors of ghosts become those of their owners.
void finite_system_refresh(const FiniteSystem *system, vec3 *vector);

// What is multiplied. That it is an answer in each body, or rigid, saves the stiffness: where
// S x = r, A0 x is r less what S has of pairs, and a rigid motion is resisted by masses alone.
typedef enum { FACTOR_ANY, FACTOR_LOCAL, FACTOR_RIGID } FactorKind;

typedef struct {
  FactorKind kind;
  const vec3 *x;         // of nodes of all rows, but where it is rigid:
  const double *rigid;   // [rows * BLOCK] motions, world axes
} NodesFactor;

// Local. The impulses that a pair with such a body takes of velocities; they are kept for
// finite_system_multiply. motion: [rows] of other kinds, v in the place of a push, w x + S of a
// dyad. Returns what the lower body gets, dyads about its centre of mass, where one of the two has
// no nodes; apart: what the higher body has in its dyad beside (PointOperators), NULL: no line
// holds what deforms.
DyadLoad finite_system_pair(FiniteSystem *system, int pair, NodesFactor factor,
                            const DyadLoad *motion, mat3 *apart);

// Local. An own row that has nodes, with the impulses of its pairs: y = A x; where S x = r,
// y = r - A x; where x is rigid, y -= A x.
void finite_system_multiply(const FiniteSystem *system, int row, NodesFactor factor, vec3 *y);

// Local. x += S_b^-1 r for every own row with nodes.
void finite_system_add_local(const FiniteSystem *system, const vec3 *r, vec3 *x);

// Local. P' r of an own row with nodes, as momenta of its body [BLOCK], and x += P z.
void finite_system_restrict(const FiniteSystem *system, int row, const vec3 *r, double *momenta);
void finite_system_add_rigid(const FiniteSystem *system, int row, const double *z, vec3 *x);
