#pragma once
// A contact problem as matrices of the global form.
#include "dump_rows.h"
#include "elastic.h"
#include "matrix_problem.h"

// Local. Unknowns by id of the bodies: velocity and spin, after them the six rates of strain xx,
// xy, xz, yy, yz, zz of an affine body; of a body of finite elements the velocities of its nodes
// by number, world axes, without those that are held. What moves these is in w. elastic: what
// shapes with nodes are made of; NULL where there are none. Memory from the arena.
MatrixProblem dump_matrices_new(const DumpRows *rows, ElasticSet *elastic, Arena *arena);
