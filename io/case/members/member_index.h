#pragma once
// The bodies of an entry in the order of their names, so that each name is found at once.
#include <stdbool.h>

#include "case_members.h"

typedef struct {
  const char *name;
  uint64_t number;
} NamedMember;

typedef struct {
  const BodyGroup *group;
  uint64_t bodies;
  int64_t count;
  NamedMember *members;   // [count] those with a name, by name and number
} MemberIndex;

// Local. Of an entry with that many bodies (arena).
MemberIndex member_index_new(const BodyGroup *group, uint64_t bodies, Arena *arena);

// Local. Marks all bodies that are called so (case_member_label), not as a pattern. Returns whether
// there is one.
bool member_index_mark(const MemberIndex *index, const char *label, bool *marked);
