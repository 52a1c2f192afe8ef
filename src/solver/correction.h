#pragma once
// Overlap that is left at the end of a step, opened apart from the velocities (split impulse).
#include "problem.h"

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
Correction correction_solve(Problem *problem, const Contacts *contacts, const Bodies *bodies,
                            ShapeSet *shapes, CorrectionParameters parameters, Twist *shift,
                            Arena *arena);
