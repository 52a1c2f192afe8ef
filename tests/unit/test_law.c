// The one-contact problem: the exact limits of contacts and bonds, against their own conditions and
// slow references.
#include <stdlib.h>

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
    for (int i = 0; i < 3; i++) w.row[i] = vec3_axpy(vec3_component(a, i), a, w.row[i]);
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
    mat3 basis = IDENTITY;
    const LocalDelassus d = law_diagonalize(w, &basis);
    // W r in the turned basis equals the turned W r
    const vec3 r = random_vector(&state);
    const vec3 direct = mat3_mul(basis, mat3_mul(w, r)), local = law_apply(&d, mat3_mul(basis, r));
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
    mat3 basis = IDENTITY;
    const LocalDelassus d = law_diagonalize(w, &basis);
    const double mu = frictions[i % 6];
    const vec3 q = random_vector(&state);
    const vec3 r = law_solve_point(&d, law_of_contact(mu), q);
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

// 10^exponent by repeated products: the same on any machine
static double power_of_ten(int exponent)
{
  double value = 1;
  for (int i = 0; i < abs(exponent); i++) value *= 10;
  return exponent < 0 ? 1 / value : value;
}

static double random_magnitude(uint64_t *state, int decades)
{
  return power_of_ten((int)random_between(state, -decades, decades + 1)) *
         random_between(state, 1, 10);
}

static void add_square(mat3 *w, vec3 a)
{
  w->row[0] = vec3_axpy(a.x, a, w->row[0]);
  w->row[1] = vec3_axpy(a.y, a, w->row[1]);
  w->row[2] = vec3_axpy(a.z, a, w->row[2]);
}

// 1/m I - [arm]x J^-1 [arm]x of a body of any mass and form
static void add_body(mat3 *w, double mass, vec3 arm, vec3 size)
{
  const double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
  add_square(w, (vec3){1 / sqrt(mass), 0, 0});
  add_square(w, (vec3){0, 1 / sqrt(mass), 0});
  add_square(w, (vec3){0, 0, 1 / sqrt(mass)});
  const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double inertia[3] = {mass * (y + z) / 12, mass * (z + x) / 12, mass * (x + y) / 12};
  for (int k = 0; k < 3; k++)
    add_square(w, vec3_scale(1 / sqrt(inertia[k]), vec3_cross(axes[k], arm)));
}

enum { FAMILIES = 5 };

// positive semidefinite matrices of every kind
static mat3 extreme_delassus(uint64_t *state, int family)
{
  mat3 w = mat3_diagonal(0, 0, 0);
  if (family == 0) return random_delassus(state, 3);
  if (family == 1) {   // sums of two squares, of one
    const int rank = random_between(state, 0, 1) < 0.5 ? 1 : 2;
    for (int k = 0; k < rank; k++) add_square(&w, random_vector(state));
  } else if (family == 2) {   // two bodies, one far heavier, with long arms: Painleve's rod
    for (int k = 0; k < 2; k++) {
      const vec3 arm = random_vector(state);
      const vec3 size = {random_magnitude(state, 1), random_magnitude(state, 1),
                         random_magnitude(state, 1)};
      add_body(&w, random_magnitude(state, k ? 12 : 0), arm, size);
    }
  } else if (family == 3) {   // squares of very different sizes
    for (int k = 0; k < 3; k++) {
      const vec3 a = {random_magnitude(state, 4), random_magnitude(state, 4),
                      random_magnitude(state, 4)};
      const vec3 b = random_vector(state);
      add_square(&w, (vec3){a.x * b.x, a.y * b.y, a.z * b.z});
    }
  } else {   // diagonal, entries missing; the normal one there
    w = mat3_diagonal(random_magnitude(state, 12), random_magnitude(state, 12),
                      random_magnitude(state, 12));
    if (random_between(state, 0, 1) < 0.3) w.row[1].y = 0;
    if (random_between(state, 0, 1) < 0.3) w.row[2].z = 0;
  }
  return w;
}

