#include "numbers.h"

#include <stdlib.h>

static int compare_numbers(const void *p, const void *q)
{
  const int a = *(const int *)p, b = *(const int *)q;
  return (a > b) - (a < b);
}

static int compare_pairs(const void *p, const void *q)
{
  const NumberPair *a = p, *b = q;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return (a->second > b->second) - (a->second < b->second);
}

void number_pairs_sort(NumberPair *pairs, int count)
{
  if (count > 0) qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
}

void numbers_sort(int *numbers, int count)
{
  if (count > 0) qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
}

int numbers_sort_different(int *numbers, int count)
{
  numbers_sort(numbers, count);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (kept == 0 || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
  }
  return kept;
}

int numbers_find(const int *numbers, int count, int number)
{
  if (count == 0) return -1;
  const int *found = bsearch(&number, numbers, (size_t)count, sizeof *numbers, compare_numbers);
  return found ? (int)(found - numbers) : -1;
}

NumberGroups numbers_group(const int *group, int count, int groups, Arena *arena)
{
  // a group's items are counted two places on, so that filling them leaves its start in place
  NumberGroups g = {.start = arena_allocate_zero(arena, (size_t)groups + 2, sizeof *g.start),
                    .members = arena_allocate(arena, (size_t)count * sizeof *g.members)};
  for (int i = 0; i < count; i++) g.start[group[i] + 2]++;
  for (int k = 0; k < groups; k++) g.start[k + 2] += g.start[k + 1];
  for (int i = 0; i < count; i++) g.members[g.start[group[i] + 1]++] = i;
  return g;
}
