#pragma once
// One step of a body of finite elements some of whose nodes go with a frame that others move: the
// frame's motion is given, and the other nodes move in it. As finite_body.h has it, with A0 of the
// nodes that are free, and displacements that may have a rigid part. Local.
#include "finite_body.h"

// The frame at both ends of the step, axes of the body at its middle, with its arms there.
typedef struct {
  vec3 velocity[2],
      spin[2];    // of the centre of mass of the body without displacements, m/s, rad/s
  vec3 turning;   // its acceleration beside the change of that velocity, on a circle, m/s2
} FiniteFrame;

// What acts in the step: the velocity and spin of a middle are not asked for.

// Velocities of the nodes at the start of the step, [nodes].
void finite_held_start(const FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                       vec3 *start);

// Velocities of the nodes at the end of the step if nothing touches, [nodes].
void finite_held_free(FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                      vec3 *end);

// Rate of displacements of velocities of the nodes at the end: what is left without the frame's;
// zero where they are held.
void finite_held_rate(const FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                      const vec3 *velocities, vec3 *rate);

// What a step has done to the sum of kinetic and elastic energy as finite_body_works has it,
// gravity and loads as far as they deform the body.
AffineWorks finite_held_works(FiniteBody *body, const FiniteMiddle *middle, const vec3 *end_rate,
                              const double temperature[3]);

// Impulses at the nodes that are held, [nodes], zero at the others: what moves them less what acts
// on them, N s. Those of contacts are in it.
void finite_held_reaction(FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                          const vec3 *end_rate, vec3 *reaction);
