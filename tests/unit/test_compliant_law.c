// The volumetric law at one common solid: its formulas, limits and energies, and how it rebounds.
#include "compliant_law.h"

#include "harness.h"
#include "random_numbers.h"

static const vec3 zero = {0, 0, 0};

// A layer of depth d on a face a x b of body b, which looks up; a lies on it.
static CommonSolid layer(double a, double b, double d)
{
  const double volume = a * b * d, area = a * b;
  return (CommonSolid){
      .volume = volume,
      .centroid = {0, 0, -0.5 * d},
      .second = mat3_diagonal(volume * a * a / 12, volume * b * b / 12, volume * d * d / 12),
      .area = {{0, 0, -area}, {0, 0, area}},
      .size = {area + 2 * d * (a + b), area},
      .middle = {{0, 0, -0.9 * d}, {0, 0, 0}}};
}

static void check_near(vec3 value, vec3 expected, double tolerance)
{
  CHECK_NEAR(vec3_norm(vec3_sub(value, expected)), 0, tolerance);
}

static CompliantSolid solid_of(const CommonSolid *common)
{
  CompliantSolid solid = {.area = 0};
  CHECK(compliant_law_solid(common, NULL, &solid));
  return solid;
}

static void test_solid(void)
{
  const CommonSolid common = layer(2, 3, 0.1);
  const CompliantSolid solid = solid_of(&common);
  check_near(solid.normal, vec3_new(0, 0, 1), 0);
  CHECK_NEAR(solid.area, 6, 1e-15);
  CHECK_NEAR(solid.radius2, (4.0 + 9) / 12, 1e-15);
  CHECK_NEAR(solid.height, 0.05, 1e-15);
  // J about x is the moment of y^2, about y of x^2, and none about the normal
  CHECK_NEAR(solid.rolling.row[0].x, 0.6 * 9 / 12, 1e-15);
  CHECK_NEAR(solid.rolling.row[1].y, 0.6 * 4 / 12, 1e-15);
  check_near(solid.rolling.row[2], zero, 1e-16);
  // areas that cancel tell no normal
  CommonSolid inside = common;
  inside.area[0] = inside.area[1] = zero;
  CompliantSolid none;
  CHECK(!compliant_law_solid(&inside, NULL, &none));
}

static CompliantMotion still(const VolumetricLaw *law)
{
  return (CompliantMotion){.law = law, .friction = 0.5, .step = 1e-3};
}

static const CompliantState fresh = {{0, 0, 0}, 0};

static void test_normal(void)
{
  const CommonSolid common = layer(1, 1, 0.01);
  const CompliantSolid solid = solid_of(&common);
  VolumetricLaw law = {
      .stiffness = 1e6, .damping = 2, .rolling = true, .tangential_stiffness = 1e6};
  CompliantMotion motion = still(&law);
  CompliantForce f = compliant_law_force(&solid, &motion, fresh);
  CHECK_NEAR(f.normal, 1e4, 1e-11);
  CHECK(f.normal == f.elastic && f.damped == 0 && !f.slides);
  motion.slip = vec3_new(0, 0, -0.1);   // a comes down
  f = compliant_law_force(&solid, &motion, fresh);
  CHECK_NEAR(f.normal, 1.2e4, 1e-11);
  CHECK_NEAR(f.damped, 1e-3 * 2e3 * 0.1, 1e-15);
  motion.slip = vec3_new(0.3, 0, 0.5);   // and goes, fast enough to leave the layer behind
  f = compliant_law_force(&solid, &motion, (CompliantState){{1e-3, 0, 0}, 0.1});
  CHECK(f.normal == 0 && vec3_norm(f.sliding) == 0 && f.spinning == 0);
  CHECK(vec3_norm(f.state.bristle) == 0 && f.state.twist == 0);
  // rolling takes k a J w across the normal alone
  motion.slip = zero;
  motion.turn = vec3_new(0.2, -0.3, 7);
  f = compliant_law_force(&solid, &motion, fresh);
  const double j = 0.01 / 12;
  check_near(f.rolling, vec3_new(-2e6 * j * 0.2, 2e6 * j * 0.3, 0), 1e-10);
  CHECK_NEAR(f.rolled, 1e-3 * 2e6 * j * (0.04 + 0.09), 1e-14);
  law.rolling = false;
  f = compliant_law_force(&solid, &motion, fresh);
  CHECK(vec3_norm(f.rolling) == 0 && f.rolled == 0);
}

