#pragma once
// When the bodies are shared out anew: what uneven work has cost against what a new partition
// would. Pure arithmetic on counted work that all ranks know alike; nothing here is state.
#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "ownership.h"

// Units of counted work (work.h) that a new partition costs the busiest rank of two; of more, each
// has a smaller share of vertices, edges and moves, and one splits the segments of all. README.md
// says how they were measured.
enum {
  COST_ALWAYS = 4000,   // messages, whatever their size
  COST_SEGMENT = 27,    // a segment that METIS sees
  COST_VERTEX = 4,      // a dynamic body in the graph
  COST_EDGE = 2,        // a pair of neighbours there, at each of its ends; rows sorted afterwards
  COST_MOVED = 40       // a body that changes its owner, with its contacts
};

typedef enum { SHARING_NONE, SHARING_FIRST, SHARING_ASKED, SHARING_BALANCE } Sharing;

#define BALANCE_SMOOTHING \
  8   // steps over which work is smoothed, so that one odd step decides nothing

// What is remembered from step to step. Imbalance: work of the busiest rank over the mean.
typedef struct {
  double level;      // imbalance, smoothed over a few steps; 0: not known yet
  double reach;      // imbalance that the last partition could reach
  double excess;     // work of the busiest rank beyond reach times the mean, summed over steps
  int64_t steps;     // since the last partition, or since one was looked for in vain
  int64_t wait;      // steps before the next one is looked for
  int vain;          // times in a row that one was looked for in vain: each doubles the wait
  double refused;    // level at the last of them; much above it the wait is over
  double distrust;   // partitions in a row that did not keep their promise, slowly forgotten: each
                     // doubles what the next one must gain
  double before;     // level before the last partition by balance, while it is on trial
  double promised;   // imbalance that it promised; 0: none is on trial
  double trial;      // sum of the imbalance since
  double sweeps;     // of the solver, smoothed
  int ranks;         // 0: not known yet
  int64_t segments, vertices, edges, moved;   // of the last graph and partition, or a guess
  // for the log, of the last time that bodies were shared out
  Sharing last;
  double last_before, last_after, last_gain, last_cost;
  // in this run; the first partition counts nowhere
  int64_t by_balance, asked, in_vain, moved_in_all;
} Balance;

// Local. Before the first partition.
Balance balance_new(void);

// Local. After a step: work of the busiest rank and of all ranks together; sweeps of the step.
void balance_count_step(Balance *balance, int64_t most, int64_t total, int ranks, int sweeps);

// Local. What is known of the work of a body, smoothed over steps, after one more; 0: not known
// yet.
static inline int64_t balance_smoothed(int64_t known, int64_t now)
{
  assert_debug(known >= 0 && now >= 0 && "work is counted");
  return known > 0 ? known + (now - known) / BALANCE_SMOOTHING : now;
}

// Local. Units that a new partition will probably cost. For the tests.
double balance_cost(const Balance *balance);

// Local. Whether a new partition is worth looking for: uneven work has cost more since the last one
// than a new one will. It is taken to serve as long as the last one did, so that this is also the
// predicted gain, and all that is ever spent on partitions is at most what uneven work costs
// (remapping by cost and gain: Nicol and Saltz 1988; the cumulative sum: Page 1954).
bool balance_is_due(const Balance *balance);

// Local. Whether a partition that was found is taken: always, but for balance only if it spares the
// busiest rank enough to pay for the bodies that move. Notes what was decided.
bool balance_takes(Balance *balance, Sharing reason, const OwnershipReport *found);
