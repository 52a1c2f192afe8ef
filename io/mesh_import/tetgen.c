// Fills closed surfaces with tetrahedra by the program tetgen.
#include "tetgen.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
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
  assert(bytes > 0 && "a folder has room for its name");
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
  assert(bytes > 0 && "a line has room");
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
             "there is no such program; install the Debian package tetgen, name another program by "
             "the variable " TETGEN_VARIABLE
             ", or bring its fillings along ('drystone mesh --keep' writes them)");
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

// A surface to fill, and how.
typedef struct {
  TetgenProgram program;
  const char *switches;
  const MeshBlock *mesh_block;
  TetgenUnit unit;
  bool split;   // triangles of the surface may be split
} TetgenJob;

// What became of it.
typedef enum {
  JOB_DONE,
  JOB_STRANDED,   // the program broke down or answered wrongly: in another unit it may not
  JOB_IMPOSSIBLE
} JobEnd;

static bool write_surface(const TetgenJob *job, const char *path, char *reason)
{
  Arena scratch = arena_new();
  size_t count;
  const char *text = tetgen_write_surface(job->mesh_block, job->unit, &count, &scratch);
  DiskStatus status = {0};
  const int file = disk_open_new(path, &status);
  disk_write_at((DiskFile){file, path}, text, count, 0, &status);
  if (file >= 0) close(file);
  arena_destroy(&scratch);
  if (status.failed) snprintf(reason, TETGEN_REASON, "%.600s", status.reason);
  return !status.failed;
}

// Whether a program ended by what it met, and not by us, the system or the user.
static bool broke_down(ChildResult result)
{
  return result.end == CHILD_FAILED ||
         (result.end == CHILD_SIGNAL && (result.code == SIGABRT || result.code == SIGSEGV));
}

static JobEnd run_in_folder(const TetgenJob *job, const char *folder, Arena *arena,
                            MeshFilling *filling, char *reason)
{
  char *surface = disk_path(folder, "surface.smesh"), *log = disk_path(folder, "log");
  const bool written = write_surface(job, surface, reason);
  ChildResult result = {.end = CHILD_NOT_RUN};
  if (written) {
    const char *const arguments[] = {job->program.program, job->switches, "surface.smesh", NULL};
    result = child_run(&(ChildProcess){
        .arguments = arguments, .folder = folder, .log = log, .seconds = job->program.seconds});
    explain_end(result, job->program, folder, reason);
  }
  memory_free(surface);
  memory_free(log);
  if (!written) return JOB_IMPOSSIBLE;
  if (result.end != CHILD_DONE) return broke_down(result) ? JOB_STRANDED : JOB_IMPOSSIBLE;
  char *node = folder_read(folder, "surface.1.node", reason);
  char *ele = node ? folder_read(folder, "surface.1.ele", reason) : NULL;
  const TetgenAnswer answer = {job->unit, node, ele};
  const bool sound = node && ele &&
                     tetgen_read_filling(job->mesh_block, &answer, arena, filling,
                                         (ErrorText){reason, TETGEN_REASON});
  memory_free(node);
  memory_free(ele);
  return sound ? JOB_DONE : JOB_STRANDED;
}

// -- all ------------------------------------------------------------------------------------------

static bool filling_fits(const MeshBlock *mesh_block, MeshFilling *found, bool split,
                         Tetrahedra *filling, char *reason)
{
  *filling = (Tetrahedra){.point_count = found->point_count,
                          .points = found->points,
                          .tetra_count = found->tetra_count,
                          .tetra = (const int(*)[4])found->tetra};
  char why[200];
  if (split ? tetra_check_split_block(mesh_block, filling, found->tetra, why, sizeof why)
            : tetra_check_block(mesh_block, filling, found->tetra, why, sizeof why))
    return true;
  snprintf(reason, TETGEN_REASON, "its tetrahedra: %s", why);
  return false;
}

// One run in a folder of its own, judged.
static JobEnd run_job(const TetgenJob *job, Arena *arena, MeshFilling *found, Tetrahedra *filling,
                      char *reason)
{
  assert(job->mesh_block != NULL && job->unit.size > 0 && "a job has a mesh block and a unit");
  char folder[4096];
  if (!folder_make(folder, sizeof folder, reason)) return JOB_IMPOSSIBLE;
  JobEnd end = run_in_folder(job, folder, arena, found, reason);
  folder_remove(folder);
  if (end == JOB_DONE && !filling_fits(job->mesh_block, found, job->split, filling, reason))
    end = JOB_STRANDED;
  return end;
}

// In a unit of the mesh block's own; where the program is stranded with it, in metres: slivers as
// low as the grid of that unit may need their last digits.
static bool fill_anew(TetgenProgram program, const MeshBlock *mesh_block, Arena *arena,
                      MeshFilling *found, Tetrahedra *filling, char *reason)
{
  TetgenJob job = {program, TETGEN_SWITCHES, mesh_block, tetgen_unit_of_block(mesh_block), false};
  JobEnd end = run_job(&job, arena, found, filling, reason);
  if (end == JOB_STRANDED) {
    job.unit = tetgen_unit_metre();
    end = run_job(&job, arena, found, filling, reason);
  }
  return end == JOB_DONE;
}

