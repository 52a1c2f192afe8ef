// System calls on files, with the first failure kept: the file and the system's reason.
#include "disk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "memory.h"
#include "order.h"

// one transfer of the system takes less than 2 GiB
#define LARGEST_TRANSFER ((size_t)1 << 30)

void disk_fail(DiskStatus *status, const char *format, ...)
{
  if (status->failed) return;
  status->failed = true;
  va_list args;
  va_start(args, format);
  char text[sizeof status->reason];
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  // names and damaged texts may hold anything, a message is one line
  log_visible(text, status->reason, sizeof status->reason);
}

// From errno, with the system's words.
static void fail_system(DiskStatus *status, const char *path)
{
  if (status->failed) return;
  const int error = errno;
  disk_fail(status, "%s: %s", path, strerror(error));
  status->error = error;
}

void disk_fail_reason(DiskStatus *status, const DiskStatus *reason)
{
  if (!status->failed) *status = *reason;
}

void disk_fail_at(DiskStatus *status, const char *path, const DiskStatus *reason)
{
  if (status->failed) return;
  disk_fail(status, "%s: %s", path, reason->reason);
  status->error = reason->error;
}

char *disk_path(const char *folder, const char *name)
{
  assert(folder != NULL && name != NULL && "a path has a folder and a name");
  const size_t length = strlen(folder), bytes = length + strlen(name) + 2;
  char *path = memory_allocate(bytes);
  const bool separated = length > 0 && folder[length - 1] == '/';
  snprintf(path, bytes, separated ? "%s%s" : "%s/%s", folder, name);
  return path;
}

static int open_file(const char *path, int flags, DiskStatus *status)
{
  assert(path != NULL && "a file has a path");
  if (status->failed) return -1;
  int file;
  do file = open(path, flags | O_CLOEXEC, 0666);
  while (file < 0 && errno == EINTR);
  if (file < 0) fail_system(status, path);
  return file;
}

// Whether there is no file of that name any more.
static bool unlinked(const char *path)
{
  int result;
  do result = unlink(path);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == ENOENT;
}

int disk_open_new(const char *path, DiskStatus *status)
{
  // a process of a run that died may still hold the old file: a new one is not touched by it
  if (!status->failed && !unlinked(path)) fail_system(status, path);
  return open_file(path, O_RDWR | O_CREAT | O_EXCL, status);
}

int disk_open_write(const char *path, DiskStatus *status)
{
  return open_file(path, O_WRONLY, status);
}
int disk_open_read(const char *path, DiskStatus *status)
{
  // a pipe would hold us until somebody writes to it, a device has no end
  int file = open_file(path, O_RDONLY | O_NONBLOCK, status);
  struct stat about;
  if (file >= 0 && fstat(file, &about) == 0 && !S_ISREG(about.st_mode)) {
    disk_fail(status, S_ISDIR(about.st_mode) ? "%s: a folder" : "%s: not a regular file", path);
    close(file);
    file = -1;
  }
  return file;
}

void disk_check_regular(const char *folder, const char *name, DiskStatus *status)
{
  char *path = disk_path(folder, name);
  struct stat about;
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
    disk_fail(status, "%s: not a regular file", path);
  memory_free(path);
}

