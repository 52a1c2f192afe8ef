#pragma once
// Sums of doubles that are exact before one final rounding, so that order and grouping do not
// matter (long accumulator: Kulisch 2013; reproducible sums: Demmel and Nguyen 2015). Local unless
// stated.
#include <stdbool.h>
#include <stdint.h>

#define EXACT_SUM_AT_ONCE 16
#define EXACT_SUM_LIMBS 68   // 32 bits each, from 2^-1088 on

typedef struct {
  int64_t limb[EXACT_SUM_LIMBS];   // value = sum limb[i] 2^(32 i - 1088)
  int64_t not_finite;              // NaN or infinite terms seen
  int pending;                     // additions since the last carry
} ExactSum;

ExactSum exact_sum_new(void);
void exact_sum_add(ExactSum *sum, double term);

// The sum rounded once to nearest up to one unit in the last place; NaN when a term was not finite.
double exact_sum_value(const ExactSum *sum);

// Collective. Adds up count <= EXACT_SUM_AT_ONCE sums over all ranks, in place, in one reduction.
void exact_sum_reduce(ExactSum *sums, int count);
