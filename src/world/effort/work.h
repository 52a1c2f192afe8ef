#pragma once
// Counted work: what a rank and each of its bodies did in a step, in units that no clock decides.
// One unit is one contact point in one sweep of the solver, with the share of residuals and
// acceleration that goes with it: about 700 instructions of a release build. Everything else is
// counted by what it handles, at the rates below; README.md says how they were measured.
#include "bodies.h"
#include "check.h"
#include "detect.h"
#include "problem.h"
#include "shape.h"

enum {
  WORK_BODY = 8,         // an own body: motion, velocities, record
  WORK_GHOST = 8,        // a ghost: messages, box, search by id
  WORK_PAIR = 2,         // a pair of overlapping boxes
  WORK_POINT = 8,        // a contact point before the first sweep: its row, its W_aa, its colour
  WORK_FRACTION = 16,    // the rates below are in 1/16 of a unit
  WORK_CORNER = 1,       // vertex or face of a body or ghost: box, pose
  WORK_PART_BOXES = 1,   // boxes of two parts compared
  WORK_PARTED = 1,       // vertex or face of a pair of near parts that do not touch
  WORK_TOUCHING = 32     // of a pair that does
};

// Local. Units that one contact point costs in a step of so many sweeps.
static inline int64_t work_of_point(int64_t sweeps)
{
  assert_debug(sweeps >= 0 && "sweeps are counted");
  return WORK_POINT + sweeps;
}

// What was done at once: in a step, or in one of several attempts at it.
typedef struct {
  const DetectCount *counts;   // of the narrow phase, by own row
  const Problem *problem;
  int64_t sweeps;   // all of it
} StepWork;

// The work of a step so far.
typedef struct {
  int64_t rank;    // of this rank: that of its rows, and all points it sweeps, also those of pairs
                   // that two ranks sweep
  int64_t *rows;   // [own rows] of each dynamic body
} WorkSum;

// Local. Nothing done yet; memory from the arena.
WorkSum work_begin(const Bodies *bodies, Arena *arena);

// Local. Adds what was done. Scratch from the arena.
void work_add(WorkSum *sum, const Bodies *bodies, ShapeSet *shapes, const StepWork *done,
              Arena *arena);

// Local. Brings the column work of own dynamic bodies up to date at the end of the step.
void work_end(const WorkSum *sum, Bodies *bodies);
