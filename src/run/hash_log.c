// The file of --hash-log: what may be replaced, where a restart goes on, whether all lines came.
#include "hash_log.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history.h"
#include "memory.h"
#include "parallel.h"
#include "results.h"

// of a line: the step, this, a hash
#define LINE_START " pairs="
enum { LOOK_BYTES = 64 };

// Whether a file is empty or begins with a line of a log.
static bool is_log(const char *path, DiskStatus *status)
{
  char start[LOOK_BYTES + 1] = "";
  const int file = disk_open_read(path, status);
  const uint64_t size = disk_size(file, path, status);
  disk_read_at((DiskFile){file, path}, start, size < LOOK_BYTES ? (size_t)size : LOOK_BYTES, 0,
               status);
  if (file >= 0) close(file);
  const size_t digits = strspn(start, "0123456789");
  return size == 0 || (digits > 0 && strncmp(start + digits, LINE_START, strlen(LINE_START)) == 0);
}

// Whether a path leads into the folder of results, to a name that a run gives.
static bool is_result(const char *path, const char *folder)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (!results_owns(name)) return false;
  char *above = memory_copy_string(slash ? path : ".");
  if (slash) above[slash - path + (slash == path)] = 0;
  struct stat one, two;
  const bool same = stat(above, &one) == 0 && stat(folder, &two) == 0 && one.st_dev == two.st_dev &&
                    one.st_ino == two.st_ino;
  memory_free(above);
  return same;
}

// What rank 0 finds; the message is in status.
static int check_path(const char *path, const char *folder, DiskStatus *status)
{
  if (is_result(path, folder)) {
    disk_fail(status, "--hash-log: %s is a name of the results in %s; give another file", path,
              folder);
    return EXIT_USER;
  }
  // a pipe, a terminal, a device hold nothing that could be lost
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || is_log(path, status)) return EXIT_DONE;
  if (status->failed) return EXIT_IO;
  disk_fail(status,
            "--hash-log: %s is there and is no hash log, so it is not replaced; give another file, "
            "or remove it",
            path);
  return EXIT_USER;
}

int hash_log_check(const char *path, const char *folder)
{
  assert(path != NULL && folder != NULL && "a log and the results have names");
  DiskStatus status = {0};
  int code = EXIT_DONE;
  if (par_rank() == 0) code = check_path(path, folder, &status);
  all_ok(!status.failed, "%s", status.reason);
  par_broadcast(&code, sizeof code, 0);
  return code;
}

// The log at its end, or emptied; NULL after a failure. To open a pipe that nobody reads would hold
// the run, deaf to signals, until somebody does; what is written later waits for its reader.
static FILE *open_log(const char *path, bool goes_on, DiskStatus *status)
{
  if (status->failed) return NULL;
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (goes_on ? O_APPEND : O_TRUNC);
  int file;
  do file = open(path, flags | O_NONBLOCK, 0666);
  while (file < 0 && errno == EINTR);
  const int error = file < 0 || fcntl(file, F_SETFL, flags & O_APPEND) != 0 ? errno : 0;
  struct stat about;
  if (error == ENXIO && stat(path, &about) == 0 && S_ISFIFO(about.st_mode))
    disk_fail(status, "%s: nobody reads this pipe; begin to read it before the run", path);
  else if (error) disk_fail(status, "%s: %s", path, strerror(error));
  FILE *log = error ? NULL : fdopen(file, goes_on ? "a" : "w");
  if (!log && file >= 0) close(file);
  if (!log) disk_fail(status, "%s: %s", path, strerror(errno));   // unless told already
  return log;
}

int hash_log_open(World *world, const char *path, int64_t last_step)
{
  assert(world->hash_log == NULL && last_step >= -1 && "a world writes one log");
  world->hash_stages = true;
  DiskStatus status = {0};
  if (par_rank() == 0 && last_step >= 0) history_cut_lines(path, last_step, &status);
  if (!all_ok(!status.failed, "cannot go on with %s", status.reason)) return EXIT_IO;
  if (par_rank() == 0) world->hash_log = open_log(path, last_step >= 0, &status);
  return all_ok(!status.failed, "cannot write %s", status.reason) ? EXIT_DONE : EXIT_IO;
}

int hash_log_close(World *world, const char *path, int code)
{
  assert((!world->hash_stages || path != NULL) && "a log has a name");
  if (world->hash_log && fclose(world->hash_log) != 0 && world->hash_log_error == 0)
    world->hash_log_error = errno;
  world->hash_log = NULL;
  if (code == EXIT_IO || !world->hash_stages) return code;
  return all_ok(world->hash_log_error == 0, "cannot write %s: %s", path,
                strerror(world->hash_log_error))
             ? code
             : EXIT_IO;
}
