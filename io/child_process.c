#include "child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_FIRST 1000000L       // ns between looks, doubled
#define WAIT_LONGEST 100000000L   // up to this

static double now_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int spawn(const ChildProcess *child, const char *program, pid_t *id)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, child->log, O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  posix_spawn_file_actions_addchdir_np(&files, child->folder);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  // the interface wants arguments that could be written to; nobody does
  const int error = posix_spawnp(id, program, &files, &attributes,
                                 (char *const *)(uintptr_t)child->arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

// Waits until the child has ended; false: it was killed after the limit. status: as of waitpid.
static bool wait_for(pid_t id, double seconds, int *status)
{
  const double end = now_seconds() + seconds;
  struct timespec pause = {.tv_nsec = WAIT_FIRST};
  *status = 0;
  for (;;) {
    const pid_t ended = waitpid(id, status, WNOHANG);
    // where the system reaps children by itself the end cannot be asked for, only its results
    if (ended == id || (ended < 0 && errno != EINTR)) return true;
    if (now_seconds() >= end) break;
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < WAIT_LONGEST) pause.tv_nsec *= 2;
  }
  kill(id, SIGKILL);
  while (waitpid(id, status, 0) < 0 && errno == EINTR) continue;
  return false;
}

ChildResult child_run(const ChildProcess *child)
{
  // the folder changes before the program is looked for
  char absolute[PATH_MAX];
  const char *program = child->arguments[0];
  if (strchr(program, '/')) program = realpath(program, absolute);
  if (!program) return (ChildResult){CHILD_NOT_FOUND, errno};
  pid_t id;
  const int error = spawn(child, program, &id);
  if (error == ENOENT) return (ChildResult){CHILD_NOT_FOUND, error};
  if (error != 0) return (ChildResult){CHILD_NOT_RUN, error};
  int status;
  if (!wait_for(id, child->seconds, &status)) return (ChildResult){CHILD_LATE, 0};
  if (WIFSIGNALED(status)) return (ChildResult){CHILD_SIGNAL, WTERMSIG(status)};
  if (WEXITSTATUS(status) != 0) return (ChildResult){CHILD_FAILED, WEXITSTATUS(status)};
  return (ChildResult){CHILD_DONE, 0};
}
