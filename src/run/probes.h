#pragma once
// What output.probes asks for, step by step: forces on bodies, through planes and in boxes at the
// middle of a step, places and openings at its end.
#include "box_fill.h"
#include "exact_sum.h"
#include "put_joints.h"
#include "world.h"

// One probe under way.
typedef struct {
  const ProbeSettings *of;
  unsigned char *sides;   // [body_count of the case] what each body is to it, as far as asked
  FilledBox box;
  PutJoints joint;   // of an opening
  FramePair pair;
  int first_sum, first_pose;
  vec3 start;   // of a displacement: the place as the case has it, m
} ProbeState;

typedef struct {
  World *world;
  Arena arena;
  int count, sum_count, pose_count;
  ProbeState *of;   // [count]
  ExactSum *sums;   // [sum_count] at the middle of the last step, of this rank
  double *poses;    // [pose_count * 7]
  char *line;       // the last one
  size_t line_bytes;
} Probes;

// Local. Probes of the world's case, which from here on tells them each step; of none: count 0.
// False after one message where two bodies of an opening do not touch as the case puts them.
bool probes_begin(Probes *probes, World *world);
void probes_end(Probes *probes);

// Local. The heading of their table.
const char *probes_heading(Probes *probes);

// Collective. The line of the last step.
const char *probes_line(Probes *probes);
