#pragma once
// The door of schemes: how a step gets from its contacts to the velocities at its end. A step is
// begun alike for all of them (step.c: births, partition, ghosts, configuration at its middle,
// contacts), and ended alike (correction, configuration at its end, record).
#include "contact_places.h"
#include "damping.h"
#include "detect.h"
#include "distribute.h"
#include "exact_sum.h"
#include "joint_points.h"
#include "world.h"

// What barriers do in a step, on a rank.
typedef struct {
  int searches;       // energies that line searches asked for, of all ranks
  double least_gap;   // between skins at the end of the step, m
  double creep;       // fastest slip of a contact that sticks, m/s
  ExactSum energy;    // of barriers at the end of the step, J
} BarrierCount;

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
  ContactPlaces places;   // of all contacts in bodies of finite elements, where the case has some
  // made by the scheme
  Velocities before;   // u(n), with what deforms
  Problem problem;   // the points with their impulses; velocities at the end of the step, all rows
  Convergence solved;
  BondCount bonds;     // those of detected, and what broke
  JointCount joints;   // what rows of joints did
  // of a scheme from the start, which has no points in the problem
  int64_t sliding, sticking;   // contacts by what friction does
  ExactSum work;               // of contacts, r.(U(n) + U(n+1))/2, J
  Twist *way;                  // [own rows] displacements and turns of the step
  BarrierCount barriers;
} Step;

struct Scheme {
  const char *name;
  // Bodies stay at the start of the step until its end, no contacts are looked for before the
  // scheme, which finds its own, and no overlap is corrected after it.
  bool from_start;
  // Collective. How much farther bodies look for others than their boxes say, m; NULL: no farther.
  double (*reach)(World *world);
  // Collective. Gives own bodies their velocities and momenta at the end of the step and contacts
  // their reactions, where a frame follows also slip and status, and fills its part of the step.
  void (*solve)(World *world, Step *step);
};

// Moreau's: impulses over the whole step, by inequalities alone.
extern const Scheme SCHEME_NONSMOOTH;
// Barriers between surfaces that never meet, by Newton's method.
extern const Scheme SCHEME_BARRIER;
