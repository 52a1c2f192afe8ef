#pragma once
// What repeated measurements of one thing say together. Local.

typedef struct {
  double median, low, high;   // low and high: of all repeats
} Spread;

// Sorts the values [count], count >= 1. Of an even number the median is the mean of the middle two.
Spread spread_of(double *values, int count);

// Seconds of processor time of this thread: waiting for others does not count.
double spread_clock(void);
