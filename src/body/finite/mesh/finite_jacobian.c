// The determinant by its coefficients in Bernstein's polynomials: it lies between the least and the
// largest of them, and those of halves of the cell are nearer to it (Johnen, Remacle and Geuzaine
// 2013).
#include "finite_jacobian.h"

#include "check.h"

enum { SIDE = 3, COEFFICIENTS = SIDE * SIDE * SIDE, MOST_HALVINGS = 5, HALVES = 8 };

// Distance of neighbours along an axis.
static const int STRIDE[3] = {1, SIDE, SIDE *SIDE};

// A polynomial of second degree along each axis.
typedef struct {
  double of[COEFFICIENTS];   // fastest along the first axis
} Coefficients;

// Coefficients along each axis from values at -1, 0 and 1.
static Coefficients coefficients_of(const vec3 corner[FINITE_HEXAHEDRON])
{
  Coefficients b;
  for (int k = 0; k < COEFFICIENTS; k++) {
    const vec3 at = {k % SIDE - 1.0, k / SIDE % SIDE - 1.0, k / (SIDE * SIDE) - 1.0};
    b.of[k] = mat3_determinant(finite_mesh_axes(corner, at));
  }
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < COEFFICIENTS; k++) {
      if (k / STRIDE[a] % SIDE != 1) continue;
      b.of[k] = 2 * b.of[k] - 0.5 * (b.of[k - STRIDE[a]] + b.of[k + STRIDE[a]]);
    }
  return b;
}

// Those of one half along each axis, the upper one where the bit of the axis is set.
static Coefficients half_of(Coefficients b, int half)
{
  assert_debug(half >= 0 && half < HALVES && "two halves along three axes");
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < COEFFICIENTS; k++) {
      if (k / STRIDE[a] % SIDE != 1) continue;
      double *low = &b.of[k - STRIDE[a]], *middle = &b.of[k], *high = &b.of[k + STRIDE[a]];
      const double lower = 0.5 * (*low + *middle), upper = 0.5 * (*middle + *high);
      const double between = 0.5 * (lower + upper);
      if (half >> a & 1) *low = between, *middle = upper;
      else *high = between, *middle = lower;
    }
  return b;
}

static bool is_positive(const Coefficients *b, int halvings)
{
  bool all = true;
  for (int k = 0; k < COEFFICIENTS; k++) {
    const bool is_corner = k % SIDE != 1 && k / SIDE % SIDE != 1 && k / (SIDE * SIDE) != 1;
    if (b->of[k] > 0) continue;
    if (is_corner) return false;   // a value of the polynomial
    all = false;
  }
  if (all) return true;
  for (int half = 0; half < HALVES && halvings > 0; half++) {
    const Coefficients part = half_of(*b, half);
    if (!is_positive(&part, halvings - 1)) return false;
  }
  return halvings > 0;
}

bool finite_jacobian_is_positive(const vec3 corner[FINITE_HEXAHEDRON])
{
  assert_debug(vec3_is_finite(corner[0]) && "places are numbers");
  const Coefficients b = coefficients_of(corner);
  return is_positive(&b, MOST_HALVINGS);
}
