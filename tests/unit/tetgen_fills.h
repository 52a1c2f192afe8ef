#pragma once
// Fillings by tetgen for tests, in a folder of this process with a cache of its own.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "memory.h"
#include "mesh_solids.h"
#include "tetgen.h"
#include "tetra_check.h"

#define MESH "stone.obj"
#define CACHE "cache/drystone/tetra1"

typedef struct {
  bool done;
  Tetrahedra filling;
  TetgenReport report;
  char error[1000];
} Outcome;

static inline Outcome fill(const char *program, double seconds, const MeshBlock *mesh_block,
                           const char *mesh, Arena *arena)
{
  Outcome out = {0};
  out.done = tetgen_fill(&(TetgenTask){mesh_block, mesh, {program, seconds}, NULL}, arena,
                         &out.filling, &out.report, (ErrorText){out.error, sizeof out.error});
  return out;
}

// Entries of a folder but . and .., and the name of the last one.
static inline int count_entries(const char *folder, char *name, size_t bytes)
{
  DIR *entries = opendir(folder);
  int count = 0;
  if (!CHECK(entries != NULL)) return -1;
  for (const struct dirent *entry; (entry = readdir(entries));) {
    if (entry->d_name[0] == '.') continue;
    count++;
    if (name) snprintf(name, bytes, "%s", entry->d_name);
  }
  closedir(entries);
  return count;
}

static inline void remove_entries(const char *folder)
{
  char name[300], path[700];
  while (count_entries(folder, name, sizeof name) > 0) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!CHECK(unlink(path) == 0 || rmdir(path) == 0)) return;
  }
}

// Failures leave one message that names mesh and mesh block, no cache, and no folder behind.
static inline void check_refused(const Outcome *out, const char *words)
{
  CHECK(!out->done);
  if (!CHECK(strstr(out->error, words) != NULL)) printf("message: %s\n", out->error);
  CHECK(strstr(out->error, MESH) != NULL && strstr(out->error, "'l'") != NULL);
  CHECK(strchr(out->error, '\n') == NULL);
  CHECK(count_entries(CACHE, NULL, 0) == 0);
  CHECK(count_entries("temporary", NULL, 0) == 0);
}

static inline void check_filling(const Outcome *out, const MeshBlock *mesh_block)
{
  if (!CHECK(out->done)) {
    printf("%s\n", out->error);
    return;
  }
  const size_t own = (size_t)mesh_block->point_count * sizeof(vec3);
  CHECK(out->filling.point_count >= mesh_block->point_count);
  CHECK(memcmp(out->filling.points, mesh_block->points, own) == 0);
  CHECK_NEAR(filling_volume(&out->filling), mesh_block->volume, 1e-12 * mesh_block->volume);
  char reason[200];
  int(*copy)[4] = memory_allocate((size_t)out->filling.tetra_count * sizeof *copy);
  memcpy(copy, out->filling.tetra, (size_t)out->filling.tetra_count * sizeof *copy);
  CHECK(tetra_check_block(mesh_block, &out->filling, copy, reason, sizeof reason));
  CHECK(memcmp(copy, out->filling.tetra, (size_t)out->filling.tetra_count * sizeof *copy) == 0);
  memory_free(copy);
  CHECK(count_entries("temporary", NULL, 0) == 0);
}

// Goes to a new folder, whatever an earlier run left.
static inline bool fills_begin(void)
{
  char home[] = "tetgen-XXXXXX", cache[1024];
  if (!CHECK(mkdtemp(home) != NULL && chdir(home) == 0)) return false;
  if (!CHECK(getcwd(cache, sizeof cache - 8) != NULL)) return false;
  setenv("XDG_CACHE_HOME", strcat(cache, "/cache"), 1);
  setenv("TMPDIR", "temporary", 1);
  unsetenv(TETGEN_VARIABLE);
  return CHECK(mkdir("cache", 0755) == 0 && mkdir("temporary", 0755) == 0) &&
         CHECK(mkdir("cache/drystone", 0755) == 0 && mkdir(CACHE, 0755) == 0);
}

static inline void fills_end(void)
{
  remove_entries(CACHE);
  CHECK(rmdir(CACHE) == 0 && rmdir("cache/drystone") == 0);
  remove_entries("temporary");
  remove_entries(".");
  char home[1024];
  CHECK(getcwd(home, sizeof home) != NULL && chdir("..") == 0 && rmdir(home) == 0);
}
