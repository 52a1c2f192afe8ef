// Vectors that are functions of time: tables, cosines and their sums.
#include <stddef.h>

#include "harness.h"
#include "time_vector.h"
#include "trig.h"

static void test_table(void)
{
  VectorSample samples[] = {{1, {1, 0, 0}}, {2, {3, 0, 0}}, {4, {3, 8, 0}}, {5, {0, 0, 1}}};
  VectorTable table = {4, samples};
  const TimeVector vector = {.table_count = 1, .tables = &table};
  static const struct {
    double time;
    vec3 value;
  } rows[] = {
      {-1, {1, 0, 0}},  {1, {1, 0, 0}},       {1.25, {1.5, 0, 0}}, {2, {3, 0, 0}},
      {2.5, {3, 2, 0}}, {4.5, {1.5, 4, 0.5}}, {5, {0, 0, 1}},      {9, {0, 0, 1}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const vec3 difference = vec3_sub(time_vector_at(&vector, rows[i].time), rows[i].value);
    CHECK_NEAR(vec3_norm(difference), 0, 0);
  }
  CHECK(!time_vector_is_constant(&vector));
}

static void test_cosine(void)
{
  VectorCosine cosine = {{2, -4, 0}, 3, 0.5};
  const TimeVector vector = {.cosine_count = 1, .cosines = &cosine};
  CHECK(!time_vector_is_constant(&vector));
  for (int i = 0; i < 100; i++) {
    const double time = 0.07 * i;
    const vec3 value = time_vector_at(&vector, time);
    CHECK_NEAR(value.x, 2 * cos(3 * time + 0.5), 2e-15);
    CHECK_NEAR(value.y, -4 * cos(3 * time + 0.5), 4e-15);
    CHECK(value.z == 0);
  }

  // angles of many turns are known to the rounding of the angle
  for (double time = 1e4; time < 3e8; time *= 1.7) {
    const double angle = 3 * time + 0.5;
    CHECK_NEAR(time_vector_at(&vector, time).x, 2 * cos(angle), 4e-16 * angle + 1e-14);
  }

  // times four, frequency over four: the same bits
  VectorCosine slow = {{2, -4, 0}, 0.75, 0.5};
  const TimeVector slowly = {.cosine_count = 1, .cosines = &slow};
  for (int i = 0; i < 100; i++) {
    const vec3 a = time_vector_at(&vector, 0.0137 * i),
               b = time_vector_at(&slowly, 4 * (0.0137 * i));
    CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
  }
}

static void test_sum(void)
{
  VectorSample constant = {0, {0, 0, -10}}, ramp[] = {{0, {0, 0, 0}}, {1, {1, 0, 0}}};
  VectorTable tables[] = {{1, &constant}, {2, ramp}};
  VectorCosine cosines[] = {{{0, 1, 0}, 1, 0}, {{0, 0, 2}, 2, TRIG_PI}};
  const TimeVector vector = {2, tables, 2, cosines};
  const vec3 value = time_vector_at(&vector, 0.5);
  CHECK(value.x == 0.5);
  CHECK_NEAR(value.y, cos(0.5), 1e-15);
  CHECK_NEAR(value.z, -10 - 2 * cos(1.0), 1e-14);
  const TimeVector nothing = {0};
  const TimeVector still = {.table_count = 1, .tables = tables};
  CHECK_NEAR(time_vector_bound(&vector), 10 + 1 + 1 + 2, 1e-15);
  CHECK(time_vector_bound(&nothing) == 0);
  CHECK(time_vector_is_constant(&still) && !time_vector_is_constant(&vector));
  CHECK(time_vector_is_constant(&nothing) && vec3_norm(time_vector_at(&nothing, 3)) == 0);
}

int main(void)
{
  test_table();
  test_cosine();
  test_sum();
  return test_report();
}
