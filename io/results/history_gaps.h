#pragma once
// What stands in the tables of lines of a folder, and what is missing there. Local, for rank 0.
#include <stdbool.h>
#include <stdint.h>

// Warns of steps from 1 to last_step that a table with a line per step has no line of, lines of
// steps that were told of before, and lines with more or fewer fields than the heading: how many,
// and the first of each.
void history_report_gaps(const char *path, int64_t last_step);

// Warns where a table has not that many lines beside its heading.
void history_report_count(const char *path, int64_t lines);

// Sum of a column of whole numbers over the lines up to a step; -1: there is no such table or
// column. Lines that are cut short count nothing.
int64_t history_sum(const char *path, const char *column, int64_t last_step);

// What a column holds over the same lines, as whole numbers and as real ones.
typedef struct {
  bool there;
  int64_t sum;
  double largest;      // -1: there is no line
  int64_t last_step;   // of the last line; 0: there is none
  double last;         // there
} HistoryColumn;

HistoryColumn history_column(const char *path, const char *column, int64_t last_step);
