// Affine bodies: four nodes have the mass, the energies and the vibrations of the body.
#include <math.h>

#include "affine.h"
#include "harness.h"
#include "random_numbers.h"
#include "trig.h"

#define GRAVITY 9.81

static mat3 box_inertia(vec3 sides, double mass)
{
  const double x = sides.x * sides.x, y = sides.y * sides.y, z = sides.z * sides.z;
  return mat3_diagonal(mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12);
}

static AffineInput box_input(vec3 sides, double density, ElasticLaw law, double step)
{
  const double volume = sides.x * sides.y * sides.z;
  return (AffineInput){.mass = density * volume,
                       .volume = volume,
                       .inertia = box_inertia(sides, density * volume),
                       .law = law,
                       .step = step,
                       .high_frequency_ratio = 1};
}

static mat3 random_matrix(Random *random)
{
  return (mat3){{random_in_cube(random, 1), random_in_cube(random, 1), random_in_cube(random, 1)}};
}

static double size_of(mat3 m)
{
  return sqrt(vec3_dot(m.row[0], m.row[0]) + vec3_dot(m.row[1], m.row[1]) +
              vec3_dot(m.row[2], m.row[2]));
}

static double difference(mat3 a, mat3 b) { return size_of(mat3_add(a, mat3_scale(-1, b))); }

static mat3 outer(vec3 a, vec3 b)
{
  return (mat3){{vec3_scale(a.x, b), vec3_scale(a.y, b), vec3_scale(a.z, b)}};
}

// a body of random sides, turned in its frame
static Affine random_affine(Random *random)
{
  const vec3 sides = {random_between(random, 0.1, 1), random_between(random, 0.1, 1),
                      random_between(random, 0.1, 1)};
  const ElasticLaw law = {1e9, random_between(random, -0.9, 0.45), 1e-4, 1e-5};
  AffineInput input = box_input(sides, 2500, law, 1e-3);
  input.high_frequency_ratio = 0.8;
  const mat3 r = random_rotation(random);
  input.inertia = mat3_mul_mat(r, mat3_mul_mat(input.inertia, mat3_transpose(r)));
  return affine_new(&input);
}

static void test_nodes(Random *random)
{
  const Affine a = random_affine(random);
  const double mass = a.mass / AFFINE_NODES;
  vec3 centre = {0, 0, 0};
  mat3 euler = mat3_diagonal(0, 0, 0);
  for (int i = 0; i < AFFINE_NODES; i++) {
    centre = vec3_add(centre, a.node[i]);
    euler = mat3_add(euler, mat3_scale(mass, outer(a.node[i], a.node[i])));
  }
  CHECK_NEAR(vec3_norm(centre) / vec3_norm(a.node[0]), 0, 2e-15);
  CHECK_NEAR(difference(euler, a.euler) / size_of(a.euler), 0, 2e-15);

  // any affine field: its values at the nodes give it back, its energy is that of the body
  const mat3 g = random_matrix(random);
  const vec3 v = random_in_cube(random, 1);
  vec3 values[AFFINE_NODES];
  double energy = 0;
  for (int i = 0; i < AFFINE_NODES; i++) {
    values[i] = vec3_add(v, mat3_mul(g, a.node[i]));
    energy += 0.5 * mass * vec3_dot(values[i], values[i]);
  }
  const mat3 ge = mat3_mul_mat(g, mat3_mul_mat(a.euler, mat3_transpose(g)));
  const double exact = 0.5 * (a.mass * vec3_dot(v, v) + ge.row[0].x + ge.row[1].y + ge.row[2].z);
  CHECK_NEAR(energy / exact, 1, 4e-15);
  CHECK_NEAR(difference(affine_gradient(&a, values), g) / size_of(g), 0, 2e-14);
  double weights[AFFINE_NODES];
  const vec3 place = random_in_cube(random, 1);
  affine_weights(&a, place, weights);
  vec3 there = {0, 0, 0};
  for (int i = 0; i < AFFINE_NODES; i++) there = vec3_axpy(weights[i], values[i], there);
  CHECK_NEAR(vec3_norm(vec3_sub(there, vec3_add(v, mat3_mul(g, place)))), 0, 1e-13);
}

