// Sides along the same edge, against a search over all pairs.
#include "edge_sides.h"
#include "harness.h"
#include "random_numbers.h"

#define MOST_SIDES 600

static void check_random_sides(Random *random)
{
  EdgeSide sides[MOST_SIDES], given[MOST_SIDES];
  int mates[MOST_SIDES];
  // few and many sides, with few and many at each end
  const int count = random_below(random, random_below(random, 3) == 0 ? MOST_SIDES + 1 : 60);
  const int ends = 2 + random_below(random, random_below(random, 3) == 0 ? 2 * MOST_SIDES : 12);
  for (int i = 0; i < count; i++) {
    const int from = random_below(random, ends), to = random_below(random, ends);
    given[i] = sides[i] = edge_side(from, to, i);
    CHECK(given[i].low <= given[i].high && given[i].low + given[i].high == from + to);
  }
  edge_sides_mate(sides, count, mates);
  for (int i = 0; i < count; i++) {
    int others = 0, last = -1;
    for (int k = 0; k < count; k++) {
      if (k == i || given[k].low != given[i].low || given[k].high != given[i].high) continue;
      others++;
      last = k;
    }
    CHECK(mates[i] == (others == 1 ? last : -1));
  }

  // runs of one edge follow each other in order, and have all sides
  int seen = 0;
  for (int i = 0, end; i < count; i = end) {
    end = edge_sides_end(sides, count, i);
    for (int k = i; k < end; k++, seen++) {
      CHECK(sides[k].low == sides[i].low && sides[k].high == sides[i].high);
      CHECK(k == i || sides[k].side > sides[k - 1].side);
    }
    CHECK(end == count || sides[end].low > sides[i].low ||
          (sides[end].low == sides[i].low && sides[end].high > sides[i].high));
  }
  CHECK(seen == count);
}

int main(void)
{
  Random random = {7};
  for (int i = 0; i < 300; i++) check_random_sides(&random);
  return test_report();
}
