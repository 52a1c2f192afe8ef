// Lists of numbers against what a slow search says.
#include "harness.h"
#include "numbers.h"
#include "random_numbers.h"

#define MOST 50

static int times_in(const int *numbers, int count, int number)
{
  int times = 0;
  for (int i = 0; i < count; i++) times += numbers[i] == number;
  return times;
}

static void check_sorting(Random *random)
{
  int given[MOST], sorted[MOST], different[MOST];
  const int count = random_below(random, MOST + 1), range = 1 + random_below(random, 60);
  for (int i = 0; i < count; i++) {
    given[i] = sorted[i] = different[i] = random_below(random, 2 * range) - range;
  }
  numbers_sort(sorted, count);
  const int kept = numbers_sort_different(different, count);
  for (int i = 0; i < count; i++) {
    CHECK(i == 0 || sorted[i] >= sorted[i - 1]);
    CHECK(times_in(sorted, count, given[i]) == times_in(given, count, given[i]));
    CHECK(times_in(different, kept, given[i]) == 1);
  }
  for (int i = 1; i < kept; i++) CHECK(different[i] > different[i - 1]);
  for (int number = -range - 1; number <= range; number++) {
    const int place = numbers_find(different, kept, number);
    if (times_in(given, count, number) == 0) CHECK(place == -1);
    else CHECK(place >= 0 && place < kept && different[place] == number);
  }
}

static void check_pairs(Random *random)
{
  NumberPair pairs[MOST];
  int first_of[MOST];
  const int count = random_below(random, MOST + 1), range = 1 + random_below(random, 10);
  for (int i = 0; i < count; i++) {
    first_of[i] = random_below(random, range);
    pairs[i] = (NumberPair){first_of[i], count - i};
  }
  numbers_sort_pairs(pairs, count);
  for (int i = 0; i < count; i++) {
    CHECK(first_of[count - pairs[i].second] == pairs[i].first);
    CHECK(i == 0 || pairs[i].first > pairs[i - 1].first ||
          (pairs[i].first == pairs[i - 1].first && pairs[i].second > pairs[i - 1].second));
  }
}

static void check_groups(Random *random, Arena *arena)
{
  int group[MOST];
  const int count = random_below(random, MOST + 1), groups = 1 + random_below(random, 8);
  for (int i = 0; i < count; i++) group[i] = random_below(random, groups);
  const NumberGroups found = numbers_group(group, count, groups, arena);
  CHECK(found.start[0] == 0 && found.start[groups] == count);
  for (int g = 0; g < groups; g++) {
    CHECK(found.start[g + 1] - found.start[g] == times_in(group, count, g));
    for (int i = found.start[g]; i < found.start[g + 1]; i++) {
      CHECK(group[found.members[i]] == g);
      CHECK(i == found.start[g] || found.members[i] > found.members[i - 1]);
    }
  }
  arena_reset(arena);
}

int main(void)
{
  Arena arena = arena_new();
  Random random = {11};
  for (int i = 0; i < 300; i++) {
    check_sorting(&random);
    check_pairs(&random);
    check_groups(&random, &arena);
  }
  arena_destroy(&arena);
  return test_report();
}
