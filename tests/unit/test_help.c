// What is printed about commands: all of them, one, a page for man, completion of shells.
#include "command_help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "case_keys.h"
#include "command.h"
#include "harness.h"
#include "memory.h"
#include "parallel.h"

enum { ROOM = 1 << 17 };

// What a command of help prints, and its exit code.
static int printed(int count, char **words, char *text)
{
  fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  FILE *file = tmpfile();
  CHECK(file && dup2(fileno(file), STDOUT_FILENO) >= 0);
  const int code = command_help(count, words);
  fflush(stdout);
  CHECK(dup2(before, STDOUT_FILENO) >= 0);
  close(before);
  rewind(file);
  text[fread(text, 1, ROOM - 1, file)] = 0;
  fclose(file);
  return code;
}

static int lines_of(const char *text)
{
  int lines = 0;
  for (const char *at = text; *at; at++) lines += *at == '\n';
  return lines;
}

static void test_all(char *text)
{
  CHECK(printed(0, NULL, text) == EXIT_DONE);
  const OptionTable *table;
  for (int i = 0; (table = command_options(i)); i++) CHECK(strstr(text, table->command) != NULL);
  CHECK(strstr(text, "drystone help") && strstr(text, "exit codes:") && lines_of(text) < 60);
}

// Each command alone, with all of its options and none of the others' usage.
static void test_each(char *text)
{
  const OptionTable *table;
  for (int i = 0; (table = command_options(i)); i++) {
    char name[64], *words[2] = {name, NULL};
    snprintf(name, sizeof name, "%s", table->command);
    char *blank = strchr(name, ' ');
    if (blank) {
      *blank = 0;
      words[1] = blank + 1;
    }
    CHECK(printed(blank ? 2 : 1, words, text) == EXIT_DONE);
    for (int k = 0; k < table->count; k++) {
      CHECK(strstr(text, table->options[k].name) != NULL);
      CHECK(!table->options[k].longer || strstr(text, table->options[k].longer) != NULL);
    }
    const char *usage = strstr(text, "drystone ");
    CHECK(usage && strncmp(usage + 9, table->command, strlen(table->command)) == 0);
    CHECK((strstr(text, "--allow") != NULL) == (strcmp(table->command, "run") == 0));
  }
  char bench[] = "bench", none[] = "rum", *words[] = {bench}, *bad[] = {none};
  CHECK(printed(1, words, text) == EXIT_DONE);
  CHECK(strstr(text, "options of bench solver:") && strstr(text, "options of bench overlap:"));
  CHECK(printed(1, bad, text) == EXIT_USER && text[0] == 0);
}

// Every option stands in the page, and no line begins with what roff would take for a request of
// its own.
static void test_man(char *text)
{
  char man[] = "--man", *words[] = {man};
  CHECK(printed(1, words, text) == EXIT_DONE);
  static const char *const requests[] = {".TH ", ".SH ", ".SS ", ".TP", ".B ",
                                         ".BI ", ".I ",  ".PP",  ".br"};
  int options = 0;
  for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
    options += strncmp(line, ".TP\n.B \\-", 9) == 0 || strncmp(line, ".TP\n.BI \\-", 10) == 0;
    if (*line != '.') continue;
    bool known = false;
    for (size_t k = 0; k < sizeof requests / sizeof *requests; k++)
      known = known || strncmp(line, requests[k], strlen(requests[k])) == 0;
    if (!CHECK(known)) printf("%.40s\n", line);
  }
  int all = 3;   // of the help itself
  const OptionTable *table;
  for (int i = 0; (table = command_options(i)); i++) all += table->count;
  CHECK(options == all);
  CHECK(strstr(text, ".BI \\-o,\\ \\-\\-output \" \" DIR\n") != NULL);
}

static void test_completion(char *text)
{
  // in one text: names alone would be programs that this file calls (house.needs)
  char option[] = "--completion", shells[] = "bash\0zsh\0fish";
  char *bash = shells, *zsh = bash + strlen(bash) + 1, *fish = zsh + strlen(zsh) + 1;
  char *words[] = {option, bash};
  CHECK(printed(2, words, text) == EXIT_DONE);
  CHECK(strstr(text, "complete -F _drystone drystone") && strstr(text, " solver.tolerance=") &&
        strstr(text, " contacts.0.friction=") && strstr(text, " output.frames.every=") &&
        strstr(text, " time.until.energy=") && strstr(text, "--hash-log") &&
        strstr(text, "\"run \"*) options=\"-o --output --steps"));
  words[1] = zsh;
  CHECK(printed(2, words, text) == EXIT_DONE && strncmp(text, "#compdef drystone\n", 18) == 0);
  CHECK(strstr(text, "'--hash-log:one line per step ") && strstr(text, "Erleben'\\''s suite") &&
        strstr(text, " solver.tolerance="));
  words[1] = fish;
  CHECK(printed(2, words, text) == EXIT_USER && text[0] == 0);
}

// A line for each key that the reader knows.
static void test_keys(char *text)
{
  char option[] = "--keys", *words[] = {option};
  CHECK(printed(1, words, text) == EXIT_DONE);
  int keys = 0;
  for (const CaseKey *key = case_keys(); key->pattern; key++) keys++;
  char deeper[CASE_KEY_BYTES];
  for (int i = 0; case_keys_deeper(i, deeper); i++) keys++;
  CHECK(lines_of(text) == keys && strncmp(text, "title\t''\tmay differ\n", 20) == 0);
  CHECK(strstr(text, "\ntime.step\t\tis for good\n") &&
        strstr(text, "\ncontacts.*.friction\t0\tmay differ with --allow\n") &&
        strstr(text, "\nbodies.*.arch.piers.width\t\tis for good\n") &&
        strstr(text, "\nstages.*.servos.*.force\t\tmay differ with --allow\n"));
}

static void test_asked(void)
{
  char run[] = "run", help[] = "--help", h[] = "-h", name[] = "case.yaml";
  char *with[] = {run, name, help}, *brief[] = {h}, *without[] = {run, name};
  CHECK(command_help_is_asked(3, with) && command_help_is_asked(1, brief));
  CHECK(!command_help_is_asked(2, without) && !command_help_is_asked(0, NULL));
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  char *text = memory_allocate(ROOM);
  test_all(text);
  test_each(text);
  test_man(text);
  test_completion(text);
  test_keys(text);
  test_asked();
  memory_free(text);
  CHECK(memory_live_bytes() == 0);
  const int code = test_report();
  par_end();
  return code;
}
