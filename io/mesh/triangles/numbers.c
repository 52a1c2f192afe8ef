// Sorts, searches and groups lists of whole numbers.
#include "numbers.h"

#include <assert.h>
#include <stdlib.h>

#include "check.h"
#include "order.h"
#include "search.h"

static int compare_pairs(const void *p, const void *q)
{
  const NumberPair *a = p, *b = q;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return (a->second > b->second) - (a->second < b->second);
}

void numbers_sort_pairs(NumberPair *pairs, int count)
{
  assert(count >= 0 && (pairs != NULL || count == 0) && "pairs are given");
  if (count > 0) qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
}

void numbers_sort(int *numbers, int count)
{
  assert(count >= 0 && (numbers != NULL || count == 0) && "numbers are given");
  if (count > 0) qsort(numbers, (size_t)count, sizeof *numbers, order_ints);
}

int numbers_sort_different(int *numbers, int count)
{
  assert(count >= 0 && (numbers != NULL || count == 0) && "numbers are given");
  numbers_sort(numbers, count);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (kept == 0 || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
  }
  return kept;
}

int numbers_find(const int *numbers, int count, int number)
{
  assert_debug(count >= 0 && (numbers != NULL || count == 0) && "numbers are given");
  const int at = search_int(numbers, 0, count, number);
  return at < count && numbers[at] == number ? at : -1;
}

NumberGroups numbers_group(const int *group, int count, int groups, Arena *arena)
{
  assert(count >= 0 && groups >= 0 && "items and groups are counted");
  // a group's items are counted two places on, so that filling them leaves its start in place
  NumberGroups g = {.start = arena_allocate_zero(arena, (size_t)groups + 2, sizeof *g.start),
                    .members = arena_allocate(arena, (size_t)count * sizeof *g.members)};
  for (int i = 0; i < count; i++) g.start[group[i] + 2]++;
  for (int k = 0; k < groups; k++) g.start[k + 2] += g.start[k + 1];
  for (int i = 0; i < count; i++) g.members[g.start[group[i] + 1]++] = i;
  return g;
}
