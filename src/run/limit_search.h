#pragma once
// A search for the value between two ends at which a verdict changes, by halves. What is undecided
// stays between both sides, and is narrowed from both. Local.
#include "outcome.h"

typedef struct {
  double from, to;    // the ends, in this order
  double tolerance;   // of the value
  int tried;
  OutcomeVerdict first, last;   // at the ends
  double low, high;             // towards the other end: how far the verdicts of the ends reach
  bool unsure;                  // there are undecided values between them:
  double unsure_low, unsure_high;
} LimitSearch;

LimitSearch limit_search_new(double from, double to, double tolerance);

// The value to try next; false: there is none, and the search is over.
bool limit_search_next(const LimitSearch *search, double *value);

// What came of that value.
void limit_search_tell(LimitSearch *search, double value, OutcomeVerdict verdict);

// Whether both ends have verdicts that differ, and neither is undecided.
bool limit_search_changes(const LimitSearch *search);
