#include "exact_sum.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "parallel.h"
#include "wide.h"

#define LOWEST_BIT 1088
#define CARRY_EVERY (1 << 29)   // additions of 33-bit pieces that a limb holds with room to spare

ExactSum exact_sum_new(void)
{
  ExactSum sum;
  memset(&sum, 0, sizeof sum);
  return sum;
}

// leaves every limb but the last in [0, 2^32)
static void carry(ExactSum *sum)
{
  int64_t over = 0;
  for (int i = 0; i < EXACT_SUM_LIMBS - 1; i++) {
    const int64_t value = sum->limb[i] + over;
    over = value >> 32;   // arithmetic shift: rounds down, also for negative values
    sum->limb[i] = value - over * ((int64_t)1 << 32);
  }
  sum->limb[EXACT_SUM_LIMBS - 1] += over;
  sum->pending = 0;
}

void exact_sum_add(ExactSum *sum, double term)
{
  uint64_t bits;
  memcpy(&bits, &term, sizeof bits);
  const int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) {
    sum->not_finite = 1;
    return;
  }
  uint64_t mantissa = bits & 0xfffffffffffffULL;
  int shift = exponent - 1075 + LOWEST_BIT;
  if (exponent > 0) mantissa |= (uint64_t)1 << 52;
  else shift++;

  // the 53 bits, shifted, touch three limbs
  const int limb = shift / 32, offset = shift % 32;
  const uint128 wide = (uint128)mantissa << offset;
  const int64_t low = (int64_t)(uint32_t)wide, middle = (int64_t)(uint32_t)(wide >> 32);
  const int64_t high = (int64_t)(uint32_t)(wide >> 64);
  if (bits >> 63) {
    sum->limb[limb] -= low;
    sum->limb[limb + 1] -= middle;
    sum->limb[limb + 2] -= high;
  } else {
    sum->limb[limb] += low;
    sum->limb[limb + 1] += middle;
    sum->limb[limb + 2] += high;
  }
  if (++sum->pending >= CARRY_EVERY) carry(sum);
}

double exact_sum_value(const ExactSum *sum)
{
  if (sum->not_finite) return NAN;
  ExactSum s = *sum;
  carry(&s);
  const bool negative = s.limb[EXACT_SUM_LIMBS - 1] < 0;
  if (negative) {
    for (int i = 0; i < EXACT_SUM_LIMBS; i++) s.limb[i] = -s.limb[i];
    carry(&s);
  }
  // three limbs from the highest set one hold all bits that matter
  int top = EXACT_SUM_LIMBS - 1;
  while (top > 0 && s.limb[top] == 0) top--;
  double value = 0;
  for (int i = top > 2 ? top - 2 : 0; i <= top; i++)
    value += ldexp((double)s.limb[i], 32 * i - LOWEST_BIT);
  return negative ? -value : value;
}

void exact_sum_reduce(ExactSum *sums, int count)
{
  assert(count <= EXACT_SUM_AT_ONCE && "too many sums in one reduction");
  enum { WIDTH = EXACT_SUM_LIMBS + 1 };
  int64_t all[EXACT_SUM_AT_ONCE * WIDTH];
  for (int k = 0; k < count; k++) {
    carry(&sums[k]);
    memcpy(&all[k * WIDTH], sums[k].limb, sizeof sums[k].limb);
    all[k * WIDTH + EXACT_SUM_LIMBS] = sums[k].not_finite;
  }
  par_sum_many(all, count * WIDTH);
  for (int k = 0; k < count; k++) {
    memcpy(sums[k].limb, &all[k * WIDTH], sizeof sums[k].limb);
    sums[k].not_finite = all[k * WIDTH + EXACT_SUM_LIMBS] != 0;
    carry(&sums[k]);
  }
}
