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

// A difference of states, for which fewer digits do: the next f is measured in full.
typedef struct {
  float x, y, z, s;
} AndersonChange;

#define ANDERSON_DEPTH 5   // differences kept; two sums for each and one go in one reduction

typedef struct {
  int point_count;
  const unsigned char *owned;   // [point_count] counts in sums; NULL: all do
  const double *weight;         // [point_count] kg, of velocities in impulses; 0: takes no part
  int count, next;              // differences known; where the next one goes
  AndersonChange *df[ANDERSON_DEPTH];   // differences of f = g(x) - x and of g, [point_count]
  AndersonChange *dg[ANDERSON_DEPTH];
  double gram[ANDERSON_DEPTH][ANDERSON_DEPTH];
  bool has_old;
  ConeState *g;      // what the map made of x, as last noted
  ConeState *f;      // g - x
  double smallest;   // |f|^2 since the last restart
  double steady;     // |f| over its last change: large where the state drifts; 0: not known
} Anderson;

// Local. (gram + regularisation) theta = right, where theta holds the right side: by elimination,
// as the matrix is positive definite. Spoils the matrix.
void anderson_combine(int count, double gram[ANDERSON_DEPTH][ANDERSON_DEPTH], double *theta);

// Local. The weights may change with a restart; one with memory comes first.
Anderson anderson_new(int point_count, const unsigned char *owned, const double *weight,
                      Arena *arena);

// Local. Forgets all but g, as the map is another one.
void anderson_restart(Anderson *anderson);

// Local. The same, and takes new memory for what comes: the old may have gone to other things.
void anderson_restart_in(Anderson *anderson, Arena *arena);

// Local. Notes what the map makes of a point's x, all points once before each step: a difference to
// what was noted for the last step takes the place of the oldest one.
static inline void anderson_note(Anderson *a, int i, ConeState x, ConeState g)
{
  const ConeState f = {vec3_sub(g.z, x.z), g.s - x.s};
  if (a->has_old) {
    const ConeState old = a->f[i], image = a->g[i];
    a->df[a->next][i] = (AndersonChange){(float)(f.z.x - old.z.x), (float)(f.z.y - old.z.y),
                                         (float)(f.z.z - old.z.z), (float)(f.s - old.s)};
    a->dg[a->next][i] = (AndersonChange){(float)(g.z.x - image.z.x), (float)(g.z.y - image.z.y),
                                         (float)(g.z.z - image.z.z), (float)(g.s - image.s)};
  }
  a->f[i] = f;
  a->g[i] = g;
}

// Collective. From states x of which all was noted, the state to go on from, into x: the affine
// combination of the last g whose f would be smallest if the map were affine, and g itself after a
// restart, which comes where |f| doubled.
void anderson_step(Anderson *anderson, ConeState *x);

// Collective. The same, but goes on from g: sees what the map does by itself.
void anderson_watch(Anderson *anderson, ConeState *x);
