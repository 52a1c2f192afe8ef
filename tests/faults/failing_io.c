// Preloaded into a program, this counts its calls on the files of a folder, and the k-th of them
// fails, transfers half, ends the process, or stops it. By environment:
//
//   FAULT_FOLDER  absolute path of the folder
//   FAULT_NAME    only files with this in their names; without it all, and the folder itself
//   FAULT_RANK    rank that meets faults, and is counted; without it every process
//   FAULT_KIND    count, EIO, ENOSPC, EINTR, short, kill, stop: only calls that can meet it count
//   FAULT_AT      number of the first call that meets it, from 1
//   FAULT_MANY    how many in a row do; 1 without it, 0: all that follow
//   FAULT_LOG     file that gets a line for each call that meets it, "NUMBER CALL PATH", and with
//                 the kind "count" for every call
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

typedef enum { FAULT_NONE, FAULT_ERROR, FAULT_SHORT, FAULT_KILL, FAULT_STOP } Fault;

// What the calls of the system can do: every one can fail, some can transfer a part.
typedef enum { CALL_PLAIN, CALL_TRANSFER } CallType;

static long calls;   // that could have met the fault, so far

// The system's own function of a name, asked for once.
#define REAL(name)               \
  static __typeof__(&name) real; \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

static const char *setting(const char *name)
{
  const char *value = getenv(name);
  return value ? value : "";
}

// A line for the test, by the system's own calls.
static void note(const char *call, const char *path)
{
  const char *log = setting("FAULT_LOG");
  if (!*log) return;
  REAL(open);
  static __typeof__(&write) real_write;
  static __typeof__(&close) real_close;
  if (!real_write) *(void **)&real_write = dlsym(RTLD_NEXT, "write");
  if (!real_close) *(void **)&real_close = dlsym(RTLD_NEXT, "close");
  char line[PATH_MAX + 64];
  const int length = snprintf(line, sizeof line, "%ld %s %s\n", calls, call, path);
  const int file = real(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 || real_write(file, line, (size_t)length) != length) abort();
  real_close(file);
}

static bool counts(const char *path)
{
  const char *folder = setting("FAULT_FOLDER"), *rank = setting("FAULT_RANK");
  const size_t length = strlen(folder);
  if (length == 0 || strncmp(path, folder, length) != 0) return false;
  if (path[length] != 0 && path[length] != '/') return false;
  if (*rank && strcmp(rank, setting("OMPI_COMM_WORLD_RANK")) != 0) return false;
  return strstr(path + length, setting("FAULT_NAME")) != NULL;
}

// What this call on a path is to meet; for FAULT_ERROR errno is set.
static Fault fault_of(const char *call, const char *path, CallType type)
{
  const char *kind = setting("FAULT_KIND");
  if (!*kind || !counts(path)) return FAULT_NONE;
  if (strcmp(kind, "short") == 0 && type != CALL_TRANSFER) return FAULT_NONE;
  calls++;
  if (strcmp(kind, "count") == 0) {
    note(call, path);
    return FAULT_NONE;
  }
  const long at = atol(setting("FAULT_AT"));
  const long many = *setting("FAULT_MANY") ? atol(setting("FAULT_MANY")) : 1;
  if (at < 1 || calls < at || (many > 0 && calls >= at + many)) return FAULT_NONE;
  note(call, path);
  if (strcmp(kind, "short") == 0) return FAULT_SHORT;
  if (strcmp(kind, "kill") == 0) return FAULT_KILL;
  if (strcmp(kind, "stop") == 0) return FAULT_STOP;
  errno = strcmp(kind, "EIO") == 0      ? EIO
          : strcmp(kind, "ENOSPC") == 0 ? ENOSPC
          : strcmp(kind, "EINTR") == 0  ? EINTR
                                        : 0;
  if (errno == 0) abort();
  return FAULT_ERROR;
}

// True when the call itself is not to be made: errno says why.
static bool fails(const char *call, const char *path, CallType type)
{
  switch (fault_of(call, path, type)) {
  case FAULT_ERROR: return true;
  case FAULT_KILL: kill(getpid(), SIGKILL); return true;
  case FAULT_STOP: kill(getpid(), SIGSTOP); return false;
  case FAULT_NONE:
  case FAULT_SHORT: return false;
  }
  return false;
}

static bool path_of(int file, char *path)
{
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const int error = errno;
  const ssize_t length = readlink(link, path, PATH_MAX - 1);
  errno = error;
  if (length <= 0) return false;
  path[length] = 0;
  return true;
}

// A path from a call, absolute.
static const char *absolute(const char *path, char *room)
{
  if (path[0] == '/') return path;
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here)) return path;
  snprintf(room, 2 * PATH_MAX, "%s/%s", here, path);
  return room;
}

static bool fails_on_file(const char *call, int file, CallType type)
{
  char path[PATH_MAX];
  return path_of(file, path) && fails(call, path, type);
}

static bool fails_on_path(const char *call, const char *path)
{
  char room[2 * PATH_MAX];
  return fails(call, absolute(path, room), CALL_PLAIN);
}

