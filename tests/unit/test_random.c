// Random numbers by place: uniform, independent, the same for the same place.
#include "harness.h"
#include "random.h"

#define COUNT 100000

// Chi-square of counts that should be equal, less its mean, in its standard deviations.
static double excess(const int *counts, int cells, double total)
{
  const double expected = total / cells;
  double sum = 0;
  for (int i = 0; i < cells; i++) sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  return (sum - (cells - 1)) / sqrt(2.0 * (cells - 1));
}

// Single numbers, neighbours in a stream, and equal places in neighbouring streams.
static void test_uniform(void)
{
  enum { CELLS = 64 };
  int single[CELLS] = {0}, neighbours[CELLS * CELLS] = {0}, streams[CELLS * CELLS] = {0};
  double sum = 0;
  const uint64_t a = random_stream(7, 1), b = random_stream(7, 2);
  for (uint64_t i = 0; i < COUNT; i++) {
    const double x = random_uniform(a, i), y = random_uniform(a, i + 1), z = random_uniform(b, i);
    CHECK(x >= 0 && x < 1);
    const int cx = (int)(x * CELLS), cy = (int)(y * CELLS), cz = (int)(z * CELLS);
    single[cx]++;
    neighbours[cx * CELLS + cy]++;
    streams[cx * CELLS + cz]++;
    sum += x;
  }
  CHECK_NEAR(sum / COUNT, 0.5, 4 * sqrt(1.0 / 12 / COUNT));
  CHECK_NEAR(excess(single, CELLS, COUNT), 0, 4);
  CHECK_NEAR(excess(neighbours, CELLS * CELLS, COUNT), 0, 4);
  CHECK_NEAR(excess(streams, CELLS * CELLS, COUNT), 0, 4);
}

static void test_places(void)
{
  const uint64_t a = random_stream(1, 2);
  CHECK(a == random_stream(1, 2) && a != random_stream(2, 1) && a != random_stream(1, 3));
  CHECK(random_uniform(a, 5) == random_uniform(a, 5));
  CHECK(random_uniform(a, 5) != random_uniform(a, 6));
  CHECK(random_uniform(a, 5) != random_uniform(random_stream(1, 3), 5));

  // all 53 bits are used, the lowest one too
  int odd = 0;
  for (uint64_t i = 0; i < 1000; i++) odd += (int)((uint64_t)(random_uniform(a, i) * 0x1p53) & 1);
  CHECK(odd > 430 && odd < 570);
}

// Directions: mean 0 and second moments 1/3. Rotations: so are the images of each axis, and the
// trace has the mean and the mean square of Haar's measure, 0 and 1.
static void test_directions(void)
{
  vec3 mean = {0}, square = {0}, image[3] = {{0}}, image_square[3] = {{0}};
  double trace = 0, trace_square = 0;
  uint64_t s[3];
  for (uint64_t k = 0; k < 3; k++) s[k] = random_stream(11, k);
  for (uint64_t i = 0; i < COUNT; i++) {
    const double a = random_uniform(s[0], i), b = random_uniform(s[1], i);
    const vec3 d = random_direction(a, b);
    CHECK_NEAR(vec3_norm(d), 1, 1e-15);
    mean = vec3_axpy(1.0 / COUNT, d, mean);
    square = vec3_axpy(1.0 / COUNT, (vec3){d.x * d.x, d.y * d.y, d.z * d.z}, square);

    const quat q = random_rotation(a, b, random_uniform(s[2], i));
    CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
    const mat3 r = quat_to_mat3(q);
    const double t = r.row[0].x + r.row[1].y + r.row[2].z;
    trace += t / COUNT;
    trace_square += t * t / COUNT;
    for (int k = 0; k < 3; k++) {
      const vec3 v = r.row[k];
      image[k] = vec3_axpy(1.0 / COUNT, v, image[k]);
      image_square[k] =
          vec3_axpy(1.0 / COUNT, (vec3){v.x * v.x, v.y * v.y, v.z * v.z}, image_square[k]);
    }
  }
  // four standard deviations of means of components (1/3) and of their squares (4/45)
  const double first = 4 * sqrt(1.0 / 3 / COUNT), second = 4 * sqrt(4.0 / 45 / COUNT);
  const vec3 third = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  CHECK_NEAR(vec3_norm(mean), 0, sqrt(3) * first);
  CHECK_NEAR(vec3_norm(vec3_sub(square, third)), 0, sqrt(3) * second);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(vec3_norm(image[k]), 0, sqrt(3) * first);
    CHECK_NEAR(vec3_norm(vec3_sub(image_square[k], third)), 0, sqrt(3) * second);
  }
  CHECK_NEAR(trace, 0, 4 * sqrt(1.0 / COUNT));
  CHECK_NEAR(trace_square, 1, 4 * sqrt(2.0 / COUNT));
}

// The ends of the interval give directions and rotations too.
static void test_ends(void)
{
  const double last = 1 - 0x1p-53;
  for (int i = 0; i < 8; i++) {
    const double a = i & 1 ? last : 0, b = i & 2 ? last : 0, c = i & 4 ? last : 0;
    CHECK_NEAR(vec3_norm(random_direction(a, b)), 1, 1e-15);
    const quat q = random_rotation(a, b, c);
    CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
  }
}

int main(void)
{
  test_uniform();
  test_places();
  test_directions();
  test_ends();
  return test_report();
}
