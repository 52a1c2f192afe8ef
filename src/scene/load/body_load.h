#pragma once
// What a load of a case does, and which bodies of a group it acts on.
#include "body_selection.h"
#include "time_vector.h"

// How a load on several bodies is meant.
typedef enum {
  LOAD_PER_BODY,      // each has all of it
  LOAD_PER_GROUP,     // they share it, each an equal part
  LOAD_PER_KILOGRAM   // each has it as often as it has kilograms
} LoadPer;

// What acts on dynamic bodies that it names.
typedef struct {
  TimeVector force, torque;   // N, N m; of each kilogram N/kg, N m/kg
  TimeVector temperature;     // of bodies that deform, above that of no stress: its x, K
  bool has_at;
  vec3 at;        // where the force acts, in the coordinate frame of its description, m; else the
                  // centre of mass
  bool follows;   // force and torque are in the axes of the body and turn with it
  LoadPer per;
  double share;   // LOAD_PER_GROUP: one over the number of the bodies
} BodyLoad;

// Bodies of a group, by their indices in it, that the same loads act on.
typedef struct {
  uint64_t begin, end;
  int count;
  const int *loads;   // [count] their numbers, ascending
} LoadSpan;
