#pragma once
// Four doubles at once, for the clipper and for distances. Every operation rounds as the scalar one
// does, so that processors with and without the instructions give the same bits. Local.
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <stdint.h>

#include "polyhedron.h"

#define LANES 4

#ifdef __AVX2__

typedef __m256d Lanes;

static inline Lanes lanes_all(double a) { return _mm256_set1_pd(a); }
static inline Lanes lanes_load(const double *a) { return _mm256_loadu_pd(a); }
static inline void lanes_store(double *a, Lanes v) { _mm256_storeu_pd(a, v); }

// Three numbers and a fourth one; nothing behind the third is read.
static inline Lanes lanes_load3(const double *a, double fourth)
{
  const __m128d high = _mm_loadh_pd(_mm_load_sd(a + 2), &fourth);
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), high, 1);
}

// The first three numbers; nothing behind the third is written.
static inline void lanes_store3(double *a, Lanes v)
{
  _mm_storeu_pd(a, _mm256_castpd256_pd128(v));
  _mm_store_sd(a + 2, _mm256_extractf128_pd(v, 1));
}

static inline Lanes lanes_add(Lanes a, Lanes b) { return _mm256_add_pd(a, b); }
static inline Lanes lanes_sub(Lanes a, Lanes b) { return _mm256_sub_pd(a, b); }
static inline Lanes lanes_mul(Lanes a, Lanes b) { return _mm256_mul_pd(a, b); }
static inline Lanes lanes_div(Lanes a, Lanes b) { return _mm256_div_pd(a, b); }

// a < b ? a : b and a > b ? a : b
static inline Lanes lanes_min(Lanes a, Lanes b) { return _mm256_min_pd(a, b); }
static inline Lanes lanes_max(Lanes a, Lanes b) { return _mm256_max_pd(a, b); }

// a < b ? x : y
static inline Lanes lanes_choose(Lanes a, Lanes b, Lanes x, Lanes y)
{
  return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

// Bit i: a[i] < b[i]; a[i] >= b[i].
static inline unsigned lanes_less(Lanes a, Lanes b)
{
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

static inline unsigned lanes_not_less(Lanes a, Lanes b)
{
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GE_OQ));
}

// a < b ? x : y
static inline Lanes lanes_select(Lanes a, Lanes b, Lanes x, Lanes y)
{
  return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

static inline double lanes_smallest(Lanes a)
{
  const __m128d two = _mm_min_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline double lanes_largest(Lanes a)
{
  const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

// (x, y, z, w) -> (y, z, x, w)
static inline Lanes lanes_rotate(Lanes a) { return _mm256_permute4x64_pd(a, 0xc9); }

// (x + y) + (z + w) of each of four rows.
static inline Lanes lanes_row_sums(const Lanes rows[LANES])
{
  const Lanes a = _mm256_hadd_pd(rows[0], rows[1]), b = _mm256_hadd_pd(rows[2], rows[3]);
  return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
}

static inline double lanes_sum3(Lanes a)
{
  const __m128d low = _mm256_castpd256_pd128(a), high = _mm256_extractf128_pd(a, 1);
  return _mm_cvtsd_f64(low) + _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)) + _mm_cvtsd_f64(high);
}

static inline vec3 lanes_vec3(Lanes a)
{
  const __m128d low = _mm256_castpd256_pd128(a);
  return (vec3){_mm_cvtsd_f64(low), _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)),
                _mm_cvtsd_f64(_mm256_extractf128_pd(a, 1))};
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