// K0, by which A0 is made, against stress and strain; no stiffness against rigid motion
static void test_stiffness(Random *random)
{
  const Affine a = random_affine(random);
  const mat3 g = random_matrix(random);
  double d[AFFINE_UNKNOWNS], form = 0;
  for (int i = 0; i < AFFINE_NODES; i++) {
    const vec3 value = mat3_mul(g, a.node[i]);
    d[3 * i] = value.x;
    d[3 * i + 1] = value.y;
    d[3 * i + 2] = value.z;
  }
  for (int i = 0; i < AFFINE_UNKNOWNS; i++)
    for (int j = 0; j < AFFINE_UNKNOWNS; j++)
      form += d[i] * a.stiffness[AFFINE_UNKNOWNS * i + j] * d[j];
  CHECK_NEAR(form / affine_form(&a, g), 1, 1e-13);
  CHECK(affine_form(&a, g) > 0);
  CHECK_NEAR(affine_form(&a, mat3_skew(random_in_cube(random, 1))) / form, 0, 1e-30);
}

// velocities of impulses: A0 times them are the impulses; W; the momentum to rounding
static void test_operator(Random *random)
{
  const Affine a = random_affine(random);
  const double h = a.step, both = 1 + a.dissipation;
  const double share = 0.25 * h * h * both * both + 0.5 * a.damping * h;
  vec3 impulse[AFFINE_NODES], u[AFFINE_NODES];
  for (int i = 0; i < AFFINE_NODES; i++) impulse[i] = u[i] = random_in_cube(random, 1);
  affine_respond(&a, u);
  double x[AFFINE_UNKNOWNS], f[AFFINE_UNKNOWNS], worst = 0;
  vec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < AFFINE_NODES; i++) {
    const double of_u[3] = {u[i].x, u[i].y, u[i].z},
                 of_f[3] = {impulse[i].x, impulse[i].y, impulse[i].z};
    for (int k = 0; k < 3; k++) {
      x[3 * i + k] = of_u[k];
      f[3 * i + k] = of_f[k];
    }
    sum[0] = vec3_axpy(a.mass / AFFINE_NODES, u[i], sum[0]);
    sum[1] = vec3_add(sum[1], impulse[i]);
  }
  CHECK_NEAR(vec3_norm(vec3_sub(sum[0], sum[1])), 0, 1e-14);
  for (int i = 0; i < AFFINE_UNKNOWNS; i++) {
    double product = a.mass / AFFINE_NODES * x[i] - f[i];
    for (int j = 0; j < AFFINE_UNKNOWNS; j++)
      product += share * a.stiffness[AFFINE_UNKNOWNS * i + j] * x[j];
    worst = larger_of(worst, fabs(product));
  }
  CHECK_NEAR(worst, 0, 1e-12);

  // W of a point, and the same with a stiffness s at it: (A0 + s w w')^-1 by Sherman and Morrison
  double weights[AFFINE_NODES];
  affine_weights(&a, random_in_cube(random, 1), weights);
  const mat3 w = affine_delassus(&a, weights);
  const vec3 r = random_in_cube(random, 1);
  vec3 pushed[AFFINE_NODES], there = {0, 0, 0};
  for (int i = 0; i < AFFINE_NODES; i++) pushed[i] = vec3_scale(weights[i], r);
  affine_respond(&a, pushed);
  for (int i = 0; i < AFFINE_NODES; i++) there = vec3_axpy(weights[i], pushed[i], there);
  CHECK_NEAR(vec3_norm(vec3_sub(there, mat3_mul(w, r))) / vec3_norm(there), 0, 1e-12);
  const double s = 1e3;
  double addition[AFFINE_UNKNOWNS * AFFINE_UNKNOWNS] = {0};
  for (int i = 0; i < AFFINE_NODES; i++)
    for (int j = 0; j < AFFINE_NODES; j++)
      for (int k = 0; k < 3; k++)
        addition[AFFINE_UNKNOWNS * (3 * i + k) + 3 * j + k] = s * weights[i] * weights[j];
  for (int i = 0; i < AFFINE_NODES; i++) pushed[i] = vec3_scale(weights[i], r);
  CHECK(affine_solve_with(&a, addition, pushed));
  there = (vec3){0, 0, 0};
  for (int i = 0; i < AFFINE_NODES; i++) there = vec3_axpy(weights[i], pushed[i], there);
  const mat3 held = mat3_add(mat3_diagonal(1, 1, 1), mat3_scale(s, w));
  const vec3 expected = mat3_mul(mat3_inverse(held), mat3_mul(w, r));
  CHECK_NEAR(vec3_norm(vec3_sub(there, expected)) / vec3_norm(expected), 0, 1e-9);
}