static TetgenProgram program_of_user(void)
{
  const char *other = getenv(TETGEN_VARIABLE);
  return (TetgenProgram){other && *other ? other : "tetgen", TETGEN_SECONDS};
}

// What is kept of a mesh block: beside the mesh, else in the cache. It is judged like what the
// program says.
static bool recall(const TetgenTask *task, Arena *arena, MeshFilling *found, Tetrahedra *filling,
                   TetgenReport *report)
{
  char reason[TETGEN_REASON];
  const MeshBlock *mesh_block = task->mesh_block;
  bool known = task->beside && tetgen_record_find(task->beside, mesh_block, arena, found) &&
               filling_fits(mesh_block, found, false, filling, reason) &&
               tetgen_cache_beside(task->mesh_path, report->cache);
  const ErrorText unkept = {report->unkept, sizeof report->unkept};
  if (!known && tetgen_cache_path(mesh_block, report->cache, unkept)) {
    TetgenRecords kept = tetgen_cache_read(report->cache);
    known = tetgen_record_find(&kept, mesh_block, arena, found) &&
            filling_fits(mesh_block, found, false, filling, reason);
    memory_free(kept.bytes);
  }
  report->from_cache = known;
  return known;
}

static void keep(const MeshBlock *mesh_block, const Tetrahedra *filling, TetgenReport *report)
{
  assert(!report->from_cache && "what is kept is not kept again");
  if (*report->unkept) {
    report->cache[0] = 0;
    return;
  }
  TetgenRecords record = tetgen_record_make(mesh_block, filling);
  if (!tetgen_cache_write(report->cache, &record,
                          (ErrorText){report->unkept, sizeof report->unkept}))
    report->cache[0] = 0;
  memory_free(record.bytes);
}

bool tetgen_fill(const TetgenTask *task, Arena *arena, Tetrahedra *filling, TetgenReport *report,
                 ErrorText error)
{
  const MeshBlock *mesh_block = task->mesh_block;
  const char *mesh_path = task->mesh_path;
  const TetgenProgram program = task->by.program ? task->by : program_of_user();
  assert(program.seconds > 0 && "a program has some time");
  assert(mesh_path != NULL && "a mesh block comes from a file");
  assert(error.text != NULL && error.bytes > 0 && "a message has room");
  *report = (TetgenReport){0};
  char reason[TETGEN_REASON] = "";
  MeshFilling found;
  if (recall(task, arena, &found, filling, report)) return true;
  if (!fill_anew(program, mesh_block, arena, &found, filling, reason)) {
    const char *name = mesh_block->name ? mesh_block->name : "";
    snprintf(error.text, error.bytes,
             "%s: %s%s%s is not convex and must be cut into convex parts by the program '%s': %s",
             mesh_path, *name ? "block '" : "the block", name, *name ? "'" : "", program.program,
             reason);
    return false;
  }
  keep(mesh_block, filling, report);
  return true;
}

// The program stops at the limit without a word, with the mesh as it is by then.
static bool mesh_is_done(TetgenMeshing meshing, const MeshBlock *mesh_block,
                         const MeshFilling *found, char *reason)
{
  if (meshing.most_added == 0 || found->point_count - mesh_block->point_count < meshing.most_added)
    return true;
  snprintf(reason, TETGEN_REASON, "it came to no end with %d points added", meshing.most_added);
  return false;
}

bool tetgen_mesh(TetgenMeshing meshing, const MeshBlock *mesh_block, Arena *arena,
                 Tetrahedra *filling, ErrorText error)
{
  assert(meshing.switches != NULL && meshing.most_added >= 0 && "a program has switches");
  assert(strlen(meshing.switches) < 48 && "switches and a limit have room");
  const TetgenProgram program = program_of_user();
  char reason[TETGEN_REASON] = "", switches[64];
  MeshFilling found;
  if (meshing.most_added > 0)
    snprintf(switches, sizeof switches, "%sS%d", meshing.switches, meshing.most_added);
  else snprintf(switches, sizeof switches, "%s", meshing.switches);
  const TetgenJob job = {program, switches, mesh_block, tetgen_unit_metre(), meshing.split};
  const bool sound = run_job(&job, arena, &found, filling, reason) == JOB_DONE &&
                     mesh_is_done(meshing, mesh_block, &found, reason);
  if (!sound) {
    const char *name = mesh_block->name ? mesh_block->name : "";
    snprintf(error.text, error.bytes, "%s%s%s cannot be meshed by '%s': %s",
             *name ? "block '" : "a block", name, *name ? "'" : "", program.program, reason);
  }
  return sound;
}
