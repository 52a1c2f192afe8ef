#pragma once
// Which ids a rank holds before bodies are partitioned by position: contiguous ranges.
#include <stdint.h>

#include "wide.h"

// First id of the range of a rank; the range ends where the next rank's begins.
static inline uint64_t id_range_first(uint64_t body_count, int rank, int size)
{
  return (uint64_t)((uint128)body_count * (unsigned)rank / (unsigned)size);
}

// The rank whose range holds the id.
static inline int id_range_rank(uint64_t body_count, uint64_t id, int size)
{
  int rank = (int)((uint128)id * (unsigned)size / body_count);
  while (id >= id_range_first(body_count, rank + 1, size)) rank++;
  while (id < id_range_first(body_count, rank, size)) rank--;
  return rank;
}

// The range that an id was found in: those that follow each other lie in one mostly.
typedef struct {
  uint64_t body_count;
  int size;              // ranks
  int rank;              // whose range it is
  uint64_t first, end;   // of the range; 0: none yet
} IdRangeCursor;

// The rank whose range holds the id.
static inline int id_range_find(IdRangeCursor *at, uint64_t id)
{
  if (id < at->first || id >= at->end) {
    at->rank = id_range_rank(at->body_count, id, at->size);
    at->first = id_range_first(at->body_count, at->rank, at->size);
    at->end = id_range_first(at->body_count, at->rank + 1, at->size);
  }
  return at->rank;
}