// ------------------------------------------------------------------------------------------------
// Vibrations.

// one step of a body that nothing touches and that does not turn
static void step_alone(const Affine *a, mat3 *gradient, mat3 *rate, double temperature)
{
  *gradient = mat3_add(*gradient, mat3_scale(0.5 * a->step, *rate));
  const AffineMiddle middle = {
      .gradient = *gradient, .gradient_rate = *rate, .temperature = temperature};
  vec3 end[AFFINE_NODES];
  affine_free(a, &middle, end);
  *rate = affine_rate(a, *gradient, end);
  *gradient = mat3_add(*gradient, mat3_scale(0.5 * a->step, *rate));
}

// cos(t omega') of a mode, omega' = (2/h) atan(omega h/2): that of the step, for two periods
static void check_mode(const Affine *a, mat3 mode, double omega)
{
  const double half = 0.5 * omega * a->step;
  const double angle = 2 * atan(half);
  const double small = 1e-9 / size_of(mode);   // where strains are linear
  mat3 gradient = mat3_scale(small, mode), rate = mat3_diagonal(0, 0, 0);
  const mat3 start = gradient;
  const int steps = (int)(4 * TRIG_PI / angle);
  double worst = 0;
  for (int k = 1; k <= steps; k++) {
    step_alone(a, &gradient, &rate, 0);
    worst = larger_of(worst, difference(gradient, mat3_scale(cos(k * angle), start)));
  }
  CHECK_NEAR(worst / size_of(start), 0, 2e-6);
}

static const double SHEARS[3] = {8660.254, 15968.719, 17320.508};

// The stretch of a frequency: the null vector of V C - omega^2 E in the axes of a box.
static mat3 stretch(const Affine *a, double omega)
{
  const double e[3] = {a->euler.row[0].x, a->euler.row[1].y, a->euler.row[2].z};
  vec3 rows[3];
  for (int i = 0; i < 3; i++) {
    double row[3];
    for (int j = 0; j < 3; j++)
      row[j] = a->volume * (a->lambda + (i == j ? 2 * a->shear : 0)) -
               (i == j ? omega * omega * e[i] : 0);
    rows[i] = vec3_new(row[0], row[1], row[2]);
  }
  vec3 best = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const vec3 cross = vec3_cross(rows[i], rows[(i + 1) % 3]);
    if (vec3_norm(cross) > vec3_norm(best)) best = cross;
  }
  best = vec3_scale(1 / vec3_norm(best), best);
  return mat3_diagonal(best.x, best.y, best.z);
}

// a shear of two axes without angular momentum
static mat3 shear(const Affine *a, int axis)
{
  const double e[3] = {a->euler.row[0].x, a->euler.row[1].y, a->euler.row[2].z};
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  double g[3][3] = {{0}};
  g[i][j] = 1 / e[j];
  g[j][i] = 1 / e[i];
  return (mat3){
      {{g[0][0], g[0][1], g[0][2]}, {g[1][0], g[1][1], g[1][2]}, {g[2][0], g[2][1], g[2][2]}}};
}

