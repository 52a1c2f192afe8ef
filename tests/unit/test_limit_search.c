// The search for a limit: it narrows to the tolerance from either side, keeps what is undecided
// between both, and says where nothing changes.
#include "limit_search.h"

#include <math.h>

#include "harness.h"
#include "random_numbers.h"

// A case that holds below one value, fails above another, and is undecided between both.
typedef struct {
  double holds_below, fails_above;
} Nature;

static OutcomeVerdict verdict_at(const Nature *nature, double value)
{
  if (value < nature->holds_below) return VERDICT_HOLDS;
  return value > nature->fails_above ? VERDICT_FAILS : VERDICT_UNDECIDED;
}

static LimitSearch search(const Nature *nature, double from, double to, double tolerance)
{
  LimitSearch s = limit_search_new(from, to, tolerance);
  double value;
  while (s.tried < 1000 && limit_search_next(&s, &value))
    limit_search_tell(&s, value, verdict_at(nature, value));
  CHECK(s.tried < 200);
  return s;
}

static void test_sharp(void)
{
  const Nature nature = {0.3, 0.3};
  for (int turned = 0; turned < 2; turned++) {
    const LimitSearch s = search(&nature, turned ? 1 : 0, turned ? 0 : 1, 1e-3);
    CHECK(limit_search_changes(&s) && !s.unsure);
    const double holds = turned ? s.high : s.low, fails = turned ? s.low : s.high;
    CHECK(holds < 0.3 && fails > 0.3 && fails - holds <= 1e-3);
    CHECK(s.first == (turned ? VERDICT_FAILS : VERDICT_HOLDS));
  }
}

static void test_no_change(void)
{
  const Nature nature = {0.3, 0.4};
  LimitSearch s = search(&nature, 0, 0.2, 1e-3);
  CHECK(s.tried == 2 && !limit_search_changes(&s) && s.first == VERDICT_HOLDS);
  s = search(&nature, 0.35, 0.9, 1e-3);
  CHECK(s.tried == 2 && !limit_search_changes(&s) && s.first == VERDICT_UNDECIDED);
}

// Both sides are within the tolerance of what is undecided, or of each other where that is narrow.
static void test_random(void)
{
  Random random = {3};
  for (int round = 0; round < 2000; round++) {
    const double a = random_between(&random, 0.01, 0.99);
    const double width = random_below(&random, 3) ? random_between(&random, 0, 0.3) : 0;
    const Nature nature = {a, fmin(a + width, 0.995)};
    const double tolerance = pow(10, random_between(&random, -6, -1));
    const bool turned = random_below(&random, 2) == 1;
    const LimitSearch s = search(&nature, turned, !turned, tolerance);
    if (!CHECK(limit_search_changes(&s))) continue;
    const double holds = turned ? s.high : s.low, fails = turned ? s.low : s.high;
    CHECK(holds < nature.holds_below && fails > nature.fails_above);
    if (!s.unsure) {
      CHECK(fails - holds <= tolerance);
      continue;
    }
    const double low = fmin(s.unsure_low, s.unsure_high);
    const double high = fmax(s.unsure_low, s.unsure_high);
    CHECK(low >= nature.holds_below && high <= nature.fails_above);
    CHECK(low - holds <= tolerance && fails - high <= tolerance);
  }
}

// Rounding ends a search whose tolerance is too small.
static void test_rounding(void)
{
  const Nature nature = {1, 1};
  const LimitSearch s = search(&nature, 0.5, 1.5, 1e-30);
  CHECK(limit_search_changes(&s) && s.tried < 120);
}

int main(void)
{
  test_sharp();
  test_no_change();
  test_random();
  test_rounding();
  return test_report();
}