// Sticking is a spring with a damper, sliding the limit in the direction of slip.
static void test_friction(void)
{
  const CommonSolid common = layer(1, 1, 0.01);
  const CompliantSolid solid = solid_of(&common);
  VolumetricLaw law = {.stiffness = 1e6, .tangential_stiffness = 4e6, .static_friction = 0.5};
  CompliantMotion motion = still(&law);
  motion.tangential_damping = 1e3;
  motion.slip = vec3_new(1e-3, 0, 0);
  CompliantForce f = compliant_law_force(&solid, &motion, (CompliantState){{0, 2e-4, 0}, 0});
  CHECK(!f.slides);
  check_near(f.sliding, vec3_new(-(4 + 1), -800, 0), 1e-10);
  check_near(f.state.bristle, vec3_new(1e-6, 2e-4, 0), 1e-18);
  motion.slip = vec3_new(3, 4, 0);
  for (int i = 0; i < 20; i++) f = compliant_law_force(&solid, &motion, f.state);
  CHECK(f.slides);
  check_near(f.sliding, vec3_new(-0.6 * 5e3, -0.8 * 5e3, 0), 1e-8);
  // what is rubbed off is what the force takes, once the bristle is as long as it gets
  CHECK_NEAR(f.rubbed, 1e-3 * 5e3 * 5, 1e-8);
  // friction at rest, and how it falls with the speed
  law.static_friction = 0.8;
  law.stick_speed = 5;
  f = compliant_law_force(&solid, &motion, f.state);
  CHECK_NEAR(vec3_norm(f.sliding), (0.5 + 0.3 * exp(-1.0)) * 1e4, 1e-9);
  motion.slip = zero;
  f = compliant_law_force(&solid, &motion, (CompliantState){{1, 0, 0}, 0});
  CHECK_NEAR(vec3_norm(f.sliding), 0.8e4, 1e-9);
  // a bristle turns with the bodies and stays across the normal, at its length
  motion.mean_turn = vec3_new(0, 0, 0.3);
  f = compliant_law_force(&solid, &motion, (CompliantState){{1e-4, 0, 1e-5}, 0});
  CHECK(f.state.bristle.z == 0 && f.state.bristle.y > 0);
  CHECK_NEAR(f.state.bristle.y / f.state.bristle.x, 3e-4, 1e-15);
  CHECK_NEAR(vec3_norm(f.state.bristle), sqrt(1e-8 + 1e-10), 1e-16);
}

static void test_spinning(void)
{
  const CommonSolid common = layer(1, 1, 0.01);
  const CompliantSolid solid = solid_of(&common);
  const double r = sqrt(1.0 / 6);
  VolumetricLaw law = {.stiffness = 1e6, .tangential_stiffness = 1e6};
  CompliantMotion motion = still(&law);
  motion.turn = vec3_new(0, 0, 1e-3);
  CompliantForce f = compliant_law_force(&solid, &motion, fresh);
  CHECK_NEAR(f.spinning, -r * r * 1e6 * 1e-6, 1e-14);
  motion.turn = vec3_new(0, 0, -50);
  for (int i = 0; i < 20; i++) f = compliant_law_force(&solid, &motion, f.state);
  CHECK_NEAR(f.spinning, 0.5e4 * r, 1e-9);
  // both at once: the limit is of both together
  motion.slip = vec3_new(50 * r, 0, 0);
  for (int i = 0; i < 200; i++) f = compliant_law_force(&solid, &motion, f.state);
  const double force = vec3_norm(f.sliding), torque = f.spinning / r;
  CHECK_NEAR(sqrt(force * force + torque * torque), 0.5e4, 1e-9);
  CHECK_NEAR(force, torque, 1);
  // viscous: whatever the friction is
  law.spinning = SPINNING_VISCOUS;
  const vec3 sliding = f.sliding;
  f = compliant_law_force(&solid, &motion, f.state);
  CHECK_NEAR(f.spinning, 1e4 * r * r * 50, 1e-9);
  check_near(f.sliding, sliding, 1e-3);
  CHECK(f.state.twist != 0);
}

