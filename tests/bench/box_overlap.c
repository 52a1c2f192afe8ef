// Seconds of processor time that all overlapping pairs of a load take, building included.
// Arguments: number of boxes, repeats, number of one load (0: all).
#include "box_overlap.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "arena.h"
#include "box_loads.h"
#include "memory.h"

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static void measure(const BoxLoad *load, int count, int repeats)
{
  Box *boxes = memory_allocate((size_t)count * sizeof *boxes);
  double *seconds = memory_allocate((size_t)repeats * sizeof *seconds);
  load->fill(boxes, count);
  int64_t pairs = 0;
  for (int k = 0; k < repeats; k++) {
    Arena arena = arena_new();
    const double begin = now();
    pairs = box_overlap_find(boxes, count, &arena).count;
    seconds[k] = now() - begin;
    arena_destroy(&arena);
  }
  qsort(seconds, (size_t)repeats, sizeof *seconds, compare_doubles);
  printf("%-18s %9d boxes %10lld pairs  %.4f s median, %.4f least, %.4f most\n", load->name, count,
         (long long)pairs, seconds[repeats / 2], seconds[0], seconds[repeats - 1]);
  memory_free(seconds);
  memory_free(boxes);
}

int main(int argument_count, char **arguments)
{
  const int count = argument_count > 1 ? atoi(arguments[1]) : 1000000;
  const int repeats = argument_count > 2 ? atoi(arguments[2]) : 5;
  const int one = argument_count > 3 ? atoi(arguments[3]) : 0;
  if (count < 1 || repeats < 1 || one < 0 || one > BOX_LOAD_COUNT) {
    fprintf(stderr, "usage: %s [BOXES [REPEATS [LOAD]]], loads 1 to %d\n", arguments[0],
            BOX_LOAD_COUNT);
    return 2;
  }
  for (int k = 0; k < BOX_LOAD_COUNT; k++)
    if (one == 0 || one == k + 1) measure(&BOX_LOADS[k], count, repeats);
  return 0;
}
