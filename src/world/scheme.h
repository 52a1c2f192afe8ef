#pragma once
// The door of schemes: how a step gets from its contacts to the velocities at its end. A step is
// begun alike for all of them (step.c: births, partition, ghosts, configuration at its middle,
// contacts), and ended alike (correction, configuration at its end, record).
#include "damping.h"
#include "detect.h"
#include "distribute.h"
#include "joint_points.h"
#include "world.h"

// A step under way; rows are those of all bodies, ghosts included, memory is that of the step.
typedef struct {
  Halo halo;
  const Box *boxes;            // [rows]
  MotionForces acting;         // gravity and loads at the middle of the step, with those of
                               // damping and of common volumes
  const Damping *damping;      // NULL: none
  const LoadSum *case_loads;   // [rows] loads of the case alone; NULL: none on any
  VolumeForces volumes;        // without rows (NULL) where the case has no such law
  MidState *mid;               // [rows]
  Twist *start, *free;   // [rows] u(n) and u_free: of prescribed bodies made by the begin, those of
                         // all others are the scheme's to make
  DetectReport detected;
  // made by the scheme
  Velocities before;   // u(n), with what deforms
  Problem problem;   // the points with their impulses; velocities at the end of the step, all rows
  Convergence solved;
  BondCount bonds;     // those of detected, and what broke
  JointCount joints;   // what rows of joints did
} Step;

struct Scheme {
  const char *name;
  // Collective. Gives own bodies their velocities and momenta at the end of the step and contacts
  // their reactions, and fills its part of the step.
  void (*solve)(World *world, Step *step);
};

// Moreau's: impulses over the whole step, by inequalities alone.
extern const Scheme SCHEME_NONSMOOTH;
