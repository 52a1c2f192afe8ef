#pragma once
// The commands of the program. Collective, all of them; each returns the exit code, the same on all
// ranks.

int command_run(int count, char **words);   // words after "run"
int command_check(int count, char **words);
int command_info(int count, char **words);
int command_mesh(int count, char **words);
int command_solve(int count, char **words);
int command_bench(int count, char **words);
int command_bench_solver(int count, char **words);   // words after "bench solver"
int command_quality(int count, char **words);
