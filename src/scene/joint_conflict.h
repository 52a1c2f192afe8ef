#pragma once
// Joints that contradict each other: a body held at points which cannot stay where it has them.
#include "case.h"

typedef struct {
  uint64_t body;   // that is held
  int joint;       // the first one that goes against those before it
  double speed;    // at which its point leaves the body, m/s
} JointConflict;

// Local. Whether a dynamic body is held without slack, limit or spring by bodies whose motion is
// given, and has no velocity and spin at its birth that all of these allow. The rows of joints are
// made, and bodies numbered. What hangs together by dynamic bodies between is not looked at.
bool joint_conflict_find(const Case *c, Arena *scratch, JointConflict *conflict);
