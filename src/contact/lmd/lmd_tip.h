#pragma once
// Normals of sharp features that meet: where a corner touches a corner or an edge, geometry names
// several, and the motion tells which of them holds.
//
// For a unit vector n from a to b the features are apart by s(n) = n.(y_b - y_a) if n.u <= 0 for
// all u in U(a) and n.u >= 0 for all u in U(b): the plane through either separates them. Candidates
// are the normals of the faces around both and the crosses of their edges, of the surfaces as they
// are. That is the choice of the model patch (patch_axes.c), without the axis of the last step.
#include "lmd_pair.h"

// Local. Are both features of a point sharp, and does a candidate separate them? A point between
// faces on each other is none. separation: the largest of all candidates, m.
bool lmd_tip_measure(const LmdPair *pair, const LmdPoint *point, double *separation);

// How b moves relative to a where they meet.
typedef struct {
  vec3 velocity;   // m/s, free of contact
  double time;     // s: ahead
} LmdMotion;

// Local. Gives a tip the normal along which the bodies are farthest apart at the end of that time,
// among equals the one along which they part fastest; where that is no single one, its own, half
// way between them. The gap is that along the normal. False for a touch from outside, which several
// normals separate, that does not close.
bool lmd_tip_choose(const LmdPair *pair, const LmdMotion *motion, LmdPoint *point);
