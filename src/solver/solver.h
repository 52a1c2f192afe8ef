#pragma once
// From contacts to impulses: every method behind one door, and the choice among them.
#include "admm.h"
#include "contact_system.h"
#include "group_memory.h"
#include "problem.h"
#include "state.h"

// What goes from step to step. The first group is state; caches only save work.
typedef struct {
  GroupMemories memories;

  SystemCache cache, cache_alone;   // of groups on several ranks; on this rank alone
} SolverMemory;

SolverMemory solver_memory_new(void);
// Local. The state of a memory as words, all zero while there is none, and back.
StateWords solver_memory_words(const SolverMemory *memory);
void solver_memory_restore(SolverMemory *memory, const StateWords *words);

void solver_memory_destroy(SolverMemory *memory);

// Collective. Solves the problem from the impulses it holds; free: velocities without contact,
// [rows]. Leaves the best impulses seen and, on all rows, the velocities that belong to them,
// summed in order of key. Where joints pull against each other without end, since no motion has the
// offsets of all, they get those of the motion found, and all is solved once more.
Convergence solver_solve(Problem *problem, Velocities free, SolverParameters parameters,
                         SolverMemory *memory, Arena *arena);

// Local. Impulses of the problem back into the table (own and ghost rows); contacts that took no
// part get zero.
void solver_store(const Problem *problem, Contacts *contacts);
