// Words of a command line read by a table of options, and the tables of all commands.
#include "options.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "harness.h"
#include "log.h"
#include "memory.h"

typedef struct {
  bool flag;
  int count;
  int64_t long_count;
  double real, seconds;
  const char *text, *file;
  OptionTexts texts;
} Values;

static bool is_short(const char *word) { return strlen(word) < 4; }

static const Option options[] = {
    {"--flag", NULL, "f", OPTION_FLAG, .offset = offsetof(Values, flag)},
    {"--count", "N", "c", OPTION_COUNT, .offset = offsetof(Values, count), .low = 1, .high = 9},
    {"--long", "N", "l", OPTION_LONG_COUNT, .offset = offsetof(Values, long_count), .high = 0x1p63,
     .refusal = "--long: '%s' is none"},
    {"--real", "X", "r", OPTION_REAL, .offset = offsetof(Values, real), .high = 1,
     .without_ends = true},
    {"--wall", "T", "w", OPTION_DURATION, .offset = offsetof(Values, seconds),
     .refusal = "no time '%s'"},
    {"--text", "S", "t", OPTION_TEXT, .offset = offsetof(Values, text), .longer = "--letters",
     .accepts = is_short, .refusal = "%s is long"},
    {"--texts", "S", "ts", OPTION_TEXTS, .offset = offsetof(Values, texts), .accepts = is_short,
     .refusal = "%s is long"}};

static const OptionTable table = {.command = "try",
                                  .purpose = "p",
                                  .file = "CASE",
                                  .files = "case files",
                                  .no_file = "try needs a case",
                                  .file_offset = offsetof(Values, file),
                                  .count = sizeof options / sizeof *options,
                                  .options = options};
static const OptionTable no_file = {
    .command = "bare", .purpose = "p", .count = 2, .options = options};

typedef struct {
  int messages;
  char last[512];
} Heard;

static void hear(void *context, LogLevel level, const char *text)
{
  Heard *heard = context;
  (void)level;
  heard->messages++;
  snprintf(heard->last, sizeof heard->last, "%s", text);
}

// Reads words that are parted by blanks.
static bool read_line(const OptionTable *by, const char *line, char *room, Values *values)
{
  int count = 0;
  char *words[32];
  strcpy(room, line);
  for (char *word = strtok(room, " "); word; word = strtok(NULL, " ")) words[count++] = word;
  *values = (Values){.count = -1};
  return options_read(by, count, words, values);
}

static void test_taken(void)
{
  char room[256];
  Values v;
  CHECK(
      read_line(&table,
                "--count 1 --long 9007199254740993 --texts a --flag --real .5 --wall 2m --count 9 "
                "c.yaml --text abc --texts --b",
                room, &v));
  CHECK(v.flag && v.count == 9 && v.long_count == 9007199254740993);
  CHECK(v.real == 0.5 && v.seconds == 120);
  CHECK(strcmp(v.text, "abc") == 0 && strcmp(v.file, "c.yaml") == 0);
  CHECK(v.texts.count == 2 && strcmp(v.texts.texts[0], "a") == 0 &&
        strcmp(v.texts.texts[1], "--b") == 0);
  options_end(&table, &v);
  CHECK(v.texts.count == 0 && !v.texts.texts);
  CHECK(read_line(&table, "-", room, &v) && strcmp(v.file, "-") == 0);
  CHECK(!v.flag && v.count == -1 && !v.text);
  CHECK(read_line(&table, "c --text a --letters b", room, &v) && strcmp(v.text, "b") == 0);
  CHECK(read_line(&no_file, "--flag", room, &v) && v.flag);
}

static void test_refused(void)
{
  static const struct {
    const OptionTable *by;
    const char *line, *message;
  } bad[] = {
      {&table, "c --fast",
       "unknown option --fast of try, which takes --flag, --count, --long, --real, --wall, --text "
       "and --texts"},
      {&table, "c --coun 3", "unknown option --coun of try, which takes --flag"},
      {&no_file, "-x", "unknown option -x of bare, which takes --flag and --count"},
      {&table, "c --count", "option --count needs a value: --count N"},
      {&table, "c --letters", "option --letters needs a value: --letters S"},
      {&table, "--texts", "option --texts needs a value: --texts S"},
      {&table, "c --count 0", "option --count: expected a whole number from 1 to 9, found '0'"},
      {&table, "c --count 10", "option --count: expected a whole number from 1 to 9, found '10'"},
      {&table, "c --count 3x", "option --count: expected a whole number from 1 to 9, found '3x'"},
      {&table, "c --count 99999999999999999999", "from 1 to 9, found '99999999999999999999'"},
      {&table, "c --long 99999999999999999999", "--long: '99999999999999999999' is none"},
      {&table, "c --long -1", "--long: '-1' is none"},
      {&table, "c --real 0", "option --real: expected a number between 0 and 1, found '0'"},
      {&table, "c --real 1", "between 0 and 1, found '1'"},
      {&table, "c --real nan", "between 0 and 1, found 'nan'"},
      {&table, "c --real 0.5m", "between 0 and 1, found '0.5m'"},
      {&table, "c --wall 3y", "no time '3y'"},
      {&table, "c --text %s%s", "%s%s is long"},
      {&table, "c --texts a --texts longer", "longer is long"},
      {&table, "one two", "two case files given, one and two; try takes one"},
      {&table, "--flag", "try needs a case"},
      {&no_file, "one", "bare takes no file, found 'one'"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char room[256];
    Values values;
    Heard heard = {0};
    const LogSink before = log_use((LogSink){hear, &heard});
    const bool taken = read_line(bad[i].by, bad[i].line, room, &values);
    options_end(bad[i].by, &values);
    log_use(before);
    const bool said = heard.messages == 1 && strstr(heard.last, bad[i].message);
    if (!CHECK(!taken && said)) printf("%s: %s\n", bad[i].line, heard.last);
  }
}

// A name as it is typed, told once; a help; a word for the argument where one is due.
static bool is_sound(const OptionTable *of, int i)
{
  const Option *o = &of->options[i];
  if (strcmp(o->name, "-o") == 0 && (!o->longer || strcmp(o->longer, "--output") != 0))
    return false;
  for (int k = 0; k < i; k++)
    if (strcmp(of->options[k].name, o->name) == 0 || of->options[k].offset == o->offset)
      return false;
  const bool number =
      o->kind == OPTION_COUNT || o->kind == OPTION_LONG_COUNT || o->kind == OPTION_REAL;
  const char *gap = o->refusal ? strstr(o->refusal, "%s") : NULL;
  return o->name[0] == '-' && o->help && o->help[0] > ' ' &&
         (o->kind == OPTION_FLAG) == !o->argument && (!number || o->low < o->high) &&
         (!o->refusal || gap) && ((!o->accepts && o->kind != OPTION_DURATION) || gap);
}

static void test_commands(void)
{
  int count = 0;
  for (const OptionTable *of; (of = command_options(count)); count++) {
    CHECK(of->purpose && *of->purpose && of->count > 0);
    CHECK(!of->file || (of->files && of->no_file));
    for (int k = 0; k < count; k++) CHECK(strcmp(command_options(k)->command, of->command) != 0);
    for (int i = 0; i < of->count; i++)
      if (!CHECK(is_sound(of, i))) printf("%s %s\n", of->command, of->options[i].name);
  }
  CHECK(count == 15);
}

int main(void)
{
  test_taken();
  test_refused();
  test_commands();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
