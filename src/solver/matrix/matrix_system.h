#pragma once
// The operators of a problem given as matrices, by sparse factors (CXSparse: Davis 2006), scalar
// and without BLAS. Local.
#include "matrix_problem.h"
#include "vec3.h"

typedef struct MatrixSystem MatrixSystem;

// Factors M in the global form. NULL: M is not positive definite. The problem must outlive it.
MatrixSystem *matrix_system_new(const MatrixProblem *problem, Arena *arena);
void matrix_system_destroy(MatrixSystem *system);

// W_aa of a contact.
mat3 matrix_system_diagonal(MatrixSystem *system, int contact);

// u = W r + u_free; r, u [count].
void matrix_system_velocity(MatrixSystem *system, const vec3 *r, vec3 *u);

// Makes ready for weights Sig [count], m/s to N s; false: the system cannot be solved.
bool matrix_system_prepare(MatrixSystem *system, const double *weight);

// u = (I + W Sig)^-1 (u_free + W d).
void matrix_system_respond(MatrixSystem *system, const vec3 *d, vec3 *u);

// W by rows: the problem's own or made from the global form, from the arena. False: more entries
// than an int counts.
bool matrix_system_delassus(MatrixSystem *system, SparseMatrix *delassus, Arena *arena);
