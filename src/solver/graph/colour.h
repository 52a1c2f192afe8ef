#pragma once
// Colours of pairs: inside a colour no dynamic body, or copy of one, appears twice. A function of
// the contact graph alone.
#include <stdint.h>

#include "arena.h"
#include "id_pair.h"

// A pair as one rank knows it; it knows all pairs of its own bodies.
typedef struct {
  IdPair ids;
  int low, high;    // rows of own dynamic bodies or of their copies, -1: not an own dynamic body
  int other_rank;   // owner of the dynamic body that is not own, -1: none
} ColourPair;

typedef struct {
  int colour_count;   // over all ranks
  int *colours;       // [pair_count]
} Colouring;

// Collective. Greedy colouring in order of decreasing hash of the pair (Jones and Plassmann 1993):
// a pair takes the lowest colour that no pair of higher priority at its bodies has. body_count: own
// rows, and those of copies.
Colouring colour_pairs(const ColourPair *pairs, int pair_count, int body_count, Arena *arena);
