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
  if (table->zero_before && time < samples[0].time) return (vec3){0, 0, 0};
  if (table->zero_after && time > samples[last].time) return (vec3){0, 0, 0};
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
static double reduced(double angle)
{
  if (angle >= -OWN_REDUCTION && angle <= OWN_REDUCTION) return angle;
  const double turns = floor(angle / (2 * TRIG_PI));
  return angle - turns * (2 * TRIG_PI);
}

static double pulse_at(const VectorPulse *p, double time)
{
  assert_debug(p->start <= p->end && "a pulse has its start first");
  const double since = time - p->start;
  if (p->kind == PULSE_SMOOTH) {
    if (since <= 0) return 0;
    if (time >= p->end) return 1;
    const double s = since / (p->end - p->start);
    return s * s * s * (10 + s * (6 * s - 15));
  }
  if (p->kind == PULSE_SINE)
    return time < p->start || time > p->end ? 0 : trig_sin(reduced(p->rate * since + p->phase));
  const double half = 0.5 * p->rate * since, a = half * half;
  return (1 - 2 * a) * trig_exp(-a);
}

vec3 time_vector_at(const TimeVector *vector, double time)
{
  assert_debug(vector->table_count >= 0 && vector->cosine_count >= 0 && "terms are counted");
  if (vector->origin) time -= *vector->origin;
  vec3 sum = {0, 0, 0};
  for (int i = 0; i < vector->table_count; i++) {
    const vec3 value = table_at(&vector->tables[i], time);
    sum = i == 0 ? value : vec3_add(sum, value);
  }
  for (int i = 0; i < vector->cosine_count; i++) {
    const VectorCosine *c = &vector->cosines[i];
    sum = vec3_axpy(trig_cos(reduced(c->rate * time + c->phase)), c->amplitude, sum);
  }
  for (int i = 0; i < vector->pulse_count; i++)
    sum = vec3_axpy(pulse_at(&vector->pulses[i], time), vector->pulses[i].amplitude, sum);
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
  for (int i = 0; i < vector->pulse_count; i++) bound += vec3_norm(vector->pulses[i].amplitude);
  return bound;
}

double time_vector_least(const TimeVector *vector)
{
  assert(vector->table_count >= 0 && vector->pulse_count >= 0 && "terms are counted");
  double least = 0;
  for (int i = 0; i < vector->table_count; i++) {
    const VectorTable *table = &vector->tables[i];
    double lowest = table->zero_before || table->zero_after ? 0 : INFINITY;
    for (int k = 0; k < table->count; k++) lowest = fmin(lowest, table->samples[k].value.x);
    least += lowest;
  }
  for (int i = 0; i < vector->cosine_count; i++) least -= fabs(vector->cosines[i].amplitude.x);
  for (int i = 0; i < vector->pulse_count; i++) {
    const VectorPulse *p = &vector->pulses[i];
    // a smooth step goes one way; the others swing
    least -= p->kind == PULSE_SMOOTH ? fmax(0, -p->amplitude.x) : fabs(p->amplitude.x);
  }
  return least;
}

double time_vector_spacing(const TimeVector *vector)
{
  double least = INFINITY;
  for (int i = 0; i < vector->table_count; i++) {
    const VectorTable *table = &vector->tables[i];
    const int last = table->count - 1;
    if (last > 1) least = fmin(least, (table->samples[last].time - table->samples[0].time) / last);
  }
  return least;
}

double time_vector_rate(const TimeVector *vector)
{
  assert(vector->cosine_count >= 0 && vector->pulse_count >= 0 && "terms are counted");
  double most = 0;
  for (int i = 0; i < vector->cosine_count; i++) most = fmax(most, vector->cosines[i].rate);
  for (int i = 0; i < vector->pulse_count; i++) most = fmax(most, vector->pulses[i].rate);
  return most;
}

bool time_vector_is_constant(const TimeVector *vector)
{
  for (int i = 0; i < vector->table_count; i++)
    if (vector->tables[i].count > 1 || vector->tables[i].zero_before ||
        vector->tables[i].zero_after)
      return false;
  return vector->cosine_count == 0 && vector->pulse_count == 0;
}
