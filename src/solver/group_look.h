#pragma once
// What groups of touching bodies are like: what the choice of their methods goes by.
#include "contact_groups.h"

// Counts over a group.
enum {
  LOOK_POINTS,
  LOOK_PAIRS,
  LOOK_JOINTS,    // points that joints hold
  LOOK_PUSHED,    // points with an impulse to begin with
  LOOK_ELASTIC,   // bodies that deform
  LOOK_AFFINE,    // of these the affine ones
  LOOK_BODIES,    // that something moves
  LOOKS
};

typedef struct {
  int64_t count[LOOKS];
} GroupLook;

typedef struct {
  GroupLook *of;         // [places]
  int64_t group_count;   // on all ranks
  int64_t heap_count;    // of these
} GroupLooks;

// Collective. Looks at groups that are joined, the same on any ranks. Memory from the arena.
GroupLooks group_looks_new(const Problem *problem, const ContactGroups *groups, Arena *arena);

// Local. Do its bodies meet in faces rather than in points?
bool group_look_faces(const GroupLook *look);

// Local. Is it a heap: many rigid bodies on points, with contacts alone?
bool group_look_heap(const GroupLook *look);
