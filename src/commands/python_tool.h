#pragma once
// Commands that the Python package does. Rank 0 calls it.

// Collective. Runs `python3 -m drystone COMMAND` with [count] further words and waits; its output
// is ours. Returns its exit code on all ranks, or EXIT_USER after one message where there is no
// Python.
int python_tool_run(const char *command, int count, char **words);