static PointLaw random_law(uint64_t *state, double size)
{
  static const double frictions[] = {0, 1e-8, 0.1, 0.3, 0.7, 1, 10, 1e6};
  PointLaw law = law_of_contact(frictions[(int)random_between(state, 0, 8)]);
  const double kind = random_between(state, 0, 1);
  if (kind < 0.5) return law;
  if (kind < 0.9) law.tension = size * random_magnitude(state, 2);
  law.shear = law.friction * law.tension;
  if (kind > 0.6) law.shear += size * random_magnitude(state, 3);
  return law;
}

// velocities: any, sliding ones, or those that some impulse near the limits brings to rest
static vec3 random_velocity(uint64_t *state, mat3 w, PointLaw law, double size)
{
  const double trace = w.row[0].x + w.row[1].y + w.row[2].z;
  const double kind = random_between(state, 0, 1);
  if (kind < 0.4)
    return vec3_scale(size * trace * random_magnitude(state, 1), random_vector(state));
  if (kind < 0.6) {   // hardly apart, or hardly not, while it slides fast: couplings decide
    const vec3 q = vec3_scale(size * trace * random_magnitude(state, 1), random_vector(state));
    return (vec3){0.1 * q.x, q.y, q.z};
  }
  const vec3 r = law_project(law, vec3_scale(size, random_vector(state)));
  return vec3_neg(mat3_mul(w, vec3_scale(random_between(state, 0.5, 1.5), r)));
}

typedef long double Long;
typedef struct {
  Long x, y, z;
} Long3;

static Long3 long_mul(mat3 m, Long3 v)
{
  return (Long3){m.row[0].x * v.x + m.row[0].y * v.y + m.row[0].z * v.z,
                 m.row[1].x * v.x + m.row[1].y * v.y + m.row[1].z * v.z,
                 m.row[2].x * v.x + m.row[2].y * v.y + m.row[2].z * v.z};
}

// Orthogonal projection on the limits by trying each piece of their border and taking the nearest
// of those that lie inside.
static Long3 long_project(PointLaw law, Long3 r)
{
  const Long mu = law.friction, tension = law.tension, shear = law.shear;
  const Long size = sqrtl(r.y * r.y + r.z * r.z), radius = fmaxl(shear - mu * tension, 0);
  if (r.x >= -tension && size <= shear + mu * r.x) return r;
  const Long along = ((mu * size + r.x - mu * shear) / (1 + mu * mu));
  const Long candidates[2][2] = {{-tension, fminl(size, radius)}, {along, shear + mu * along}};
  Long best = INFINITY, n = 0, t = 0;
  for (int i = 0; i < 2; i++) {
    const Long x = fmaxl(candidates[i][0], -tension),
               y = fmaxl(fminl(candidates[i][1], shear + mu * x), 0);
    const Long distance = (x - r.x) * (x - r.x) + (y - size) * (y - size);
    if (distance >= best) continue;
    best = distance;
    n = x;
    t = y;
  }
  const Long scale = size > 0 ? t / size : 0;
  return (Long3){n, scale * r.y, scale * r.z};
}

// one step of r = P_C(r - rho (U + mu |U_T| n)), in long double and from the given W
static Long3 natural_step(mat3 w, PointLaw law, vec3 q, Long3 r, Long rho)
{
  const Long3 wr = long_mul(w, r);
  Long3 u = {q.x + wr.x, q.y + wr.y, q.z + wr.z};
  u.x += law.friction * sqrtl(u.y * u.y + u.z * u.z);
  return long_project(law, (Long3){r.x - rho * u.x, r.y - rho * u.y, r.z - rho * u.z});
}

static Long long_distance(Long3 a, Long3 b)
{
  const Long x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return sqrtl(x * x + y * y + z * z);
}

