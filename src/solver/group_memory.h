#pragma once
// What was learned of groups of touching bodies in the last step that needed a linear system for
// them. It is known by a body of the group, so that it goes with that body whatever joins it.
#include "admm_controller.h"
#include "contact_groups.h"
#include "state.h"

#define GROUP_MEMORIES 8   // the largest groups

// What became of a group in the last step. Behind HARD_FAILED are more failures one after another,
// behind HARD_WAITS the steps until the interior-point method is tried again.
enum {
  HARD_NOT,                       // sweeps did
  HARD_SYSTEM,                    // they did not suffice
  HARD_INTERIOR,                  // and the interior-point method did, or came much nearer
  HARD_FAILED,                    // it did not come nearer either
  HARD_WAITS = HARD_FAILED + 3,   // four times: one more, and it waits
  HARD_MOST = 255
};

typedef struct {
  uint64_t body;   // a body of the group, its id plus one; 0: the entry is empty
  int32_t hard;    // HARD_NOT to HARD_MOST
  int32_t gives;   // steps in which its points still give (giving.h)
  AdmmController controller;
} GroupMemory;

typedef struct {
  GroupMemory groups[GROUP_MEMORIES];   // those of the last hard step first, the largest first
} GroupMemories;

// Local. As words of the state, all zero while nothing is known, and back.
StateWords group_memories_words(const GroupMemories *memories);
void group_memories_restore(GroupMemories *memories, const StateWords *words);

// Local. No group was hard in this step.
void group_memories_rest(GroupMemories *memories);

// Collective. Which entry each group has, the first of its bodies': memory[places]; -1: none.
void group_memories_find(const GroupMemories *memories, const Problem *problem,
                         const ContactGroups *groups, int *memory, Arena *arena);

// Collective. In how many more steps the points of each group give: gives[places].
void group_memories_give(GroupMemories *memories, const Problem *problem,
                         const ContactGroups *groups, const int *gives, Arena *arena);

// Groups of this step that were hard, and what was learned of them.
typedef struct {
  const unsigned char *hard;           // [places] HARD_NOT to HARD_MOST
  const int64_t *points;               // [places] of the group
  const AdmmController *controllers;   // [places]
} HardGroups;

// Collective. The largest hard groups come first, then those remembered before none of whose bodies
// is in a hard group. Returns the place of the largest, -1 where this rank has nothing of it.
int group_memories_learn(GroupMemories *memories, const Problem *problem,
                         const ContactGroups *groups, HardGroups step, Arena *arena);
