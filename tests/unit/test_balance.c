// The decision about a new partition, fed with sequences of counted work; a small model of bodies
// on a line stands for the partition.
#include "balance.h"

#include <string.h>

#include "harness.h"
#include "hash.h"

#define BODIES 400
#define MOST_RANKS 7

// Bodies in a row, cut into runs of equal work: what METIS does, in one dimension.
typedef struct {
  int ranks;
  int64_t work[BODIES], known[BODIES];   // in the step; smoothed over steps
  int owner[BODIES];
} Row;

// What a sequence amounts to, in units of the busiest rank.
typedef struct {
  double spent, bound;    // on partitions; beyond an even share times the least reach
  double busiest, even;   // sum over steps of the busiest rank's work and of the mean
  int asked, taken;
} Outcome;

static int64_t busiest(int ranks, const int64_t *work, const int *owner, int64_t *total)
{
  int64_t workload[MOST_RANKS] = {0}, most = 0;
  *total = 0;
  for (int i = 0; i < BODIES; i++) {
    workload[owner[i]] += work[i];
    *total += work[i];
  }
  for (int r = 0; r < ranks; r++)
    if (workload[r] > most) most = workload[r];
  return most;
}

static OwnershipReport find_partition(const Row *row, int *owner)
{
  OwnershipReport found = {.segments = BODIES, .vertices = BODIES, .edges = 2 * BODIES};
  int64_t total, before = 0;
  found.most_before = busiest(row->ranks, row->known, row->owner, &total);
  for (int i = 0; i < BODIES; i++) {
    owner[i] = (int)(before * row->ranks / total);
    before += row->known[i];
    found.moved += owner[i] != row->owner[i];
  }
  found.most_after = busiest(row->ranks, row->known, owner, &total);
  found.share_before = (double)found.most_before * row->ranks / (double)total;
  found.share_after = (double)found.most_after * row->ranks / (double)total;
  return found;
}

static double cost_of(const OwnershipReport *found, bool taken)
{
  return (double)(COST_ALWAYS + COST_SEGMENT * found->segments + COST_VERTEX * found->vertices +
                  COST_EDGE * found->edges + (taken ? COST_MOVED * found->moved : 0));
}

typedef int64_t (*WorkRule)(int body, int step);

// The world's loop: decide, then work.
static Outcome play(WorkRule rule, int ranks, int steps, bool balanced, Balance *balance)
{
  static Row row;
  Outcome sum = {0};
  row.ranks = ranks;
  *balance = balance_new();
  for (int i = 0; i < BODIES; i++) row.owner[i] = i * ranks / BODIES;
  const OwnershipReport first = {
      .segments = BODIES, .vertices = BODIES, .edges = 2 * BODIES, .share_after = 1};
  CHECK(balance_takes(balance, SHARING_FIRST, &first));
  for (int step = 0; step < steps; step++) {
    if (balanced && balance_is_due(balance)) {
      int owner[BODIES];
      const OwnershipReport found = find_partition(&row, owner);
      const bool taken = balance_takes(balance, SHARING_BALANCE, &found);
      sum.asked++;
      sum.taken += taken;
      sum.spent += cost_of(&found, taken);
      if (taken) memcpy(row.owner, owner, sizeof owner);
    }
    for (int i = 0; i < BODIES; i++) {
      row.work[i] = rule(i, step);
      row.known[i] = balance_smoothed(step > 0 ? row.known[i] : 0, row.work[i]);
    }
    int64_t total;
    const int64_t most = busiest(ranks, row.work, row.owner, &total);
    sum.busiest += (double)most;
    sum.even += (double)total / ranks;
    balance_count_step(balance, most, total, ranks, 1);
  }
  return sum;
}

static int64_t even_work(int body, int step)
{
  (void)step;
  return 1000 + body % 3;
}

// sweeps go up and down for all alike
static int64_t uneven_steps(int body, int step)
{
  return (1000 + body % 3) * (1 + (int64_t)(hash_mix((uint64_t)step, 1) % 200));
}

// half of the bodies have contacts from the start
static int64_t lasting_difference(int body, int step)
{
  (void)step;
  return body < BODIES / 2 ? 1900 : 100;
}

// a heap of a quarter of the bodies that wanders along the row
static int64_t wandering(int body, int step)
{
  const int at = (body - step / 4 % BODIES + BODIES) % BODIES;
  return at < BODIES / 4 ? 3000 : 200;
}

// every body's work is drawn anew in each step
static int64_t noise(int body, int step)
{
  const uint64_t x = hash_mix((uint64_t)body, (uint64_t)step) % 64;
  return x == 0 ? 60000 : 100;
}

// bursts in random places, over before a partition can serve
static int64_t bursts(int body, int step)
{
  const int place = (int)(hash_mix((uint64_t)(step / 3), 7) % BODIES);
  return body >= place && body < place + 40 ? 5000 : 300;
}

// one body has most of the work, which nothing can divide
static int64_t indivisible(int body, int step)
{
  (void)step;
  return body == 17 ? 400000 : 100;
}

static void test_quiet(void)
{
  Balance b;
  for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
    CHECK(play(even_work, ranks, 20000, true, &b).asked == 0);
    CHECK(play(uneven_steps, ranks, 20000, true, &b).asked == 0);
  }
}

static void test_lasting(void)
{
  Balance b;
  const Outcome sum = play(lasting_difference, 2, 2000, true, &b);
  CHECK(sum.taken == 1 && sum.asked == 1);
  CHECK(sum.busiest < 1.02 * sum.even);
  CHECK(b.by_balance == 1 && b.asked == 0 && b.in_vain == 0 && b.moved_in_all == b.moved);
  CHECK(b.moved > 50 && b.moved < 150);
  CHECK(play(lasting_difference, 2, 2000, false, &b).busiest > 1.8 * sum.even);
}

