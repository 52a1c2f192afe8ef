#include "tetgen.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_process.h"
#include "disk.h"
#include "memory.h"
#include "tetgen_cache.h"
#include "tetgen_files.h"
#include "tetra_check.h"

#define TETGEN_OUTPUT_LARGEST ((size_t)1 << 36)   // bytes of one file
#define TETGEN_REASON 700                         // characters

// p: fill a surface; Y: keep it as it is; M: do not merge its facets; F: no list of faces and
// edges; Q: quiet. Without q there are no points but those that keeping the surface needs.
#define TETGEN_SWITCHES "-pYMFQ"

// -- the folder the program works in --------------------------------------------------------------

static bool folder_make(char *folder, size_t bytes, char *reason)
{
  const char *parent = getenv("TMPDIR");
  if (!parent || !*parent) parent = "/tmp";
  snprintf(folder, bytes, "%s/drystone-XXXXXX", parent);
  if (mkdtemp(folder)) return true;
  snprintf(reason, TETGEN_REASON, "no folder for it can be made in %.400s (TMPDIR): %s", parent,
           strerror(errno));
  folder[0] = 0;
  return false;
}

static void folder_remove(const char *folder)
{
  DIR *entries = opendir(folder);
  if (!entries) return;
  DiskStatus status = {0};
  for (const struct dirent *entry; (entry = readdir(entries));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    disk_remove(folder, entry->d_name, &status);
  }
  closedir(entries);
  rmdir(folder);
}

// The text of a file of the folder (memory_free), or NULL.
static char *folder_read(const char *folder, const char *name, char *reason)
{
  DiskStatus status = {0};
  size_t count;
  char *path = disk_path(folder, name);
  char *text = disk_read_whole(path, TETGEN_OUTPUT_LARGEST, &count, &status);
  memory_free(path);
  if (!text) snprintf(reason, TETGEN_REASON, "it wrote no file %s", name);
  return text;
}

// -- one run --------------------------------------------------------------------------------------

// The last line the program printed, at most so many characters; "" where there is none.
static void last_line(const char *folder, char *line, size_t bytes)
{
  char unused[TETGEN_REASON];
  char *text = folder_read(folder, "log", unused);
  line[0] = 0;
  if (!text) return;
  size_t end = strlen(text);
  while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == ' ')) end--;
  text[end] = 0;
  size_t start = end;
  while (start > 0 && text[start - 1] != '\n') start--;
  if (end > start) snprintf(line, bytes, "; it said: %s", text + start);
  memory_free(text);
}

static void explain_end(ChildResult result, TetgenProgram program, const char *folder, char *reason)
{
  char said[200];
  last_line(folder, said, sizeof said);
  switch (result.end) {
  case CHILD_DONE: return;
  case CHILD_NOT_FOUND:
    snprintf(reason, TETGEN_REASON,
             "there is no such program; install the Debian package tetgen, or name another program "
             "by the variable " TETGEN_VARIABLE);
    return;
  case CHILD_NOT_RUN:
    snprintf(reason, TETGEN_REASON, "it cannot be run: %s", strerror(result.code));
    return;
  case CHILD_FAILED:
    snprintf(reason, TETGEN_REASON, "it failed with exit code %d%s", result.code, said);
    return;
  case CHILD_SIGNAL:
    snprintf(reason, TETGEN_REASON, "it was ended by signal %d (%s)%s", result.code,
             strsignal(result.code), said);
    return;
  case CHILD_LATE:
    snprintf(reason, TETGEN_REASON, "it was stopped after %g s", program.seconds);
    return;
  }
}

static bool run_in_folder(TetgenProgram program, const char *switches, const MeshBlock *block,
                          const char *folder, Arena *arena, BlockFilling *filling, char *reason)
{
  Arena scratch = arena_new();
  size_t count;
  const char *text = tetgen_write_surface(block, &count, &scratch);
  DiskStatus status = {0};
  char *surface = disk_path(folder, "surface.smesh"), *log = disk_path(folder, "log");
  const int file = disk_open_new(surface, &status);
  disk_write_at(file, surface, text, count, 0, &status);
  if (file >= 0) close(file);
  arena_destroy(&scratch);
  bool sound = !status.failed;
  if (!sound) snprintf(reason, TETGEN_REASON, "%.600s", status.reason);
  if (sound) {
    const char *const arguments[] = {program.program, switches, "surface.smesh", NULL};
    const ChildResult result = child_run(&(ChildProcess){
        .arguments = arguments, .folder = folder, .log = log, .seconds = program.seconds});
    sound = result.end == CHILD_DONE;
    explain_end(result, program, folder, reason);
  }
  memory_free(surface);
  memory_free(log);
  if (!sound) return false;
  char *node = folder_read(folder, "surface.1.node", reason);
  char *ele = node ? folder_read(folder, "surface.1.ele", reason) : NULL;
  sound =
      node && ele && tetgen_read_filling(block, node, ele, arena, filling, reason, TETGEN_REASON);
  memory_free(node);
  memory_free(ele);
  return sound;
}

