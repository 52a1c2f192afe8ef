// Runs another program to its end, with a limit of time.
#include "child_process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "signals.h"

#define EXIT_NOT_BEGUN 127        // of a child that did not become the program
#define WAIT_FIRST 1000000L       // ns between looks, doubled
#define WAIT_LONGEST 100000000L   // up to this

// Waits for a child that is sure to end.
static void wait_end(pid_t id)
{
  while (waitpid(id, NULL, 0) < 0 && errno == EINTR) continue;
}

static double now_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What the new process does until it is the program. It shares the caller's memory, so it changes
// nothing there and calls only what a handler may call. Says on a pipe why it cannot.
_Noreturn static void become(const ChildProcess *child, const char *program, const sigset_t *kept,
                             pid_t parent, int report)
{
  // ignored, not blocked: that stays so in shells too
  for (int i = 1; i < NSIG; i++) {
    struct sigaction action = {.sa_handler = sigismember(kept, i) == 1 ? SIG_IGN : SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(i, &action, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // a caller that is killed takes the program along, also one that was before this could be said
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_NOT_BEGUN);

  // opened in this order, each has the lowest number that is free, so that none is lost to another
  const int moved = fcntl(report, F_DUPFD, STDERR_FILENO + 1);
  if (moved >= 0) report = moved;
  const int nothing = moved >= 0 ? open("/dev/null", O_RDONLY) : -1;
  const int log = nothing >= 0 ? open(child->log, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
  bool ready = false;
  if (log >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 &&
      dup2(log, STDERR_FILENO) >= 0 && dup2(report, STDERR_FILENO + 1) >= 0) {
    report = STDERR_FILENO + 1;
    fcntl(report, F_SETFD, FD_CLOEXEC);
    closefrom(report + 1);
    ready = chdir(child->folder) == 0;
  }
  if (ready) {
    // the interface wants arguments that could be written to; nobody does
    char *const *arguments = (char *const *)(uintptr_t)child->arguments;
    if (strchr(program, '/')) execv(program, arguments);
    else execvp(program, arguments);
  }
  const ChildResult why = {ready && errno == ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_RUN, errno};
  if (write(report, &why, sizeof why) < 0) _exit(EXIT_NOT_BEGUN);
  _exit(EXIT_NOT_BEGUN);
}

// Why there is no program; CHILD_DONE where there is one, which is to be waited for.
static ChildResult spawn(const ChildProcess *child, const char *program, pid_t *id)
{
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return (ChildResult){CHILD_NOT_RUN, errno};
  ChildResult result = {CHILD_DONE, 0}, why;
  const pid_t parent = getpid();
  sigset_t all, before, kept;
  sigfillset(&all);
  signals_kept(&kept);
  // no handler of ours may run in the child, whose memory is that of the caller until it has begun
  pthread_sigmask(SIG_SETMASK, &all, &before);
  *id = vfork();
  if (*id == 0) become(child, program, &kept, parent, pipe[1]);
  if (*id < 0) result = (ChildResult){CHILD_NOT_RUN, errno};
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(pipe[1]);
  if (*id > 0) {
    ssize_t count;
    do count = read(pipe[0], &why, sizeof why);
    while (count < 0 && errno == EINTR);
    if (count == sizeof why) {
      wait_end(*id);
      result = why;
    }
  }
  close(pipe[0]);
  return result;
}

// Waits until the child has ended; false: it was killed after the limit. status: as of waitpid.
static bool wait_for(pid_t id, double seconds, int *status)
{
  assert(id > 0 && seconds > 0 && "a child has an id and some time");
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
  wait_end(id);
  return false;
}

ChildResult child_run(const ChildProcess *child)
{
  assert(child->arguments != NULL && child->arguments[0] != NULL && "a program has a name");
  assert(child->folder != NULL && child->log != NULL && "a program has a folder and a log");
  // the folder changes before the program is looked for
  char absolute[PATH_MAX];
  const char *program = child->arguments[0];
  if (strchr(program, '/')) program = realpath(program, absolute);
  if (!program) return (ChildResult){CHILD_NOT_FOUND, errno};
  pid_t id;
  const ChildResult begun = spawn(child, program, &id);
  if (begun.end != CHILD_DONE) return begun;
  int status;
  if (!wait_for(id, child->seconds, &status)) return (ChildResult){CHILD_LATE, 0};
  if (WIFSIGNALED(status)) return (ChildResult){CHILD_SIGNAL, WTERMSIG(status)};
  if (WEXITSTATUS(status) != 0) return (ChildResult){CHILD_FAILED, WEXITSTATUS(status)};
  return (ChildResult){CHILD_DONE, 0};
}
