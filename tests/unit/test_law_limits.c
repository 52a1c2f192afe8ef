// The one-contact problem of joints and springs: cylinders and points that give, against the
// conditions of the least and a slow iteration in long double.
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

static const mat3 IDENTITY = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static void add_square(mat3 *w, vec3 a)
{
  w->row[0] = vec3_axpy(a.x, a, w->row[0]);
  w->row[1] = vec3_axpy(a.y, a, w->row[1]);
  w->row[2] = vec3_axpy(a.z, a, w->row[2]);
}

// positive semidefinite, of rank 1, 2 or 3; most(W) about 1
static mat3 random_delassus(uint64_t *state, int rank)
{
  mat3 w = mat3_diagonal(0, 0, 0);
  for (int k = 0; k < rank; k++) add_square(&w, random_vector(state));
  return w;
}

static double random_limit(uint64_t *state)
{
  const double kind = random_between(state, 0, 1);
  return kind < 0.25 ? 0 : kind < 0.5 ? INFINITY : random_between(state, 0, 3);
}

static PointLaw random_cylinder(uint64_t *state)
{
  PointLaw law = {
      .tension = random_limit(state), .shear = random_limit(state), .push = random_limit(state)};
  if (random_between(state, 0, 1) < 0.3) {
    law.give[0] = random_between(state, 0, 2);
    law.give[1] = random_between(state, 0, 2);
  }
  return law;
}

// the cone of a contact or a bond that gives
static PointLaw random_cone(uint64_t *state)
{
  PointLaw law = law_of_contact(random_between(state, 0, 1.5));
  law.give[0] = random_between(state, 0, 1) < 0.2 ? 0 : random_between(state, 0, 3);
  law.give[1] = random_between(state, 0, 1) < 0.2 ? 0 : random_between(state, 0, 3);
  if (random_between(state, 0, 1) < 0.3) law.tension = random_between(state, 0, 1);
  law.shear = law.friction * law.tension;
  if (random_between(state, 0, 1) < 0.3) law.shear += random_between(state, 0, 1);
  return law;
}

// -------------------------------------------------------------------------------------------------
// Long double

typedef long double Long;
typedef struct {
  Long x, y, z;
} Long3;

static Long3 to_long(vec3 a) { return (Long3){a.x, a.y, a.z}; }

// the projection on C by the nearest of the places on each piece of its border
static Long3 long_project(PointLaw law, Long3 r)
{
  const Long mu = law.friction, size = sqrtl(r.y * r.y + r.z * r.z);
  Long n = fminl(fmaxl(r.x, -(Long)law.tension), (Long)law.push), t = size;
  if (!(size <= law.shear + mu * n) || n != r.x) {
    if (mu == 0) {
      t = fminl(size, law.shear);
    } else {
      const Long along = (mu * size + r.x - mu * law.shear) / (1 + mu * mu);
      const Long at[2] = {-(Long)law.tension, fmaxl(along, -(Long)law.tension)};
      const Long up[2] = {fminl(size, law.shear + mu * at[0]), law.shear + mu * at[1]};
      Long best = INFINITY;
      for (int i = 0; i < 2; i++) {
        const Long y = fmaxl(up[i], 0),
                   distance = (at[i] - r.x) * (at[i] - r.x) + (y - size) * (y - size);
        if (distance >= best) continue;
        best = distance;
        n = at[i];
        t = y;
      }
    }
  }
  const Long scale = size > 0 ? t / size : 0;
  return (Long3){n, scale * r.y, scale * r.z};
}

// r - P_C(r - rho (g + mu |g_T| n))
static double error_of(PointLaw law, Long3 r, Long3 g, Long rho)
{
  g.x += law.friction * sqrtl(g.y * g.y + g.z * g.z);
  const Long3 p = long_project(law, (Long3){r.x - rho * g.x, r.y - rho * g.y, r.z - rho * g.z});
  const Long x = r.x - p.x, y = r.y - p.y, z = r.z - p.z;
  return (double)sqrtl(x * x + y * y + z * z);
}

// W r + diag(give) r + q
static Long3 velocity_of(mat3 w, PointLaw law, vec3 q, Long3 r)
{
  const vec3 *m = w.row;
  return (Long3){m[0].x * r.x + m[0].y * r.y + m[0].z * r.z + law.give[0] * r.x + q.x,
                 m[1].x * r.x + m[1].y * r.y + m[1].z * r.z + law.give[1] * r.y + q.y,
                 m[2].x * r.x + m[2].y * r.y + m[2].z * r.z + law.give[1] * r.z + q.z};
}

