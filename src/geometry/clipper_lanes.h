#pragma once
// What kernels of geometry do with four doubles at once (lane.h): a vector and a number beside it,
// four planes, bits of comparisons. The same bits with and without the instructions. Local.
#include <stdint.h>

#include "check.h"
#include "lane.h"
#include "polyhedron.h"

#ifdef __AVX2__

// Three numbers and a fourth one; nothing behind the third is read.
static inline Lane lanes_load3(const double *a, double fourth)
{
  const __m128d high = _mm_loadh_pd(_mm_load_sd(a + 2), &fourth);
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), high, 1);
}

// The first three numbers; nothing behind the third is written.
static inline void lanes_store3(double *a, Lane v)
{
  _mm_storeu_pd(a, _mm256_castpd256_pd128(v));
  _mm_store_sd(a + 2, _mm256_extractf128_pd(v, 1));
}

// Bit i: a[i] < b[i]; a[i] >= b[i].
static inline unsigned lanes_less(Lane a, Lane b)
{
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

static inline unsigned lanes_not_less(Lane a, Lane b)
{
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GE_OQ));
}

static inline double lanes_smallest(Lane a)
{
  const __m128d two = _mm_min_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline double lanes_largest(Lane a)
{
  const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

// (x, y, z, w) -> (y, z, x, w)
static inline Lane lanes_rotate(Lane a) { return _mm256_permute4x64_pd(a, 0xc9); }

// (x + y) + (z + w) of each of four rows.
static inline Lane lanes_row_sums(const Lane rows[LANES])
{
  const Lane a = _mm256_hadd_pd(rows[0], rows[1]), b = _mm256_hadd_pd(rows[2], rows[3]);
  return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
}

static inline double lanes_sum3(Lane a)
{
  const __m128d low = _mm256_castpd256_pd128(a), high = _mm256_extractf128_pd(a, 1);
  return _mm_cvtsd_f64(low) + _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)) + _mm_cvtsd_f64(high);
}

// Bit i: the vertex (a slot below 64) that the dart twin[i], i < 32, leaves is one of the bits.
static inline uint32_t lanes_ends(const uint8_t *twin, uint64_t vertices)
{
  const __m256i darts = _mm256_loadu_si256((const __m256i *)(const void *)twin);
  const __m256i slots = _mm256_and_si256(_mm256_srli_epi16(darts, 2), _mm256_set1_epi8(0x3f));
  // the byte of the bits that holds the slot's, then the bit
  const __m256i bytes =
      _mm256_shuffle_epi8(_mm256_set1_epi64x((long long)vertices),
                          _mm256_and_si256(_mm256_srli_epi16(slots, 3), _mm256_set1_epi8(7)));
  const __m256i powers = _mm256_set1_epi64x((long long)0x8040201008040201U);
  const __m256i bits = _mm256_shuffle_epi8(powers, _mm256_and_si256(slots, _mm256_set1_epi8(7)));
  const __m256i found = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bits), bits);
  return (uint32_t)_mm256_movemask_epi8(found);
}

#else

static inline Lane lanes_load3(const double *a, double fourth)
{
  return (Lane){a[0], a[1], a[2], fourth};
}

static inline void lanes_store3(double *a, Lane v)
{
  for (int i = 0; i < 3; i++) a[i] = v[i];
}

static inline unsigned lanes_less(Lane a, Lane b)
{
  unsigned bits = 0;
  for (int i = 0; i < LANES; i++) bits |= (unsigned)(a[i] < b[i]) << i;
  return bits;
}

static inline unsigned lanes_not_less(Lane a, Lane b)
{
  unsigned bits = 0;
  for (int i = 0; i < LANES; i++) bits |= (unsigned)(a[i] >= b[i]) << i;
  return bits;
}

static inline double lanes_smallest(Lane a)
{
  const double p = a[0] < a[2] ? a[0] : a[2], q = a[1] < a[3] ? a[1] : a[3];
  return p < q ? p : q;
}

static inline double lanes_largest(Lane a)
{
  const double p = a[0] > a[2] ? a[0] : a[2], q = a[1] > a[3] ? a[1] : a[3];
  return p > q ? p : q;
}

static inline Lane lanes_rotate(Lane a) { return (Lane){a[1], a[2], a[0], a[3]}; }

static inline Lane lanes_row_sums(const Lane rows[LANES])
{
  Lane sums;
  for (int i = 0; i < LANES; i++) {
    sums[i] = (rows[i][0] + rows[i][1]) + (rows[i][2] + rows[i][3]);
  }
  return sums;
}

static inline double lanes_sum3(Lane a) { return a[0] + a[1] + a[2]; }

static inline uint32_t lanes_ends(const uint8_t *twin, uint64_t vertices)
{
  uint32_t found = 0;
  for (int i = 0; i < 32; i++) found |= (uint32_t)(vertices >> (twin[i] >> 2) & 1) << i;
  return found;
}

#endif

static inline vec3 lanes_vec3(Lane a) { return (vec3){a[0], a[1], a[2]}; }

// Cross product of the first three numbers; the last one is zero where those of a and b are.
static inline Lane lanes_cross(Lane a, Lane b)
{
  return lanes_rotate(a * lanes_rotate(b) - lanes_rotate(a) * b);
}

// Four planes side by side.
typedef struct {
  Lane x, y, z, offset;
} PlaneLanes;

// n.x of four normals, in the order of vec3_dot.
static inline Lane lanes_dot(const PlaneLanes *n, Lane x, Lane y, Lane z)
{
  return n->x * x + n->y * y + n->z * z;
}

static inline PlaneLanes lanes_planes(const Plane *const planes[LANES])
{
  Lane rows[LANES];
  for (int i = 0; i < LANES; i++) rows[i] = lane_load(&planes[i]->normal.x);
  lane_transpose(rows);
  return (PlaneLanes){rows[0], rows[1], rows[2], rows[3]};
}

// The planes of four faces from the first one on; past the last face the last one again.
static inline PlaneLanes lanes_faces(const Polyhedron *p, int first)
{
  assert_debug(first >= 0 && first < p->face_count && "the first of four faces is there");
  const Plane *planes[LANES];
  const int last = p->face_count - 1 - first;
  for (int i = 0; i < LANES; i++) planes[i] = &p->planes[first + (i < last ? i : last)];
  return lanes_planes(planes);
}

// Smallest n.x of points for each of four planes; point i: the three numbers from points[stride i]
// on.
static inline Lane lanes_low(const PlaneLanes *planes, const double *points, int stride, int count)
{
  assert_debug(count > 0 && stride >= 3 && "points have three numbers each");
  Lane least = lane_all(INFINITY);
  for (int i = 0; i < count; i++, points += stride) {
    const Lane dot =
        lanes_dot(planes, lane_all(points[0]), lane_all(points[1]), lane_all(points[2]));
    least = lane_min(dot, least);
  }
  return least;
}

// Smallest and largest numbers.
typedef struct {
  Lane low, high;
} LaneRange;

// Smallest and largest n.x of points for each of four planes; point i: the three numbers from
// points[stride i] on.
static inline LaneRange lanes_range(const PlaneLanes *planes, const double *points, int stride,
                                    int count)
{
  assert_debug(count > 0 && stride >= 3 && "points have three numbers each");
  Lane least = lane_all(INFINITY), most = lane_all(-INFINITY);
  for (int i = 0; i < count; i++, points += stride) {
    const Lane dot =
        lanes_dot(planes, lane_all(points[0]), lane_all(points[1]), lane_all(points[2]));
    least = lane_min(dot, least);
    most = lane_max(dot, most);
  }
  return (LaneRange){least, most};
}
