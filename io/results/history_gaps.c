// Reads tables of lines: steps that they lack or have twice, and sums.
#include "history_gaps.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "plural.h"

// Commas outside quotes.
static int count_commas(const char *line)
{
  int count = 0, quotes = 0;
  for (; *line; line++) {
    quotes += *line == '"';
    count += *line == ',' && quotes % 2 == 0;
  }
  return count;
}

typedef struct {
  int64_t missing, first_missing, repeated, first_repeated, odd, first_odd;
} Gaps;

static void note(int64_t *count, int64_t *first, int64_t step, int64_t more)
{
  assert(more > 0 && "what is noted is counted");
  if (*count == 0) *first = step;
  *count += more;
}

static void look_at_line(Gaps *gaps, const char *line, int commas, int64_t *done)
{
  assert(commas >= 0 && *done >= 0 && "steps count from 0");
  const int64_t step = strtoll(line, NULL, 10);
  if (step <= *done) note(&gaps->repeated, &gaps->first_repeated, step, 1);
  if (step > *done + 1) note(&gaps->missing, &gaps->first_missing, *done + 1, step - *done - 1);
  if (count_commas(line) != commas) note(&gaps->odd, &gaps->first_odd, step, 1);
  if (step > *done) *done = step;
}

void history_report_gaps(const char *path, int64_t last_step)
{
  assert(path != NULL && "a table has a path");
  FILE *file = fopen(path, "r");
  if (!file) return;
  Gaps gaps = {0};
  char *line = NULL;
  size_t room = 0;
  const int commas = getline(&line, &room, file) > 0 ? count_commas(line) : 0;
  int64_t done = 0;
  while (getline(&line, &room, file) > 0) look_at_line(&gaps, line, commas, &done);
  if (done < last_step) note(&gaps.missing, &gaps.first_missing, done + 1, last_step - done);
  free(line);
  fclose(file);
  if (gaps.missing)
    log_warning("%s is damaged: it has no lines of %lld of the steps up to %lld, the first is %lld",
                path, (long long)gaps.missing, (long long)last_step, (long long)gaps.first_missing);
  if (gaps.repeated)
    log_warning("%s is damaged: %lld %s told of before, the first of step %lld", path,
                (long long)gaps.repeated,
                plural(gaps.repeated, "line is of a step", "lines are of steps"),
                (long long)gaps.first_repeated);
  if (gaps.odd)
    log_warning("%s is damaged: %lld %s not the %d fields of its heading, the first is that "
                "of step %lld",
                path, (long long)gaps.odd, plural(gaps.odd, "line has", "lines have"), commas + 1,
                (long long)gaps.first_odd);
}

void history_report_count(const char *path, int64_t lines)
{
  assert(lines >= 0 && "lines are counted");
  FILE *file = fopen(path, "r");
  if (!file) return;
  int64_t found = -1;   // the heading
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, file) > 0) found++;
  free(line);
  fclose(file);
  if (found != lines)
    log_warning("%s is damaged: it has %lld %s, and there were %lld to tell of", path,
                (long long)found, plural(found, "line", "lines"), (long long)lines);
}

// A field of a line without quotes, from zero; NULL: it has not so many.
static const char *field_of(const char *line, int number)
{
  assert(number >= 0 && "fields are counted");
  for (; line && number > 0; number--) {
    line = strchr(line, ',');
    if (line) line++;
  }
  return line;
}

// The number of a column in a heading, -1: it has none of that name.
static int find_column(const char *heading, const char *column)
{
  assert(column[0] != 0 && "a column has a name");
  const size_t length = strlen(column);
  for (int i = 0;; i++) {
    const char *field = field_of(heading, i);
    if (!field) return -1;
    if (strcspn(field, ",\n") == length && strncmp(field, column, length) == 0) return i;
  }
}

HistoryColumn history_column(const char *path, const char *column, int64_t last_step)
{
  assert(path != NULL && last_step >= 0 && "a table has a path");
  HistoryColumn found = {.largest = -1};
  FILE *file = fopen(path, "r");
  if (!file) return found;
  char *line = NULL;
  size_t room = 0;
  const int number = getline(&line, &room, file) > 0 ? find_column(line, column) : -1;
  found.there = number >= 0;
  while (number >= 0 && getline(&line, &room, file) > 0) {
    const char *field = field_of(line, number);
    const int64_t step = strtoll(line, NULL, 10);
    if (!field || step > last_step) continue;
    found.sum += strtoll(field, NULL, 10);
    found.last = strtod(field, NULL);
    found.last_step = step;
    if (found.last > found.largest) found.largest = found.last;
  }
  free(line);
  fclose(file);
  return found;
}

int64_t history_sum(const char *path, const char *column, int64_t last_step)
{
  const HistoryColumn found = history_column(path, column, last_step);
  return found.there ? found.sum : -1;
}
