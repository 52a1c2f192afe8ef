#pragma once
// Candidates for contact: pairs of rows whose boxes overlap, from a list of pairs of larger boxes
// that is kept between steps.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "box_overlap.h"
#include "separation.h"

typedef struct {
  int32_t a, b;           // rows, a < b
  SeparatingFace apart;   // what last parted the two, the body with the lower id first: for the
                          // narrow phase to read and to bring up to date
} KeptPair;

// What lasts from step to step. A cache: what is found with it is what is found without, so it is
// no state, and zeros are a cold one.
typedef struct {
  int owned, count, room;   // rows of the last step
  uint64_t *ids;            // [count]
  Box *wide;                // [count] boxes that the list was made for
  int64_t pair_count, pair_room;
  KeptPair *pairs;     // [pair_count] wanted pairs of wide boxes that overlap, sorted by (a, b)
  double skin;         // what boxes are widened by, relative to their middle side
  double usual_side;   // middle side of a usual box, m
  int64_t age;         // steps since all boxes were widened
  int64_t renewed;     // how often that was
  int64_t widened;     // boxes widened one by one
} Candidates;

typedef struct {
  int owned, count;      // own rows, sorted by id, and after them ghosts, sorted by id
  const uint64_t *ids;   // [count]
  const Box *boxes;      // [count]
  // Is a pair of rows, a < b, looked for at all? The answer must not change as long as both bodies
  // are own or ghosts as before.
  bool (*is_wanted)(const void *context, int a, int b);
  const void *context;
} CandidateInput;

// Some of the kept pairs.
typedef struct {
  int64_t count;
  KeptPair **pairs;   // arena; sorted by (a, b), valid until the next search
} CandidatePairs;

// Local. All wanted pairs of rows whose boxes overlap. The list is widened boxes', so that it
// serves as long as no box leaves its widened one; a few that do are widened anew and compared with
// all others, and many, or many rows that come or go, renew the list.
CandidatePairs candidates_find(Candidates *cache, const CandidateInput *in, Arena *arena);

// Local. Makes the cache cold; also what releases its memory.
void candidates_drop(Candidates *cache);
