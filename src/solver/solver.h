#pragma once
// From contacts to impulses, and from overlap to corrected positions.
#include "gauss_seidel.h"
#include "problem.h"

// Local. Impulses of the problem back into the table (own and ghost rows); contacts that took no
// part get zero.
void solver_store(const Problem *problem, Contacts *contacts);

typedef struct {
  double share;   // of the overlap beyond the slop that goes in one step, 0: off
  double slop;    // overlap left alone, relative to the smaller body's extent
  double step;    // s
} CorrectionParameters;

typedef struct {
  bool acted;
  int sweeps;
} Correction;

// Collective. Split impulse: displacements (m, rad; own rows) that open overlaps at the end of the
// step, by the same law of contact with friction, apart from the velocities, so that no kinetic
// energy is added. The problem holds the velocities at the end of the step on all rows; its
// impulses and velocities are spent. shift[own rows].
Correction solver_correct(Problem *problem, const Contacts *contacts, const Bodies *bodies,
                          ShapeSet *shapes, CorrectionParameters parameters, Twist *shift,
                          Arena *arena);
