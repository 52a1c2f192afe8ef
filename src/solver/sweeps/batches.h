#pragma once
// A copy of a problem's contact points for sweeps: four pairs of a colour side by side, their
// points one after another, every number of a point at hand where it is needed. The same bits as
// point by point (gauss_seidel_sweep, residual_measure).
#include "law_lanes.h"
#include "problem.h"
#include "residual.h"

// One point of each of four pairs. A pair without a point here has one that never closes.
typedef struct {
  Vec3Lane normal, tangent, low_arm;   // the other tangent is normal x tangent
  DelassusLane w;
  Lane friction;
  Lane offset;   // of the normal velocity
  Vec3Lane r;
} PointBatch;

// Four pairs of one colour; fewer at the end of a colour.
typedef struct {
  Lane low_mass, high_mass;   // inverse
  Vec3Lane low_inertia[3], high_inertia[3];
  Vec3Lane between;                 // arms of the higher bodies are those of the lower plus this
  int low[LANES], high[LANES];      // rows of velocities, -1: no pair here
  int first[LANES], count[LANES];   // points of the problem
  int place[LANES];                 // of their groups; 0 where groups do not matter
  int start, depth;                 // batches of points
  unsigned char counted[LANES];     // in sums, by this rank
  unsigned char split[LANES];       // a body of the pair is split
  bool limited;                     // some point is no plain contact
  bool has_split;
} PairBatch;

// Which pairs are swept, those of wanted groups, and how. Zeros: all of them, each point once, and
// groups do not matter.
typedef struct {
  const int *place;              // [pairs] of their groups
  const unsigned char *wanted;   // [places]
  int more_passes;               // over the points of a pair that has several
} BatchChoice;

typedef struct {
  Problem *problem;
  BatchChoice choice;
  int pair_count, point_count;   // batches of them
  int *colour_start;             // [colour_count + 1] into pairs
  int *waiting_start;            // [colour_count] first of a colour that needs what others send
  PairBatch *pairs;              // [pair_count]
  PointBatch *points;            // [point_count]

  // pairs that go in no batch, since a body is not rigid: by colour, then by key
  int single_count;
  int *singles;        // [single_count] pairs of the problem
  int *single_start;   // [colour_count + 1] into them
  vec3 *single_r;      // [points of the problem] their impulses; NULL: there are none
} Batches;

// Local. A copy of the problem, impulses included; memory from the arena.
Batches batches_new(Problem *problem, BatchChoice choice, Arena *arena);

// Collective. One pass of Gauss-Seidel over all pairs, colour by colour: impulses of the batches
// and velocities of own rows (problem->twist) are up to date after it. Needs those of ghosts as the
// plan swept refreshes them.
void batches_sweep(Batches *batches, Arena *arena);

// Local. The largest square of e_a / s_a of each group, over the pairs that this rank sweeps;
// largest[places] begins with what it should not fall below. Velocities of copies are set.
void batches_errors(const Batches *batches, double *largest);

// Local. Projection on the limits of the i-th points of the pairs.
Vec3Lane batches_project(const Batches *batches, const PairBatch *pairs, int i, Vec3Lane r);

// Local. Impulses back into the problem, of groups that are wanted [places]; NULL: of all.
// split_share_impulses then gives those of a split body to its rank.
void batches_store(const Batches *batches, const unsigned char *wanted);

// Local. Numbers of the points of batches to points of the problem, and back.
void batches_give(const Batches *batches, const Vec3Lane *lanes, vec3 *points);
void batches_take(const Batches *batches, const vec3 *points, Vec3Lane *lanes);
