// drystone report: one HTML file about a folder of results. The Python package makes it; rank 0
// calls it.
#include <assert.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "memory.h"
#include "parallel.h"

#define SYSTEM_PYTHON "/usr/bin/python3"   // whose packages are those of the system

typedef struct {
  const char *folder, *output;
} ReportOptions;

static const Option options_of_report[] = {
    {"-o", "FILE", "the HTML file (default: report.html in the folder)", OPTION_TEXT,
     .offset = offsetof(ReportOptions, output)},
};

const OptionTable COMMAND_REPORT_OPTIONS = {
    .command = "report",
    .purpose = "write one HTML file about a run: outcome, forces,\nenergy, probes, times",
    .file = "FOLDER",
    .files = "folders",
    .no_file = "report needs a folder of results: drystone report FOLDER",
    .file_offset = offsetof(ReportOptions, folder),
    .count = sizeof options_of_report / sizeof *options_of_report,
    .options = options_of_report,
    .note = "\n"
            "needs Python 3 with NumPy, h5py and matplotlib; PYTHON3 names another interpreter "
            "than the\n"
            "system's",
};

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

// Calls Python and waits; its output is ours. The exit code, or EXIT_USER with a reason.
static int make_report(const ReportOptions *o, const char **reason)
{
  assert(o->folder != NULL && "a report is of a folder");
  extern char **environ;
  name_package();
  const char *python = find_python();
  char *words[] = {
      (char *)python,    "-m", "drystone", "report", (char *)o->folder, o->output ? "-o" : NULL,
      (char *)o->output, NULL};
  fflush(stdout);
  pid_t child;
  const int error = posix_spawnp(&child, python, NULL, NULL, words, environ);
  if (error) {
    *reason = strerror(error);
    return EXIT_USER;
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return EXIT_IO;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_IO;
}

int command_report(int count, char **words)
{
  ReportOptions o = {0};
  if (!options_read(&COMMAND_REPORT_OPTIONS, count, words, &o)) return EXIT_USER;
  const char *reason = NULL;
  int code = EXIT_DONE;
  if (par_rank() == 0) code = make_report(&o, &reason);
  par_broadcast(&code, sizeof code, 0);
  all_ok(!reason, "report: cannot start %s: %s", find_python(), reason ? reason : "");
  return code;
}
