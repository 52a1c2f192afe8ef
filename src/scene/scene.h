#pragma once
// From groups of the case file to single bodies: every body is a function of the case and its id.
#include <stdbool.h>
#include <stdint.h>

#include "bodies.h"
#include "case.h"
#include "elastic.h"
#include "load_faces.h"

typedef struct {
  int shape, material;
  int32_t drive;          // DRIVE_DYNAMIC, DRIVE_FIXED, DRIVE_PRESCRIBED
  int32_t kind;           // numbers of kind.h
  const Motion *motion;   // of a prescribed body
  const Guide *guide;     // of a guided one
  vec3 origin;            // where the shape's origin goes, m
  quat turn;
  vec3 velocity, spin;   // m/s, rad/s; where motions accelerate it, of their point
} BodyRecipe;

// Local. Numbers the bodies, makes the shapes of generators and the rows of joints. Returns NULL,
// or a message (arena) that names line, group or joint, and reason, the same on all ranks.
const char *scene_prepare(Case *c);

// Local. The case as one of its stages has it; the case itself where it has none.
const Case *scene_stage(const Case *c, int64_t index);

// Local. The body with that id, 0 <= id < body_count.
BodyRecipe scene_body(const Case *c, uint64_t id);

// Local. The loads on a body; NULL: there are none.
const LoadSpan *scene_loads(const Case *c, uint64_t id);

// Local. Temperature of a body above that of no stress at a time, K.
double scene_temperature(const Case *c, uint64_t id, double time);

// Local. Where a body is as it appears, given its shape: by its id, or by its recipe.
LoadStart scene_start(const Case *c, uint64_t id, const Shape *shape);
LoadStart scene_recipe_start(const BodyRecipe *recipe, const Shape *shape);

// Local. A body, as faces of it are looked for.
LoadBody scene_load_body(const Case *c, uint64_t id, const Shape *shape);

// Local. Whether a body is one of those that a key means.
bool scene_selects(const Case *c, const BodySelection *selection, uint64_t id);

// Local. Appends an own row that is the body as it appears: who it is and where it is; its shape
// is that of the recipe. Velocities are the caller's. Returns the row.
int scene_append_body(Bodies *bodies, uint64_t id, const BodyRecipe *recipe, const Shape *shape);

// Local. An empty set of what bodies that deform are made of; elastic_destroy. The shapes outlive
// it.
ElasticSet scene_elastic(const Case *c, ShapeSet *shapes);

// Local. The group that holds the id.
const BodyGroup *scene_group(const Case *c, uint64_t id);

// Bodies with ids first <= id < end.
typedef struct {
  uint64_t first, end;
} IdRange;

// Local. The ids of all pieces of the body that a body is one of, or its own.
IdRange scene_siblings(const Case *c, uint64_t id);

#define SCENE_NEVER INT64_MAX

// Local. The step before which a body appears, >= 0: the first one whose start reaches its birth.
int64_t scene_birth(const Case *c, uint64_t id);

// Local. The bodies that appear before that step and no other: contiguous ranges, ascending, at
// most one of each group. ranges[c->group_count]; returns how many.
int scene_births(const Case *c, int64_t step, IdRange *ranges);

// Local. The first step, that one or a later one, before which bodies appear; or SCENE_NEVER.
int64_t scene_next_birth(const Case *c, int64_t step);

// Local. How many bodies have appeared when that many steps are done: those of the start, and those
// that appear before one of these steps.
uint64_t scene_born(const Case *c, int64_t steps);

// Local. Whether some bodies are surfaces alone, which patches do not know.
bool scene_has_surfaces(const Case *c);

// Local. Whether the set of bodies can change after the start.
bool scene_changes(const Case *c);

// Local. Whether a place lies in the domain of the case, its faces included.
bool scene_contains(const Case *c, vec3 place);
