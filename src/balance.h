#pragma once
// When the bodies are shared out anew: what uneven work has cost against what a new partition
// would. Pure arithmetic on counted work that all ranks know alike; nothing here is state.
#include <stdbool.h>
#include <stdint.h>

#include "ownership.h"

// Units of counted work (work.h) that a new partition costs the busiest rank; ../jobs/README.md
// says how they were measured.
enum {
  COST_ALWAYS = 2000,   // messages, whatever their size
  COST_VERTEX = 12,     // a dynamic body in the graph on rank 0
  COST_EDGE = 4,        // a pair of neighbours there, seen from one of them
  COST_MOVED = 20       // a body that changes its owner, with its contacts
};

typedef enum { SHARING_NONE, SHARING_FIRST, SHARING_ASKED, SHARING_BALANCE } Sharing;

// What is remembered from step to step. Imbalance: work of the busiest rank over the mean.
typedef struct {
  double level;      // imbalance, smoothed over a few steps
  double reach;      // imbalance that the last partition could reach
  double excess;     // work of the busiest rank beyond reach times the mean, summed over steps
  int64_t steps;     // since the last partition, or since one was looked for in vain
  int patience;      // doublings of the cost, after partitions that did not help
  double before;     // imbalance before the last partition by balance, while it is on trial
  double promised;   // imbalance that it promised; 0: none is on trial
  double trial;      // sum of the imbalance since
  int64_t vertices, edges, moved;   // of the last graph and partition, or a guess
  // for the log, of the last time that bodies were shared out
  Sharing last;
  double last_before, last_after, last_gain, last_cost;
  // in this run; the first partition counts nowhere
  int64_t by_balance, asked, in_vain, moved_in_all;
} Balance;

// Local. Before the first partition.
Balance balance_new(void);

// Local. After a step: work of the busiest rank and of all ranks together.
void balance_count_step(Balance *balance, int64_t most, int64_t total, int ranks);

// Local. Units that a new partition will probably cost.
double balance_cost(const Balance *balance);

// Local. Whether a new partition is worth looking for: uneven work has cost more since the last one
// than a new one will. It is taken to serve as long as the last one did, so that this is also the
// predicted gain, and all that is ever spent on partitions is at most what uneven work costs
// (remapping by cost and gain: Nicol and Saltz 1988; the cumulative sum: Page 1954).
bool balance_is_due(const Balance *balance);

// Local. Whether a partition that was found is taken: always, but for balance only if it spares the
// busiest rank enough to pay for the bodies that move. Notes what was decided.
bool balance_takes(Balance *balance, Sharing reason, const OwnershipReport *found);
