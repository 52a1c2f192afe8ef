#pragma once
// From groups of the case file to single bodies: every body is a function of the case and its id.
#include <stdbool.h>
#include <stdint.h>

#include "case.h"

typedef struct {
  int shape, material;
  bool fixed;
  vec3 origin;   // where the shape's origin goes, m
  quat turn;
  vec3 velocity, spin;   // m/s, rad/s
} BodyRecipe;

// Local. Numbers the bodies and makes the shapes of generators. Returns NULL, or a message (arena)
// that names line, group and reason, the same on all ranks.
const char *scene_prepare(Case *c);

// Local. The body with that id, 0 <= id < body_count.
BodyRecipe scene_body(const Case *c, uint64_t id);

// Local. The group that holds the id.
const BodyGroup *scene_group(const Case *c, uint64_t id);

// Local. Value of a table at a time.
vec3 scene_vector_at(const VectorTable *table, double time);