// No path makes energy of friction: bristle and what is rubbed off take what the force takes.
static void test_energy(void)
{
  const CommonSolid common = layer(1, 0.7, 0.01);
  const CompliantSolid solid = solid_of(&common);
  const VolumetricLaw law = {
      .stiffness = 1e6, .tangential_stiffness = 1e6, .static_friction = 0.7, .stick_speed = 0.2};
  CompliantMotion motion = still(&law);
  motion.tangential_damping = 200;
  Random random = {7};
  CompliantState state = fresh;
  double energy = 0, work = 0, rubbed = 0, least = 0;
  for (int i = 0; i < 20000; i++) {
    if (i % 50 == 0) {
      motion.slip = random_in_cube(&random, 0.3);
      motion.slip.z = 0;
      motion.turn = vec3_new(0, 0, random_between(&random, -1, 1));
    }
    const CompliantForce f = compliant_law_force(&solid, &motion, state);
    work -= motion.step * (vec3_dot(f.sliding, motion.slip) + f.spinning * motion.turn.z);
    rubbed += f.rubbed;
    least = smaller_of(least, f.rubbed);
    energy = f.bristle_energy;
    state = f.state;
  }
  CHECK_NEAR(work, energy + rubbed, 1e-9 * work);
  CHECK(work > 0 && rubbed > 0.9 * work && energy > 0);
  // a bristle that is stretched by h U gives the mean of its force, the step its end: h^2 k U^2/2
  CHECK(least >= -0.5 * motion.step * motion.step * 1e6 * 0.7 * 0.3);
}

static void test_critical(void)
{
  CHECK_NEAR(compliant_law_critical(1e6, 0.5, 1.6, 1e-5), 2 * sqrt(1e6 / 0.8), 1e-9);
  CHECK_NEAR(compliant_law_critical(1e6, 0.5, 1.6, 1e-2), 1 / (1e-2 * 0.8), 1e-9);
  CHECK(compliant_law_critical(1e6, 0.5, 0, 1e-2) == 0);   // two bodies that nothing moves
}

// A mass on a face, step by step, against the closed form; energy does not grow.
static double rebound(double d, int steps)
{
  const VolumetricLaw law = {.stiffness = 1e6, .damping = d, .tangential_stiffness = 1e6};
  double depth = 0, speed = 1;
  const double h = 3.141592653589793 / sqrt(1e6) / steps;   // 1 kg on 1 m2
  CompliantMotion motion = {.law = &law, .step = h};
  for (int i = 0; i < 100 * steps; i++) {
    depth += 0.5 * h * speed;
    if (depth <= 0) break;
    const CommonSolid common = layer(1, 1, depth);
    const CompliantSolid solid = solid_of(&common);
    motion.slip = vec3_new(0, 0, -speed);
    speed -= h * compliant_law_force(&solid, &motion, fresh).normal;
    depth += 0.5 * h * speed;
  }
  return -speed;
}

static void test_restitution(void)
{
  static const double table[][2] = {{0.9, 0.16648195}, {0.8, 0.37314620}, {0.5, 1.43275053},
                                    {0.2, 4.91916672}, {0.93747558, 0.1}, {0.74843493, 0.5},
                                    {0.59362426, 1},   {0.41071969, 2},   {0.19698025, 5}};
  for (int i = 0; i < 9; i++) {
    const double e = table[i][0], d = table[i][1];
    CHECK_NEAR(compliant_law_damping(e, 1) / d, 1, 3e-7);
    CHECK_NEAR(compliant_law_damping(e, 4) * 4 / compliant_law_damping(e, 1), 1, 1e-15);
    CHECK_NEAR(rebound(d, 400), e, 1e-3);
  }
  CHECK(compliant_law_damping(1, 1) == 0);
  CHECK_NEAR(rebound(0, 50), 1, 1e-6);   // (the last step ends beyond the face)
  // near to 1 the root is 3 (1 - e)/2 to first order, where the terms of the closed form cancel
  for (int k = 3; k <= 12; k += 3) {
    const double e = 1 - pow(10, -k), less = 1 - e, d = compliant_law_damping(e, 1);
    CHECK_NEAR(d / (1.5 * less), 1, 2 * less + 1e-12);
  }
  // the equation itself, by the logarithms of the library; d may be off by some last digits
  for (int i = 5; i < 100; i++) {
    const double e = 0.01 * i, d = compliant_law_damping(e, 1);
    const double slope = 1 / (1 + d) + e / (1 - e * d) - (1 + e);
    CHECK_NEAR(log1p(d) - log1p(-e * d), d * (1 + e), 1e-15 * d * slope + 1e-13 * d * d);
  }
}

int main(void)
{
  test_solid();
  test_normal();
  test_friction();
  test_spinning();
  test_energy();
  test_critical();
  test_restitution();
  return test_report();
}
