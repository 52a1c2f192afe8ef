#pragma once
// The file of --hash-log: begun, gone on with, closed, and never put over a file of another kind.
#include "world.h"

// Collective. Whether a log may be written to a path, where results go to that folder. EXIT_USER
// after one message: there is a file already that is no log (a case, a mesh; empty ones may be
// replaced), or the folder of results has that name for a file of its own. EXIT_IO: the file there
// cannot be read. To be asked before anything is changed.
int hash_log_check(const char *path, const char *folder);

// Collective. The world writes the log from here on, after the lines up to and with last_step where
// there are some (-1: from its beginning). EXIT_DONE, or EXIT_IO after one message: it cannot be
// opened, or is a pipe that nobody reads; hash_log_close is due all the same.
int hash_log_open(World *world, const char *path, int64_t last_step);

// Collective. Returns the code, or EXIT_IO after a message where the log lacks lines.
int hash_log_close(World *world, const char *path, int code);
