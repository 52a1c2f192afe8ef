#pragma once
// What two bodies in contact do to each other in the last step.
#include "bodies.h"
#include "frame_pairs.h"

// Forces are means over the step, N.
typedef struct {
  vec3 force;             // on the lower body, world axes
  vec3 normal;            // unit, into the lower body: mean over the area
  double pressed;         // sum of the normal forces
  vec3 centre;            // of the area, m
  vec3 point;             // where the force goes through the joint, m
  double area;            // m2
  double gap;             // largest of the points, m
  BodyTensor low, high;   // sums over forces on each of the two, of arm from its centre of mass
                          // times force, the symmetric part, N m
  bool bears;             // a force is not zero
} PairForces;

// Local. Of each pair of the spans: forces[pairs->count]; step: s; impulses: of contacts, world
// axes.
void pair_forces_sum(const RowSpans *spans, const FramePairs *pairs, double step,
                     const vec3 *impulses, PairForces *forces);

// Local. 1, or -1 where a joint is looked at from the other side: so that its normal leads up,
// along a horizontal one along the first axis where it can. up: unit. A joint looks the same
// whichever body has the lower id.
double pair_forces_side(vec3 normal, vec3 up);
