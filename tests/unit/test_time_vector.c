// Vectors that are functions of time: tables, cosines, pulses and their sums.
#include <stddef.h>

#include "harness.h"
#include "time_vector.h"
#include "trig.h"

static void test_table(void)
{
  VectorSample samples[] = {{1, {1, 0, 0}}, {2, {3, 0, 0}}, {4, {3, 8, 0}}, {5, {0, 0, 1}}};
  VectorTable table = {.count = 4, .samples = samples};
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

  CHECK(time_vector_spacing(&vector) == 4.0 / 3);

  // zero outside, where that is asked for
  table.zero_before = true;
  CHECK(time_vector_at(&vector, 0.999).x == 0 && time_vector_at(&vector, 1).x == 1);
  CHECK(time_vector_at(&vector, 5.001).z == 1);
  table.zero_after = true;
  CHECK(time_vector_at(&vector, 5.001).z == 0 && time_vector_at(&vector, 5).z == 1);
  table.count = 1;
  CHECK(!time_vector_is_constant(&vector) && time_vector_at(&vector, 1).x == 1);
}

// x of a single pulse
static double pulse_at(VectorPulse pulse, double time)
{
  const TimeVector vector = {.pulse_count = 1, .pulses = &pulse};
  CHECK(!time_vector_is_constant(&vector));
  CHECK(time_vector_bound(&vector) == vec3_norm(pulse.amplitude));
  const vec3 value = time_vector_at(&vector, time);
  CHECK(value.z == 0 && value.y == 0.5 * value.x);
  return value.x;
}

static void test_pulses(void)
{
  const VectorPulse smooth = {PULSE_SMOOTH, {4, 2, 0}, 1, 3, 0, 0};
  CHECK(pulse_at(smooth, 0.9) == 0 && pulse_at(smooth, 1) == 0 && pulse_at(smooth, 2) == 2);
  CHECK(pulse_at(smooth, 3) == 4 && pulse_at(smooth, 9) == 4);
  for (double s = 0.1; s < 1; s += 0.1) {
    // it is the integral of 30 s^2 (1 - s)^2, and odd about its middle
    const double slope = (pulse_at(smooth, 1 + 2 * s + 1e-5) - pulse_at(smooth, 1 + 2 * s - 1e-5));
    CHECK_NEAR(slope / 1e-5, 4 * 30 * s * s * (1 - s) * (1 - s), 1e-7);
    CHECK_NEAR(pulse_at(smooth, 1 + 2 * s) + pulse_at(smooth, 3 - 2 * s), 4, 1e-14);
  }

  const VectorPulse sine = {PULSE_SINE, {2, 1, 0}, 0.5, 1.5, 3, 0.25};
  CHECK(pulse_at(sine, 0.4999) == 0 && pulse_at(sine, 1.5001) == 0);
  for (double t = 0.5; t <= 1.5; t += 0.125)
    CHECK_NEAR(pulse_at(sine, t), 2 * sin(3 * (t - 0.5) + 0.25), 1e-15);
  const VectorPulse late = {PULSE_SINE, {2, 1, 0}, 0, 1e13, 3, 0};
  for (double t = 1e4; t < 3e8; t *= 1.7)
    CHECK_NEAR(pulse_at(late, t), 2 * sin(3 * t), 1.2e-15 * t + 1e-14);

  const double f = 2.5, rate = 2 * TRIG_PI * f;
  const VectorPulse ricker = {PULSE_RICKER, {2, 1, 0}, 1, 1, rate, 0};
  CHECK(pulse_at(ricker, 1) == 2 && pulse_at(ricker, 1e6) == 0);
  for (double t = 0; t < 2; t += 0.0625) {
    const double a = pow(TRIG_PI * f * (t - 1), 2);
    CHECK_NEAR(pulse_at(ricker, t), 2 * (1 - 2 * a) * exp(-a), 1e-14);
  }
  // it has no mean: momentum and displacement of a base return to zero
  double sum = 0;
  for (int i = -2000; i <= 2000; i++) sum += pulse_at(ricker, 1 + 1e-3 * i);
  CHECK_NEAR(1e-3 * sum, 0, 1e-14);
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
  VectorTable tables[] = {{.count = 1, .samples = &constant}, {.count = 2, .samples = ramp}};
  VectorCosine cosines[] = {{{0, 1, 0}, 1, 0}, {{0, 0, 2}, 2, TRIG_PI}};
  const TimeVector vector = {
      .table_count = 2, .tables = tables, .cosine_count = 2, .cosines = cosines};
  const vec3 value = time_vector_at(&vector, 0.5);
  CHECK(value.x == 0.5);
  CHECK_NEAR(value.y, cos(0.5), 1e-15);
  CHECK_NEAR(value.z, -10 - 2 * cos(1.0), 1e-14);
  const TimeVector nothing = {0};
  const TimeVector still = {.table_count = 1, .tables = tables};
  CHECK_NEAR(time_vector_bound(&vector), 10 + 1 + 1 + 2, 1e-15);
  CHECK(time_vector_bound(&nothing) == 0);
  CHECK(time_vector_spacing(&vector) == INFINITY);   // two rows are a ramp or a jump
  CHECK(time_vector_is_constant(&still) && !time_vector_is_constant(&vector));
  CHECK(time_vector_is_constant(&nothing) && vec3_norm(time_vector_at(&nothing, 3)) == 0);
}

// A bound from below of x, against values.
static void test_least(void)
{
  VectorSample fall[] = {{0, {0.6, 0, 0}}, {1, {0.2, 0, 0}}}, constant = {0, {0.5, 0, 0}};
  VectorTable tables[] = {{.count = 2, .samples = fall}, {.count = 1, .samples = &constant}};
  VectorCosine cosine = {{-0.1, 5, 0}, 3, 1};
  VectorPulse pulses[] = {
      {.kind = PULSE_SMOOTH, .amplitude = {-0.3, 0, 0}, .start = 0, .end = 1},
      {.kind = PULSE_SMOOTH, .amplitude = {9, 0, 0}, .start = 0, .end = 1},
      {.kind = PULSE_SINE, .amplitude = {0.05, 0, 0}, .start = 0, .end = 4, .rate = 7}};
  TimeVector vector = {.table_count = 2,
                       .tables = tables,
                       .cosine_count = 1,
                       .cosines = &cosine,
                       .pulse_count = 3,
                       .pulses = pulses};
  CHECK_NEAR(time_vector_least(&vector), 0.2 + 0.5 - 0.1 - 0.3 - 0.05, 1e-15);
  for (int i = -10; i < 100; i++)
    CHECK(time_vector_at(&vector, 0.05 * i).x >= time_vector_least(&vector));
  tables[1].zero_after = true;
  CHECK_NEAR(time_vector_least(&vector), 0.2 - 0.1 - 0.3 - 0.05, 1e-15);
  const TimeVector nothing = {0};
  CHECK(time_vector_least(&nothing) == 0);
}

int main(void)
{
  test_least();
  test_table();
  test_cosine();
  test_pulses();
  test_sum();
  return test_report();
}
