// Reads files of the corpus, one by one, as a fuzzer would: every promise of the target holds, and
// no input takes longer than its share of time or more memory than the limit.
//
//   replay [--seeds FOLDER] FILE-OR-FOLDER...   --seeds writes the inputs there instead
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk.h"
#include "fuzz.h"
#include "harness.h"
#include "memory.h"

#define MOST_BYTES ((size_t)1 << 24)
#define MOST_MEMORY ((long)2 << 20)   // KiB
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define MOST_SECONDS 5.0
#else
#define MOST_SECONDS 1.0
#endif

static char current[4096];
static const char *seeds;
static double longest;

static void on_abort(int signal_number)
{
  (void)signal_number;
  static const char words[] = "the input is ";
  (void)!write(2, words, sizeof words - 1);
  (void)!write(2, current, strlen(current));
  (void)!write(2, "\n", 1);
  _exit(1);
}

// The bytes of a file as they are, for targets that say nothing else.
__attribute__((weak)) uint8_t *fuzz_input_of(const char *folder, const char *name, size_t *count)
{
  DiskStatus status = {0};
  char *path = disk_path(folder, name);
  uint8_t *bytes = (uint8_t *)disk_read_whole(path, MOST_BYTES, count, &status);
  memory_free(path);
  return bytes;
}

static struct rusage used(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

static double seconds(struct rusage usage)
{
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static uint8_t *bytes_of(const char *folder, const char *name, size_t *count)
{
  // what a fuzzer found is an input already; named files may stand for one
  const char *slash = strrchr(folder, '/');
  const bool found = strstr(folder, "/found/") != NULL || (slash && strcmp(slash, "/found") == 0);
  if (!found) return fuzz_input_of(folder, name, count);
  DiskStatus status = {0};
  char *path = disk_path(folder, name);
  uint8_t *bytes = (uint8_t *)disk_read_whole(path, MOST_BYTES, count, &status);
  memory_free(path);
  return bytes;
}

static void write_seed(const char *name, const uint8_t *bytes, size_t count)
{
  char *path = disk_path(seeds, name);
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(bytes, 1, count, file) == count);
  if (file) CHECK(fclose(file) == 0);
  memory_free(path);
}

static void replay(const char *folder, const char *name)
{
  size_t count = 0;
  uint8_t *input = bytes_of(folder, name, &count);
  if (!input) return;
  snprintf(current, sizeof current, "%s/%s", folder, name);
  // an allocation of exactly its size: the sanitizer sees a byte too far
  uint8_t *bytes = malloc(count > 0 ? count : 1);
  if (count > 0) memcpy(bytes, input, count);
  memory_free(input);
  if (seeds) {
    write_seed(name, bytes, count);
  } else {
    const double before = seconds(used());
    LLVMFuzzerTestOneInput(bytes, count);
    const double took = seconds(used()) - before;
    if (took > longest) longest = took;
    if (!CHECK(took < MOST_SECONDS)) printf("  %s: %.3f s\n", current, took);
  }
  free(bytes);
}

static void replay_folder(const char *folder)
{
  struct dirent **entries;
  const int count = scandir(folder, &entries, NULL, alphasort);
  CHECK(count > 2);
  for (int i = 0; i < count; i++) {
    if (entries[i]->d_name[0] != '.') replay(folder, entries[i]->d_name);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

int main(int argc, char **argv)
{
  signal(SIGABRT, on_abort);
  int first = 1;
  if (argc > 2 && strcmp(argv[1], "--seeds") == 0) {
    seeds = argv[2];
    first = 3;
  }
  for (int i = first; i < argc; i++) {
    struct stat status;
    if (!CHECK(stat(argv[i], &status) == 0)) continue;
    if (S_ISDIR(status.st_mode)) {
      replay_folder(argv[i]);
      continue;
    }
    char *slash = strrchr(argv[i], '/');
    if (slash) *slash = 0;
    replay(slash ? argv[i] : ".", slash ? slash + 1 : argv[i]);
  }
  if (!seeds) {
#ifndef __SANITIZE_ADDRESS__
    CHECK(used().ru_maxrss < MOST_MEMORY);
#endif
    printf("the longest input took %.3f s, all %.1f s and %ld MiB\n", longest, seconds(used()),
           used().ru_maxrss >> 10);
  }
  return test_report();
}
