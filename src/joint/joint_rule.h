#pragma once
// What a row of a joint holds: a point of one body against a point of another one.
//
// The separation of the two places in the row's axes is kept at zero, along the normal and along
// the tangents, by an impulse within a cylinder: -tension <= r_N <= push, |r_T| <= shear, each from
// zero (free) to infinity (held, whatever it takes). A ball holds all, a roller the normal alone, a
// pin the tangents alone. A row along a line has its normal from the place of the higher body to
// that of the lower one, and the elongation of their distance as its separation: rods, cables,
// struts, ties, springs.
#include <math.h>
#include <stdbool.h>

#include "check.h"

// The two directions of a row that have limits and stiffness of their own.
enum { JOINT_NORMAL = 0, JOINT_TANGENT = 1, JOINT_DIRECTIONS = 2 };

typedef struct {
  int joint;         // number of the joint in the case
  bool along_line;   // see above; nothing acts across it
  bool frame_low;    // the row's axes turn with the lower body, else with the higher one
  double tension, push, shear;          // limits, N, 0 to infinity
  double stiffness[JOINT_DIRECTIONS];   // N/m; infinite: rigid
  double damping[JOINT_DIRECTIONS];     // N s/m
  double speed;   // m/s; above 0: nothing is kept, and along its normal the centre of the lower
                  // body goes no faster against it than so, whatever that takes
  double pretension;   // N: tension at no elongation, of a row with a finite stiffness
  bool breaks;         // what happens at a limit between zero and infinity: the joint breaks; else
                       // it yields and keeps what it has yielded by
} JointRule;

// Local. Do all numbers of a rule make sense?
static inline bool joint_rule_is_valid(const JointRule *rule)
{
  bool valid = rule->joint >= 0 && rule->tension >= 0 && rule->push >= 0 && rule->shear >= 0 &&
               (!rule->along_line || rule->shear == 0) && rule->speed >= 0;
  for (int d = 0; d < JOINT_DIRECTIONS; d++)
    valid = valid && rule->stiffness[d] >= 0 && rule->damping[d] >= 0 &&
            rule->damping[d] < INFINITY && (rule->stiffness[d] > 0 || rule->damping[d] > 0);
  return valid && isfinite(rule->pretension);
}
