#pragma once
// What is printed about the commands from their tables: helps, a page for man, words for shells. To
// standard output. Local, but for command_help.
#include "options.h"

// The commands, one below the other, and exit codes.
void command_help_print_all(void);

// The help of the commands that the first words name, also of several ("bench"); false: there is
// none.
bool command_help_print(int count, char **words);

// Collective. drystone help: the words after it. Returns the exit code, the same on all ranks.
int command_help(int count, char **words);

// Whether the words ask for help with a command, rather than for what it does.
bool command_help_is_asked(int count, char **words);
