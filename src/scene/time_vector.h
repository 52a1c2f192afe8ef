#pragma once
// Vectors that are functions of time: what gravity, loads and prescribed motions are made of.
#include <stdbool.h>

#include "vec3.h"

typedef struct {
  double time;
  vec3 value;
} VectorSample;   // s, value

// Linear between samples, constant outside; one sample is a constant.
typedef struct {
  int count;               // at least 1
  VectorSample *samples;   // growing times
} VectorTable;

// amplitude cos(rate t + phase)
typedef struct {
  vec3 amplitude;
  double rate, phase;   // rad/s, rad
} VectorCosine;

// The sum of its terms; without any it is zero.
typedef struct {
  int table_count;
  VectorTable *tables;
  int cosine_count;
  VectorCosine *cosines;
} TimeVector;

// Local. Value at a time, s.
vec3 time_vector_at(const TimeVector *vector, double time);

// Local. A number that its norm never exceeds.
double time_vector_bound(const TimeVector *vector);

// Local. Whether it is the same at all times.
bool time_vector_is_constant(const TimeVector *vector);
