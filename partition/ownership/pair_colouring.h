#pragma once
// Pairs of neighbouring subdomains, each in a colour: no two pairs of one colour share a
// subdomain, so they are treated at once. Rank 0 chooses, those with most work between them first.
#include <stdint.h>

#include "arena.h"

// Two subdomains with edges between them; its rank is that of the lower number.
typedef struct {
  int low, high;
  int64_t work;   // of these edges
  int colour;     // or -1
} SubdomainPair;

typedef struct {
  int count;
  SubdomainPair *pairs;   // [count] of own vertices, ascending
  int own_count;
  SubdomainPair *own;   // [own_count] with the subdomain of this rank's number
} PairColouring;

// Local. Sorts pairs and adds up the same ones; returns how many are left.
int pair_colouring_join(SubdomainPair *pairs, int count);

// Collective. The colours of this rank's pairs, which it learns of here (arena), and of those of
// its vertices; returns how many colours there are.
int pair_colouring_make(PairColouring *colouring, Arena *arena);

// Local. The colour of a pair of own vertices' subdomains, -1: it has none.
int pair_colouring_of(const PairColouring *colouring, int a, int b);
