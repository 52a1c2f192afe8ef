// The files of a run: when each is opened, written and closed.
#include "run_files.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "checkpoint.h"
#include "hash_log.h"
#include "history_gaps.h"
#include "history_lines.h"
#include "loads.h"
#include "log.h"
#include "parallel.h"
#include "scene.h"

// Reads the newest valid checkpoint if the options ask for it; *last is its step, or -1.
static int restart_from(RunFiles *files, int64_t *last)
{
  *last = -1;
  if (!files->setup->restart) return EXIT_DONE;
  CheckpointHeader header;
  World *w = files->world;
  State state = world_state(w);
  switch (checkpoint_read(files->results.path, w->whole, &files->setup->allowed, &state, &header)) {
  case CHECKPOINT_NONE:
    log_line("no checkpoint in %s: starting from the beginning", files->results.path);
    return EXIT_DONE;
  case CHECKPOINT_DAMAGED: return EXIT_IO;
  case CHECKPOINT_OTHER_CASE: return EXIT_USER;
  case CHECKPOINT_READ: break;
  }
  world_restore(w, &state);
  *last = header.step;
  log_line("restart from step %lld, t %.6g s", (long long)header.step, header.time);
  if (strncmp(header.writer, CHECKPOINT_WRITER, sizeof header.writer - 1) != 0)
    log_line("that checkpoint is by drystone %s, and this is %s: the bits of a run by one of them "
             "alone are not promised",
             header.writer, CHECKPOINT_WRITER);
  return EXIT_DONE;
}

static bool open_rank_records(RunFiles *files, int64_t last)
{
  static RankColumn columns[RANK_COUNT_NUMBER];
  for (int i = 0; i < RANK_COUNT_NUMBER; i++) {
    const RankCount count = rank_count_describe(i);
    columns[i] = (RankColumn){count.name, count.unit, count.text};
  }
  const RankColumns all = {RANK_COUNT_NUMBER, columns};
  return rank_records_begin(&files->rank_records, &files->results, files->world->c, all, last);
}

// Collective. What the tables that the run goes on with lack.
static void report_gaps(const RunFiles *files, int64_t last)
{
  const Bodies *b = &files->world->bodies;
  const int64_t left = (int64_t)scene_born(files->world->c, last) - par_sum(b->table.owned);
  if (par_rank() != 0) return;
  history_report_gaps(files->history.path, last);
  if (files->world->c->domain.given) history_report_count(files->removed.path, left);
  if (files->probes.count > 0) history_report_gaps(files->probed.path, last);
}

// Collective. probes.csv, where the case has probes; else it goes.
static bool open_probes(RunFiles *files, int64_t last)
{
  DiskStatus status = {0};
  if (files->probes.count > 0) {
    if (par_rank() == 0) disk_check_regular(files->results.path, RESULTS_PROBES, &status);
    return all_ok(!status.failed, "cannot write %s", status.reason) &&
           history_begin(&files->probed, &files->results, RESULTS_PROBES,
                         probes_heading(&files->probes), last);
  }
  if (par_rank() == 0) disk_remove(files->results.path, RESULTS_PROBES, &status);
  return all_ok(!status.failed, "cannot remove %s", status.reason);
}

// history.csv and, where bodies can leave, removed.csv
static bool open_tables(RunFiles *files, int64_t last)
{
  DiskStatus status = {0};
  if (par_rank() == 0) {
    disk_check_regular(files->results.path, RESULTS_HISTORY, &status);
    disk_check_regular(files->results.path, RESULTS_REMOVED, &status);
  }
  if (!all_ok(!status.failed, "cannot write %s", status.reason)) return false;
  char heading[HISTORY_LINES_BYTES];
  history_lines_heading(heading);
  const bool fine = history_begin(&files->history, &files->results, RESULTS_HISTORY, heading, last);
  if (!fine || files->world->c->domain.given)
    return fine && history_begin(&files->removed, &files->results, RESULTS_REMOVED,
                                 HISTORY_LINES_REMOVED, last);

  // no body can have left up to here: what the file tells is of a future that was given up
  if (par_rank() == 0) disk_remove(files->results.path, RESULTS_REMOVED, &status);
  return all_ok(!status.failed, "cannot remove %s", status.reason);
}

