// Computes median and spread of repeated measurements.
#include "spread.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "order.h"

Spread spread_of(double *values, int count)
{
  assert(count >= 1 && "there is a measurement");
  qsort(values, (size_t)count, sizeof *values, order_f64s);
  const double below = values[(count - 1) / 2], above = values[count / 2];
  return (Spread){.median = 0.5 * (below + above), .low = values[0], .high = values[count - 1]};
}

double spread_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
