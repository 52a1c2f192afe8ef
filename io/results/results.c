// Makes, locks, searches and empties the folder of results.
#include "results.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "memory.h"
#include "parallel.h"

#define PATIENCE 10   // s; a launcher may leave well before ranks that it has killed

// What a name in the folder is to us.
typedef enum {
  NAME_FOREIGN,
  NAME_UNFINISHED,
  NAME_ACCESSORY,
  NAME_RESULT,
  NAME_OVERWRITING
} NameKind;

static NameKind kind_of_complete(const char *name)
{
  assert(name != NULL && "a file has a name");
  if (disk_number_of(RESULTS_FRAME, name) >= 0 || disk_number_of(RESULTS_CHECKPOINT, name) >= 0 ||
      disk_number_of(RESULTS_MANIFEST, name) >= 0)
    return NAME_RESULT;
  static const char *const accessories[] = {
      RESULTS_TOPOLOGY, RESULTS_BODIES,  RESULTS_CENTRES, RESULTS_CONTACTS, RESULTS_INTERFACES,
      RESULTS_CHAINS,   RESULTS_JOINTS,  RESULTS_HISTORY, RESULTS_REMOVED,  RESULTS_OUTCOME,
      RESULTS_PROBES,   RESULTS_VOLUMES, RESULTS_LOG,     RESULTS_VTKHDF,   RESULTS_ELASTIC};
  for (size_t i = 0; i < sizeof accessories / sizeof *accessories; i++)
    if (strcmp(name, accessories[i]) == 0) return NAME_ACCESSORY;
  if (disk_number_of(RESULTS_RANKS, name) >= 0 || disk_number_of(RESULTS_PROBLEM, name) >= 0)
    return NAME_ACCESSORY;
  if (strcmp(name, RESULTS_OVERWRITING) == 0) return NAME_OVERWRITING;
  return NAME_FOREIGN;
}

static NameKind kind_of(const char *name)
{
  const size_t length = strlen(name), suffix = strlen(".tmp");
  if (length <= suffix || strcmp(name + length - suffix, ".tmp") != 0)
    return kind_of_complete(name);
  char *complete = memory_copy_string(name);
  complete[length - suffix] = 0;
  const NameKind kind = kind_of_complete(complete);
  memory_free(complete);
  return kind == NAME_FOREIGN ? NAME_FOREIGN : NAME_UNFINISHED;
}

const char *results_usual_folder(const char *path, const char *end, char *folder, size_t bytes)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  const int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
  snprintf(folder, bytes, "results/%.*s%s", length, name, end);
  return folder;
}

bool results_owns(const char *name)
{
  return kind_of(name) != NAME_FOREIGN || strcmp(name, RESULTS_LOCK) == 0 ||
         strcmp(name, RESULTS_STOP) == 0;
}

// Makes a folder and those above it.
static void make_folder(const char *path, DiskStatus *status)
{
  char *folder = memory_copy_string(path);
  for (char *p = folder + 1; !status->failed; p++) {
    const char end = *p;
    if (end != '/' && end != 0) continue;
    *p = 0;
    // a folder that is there is fine, whatever the reason for which it cannot be made
    struct stat about;
    const int error = mkdir(folder, 0777) == 0 ? 0 : errno;
    const bool there = error && stat(folder, &about) == 0;
    if (there && !S_ISDIR(about.st_mode))
      disk_fail(status, "cannot make the folder %s: %s: %s", path, folder, strerror(ENOTDIR));
    else if (error && !there)
      disk_fail(status, "cannot make the folder %s: %s: %s", path, folder, strerror(error));
    *p = end;
    if (end == 0) break;
  }
  memory_free(folder);
}

// Whether a file system that was asked for a lock says that it has none: Lustre without the option
// flock, network file systems without their service of locks.
static bool has_no_locks(int error)
{
  return error == ENOSYS || error == EOPNOTSUPP || error == ENOLCK || error == EINVAL;
}

