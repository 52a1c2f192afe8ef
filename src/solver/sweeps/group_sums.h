#pragma once
// Sums over the pairs of each group of touching bodies, exact before one rounding: the same bits on
// any number of ranks.
#include "exact_sum.h"
#include "group_task.h"

#define GROUP_SUMS_MOST 16   // of one group

typedef struct {
  const GroupPlaces *places;
  const unsigned char *runs;   // [places] groups that are summed
  int terms;                   // sums of each group
  double *value;               // [places * terms]
  int *at;                     // [places] where a group's exact sums are; -1: it has one term
  ExactSum *sums;
} GroupSums;

// Local. Sums of the groups that run now or fewer; memory from the arena.
GroupSums group_sums_new(const GroupPlaces *places, const unsigned char *runs, int terms,
                         Arena *arena);

// Local. Zeros.
void group_sums_begin(GroupSums *sums);

// Local. Terms of one pair of a group that runs, by the rank that counts it.
static inline void group_sums_add(GroupSums *sums, int place, const double *terms)
{
  const int at = sums->at[place];
  for (int t = 0; t < sums->terms; t++) {
    if (at < 0) sums->value[place * sums->terms + t] = terms[t];
    else exact_sum_add(&sums->sums[at + t], terms[t]);
  }
}

// Collective. Leaves the sums of groups that run in value.
void group_sums_end(GroupSums *sums);

// Local. The sums of a group.
static inline const double *group_sums_of(const GroupSums *sums, int place)
{
  return &sums->value[place * sums->terms];
}
