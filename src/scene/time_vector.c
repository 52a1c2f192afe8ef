// Evaluates and bounds vectors that are functions of time.
#include "time_vector.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "search.h"
#include "trig.h"

#define OWN_REDUCTION 1e5   // rad, up to which our cosine takes an angle as it is

static int order_sample(const void *sample, const void *time)
{
  return ((const VectorSample *)sample)->time <= *(const double *)time ? -1 : 1;
}

static vec3 table_at(const VectorTable *table, double time)
{
  assert(table->count > 0 && "a table without samples has no value");
  const VectorSample *samples = table->samples;
  const int last = table->count - 1;
  if (time <= samples[0].time) return samples[0].value;
  if (time >= samples[last].time) return samples[last].value;

  // the last sample that is not after the time, and the one behind it
  const VectorSample *next =
      samples + 1 + search_rows(samples + 1, last - 1, sizeof *samples, &time, order_sample);
  const VectorSample a = next[-1], b = *next;
  const double share = (time - a.time) / (b.time - a.time);
  return vec3_axpy(share, vec3_sub(b.value, a.value), a.value);
}

// whole turns are taken off a large angle; the error is a rounding of the angle itself
static double cosine_of(double angle)
{
  if (angle >= -OWN_REDUCTION && angle <= OWN_REDUCTION) return trig_cos(angle);
  const double turns = floor(angle / (2 * TRIG_PI));
  return trig_cos(angle - turns * (2 * TRIG_PI));
}

vec3 time_vector_at(const TimeVector *vector, double time)
{
  assert_debug(vector->table_count >= 0 && vector->cosine_count >= 0 && "terms are counted");
  vec3 sum = {0, 0, 0};
  for (int i = 0; i < vector->table_count; i++) {
    const vec3 value = table_at(&vector->tables[i], time);
    sum = i == 0 ? value : vec3_add(sum, value);
  }
  for (int i = 0; i < vector->cosine_count; i++) {
    const VectorCosine *c = &vector->cosines[i];
    sum = vec3_axpy(cosine_of(c->rate * time + c->phase), c->amplitude, sum);
  }
  return sum;
}

double time_vector_bound(const TimeVector *vector)
{
  assert(vector->table_count >= 0 && vector->cosine_count >= 0 && "terms are counted");
  double bound = 0;
  for (int i = 0; i < vector->table_count; i++) {
    double largest = 0;
    for (int k = 0; k < vector->tables[i].count; k++)
      largest = fmax(largest, vec3_norm(vector->tables[i].samples[k].value));
    bound += largest;
  }
  for (int i = 0; i < vector->cosine_count; i++) bound += vec3_norm(vector->cosines[i].amplitude);
  return bound;
}

bool time_vector_is_constant(const TimeVector *vector)
{
  for (int i = 0; i < vector->table_count; i++)
    if (vector->tables[i].count > 1) return false;
  return vector->cosine_count == 0;
}
