// The list of commands: which function does each, and the help that their tables make.
#include "command.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const OptionTable *const tables[] = {
    &COMMAND_RUN_OPTIONS,           &COMMAND_CHECK_OPTIONS,     &COMMAND_INFO_OPTIONS,
    &COMMAND_MESH_OPTIONS,          &COMMAND_SOLVE_OPTIONS,     &COMMAND_GEOMETRY_BENCH_OPTIONS,
    &COMMAND_OVERLAP_BENCH_OPTIONS, &COMMAND_LMD_BENCH_OPTIONS, &COMMAND_SOLVER_BENCH_OPTIONS,
    &COMMAND_QUALITY_OPTIONS,       &COMMAND_STATICS_OPTIONS,   &COMMAND_LIMIT_OPTIONS};
enum { TABLES = sizeof tables / sizeof *tables };

static const char *const help_of_exit_codes =
    "exit codes: 0 done, 2 wrong case, mesh or option, 3 not converged where the case demands it,\n"
    "            4 input/output failed or data damaged, 5 a body's motion left the range of "
    "numbers\n"
    "            (loads, speeds or steps too large), 70 a bug of ours, 71 out of memory,\n"
    "            85 stopped as asked with a checkpoint, 86 stopped at once when asked again\n";

const OptionTable *command_options(int i)
{
  assert(i >= 0 && "tables are numbered");
  return i < TABLES ? tables[i] : NULL;
}

void command_print_help(void)
{
  for (int i = 0; i < TABLES; i++) options_print_usage(tables[i], i == 0);
  puts("       drystone --help | --version");
  for (int i = 0; i < TABLES; i++) options_print_help(tables[i]);
  printf("\n%s", help_of_exit_codes);
}

bool command_dispatch(int count, char **words, int *code)
{
  assert(count >= 1 && "a command has a name");
  static const struct {
    const char *name;
    int (*function)(int count, char **words);
  } commands[] = {
      {"run", command_run},         {"check", command_check},     {"info", command_info},
      {"mesh", command_mesh},       {"solve", command_solve},     {"bench", command_bench},
      {"quality", command_quality}, {"statics", command_statics}, {"limit", command_limit}};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(words[0], commands[i].name) != 0) continue;
    *code = commands[i].function(count - 1, words + 1);
    return true;
  }
  return false;
}
