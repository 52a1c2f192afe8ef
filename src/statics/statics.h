#pragma once
// The question of limit analysis that a step of a case puts: its closed contact points, the weights
// and loads of its bodies.
#include "limit.h"
#include "world.h"

typedef enum {
  STATICS_WEIGHT,   // all weights, turned into another way
  STATICS_LOAD,     // one of the loads of the case
  STATICS_THRUST    // what bodies that are held get from the others
} StaticsKind;

typedef struct {
  StaticsKind kind;
  vec3 way;            // unit: of weights or of a thrust
  int load;            // number of the case's load
  BodySelection on;    // bodies that are held; not given: those beyond the middle of all, along the
                       // way
  const char *names;   // what they are called in messages
} StaticsQuestion;

// On rank 0; others have nothing. Bodies by id, points by pair.
typedef struct {
  LimitProblem limit;
  const uint64_t *ids;   // [limit.body_count]
  const IdPair *pairs;   // [limit.point_count]
  int64_t gaping;        // points left out, whose gap is no rounding
  int64_t thrusting;     // points of the thrust, on all ranks
  double now;            // the thrust by the impulses of the last step, N
  double weight;         // of all bodies that may move, N
  char refusal[256];     // on all ranks: why limit analysis has no answer, "": it has one
} StaticsScene;

// Collective. Of a problem before it is solved; arena memory. Refused are joints and bonds, cases
// where nothing moves, and questions about what is not there. A thrust of the last step is found
// though there are such.
void statics_gather(World *world, const Problem *problem, const StaticsQuestion *question,
                    Arena *arena, StaticsScene *scene);
