#pragma once
// Rows of joints as points of the contact problem: axes, arms, limits, offsets; what they have done
// when it is solved.
//
// A rigid row keeps its separation s with the offset s/h + (h/4) k, k the second derivative of s
// where velocities are constant: of order h^2, without drift. A spring (stiffness K, damping D) is
// the midpoint rule, r = -h (K (s(n) + s(n+1))/2 + D (U(n) + U(n+1))/2), as compliance and offset.
// One that acts to one side and was slack at the start of the step has the implicit rule,
// r = -h (K s(n+1) + D U(n+1)): it never holds more than it took.
#include "joints.h"
#include "problem.h"

// What own rows did in a step.
typedef struct {
  int64_t yielded;   // rows
  int64_t broken;    // joints
  IdPair first;      // the lowest pair with a joint that broke
} JointCount;

// Local. Fills the points of joints in a problem that has its columns.
void joint_points_make(const ProblemInput *in, Problem *problem, Arena *arena);

// Local. Gives the rows of joints their impulses, places and energies, lets them yield and break.
// The problem holds impulses and velocities at the end of the step; residual: the largest.
void joint_points_end(const Problem *problem, Joints *joints, double residual, JointCount *count);

// Local. The points of joints in the correction of positions: rigid directions are held, whatever
// it takes, springs are free.
void joint_points_hold(Problem *problem, const Joints *joints);
