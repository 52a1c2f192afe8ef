// Random numbers as hashes of their stream and place.
#include "random.h"

#include <assert.h>

#include "hash.h"
#include "trig.h"

uint64_t random_stream(uint64_t parent, uint64_t number) { return hash_mix(parent, number); }

double random_uniform(uint64_t stream, uint64_t index)
{
  return (double)(hash_mix(stream, index) >> 11) * 0x1p-53;
}

vec3 random_direction(double first, double second)
{
  assert(first >= 0 && first <= 1 && "a height is within the sphere");
  // heights on a sphere are uniform (Archimedes)
  const double z = 2 * first - 1, angle = 2 * TRIG_PI * second;
  const double across = sqrt((1 - z) * (1 + z));
  return (vec3){across * trig_cos(angle), across * trig_sin(angle), z};
}

quat random_rotation(double first, double second, double third)
{
  assert(first >= 0 && first <= 1 && "a number is uniform in [0, 1)");
  const double a = sqrt(1 - first), b = sqrt(first);
  const double u = 2 * TRIG_PI * second, v = 2 * TRIG_PI * third;
  return quat_normalize((quat){b * trig_cos(v), a * trig_sin(u), a * trig_cos(u), b * trig_sin(v)});
}
