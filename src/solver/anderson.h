#pragma once
// Anderson's acceleration (type II: Walker and Ni 2011) of the fixed-point iteration of ADMM, with
// restarts; the same bits on any number of ranks.
#include <stdbool.h>

#include "arena.h"
#include "vec3.h"

// State of a point: z (N s) and s (m/s).
typedef struct {
  vec3 z;
  double s;
} ConeState;

#define ANDERSON_DEPTH 7   // differences kept; two sums for each and one go in one reduction

typedef struct {
  int point_count;
  const unsigned char *owned;   // [point_count] counts in sums; NULL: all do
  const double *rho;            // [point_count] kg; 0: takes no part
  double sigma;
  int count, next;                 // differences known; where the next one goes
  ConeState *df[ANDERSON_DEPTH];   // differences of f = g(x) - x and of g, [point_count]
  ConeState *dg[ANDERSON_DEPTH];
  double gram[ANDERSON_DEPTH][ANDERSON_DEPTH];
  bool has_old;
  ConeState *f, *g;   // of the last step
  double smallest;    // |f|^2 since the last restart
  double steady;      // |f| over its last change: large where the state drifts; 0: not known
} Anderson;

// Local.
Anderson anderson_new(int point_count, const unsigned char *owned, const double *rho, Arena *arena);

// Local. Forgets, as sigma or the map is another one.
void anderson_restart(Anderson *anderson, double sigma);

// Collective. From a state x and what the map makes of it, g, the state to go on from, into x: the
// affine combination of the last g whose f would be smallest if the map were affine, and g itself
// after a restart, which comes where |f| doubled.
void anderson_step(Anderson *anderson, ConeState *x, const ConeState *g);
