#pragma once
// What output.probes asks for, step by step: forces on bodies, through planes and in boxes at the
// middle of a step, places and openings at its end.
#include "box_fill.h"
#include "exact_sum.h"
#include "supports.h"

// One probe under way.
typedef struct {
  const ProbeSettings *of;
  FilledBox box;
  WatchedJoint joint;   // of an opening
  FrameBody body;       // of a displacement
  vec3 start;           // of a displacement: the place as the case has it, m
  vec3 arm;             // the same in the frame of the body, m
  int first_sum, first_pose;
} ProbeState;

typedef struct {
  World *world;
  Arena arena;
  int count, sum_count, pose_count;
  bool pushed,
      placed;       // some add up what bodies do to each other; some of these ask where they are
  ProbeState *of;   // [count]
  ExactSum *sums;   // [sum_count] at the middle of the last step, of this rank
  double *poses;    // [pose_count * POSE_NUMBERS]
  double *moved;    // [pose_count * 3] behind them: what bodies have deformed at their places, m
  Reduction *reductions;   // [sum_count + 1] of poses and sums
  char *line;              // the last one
  size_t line_bytes;
} Probes;

// Collective. Probes of the world's case, which from here on tells them each step; of none: count
// 0. False after one message where two bodies of an opening do not touch as the case puts them.
bool probes_begin(Probes *probes, World *world);
void probes_end(Probes *probes);

// Local. The heading of their table.
const char *probes_heading(Probes *probes);

// Collective. The line of the last step on rank 0, NULL on others.
const char *probes_line(Probes *probes);
