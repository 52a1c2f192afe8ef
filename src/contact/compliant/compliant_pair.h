#pragma once
// Two bodies with the volumetric law: their common solids become rows with forces.
#include "bodies.h"
#include "common_find.h"
#include "compliant_law.h"
#include "motion.h"
#include "volumes.h"

typedef struct {
  IdPair ids;
  const PosedBody *low, *high;   // at the middle of the step
  const MidState *mid_low, *mid_high;
  Twist start_low, start_high;   // u(n)
  const SurfaceLaw *law;
  double step;   // s
  bool pooled;   // all parts are one row
} CompliantPair;

// Rows of a pair in the last step, in a table sorted by key.
typedef struct {
  const Volumes *volumes;
  int first, end;
} OldVolumes;

// What of a pair has no force.
typedef struct {
  int failed;     // pairs of parts whose common solid is not known, and rows without a normal
  int rerouted;   // see CommonSet
  PatchCount count;
} CompliantCount;

// Local. Adds the rows of two bodies to a table without ghosts, behind all others. A row has the
// bristle and twist of the row with its key, one without those of the nearest row of the same
// bodies; rows with a normal far from its own hand nothing on. Scratch from the arena.
CompliantCount compliant_pair_add(const CompliantPair *pair, OldVolumes old, Volumes *found,
                                  Arena *arena);
