#pragma once
// Sums of doubles that are exact before one final rounding, so that order and grouping do not
// matter (long accumulator: Kulisch 2013; reproducible sums: Demmel and Nguyen 2015). Local unless
// stated.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "parallel.h"

#define EXACT_SUM_AT_ONCE 16
#define EXACT_SUM_LIMBS 68   // 32 bits each, from 2^-1088 on
#define EXACT_SUM_LOWEST_BIT 1088
#define EXACT_SUM_CARRY_EVERY 1024   // pieces of 52 bits that a limb holds beside its 32

typedef struct {
  int64_t limb[EXACT_SUM_LIMBS];   // value = sum limb[i] 2^(32 i - 1088)
  int64_t not_finite;              // NaN or infinite terms seen
  int pending;                     // additions since the last carry
} ExactSum;

ExactSum exact_sum_new(void);
static inline void exact_sum_add(ExactSum *sum, double term);

// Adds all terms of another sum.
void exact_sum_join(ExactSum *sum, const ExactSum *other);

// The sum rounded once, to nearest and ties to even, so that sums of terms scaled by a power of two
// are scaled; results below the normal numbers are rounded twice. NaN when a term was not finite.
double exact_sum_value(const ExactSum *sum);

// Collective. Adds up count <= EXACT_SUM_AT_ONCE sums over all ranks, in place, in one reduction.
void exact_sum_reduce(ExactSum *sums, int count);

// Local. A sum as a part of a larger reduction (par_reduce); its value may be asked for afterwards.
Reduction exact_sum_reduction(ExactSum *sum);

// Local. Leaves every limb but the last in [0, 2^32).
void exact_sum_carry(ExactSum *sum);

static inline void exact_sum_add(ExactSum *sum, double term)
{
  uint64_t bits;
  memcpy(&bits, &term, sizeof bits);
  const uint64_t exponent = bits >> 52 & 0x7ff, normal = exponent > 0;
  if (exponent == 0x7ff) {
    sum->not_finite = 1;
    return;
  }
  const uint64_t mantissa = (bits & 0xfffffffffffffULL) | normal << 52;

  // the 53 bits, shifted, are 32 bits of one limb and at most 52 more of the next
  const uint64_t shift = exponent + (1 - normal) + EXACT_SUM_LOWEST_BIT - 1075;
  const uint64_t limb = shift / 32, offset = shift % 32;
  const int64_t low = (int64_t)(uint32_t)(mantissa << offset);
  const int64_t high = (int64_t)(mantissa >> (32 - offset));
  const int64_t sign = bits >> 63 ? -1 : 0;
  sum->limb[limb] += (low ^ sign) - sign;
  sum->limb[limb + 1] += (high ^ sign) - sign;
  if (++sum->pending >= EXACT_SUM_CARRY_EVERY) exact_sum_carry(sum);
}
