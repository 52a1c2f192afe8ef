// Our own sine, cosine, exponential and logarithm, whose bits do not depend on the processor.
#include "trig.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// pi/2 in three pieces, the first two with trailing zero bits, so that k times a piece is exact for
// |k| < 2^20 (Cody and Waite 1980)
#define HALF_PI_1 1.5707963267341256141662598
#define HALF_PI_2 6.0771005063039659766e-11
#define HALF_PI_3 2.0222662487959505e-21

// Taylor series on |x| <= pi/4: the first term left out is below 1e-19.
static double sine_series(double x)
{
  const double z = x * x;
  double s = -1.0 / 121645100408832000.0;   // 19!
  s = s * z + 1.0 / 355687428096000.0;
  s = s * z - 1.0 / 1307674368000.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  return x + x * (z * s);
}

static double cosine_series(double x)
{
  const double z = x * x;
  double c = 1.0 / 2432902008176640000.0;   // 20!
  c = c * z - 1.0 / 6402373705728000.0;
  c = c * z + 1.0 / 20922789888000.0;
  c = c * z - 1.0 / 87178291200.0;
  c = c * z + 1.0 / 479001600.0;
  c = c * z - 1.0 / 3628800.0;
  c = c * z + 1.0 / 40320.0;
  c = c * z - 1.0 / 720.0;
  c = c * z + 1.0 / 24.0;
  c = c * z - 0.5;
  return 1.0 + z * c;
}

// x = k pi/2 + rest, |rest| <= pi/4 up to rounding; returns k mod 4. An angle out of range gives no
// number, which whoever asked will name.
static int reduce(double x, double *rest)
{
  if (!(x > -1.1e5 && x < 1.1e5)) {
    *rest = NAN;
    return 0;
  }
  const double turns = x / HALF_PI_1;
  const long k = (long)(turns + (turns < 0 ? -0.5 : 0.5));
  *rest = ((x - (double)k * HALF_PI_1) - (double)k * HALF_PI_2) - (double)k * HALF_PI_3;
  return (int)(((k % 4) + 4) % 4);
}

double trig_sin(double x)
{
  double r;
  switch (reduce(x, &r)) {
  case 0: return sine_series(r);
  case 1: return cosine_series(r);
  case 2: return -sine_series(r);
  default: return -cosine_series(r);
  }
}

double trig_cos(double x)
{
  double r;
  switch (reduce(x, &r)) {
  case 0: return cosine_series(r);
  case 1: return -sine_series(r);
  case 2: return -cosine_series(r);
  default: return sine_series(r);
  }
}

// ln 2 in two pieces, the first with trailing zero bits, so that k times it is exact for |k| < 2^11
#define LN2_1 0.693147180369123816490
#define LN2_2 1.90821492927058770002e-10

// Taylor series on |x| <= ln 2 / 2: the first term left out is below 1e-18.
static double exponential_series(double x)
{
  double e = 1.0 / 6227020800.0;   // 13!
  e = e * x + 1.0 / 479001600.0;
  e = e * x + 1.0 / 39916800.0;
  e = e * x + 1.0 / 3628800.0;
  e = e * x + 1.0 / 362880.0;
  e = e * x + 1.0 / 40320.0;
  e = e * x + 1.0 / 5040.0;
  e = e * x + 1.0 / 720.0;
  e = e * x + 1.0 / 120.0;
  e = e * x + 1.0 / 24.0;
  e = e * x + 1.0 / 6.0;
  e = e * x + 0.5;
  return 1.0 + (x + x * x * e);
}

// 2^k of a normal double
static double power_of_two(int k)
{
  const uint64_t bits = (uint64_t)(k + 1023) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

double trig_exp(double x)
{
  if (x != x) return x;
  if (x < -708) return 0;
  if (x > 709) return INFINITY;
  // x = k ln 2 + rest
  const double turns = x / LN2_1;
  const int k = (int)(turns + (turns < 0 ? -0.5 : 0.5));
  const double rest = (x - k * LN2_1) - k * LN2_2;
  // the largest k has no normal power
  return exponential_series(rest) * power_of_two(k - 1) * 2;
}

// log(1 + f) = 2 atanh(s), s = f/(2 + f): what the odd series of atanh has beyond its first term,
// divided by s, z = s*s <= .0295. The first term left out is below 1e-19.
static double logarithm_series(double z)
{
  double r = 2.0 / 23.0;
  r = r * z + 2.0 / 21.0;
  r = r * z + 2.0 / 19.0;
  r = r * z + 2.0 / 17.0;
  r = r * z + 2.0 / 15.0;
  r = r * z + 2.0 / 13.0;
  r = r * z + 2.0 / 11.0;
  r = r * z + 2.0 / 9.0;
  r = r * z + 2.0 / 7.0;
  r = r * z + 2.0 / 5.0;
  r = r * z + 2.0 / 3.0;
  return r * z;
}

double trig_log(double x)
{
  if (!(x > 0) || x == INFINITY) return x < 0 ? NAN : x == 0 ? -INFINITY : x;
  int k = 0;
  if (x < 0x1p-1022) x *= 0x1p54, k = -54;

  // x = 2^k (1 + f), sqrt(1/2) < 1 + f < sqrt(2)
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  k += (int)(bits >> 52) - 1023;
  bits = (bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL;
  double m;
  memcpy(&m, &bits, sizeof m);
  if (m > 1.4142135623730951) m *= 0.5, k++;
  const double f = m - 1, s = f / (2 + f), half = 0.5 * f * f;

  // 2s = f - f s and f s = half - s half, so that the largest terms are f and k ln 2 alone
  const double rest = half - (s * (half + logarithm_series(s * s)) + k * LN2_2);
  return k * LN2_1 - (rest - f);
}
