#include "balance.h"

#define REACH_LEAST 1.05   // METIS leaves up to 3 %, bodies are not divisible, boundaries add some
#define SMOOTHING 0.125    // weight of the newest step in the level, once there are eight
#define FORGET (1.0 / 256)   // per step: how fast a bad reach goes back to the least
#define TRIAL_STEPS 8        // after which a partition by balance has kept its promise or not
#define PATIENCE_LIMIT 4     // doublings
#define LEAST_SAVING 0.05    // of the busiest rank's work
#define LEAST_SERVICE 32     // steps that a partition serves in any case

Balance balance_new(void) { return (Balance){.level = 1, .reach = REACH_LEAST}; }

static double larger_of(double x, double y) { return x > y ? x : y; }

static void lose_patience(Balance *b)
{
  if (b->patience < PATIENCE_LIMIT) b->patience++;
}

// a partition that brings less than half of what it promised makes the next one dearer
static void judge_promise(Balance *b, double imbalance)
{
  if (!(b->promised > 0)) return;
  b->trial += imbalance;
  if (b->steps < TRIAL_STEPS) return;
  if (b->trial / TRIAL_STEPS <= 0.5 * (b->before + b->promised)) b->patience = 0;
  else lose_patience(b);
  b->promised = 0;
}

void balance_count_step(Balance *b, int64_t most, int64_t total, int ranks)
{
  const double mean = (double)total / ranks;
  const double imbalance = total > 0 ? (double)most / mean : 1;
  b->steps++;
  b->level += larger_of(SMOOTHING, 1.0 / (double)b->steps) * (imbalance - b->level);
  b->excess = larger_of(0, b->excess + (double)most - b->reach * mean);
  b->reach -= FORGET * (b->reach - REACH_LEAST);
  judge_promise(b, imbalance);
}

double balance_cost(const Balance *b)
{
  return COST_ALWAYS + (double)(COST_VERTEX * b->vertices + COST_EDGE * b->edges) +
         (double)(COST_MOVED * b->moved);
}

bool balance_is_due(const Balance *b)
{
  return b->excess > balance_cost(b) * (double)(1 << b->patience);
}

static bool pays(const Balance *b, const OwnershipReport *found)
{
  const double saving = (double)(found->most_before - found->most_after);
  const double service = b->steps > LEAST_SERVICE ? (double)b->steps : LEAST_SERVICE;
  return saving >= LEAST_SAVING * (double)found->most_before &&
         saving * service > (double)(COST_MOVED * found->moved);
}

bool balance_takes(Balance *b, Sharing reason, const OwnershipReport *found)
{
  const bool taken = reason != SHARING_BALANCE || pays(b, found);
  b->last_gain = b->excess;
  b->last_cost = balance_cost(b);
  b->vertices = found->vertices;
  b->edges = found->edges;
  if (taken) {
    b->last = reason;
    b->last_before = found->share_before;
    b->last_after = found->share_after;
    b->reach = larger_of(REACH_LEAST, found->share_after);
    b->moved = found->moved;
    b->promised = 0;
    if (reason != SHARING_FIRST) b->moved_in_all += found->moved;
  } else {
    b->reach = larger_of(REACH_LEAST, b->level);
    b->in_vain++;
    lose_patience(b);
  }
  if (reason == SHARING_FIRST) {
    // nothing was known of work; the bodies came in blocks of ids, which says nothing of what will
    // move
    b->reach = REACH_LEAST;
    b->moved = found->vertices / 2;
  } else if (reason == SHARING_ASKED) {
    b->asked++;
  } else if (taken) {
    b->by_balance++;
    b->before = found->share_before;
    b->promised = found->share_after;
    b->trial = 0;
  }
  b->excess = 0;
  b->steps = 0;
  return taken;
}