// the natural map's error over what rounding of W, q and r makes of it
static double natural_error(mat3 w, PointLaw law, vec3 q, vec3 r)
{
  const Long rho = 1 / (Long)(w.row[0].x + w.row[1].y + w.row[2].z);
  const Long3 at = {r.x, r.y, r.z};
  const Long e = long_distance(at, natural_step(w, law, q, at, rho));
  const Long size = vec3_norm(r) + rho * vec3_norm(q) + law.tension + law.shear;
  return (double)(e / ((1 + law.friction) * size));
}

// W in the basis that diagonalises S
static mat3 turned(mat3 w, mat3 basis)
{
  return mat3_mul_mat(basis, mat3_mul_mat(w, mat3_transpose(basis)));
}

static void test_extreme(void)
{
  uint64_t state = 21;
  double worst[FAMILIES] = {0};
  int slides = 0, bonds_open = 0;
  for (int i = 0; i < 1000000; i++) {
    const int family = i % FAMILIES;
    mat3 basis = IDENTITY;
    mat3 w = extreme_delassus(&state, family);
    const LocalDelassus d = law_diagonalize(w, &basis);
    w = turned(w, basis);
    const double size = 1 / (w.row[0].x + w.row[1].y + w.row[2].z);
    const PointLaw law = random_law(&state, size);
    const vec3 q = random_velocity(&state, w, law, size);
    const vec3 r = law_solve_point(&d, law, q);
    const double e = natural_error(w, law, q, r);
    if (r.x > 0 && sqrt(r.y * r.y + r.z * r.z) > 0.999999 * (law.shear + law.friction * r.x))
      slides++;
    if (law.tension > 0 && r.x == -law.tension) bonds_open++;
    if (!(e <= worst[family])) worst[family] = e;
  }
  CHECK(slides > 100000 && bonds_open > 10000);
  for (int k = 0; k < FAMILIES; k++) CHECK_NEAR(worst[k], 0, 1e-13);
}

// Without coupling of normal and tangents there is one solution: a slow iteration finds it too.
static void test_against_iteration(void)
{
  uint64_t state = 31;
  double worst = 0;
  for (int i = 0; i < 3000; i++) {
    mat3 w = mat3_diagonal(random_between(&state, 1, 2), random_between(&state, 1, 2),
                           random_between(&state, 1, 2));
    w.row[1].z = w.row[2].y = random_between(&state, -0.5, 0.5);
    w.row[0].y = w.row[1].x = random_between(&state, -0.2, 0.2);
    mat3 basis = IDENTITY;
    const LocalDelassus d = law_diagonalize(w, &basis);
    w = turned(w, basis);
    PointLaw law = law_of_contact(random_between(&state, 0, 0.8));
    if (i % 2) {
      law.tension = random_between(&state, 0, 1);
      law.shear = law.friction * law.tension + random_between(&state, 0, 1);
    }
    const vec3 q = vec3_scale(3, random_vector(&state));
    const vec3 r = law_solve_point(&d, law, q);
    Long3 slow = {0, 0, 0};
    for (int k = 0; k < 400; k++) slow = natural_step(w, law, q, slow, 0.4L);
    const double e = (double)long_distance((Long3){r.x, r.y, r.z}, slow);
    if (!(e <= worst)) worst = e;
  }
  CHECK_NEAR(worst, 0, 1e-13);
}

