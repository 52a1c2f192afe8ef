// Reads and writes files of fillings: in the user's cache, and beside meshes.
#include "tetgen_cache.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "disk.h"
#include "hash.h"
#include "memory.h"

#define FOLDER "drystone/tetra1"   // of the cache; the format of a record has that name
#define EXTENSION ".tetra"
#define UNFINISHED ".tmp-"   // behind the name of a file that is being written
#define RANDOM "XXXXXX"      // behind that
#define RANDOM_SEED 2        // of that name
#define LEFT_SECONDS 3600    // without a change: nobody writes that file any more
enum { ATTEMPTS = 100 };     // to find one that nobody has

bool tetgen_cache_path(const MeshBlock *mesh_block, char path[TETGEN_CACHE_PATH], ErrorText reason)
{
  assert(reason.text != NULL && reason.bytes > 0 && "a reason has room");
  char digits[33];
  hash_to_text(tetgen_record_hash(mesh_block), digits);
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *between = "";
  if (!cache || cache[0] != '/') cache = home, between = "/.cache";
  if (!cache || cache[0] != '/') {
    snprintf(reason.text, reason.bytes, "neither XDG_CACHE_HOME nor HOME is the path of a folder");
    return false;
  }
  const int length =
      snprintf(path, TETGEN_CACHE_PATH, "%s%s/" FOLDER "/%s" EXTENSION, cache, between, digits);
  if (length > 0 && length < TETGEN_CACHE_PATH) return true;
  snprintf(reason.text, reason.bytes, "the path of the cache is too long");
  return false;
}

bool tetgen_cache_beside(const char *mesh_path, char path[TETGEN_CACHE_PATH])
{
  assert(mesh_path != NULL && "a mesh has a path");
  const int length = snprintf(path, TETGEN_CACHE_PATH, "%s" EXTENSION, mesh_path);
  return length > 0 && length < TETGEN_CACHE_PATH;
}

TetgenRecords tetgen_cache_read(const char *path)
{
  assert(path != NULL && "records have a file");
  DiskStatus status = {0};
  TetgenRecords records = {0};
  records.bytes = disk_read_whole(path, TETGEN_RECORD_LARGEST, &records.count, &status);
  if (!records.bytes) records.count = 0;
  return records;
}

static bool is_unfinished(const char *name)
{
  static const char middle[] = EXTENSION UNFINISHED;
  const size_t length = strlen(name), tail = sizeof middle - 1 + strlen(RANDOM);
  return length > tail && strncmp(name + length - tail, middle, sizeof middle - 1) == 0;
}

// Removes what writers that died have left in a folder: those at work hold a lock, and have changed
// their file of late.
static void remove_leftovers(const char *folder)
{
  DIR *entries = opendir(folder);
  for (const struct dirent *e; entries && (e = readdir(entries));) {
    if (!is_unfinished(e->d_name)) continue;
    // a pipe of that name would hold us, and is nobody's leftover
    const int file = openat(dirfd(entries), e->d_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) continue;
    struct stat about;
    const bool old = fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                     time(NULL) - about.st_mtime > LEFT_SECONDS;
    if (old && flock(file, LOCK_EX | LOCK_NB) == 0) unlinkat(dirfd(entries), e->d_name, 0);
    close(file);
  }
  if (entries) closedir(entries);
}

// Opens a new file whose name ends with RANDOM, which is replaced until nobody has it; -1: it
// cannot be made. It gets the permissions that the user's umask leaves, as mkstemp's does not.
static int open_unfinished(char *path)
{
  assert(strlen(path) >= strlen(RANDOM) && "a name ends with letters to replace");
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  char *random = path + strlen(path) - strlen(RANDOM);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t seed = ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) + (uint64_t)getpid();
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    seed = hash_mix(seed, RANDOM_SEED);
    for (uint64_t i = 0, left = seed; i < strlen(RANDOM); i++, left /= 36)
      random[i] = letters[left % 36];
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

// The folder of a path, with those above it that are missing; as the rule of these caches asks, for
// the user alone. False where the system makes none (errno).
static bool make_folder(const char *path, char folder[TETGEN_CACHE_PATH])
{
  const char *slash = strrchr(path, '/');
  if (!slash || slash == path) {
    snprintf(folder, TETGEN_CACHE_PATH, "%s", slash ? "/" : ".");
    return true;
  }
  const size_t length = (size_t)(slash - path);
  assert(length < TETGEN_CACHE_PATH && "paths have room");
  memcpy(folder, path, length);
  folder[length] = 0;
  struct stat about;
  if (stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) return true;
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/') continue;
    folder[i] = 0;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) return false;
    if (i < length) folder[i] = '/';
  }
  return true;
}

bool tetgen_cache_write(const char *path, const TetgenRecords *records, ErrorText reason)
{
  assert(records->bytes != NULL && records->count > 0 && "there is something to write");
  assert(strlen(path) < TETGEN_CACHE_PATH && "a path has room");
  char folder[TETGEN_CACHE_PATH];
  if (!make_folder(path, folder)) {
    snprintf(reason.text, reason.bytes, "%s: %s", folder, strerror(errno));
    return false;
  }
  remove_leftovers(folder);
  const size_t room = strlen(path) + sizeof UNFINISHED RANDOM;
  char *temporary = memory_allocate(room);
  snprintf(temporary, room, "%s" UNFINISHED RANDOM, path);
  DiskStatus status = {0};
  // a file of its own for this process, which gets the name of the path when it is complete
  const int file = open_unfinished(temporary);
  if (file < 0) disk_fail(&status, "%s: %s", folder, strerror(errno));
  if (file >= 0) {
    (void)flock(file, LOCK_EX | LOCK_NB);   // held as long as it is written
    disk_write_at((DiskFile){file, temporary}, records->bytes, records->count, 0, &status);
    disk_sync_and_close(file, temporary, &status);
    disk_publish(temporary, folder, path, &status);
    if (status.failed) unlink(temporary);
  }
  memory_free(temporary);
  if (status.failed) snprintf(reason.text, reason.bytes, "%s", status.reason);
  return !status.failed;
}