static void test_wandering(void)
{
  Balance b;
  for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
    const Outcome with = play(wandering, ranks, 4000, true, &b);
    const Outcome without = play(wandering, ranks, 4000, false, &b);
    CHECK(with.busiest + with.spent < 1.3 * with.even);
    CHECK(with.busiest + with.spent - with.even < 0.2 * (without.busiest - without.even));
    CHECK(with.taken > 50 && with.asked < 4000 / 12);
  }
}

// Where no partition lasts, few are looked for, they cost a hundredth of what uneven work does, and
// what they spoil is little: sequences without any pattern, and work that cannot be divided.
static void test_thrash(void)
{
  const WorkRule rules[] = {noise, bursts, indivisible};
  Balance b;
  for (int r = 0; r < 3; r++)
    for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
      const Outcome without = play(rules[r], ranks, 4000, false, &b);
      const Outcome with = play(rules[r], ranks, 4000, true, &b);
      CHECK(with.asked <= 4000 / 60);
      const double lost = without.busiest - without.even;
      CHECK(with.spent <= 0.01 * lost);
      CHECK(with.busiest + with.spent <= 1.05 * without.busiest);
      if (rules[r] == indivisible) CHECK(with.taken == 0 && b.in_vain == with.asked);
    }
}

// a handful of bodies: messages alone cost more than there is to gain
static int64_t handful(int body, int step)
{
  return body < 5 ? (int64_t)(hash_mix((uint64_t)body, (uint64_t)step) % 100) + 1 : 1;
}

static void test_small(void)
{
  Balance b;
  for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
    const Outcome sum = play(handful, ranks, 10000, true, &b);
    CHECK(sum.asked <= 10000 / 60);
    CHECK(sum.spent <= sum.busiest - sum.even + COST_ALWAYS);
  }
}

static void test_arithmetic(void)
{
  Balance b = balance_new();
  CHECK(!balance_is_due(&b));
  const OwnershipReport first = {
      .segments = 70, .vertices = 100, .edges = 300, .moved = 80, .share_after = 1.3};
  balance_takes(&b, SHARING_FIRST, &first);
  const double cost =
      COST_ALWAYS + 70 * COST_SEGMENT + 100 * COST_VERTEX + 300 * COST_EDGE + 50 * COST_MOVED;
  CHECK(balance_cost(&b) == cost);

  // 2 ranks, 1500 and 500: 450 beyond what can be reached in each step
  int steps = 0;
  for (; !balance_is_due(&b) && steps < 1000; steps++) balance_count_step(&b, 1500, 2000, 2, 1);
  CHECK(steps == (int)(cost / 450) + 1);
  CHECK_NEAR(b.excess, 450.0 * steps, 1e-9);
  CHECK(b.level == 1.5);

  // no better: refused, and not looked for again while nothing gets worse
  const OwnershipReport same = {.vertices = 100,
                                .edges = 300,
                                .most_before = 1500,
                                .most_after = 1480,
                                .share_before = 1.5,
                                .share_after = 1.48,
                                .moved = 10};
  CHECK(!balance_takes(&b, SHARING_BALANCE, &same));
  CHECK(b.in_vain == 1 && b.by_balance == 0 && b.moved_in_all == 0 && b.vain == 1 &&
        b.refused == 1.5);
  for (int i = 0; i < 60; i++) {
    balance_count_step(&b, 1500, 2000, 2, 1);
    CHECK(!balance_is_due(&b));
  }

  // better, but not by what it takes to move
  const OwnershipReport dear = {.vertices = 100,
                                .edges = 300,
                                .most_before = 1500,
                                .most_after = 1400,
                                .share_before = 1.5,
                                .share_after = 1.4,
                                .moved = 1000};
  CHECK(!balance_takes(&b, SHARING_BALANCE, &dear));
  CHECK(b.vain == 2 && b.wait == 48);

  // better: taken, and it keeps its promise
  const OwnershipReport good = {.vertices = 100,
                                .edges = 300,
                                .most_before = 1500,
                                .most_after = 1010,
                                .share_before = 1.5,
                                .share_after = 1.01,
                                .moved = 30};
  CHECK(balance_takes(&b, SHARING_BALANCE, &good));
  CHECK(b.last == SHARING_BALANCE && b.last_before == 1.5 && b.last_after == 1.01);
  CHECK(b.by_balance == 1 && b.moved_in_all == 30 && b.excess == 0 && b.steps == 0);
  for (int i = 0; i < 12; i++) balance_count_step(&b, 1010, 2000, 2, 1);
  CHECK(b.distrust == 0 && b.promised == 0);

  // one that does not keep it is remembered
  CHECK(balance_takes(&b, SHARING_BALANCE, &good));
  for (int i = 0; i < 12; i++) balance_count_step(&b, 1400, 2000, 2, 1);
  CHECK(b.distrust == 1);

  // as the case asks: always taken
  CHECK(balance_takes(&b, SHARING_ASKED, &dear));
  CHECK(b.asked == 1 && b.last == SHARING_ASKED && b.moved_in_all == 1060);

  // no work at all
  Balance none = balance_new();
  balance_takes(&none, SHARING_FIRST, &(OwnershipReport){0});
  for (int i = 0; i < 100; i++) balance_count_step(&none, 0, 0, 3, 0);
  CHECK(none.level == 1 && none.excess == 0 && !balance_is_due(&none));
}

int main(void)
{
  test_arithmetic();
  test_quiet();
  test_lasting();
  test_wandering();
  test_thrash();
  test_small();
  return test_report();
}
