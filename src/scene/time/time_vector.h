#pragma once
// Vectors that are functions of time: what gravity, loads and prescribed motions are made of.
#include <stdbool.h>

#include "vec3.h"

typedef struct {
  double time;
  vec3 value;
} VectorSample;   // s, value

// Linear between samples, constant outside, or zero where that is asked for; one sample is a
// constant.
typedef struct {
  int count;                      // at least 1
  VectorSample *samples;          // growing times
  bool zero_before, zero_after;   // the first sample, the last one
} VectorTable;

// amplitude cos(rate t + phase)
typedef struct {
  vec3 amplitude;
  double rate, phase;   // rad/s, rad
} VectorCosine;

// amplitude times
//   PULSE_SMOOTH  10 s^3 - 15 s^4 + 6 s^5 with s = (t - start) / (end - start); 0 before, 1 after
//   PULSE_SINE    sin(rate (t - start) + phase) from start to end; else 0
//   PULSE_RICKER  (1 - 2 a) exp(-a) with a = (rate (t - start) / 2)^2 (Ricker 1953)
typedef enum { PULSE_SMOOTH, PULSE_SINE, PULSE_RICKER } PulseKind;

typedef struct {
  PulseKind kind;
  vec3 amplitude;
  double start, end;    // s
  double rate, phase;   // rad/s, rad
} VectorPulse;

// The sum of its terms; without any it is zero.
typedef struct {
  int table_count;
  VectorTable *tables;
  int cosine_count;
  VectorCosine *cosines;
  int pulse_count;
  VectorPulse *pulses;
  const double *origin;   // s, from which its times count; NULL: from 0
} TimeVector;

// Local. Value at a time, s.
vec3 time_vector_at(const TimeVector *vector, double time);

// Local. A number that its norm never exceeds.
double time_vector_bound(const TimeVector *vector);

// Local. A number that its x is never below.
double time_vector_least(const TimeVector *vector);

// Local. Mean time between the values of its finest table of more than two, s; infinite without
// one.
double time_vector_spacing(const TimeVector *vector);

// Local. The largest angular frequency of its terms, rad/s; zero where none swings.
double time_vector_rate(const TimeVector *vector);

// Local. Whether it is the same at all times.
bool time_vector_is_constant(const TimeVector *vector);
