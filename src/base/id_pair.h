#pragma once
// Pairs of ids of bodies, and their order. Local.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "order.h"

typedef struct {
  uint64_t low, high;
} IdPair;   // low < high

// The pair of two different ids, given in any order.
static inline IdPair id_pair_of(uint64_t a, uint64_t b)
{
  assert(a != b && "nothing is a pair with itself");
  return a < b ? (IdPair){a, b} : (IdPair){b, a};
}

static inline bool id_pair_equal(IdPair a, IdPair b) { return a.low == b.low && a.high == b.high; }

// Does a pair stand before another one? By lower ids, then by higher ones.
static inline bool id_pair_before(IdPair a, IdPair b)
{
  return a.low != b.low ? a.low < b.low : a.high < b.high;
}

// The same order as a number: negative, zero, positive.
static inline int id_pair_compare(IdPair a, IdPair b)
{
  if (a.low != b.low) return a.low < b.low ? -1 : 1;
  return order_u64(a.high, b.high);
}
