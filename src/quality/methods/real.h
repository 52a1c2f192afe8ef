#pragma once
// Numbers and vectors of one precision: single where REAL_SINGLE is defined, else double. No
// operation is contracted, so that single precision rounds as the author's program does.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

#ifdef REAL_SINGLE
typedef float real;
#define REAL_ROUNDING ((real)(10 * FLT_EPSILON))
#define REAL_MOST FLT_MAX
#else
typedef double real;
#define REAL_ROUNDING (10 * DBL_EPSILON)
#define REAL_MOST DBL_MAX
#endif

typedef struct {
  real x, y, z;
} real3;

static inline real real_min(real a, real b) { return b < a ? b : a; }
static inline real real_max(real a, real b) { return a < b ? b : a; }
static inline real real_abs(real a) { return a < 0 ? -a : a; }

// Correctly rounded in both precisions.
static inline real real_sqrt(real a) { return (real)sqrt((double)a); }

static inline real3 real3_add(real3 a, real3 b) { return (real3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline real3 real3_sub(real3 a, real3 b) { return (real3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline real3 real3_neg(real3 a) { return (real3){-a.x, -a.y, -a.z}; }
static inline real3 real3_scale(real s, real3 a) { return (real3){s * a.x, s * a.y, s * a.z}; }
static inline real real3_dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline real real3_norm(real3 a) { return real_sqrt(real3_dot(a, a)); }

static inline real3 real3_cross(real3 a, real3 b)
{
  return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline real3 real3_unit(real3 a)
{
  const real norm = real3_norm(a);
  assert(norm > 0 && "a direction has a length");
  return real3_scale(1 / norm, a);
}

static inline real3 real3_middle(real3 a, real3 b)
{
  return real3_scale((real)0.5, real3_add(a, b));
}

// The extent of points along a direction.
typedef struct {
  real low, high;
} RealSpan;

static inline RealSpan real_span(const real3 *points, int count, real3 along)
{
  assert(count > 0 && "an extent is of points");
  RealSpan span = {REAL_MOST, -REAL_MOST};
  for (int i = 0; i < count; i++) {
    const real at = real3_dot(points[i], along);
    span.low = real_min(span.low, at);
    span.high = real_max(span.high, at);
  }
  return span;
}
