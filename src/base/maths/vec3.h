#pragma once
// Vectors, 3x3 matrices and unit quaternions as plain values.
#include <math.h>

typedef struct {
  double x, y, z;
} vec3;
typedef struct {
  vec3 row[3];
} mat3;   // row-major: (M v).x = row[0].v
typedef struct {
  double xx, xy, xz, yy, yz, zz;
} sym3;   // symmetric matrix
typedef struct {
  double w, x, y, z;
} quat;   // unit quaternion, rotates body frame into world frame

static inline double smaller_of(double x, double y) { return x < y ? x : y; }
static inline double larger_of(double x, double y) { return x > y ? x : y; }

static inline vec3 vec3_new(double x, double y, double z) { return (vec3){x, y, z}; }
static inline vec3 vec3_add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 vec3_sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 vec3_scale(double s, vec3 a) { return (vec3){s * a.x, s * a.y, s * a.z}; }
static inline vec3 vec3_neg(vec3 a) { return (vec3){-a.x, -a.y, -a.z}; }
static inline double vec3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec3_norm(vec3 a) { return sqrt(vec3_dot(a, a)); }

// Along the axis 0 (x), 1 (y) or 2 (z).
static inline double vec3_component(vec3 a, int axis)
{
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

// a + s b
static inline vec3 vec3_axpy(double s, vec3 b, vec3 a)
{
  return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vec3 vec3_min(vec3 a, vec3 b)
{
  return (vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline vec3 vec3_max(vec3 a, vec3 b)
{
  return (vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static inline int vec3_is_finite(vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static inline vec3 mat3_mul(mat3 m, vec3 v)
{
  return (vec3){vec3_dot(m.row[0], v), vec3_dot(m.row[1], v), vec3_dot(m.row[2], v)};
}

static inline mat3 mat3_of_sym3(sym3 s)
{
  return (mat3){{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
}

// transpose(M) v
static inline vec3 mat3_mul_transposed(mat3 m, vec3 v)
{
  return (vec3){m.row[0].x * v.x + m.row[1].x * v.y + m.row[2].x * v.z,
                m.row[0].y * v.x + m.row[1].y * v.y + m.row[2].y * v.z,
                m.row[0].z * v.x + m.row[1].z * v.y + m.row[2].z * v.z};
}

static inline mat3 mat3_transpose(mat3 m)
{
  return (mat3){{{m.row[0].x, m.row[1].x, m.row[2].x},
                 {m.row[0].y, m.row[1].y, m.row[2].y},
                 {m.row[0].z, m.row[1].z, m.row[2].z}}};
}

static inline mat3 mat3_mul_mat(mat3 a, mat3 b)
{
  const mat3 t = mat3_transpose(b);
  return (mat3){{mat3_mul(t, a.row[0]), mat3_mul(t, a.row[1]), mat3_mul(t, a.row[2])}};
}

static inline mat3 mat3_add(mat3 a, mat3 b)
{
  return (mat3){
      {vec3_add(a.row[0], b.row[0]), vec3_add(a.row[1], b.row[1]), vec3_add(a.row[2], b.row[2])}};
}

static inline mat3 mat3_scale(double s, mat3 a)
{
  return (mat3){{vec3_scale(s, a.row[0]), vec3_scale(s, a.row[1]), vec3_scale(s, a.row[2])}};
}

static inline mat3 mat3_diagonal(double x, double y, double z)
{
  return (mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

// a b'
static inline mat3 mat3_outer(vec3 a, vec3 b)
{
  return (mat3){{vec3_scale(a.x, b), vec3_scale(a.y, b), vec3_scale(a.z, b)}};
}

// [v]x: mat3_mul(mat3_skew(v), w) = v x w
static inline mat3 mat3_skew(vec3 v)
{
  return (mat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}

static inline double mat3_determinant(mat3 m)
{
  return vec3_dot(m.row[0], vec3_cross(m.row[1], m.row[2]));
}

// Inverse by the adjugate; the caller knows that the determinant is not zero.
static inline mat3 mat3_inverse(mat3 m)
{
  const vec3 c0 = vec3_cross(m.row[1], m.row[2]);
  const vec3 c1 = vec3_cross(m.row[2], m.row[0]);
  const vec3 c2 = vec3_cross(m.row[0], m.row[1]);
  const double s = 1.0 / vec3_dot(m.row[0], c0);
  return (mat3){{{s * c0.x, s * c1.x, s * c2.x},
                 {s * c0.y, s * c1.y, s * c2.y},
                 {s * c0.z, s * c1.z, s * c2.z}}};
}

static inline quat quat_identity(void) { return (quat){1, 0, 0, 0}; }

static inline quat quat_mul(quat a, quat b)
{
  return (quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline quat quat_normalize(quat q)
{
  const double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return (quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

static inline mat3 quat_to_mat3(quat q)
{
  return (mat3){
      {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
       {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
       {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
        1 - 2 * (q.x * q.x + q.y * q.y)}}};
}
