#pragma once
// What validators look at around the stages of a step, in builds that check (check.h); elsewhere
// nothing happens. A fault ends the job by name: stage, promise.
#include "halo.h"
#include "world.h"

// Local. The rows of bodies and contacts by themselves; when: "before the step".
void step_check_tables(const World *world, const char *when);

// Collective. Ghosts against their mirrors, once the neighbours' bodies are here.
void step_check_ghosts(World *world, const Halo *halo);

// Local. Contacts against the bodies and parts they name, once they are found.
void step_check_contacts(World *world);

// Local. The points of the problem, solved and corrected; bodies may have left.
void step_check_solution(const Problem *problem);

// Local. The graph of contacts, where it is kept, and the points of the problem.
void step_check_problem(World *world, const Problem *problem, const char *when);
