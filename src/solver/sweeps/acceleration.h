#pragma once
// Nesterov's sequence with restarts (O'Donoghue and Candes 2015), for each group of touching bodies
// its own.
#include "batches.h"
#include "group_task.h"

// What a group's sequence knows.
typedef struct {
  double theta, last_change;
  double factor;   // of the last change, by which to go on
  int sums;        // where its sums are; -1: they have one term
} GroupSequence;

typedef struct {
  Batches batches;
  const GroupPlaces *places;
  const unsigned char *runs;   // [places] groups that are swept; others are left as they are
  GroupSequence *sequences;    // [places]
  double *turn, *change;       // [places] sums of the last sweep
  ExactSum *sums;              // the same of groups that have more terms, two for each

  Vec3Lane *x, *old;   // [batches of points] where the sweep started; where the sweep before ended
  vec3 *single_x, *single_old;   // [points] likewise, of pairs that go in no batch; NULL: none do
  Twist *twist_old;              // velocities that belong to old, own rows
  vec3 *cut;                     // [points] what the projection takes off; in the place of x
  unsigned char *is_cut;         // [points]
  int pair_count;                // of groups that ran when the batches were made
} Acceleration;

// Local. Batches of the groups that run; runs stays up to date as long as it is used.
Acceleration acceleration_new(Problem *problem, const GroupPlaces *places,
                              const unsigned char *runs, Arena *arena);

// Local. Before a sweep.
void acceleration_start(Acceleration *a);

// Collective. After it: impulses and velocities of groups that run go on in their directions.
void acceleration_go_on(Acceleration *a, bool first);

// Local. Between two sweeps: leaves groups that have ended out of the batches where they are more
// than half of them.
void acceleration_shrink(Acceleration *a, Arena *arena);
