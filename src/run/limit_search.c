// Halves of what is not known yet.
#include "limit_search.h"

#include <assert.h>
#include <math.h>

LimitSearch limit_search_new(double from, double to, double tolerance)
{
  assert(isfinite(from) && isfinite(to) && from != to && tolerance > 0 && "there is a range");
  return (LimitSearch){.from = from, .to = to, .tolerance = tolerance, .low = from, .high = to};
}

bool limit_search_changes(const LimitSearch *s)
{
  return s->tried >= 2 && s->first != s->last && s->first != VERDICT_UNDECIDED &&
         s->last != VERDICT_UNDECIDED;
}

// Halves a gap that is wider than the tolerance, unless rounding forbids.
static bool halve(const LimitSearch *s, double a, double b, double *value)
{
  *value = a + (b - a) / 2;
  return fabs(b - a) > s->tolerance && *value != a && *value != b;
}

bool limit_search_next(const LimitSearch *s, double *value)
{
  if (s->tried < 2) {
    *value = s->tried == 0 ? s->from : s->to;
    return true;
  }
  if (!limit_search_changes(s)) return false;
  if (!s->unsure) return halve(s, s->low, s->high, value);
  return halve(s, s->low, s->unsure_low, value) || halve(s, s->unsure_high, s->high, value);
}

void limit_search_tell(LimitSearch *s, double value, OutcomeVerdict verdict)
{
  s->tried++;
  if (s->tried == 1) s->first = verdict;
  if (s->tried == 2) s->last = verdict;
  if (s->tried <= 2) return;
  const bool before = s->unsure && fabs(value - s->from) < fabs(s->unsure_low - s->from);
  if (verdict == VERDICT_UNDECIDED) {
    if (!s->unsure || before) s->unsure_low = value;
    if (!s->unsure || !before) s->unsure_high = value;
    s->unsure = true;
  } else if (verdict == s->first) {
    // what is undecided before it is so by itself
    s->low = value;
    if (!before) s->unsure = false;
  } else {
    s->high = value;
    if (before) s->unsure = false;
  }
}
