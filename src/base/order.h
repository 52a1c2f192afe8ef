#pragma once
// Orders of plain values, for sorts and searches: negative, zero, positive. Local.
#include <stdint.h>

static inline int order_int(int a, int b) { return (a > b) - (a < b); }
static inline int order_i64(int64_t a, int64_t b) { return (a > b) - (a < b); }
static inline int order_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }
static inline int order_f64(double a, double b) { return (a > b) - (a < b); }   // no NaN

// The same of values in an array, as qsort and bsearch call them.
static inline int order_ints(const void *a, const void *b)
{
  return order_int(*(const int *)a, *(const int *)b);
}

static inline int order_i64s(const void *a, const void *b)
{
  return order_i64(*(const int64_t *)a, *(const int64_t *)b);
}

static inline int order_u64s(const void *a, const void *b)
{
  return order_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

static inline int order_f64s(const void *a, const void *b)
{
  return order_f64(*(const double *)a, *(const double *)b);
}
