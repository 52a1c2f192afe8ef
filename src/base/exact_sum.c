// Sums doubles exactly in a long accumulator, rounded once.
#include "exact_sum.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "wide.h"

ExactSum exact_sum_new(void)
{
  ExactSum sum;
  memset(&sum, 0, sizeof sum);
  return sum;
}

// leaves every limb but the last in [0, 2^32)
void exact_sum_carry(ExactSum *sum)
{
  assert_debug(sum->pending <= EXACT_SUM_CARRY_EVERY && "carries come before a limb is full");
  int64_t over = 0;
  for (int i = 0; i < EXACT_SUM_LIMBS - 1; i++) {
    const int64_t value = sum->limb[i] + over;
    over = value >> 32;   // arithmetic shift: rounds down, also for negative values
    sum->limb[i] = value - over * ((int64_t)1 << 32);
  }
  sum->limb[EXACT_SUM_LIMBS - 1] += over;
  sum->pending = 0;
}

void exact_sum_join(ExactSum *sum, const ExactSum *other)
{
  ExactSum terms = *other;
  exact_sum_carry(&terms);
  exact_sum_carry(sum);
  for (int i = 0; i < EXACT_SUM_LIMBS; i++) sum->limb[i] += terms.limb[i];
  if (terms.not_finite) sum->not_finite = 1;
  exact_sum_carry(sum);
}

double exact_sum_value(const ExactSum *sum)
{
  if (sum->not_finite) return NAN;
  ExactSum s = *sum;
  exact_sum_carry(&s);
  const bool negative = s.limb[EXACT_SUM_LIMBS - 1] < 0;
  if (negative) {
    for (int i = 0; i < EXACT_SUM_LIMBS; i++) s.limb[i] = -s.limb[i];
    exact_sum_carry(&s);
  }
  // three limbs from the highest set one hold all bits that matter but for whether any is set below
  int top = EXACT_SUM_LIMBS - 1;
  while (top > 0 && s.limb[top] == 0) top--;
  const int lowest = top > 2 ? top - 2 : 0;
  uint128 bits = 0;
  for (int i = top; i >= lowest; i--) bits = bits << 32 | (uint64_t)s.limb[i];
  bool rest = false;
  for (int i = 0; i < lowest; i++) rest = rest || s.limb[i] != 0;

  // one rounding, of 64 bits whose last one stands for all that follow
  int exponent = 32 * lowest - EXACT_SUM_LOWEST_BIT;
  for (; bits >> 64 != 0; exponent++) {
    rest = rest || (bits & 1) != 0;
    bits >>= 1;
  }
  const double value = ldexp((double)((uint64_t)bits | (uint64_t)rest), exponent);
  return negative ? -value : value;
}

void exact_sum_reduce(ExactSum *sums, int count)
{
  assert(count >= 0 && (sums != NULL || count == 0) && "sums are given");
  assert(count <= EXACT_SUM_AT_ONCE && "too many sums in one reduction");
  enum { WIDTH = EXACT_SUM_LIMBS + 1 };
  int64_t all[EXACT_SUM_AT_ONCE * WIDTH];
  for (int k = 0; k < count; k++) {
    exact_sum_carry(&sums[k]);
    memcpy(&all[k * WIDTH], sums[k].limb, sizeof sums[k].limb);
    all[k * WIDTH + EXACT_SUM_LIMBS] = sums[k].not_finite;
  }
  par_sum_many(all, count * WIDTH);
  for (int k = 0; k < count; k++) {
    memcpy(sums[k].limb, &all[k * WIDTH], sizeof sums[k].limb);
    sums[k].not_finite = all[k * WIDTH + EXACT_SUM_LIMBS] != 0;
    exact_sum_carry(&sums[k]);
  }
}

// limbs and what is not finite are neighbours
_Static_assert(offsetof(ExactSum, not_finite) == EXACT_SUM_LIMBS * sizeof(int64_t), "one array");

Reduction exact_sum_reduction(ExactSum *sum)
{
  exact_sum_carry(sum);
  return (Reduction){REDUCE_SUM, sum, EXACT_SUM_LIMBS + 1};
}
