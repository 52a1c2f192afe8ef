#pragma once
// Places of joints in bodies of finite elements.
#include "problem.h"

// Local. Gives point i of pair k, which a joint holds, its places in those bodies of the pair that
// are of finite elements. Memory from the arena.
void joint_nodes_set(const ProblemInput *in, Problem *problem, int k, int i, Arena *arena);
