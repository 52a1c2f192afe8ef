#pragma once
// Rings of eight wedges and hooks of three boxes, which others can hang in: for tests of barriers.
#include "random_numbers.h"
#include "trig.h"
#include "vec3.h"

#define FRAME_PARTS 8

// Fills the corners of the parts, about the origin, and returns how many parts there are.
static inline int random_frame(Random *random, bool ring, vec3 corners[FRAME_PARTS][8])
{
  static const double hook[3][4] = {{-.3, -.4, -.1, .4}, {-.1, -.4, .3, -.2}, {.1, -.2, .3, .1}};
  const double thick = random_between(random, .05, .15), inner = random_between(random, .2, .35);
  const int count = ring ? FRAME_PARTS : 3;
  for (int k = 0; k < count; k++) {
    for (int i = 0; i < 8; i++) {
      const int far_x = i & 1, far_y = i >> 1 & 1;
      const double z = i & 4 ? thick : -thick;
      const double angle = 0.25 * TRIG_PI * (k + far_y), radius = far_x ? 0.5 : inner;
      if (ring) corners[k][i] = (vec3){radius * trig_cos(angle), radius * trig_sin(angle), z};
      else corners[k][i] = (vec3){hook[k][far_x ? 2 : 0], hook[k][far_y ? 3 : 1], z};
    }
  }
  return count;
}