// A restart without a checkpoint begins anew, and then a table that is there is one of a run that
// was killed, or somebody else's.
static int keep_foreign_tables(const RunFiles *files)
{
  static const char *const names[] = {RESULTS_HISTORY, RESULTS_REMOVED, RESULTS_PROBES};
  const char *foreign = NULL;
  for (int i = 2; i >= 0 && par_rank() == 0; i--)
    if (history_is_foreign(files->results.path, names[i])) foreign = names[i];
  return all_ok(!foreign,
                "%s/%s is no table of a run, and there is no checkpoint to go on from: move it "
                "away, replace it with --overwrite, or choose another folder with -o",
                files->results.path, foreign)
             ? EXIT_DONE
             : EXIT_USER;
}

static ResultsMode mode_of(const RunSetup *setup)
{
  if (setup->restart) return RESULTS_RESTART;
  return setup->overwrite ? RESULTS_OVERWRITE : RESULTS_FRESH;
}

int run_files_open(RunFiles *files, const RunSetup *setup)
{
  assert((setup->no_files || setup->folder || setup->case_path) && "a folder has a name");
  *files = (RunFiles){.setup = setup};
  if (setup->no_files) return EXIT_DONE;
  char usual[512];
  const char *folder = setup->folder;
  if (!folder) folder = results_usual_folder(setup->case_path, "", usual, sizeof usual);
  const int code = setup->hash_log ? hash_log_check(setup->hash_log, folder) : EXIT_DONE;
  return code == EXIT_DONE ? results_open(&files->results, folder, mode_of(setup)) : code;
}

int run_files_begin(RunFiles *files, World *world, int64_t *last)
{
  assert(!files->tables_open && files->setup != NULL && "files begin once");
  files->world = world;
  *last = -1;
  if (files->setup->no_files) return EXIT_DONE;
  if (!probes_begin(&files->probes, world)) return EXIT_USER;
  const bool restart = files->setup->restart;
  int code = restart_from(files, last);
  if (code == EXIT_DONE && restart && *last < 0) code = keep_foreign_tables(files);
  if (code == EXIT_DONE && restart && !results_resume(&files->results, *last)) code = EXIT_IO;
  if (code == EXIT_DONE && !results_in_place(&files->results)) code = EXIT_IO;
  // once more, for the folder may not have been there before
  const char *log = files->setup->hash_log;
  if (code == EXIT_DONE && log) code = hash_log_check(log, files->results.path);
  if (code == EXIT_DONE && log) code = hash_log_open(world, log, *last);
  // earlier results go last, when nothing that the options name can refuse the run any more
  if (code == EXIT_DONE && mode_of(files->setup) == RESULTS_OVERWRITE &&
      !results_replace(&files->results))
    code = EXIT_IO;
  if (code != EXIT_DONE) return code;
  files->tables_open = true;
  if (!open_tables(files, *last) || !open_probes(files, *last) || !open_rank_records(files, *last))
    return EXIT_IO;
  if (*last >= 0) report_gaps(files, *last);
  files->last_checkpoint = *last;
  assert(*last >= -1 && *last <= world->step && "a checkpoint is of a step");
  const State state = world_state(world);
  const FrameScene shown = {world->c, &state, &world->shapes};
  return frames_begin(&files->frames, &files->results, shown, *last) ? EXIT_DONE : EXIT_IO;
}

void run_files_count(RunFiles *files)
{
  assert(files->world != NULL && files->world->step >= 0 && "files have begun");
  rank_counts_traffic(&files->world->rank);
  files->counted = files->world->rank;
  files->counted_step = files->world->step;
}

void run_files_stage(RunFiles *files) { files->frames.c = files->world->c; }

void run_files_lines(RunFiles *files)
{
  assert((files->setup->no_files || files->world->removed.table.owned == 0 ||
          files->world->c->domain.given) &&
         "bodies leave a domain");
  if (files->setup->no_files) return;
  const World *w = files->world;
  char line[HISTORY_LINES_BYTES];
  history_lines_of_step(&w->record, line);
  history_line(&files->history, line);
  // bodies that left the domain in the step, which rank 0 has
  for (int i = 0; i < w->removed.table.owned; i++) {
    history_lines_of_removed(w, i, line);
    history_line(&files->removed, line);
  }
}

