#pragma once
// Whether the forces at the end of a run are the only ones in balance, and what they could be
// otherwise: rigid bodies leave them open where joints do not give.
#include "disk.h"
#include "limit.h"
#include "world.h"

typedef enum {
  FORCES_UNKNOWN,   // nothing touches, or what touches was not looked at
  FORCES_UNIQUE,    // every closed point has springs along its normal and along the joint
  FORCES_MANY,      // points that carry have more impulses than bodies have equations
  FORCES_OPEN       // neither is known
} ForcesKind;

// A push along a way on the supports that lie on that side, N.
typedef struct {
  vec3 way;                        // unit
  double now;                      // by the impulses of the last step
  LimitStatus least_is, most_is;   // what is known of the range
  double least, most;              // by forces in balance; where found
  double balance;                  // what these leave of the loads of a body, over the mean load
} ForcesThrust;

enum { FORCES_THRUSTS = 2, FORCES_REASON = 256 };

typedef struct {
  ForcesKind kind;
  int64_t closed, rigid;   // contact points that touch; those of them that do not give
  int thrust_count;
  ForcesThrust thrusts[FORCES_THRUSTS];
  char untold[FORCES_REASON];   // why there are no ranges of thrusts; "": there are
} Forces;

// Collective. At the end of the last step.
Forces forces_of_step(World *world);

// Collective. Adds the thrusts along both axes across gravity, from the checkpoint of the last step
// in the folder, NULL: there is none. False on all ranks after one message.
bool forces_add_thrusts(const World *world, const char *folder, Forces *forces);

// Local. Lines for people, nothing where nothing is known.
void forces_say(const Forces *forces);

// Local. As a member of outcome.json (json_t), or NULL without memory.
void *forces_json(const Forces *forces);

// Local. From such a member (json_t); NULL: FORCES_UNKNOWN.
Forces forces_of_json(const void *member);