// what has no solution or no data: finite, within the limits, and stated
static void test_without_response(void)
{
  mat3 basis = IDENTITY;
  const PointLaw contact = law_of_contact(0.5), bond = {0.5, 2, 3, INFINITY, {0, 0}};

  // two bodies that nothing moves
  LocalDelassus d = law_diagonalize(mat3_diagonal(0, 0, 0), &basis);
  vec3 r = law_solve_point(&d, contact, (vec3){-1, 2, 3});
  CHECK(r.x == 0 && r.y == 0 && r.z == 0);
  r = law_solve_point(&d, bond, (vec3){-1, 3, 4});
  CHECK(r.x == -2);
  CHECK_NEAR(r.y, -2 * 0.6, 1e-14);
  CHECK_NEAR(r.z, -2 * 0.8, 1e-14);

  // tangents respond, the normal does not
  basis = IDENTITY;
  d = law_diagonalize(mat3_diagonal(0, 1, 4), &basis);
  r = law_solve_point(&d, contact, (vec3){-1, 2, 3});
  CHECK(r.x == 0 && r.y == 0 && r.z == 0);
  r = law_solve_point(&d, bond, (vec3){1, 1, 4});
  CHECK(r.x == -2);
  CHECK_NEAR(r.y, -1, 1e-14);
  CHECK_NEAR(r.z, -1, 1e-14);
  CHECK(vec3_is_finite(law_apply(&d, (vec3){1, 2, 3})));

  // couplings beyond what a semidefinite matrix has, at the level of rounding
  basis = IDENTITY;
  mat3 w = mat3_diagonal(1e-40, 1, 1);
  w.row[0].y = w.row[1].x = 1e-17;
  d = law_diagonalize(w, &basis);
  r = law_solve_point(&d, contact, (vec3){-1e-20, 1, 0});
  CHECK(vec3_is_finite(r) && sqrt(r.y * r.y + r.z * r.z) <= 0.5 * r.x * (1 + 1e-15));
}

// Lengths, masses and times scaled by powers of four scale every bit.
static void test_scaling(void)
{
  uint64_t state = 41;
  int differ = 0;
  for (int i = 0; i < 20000; i++) {
    const mat3 w = extreme_delassus(&state, i % FAMILIES);
    const double size = 1 / (w.row[0].x + w.row[1].y + w.row[2].z);
    const PointLaw law = random_law(&state, size);
    const vec3 q = random_velocity(&state, w, law, size);
    const double per_mass = 0x1p40, speed = 0x1p-22, impulse = speed / per_mass;
    mat3 basis = IDENTITY, scaled_basis = IDENTITY;
    const LocalDelassus d = law_diagonalize(w, &basis);
    const LocalDelassus e = law_diagonalize(mat3_scale(per_mass, w), &scaled_basis);
    const PointLaw scaled = {
        law.friction, impulse * law.tension, impulse * law.shear, INFINITY, {0, 0}};
    const vec3 r = law_solve_point(&d, law, q);
    const vec3 s = law_solve_point(&e, scaled, vec3_scale(speed, q));
    if (s.x != impulse * r.x || s.y != impulse * r.y || s.z != impulse * r.z) differ++;
  }
  CHECK(differ == 0);
}

static void test_project_bonds(void)
{
  // stuck at the tip and the rim of the disc where tension ends, and without friction
  const PointLaw law = {0.5, 2, 4, INFINITY, {0, 0}}, tube = {0, 1, 3, INFINITY, {0, 0}};
  CHECK(law_project(law, (vec3){-2, 3, 0}).y == 3);
  CHECK(law_project(law, (vec3){-5, 1, 0}).x == -2 && law_project(law, (vec3){-5, 1, 0}).y == 1);
  CHECK(law_project(law, (vec3){-5, 4, 0}).x == -2 && law_project(law, (vec3){-5, 4, 0}).y == 3);
  CHECK(law_project(tube, (vec3){7, 4, 0}).x == 7 && law_project(tube, (vec3){7, 4, 0}).y == 3);
  CHECK(law_project(tube, (vec3){-7, 4, 0}).x == -1 && law_project(tube, (vec3){-7, 4, 0}).y == 3);

  uint64_t state = 51;
  double worst = 0;
  for (int i = 0; i < 100000; i++) {
    const PointLaw random = random_law(&state, 1);
    const vec3 x = vec3_scale(random_magnitude(&state, 3), random_vector(&state));
    const vec3 p = law_project(random, x);
    const Long3 slow = long_project(random, (Long3){x.x, x.y, x.z});
    const double size = (vec3_norm(x) + random.shear + random.tension) * (1 + random.friction);
    const double e = (double)long_distance((Long3){p.x, p.y, p.z}, slow) / size;
    if (!(e <= worst)) worst = e;
  }
  CHECK_NEAR(worst, 0, 4e-16);
}

