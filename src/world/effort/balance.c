// Decides when the bodies are shared out anew, from counted work alone.
#include "balance.h"

#include <assert.h>

#define REACH_LEAST 1.05   // partitions leave some, bodies are not divisible, boundaries add some
#define MEASURED_RANKS 2   // of the costs
#define FORGET \
  (1.0 / 256)            // per step: share of a bad reach, and of one partition that did not last
#define TRIAL_STEPS 12   // between two partitions at least; by then the first has been judged
#define VAIN_LIMIT 5     // doublings of these steps where no partition is better
#define WORSE 1.25       // imbalance, over that at a refusal, that ends the wait
#define DISTRUST_LIMIT 10   // doublings of what one must gain after others that did not last
#define LEAST_SAVING 0.05   // of the busiest rank's work
#define LEAST_SERVICE 32    // steps that a partition serves in any case

Balance balance_new(void) { return (Balance){.reach = REACH_LEAST}; }

// a partition that brings less than half of what it promised was made for work that did not last
static void judge_promise(Balance *b, double imbalance)
{
  assert(b->steps >= 0 && "steps are counted");
  if (!(b->promised > 0)) return;
  b->trial += imbalance;
  if (b->steps < TRIAL_STEPS) return;
  if (b->trial / TRIAL_STEPS <= 0.5 * (b->before + b->promised)) b->distrust = 0;
  else if (b->distrust < DISTRUST_LIMIT) b->distrust += 1;
  b->promised = 0;
}

void balance_count_step(Balance *b, int64_t most, int64_t total, int ranks, int sweeps)
{
  assert(most >= 0 && total >= most && ranks >= 1 && sweeps >= 0 && "work is counted");
  const double mean = (double)total / ranks, share = 1.0 / BALANCE_SMOOTHING;
  const double imbalance = total > 0 ? (double)most / mean : 1;
  b->ranks = ranks;
  b->steps++;
  b->level = b->level > 0 ? b->level + share * (imbalance - b->level) : imbalance;
  b->sweeps = b->sweeps > 0 ? b->sweeps + share * (sweeps - b->sweeps) : sweeps;
  b->excess = larger_of(0, b->excess + (double)most - b->reach * mean);
  b->reach -= FORGET * (b->reach - REACH_LEAST);
  b->distrust = larger_of(0, b->distrust - FORGET);
  judge_promise(b, imbalance);
}

// of a rank in what all do, over that of one rank of two
static double share_of_rank(const Balance *b)
{
  return b->ranks > 0 ? (double)MEASURED_RANKS / b->ranks : 1;
}

double balance_cost(const Balance *b)
{
  assert(b->segments >= 0 && b->vertices >= 0 && b->edges >= 0 && b->moved >= 0 &&
         "a graph is counted");
  const int64_t shared = COST_VERTEX * b->vertices + COST_EDGE * b->edges + COST_MOVED * b->moved;
  return COST_ALWAYS + (double)(COST_SEGMENT * b->segments) + share_of_rank(b) * (double)shared;
}

bool balance_is_due(const Balance *b)
{
  assert(b->distrust >= 0 && b->distrust <= DISTRUST_LIMIT + 1 && "distrust has a limit");
  const bool worse = b->vain > 0 && b->steps >= TRIAL_STEPS && b->level > WORSE * b->refused;
  if (b->steps < b->wait && !worse) return false;
  return b->excess > balance_cost(b) * (double)(1 << (int)(b->distrust + 0.5));
}

static bool pays(const Balance *b, const OwnershipReport *found)
{
  const double saving = (double)(found->most_before - found->most_after);
  const double service = b->steps > LEAST_SERVICE ? (double)b->steps : LEAST_SERVICE;
  return saving >= LEAST_SAVING * (double)found->most_before &&
         saving * service > share_of_rank(b) * (double)(COST_MOVED * found->moved);
}

// what a partition that is taken changes
static void note_taken(Balance *b, Sharing reason, const OwnershipReport *found)
{
  const double before = b->level;
  b->last = reason;
  b->last_before = found->share_before;
  b->last_after = found->share_after;
  b->promised = 0;
  b->wait = TRIAL_STEPS;
  b->vain = 0;
  b->level = 0;
  b->reach = larger_of(REACH_LEAST, found->share_after);
  b->moved = found->moved;
  switch (reason) {
  case SHARING_NONE: break;
  case SHARING_FIRST:
    // nothing was known of work, and bodies came in ranges of ids, which says nothing of how many
    // will move
    b->wait = 0;
    b->reach = REACH_LEAST;
    b->moved = found->vertices / 2;
    return;
  case SHARING_ASKED: b->asked++; break;
  case SHARING_BALANCE:
    b->by_balance++;
    b->before = before;
    b->promised = found->share_after;
    b->trial = 0;
    break;
  }
  b->moved_in_all += found->moved;
}

bool balance_takes(Balance *b, Sharing reason, const OwnershipReport *found)
{
  assert(reason != SHARING_NONE && "bodies are shared out for a reason");
  assert(found->moved >= 0 && "bodies that move are counted");
  const bool taken = reason != SHARING_BALANCE || pays(b, found);
  b->last_gain = b->excess;
  b->last_cost = balance_cost(b);
  b->segments = found->segments;
  b->vertices = found->vertices;
  b->edges = found->edges;
  if (taken) {
    note_taken(b, reason, found);
  } else {
    b->reach = larger_of(REACH_LEAST, b->level);
    b->refused = b->level;
    b->in_vain++;
    if (b->vain < VAIN_LIMIT) b->vain++;
    b->wait = TRIAL_STEPS << b->vain;
  }
  b->excess = 0;
  b->steps = 0;
  return taken;
}
