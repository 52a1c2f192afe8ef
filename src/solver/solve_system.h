#pragma once
// Impulses of a contact problem by ADMM: sparse factors or a multigrid, large or small sigmas.
#include "admm_controller.h"
#include "contact_system.h"

typedef struct {
  AdmmController *controller;   // what is known of sigma, and comes to be
  SystemCache *cache;           // only saves work
} SystemMemory;

typedef struct {
  SolverParameters parameters;
  bool faces;   // bodies meet in faces, so that sigma is large
  SystemMemory memory;
} SystemTask;

// Collective. Improves the problem's impulses. Leaves the best impulses seen and the velocities
// that belong to them. Sizes of points are set.
Convergence solve_system(Problem *problem, Velocities free, SystemTask task, Arena *arena);
