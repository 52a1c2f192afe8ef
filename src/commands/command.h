#pragma once
// The commands of the program.
#include <stdbool.h>

#include "options.h"

// What a command takes, each in the command's own file.
extern const OptionTable COMMAND_RUN_OPTIONS, COMMAND_CHECK_OPTIONS, COMMAND_INFO_OPTIONS,
    COMMAND_MESH_OPTIONS, COMMAND_SOLVE_OPTIONS, COMMAND_GEOMETRY_BENCH_OPTIONS,
    COMMAND_OVERLAP_BENCH_OPTIONS, COMMAND_LMD_BENCH_OPTIONS, COMMAND_SOLVER_BENCH_OPTIONS,
    COMMAND_QUALITY_OPTIONS, COMMAND_STATICS_OPTIONS, COMMAND_LIMIT_OPTIONS, COMMAND_REPORT_OPTIONS,
    COMMAND_PICTURE_OPTIONS, COMMAND_MOVIE_OPTIONS;

// Local. All of those in the order of the help; NULL behind the last.
const OptionTable *command_options(int i);

// Collective. Does the command that the first word names. False where there is none; else *code is
// the exit code, the same on all ranks.
bool command_dispatch(int count, char **words, int *code);

// Collective, all that follow; each returns the exit code, the same on all ranks.
int command_run(int count, char **words);   // words after "run"
int command_check(int count, char **words);
int command_info(int count, char **words);
int command_mesh(int count, char **words);
int command_solve(int count, char **words);
int command_bench(int count, char **words);
int command_bench_solver(int count, char **words);   // words after "bench solver"
int command_quality(int count, char **words);
int command_statics(int count, char **words);
int command_limit(int count, char **words);
int command_report(int count, char **words);
int command_picture(int count, char **words);
int command_movie(int count, char **words);
