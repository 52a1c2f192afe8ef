// Reads the words behind a command by the table of its options, and prints that table as help.
#include "options.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "parallel.h"
#include "stop.h"

#define USAGE_COLUMN 41
#define HELP_COLUMN 20
#define USAGE_OPTIONS 4   // a command with more of them has [options] in its usage

static void *place_of(void *values, size_t offset) { return (char *)values + offset; }

// -- values ---------------------------------------------------------------------------------------

static bool within(const Option *option, double value)
{
  assert(option->low <= option->high && "limits have an order");
  return option->without_ends ? value > option->low && value < option->high
                              : value >= option->low && value <= option->high;
}

static bool read_count(const Option *option, const char *word, void *place)
{
  assert((option->kind != OPTION_COUNT || (option->low >= INT_MIN && option->high <= INT_MAX)) &&
         "a count fits its place");
  char *end;
  errno = 0;
  const long long value = strtoll(word, &end, 10);
  if (end == word || *end || errno || !within(option, (double)value)) return false;
  if (option->kind == OPTION_COUNT) *(int *)place = (int)value;
  else *(int64_t *)place = value;
  return true;
}

static bool read_real(const Option *option, const char *word, double *value)
{
  char *end;
  *value = strtod(word, &end);
  return end != word && !*end && within(option, *value);
}

static bool accepts_text(const Option *option, const char *word)
{
  return !option->accepts || option->accepts(word);
}

static bool add_text(const Option *option, const char *word, OptionTexts *list)
{
  assert((list->count == 0) == (list->texts == NULL) && "words that are counted have a place");
  if (!accepts_text(option, word)) return false;
  list->texts = memory_resize(list->texts, (size_t)(list->count + 1) * sizeof *list->texts);
  list->texts[list->count++] = word;
  return true;
}

static bool take_value(const Option *option, const char *word, void *place)
{
  switch (option->kind) {
  case OPTION_FLAG: break;
  case OPTION_COUNT:
  case OPTION_LONG_COUNT: return read_count(option, word, place);
  case OPTION_REAL: return read_real(option, word, place);
  case OPTION_DURATION: return stop_parse_duration(word, place);
  case OPTION_TEXT: *(const char **)place = word; return accepts_text(option, word);
  case OPTION_TEXTS: return add_text(option, word, place);
  }
  assert(false && "a flag takes no value");
  return false;
}

static bool refuse_value(const Option *option, const char *word)
{
  assert((option->refusal || option->kind == OPTION_COUNT || option->kind == OPTION_LONG_COUNT ||
          option->kind == OPTION_REAL) &&
         "texts and durations say why they are refused");
  const char *gap = option->refusal ? strstr(option->refusal, "%s") : NULL;
  if (gap)
    return all_ok(false, "%.*s%s%s", (int)(gap - option->refusal), option->refusal, word, gap + 2);
  const char *ends[] = {option->without_ends ? "between" : "from",
                        option->without_ends ? "and" : "to"};
  if (option->kind == OPTION_REAL)
    return all_ok(false, "option %s: expected a number %s %g %s %g, found '%s'", option->name,
                  ends[0], option->low, ends[1], option->high, word);
  return all_ok(false, "option %s: expected a whole number %s %.0f %s %.0f, found '%s'",
                option->name, ends[0], option->low, ends[1], option->high, word);
}

// -- words ----------------------------------------------------------------------------------------

static const Option *find_option(const OptionTable *table, const char *word)
{
  for (int i = 0; i < table->count; i++) {
    const Option *option = &table->options[i];
    assert((option->kind == OPTION_FLAG) == (option->argument == NULL) && "flags take no value");
    if (strcmp(option->name, word) == 0) return option;
    if (option->longer && strcmp(option->longer, word) == 0) return option;
  }
  return NULL;
}

