// Puts what a restart needs from one folder of results into another.
#include "run_seed.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "parallel.h"
#include "results.h"

#define MOST_BYTES ((size_t)1 << 40)   // of a file

// A copy of a file, where there is one of that name.
static void copy_file(const char *from, const char *to, const char *name, DiskStatus *status)
{
  char *path = disk_path(from, name);
  if (!status->failed && disk_mark_of(path).there) {
    size_t bytes = 0;
    char *text = disk_read_whole(path, MOST_BYTES, &bytes, status);
    if (text) disk_replace(to, name, text, bytes, status);
    memory_free(text);
  }
  memory_free(path);
}

// A second name of a file that nobody changes once it has its name; a copy where the file system
// has no second names.
static void link_file(const char *from, const char *to, const char *name, DiskStatus *status)
{
  if (status->failed) return;
  disk_remove(to, name, status);
  char *path = disk_path(from, name), *other = disk_path(to, name);
  if (!status->failed && link(path, other) != 0) copy_file(from, to, name, status);
  memory_free(path);
  memory_free(other);
}

static void make_folder(const char *path, DiskStatus *status)
{
  if (mkdir(path, 0777) != 0 && errno != EEXIST) {
    status->error = errno;
    disk_fail(status, "%s: %s", path, strerror(errno));
  }
}

// Removes what an earlier run left, its manifests first: without them nothing else counts.
static void clear(const char *folder, DiskStatus *status)
{
  const NumberedName kinds[] = {RESULTS_MANIFEST, RESULTS_CHECKPOINT, RESULTS_FRAME, RESULTS_RANKS,
                                RESULTS_PROBLEM};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !status->failed; k++) {
    int64_t *numbers = NULL;
    const int count = disk_list_numbers(folder, kinds[k], &numbers, status);
    for (int i = 0; i < count; i++) {
      char *name = disk_numbered(kinds[k], numbers[i]);
      disk_remove(folder, name, status);
      memory_free(name);
    }
    memory_free(numbers);
  }
}

static void seed(const char *from, const char *to, bool afresh, DiskStatus *status)
{
  int64_t *steps = NULL, *there = NULL;
  make_folder(to, status);
  if (afresh) clear(to, status);
  const int count = status->failed ? 0 : disk_list_numbers(from, RESULTS_MANIFEST, &steps, status);
  const int known = status->failed ? 0 : disk_list_numbers(to, RESULTS_MANIFEST, &there, status);
  if (!status->failed && count == 0) disk_fail(status, "%s holds no checkpoint", from);
  if (!status->failed && known == 0) {
    // the manifest comes last: with it the checkpoint counts
    static const char *const tables[] = {RESULTS_HISTORY, RESULTS_REMOVED, RESULTS_PROBES,
                                         RESULTS_OUTCOME};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
      copy_file(from, to, tables[i], status);
    char *data = disk_numbered(RESULTS_CHECKPOINT, steps[count - 1]),
         *manifest = disk_numbered(RESULTS_MANIFEST, steps[count - 1]);
    link_file(from, to, data, status);
    copy_file(from, to, manifest, status);
    memory_free(data);
    memory_free(manifest);
  }
  memory_free(steps);
  memory_free(there);
}

bool run_seed(const char *from, const char *to, bool afresh)
{
  assert(strcmp(from, to) != 0 && "two folders");
  DiskStatus status = {0};
  if (par_rank() == 0) seed(from, to, afresh, &status);
  return all_ok(!status.failed, "cannot begin in %s: %s", to, status.reason);
}
