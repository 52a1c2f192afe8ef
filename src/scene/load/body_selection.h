#pragma once
// Some of the bodies of a case, as the case names them.
#include <stdbool.h>
#include <stdint.h>

// Neighbours in a group (case.h), by their indices in it.
typedef struct {
  int group;
  uint64_t begin, end;
} BodySpan;

typedef struct {
  bool given;   // else all bodies are meant
  int count;
  const BodySpan *spans;   // [count] by group, then ascending; no body is in two of them
} BodySelection;

// Local. Whether a body of a group, by its index there, is one of them.
bool body_selection_has(const BodySelection *selection, int group, uint64_t index);
