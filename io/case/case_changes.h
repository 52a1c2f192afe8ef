#pragma once
// How the case that goes on from a checkpoint differs from the one it was made with, key by key,
// and what of that a restart can bear (case_keys.h).
#include <stdbool.h>

#include "arena.h"
#include "error_text.h"

// What a case was read from; lists of meshes as case_mesh_list makes them.
typedef struct {
  const char *path, *text, *overrides, *meshes;
} CaseTexts;

// Keys that may differ, or beginnings of keys ("solver" allows solver.tolerance and all its
// neighbours).
typedef struct {
  int count;
  const char *const *keys;   // [count]
} CaseAllowance;

// A case that goes on from a checkpoint.
typedef struct {
  CaseTexts then, now;
  double time;                    // of the checkpoint, s
  const CaseAllowance *allowed;   // NULL: nothing
} CaseRestart;

typedef enum {
  CHANGE_FREE,      // bears on no state
  CHANGE_ALLOWED,   // bears on it, as allowed
  CHANGE_REFUSED,   // bears on it, and is not allowed
  CHANGE_NEVER      // can be no continuation of the state
} ChangeVerdict;

typedef struct {
  ChangeVerdict verdict;
  const char *key;        // "contacts.0.friction"
  const char *was, *is;   // values as YAML, shortened
  const char *reason;     // CHANGE_NEVER: why
} CaseChange;

typedef struct {
  int count, capacity;
  CaseChange *changes;   // [count] in the order of the case; arena
  int refused, never;    // how many of them
} CaseChanges;

// Local. Values are compared, not spellings: 1e-3 is 0.001, a key that is left out has its default,
// order of keys, comments and layout are nothing. Lists are compared member by member, one of
// another length is named once beside. False with one message when the older case cannot be read.
bool case_changes_find(const CaseRestart *restart, Arena *arena, CaseChanges *changes,
                       ErrorText error);

// Local. The changes that stand in the way, a line each, as many as fit.
void case_changes_refusal(const CaseChanges *changes, char *text, size_t bytes);