void disk_write_at(DiskFile file, const void *bytes, size_t count, uint64_t offset,
                   DiskStatus *status)
{
  assert((status->failed || count == 0 || (file.descriptor >= 0 && bytes != NULL)) &&
         "bytes go to an open file");
  const char *p = bytes;
  while (count > 0 && !status->failed) {
    const size_t take = count < LARGEST_TRANSFER ? count : LARGEST_TRANSFER;
    const ssize_t done = pwrite(file.descriptor, p, take, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    // a transfer of nothing would repeat for ever; the system says why at the next attempt, or has
    // no room
    if (done <= 0) {
      if (done == 0) errno = ENOSPC;
      fail_system(status, file.path);
      return;
    }
    p += done;
    offset += (uint64_t)done;
    count -= (size_t)done;
  }
}

void disk_read_at(DiskFile file, void *bytes, size_t count, uint64_t offset, DiskStatus *status)
{
  assert((status->failed || count == 0 || (file.descriptor >= 0 && bytes != NULL)) &&
         "bytes come from an open file");
  char *p = bytes;
  while (count > 0 && !status->failed) {
    const size_t take = count < LARGEST_TRANSFER ? count : LARGEST_TRANSFER;
    const ssize_t done = pread(file.descriptor, p, take, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_system(status, file.path);
    if (done == 0) disk_fail(status, "%s: ends early", file.path);
    if (done <= 0) return;
    p += done;
    offset += (uint64_t)done;
    count -= (size_t)done;
  }
}

void disk_resize(DiskFile file, uint64_t size, DiskStatus *status)
{
  assert((status->failed || file.descriptor >= 0) && "an open file gets a size");
  if (status->failed) return;
  int result;
  do result = ftruncate(file.descriptor, (off_t)size);
  while (result != 0 && errno == EINTR);
  if (result != 0) fail_system(status, file.path);
}

void disk_start_sync(int file, uint64_t offset, uint64_t count)
{
  assert(file >= 0 && "an open file is synchronised");
  // neither waits nor takes notice of errors, which stay for fsync; a file system may not know it
  sync_file_range(file, (off_t)offset, (off_t)count, SYNC_FILE_RANGE_WRITE);
}

void disk_forget(const char *path)
{
  DiskStatus ignored = {0};
  const int file = disk_open_read(path, &ignored);
  if (file < 0) return;
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

void disk_sync(int file, const char *path, DiskStatus *status)
{
  assert((status->failed || file >= 0) && "an open file is synchronised");
  if (status->failed) return;
  int result;
  do result = fsync(file);
  while (result != 0 && errno == EINTR);
  if (result != 0) fail_system(status, path);
}

void disk_sync_and_close(int file, const char *path, DiskStatus *status)
{
  if (file < 0) return;
  disk_sync(file, path, status);
  disk_close(file, path, status);
}

void disk_close(int file, const char *path, DiskStatus *status)
{
  // after EINTR the descriptor is gone on Linux, and what was synchronised is safe
  if (file >= 0 && close(file) != 0 && errno != EINTR) fail_system(status, path);
}

static DiskMark mark_from(bool there, const struct stat *about)
{
  if (!there) return (DiskMark){0};
  return (DiskMark){true, (uint64_t)about->st_dev, (uint64_t)about->st_ino,
                    (uint64_t)about->st_size};
}

DiskMark disk_mark(int file)
{
  struct stat about;
  const bool there = fstat(file, &about) == 0;
  return mark_from(there, &about);
}

DiskMark disk_mark_of(const char *path)
{
  struct stat about;
  const bool there = stat(path, &about) == 0;
  return mark_from(there, &about);
}

bool disk_same_file(DiskMark a, DiskMark b)
{
  return a.there && b.there && a.device == b.device && a.inode == b.inode;
}

uint64_t disk_size(int file, const char *path, DiskStatus *status)
{
  assert((status->failed || file >= 0) && "an open file has a size");
  struct stat about;
  if (status->failed) return 0;
  if (fstat(file, &about) == 0) return (uint64_t)about.st_size;
  fail_system(status, path);
  return 0;
}

char *disk_read_whole(const char *path, size_t limit, size_t *count, DiskStatus *status)
{
  assert(path != NULL && count != NULL && "a file has a path");
  const int file = disk_open_read(path, status);
  if (file < 0) return NULL;
  const uint64_t size = disk_size(file, path, status);
  if (size > limit) disk_fail(status, "%s: larger than %zu bytes", path, limit);
  char *text = NULL;
  if (!status->failed) {
    text = memory_allocate((size_t)size + 1);
    disk_read_at((DiskFile){file, path}, text, (size_t)size, 0, status);
    text[size] = 0;
    *count = (size_t)size;
  }
  close(file);
  if (status->failed) {
    memory_free(text);
    return NULL;
  }
  return text;
}

char *disk_temporary(const char *path)
{
  const size_t bytes = strlen(path) + sizeof ".tmp";
  char *temporary = memory_allocate(bytes);
  snprintf(temporary, bytes, "%s.tmp", path);
  return temporary;
}

static void sync_folder(const char *folder, DiskStatus *status)
{
  const int file = open_file(folder, O_RDONLY | O_DIRECTORY, status);
  if (file < 0) return;
  int result;
  do result = fsync(file);
  while (result != 0 && errno == EINTR);
  // some file systems keep names safe by themselves and know no such call
  if (result != 0 && errno != EINVAL) fail_system(status, folder);
  close(file);
}

void disk_publish(const char *temporary, const char *folder, const char *path, DiskStatus *status)
{
  assert(temporary != path && folder != NULL && "a file gets another name");
  disk_rename(temporary, path, status);
  sync_folder(folder, status);
}

void disk_rename(const char *temporary, const char *path, DiskStatus *status)
{
  if (status->failed) return;
  int result;
  do result = rename(temporary, path);
  while (result != 0 && errno == EINTR);
  if (result != 0) fail_system(status, path);
}

void disk_replace(const char *folder, const char *name, const char *text, size_t count,
                  DiskStatus *status)
{
  assert((text != NULL || count == 0) && "a file has a text");
  if (status->failed) return;
  char *path = disk_path(folder, name);
  char *temporary = disk_temporary(path);
  const int file = disk_open_new(temporary, status);
  disk_write_at((DiskFile){file, path}, text, count, 0, status);
  disk_sync_and_close(file, path, status);
  disk_publish(temporary, folder, path, status);
  if (status->failed) unlink(temporary);
  memory_free(temporary);
  memory_free(path);
}

void disk_remove(const char *folder, const char *name, DiskStatus *status)
{
  char *path = disk_path(folder, name);
  if (!unlinked(path)) fail_system(status, path);
  memory_free(path);
}

char *disk_numbered(NumberedName kind, int64_t number)
{
  assert(number >= 0 && kind.digits > 0 && "a name has a number");
  const size_t bytes = strlen(kind.prefix) + strlen(kind.suffix) + 32;
  char *name = memory_allocate(bytes);
  snprintf(name, bytes, "%s%0*lld%s", kind.prefix, kind.digits, (long long)number, kind.suffix);
  return name;
}

int64_t disk_number_of(NumberedName kind, const char *name)
{
  assert(name != NULL && kind.prefix != NULL && "a name is looked at");
  const size_t prefix = strlen(kind.prefix);
  if (strncmp(name, kind.prefix, prefix) != 0) return -1;
  int64_t number = 0;
  int digits = 0;
  for (const char *p = name + prefix; *p >= '0' && *p <= '9'; p++, digits++) {
    if (digits == 18) return -1;
    number = 10 * number + (*p - '0');
  }
  // one spelling for each number, so that no two names mean the same
  char *spelled = disk_numbered(kind, number);
  const bool same = strcmp(spelled, name) == 0;
  memory_free(spelled);
  return same ? number : -1;
}

struct dirent *disk_next_entry(DIR *entries, const char *folder, DiskStatus *status)
{
  // the end and a failure differ by errno alone
  errno = 0;
  struct dirent *entry = readdir(entries);
  if (!entry && errno) fail_system(status, folder);
  return entry;
}

int disk_list_numbers(const char *folder, NumberedName kind, int64_t **numbers, DiskStatus *status)
{
  assert(numbers != NULL && "numbers have a place");
  *numbers = NULL;
  if (status->failed) return 0;
  DIR *entries = opendir(folder);
  if (!entries) {
    fail_system(status, folder);
    return 0;
  }
  int count = 0, capacity = 0;
  for (const struct dirent *entry; (entry = disk_next_entry(entries, folder, status));) {
    const int64_t number = disk_number_of(kind, entry->d_name);
    if (number < 0) continue;
    *numbers = memory_grow(*numbers, count + 1, &capacity, sizeof **numbers);
    (*numbers)[count++] = number;
  }
  closedir(entries);
  if (status->failed) count = 0;
  if (count > 0) qsort(*numbers, (size_t)count, sizeof **numbers, order_i64s);
  return count;
}
