#pragma once
// Which ids a rank holds before bodies are partitioned by position: contiguous blocks.
#include <stdint.h>

#include "wide.h"

// First id of the block of a rank; the block ends where the next rank's begins.
static inline uint64_t body_block_first(uint64_t body_count, int rank, int size)
{
  return (uint64_t)((uint128)body_count * (unsigned)rank / (unsigned)size);
}

// The rank whose block holds the id.
static inline int body_block_rank(uint64_t body_count, uint64_t id, int size)
{
  int rank = (int)((uint128)id * (unsigned)size / body_count);
  while (id >= body_block_first(body_count, rank + 1, size)) rank++;
  while (id < body_block_first(body_count, rank, size)) rank--;
  return rank;
}

// The block that an id was found in: those that follow each other lie in one mostly.
typedef struct {
  uint64_t body_count;
  int size;              // ranks
  int rank;              // whose block it is
  uint64_t first, end;   // of the block; 0: none yet
} BodyBlockCursor;

// The rank whose block holds the id.
static inline int body_block_find(BodyBlockCursor *at, uint64_t id)
{
  if (id < at->first || id >= at->end) {
    at->rank = body_block_rank(at->body_count, id, at->size);
    at->first = body_block_first(at->body_count, at->rank, at->size);
    at->end = body_block_first(at->body_count, at->rank + 1, at->size);
  }
  return at->rank;
}
