#pragma once
// Bodies with many pairs are split over copies, each with an equal share of mass, inertia and pairs
// (Tonge, Benevolenski and Voroshilov 2012): sweeps take a copy for a body, and after a sweep the
// body has the mean of its copies' velocities. How many there are and who gets which pair follows
// from the contact graph alone; a pair of a split body is swept by the rank of the other body.
#include "arena.h"
#include "halo.h"
#include "pair_list.h"

#define COPY_PAIRS 16                       // most pairs of a copy, and of a body that is not split
#define MOST_COLOURS (2 * COPY_PAIRS - 1)   // two bodies of a pair have no more other pairs

typedef struct {
  uint64_t id;   // of the copy, above those of bodies; 0: the body itself
  int count;     // copies of the body, 1: it is whole
} CopyEnd;

// An own body that is split.
typedef struct {
  int row, first, count;   // its copies: from first on, among those of own bodies
} SplitBody;

// Which copies pairs belong to.
typedef struct {
  CopyEnd *low, *high;   // [pairs of the list]; NULL: no rank has a split body
  int own_count;         // copies of own bodies
  int split_count;
  SplitBody *split;   // by row
} CopyChoice;

// Collective. Splits own bodies with more than most_pairs pairs (even); the rows of own bodies in
// the list become those of their copies, own_rows on. The list's pairs have rows of own bodies
// before.
CopyChoice copies_choose(KnownPairs *list, int own_rows, int most_pairs, Arena *home, Arena *arena);

// A pair as sweeps see it.
typedef struct {
  int low, high;                 // rows of velocities: of bodies or of copies
  int low_copies, high_copies;   // factors of the inverse masses
  unsigned char swept;           // by this rank
  unsigned char counted;         // in sums over all ranks, by this one
} SweepPair;

typedef struct {
  int first, count;   // rows of velocities, after those of bodies
  uint64_t *ids;      // [count] ascending
  int *bodies;        // [count] rows of the bodies
  int own_first;      // row of the first copy of an own body, which are in one piece
  int split_count;
  SplitBody *split;    // own bodies
  SweepPair *pairs;    // [pairs] in the order of places
  HaloPlan gather;     // velocities of copies to the ranks of their bodies
  HaloPlan impulses;   // of points that a body's rank does not sweep, to there
} Copies;

// Pairs in the list, which copies they belong to, and where they went.
typedef struct {
  const KnownPairs *list;
  const CopyChoice *choice;
  const int *places;    // [pairs of the list]
  const int *colours;   // [pairs of the list]
} PlacedPairs;

// Local. Rows for copies of own bodies and for those whose pairs are swept here. Without plans.
Copies copies_place(const PlacedPairs *placed, int own_rows, int row_count, Arena *home,
                    Arena *arena);

// Collective. The ways of copies from colour to colour among the ranks that sweep their pairs:
// requests for slots of colours and, at last, for the slot gather. Returns how many; requests has
// room for two times the pairs.
int copies_routes(const PlacedPairs *placed, const Copies *copies, int gather,
                  HaloRequest *requests, Arena *arena);

// Local. The plan impulses; points: of pairs, in the order of places.
HaloPlan copies_impulses(const PlacedPairs *placed, const Copies *copies, const SolverPair *points,
                         Arena *home, Arena *arena);