// r.(W + give) r/2 + q.r
static Long energy_of(mat3 w, PointLaw law, vec3 q, Long3 r)
{
  const Long3 v = velocity_of(w, law, q, r);
  return (r.x * (v.x + q.x) + r.y * (v.y + q.y) + r.z * (v.z + q.z)) / 2;
}

// -------------------------------------------------------------------------------------------------
// Tests

typedef struct {
  mat3 w;
  PointLaw law;
  vec3 q;
  LocalDelassus d;   // with what the point gives, in the basis in which w and q are given
} Task;

// q is in the range of W at times, as velocities of bodies are; always where limits are infinite
static Task random_task(uint64_t *state, int rank, PointLaw law)
{
  Task task = {.w = random_delassus(state, rank), .law = law};
  mat3 basis = IDENTITY;
  const mat3 more = mat3_diagonal(law.give[0], law.give[1], law.give[1]);
  task.d = law_diagonalize(mat3_add(task.w, more), &basis);
  task.w = mat3_mul_mat(basis, mat3_mul_mat(task.w, mat3_transpose(basis)));
  const bool bounded = law.tension < INFINITY && law.push < INFINITY && law.shear < INFINITY;
  task.q = vec3_scale(2, random_vector(state));
  if (!bounded || random_between(state, 0, 1) < 0.5) task.q = mat3_mul(task.w, task.q);
  return task;
}

// 0: r is the answer; over the size of the data
static double task_error(const Task *task, vec3 r)
{
  if (!vec3_is_finite(r)) return INFINITY;
  const Long3 at = to_long(r);
  return error_of(task->law, at, velocity_of(task->w, task->law, task->q, at), 0.25L) /
         (1 + vec3_norm(r) + vec3_norm(task->q));
}

static void test_cylinder(void)
{
  uint64_t state = 7;
  double worst = 0;
  int ends = 0, rims = 0, insides = 0;
  for (int i = 0; i < 200000; i++) {
    const Task task = random_task(&state, 1 + i % 3, random_cylinder(&state));
    const vec3 r = law_solve_point(&task.d, task.law, task.q);
    const double e = task_error(&task, r);
    if (!(e <= worst)) worst = e;
    const double size = sqrt(r.y * r.y + r.z * r.z);
    if (r.x == -task.law.tension || r.x == task.law.push) ends++;
    if (size > 0 && size > (1 - 1e-12) * task.law.shear) rims++;
    if (size < task.law.shear && r.x < task.law.push && r.x > -task.law.tension) insides++;
    CHECK(r.x >= -task.law.tension && r.x <= task.law.push);
    CHECK(size <= task.law.shear * (1 + 1e-15));
  }
  CHECK(ends > 20000 && rims > 10000 && insides > 20000);
  CHECK_NEAR(worst, 0, 1e-12);
}

// A slow iteration finds the one least where W is definite, and nothing lower where it is not.
static void test_against_descent(void)
{
  uint64_t state = 17;
  double above = 0, apart = 0;
  for (int i = 0; i < 4000; i++) {
    PointLaw law = random_cylinder(&state);
    const bool definite = i % 2;
    if (definite) law.give[0] = law.give[1] = 0.3;
    const Task task = random_task(&state, 1 + i % 3, law);
    const vec3 r = law_solve_point(&task.d, task.law, task.q);
    Long3 slow = {0, 0, 0};
    const Long rho = 1 / (3 + (Long)fmax(task.law.give[0], task.law.give[1]));
    for (int k = 0; k < 1000; k++) {
      const Long3 v = velocity_of(task.w, task.law, task.q, slow);
      slow = long_project(task.law,
                          (Long3){slow.x - rho * v.x, slow.y - rho * v.y, slow.z - rho * v.z});
    }
    const Long least = energy_of(task.w, task.law, task.q, slow),
               found = energy_of(task.w, task.law, task.q, to_long(r));
    above = fmax(above, (double)(found - least));
    const vec3 between = {(double)(r.x - slow.x), (double)(r.y - slow.y), (double)(r.z - slow.z)};
    if (definite) apart = fmax(apart, vec3_norm(between));
  }
  CHECK_NEAR(above, 0, 1e-12);
  CHECK_NEAR(apart, 0, 1e-12);
}

