#pragma once
// Servos: bodies of a press that are to give a force to what they touch, and go no faster than they
// may. The force acts as a load; the speed is a limit of the contact problem (JointRule.speed).
#include "case.h"
#include "exact_sum.h"
#include "joints.h"
#include "motion.h"

// What acts at a time.
typedef struct {
  const Case *c;
  const Bodies *bodies;
  double time;    // s
  vec3 gravity;   // m/s2
} ServoTime;

// Local. What servos add to the loads on a row.
LoadSum servos_on(const ServoTime *at, int row, LoadSum loads);

// Local. Loads of all rows with what servos add to them, [rows + 1]; loads: NULL: there are none.
// Loads or memory of the arena; NULL: nothing acts.
LoadSum *servos_on_all(const ServoTime *at, LoadSum *loads, Arena *arena);

// Sums of works on own rows, J: what servos do goes to the first, and off those of loads and of
// joints, by which they act.
typedef struct {
  ExactSum *servos, *loads, *joints;
} ServoSums;

// Local. Adds the works of an interval that is solved. start: velocities at its start, [rows];
// bodies have those of its end.
void servos_add_work(const ServoTime *at, const Joints *joints, const Twist *start, double interval,
                     ServoSums to);
