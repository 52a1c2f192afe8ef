#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"

#define PATH_BYTES 512
#define CAUGHT_BYTES 65536

static char folder[PATH_BYTES];

// Files of the targets lie in it, without folders.
static void remove_folder(void)
{
  DIR *entries = opendir(folder);
  for (struct dirent *entry; entries && (entry = readdir(entries));)
    if (entry->d_name[0] != '.') unlink(fuzz_path(entry->d_name));
  if (entries) closedir(entries);
  rmdir(folder);
}

static void make_folder(void)
{
  // in memory where there is such a place: a disk would be the slowest part of most inputs
  const char *given = getenv("FUZZ_FOLDER");
  const char *where = given ? given : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(folder, sizeof folder, "%s/drystone-fuzz-XXXXXX", where);
  if (!mkdtemp(folder)) {
    perror(folder);
    exit(1);
  }
  atexit(remove_folder);
}

const char *fuzz_path(const char *name)
{
  static char path[2 * PATH_BYTES];
  if (!*folder) make_folder();
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

void fuzz_write(const char *name, const void *bytes, size_t count)
{
  const char *path = fuzz_path(name);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  size_t done = 0;
  for (ssize_t wrote = 0; file >= 0 && wrote >= 0 && done < count; done += (size_t)wrote)
    wrote = write(file, (const char *)bytes + done, count - done);
  if (file < 0 || done != count || close(file) != 0) {
    perror(path);
    exit(1);
  }
}

// -- promises -------------------------------------------------------------------------------------

static FILE *usual, *caught;
static char text[CAUGHT_BYTES];

void fuzz_hold(bool condition, const char *phrase, const char *file, int line)
{
  if (condition) return;
  if (usual) fuzz_catch_end();
  fprintf(stderr, "%s:%d: broken: %s\n", file, line, phrase);
  if (*text) fprintf(stderr, "standard error was: %s\n", text);
  abort();
}

void fuzz_catch_begin(void)
{
  if (!caught) caught = fmemopen(text, sizeof text, "w");
  if (!caught) {
    perror("fmemopen");
    exit(1);
  }
  rewind(caught);
  text[0] = 0;
  usual = stderr;
  stderr = caught;
}

const char *fuzz_catch_end(void)
{
  fflush(caught);
  const long length = ftell(caught);
  text[length < 0 ? 0 : length < CAUGHT_BYTES ? length : CAUGHT_BYTES - 1] = 0;
  stderr = usual;
  usual = NULL;
  return text;
}

bool fuzz_is_message(const char *message, const char *begin)
{
  size_t length = strlen(message);
  if (length > 0 && message[length - 1] == '\n') length--;
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)message[i] < 0x20 || message[i] == 0x7F) return false;
  const size_t least = strlen(begin);
  return length > least + 5 && strncmp(message, begin, least) == 0;
}

// -- around an input ------------------------------------------------------------------------------

static int64_t live_before;
static double began;

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void fuzz_begin(void)
{
  live_before = memory_live_bytes();
  began = processor_seconds();
}

void fuzz_end(void)
{
  fuzz_expect(memory_live_bytes() == live_before, "memory of the input is given back");
  fuzz_expect(processor_seconds() - began < FUZZ_SECONDS, "an input takes no longer than it may");
}
