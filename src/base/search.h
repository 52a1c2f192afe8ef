#pragma once
// Bisection: the first place in sorted values that does not stand before what is wanted. Local.
#include <stddef.h>

#include "id_pair.h"

// Among [first, end) of an array; end: all of these stand before.
static inline int search_u64(const uint64_t *sorted, int first, int end, uint64_t wanted)
{
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (sorted[middle] < wanted) first = middle + 1;
    else end = middle;
  }
  return first;
}

static inline int search_int(const int *sorted, int first, int end, int wanted)
{
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (sorted[middle] < wanted) first = middle + 1;
    else end = middle;
  }
  return first;
}

static inline int search_pair(const IdPair *sorted, int first, int end, IdPair wanted)
{
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (id_pair_before(sorted[middle], wanted)) first = middle + 1;
    else end = middle;
  }
  return first;
}

// Of a row and what is wanted: negative where the row stands before it.
typedef int SearchOrder(const void *row, const void *wanted);

// Among rows of any kind. A constant order is compiled into the loop.
static inline int64_t search_rows(const void *rows, int64_t count, size_t row_bytes,
                                  const void *wanted, SearchOrder *order)
{
  int64_t first = 0, end = count;
  while (first < end) {
    const int64_t middle = first + (end - first) / 2;
    if (order((const char *)rows + (size_t)middle * row_bytes, wanted) < 0) first = middle + 1;
    else end = middle;
  }
  return first;
}