void run_files_probes(RunFiles *files)
{
  assert(files->world->step > 0 && "a step has been made");
  if (files->setup->no_files || files->probes.count == 0) return;
  const char *line = probes_line(&files->probes);
  if (line) history_line(&files->probed, line);
}

// A record of what this rank has counted since the last one, where there is something to record.
static bool add_record(RunFiles *files)
{
  assert(files->world->step >= files->counted_step && "steps go on");
  const World *w = files->world;
  const int64_t steps = w->step - files->counted_step;
  if (files->world->c->output.ranks_every == 0 || steps == 0) return true;
  const RankCounts counts = rank_counts_since(&w->rank, &files->counted);
  files->counted = w->rank;
  files->counted_step = w->step;
  return rank_records_add(&files->rank_records, w->step, steps, counts.of);
}

bool run_files_end_stage(RunFiles *files) { return files->setup->no_files || add_record(files); }

bool run_files_record(RunFiles *files)
{
  const int every = files->setup->no_files ? 0 : files->world->c->output.ranks_every;
  return every == 0 || files->world->step % every != 0 || add_record(files);
}

static bool frame_is_due_after(const RunFiles *files, int64_t step)
{
  assert(files->world->c->step > 0 && "time goes on");
  const double every = files->world->c->output.frame_every;
  if (files->setup->no_files || !(every > 0)) return false;
  if (step == 0) return true;
  // frames so far, up to the rounding of large quotients
  // of a stage its own frames count
  const int64_t steps = step - files->world->stage.first_step;
  if (steps == 0) return false;
  const double now = (double)steps * files->world->c->step / every;
  const double before = (double)(steps - 1) * files->world->c->step / every;
  const double slack = 1e-9 * files->world->c->step / every + 4e-16 * now;
  return floor(now + slack) > floor(before + slack);
}

bool run_files_frame_is_due(const RunFiles *files)
{
  return frame_is_due_after(files, files->world->step);
}

bool run_files_frame_comes(const RunFiles *files)
{
  return frame_is_due_after(files, files->world->step + 1);
}

bool run_files_frame(RunFiles *files)
{
  assert(!files->setup->no_files && "a frame is a file");
  World *w = files->world;
  timers_stage(&w->timers, "frames");
  arena_give_back(&w->scratch);   // a file takes its place
  loads_fill_tensors(w);
  const State state = world_state(w);
  const bool fine = frames_write(&files->frames, &state);
  timers_stage(&w->timers, NULL);
  return fine;
}

bool run_files_checkpoint(RunFiles *files)
{
  assert((files->setup->no_files || files->world->step >= files->last_checkpoint) &&
         "checkpoints go on");
  if (files->setup->no_files) return true;
  World *w = files->world;
  timers_stage(&w->timers, "checkpoint");
  arena_give_back(&w->scratch);
  const State state = world_state(w);
  // the record ends here, so that what a restart goes on with begins with one
  const bool fine = history_flush(&files->history) && history_flush(&files->removed) &&
                    history_flush(&files->probed) && add_record(files) &&
                    rank_records_flush(&files->rank_records) &&
                    checkpoint_write(&files->results, w->c, &state) &&
                    history_is_unchanged(&files->history) &&
                    history_is_unchanged(&files->removed) && history_is_unchanged(&files->probed);
  timers_stage(&w->timers, NULL);
  files->last_checkpoint = w->step;
  return fine;
}

int run_files_end(RunFiles *files, int code)
{
  assert(files->world != NULL && "files have begun");
  if (files->setup->no_files) return code;
  History *const tables[] = {&files->history, &files->removed, &files->probed};
  for (int i = 0; i < 3; i++) {
    // one message is enough
    if (code == EXIT_IO || !files->tables_open) history_abandon(tables[i]);
    else if (!history_end(tables[i])) code = EXIT_IO;
  }
  if (code != EXIT_IO && files->frames.results && !frames_finish(&files->frames)) code = EXIT_IO;
  return hash_log_close(files->world, files->setup->hash_log, code);
}

void run_files_close(RunFiles *files)
{
  if (files->setup->no_files) return;
  probes_end(&files->probes);
  frames_end(&files->frames);
  rank_records_end(&files->rank_records);
  results_close(&files->results);
}