static bool refuse_option(const OptionTable *table, const char *word)
{
  assert(table->count >= 0 && "options are counted");
  size_t bytes = 1;
  for (int i = 0; i < table->count; i++) bytes += strlen(table->options[i].name) + 5;
  char *names = memory_allocate(bytes);
  size_t used = 0;
  for (int i = 0; i < table->count; i++) {
    const char *joint = i == 0 ? "" : i + 1 == table->count ? " and " : ", ";
    used += (size_t)snprintf(names + used, bytes - used, "%s%s", joint, table->options[i].name);
  }
  assert(used < bytes && "names have room");
  all_ok(false, "unknown option %s of %s, which takes %s", word, table->command, names);
  memory_free(names);
  return false;
}

static bool take_file(const OptionTable *table, const char *word, void *values)
{
  if (!table->file) return all_ok(false, "%s takes no file, found '%s'", table->command, word);
  const char **file = place_of(values, table->file_offset);
  if (*file)
    return all_ok(false, "two %s given, %s and %s; %s takes one", table->files, *file, word,
                  table->command);
  *file = word;
  return true;
}

bool options_read(const OptionTable *table, int count, char **words, void *values)
{
  assert(count >= 0 && (words != NULL || count == 0) && "words are counted");
  assert((!table->file || (table->files && table->no_file)) &&
         "who takes a file says so where none or two are given");
  for (int i = 0; i < count; i++) {
    const char *word = words[i];
    const Option *option = find_option(table, word);
    void *place = option ? place_of(values, option->offset) : NULL;
    if (!option && word[0] == '-' && word[1]) return refuse_option(table, word);
    if (!option) {
      if (!take_file(table, word, values)) return false;
    } else if (!option->argument) {
      *(bool *)place = true;
    } else if (i + 1 == count) {
      return all_ok(false, "option %s needs a value: %s %s", word, word, option->argument);
    } else if (!take_value(option, words[++i], place)) {
      return refuse_value(option, words[i]);
    }
  }
  const bool named = !table->file || *(const char **)place_of(values, table->file_offset);
  return named || all_ok(false, "%s", table->no_file);
}

void options_end(const OptionTable *table, void *values)
{
  for (int i = 0; i < table->count; i++) {
    if (table->options[i].kind != OPTION_TEXTS) continue;
    OptionTexts *list = place_of(values, table->options[i].offset);
    memory_free(list->texts);
    *list = (OptionTexts){0};
  }
}

// -- help -----------------------------------------------------------------------------------------

// Lines that begin at a column of the terminal, the first behind what is already printed.
static void print_lines(const char *lines, int used, int column)
{
  assert(used >= 0 && column >= 0 && "columns are counted");
  if (used > 0 && used >= column) {
    puts("");
    used = 0;
  }
  while (true) {
    const size_t bytes = strcspn(lines, "\n");
    printf("%*s%.*s\n", column - used, "", (int)bytes, lines);
    if (!lines[bytes]) return;
    lines += bytes + 1;
    used = 0;
  }
}

void options_print_usage(const OptionTable *table, bool first)
{
  assert(table->command && table->purpose && "a command has a name and a purpose");
  int used = printf("%s drystone %s", first ? "usage:" : "      ", table->command);
  if (table->file) used += printf(" %s", table->file);
  if (table->count > USAGE_OPTIONS) used += printf(" [options]");
  for (int i = 0; i < table->count && table->count <= USAGE_OPTIONS; i++) {
    const Option *option = &table->options[i];
    used += option->argument ? printf(" [%s %s]", option->name, option->argument)
                             : printf(" [%s]", option->name);
  }
  print_lines(table->purpose, used, USAGE_COLUMN);
}

void options_print_help(const OptionTable *table)
{
  assert(table->count >= 0 && (table->options != NULL || table->count == 0) &&
         "options are counted");
  printf("\noptions of %s:\n", table->command);
  for (int i = 0; i < table->count; i++) {
    const Option *option = &table->options[i];
    int used = printf("  %s", option->name);
    if (option->longer) used += printf(", %s", option->longer);
    if (option->argument) used += printf(" %s", option->argument);
    print_lines(option->help, used, HELP_COLUMN);
  }
  if (table->note) print_lines(table->note, 0, 0);
}