static const char *open_name(int flags)
{
  return (flags & O_ACCMODE) == O_RDONLY ? "open-read" : "open";
}

#define OPEN_MODE(flags)                   \
  mode_t mode = 0;                         \
  if ((flags) & (O_CREAT | O_TMPFILE)) {   \
    va_list args;                          \
    va_start(args, flags);                 \
    mode = (mode_t)va_arg(args, unsigned); \
    va_end(args);                          \
  }

int open(const char *path, int flags, ...)
{
  REAL(open);
  OPEN_MODE(flags)
  return fails_on_path(open_name(flags), path) ? -1 : real(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
  REAL(open64);
  OPEN_MODE(flags)
  return fails_on_path(open_name(flags), path) ? -1 : real(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
  REAL(fopen);
  return fails_on_path(mode[0] == 'r' ? "open-read" : "open", path) ? NULL : real(path, mode);
}

DIR *opendir(const char *path)
{
  REAL(opendir);
  return fails_on_path("list", path) ? NULL : real(path);
}

struct dirent *readdir(DIR *entries)
{
  REAL(readdir);
  return fails_on_file("list", dirfd(entries), CALL_PLAIN) ? NULL : real(entries);
}

// A transfer of bytes: half of it where it is short, and before a death.
typedef struct {
  bool failed;
  size_t count;
  bool dies;
} Part;

// How much of a transfer is to be made.
static Part part_of(const char *call, int file, size_t count)
{
  char path[PATH_MAX];
  Part part = {.count = count};
  if (!path_of(file, path)) return part;
  switch (fault_of(call, path, CALL_TRANSFER)) {
  case FAULT_ERROR: part.failed = true; break;
  case FAULT_KILL: part.dies = true; /* fall through */
  case FAULT_SHORT: part.count = count > 1 ? count / 2 : count; break;
  case FAULT_STOP: kill(getpid(), SIGSTOP); break;
  case FAULT_NONE: break;
  }
  return part;
}

static ssize_t end_part(Part part, ssize_t done)
{
  if (part.dies) kill(getpid(), SIGKILL);
  return done;
}

ssize_t write(int file, const void *bytes, size_t count)
{
  REAL(write);
  const Part part = part_of("write", file, count);
  return part.failed ? -1 : end_part(part, real(file, bytes, part.count));
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
  REAL(pwrite);
  const Part part = part_of("write", file, count);
  return part.failed ? -1 : end_part(part, real(file, bytes, part.count, offset));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
  REAL(pwrite64);
  const Part part = part_of("write", file, count);
  return part.failed ? -1 : end_part(part, real(file, bytes, part.count, offset));
}

ssize_t read(int file, void *bytes, size_t count)
{
  REAL(read);
  const Part part = part_of("read", file, count);
  return part.failed ? -1 : end_part(part, real(file, bytes, part.count));
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset)
{
  REAL(pread);
  const Part part = part_of("read", file, count);
  return part.failed ? -1 : end_part(part, real(file, bytes, part.count, offset));
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset)
{
  REAL(pread64);
  const Part part = part_of("read", file, count);
  return part.failed ? -1 : end_part(part, real(file, bytes, part.count, offset));
}

// Several pieces at once: short ones are the first piece alone.
ssize_t writev(int file, const struct iovec *pieces, int count)
{
  REAL(writev);
  const Part part = part_of("write", file, (size_t)count);
  return part.failed ? -1 : end_part(part, real(file, pieces, (int)part.count));
}

ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t offset)
{
  REAL(pwritev);
  const Part part = part_of("write", file, (size_t)count);
  return part.failed ? -1 : end_part(part, real(file, pieces, (int)part.count, offset));
}

int fsync(int file)
{
  REAL(fsync);
  return fails_on_file("fsync", file, CALL_PLAIN) ? -1 : real(file);
}

int fdatasync(int file)
{
  REAL(fdatasync);
  return fails_on_file("fsync", file, CALL_PLAIN) ? -1 : real(file);
}

int ftruncate(int file, off_t size)
{
  REAL(ftruncate);
  return fails_on_file("ftruncate", file, CALL_PLAIN) ? -1 : real(file, size);
}

int ftruncate64(int file, off64_t size)
{
  REAL(ftruncate64);
  return fails_on_file("ftruncate", file, CALL_PLAIN) ? -1 : real(file, size);
}

// The descriptor is released also by a call that fails, as on Linux.
int close(int file)
{
  REAL(close);
  const int flags = fcntl(file, F_GETFL);
  const bool reads = flags >= 0 && (flags & O_ACCMODE) == O_RDONLY;
  const bool failed = fails_on_file(reads ? "close-read" : "close", file, CALL_PLAIN);
  const int error = errno, result = real(file);
  if (!failed) return result;
  errno = error;
  return -1;
}

int rename(const char *from, const char *to)
{
  REAL(rename);
  return fails_on_path("rename", to) ? -1 : real(from, to);
}

int unlink(const char *path)
{
  REAL(unlink);
  return fails_on_path("unlink", path) ? -1 : real(path);
}

int mkdir(const char *path, mode_t mode)
{
  REAL(mkdir);
  return fails_on_path("mkdir", path) ? -1 : real(path, mode);
}
