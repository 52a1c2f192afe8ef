#pragma once
// Pairs of neighbouring parts, and the turns in which they are treated: no two pairs of one turn
// share a part. Rank 0 chooses, those with most work between them first.
#include <stdint.h>

#include "arena.h"

// Two parts with edges between them; its rank is that of the lower number.
typedef struct {
  int low, high;
  int64_t work;   // of these edges
  int turn;       // or -1
} NeighbourParts;

typedef struct {
  int count;
  NeighbourParts *pairs;   // [count] of own vertices, ascending
  int own_count;
  NeighbourParts *own;   // [own_count] with the part of this rank's number
} PairTurns;

// Local. Sorts pairs and adds up the same ones; returns how many are left.
int pair_turns_join(NeighbourParts *pairs, int count);

// Collective. The turns of this rank's pairs, which it learns of here (arena), and of those of its
// vertices; returns how many turns there are.
int pair_turns_take(PairTurns *turns, Arena *arena);

// Local. The turn of a pair of own vertices' parts, -1: it has none.
int pair_turns_of(const PairTurns *turns, int a, int b);
