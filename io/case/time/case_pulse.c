// Reads ramps, smooth steps, sines and Ricker pulses.
#include "case_pulse.h"

#include <assert.h>

#include "trig.h"

#define MOST_ANGLE 1e9   // rad to the end of the run, where a cosine is still known to 1e-7

static const NumberRule time_rule = {-1e9, 1e9, "a time from -1e9 to 1e9 s"};

vec3 case_pulse_value(const PulseTerms *terms, const CaseNode *node)
{
  const NumberRule *rule = CASE_QUANTITY_RULES[terms->quantity];
  if (case_quantity_components(terms->quantity) == 3)
    return case_value_vector(terms->reader, node, rule, (vec3){0});
  return vec3_new(case_value_number(terms->reader, node, rule, 0), 0, 0);
}

void case_pulse_constant(PulseTerms *terms, vec3 value)
{
  assert(terms->vector->tables != NULL && "terms have room");
  VectorSample *sample = arena_allocate(terms->reader->arena, sizeof *sample);
  *sample = (VectorSample){0, value};
  terms->vector->tables[terms->vector->table_count++] =
      (VectorTable){.count = 1, .samples = sample};
}

void case_pulse_check_rate(const PulseTerms *terms, const CaseNode *node, double rate)
{
  const Case *c = terms->c;
  if (terms->reader->failed) return;
  if (rate * c->step > TRIG_PI)
    case_tree_fail(
        terms->reader, node,
        "at %g rad/s a period is less than two steps of %g s: expected a lower frequency, or "
        "a smaller time.step",
        rate, c->step);
  else if (rate * c->end > MOST_ANGLE)
    case_tree_fail(terms->reader, node, "at %g rad/s the angle at time.end is beyond %g rad", rate,
                   MOST_ANGLE);
}

static void add_pulse(PulseTerms *terms, VectorPulse pulse)
{
  assert(terms->vector->pulses != NULL && pulse.start <= pulse.end && "terms have room");
  terms->vector->pulses[terms->vector->pulse_count++] = pulse;
}

// -- from one value to another --------------------------------------------------------------------

typedef struct {
  vec3 from, to;
  double start, end;   // s
} Passage;

static Passage read_passage(PulseTerms *terms, const CaseNode *node)
{
  static const char *const keys[] = {"from", "to", "start", "duration", NULL};
  static const NumberRule duration = {1e-9, 1e9, "a time from 1e-9 to 1e9 s"};
  CaseReader *reader = terms->reader;
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  const CaseNode *length = case_value_require(reader, mapping, "duration");
  Passage p = {
      .from = case_pulse_value(terms, case_tree_find(mapping, "from")),
      .to = case_pulse_value(terms, case_value_require(reader, mapping, "to")),
      .start = case_value_number(reader, case_tree_find(mapping, "start"), &time_rule, 0),
  };
  p.end = p.start + case_value_number(reader, length, &duration, 1);
  if (!reader->failed && !(p.end > p.start))
    case_tree_fail(reader, length, "too short beside a start at %g s", p.start);
  return p;
}

void case_pulse_ramp(PulseTerms *terms, const CaseNode *node)
{
  const Passage p = read_passage(terms, node);
  if (terms->reader->failed) return;
  VectorSample *samples = arena_allocate(terms->reader->arena, 2 * sizeof *samples);
  samples[0] = (VectorSample){p.start, p.from};
  samples[1] = (VectorSample){p.end, p.to};
  terms->vector->tables[terms->vector->table_count++] =
      (VectorTable){.count = 2, .samples = samples};
}

void case_pulse_smooth(PulseTerms *terms, const CaseNode *node)
{
  const Passage p = read_passage(terms, node);
  if (terms->reader->failed) return;
  if (case_tree_find(node, "from")) case_pulse_constant(terms, p.from);
  add_pulse(terms, (VectorPulse){.kind = PULSE_SMOOTH,
                                 .amplitude = vec3_sub(p.to, p.from),
                                 .start = p.start,
                                 .end = p.end});
}

// -- oscillations ---------------------------------------------------------------------------------

// rad/s, of hertz
static double read_frequency(PulseTerms *terms, const CaseNode *node)
{
  static const NumberRule hertz = {1e-9, 1e8, "a frequency from 1e-9 to 1e8 Hz"};
  const double rate = 2 * TRIG_PI * case_value_number(terms->reader, node, &hertz, 1);
  case_pulse_check_rate(terms, node, rate);
  return rate;
}

void case_pulse_sine(PulseTerms *terms, const CaseNode *node)
{
  static const char *const keys[] = {"amplitude", "frequency", "phase", "start", "cycles", NULL};
  static const NumberRule degrees = {-360, 360, "an angle from -360 to 360 degrees"};
  static const NumberRule cycles = {1e-3, 1e9, "a number of cycles from 1e-3 to 1e9"};
  CaseReader *reader = terms->reader;
  const CaseNode *sine = case_value_mapping(reader, node, keys);
  const CaseNode *lasts = case_tree_find(sine, "cycles");
  const double rate = read_frequency(terms, case_value_require(reader, sine, "frequency"));
  VectorPulse pulse = {
      .kind = PULSE_SINE,
      .amplitude = case_pulse_value(terms, case_value_require(reader, sine, "amplitude")),
      .start = case_value_number(reader, case_tree_find(sine, "start"), &time_rule, 0),
      .rate = rate,
      .phase = case_value_angle(reader, case_tree_find(sine, "phase"), &degrees, 0),
  };
  const double count = case_value_number(reader, lasts, &cycles, 1);
  pulse.end = lasts ? pulse.start + count * (2 * TRIG_PI / rate) : 1e13;   // behind every run
  if (!reader->failed) add_pulse(terms, pulse);
}

void case_pulse_ricker(PulseTerms *terms, const CaseNode *node)
{
  static const char *const keys[] = {"amplitude", "frequency", "at", NULL};
  CaseReader *reader = terms->reader;
  const CaseNode *ricker = case_value_mapping(reader, node, keys);
  const double rate = read_frequency(terms, case_value_require(reader, ricker, "frequency"));
  const double at =
      case_value_number(reader, case_value_require(reader, ricker, "at"), &time_rule, 0);
  const VectorPulse pulse = {
      .kind = PULSE_RICKER,
      .amplitude = case_pulse_value(terms, case_value_require(reader, ricker, "amplitude")),
      .start = at,
      .end = at,
      .rate = rate,
  };
  if (!reader->failed) add_pulse(terms, pulse);
}
