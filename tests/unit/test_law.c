// The one-contact problem: the exact cone, against its own conditions and a slow reference.
#include "harness.h"
#include "hash.h"
#include "law.h"

static double random_between(uint64_t *state, double low, double high)
{
  *state = hash_mix(*state, 11);
  return low + (high - low) * ((double)(*state >> 11) * 0x1p-53);
}

static vec3 random_vector(uint64_t *state)
{
  return (vec3){random_between(state, -1, 1), random_between(state, -1, 1),
                random_between(state, -1, 1)};
}

// a symmetric positive definite W, condition up to spread
static mat3 random_delassus(uint64_t *state, double spread)
{
  mat3 w = mat3_diagonal(1e-3, 1e-3, 1e-3);
  for (int k = 0; k < 3; k++) {
    const vec3 a = vec3_scale(random_between(state, 1, spread), random_vector(state));
    for (int i = 0; i < 3; i++) {
      const double ai = i == 0 ? a.x : i == 1 ? a.y : a.z;
      w.row[i] = vec3_axpy(ai, a, w.row[i]);
    }
  }
  return w;
}

static const mat3 IDENTITY = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static void test_diagonalize(void)
{
  uint64_t state = 5;
  double worst = 0;
  for (int i = 0; i < 1000; i++) {
    const mat3 w = random_delassus(&state, 10);
    mat3 frame = IDENTITY;
    const LocalDelassus d = law_diagonalize(w, &frame);
    // W r in the turned frame equals the turned W r
    const vec3 r = random_vector(&state);
    const vec3 direct = mat3_mul(frame, mat3_mul(w, r)), local = law_apply(&d, mat3_mul(frame, r));
    const double error = vec3_norm(vec3_sub(direct, local)) / vec3_norm(direct);
    if (error > worst) worst = error;
  }
  CHECK_NEAR(worst, 0, 1e-11);
}

// Signorini and Coulomb, relative to the size of the data
static double violation(const LocalDelassus *d, double mu, vec3 q, vec3 r)
{
  const vec3 u = vec3_add(q, law_apply(d, r));
  const double speed = vec3_norm(q), size = vec3_norm(r) + 1e-300;
  const double rt = sqrt(r.y * r.y + r.z * r.z), ut = sqrt(u.y * u.y + u.z * u.z);
  double worst = 0;
  const double terms[] = {
      -u.x / speed, -r.x / size, r.x > 0 ? fabs(u.x) / speed : 0, (rt - mu * r.x) / size,
      // sliding is on the cone and opposes the impulse; sticking has no velocity
      rt < mu * r.x * (1 - 1e-9) ? ut / speed : (u.y * r.y + u.z * r.z + ut * rt) / (speed * size)};
  for (int i = 0; i < 5; i++)
    if (!(terms[i] <= worst)) worst = terms[i];
  return worst;
}

static void test_solve(void)
{
  uint64_t state = 9;
  double worst = 0;
  int open = 0, stick = 0, slide = 0;
  const double frictions[] = {0, 1e-3, 0.3, 0.6, 1, 10};
  for (int i = 0; i < 60000; i++) {
    const mat3 w = random_delassus(&state, i % 3 ? 3 : 100);
    mat3 frame = IDENTITY;
    const LocalDelassus d = law_diagonalize(w, &frame);
    const double mu = frictions[i % 6];
    const vec3 q = random_vector(&state);
    const vec3 r = law_solve_point(&d, (PointLaw){mu, 0, 0}, q);
    const double rt = sqrt(r.y * r.y + r.z * r.z);
    if (r.x == 0) open++;
    else if (rt < mu * r.x * (1 - 1e-9)) stick++;
    else slide++;
    const double v = violation(&d, mu, q, r);
    if (!(v <= worst)) worst = v;
  }
  CHECK(open > 1000 && stick > 1000 && slide > 1000);
  CHECK_NEAR(worst, 0, 1e-9);
}

static void test_project(void)
{
  // nothing pulls, also exactly along the normal and without friction
  const double frictions[] = {0, 0.5};
  for (int i = 0; i < 2; i++) {
    CHECK(vec3_norm(law_project((PointLaw){frictions[i], 0, 0}, (vec3){-1, 0, 0})) == 0);
    CHECK(law_project((PointLaw){frictions[i], 0, 0}, (vec3){2, 0, 0}).x == 2);
    CHECK(vec3_norm(law_project((PointLaw){frictions[i], 0, 0}, (vec3){0, 0, 0})) == 0);
  }
  CHECK(vec3_norm(law_project((PointLaw){0, 0, 0}, (vec3){-1, 1, 0})) == 0 &&
        law_project((PointLaw){0, 0, 0}, (vec3){3, 1, 0}).y == 0);

  uint64_t state = 13;
  for (int i = 0; i < 10000; i++) {
    const double mu = random_between(&state, 0, 2);
    const vec3 x = random_vector(&state), p = law_project((PointLaw){mu, 0, 0}, x);
    CHECK(sqrt(p.y * p.y + p.z * p.z) <= mu * p.x * (1 + 1e-14) + 1e-16);
    // the rest is orthogonal to the projection and in the polar cone
    const vec3 rest = vec3_sub(x, p);
    CHECK_NEAR(vec3_dot(rest, p), 0, 1e-14);
    CHECK(rest.x + mu * sqrt(rest.y * rest.y + rest.z * rest.z) <= 1e-14);
  }
}

int main(void)
{
  test_diagonalize();
  test_solve();
  test_project();
  return test_report();
}
