#pragma once
// Bodies with a guide: the case gives some components of their velocity (guided.h). What it holds
// follows from the row and the case, so that ghosts have the bits of their owner.
#include "case.h"
#include "exact_sum.h"
#include "motion.h"
#include "problem.h"

// Local. Gives a row that has just been appended the velocities that its guide holds at a time, s.
void guides_begin(Bodies *bodies, int row, const Guide *guide, double time);

// Local. What guides hold of all rows in an interval that ends at a time, s, in the arena; NULL:
// the case has none. Rows have the momenta of its start.
const HeldMotion *guides_hold(const Case *c, const Bodies *bodies, double end, Arena *arena);

// The interval under way.
typedef struct {
  double end;   // s
  vec3 fall;    // what gravity adds in it to the velocity of all dynamic rows, m/s
} GuideInterval;

// Local. What loads change of the free motion of a row, with what its guide changes in the place of
// held components.
MotionChange guides_change(const Case *c, const Bodies *bodies, int row, GuideInterval interval,
                           MotionChange change);

// Local. Adds the work that guides did on own rows in an interval that is solved, J. start:
// velocities at its start, [rows].
void guides_add_work(const Bodies *bodies, const MotionForces *acting, const Problem *problem,
                     const Twist *start, ExactSum *work);
