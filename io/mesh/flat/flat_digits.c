// Finds the step of the numbers of a file.
#include "flat_digits.h"

#include <assert.h>
#include <stdint.h>

#define MOST_DECIMALS 12
#define SINGLE_DIGITS 24       // binary ones of a number of single precision
#define NOISE 8e-15            // of the farthest coordinate: what arithmetic leaves behind digits
#define NOISE_OF_A_STEP 1e-3   // at most: beyond it any number has so many decimals
#define LARGEST_WHOLE 0x1p52   // whole numbers below are exact

static double farthest_of(const vec3 *points, const bool *used, int count)
{
  double farthest = 0;
  for (int i = 0; i < count; i++) {
    if (!used[i]) continue;
    farthest = fmax(farthest, fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z))));
  }
  return farthest;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// The common divisor of all coordinates in units of 1 / per, 0 where one is not whole.
static int64_t divisor_at(const vec3 *points, const bool *used, int count, double per, double noise)
{
  int64_t divisor = 0;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3 && used[i]; k++) {
      const double x = per * (&points[i].x)[k], whole = rint(x);
      if (!(fabs(x - whole) <= noise)) return 0;
      divisor = common_divisor((int64_t)fabs(whole), divisor);
    }
  }
  return divisor;
}

static bool is_single(const vec3 *points, const bool *used, int count)
{
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3 && used[i]; k++) {
      const double x = (&points[i].x)[k];
      if ((double)(float)x != x) return false;
    }
  return true;
}

double flat_digits_step(const vec3 *points, const bool *used, int count)
{
  assert(count >= 0 && "points are counted");
  const double farthest = farthest_of(points, used, count);
  if (!(farthest > 0) || !isfinite(farthest)) return 0;
  double per = 1;
  for (int decimals = 0; decimals <= MOST_DECIMALS; decimals++, per *= 10) {
    const double noise = NOISE * farthest * per;
    if (noise > NOISE_OF_A_STEP || farthest * per > LARGEST_WHOLE) break;
    const int64_t divisor = divisor_at(points, used, count, per, noise);
    if (divisor > 0) return (double)divisor / per;
  }
  if (!is_single(points, used, count)) return 0;
  int exponent;
  (void)frexp(farthest, &exponent);
  return ldexp(1, exponent - SINGLE_DIGITS);
}