static void test_frequencies(void)
{
  static const struct {
    double poisson, stretches[3];
  } known[2] = {{0, {5477.2256, 10954.451, 21908.902}}, {0.25, {5413.6226, 11204.640, 24518.335}}};
  for (int k = 0; k < 2; k++) {
    const ElasticLaw law = {.young = 1e9, .poisson = known[k].poisson};
    for (int s = 0; s < 2; s++) {
      const AffineInput input = box_input(vec3_new(0.4, 0.2, 0.1), 2500, law, s == 0 ? 2e-5 : 1e-3);
      const Affine a = affine_new(&input);
      for (int m = 0; m < 3; m++) {
        check_mode(&a, stretch(&a, known[k].stretches[m]), known[k].stretches[m]);
        // about z, y, x: the longer the sides, the slower; nu changes the shear modulus alone
        check_mode(&a, shear(&a, 2 - m), SHEARS[m] / sqrt(1 + known[k].poisson));
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------
// Rest.

// A column that stands on its foot sinks by density g l^2/(2 E) at the top.
static void test_own_weight(void)
{
  const vec3 sides = {0.3, 0.2, 0.5};
  const ElasticLaw law = {.young = 1e6};
  const AffineInput input = box_input(sides, 2000, law, 100);   // a step in which mass is nothing
  const Affine a = affine_new(&input);
  const double share = 0.25 * input.step * input.step, held = 1e12 * share;
  static const vec3 feet[3] = {{0.1, 0, -0.25}, {-0.1, 0.1, -0.25}, {-0.1, -0.1, -0.25}};
  double addition[AFFINE_UNKNOWNS * AFFINE_UNKNOWNS] = {0};
  for (int p = 0; p < 3; p++) {
    double weights[AFFINE_NODES];
    affine_weights(&a, feet[p], weights);
    for (int i = 0; i < AFFINE_NODES; i++)
      for (int j = 0; j < AFFINE_NODES; j++)
        for (int k = 0; k < 3; k++)
          addition[AFFINE_UNKNOWNS * (3 * i + k) + 3 * j + k] += held * weights[i] * weights[j];
  }
  vec3 d[AFFINE_NODES];
  for (int i = 0; i < AFFINE_NODES; i++)
    d[i] = vec3_new(0, 0, -share * GRAVITY * a.mass / AFFINE_NODES);
  CHECK(affine_solve_with(&a, addition, d));
  double weights[AFFINE_NODES], top = 0;
  affine_weights(&a, vec3_new(0, 0, 0.25), weights);
  for (int i = 0; i < AFFINE_NODES; i++) top += weights[i] * d[i].z;
  CHECK_NEAR(top, -2.4525e-3, 1e-6 * 2.4525e-3);
}

// A body that is warm comes to rest with the strain of expansion and no stress.
static void test_expansion(void)
{
  const ElasticLaw law = {1e9, 0.2, 1e-4, 1e-5};
  AffineInput input = box_input(vec3_new(0.4, 0.2, 0.1), 2500, law, 1e-3);
  input.high_frequency_ratio = 0.9;
  const Affine a = affine_new(&input);
  mat3 gradient = mat3_diagonal(0, 0, 0), rate = gradient;
  const double warm = 50;
  for (int k = 0; k < 2000; k++) step_alone(&a, &gradient, &rate, warm);
  CHECK_NEAR(difference(gradient, mat3_diagonal(5e-4, 5e-4, 5e-4)) / 5e-4, 0, 1e-12);
  CHECK_NEAR(affine_energy(&a, gradient, warm) / affine_energy(&a, gradient, 0), 0, 1e-20);
}

int main(void)
{
  Random random = {7};
  for (int k = 0; k < 200; k++) {
    test_nodes(&random);
    test_stiffness(&random);
    test_operator(&random);
  }
  test_frequencies();
  test_own_weight();
  test_expansion();
  const ElasticLaw law = {.young = 2500};
  CHECK_NEAR(affine_stiffness_ratio(&law, 2500, 0.5, 0.1), 0.04, 1e-16);
  return test_report();
}
