#pragma once
// What many ranks know of a part, brought together on the rank of the same number and told to those
// who asked: sums and grants, without an array over all parts anywhere.
#include <stdint.h>

#include "arena.h"

// Parts that this rank names.
typedef struct {
  int count;
  const int *parts;   // [count] ascending
} NamedParts;

// Collective. values[i] of parts[i] becomes the sum over all ranks that name the part. Returns the
// sum for the part with this rank's number, also where this rank does not name it.
int64_t part_board_sum(NamedParts named, int64_t *values, Arena *arena);

// Collective. wishes[i] >= 0 of parts[i] becomes what the part's rank grants, of its capacity; what
// is there goes to one rank after the other, beginning with another one each round.
void part_board_grant(NamedParts named, int64_t *wishes, int64_t capacity, int round, Arena *arena);