// contacts and bonds that give: the same law with W + give
static void test_springs(void)
{
  uint64_t state = 27;
  double worst = 0;
  for (int i = 0; i < 100000; i++) {
    const Task task = random_task(&state, 3, random_cone(&state));
    const vec3 r = law_solve_point(&task.d, task.law, task.q);
    const double e = task_error(&task, r);
    if (!(e <= worst)) worst = e;
  }
  CHECK_NEAR(worst, 0, 1e-12);
}

// a point that nothing moves, and limits that nothing fills
static void test_without_response(void)
{
  mat3 basis = IDENTITY;
  const LocalDelassus none = law_diagonalize(mat3_diagonal(0, 0, 0), &basis);
  const PointLaw ball = {.tension = INFINITY, .shear = INFINITY, .push = INFINITY};
  CHECK(vec3_norm(law_solve_point(&none, ball, (vec3){1, 2, 3})) == 0);
  const PointLaw dowel = {.tension = 2, .shear = 3, .push = 5};
  const vec3 r = law_solve_point(&none, dowel, (vec3){-1, 0, 4});
  CHECK(r.x == 5 && r.y == 0 && r.z == -3);
  CHECK(law_solve_point(&none, dowel, (vec3){1, 0, 0}).x == -2);
  CHECK(vec3_norm(law_solve_point(&none, dowel, (vec3){0, 0, 0})) == 0);
}

static void test_project(void)
{
  uint64_t state = 37;
  double worst = 0, worst_state = 0;
  for (int i = 0; i < 200000; i++) {
    const PointLaw law = i % 2 ? random_cylinder(&state) : random_cone(&state);
    const vec3 x = vec3_scale(6, random_vector(&state));
    const vec3 p = law_project(law, x);
    const Long3 slow = long_project(law, to_long(x));
    const double e =
        vec3_norm((vec3){(double)(p.x - slow.x), (double)(p.y - slow.y), (double)(p.z - slow.z)});
    if (!(e <= worst)) worst = e;

    // least of the sum over normal and tangents, each with its own metric
    const double weight = random_between(&state, 0, 1) < 0.1 ? 1e9 : random_between(&state, 0, 5);
    const vec3 r = law_project_state(law, weight, x);
    const double n = 1 + law.give[0] * weight, t = 1 + law.give[1] * weight;
    const Long3 slope = {(Long)n * r.x - x.x, (Long)t * r.y - x.y, (Long)t * r.z - x.z};
    const Long rho = 1 / (Long)fmax(n, t);
    const Long3 at = {r.x - rho * slope.x, r.y - rho * slope.y, r.z - rho * slope.z};
    const Long3 back = long_project(law, at);
    const double f =
        vec3_norm((vec3){(double)(r.x - back.x), (double)(r.y - back.y), (double)(r.z - back.z)});
    if (!(f <= worst_state)) worst_state = f;
    const vec3 free = law_target(law, weight, x);
    if (vec3_norm(vec3_sub(free, law_project(law, free))) == 0)
      CHECK(r.x == free.x && r.y == free.y && r.z == free.z);   // inside to the last bit
  }
  CHECK_NEAR(worst, 0, 4e-15);
  CHECK_NEAR(worst_state, 0, 2e-14);
}

// Lengths, masses and times scaled by powers of four scale every bit.
static void test_scaling(void)
{
  uint64_t state = 47;
  int differ = 0;
  const double per_mass = 0x1p40, speed = 0x1p-22, impulse = speed / per_mass;
  for (int i = 0; i < 20000; i++) {
    const Task task = random_task(&state, 1 + i % 3, random_cylinder(&state));
    const PointLaw law = task.law;
    const PointLaw scaled = {0,
                             impulse * law.tension,
                             impulse * law.shear,
                             impulse * law.push,
                             {per_mass * law.give[0], per_mass * law.give[1]}};
    const mat3 w = mat3_add(task.w, mat3_diagonal(law.give[0], law.give[1], law.give[1]));
    mat3 basis = IDENTITY, other = IDENTITY;
    const LocalDelassus d = law_diagonalize(w, &basis);
    const LocalDelassus e = law_diagonalize(mat3_scale(per_mass, w), &other);
    const vec3 r = law_solve_point(&d, law, task.q),
               s = law_solve_point(&e, scaled, vec3_scale(speed, task.q));
    if (s.x != impulse * r.x || s.y != impulse * r.y || s.z != impulse * r.z) differ++;
  }
  CHECK(differ == 0);
}

int main(void)
{
  test_cylinder();
  test_against_descent();
  test_springs();
  test_without_response();
  test_project();
  test_scaling();
  return test_report();
}
