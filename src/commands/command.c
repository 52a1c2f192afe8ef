// The list of commands: which function does each.
#include "command.h"

#include <assert.h>
#include <string.h>

static const OptionTable *const tables[] = {
    &COMMAND_RUN_OPTIONS,           &COMMAND_CHECK_OPTIONS,     &COMMAND_INFO_OPTIONS,
    &COMMAND_MESH_OPTIONS,          &COMMAND_SOLVE_OPTIONS,     &COMMAND_GEOMETRY_BENCH_OPTIONS,
    &COMMAND_OVERLAP_BENCH_OPTIONS, &COMMAND_LMD_BENCH_OPTIONS, &COMMAND_SOLVER_BENCH_OPTIONS,
    &COMMAND_QUALITY_OPTIONS,       &COMMAND_STATICS_OPTIONS,   &COMMAND_LIMIT_OPTIONS,
    &COMMAND_REPORT_OPTIONS,        &COMMAND_PICTURE_OPTIONS,   &COMMAND_MOVIE_OPTIONS};
enum { TABLES = sizeof tables / sizeof *tables };

const OptionTable *command_options(int i)
{
  assert(i >= 0 && "tables are numbered");
  return i < TABLES ? tables[i] : NULL;
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
      {"quality", command_quality}, {"statics", command_statics}, {"limit", command_limit},
      {"report", command_report},   {"picture", command_picture}, {"movie", command_movie}};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(words[0], commands[i].name) != 0) continue;
    *code = commands[i].function(count - 1, words + 1);
    return true;
  }
  return false;
}
