#pragma once
// Four doubles at once, mostly numbers of four things side by side. Every operation rounds as the
// scalar one does, so that bits depend neither on neighbours nor on the processor. Local.
// Local.
#ifdef __AVX__
#include <immintrin.h>
#endif

#include <math.h>
#include <string.h>

#include "vec3.h"

#define LANES 4

// all files are compiled alike, so that the way vectors are passed does not matter
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double Lane __attribute__((vector_size(8 * LANES)));
typedef long long LaneMask __attribute__((vector_size(8 * LANES)));   // all bits or none

typedef struct {
  Lane x, y, z;
} Vec3Lane;

typedef struct {
  Vec3Lane row[3];
} Mat3Lane;

static inline Lane lane_all(double a) { return (Lane){a, a, a, a}; }

static inline Lane lane_load(const double *a)
{
  Lane v;
  memcpy(&v, a, sizeof v);
  return v;
}

static inline void lane_store(double *a, Lane v) { memcpy(a, &v, sizeof v); }

// Turns four rows of four into four columns.
static inline void lane_transpose(Lane rows[LANES])
{
  const Lane a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
  const Lane b = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
  const Lane c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
  const Lane d = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
  rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  rows[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// mask ? a : b
static inline Lane lane_select(LaneMask mask, Lane a, Lane b)
{
#ifdef __AVX__
  return _mm256_blendv_pd(b, a, (__m256d)mask);
#else
  return (Lane)((mask & (LaneMask)a) | (~mask & (LaneMask)b));
#endif
}

static inline int lane_any(LaneMask mask)
{
#ifdef __AVX__
  return _mm256_movemask_pd((__m256d)mask) != 0;
#else
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

static inline Lane lane_sqrt(Lane a)
{
#ifdef __AVX__
  return _mm256_sqrt_pd(a);
#else
  return (Lane){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

static inline Lane lane_abs(Lane a)
{
  return (Lane)((LaneMask)a & (LaneMask){~0ULL >> 1, ~0ULL >> 1, ~0ULL >> 1, ~0ULL >> 1});
}

// a < b ? a : b and a > b ? a : b
static inline Lane lane_min(Lane a, Lane b)
{
#ifdef __AVX__
  return _mm256_min_pd(a, b);
#else
  return lane_select(a < b, a, b);
#endif
}

static inline Lane lane_max(Lane a, Lane b)
{
#ifdef __AVX__
  return _mm256_max_pd(a, b);
#else
  return lane_select(a > b, a, b);
#endif
}

static inline Vec3Lane lane3_select(LaneMask mask, Vec3Lane a, Vec3Lane b)
{
  return (Vec3Lane){lane_select(mask, a.x, b.x), lane_select(mask, a.y, b.y),
                    lane_select(mask, a.z, b.z)};
}

static inline Vec3Lane lane3_add(Vec3Lane a, Vec3Lane b)
{
  return (Vec3Lane){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec3Lane lane3_sub(Vec3Lane a, Vec3Lane b)
{
  return (Vec3Lane){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec3Lane lane3_scale(Lane s, Vec3Lane a)
{
  return (Vec3Lane){s * a.x, s * a.y, s * a.z};
}

static inline Lane lane3_dot(Vec3Lane a, Vec3Lane b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// a + s b
static inline Vec3Lane lane3_axpy(Lane s, Vec3Lane b, Vec3Lane a)
{
  return (Vec3Lane){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline Vec3Lane lane3_cross(Vec3Lane a, Vec3Lane b)
{
  return (Vec3Lane){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Vec3Lane lane3_mul(const Vec3Lane row[3], Vec3Lane v)
{
  return (Vec3Lane){lane3_dot(row[0], v), lane3_dot(row[1], v), lane3_dot(row[2], v)};
}

static inline Vec3Lane lane3_mul_transposed(const Vec3Lane row[3], Vec3Lane v)
{
  return (Vec3Lane){row[0].x * v.x + row[1].x * v.y + row[2].x * v.z,
                    row[0].y * v.x + row[1].y * v.y + row[2].y * v.z,
                    row[0].z * v.x + row[1].z * v.y + row[2].z * v.z};
}

// Four vectors from wherever they are; nothing behind them is read.
static inline Vec3Lane lane3_load(const vec3 *const places[LANES])
{
  const vec3 *a = places[0], *b = places[1], *c = places[2], *d = places[3];
  return (Vec3Lane){{a->x, b->x, c->x, d->x}, {a->y, b->y, c->y, d->y}, {a->z, b->z, c->z, d->z}};
}

static inline vec3 lane3_get(const Vec3Lane *a, int lane)
{
  return (vec3){a->x[lane], a->y[lane], a->z[lane]};
}

static inline void lane3_set(Vec3Lane *a, int lane, vec3 v)
{
  a->x[lane] = v.x;
  a->y[lane] = v.y;
  a->z[lane] = v.z;
}
