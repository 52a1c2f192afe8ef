#pragma once
// Goes on from where a sweep ended along the differences between its end and those of sweeps before
// it, for each group of touching bodies as it needs.
#include "anderson.h"
#include "batches.h"
#include "group_sums.h"
#include "group_task.h"

#define ACCELERATION_DEPTH ANDERSON_DEPTH   // ends of sweeps that are kept, at most

// Impulses at the end of a sweep, and the velocities that belong to them.
typedef struct {
  Vec3Lane *r;      // [points of the batches]
  vec3 *single_r;   // [points] of pairs that go in no batch; NULL: none do
  Twist *twist;     // [own rows]; NULL for differences of steps
} SweepEnds;

// What Nesterov's sequence of a group knows.
typedef struct {
  double theta, last_change;
  double smallest, theta_of_smallest;   // change since the last restart, and theta then
  int larger;                           // sweeps since, with larger ones
  double most;                          // theta goes no further
} Momentum;

// What Anderson's mixing of a group knows.
typedef struct {
  double gram[ACCELERATION_DEPTH][ACCELERATION_DEPTH];   // of differences of steps, by slot
  double smallest;                                       // square of a step since the last restart
  int count;                                             // differences known
} Mixing;

typedef struct {
  Batches batches;
  const GroupPlaces *places;
  const unsigned char *runs;   // [places] groups that are swept; others are left as they are
  double (*shares)[ACCELERATION_DEPTH];   // [places] of past ends in where to go on from
  GroupSums sums;
  Momentum *momenta;   // [places], of Nesterov's sequence; NULL: Anderson's mixing
  Mixing *mixings;     // [places]; NULL: Nesterov's

  SweepEnds past[ACCELERATION_DEPTH];   // the last ends, one after another in a ring
  int depth, newest;                    // slots of it, and that of the last end
  SweepEnds
      steps[ACCELERATION_DEPTH];   // Anderson: differences of steps, in the slots of their ends
  SweepEnds last_step;             // and the step, from start to end, of the last sweep

  Vec3Lane *x;   // [batches of points] where the sweep started
  vec3 *single_x;
  vec3 *cut;               // [points] what the projection takes off; in the place of x
  unsigned char *is_cut;   // [points]
  int pair_count;          // of groups that ran when the batches were made
  int more_passes;         // of batches
  bool sprung;             // joints may have a stiffness: momentum may cycle
} Acceleration;

// How sweeps are accelerated.
typedef struct {
  bool mixes;        // Anderson's mixing; else Nesterov's momentum
  int more_passes;   // over the points of a pair, beyond the first
} AccelerationKind;

// Local. Batches of the groups that run; runs stays up to date as long as it is used.
Acceleration acceleration_new(Problem *problem, const GroupPlaces *places,
                              const unsigned char *runs, AccelerationKind kind, Arena *arena);

// Local. Before a sweep.
void acceleration_start(Acceleration *a);

// Collective. After it: impulses and velocities of groups that run go on in their directions.
void acceleration_go_on(Acceleration *a, bool first);

// Local. Between two sweeps: leaves groups that have ended out of the batches where they are more
// than half of them.
void acceleration_shrink(Acceleration *a, Arena *arena);
