#pragma once
// Overlap that is left at the end of a step, opened apart from the velocities (split impulse).
#include "problem.h"
#include "solver_settings.h"

typedef struct {
  CorrectionSettings settings;
  double step;   // s
} CorrectionParameters;

// What positions are corrected by.
typedef struct {
  const Contacts *contacts;
  const Joints *joints;   // NULL: there are none
  ShapeSet *shapes;
  CorrectionParameters parameters;
} CorrectionInput;

typedef struct {
  bool acted;
  int sweeps;
  Twist *shift;   // [own rows] displacements, m, rad; arena
} Correction;

// Collective. Split impulse: displacements of own rows that open overlaps at the end of the step,
// by the same law of contact with friction, apart from the velocities, so that no kinetic energy is
// added. The problem holds the velocities at the end of the step on all rows; its impulses and
// velocities are spent.
Correction correction_solve(Problem *problem, const CorrectionInput *in, Arena *arena);
