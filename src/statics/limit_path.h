#pragma once
// The central path of a cone program, by a homogeneous self-dual embedding, scaling of Nesterov and
// Todd, prediction and correction (Andersen, Roos and Terlaky 2003).
#include "limit_matrix.h"

// The least c . x + d t with A x + t l = b, x in the cones; beside it the largest b . v with
// s = c - A' v in the cones and l . v = d. Without l there is no t.
typedef struct {
  int rows, count;   // of A; of the points, three columns each
  const double *b;   // [rows]
  const vec3 *c;     // [count]
  const double *l;   // [rows], or NULL
  double d;
} LimitProgram;

// A place on the path; all but kappa are divided by tau, unless that goes to nothing beside kappa.
typedef struct {
  vec3 *x, *s;   // [count] in the cones
  double *v;     // [rows]
  double t;      // multiplier of l
  double tau, kappa;
} PathPoint;

// How far the path is followed.
typedef struct {
  double gap;       // between both sides, relative to the larger of 1 and what is found
  double balance;   // of A x + t l = b, relative to the numbers of b
} LimitGoal;

typedef struct LimitPath LimitPath;

// Local. A path at its beginning; arena memory, the program and the matrix outlive it.
LimitPath *limit_path_new(const LimitProgram *program, LimitMatrix *matrix, Arena *arena);

// Local. Goes on until the goal is reached, or one side is shown to be empty: then v or x alone is
// a direction without bound. May be called again with a harder goal.
LimitStatus limit_path_follow(LimitPath *path, LimitGoal goal);

// Local. Where it is, as long as it is not followed on, and how many systems it took.
const PathPoint *limit_path_at(const LimitPath *path);
int limit_path_steps(const LimitPath *path);
