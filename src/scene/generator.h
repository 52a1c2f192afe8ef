#pragma once
// Groups of bodies by rule: how many, of which shapes, and where each one stands.
#include <stdint.h>

#include "arena.h"
#include "case.h"

#define GENERATOR_MAX_SHAPES 2

// Numbers of bodies. About GENERATOR_MANY stands for that many and for any larger number.
typedef struct {
  uint64_t total, dynamic;
} GeneratorCount;

#define GENERATOR_MANY ((uint64_t)1 << 60)

// A body in the frame of its group.
typedef struct {
  int shape;   // of the group's
  bool fixed;
  vec3 origin;   // m
  quat turn;
} GeneratorBody;

// Local. NULL, or a phrase that says which measures of the group do not go together.
const char *generator_check(const BodyGroup *group);

// Local. Bodies of a group that passed the check.
GeneratorCount generator_count(const BodyGroup *group);

// Local. Writes the group's shapes, each once, and returns how many.
int generator_shapes(const BodyGroup *group, Arena *arena,
                     ShapeRecipe shapes[GENERATOR_MAX_SHAPES]);

// Local. Body number index of the group, in the order of ids.
GeneratorBody generator_body(const BodyGroup *group, uint64_t index);