// Turns four rows of four into four columns.
static inline void lanes_transpose(Lanes rows[LANES])
{
  const Lanes a = _mm256_unpacklo_pd(rows[0], rows[1]), b = _mm256_unpackhi_pd(rows[0], rows[1]);
  const Lanes c = _mm256_unpacklo_pd(rows[2], rows[3]), d = _mm256_unpackhi_pd(rows[2], rows[3]);
  rows[0] = _mm256_permute2f128_pd(a, c, 0x20);
  rows[1] = _mm256_permute2f128_pd(b, d, 0x20);
  rows[2] = _mm256_permute2f128_pd(a, c, 0x31);
  rows[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

#else

typedef struct {
  double v[LANES];
} Lanes;

static inline Lanes lanes_all(double a) { return (Lanes){{a, a, a, a}}; }

static inline Lanes lanes_load(const double *a) { return (Lanes){{a[0], a[1], a[2], a[3]}}; }

static inline void lanes_store(double *a, Lanes v)
{
  for (int i = 0; i < LANES; i++) a[i] = v.v[i];
}

static inline Lanes lanes_load3(const double *a, double fourth)
{
  return (Lanes){{a[0], a[1], a[2], fourth}};
}

static inline void lanes_store3(double *a, Lanes v)
{
  for (int i = 0; i < 3; i++) a[i] = v.v[i];
}

static inline Lanes lanes_add(Lanes a, Lanes b)
{
  for (int i = 0; i < LANES; i++) a.v[i] = a.v[i] + b.v[i];
  return a;
}

static inline Lanes lanes_sub(Lanes a, Lanes b)
{
  for (int i = 0; i < LANES; i++) a.v[i] = a.v[i] - b.v[i];
  return a;
}

static inline Lanes lanes_mul(Lanes a, Lanes b)
{
  for (int i = 0; i < LANES; i++) a.v[i] = a.v[i] * b.v[i];
  return a;
}

static inline Lanes lanes_div(Lanes a, Lanes b)
{
  for (int i = 0; i < LANES; i++) a.v[i] = a.v[i] / b.v[i];
  return a;
}

static inline Lanes lanes_min(Lanes a, Lanes b)
{
  for (int i = 0; i < LANES; i++) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
  return a;
}

static inline Lanes lanes_max(Lanes a, Lanes b)
{
  for (int i = 0; i < LANES; i++) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
  return a;
}

static inline Lanes lanes_choose(Lanes a, Lanes b, Lanes x, Lanes y)
{
  for (int i = 0; i < LANES; i++) x.v[i] = a.v[i] < b.v[i] ? x.v[i] : y.v[i];
  return x;
}

static inline unsigned lanes_less(Lanes a, Lanes b)
{
  unsigned bits = 0;
  for (int i = 0; i < LANES; i++) bits |= (unsigned)(a.v[i] < b.v[i]) << i;
  return bits;
}

static inline unsigned lanes_not_less(Lanes a, Lanes b)
{
  unsigned bits = 0;
  for (int i = 0; i < LANES; i++) bits |= (unsigned)(a.v[i] >= b.v[i]) << i;
  return bits;
}

static inline Lanes lanes_select(Lanes a, Lanes b, Lanes x, Lanes y)
{
  for (int i = 0; i < LANES; i++) x.v[i] = a.v[i] < b.v[i] ? x.v[i] : y.v[i];
  return x;
}

static inline double lanes_smallest(Lanes a)
{
  const double p = a.v[0] < a.v[2] ? a.v[0] : a.v[2], q = a.v[1] < a.v[3] ? a.v[1] : a.v[3];
  return p < q ? p : q;
}

static inline double lanes_largest(Lanes a)
{
  const double p = a.v[0] > a.v[2] ? a.v[0] : a.v[2], q = a.v[1] > a.v[3] ? a.v[1] : a.v[3];
  return p > q ? p : q;
}

static inline Lanes lanes_rotate(Lanes a) { return (Lanes){{a.v[1], a.v[2], a.v[0], a.v[3]}}; }

static inline Lanes lanes_row_sums(const Lanes rows[LANES])
{
  Lanes sums;
  for (int i = 0; i < LANES; i++) {
    sums.v[i] = (rows[i].v[0] + rows[i].v[1]) + (rows[i].v[2] + rows[i].v[3]);
  }
  return sums;
}

static inline double lanes_sum3(Lanes a) { return a.v[0] + a.v[1] + a.v[2]; }

static inline vec3 lanes_vec3(Lanes a) { return (vec3){a.v[0], a.v[1], a.v[2]}; }

static inline uint32_t lanes_ends(const uint8_t *twin, uint64_t vertices)
{
  uint32_t found = 0;
  for (int i = 0; i < 32; i++) found |= (uint32_t)(vertices >> (twin[i] >> 2) & 1) << i;
  return found;
}

static inline void lanes_transpose(Lanes rows[LANES])
{
  for (int i = 0; i < LANES; i++) {
    for (int k = 0; k < i; k++) {
      const double swap = rows[i].v[k];
      rows[i].v[k] = rows[k].v[i];
      rows[k].v[i] = swap;
    }
  }
}

#endif

static inline Lanes lanes_size(Lanes a) { return lanes_max(a, lanes_sub(lanes_all(0), a)); }

// Cross product of the first three numbers; the last one is zero where those of a and b are.
static inline Lanes lanes_cross(Lanes a, Lanes b)
{
  return lanes_rotate(lanes_sub(lanes_mul(a, lanes_rotate(b)), lanes_mul(lanes_rotate(a), b)));
}

// n.x of four normals, in the order of vec3_dot.
static inline Lanes lanes_dot(Lanes nx, Lanes ny, Lanes nz, Lanes x, Lanes y, Lanes z)
{
  return lanes_add(lanes_add(lanes_mul(nx, x), lanes_mul(ny, y)), lanes_mul(nz, z));
}

// Four planes side by side.
typedef struct {
  Lanes x, y, z, offset;
} PlaneLanes;

static inline PlaneLanes lanes_planes(const Plane *const planes[LANES])
{
  Lanes rows[LANES];
  for (int i = 0; i < LANES; i++) rows[i] = lanes_load(&planes[i]->normal.x);
  lanes_transpose(rows);
  return (PlaneLanes){rows[0], rows[1], rows[2], rows[3]};
}

// The planes of four faces from the first one on; past the last face the last one again.
static inline PlaneLanes lanes_faces(const Polyhedron *p, int first)
{
  const Plane *planes[LANES];
  const int last = p->face_count - 1 - first;
  for (int i = 0; i < LANES; i++) planes[i] = &p->planes[first + (i < last ? i : last)];
  return lanes_planes(planes);
}

// Smallest n.x of points for each of four planes; point i: the three numbers from points[stride i]
// on.
static inline Lanes lanes_low(const PlaneLanes *planes, const double *points, int stride, int count)
{
  Lanes least = lanes_all(INFINITY);
  for (int i = 0; i < count; i++, points += stride) {
    const Lanes dot = lanes_dot(planes->x, planes->y, planes->z, lanes_all(points[0]),
                                lanes_all(points[1]), lanes_all(points[2]));
    least = lanes_min(dot, least);
  }
  return least;
}

// Smallest and largest n.x of points for each of four planes; point i: the three numbers from
// points[stride i] on.
static inline void lanes_range(const PlaneLanes *planes, const double *points, int stride,
                               int count, Lanes *low, Lanes *high)
{
  const Lanes nx = planes->x, ny = planes->y, nz = planes->z;
  Lanes least = lanes_all(INFINITY), most = lanes_all(-INFINITY);
  for (int i = 0; i < count; i++, points += stride) {
    const Lanes dot =
        lanes_dot(nx, ny, nz, lanes_all(points[0]), lanes_all(points[1]), lanes_all(points[2]));
    least = lanes_min(dot, least);
    most = lanes_max(dot, most);
  }
  *low = least;
  *high = most;
}