static void test_project(void)
{
  // nothing pulls, also exactly along the normal and without friction
  const double frictions[] = {0, 0.5};
  for (int i = 0; i < 2; i++) {
    CHECK(vec3_norm(law_project(law_of_contact(frictions[i]), (vec3){-1, 0, 0})) == 0);
    CHECK(law_project(law_of_contact(frictions[i]), (vec3){2, 0, 0}).x == 2);
    CHECK(vec3_norm(law_project(law_of_contact(frictions[i]), (vec3){0, 0, 0})) == 0);
  }
  CHECK(vec3_norm(law_project(law_of_contact(0), (vec3){-1, 1, 0})) == 0 &&
        law_project(law_of_contact(0), (vec3){3, 1, 0}).y == 0);

  uint64_t state = 13;
  for (int i = 0; i < 10000; i++) {
    const double mu = random_between(&state, 0, 2);
    const vec3 x = random_vector(&state), p = law_project(law_of_contact(mu), x);
    CHECK(sqrt(p.y * p.y + p.z * p.z) <= mu * p.x * (1 + 1e-14) + 1e-16);
    // the rest is orthogonal to the projection and in the polar cone
    const vec3 rest = vec3_sub(x, p);
    CHECK_NEAR(vec3_dot(rest, p), 0, 1e-14);
    CHECK(rest.x + mu * sqrt(rest.y * rest.y + rest.z * rest.z) <= 1e-14);
  }
}

// What fulfils the law is where the natural map stays; what does not is not, whatever the friction.
static void test_nearest(void)
{
  uint64_t state = 21;
  double worst = 0, least = INFINITY;
  for (int i = 0; i < 20000; i++) {
    const mat3 w = random_delassus(&state, 3);
    mat3 basis = IDENTITY;
    const LocalDelassus d = law_diagonalize(w, &basis);
    const PointLaw law = random_law(&state, 1);
    const vec3 q = random_vector(&state), r = law_solve_point(&d, law, q);
    const vec3 v = vec3_add(q, law_apply(&d, r));
    for (int k = -1; k <= 1; k++) {
      const double rho = power_of_ten(k) / (w.row[0].x + w.row[1].y + w.row[2].z);
      const vec3 there = law_nearest(law, r, vec3_axpy(-rho, v, r));
      const double size = vec3_norm(r) + rho * vec3_norm(q) + law.friction * fabs(r.x);
      worst = fmax(worst, vec3_norm(vec3_sub(there, r)) / size);
      const vec3 other = vec3_axpy(-rho, (vec3){-1, v.y, v.z}, r);
      least = fmin(least, vec3_norm(vec3_sub(law_nearest(law, r, other), r)) / rho);
    }
  }
  CHECK_NEAR(worst, 0, 1e-9);
  CHECK(least > 0.999);   // an approach of 1 m/s

  const PointLaw rough = law_of_contact(1e6), smooth = law_of_contact(0);
  const vec3 none = {0, 0, 0}, pressed = {1, 0, 0};
  CHECK(law_nearest(rough, none, (vec3){2, 3, 4}).x == 2);
  CHECK_NEAR(vec3_norm(vec3_sub(law_nearest(rough, pressed, (vec3){1, 3e-3, 4e-3}), pressed)), 5e-3,
             1e-18);
  CHECK(law_nearest(smooth, pressed, (vec3){1, 3, 4}).y == 0);
  CHECK(law_relative(0, 0) == 0 && law_relative(1, 0) == INFINITY && law_relative(9, 3) == 1);
}

int main(void)
{
  test_diagonalize();
  test_nearest();
  test_solve();
  test_extreme();
  test_against_iteration();
  test_without_response();
  test_scaling();
  test_project();
  test_project_bonds();
  return test_report();
}
