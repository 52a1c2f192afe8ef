#pragma once
// Groups of bodies by rule: how many, of which shapes, and where each one stands.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "case.h"

// Numbers of bodies. About GROUP_MANY stands for that many and for any larger number.
typedef struct {
  uint64_t total, dynamic;
} GroupSize;

#define GROUP_MANY ((uint64_t)1 << 60)

// A body in the coordinate frame of its group.
typedef struct {
  int shape;   // of the group's
  bool fixed;
  vec3 origin;   // m
  quat turn;
} GroupBody;

// Local. NULL, or a phrase that says which measures of the group do not go together.
const char *group_check(const BodyGroup *group);

// Local. Bodies of a group that passed the check; all that its entry makes, left out or not.
GroupSize group_size(const BodyGroup *group);
GroupSize group_entry_size(const BodyGroup *group);

// Local. Whether the generator of an entry holds that body fixed: a springer of an arch, a support
// of a file.
bool group_holds(const BodyGroup *group, uint64_t number);

// What groups depend on besides themselves.
typedef struct {
  uint64_t stream;   // of the group's random numbers
  double step;       // s
  const Case *c;     // for its gravity
} GroupSetting;

// Local. Completes the group and makes its shapes (arena). NULL, or a phrase (arena) that says what
// to change.
const char *group_prepare(BodyGroup *group, const GroupSetting *setting, Arena *arena,
                          ShapeRecipe **shapes, int *shape_count);

// Local. The body of a file that a body of the group is a piece of, or is; NULL: none is cut.
const FileBody *group_file_body(const BodyGroup *group, uint64_t index);

// Local. When body number index of the group appears, s; never before a body of a lower number.
double group_birth(const BodyGroup *group, uint64_t index);

// Local. Body number index of the group, in the order of ids: of a part from its own first one.
GroupBody group_body(const BodyGroup *group, uint64_t index);
