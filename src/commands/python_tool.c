// Finds the Python package beside this program, starts Python and waits.
#include "python_tool.h"

#include <assert.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fail.h"
#include "memory.h"
#include "parallel.h"

#define SYSTEM_PYTHON "/usr/bin/python3"   // whose packages are those of the system

// Where the package lies beside this program: in a checkout, or where it was installed. NULL: it is
// elsewhere, and Python may know. The path is freed by memory_free.
static char *find_package(void)
{
  static const char *const places[] = {"/../io/python", "/../lib/python3/dist-packages"};
  char program[4096];
  const ssize_t bytes = readlink("/proc/self/exe", program, sizeof program - 1);
  if (bytes <= 0) return NULL;
  program[bytes] = 0;
  char *slash = strrchr(program, '/');
  if (!slash) return NULL;
  *slash = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    static const char module[] = "/drystone/__init__.py";
    const size_t room = strlen(program) + strlen(places[i]) + sizeof module;
    char *path = memory_allocate(room);
    snprintf(path, room, "%s%s%s", program, places[i], module);
    const bool there = access(path, R_OK) == 0;
    path[room - sizeof module] = 0;
    if (there) return path;
    memory_free(path);
  }
  return NULL;
}

// The package is looked for beside this program before anywhere else.
static void name_package(void)
{
  char *package = find_package();
  if (!package) return;
  const char *before = getenv("PYTHONPATH");
  const size_t room = strlen(package) + (before ? strlen(before) : 0) + 2;
  char *path = memory_allocate(room);
  snprintf(path, room, "%s%s%s", package, before && *before ? ":" : "", before ? before : "");
  setenv("PYTHONPATH", path, 1);
  memory_free(path);
  memory_free(package);
}

static const char *find_python(void)
{
  const char *named = getenv("PYTHON3");
  if (named && *named) return named;
  return access(SYSTEM_PYTHON, X_OK) == 0 ? SYSTEM_PYTHON : "python3";
}

// The exit code of Python, or EXIT_USER with a reason.
static int call(const char *python, const char *command, int count, char **words,
                const char **reason)
{
  assert(count >= 0 && (words != NULL || count == 0) && "words are counted");
  extern char **environ;
  name_package();
  const char *first[] = {python, "-m", "drystone", command};
  char **all = memory_allocate_zero((size_t)count + 5, sizeof *all);
  memcpy(all, first, sizeof first);
  if (count > 0) memcpy(all + 4, words, (size_t)count * sizeof *all);
  fflush(stdout);
  pid_t child;
  const int error = posix_spawnp(&child, python, NULL, NULL, all, environ);
  memory_free(all);
  if (error) {
    *reason = strerror(error);
    return EXIT_USER;
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return EXIT_IO;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_IO;
}

int python_tool_run(const char *command, int count, char **words)
{
  const char *python = find_python(), *reason = NULL;
  int code = EXIT_DONE;
  if (par_rank() == 0) code = call(python, command, count, words, &reason);
  par_broadcast(&code, sizeof code, 0);
  all_ok(!reason, "%s: cannot start %s: %s", command, python, reason ? reason : "");
  return code;
}
