// Guided bodies: projected inverses, the spin that conserves what is free, and W as pushes make it.
#include "guided.h"
#include "harness.h"
#include "kind.h"
#include "material_point.h"
#include "random_numbers.h"
#include "rotation.h"

static const mat3 INERTIA = {{{1.2, 0.1, -0.2}, {0.1, 2, 0.3}, {-0.2, 0.3, 3.5}}};

static double entry(mat3 m, int i, int j) { return vec3_component(m.row[i], j); }

// For every choice of axes: zero where they are held, symmetric to the bit, and the inverse of the
// inertia among free ones.
static void test_inverse(void)
{
  Random random = {7};
  for (unsigned held = 0; held <= GUIDED_ALL; held++) {
    const mat3 r = random_rotation(&random);
    const mat3 world = mat3_mul_mat(r, mat3_mul_mat(INERTIA, mat3_transpose(r)));
    const mat3 n = guided_inverse(r, INERTIA, held);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const bool out = guided_holds(held, 3 + i) || guided_holds(held, 3 + j);
        if (out) CHECK(entry(n, i, j) == 0);
        CHECK(entry(n, i, j) == entry(n, j, i));
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += entry(n, i, k) * entry(world, k, j);
        if (!out) CHECK_NEAR(sum, i == j, 1e-13);
      }
    const mat3 filled = mat3_inverse(guided_filled(n, held, 0.25));
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const bool out = guided_holds(held, 3 + i) || guided_holds(held, 3 + j);
        CHECK_NEAR(entry(filled, i, j), out ? (i == j ? 4 : 0) : entry(world, i, j), 1e-13);
      }
  }
}

// A body about which the axes of `held` are given spins; the others conserve their momentum.
static void test_spin(void)
{
  Random random = {3};
  for (unsigned axes = 0; axes < 8; axes++) {
    const unsigned held = axes << GUIDED_SPIN;
    const mat3 r = random_rotation(&random);
    const vec3 momentum = random_in_cube(&random, 1), given = random_in_cube(&random, 1);
    const GuidedSpin of = {r, INERTIA, momentum, given, 0.05, held};
    vec3 reached = {0, 0, 0};
    const vec3 w = guided_spin(&of, random_in_cube(&random, 1), &reached);
    const vec3 now = rotation_turn(vec3_scale(0.05, w),
                                   mat3_mul(r, mat3_mul(INERTIA, mat3_mul_transposed(r, w))));
    CHECK_NEAR(vec3_norm(guided_free(axes, vec3_sub(now, momentum))), 0, 1e-14);
    CHECK(vec3_norm(guided_given(axes, vec3_sub(w, given))) == 0);
    CHECK_NEAR(vec3_norm(vec3_sub(now, reached)), 0, 1e-14);
    if (axes > 0) continue;
    const vec3 free = rotation_spin_of_momentum(r, INERTIA, momentum, 0.05, given);
    CHECK_NEAR(vec3_norm(vec3_sub(free, w)), 0, 1e-13);
  }

  // one axis alone: its momentum over the inertia about it, whatever the step
  const mat3 r = random_rotation(&random);
  const GuidedSpin of = {r, INERTIA, {4, 5, 6}, {0, 0, 0}, 0.4, 3 << GUIDED_SPIN};
  vec3 reached;
  const vec3 w = guided_spin(&of, (vec3){0, 0, 0}, &reached);
  const mat3 world = mat3_mul_mat(r, mat3_mul_mat(INERTIA, mat3_transpose(r)));
  CHECK(w.x == 0 && w.y == 0);
  CHECK_NEAR(w.z, 6 / world.row[2].z, 1e-14);
}

// W of a point by three pushes.
static void test_point(void)
{
  Random random = {11};
  for (unsigned held = 1; held < GUIDED_ALL; held++) {
    const mat3 r = random_rotation(&random), basis = random_rotation(&random);
    const MidState mid = {r, 0.4, guided_inverse(r, INERTIA, held)};
    const MaterialPoint point = {&kind_guided, 0, 0, random_in_cube(&random, 1), held};
    const mat3 w = mat3_of_sym3(kind_guided.delassus(&point, &mid, &basis));
    for (int j = 0; j < 3; j++) {
      const Twist at = {{1, 2, 3}, {4, 5, 6}};
      Twist u = at;
      kind_guided.push(&point, &mid, basis.row[j], 1, &u);
      CHECK(vec3_norm(guided_given(held, vec3_sub(u.v, at.v))) == 0);
      CHECK(vec3_norm(guided_given(held >> GUIDED_SPIN, vec3_sub(u.w, at.w))) == 0);
      const Twist gained = {vec3_sub(u.v, at.v), vec3_sub(u.w, at.w)};
      const vec3 seen = mat3_mul(basis, kind_guided.velocity(&point, gained));
      CHECK_NEAR(seen.x, entry(w, 0, j), 1e-13);
      CHECK_NEAR(seen.y, entry(w, 1, j), 1e-13);
      CHECK_NEAR(seen.z, entry(w, 2, j), 1e-13);
    }
  }
}

// Blocks of a system lose rows and columns; the mass stands apart from what is held.
static void test_blocks(void)
{
  double block[36];
  for (int i = 0; i < 36; i++) block[i] = 1 + i;
  guided_take_out(1, 1 << 5, block);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) CHECK(block[6 * i + j] == (i == 0 || j == 5 ? 0 : 1 + 6 * i + j));

  Random random = {5};
  const mat3 r = random_rotation(&random);
  const mat3 world = mat3_mul_mat(r, mat3_mul_mat(INERTIA, mat3_transpose(r)));
  const unsigned held = 2 | 8 | 16;
  const MidState mid = {r, 0.5, guided_inverse(r, INERTIA, held)};
  double mass[36] = {0};
  motion_add_mass(&mid, held, mass);
  for (int i = 0; i < 3; i++) CHECK(mass[7 * i] == 2);
  CHECK_NEAR(mass[35], entry(world, 2, 2), 1e-13);
  CHECK(mass[21] > 0 && mass[28] > 0 && mass[22] == 0 && mass[33] == 0 && mass[34] == 0);
}

// Numbers of kinds tell what is held.
static void test_numbers(void)
{
  Bodies bodies = {0};
  table_begin(&bodies.table, &BODIES_SCHEMA);
  table_reserve(&bodies.table, 1);
  bodies.table.owned = bodies.table.count = 1;
  for (int number = 0; number < KIND_COUNT; number++) {
    bodies.kind[0] = number;
    const unsigned held = kind_held(&bodies, 0);
    const bool guided = number >= KIND_GUIDED && number < KIND_FINITE;
    // of a foundation all is held, by the case
    const unsigned all = number == KIND_FOUNDATION ? GUIDED_ALL : 0;
    CHECK(held == (guided ? (unsigned)number - 1 : all));
    CHECK(kind_founded(&bodies, 0) == (all > 0));
    CHECK((kind_of(&bodies, 0) == &kind_guided) == (held > 0 && all == 0));
  }
  bodies_end(&bodies);
}

int main(void)
{
  test_inverse();
  test_spin();
  test_point();
  test_blocks();
  test_numbers();
  return test_report();
}
