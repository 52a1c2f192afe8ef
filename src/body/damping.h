#pragma once
// Damping: loads on dynamic bodies against their velocities, known before contacts are.
#include "damping_settings.h"
#include "exact_sum.h"
#include "motion.h"

// What damping does in a step; rows are those of all bodies.
typedef struct {
  const LoadSum *external;   // [rows] what the case loads them with; NULL: nothing
  LoadSum *local, *mass;     // [rows]
  vec3 *momentum;            // [rows] angular momentum at the start of the step, N m s
} Damping;

// Local. Adds the loads of damping to what acts in the step, whose rows are at its middle and have
// the velocities of its start; NULL where there is none. Memory from the arena.
const Damping *damping_begin(const Bodies *bodies, const DampingSettings *settings,
                             MotionForces *acting, Arena *arena);

// Local. Once own rows have the velocities of the end of the step: force and torque that nothing
// balances, without damping, for the next step. start: [rows] velocities at the start of the step.
// Without damping nothing is done, here and below.
void damping_keep(Bodies *bodies, const Damping *damping, const MotionForces *acting,
                  const Twist *start);

// Local. The loads of the case on rows, without damping; NULL: none.
const LoadSum *damping_external(const Damping *damping, const MotionForces *acting);

// Local. Adds the works of own rows to sums: of local damping, of damping by mass.
void damping_add_works(const Bodies *bodies, const Damping *damping, const Twist *start,
                       double step, ExactSum sums[2]);