// -- all ------------------------------------------------------------------------------------------

static bool filling_fits(const MeshBlock *block, BlockFilling *found, bool split,
                         Tetrahedra *filling, char *reason)
{
  *filling = (Tetrahedra){.point_count = found->point_count,
                          .points = found->points,
                          .tetra_count = found->tetra_count,
                          .tetra = (const int(*)[4])found->tetra};
  char why[200];
  if (split ? tetra_check_split_block(block, filling, found->tetra, why, sizeof why)
            : tetra_check_block(block, filling, found->tetra, why, sizeof why))
    return true;
  snprintf(reason, TETGEN_REASON, "its tetrahedra do not fill the block: %s", why);
  return false;
}

bool tetgen_fill_by(TetgenProgram program, const MeshBlock *block, const char *mesh_path,
                    Arena *arena, Tetrahedra *filling, TetgenReport *report, char *error,
                    size_t error_bytes)
{
  *report = (TetgenReport){0};
  char reason[TETGEN_REASON] = "", cache[sizeof report->cache], folder[4096];
  BlockFilling found;
  const bool named = tetgen_cache_path(block, mesh_path, cache, sizeof cache);
  // what the cache holds is judged like what the program says
  if (named && tetgen_cache_read(block, cache, arena, &found) &&
      filling_fits(block, &found, false, filling, reason)) {
    report->from_cache = true;
    memcpy(report->cache, cache, sizeof cache);
    return true;
  }
  bool sound = folder_make(folder, sizeof folder, reason);
  if (sound) {
    sound = run_in_folder(program, TETGEN_SWITCHES, block, folder, arena, &found, reason) &&
            filling_fits(block, &found, false, filling, reason);
    folder_remove(folder);
  }
  if (!sound) {
    const char *name = block->name ? block->name : "";
    snprintf(error, error_bytes,
             "%s: %s%s%s is not convex and must be cut into convex parts by the program '%s': %s",
             mesh_path, *name ? "block '" : "the block", name, *name ? "'" : "", program.program,
             reason);
    return false;
  }
  if (named && tetgen_cache_write(block, cache, &found)) {
    memcpy(report->cache, cache, sizeof cache);
  }
  return true;
}

static TetgenProgram program_of_user(void)
{
  const char *other = getenv(TETGEN_VARIABLE);
  return (TetgenProgram){other && *other ? other : "tetgen", TETGEN_SECONDS};
}

bool tetgen_fill(const MeshBlock *block, const char *mesh_path, Arena *arena, Tetrahedra *filling,
                 TetgenReport *report, char *error, size_t error_bytes)
{
  return tetgen_fill_by(program_of_user(), block, mesh_path, arena, filling, report, error,
                        error_bytes);
}

// The program stops at the limit without a word, with the mesh as it is by then.
static bool mesh_is_done(TetgenMeshing meshing, const MeshBlock *block, const BlockFilling *found,
                         char *reason)
{
  if (meshing.most_added == 0 || found->point_count - block->point_count < meshing.most_added)
    return true;
  snprintf(reason, TETGEN_REASON, "it came to no end with %d points added", meshing.most_added);
  return false;
}

bool tetgen_mesh(TetgenMeshing meshing, const MeshBlock *block, Arena *arena, Tetrahedra *filling,
                 char *error, size_t error_bytes)
{
  const TetgenProgram program = program_of_user();
  char reason[TETGEN_REASON] = "", folder[4096], switches[64];
  BlockFilling found;
  if (meshing.most_added > 0)
    snprintf(switches, sizeof switches, "%sS%d", meshing.switches, meshing.most_added);
  else snprintf(switches, sizeof switches, "%s", meshing.switches);
  bool sound = folder_make(folder, sizeof folder, reason);
  if (sound) {
    sound = run_in_folder(program, switches, block, folder, arena, &found, reason) &&
            mesh_is_done(meshing, block, &found, reason) &&
            filling_fits(block, &found, meshing.split, filling, reason);
    folder_remove(folder);
  }
  if (!sound) {
    const char *name = block->name ? block->name : "";
    snprintf(error, error_bytes, "%s%s%s cannot be meshed by '%s': %s",
             *name ? "block '" : "a block", name, *name ? "'" : "", program.program, reason);
  }
  return sound;
}