// Takes the lock, for which it waits so many seconds; *taken is true when another process has it
// then. Where there are no locks, a warning takes its place.
static int lock_folder(const char *folder, double patience, bool *taken, DiskStatus *status)
{
  assert(patience >= 0 && taken != NULL && "a run waits some time");
  const double began = par_seconds();
  bool said = false;
  *taken = false;
  if (status->failed) return -1;
  char *path = disk_path(folder, RESULTS_LOCK);
  int file;
  do file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  while (file < 0 && errno == EINTR);
  if (file < 0)
    disk_fail(status, "cannot write in the folder of results: %s: %s", path, strerror(errno));
  while (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (has_no_locks(errno)) {
      log_warning("the file system of %s has no locks (%s): see to it yourself that no other run "
                  "writes there",
                  folder, strerror(errno));
      break;
    }
    *taken = errno == EWOULDBLOCK;
    if (*taken && par_seconds() - began < patience) {
      if (!said) log_line("waiting up to %.0f s for another run to leave %s", patience, folder);
      said = true;
      nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
      *taken = false;
      continue;
    }
    if (*taken) disk_fail(status, "another run writes to %s (it holds %s)", folder, path);
    else disk_fail(status, "cannot lock %s: %s", path, strerror(errno));
    close(file);
    file = -1;
  }
  memory_free(path);
  return file;
}

// The most telling kind of name in the folder; removes names of kinds from least to most, both
// included.
static NameKind search(const char *folder, NameKind least, NameKind most, DiskStatus *status)
{
  NameKind found = NAME_FOREIGN;
  if (status->failed) return found;
  DIR *entries = opendir(folder);
  if (!entries) {
    disk_fail(status, "cannot read the folder %s: %s", folder, strerror(errno));
    return found;
  }
  for (const struct dirent *entry; (entry = disk_next_entry(entries, folder, status));) {
    const NameKind kind = kind_of(entry->d_name);
    if (kind > found) found = kind;
    if (kind >= least && kind <= most) disk_remove(folder, entry->d_name, status);
  }
  closedir(entries);
  return found;
}

bool results_are_half_removed(const char *folder)
{
  char *path = disk_path(folder, RESULTS_OVERWRITING);
  const bool there = access(path, F_OK) == 0;
  memory_free(path);
  return there;
}

static bool is_folder(const char *folder, const char *name)
{
  char *path = disk_path(folder, name);
  struct stat about;
  const bool is = lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
  memory_free(path);
  return is;
}

// The name in the folder that tells most of results, the first of those by the alphabet, freed by
// memory_free; NULL: there is none. Folders count only where asked for: nobody's results are one,
// but a run cannot replace it either.
static char *telling_name(const char *folder, bool folders, DiskStatus *status)
{
  if (status->failed) return NULL;
  DIR *entries = opendir(folder);
  if (!entries) {
    disk_fail(status, "cannot read the folder %s: %s", folder, strerror(errno));
    return NULL;
  }
  char *found = NULL;
  for (const struct dirent *entry; (entry = disk_next_entry(entries, folder, status));) {
    const char *name = entry->d_name;
    const NameKind kind = kind_of(name), best = found ? kind_of(found) : NAME_UNFINISHED;
    if (kind < best || kind < NAME_ACCESSORY || (!folders && is_folder(folder, name))) continue;
    if (kind == best && strcmp(name, found) > 0) continue;
    memory_free(found);
    found = memory_copy_string(name);
  }
  closedir(entries);
  return found;
}

// Refuses what a run from the beginning would replace, be it the results of a run that was killed
// before its first checkpoint or a table of somebody else; true where there is nothing.
static bool nothing_to_replace(const char *folder, DiskStatus *status)
{
  char *name = telling_name(folder, true, status);
  if (!name) return true;
  disk_fail(status,
            "the folder %s holds results, %s; continue them with --restart, replace them with "
            "--overwrite, or choose another folder with -o",
            folder, name);
  memory_free(name);
  return false;
}

// Removes all that is ours. What is left of it by a run that ends in between must not pass for
// results, so one file gets another name before and goes last, when the others are safely gone;
// that takes no room on a disk that may be full.
static void remove_results(const char *folder, DiskStatus *status)
{
  char *mark = disk_path(folder, RESULTS_OVERWRITING), *last = disk_temporary(mark);
  char *first = results_are_half_removed(folder) ? NULL : telling_name(folder, false, status);
  if (first) {
    char *path = disk_path(folder, first);
    disk_publish(path, folder, mark, status);
    memory_free(path);
    memory_free(first);
  }
  search(folder, NAME_UNFINISHED, NAME_RESULT, status);
  if (!status->failed && results_are_half_removed(folder)) {
    disk_publish(mark, folder, last, status);
    if (!status->failed) disk_remove(folder, RESULTS_OVERWRITING ".tmp", status);
  }
  memory_free(last);
  memory_free(mark);
}

