#pragma once
// What one rank counts of itself: its share of the state, its messages, its work. None of it is
// state, and none of it decides anything.
#include <stdint.h>

// F(name, how, unit, text). SUM: grows from step to step, and what grew since an earlier step is a
// difference; LAST: as it is at the end of the step. wait is the only one that a clock tells.
#define RANK_COUNTS(F)                                                                        \
  F(bodies, LAST, "1", "bodies that the rank owns, fixed ones at home there included")        \
  F(ghosts, LAST, "1", "copies of other ranks' bodies")                                       \
  F(neighbours, LAST, "1", "ranks with which it exchanges ghosts")                            \
  F(contacts, LAST, "1", "contact points of the pairs that it owns")                          \
  F(points, LAST, "1", "contact points that it solves: those of pairs with other ranks' too") \
  F(colours, LAST, "1", "of all pairs of bodies, the same on every rank")                     \
  F(memory, LAST, "bytes", "most of its own memory in use so far")                            \
  F(migrated, SUM, "1", "bodies that left it for a new owner")                                \
  F(work, SUM, "units", "counted work")                                                       \
  F(messages, SUM, "1", "messages to other ranks, all of them")                               \
  F(bytes, SUM, "bytes", "in these messages")                                                 \
  F(collectives, SUM, "1", "collective calls")                                                \
  F(collective_bytes, SUM, "bytes", "that the rank gave to them")                             \
  F(sweeps, SUM, "1", "sweeps of the solver over all pairs, residuals included")              \
  F(sweep_messages, SUM, "1", "messages of these sweeps")                                     \
  F(sweep_bytes, SUM, "bytes", "in these messages")                                           \
  F(sweep_collectives, SUM, "1", "collective calls of these sweeps")                          \
  F(inner, SUM, "1", "iterations of conjugate gradients")                                     \
  F(inner_messages, SUM, "1", "messages of these iterations")                                 \
  F(inner_bytes, SUM, "bytes", "in these messages")                                           \
  F(inner_collectives, SUM, "1", "collective calls of these iterations")                      \
  F(wait, SUM, "ns", "time in messages and collective calls, most of it spent waiting for others")

// The counts of a rank as one row of numbers.
enum {
#define RANK_COUNT_INDEX(name, how, unit, text) RANK_COUNT_##name,
  RANK_COUNTS(RANK_COUNT_INDEX)
#undef RANK_COUNT_INDEX
      RANK_COUNT_NUMBER
};
typedef struct {
  uint64_t of[RANK_COUNT_NUMBER];   // by RANK_COUNT_name
} RankCounts;

// Local. The part that base counts by itself: traffic, waiting, memory, since the program began.
void rank_counts_traffic(RankCounts *counts);

// Local. Name, unit and text of a count; whether it is a sum.
typedef struct {
  const char *name, *unit, *text;
  int is_sum;
} RankCount;
RankCount rank_count_describe(int index);

// Local. What a span of steps adds to its beginning: differences of sums, the others as they are
// now.
RankCounts rank_counts_since(const RankCounts *now, const RankCounts *before);

// Collective. Prints, on rank 0, a table with min, mean and max over ranks of each count.
void rank_counts_print(const RankCounts *counts);
