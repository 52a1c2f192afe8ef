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

// Faces of a body by where they look and lie as it appears.
typedef struct {
  bool has_direction, has_box;
  vec3 direction;   // unit, world axes: outward normals lie near it
  double cosine;    // of the largest angle between both
  vec3 low, high;   // m: centroids lie between them
} LoadFaces;

// Where a wheel stands, and what of the ground it touches. Its force acts along a ray.
typedef struct {
  BodySelection on;       // bodies it may stand on
  int point_count;        // of the path; 0: position tells
  const vec3 *points;     // [point_count] m
  const double *along;    // [point_count] length of the path up to them, m
  double speed;           // m/s, of a path of more than one point
  double start;           // when it is at the first of them, s
  const double *origin;   // s, from which the start counts; NULL: from 0
  TimeVector position;    // m
  vec3 heading;           // unit: way of rolling, where position tells
  double length, width;   // of the patch, along the way of rolling and across, m
} LoadWheel;

// What acts on the bodies that it names.
typedef struct {
  const char *name;           // of the load; "" when the file gives none
  TimeVector force, torque;   // N, N m; of each kilogram N/kg, N m/kg
  TimeVector temperature;     // of bodies that deform, above that of no stress: its x, K
  TimeVector pressure;        // on faces, against their normals: its x, Pa
  bool has_at;
  vec3 at;        // where the force acts, in the coordinate frame of its description, m; else the
                  // centre of mass
  bool follows;   // force and torque are in the axes of the body and turn with it
  LoadPer per;
  double share;             // LOAD_PER_GROUP: one over the number of the bodies
  const LoadFaces *faces;   // of a pressure; NULL: it is none
  const LoadWheel *wheel;   // that has the force; NULL: it is none. No span has it
} BodyLoad;

// Bodies of a group, by their indices in it, that the same loads act on.
typedef struct {
  uint64_t begin, end;
  int count;
  const int *loads;   // [count] their numbers, ascending
} LoadSpan;
