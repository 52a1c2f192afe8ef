// The algebra of the cone: scalings, quotients, reaches and corrections by what they must fulfil.
#include "lorentz.h"

#include <math.h>

#include "harness.h"
#include "random_numbers.h"

// Inside the cone, near its edge or not.
static vec3 inside(Random *random)
{
  vec3 x = random_in_cube(random, 1);
  const double above = random_between(random, -9, 0);
  x.x = sqrt(x.y * x.y + x.z * x.z) + exp(above);
  return vec3_scale(exp(random_between(random, -5, 5)), x);
}

static double apart(vec3 a, vec3 b) { return vec3_norm(vec3_sub(a, b)) / vec3_norm(a); }

static void test_scaling(Random *random)
{
  double worst = 0;
  for (int k = 0; k < 20000; k++) {
    const vec3 y = inside(random), w = inside(random);
    const LorentzScaling s = lorentz_scaling(y, w);
    const double hard = vec3_dot(y, y) / lorentz_det(y) * vec3_dot(w, w) / lorentz_det(w);
    worst = fmax(worst, apart(y, mat3_mul(s.of, s.lambda)) / hard);
    worst = fmax(worst, apart(s.lambda, mat3_mul(s.inverse, y)) / hard);
    CHECK(lorentz_height(s.lambda) > 0);
  }
  CHECK_NEAR(worst, 0, 1e-14);
}

static void test_quotient(Random *random)
{
  double worst = 0;
  for (int k = 0; k < 20000; k++) {
    const vec3 a = inside(random), b = random_in_cube(random, 1);
    const double hard = vec3_dot(a, a) / lorentz_det(a);
    worst = fmax(worst, apart(b, lorentz_product(a, lorentz_divide(a, b))) / hard);
  }
  CHECK_NEAR(worst, 0, 1e-13);
}

// y - w and y o w are what was asked for, near the edge as well as far from it.
static void test_split(Random *random)
{
  double worst = 0;
  for (int k = 0; k < 20000; k++) {
    const vec3 z = vec3_scale(exp(random_between(random, -5, 5)), random_in_cube(random, 1));
    const double e = exp(random_between(random, -20, 10));
    const LorentzPair at = lorentz_split(z, e);
    CHECK(at.y.x > 0 && at.w.x > 0);
    const double size = vec3_norm(at.y) + vec3_norm(at.w);
    worst = fmax(worst, vec3_norm(vec3_sub(vec3_sub(at.y, at.w), z)) / size);
    const vec3 off = vec3_sub(lorentz_product(at.y, at.w), (vec3){e, 0, 0});
    worst = fmax(worst, vec3_norm(off) / (vec3_norm(at.y) * vec3_norm(at.w)));
  }
  CHECK_NEAR(worst, 0, 1e-14);
  const LorentzPair along = lorentz_split((vec3){-3, 0, 0}, 4);   // 1 - 4 and 1 * 4
  CHECK(along.y.x == 1 && along.w.x == 4 && along.y.y == 0 && along.w.z == 0);
}

// Just inside before the reach, just outside behind it.
static void test_reach(Random *random)
{
  int ended = 0;
  for (int k = 0; k < 20000; k++) {
    const vec3 x = inside(random), d = random_in_cube(random, vec3_norm(x));
    const double reach = lorentz_reach(x, d);
    CHECK(reach > 0);
    const double far = reach < INFINITY ? reach : 1e6;
    CHECK(lorentz_height(vec3_axpy(0.999 * far, d, x)) > -1e-12 * vec3_norm(x) * (1 + far));
    if (reach == INFINITY) continue;
    CHECK(lorentz_height(vec3_axpy(1.001 * reach, d, x)) < 1e-12 * vec3_norm(x) * (1 + far));
    ended++;
  }
  CHECK(ended > 5000);
}

// Eigenvalues come into the interval, but none falls by more than its upper end.
static void test_correction(Random *random)
{
  for (int k = 0; k < 20000; k++) {
    const vec3 x = random_in_cube(random, 3);
    const vec3 to = vec3_add(x, lorentz_correction(x, 0.5, 1));
    const double size = sqrt(x.y * x.y + x.z * x.z), after = sqrt(to.y * to.y + to.z * to.z);
    CHECK(to.x - after > 0.5 - 1e-12);
    CHECK(to.x + after < fmax(1, x.x + size - 1) + 1e-12);
  }
}

int main(void)
{
  Random random = {2026};
  test_scaling(&random);
  test_quotient(&random);
  test_split(&random);
  test_reach(&random);
  test_correction(&random);
  return test_report();
}