// What rank 0 does for all; the message is in status.
static int open_folder(Results *results, ResultsMode mode, DiskStatus *status)
{
  assert(par_rank() == 0 && "one rank opens the folder");
  make_folder(results->path, status);
  bool taken;
  results->lock =
      lock_folder(results->path, mode == RESULTS_RESTART ? PATIENCE : 0, &taken, status);
  if (taken) return EXIT_USER;
  if (!status->failed && access(results->path, W_OK | X_OK) != 0)
    disk_fail(status, "cannot write in the folder %s: %s", results->path, strerror(errno));
  if (status->failed) return EXIT_IO;
  results->folder = disk_mark_of(results->path);

  // with the lock held nobody else makes or needs any of our files
  if (mode != RESULTS_OVERWRITE && results_are_half_removed(results->path)) {
    disk_fail(status,
              "the folder %s holds what a run with --overwrite that was ended has not removed yet; "
              "finish that with --overwrite, or choose another folder with -o",
              results->path);
    return EXIT_USER;
  }
  if (mode == RESULTS_FRESH && !nothing_to_replace(results->path, status)) return EXIT_USER;
  if (mode == RESULTS_FRESH) search(results->path, NAME_UNFINISHED, NAME_UNFINISHED, status);
  return status->failed ? EXIT_IO : EXIT_DONE;
}

int results_open(Results *results, const char *path, ResultsMode mode)
{
  assert(path != NULL && mode <= RESULTS_OVERWRITE && "a folder is opened in one of three ways");
  *results = (Results){.path = memory_copy_string(path), .lock = -1, .last_checkpoint = -1};
  DiskStatus status = {0};
  int code = EXIT_DONE;
  if (par_rank() == 0) code = open_folder(results, mode, &status);
  all_ok(!status.failed, "%s", status.reason);
  par_broadcast(&code, sizeof code, 0);
  if (code != EXIT_DONE) results_close(results);
  return code;
}

bool results_replace(const Results *results)
{
  assert(results->path != NULL && "the folder is open");
  DiskStatus status = {0};
  if (par_rank() == 0) remove_results(results->path, &status);
  return all_ok(!status.failed, "%s", status.reason);
}

// Data files without a manifest.
static void remove_orphans(const char *folder, DiskStatus *status)
{
  int64_t *steps;
  const int count = disk_list_numbers(folder, RESULTS_CHECKPOINT, &steps, status);
  for (int i = 0; i < count && !status->failed; i++) {
    char *name = disk_numbered(RESULTS_MANIFEST, steps[i]), *path = disk_path(folder, name);
    const bool orphan = access(path, F_OK) != 0 && errno == ENOENT;
    memory_free(path);
    memory_free(name);
    if (!orphan) continue;
    name = disk_numbered(RESULTS_CHECKPOINT, steps[i]);
    disk_remove(folder, name, status);
    memory_free(name);
  }
  memory_free(steps);
}

static void remove_later(const char *folder, NumberedName kind, int64_t last_step,
                         DiskStatus *status)
{
  int64_t *numbers;
  const int count = disk_list_numbers(folder, kind, &numbers, status);
  for (int i = 0; i < count && !status->failed; i++) {
    if (numbers[i] <= last_step) continue;
    char *name = disk_numbered(kind, numbers[i]);
    disk_remove(folder, name, status);
    memory_free(name);
  }
  memory_free(numbers);
}

bool results_resume(const Results *results, int64_t last_step)
{
  assert(last_step >= -1 && results->path != NULL && "a run goes on after a step, or begins");
  DiskStatus status = {0};
  if (par_rank() == 0) {
    search(results->path, NAME_UNFINISHED, NAME_UNFINISHED, &status);
    // a later checkpoint that could not be read may be readable next time, when the frames and the
    // lines of tables up to it are gone; without its manifest it is none
    remove_later(results->path, RESULTS_MANIFEST, last_step, &status);
    remove_orphans(results->path, &status);
    remove_later(results->path, RESULTS_PROBLEM, last_step, &status);
  }
  return all_ok(!status.failed, "cannot clear up after an earlier run: %s", status.reason);
}

void results_check_folder(const Results *results, DiskStatus *status)
{
  if (!results->folder.there) return;
  if (disk_same_file(results->folder, disk_mark_of(results->path))) return;
  disk_fail(status,
            "the folder %s is not the one in which this run began, or is gone: somebody moved or "
            "replaced it; put it back and go on with --restart",
            results->path);
}

bool results_in_place(const Results *results)
{
  assert(results->path != NULL && "the folder is open");
  DiskStatus moved = {0};
  if (par_rank() == 0) results_check_folder(results, &moved);
  return all_ok(!moved.failed, "%s", moved.reason);
}

void results_close(Results *results)
{
  if (results->lock >= 0) close(results->lock);
  memory_free(results->path);
  *results = (Results){.lock = -1, .last_checkpoint = -1};
}
