#pragma once
// Impulses of a contact problem by the interior-point method: for those that sweeps and ADMM do not
// bring to an end.
#include "contact_system.h"

// Collective. Whether the method is for this problem: its bodies are rigid and not too many, its
// points are contacts, or are held for good.
bool solve_interior_fits(const Problem *problem);

typedef struct {
  SolverParameters parameters;
  bool whole;   // the path is followed however short its steps are; else as far as that is cheap
} InteriorTask;

typedef struct {
  Convergence found;
  bool near;   // the path goes on, by short steps, or by more than were made
} InteriorResult;

// Collective. Goes from the impulses that the problem holds to such that are near a solution at
// nearly all points, though perhaps further from it at some: sweeps must follow. Sizes of points
// are set. sweeps of the result counts steps.
InteriorResult solve_interior(Problem *problem, Velocities free, InteriorTask task,
                              SystemCache *cache, Arena *arena);
