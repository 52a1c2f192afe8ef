#pragma once
// What drystone run says: beginning, progress, warnings, end.
#include "forces.h"
#include "world.h"

typedef struct {
  World *world;
  int64_t first_step, last_step;   // of this run
  bool terminal;                   // a person watches
  double began, said;              // s on the monotonic clock
  // steps with something to warn of, bodies that left the domain
  int64_t halved_steps, unconverged, failed_steps, rerouted_steps, large_steps, false_steps,
      wheel_steps, broken_steps, joint_steps, doubtful_steps, stiff_steps, displaced_steps,
      turned_steps, removed_shown;
  int64_t given_steps;                     // in which contact points gave
  double most_given;                       // by which velocity, m/s
  int64_t bounded_steps, bounded_groups;   // in which impacts would have made energy
  double least_share;                      // of its rebound that any of them kept
  unsigned methods_said;                   // bit per kind
  int64_t most_bodies, most_points;        // rows on this rank in one step, ghosts included
  RankCounts began_with;                   // what this rank had counted before the first step
} RunLog;

// Local. The clock begins; the world may still be empty.
RunLog run_log_new(World *world);

// Collective. The line before the first step.
void run_log_begin(RunLog *log);

// Collective. What there is to say of the last step.
void run_log_step(RunLog *log);

// Collective. Sums, times and the hash at the end; folder: where the results are, NULL: nowhere.
void run_log_end(const RunLog *log, const Forces *forces, const char *folder);
