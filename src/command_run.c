// drystone run: a case from its first step, or from its last checkpoint, to its end.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case_keys.h"
#include "case_reader.h"
#include "checkpoint.h"
#include "command.h"
#include "command_dump.h"
#include "command_history.h"
#include "command_run_log.h"
#include "frames.h"
#include "history.h"
#include "history_gaps.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "rank_records.h"
#include "results.h"
#include "scene.h"
#include "stop.h"
#include "world.h"

typedef struct {
  const char *case_path, *folder, *hash_log;
  int64_t steps;          // -1: to the end of the case
  int64_t dump_problem;   // step whose contact problem is written, 0: none
  double max_wall;        // s, 0: no limit
  bool restart, overwrite;
  int override_count;
  const char **overrides;   // [override_count]
  CaseAllowance allowed;    // what a restart may find changed
} RunOptions;

typedef struct {
  int word_count;
  char **words;   // [word_count] of the command
  RunOptions options;
  Case c;
  World world;
  Results results;
  Frames frames;
  History history, removed;
  RankRecords rank_records;
  RankCounts counted;     // of this rank, when the last record was made
  int64_t counted_step;   // the last that a record covers
  RunLog log;
  Stop stop;
  int64_t last_checkpoint;
  bool history_open, dumped;
  int dump_code;
  char default_folder[512];
} Run;

static bool parse_count(const char *word, int64_t *value)
{
  char *end;
  errno = 0;
  *value = strtoll(word, &end, 10);
  return *word && !*end && errno == 0 && *value >= 0;
}

// the value of an option, or NULL after a message
static const char *value_of(int count, char **words, int *at)
{
  if (*at + 1 < count) return words[++*at];
  all_ok(false, "option %s needs a value; drystone --help lists the options", words[*at]);
  return NULL;
}

static bool parse_options(int count, char **words, RunOptions *o)
{
  *o = (RunOptions){.steps = -1};
  o->overrides = memory_allocate(((size_t)count + 1) * sizeof *o->overrides);
  const char **allowed = memory_allocate(((size_t)count + 1) * sizeof *allowed);
  o->allowed.keys = allowed;
  for (int i = 0; i < count; i++) {
    const char *word = words[i], *value = NULL;
    if (strcmp(word, "--restart") == 0) o->restart = true;
    else if (strcmp(word, "--overwrite") == 0) o->overwrite = true;
    else if (strcmp(word, "-o") == 0 || strcmp(word, "--steps") == 0 ||
             strcmp(word, "--set") == 0 || strcmp(word, "--hash-log") == 0 ||
             strcmp(word, "--dump-problem") == 0 || strcmp(word, "--max-wall") == 0 ||
             strcmp(word, "--allow") == 0) {
      value = value_of(count, words, &i);
      if (!value) return false;
      if (word[1] == 'o') o->folder = value;
      else if (strcmp(word, "--set") == 0) o->overrides[o->override_count++] = value;
      else if (strcmp(word, "--hash-log") == 0) o->hash_log = value;
      else if (strcmp(word, "--allow") == 0) {
        if (!case_keys_known(value))
          return all_ok(false, "--allow: '%s' is no key of a case, nor the beginning of one",
                        value);
        allowed[o->allowed.count++] = value;
      } else if (strcmp(word, "--dump-problem") == 0) {
        if (!parse_count(value, &o->dump_problem) || o->dump_problem == 0)
          return all_ok(false, "--dump-problem: '%s' is not the number of a step (1, 2, ...)",
                        value);
      } else if (strcmp(word, "--max-wall") == 0) {
        if (!stop_parse_duration(value, &o->max_wall))
          return all_ok(false,
                        "--max-wall: '%s' is no wall time, as 90s, 55m, 1.5h or 2d are (a number "
                        "alone: seconds)",
                        value);
      } else if (!parse_count(value, &o->steps))
        return all_ok(false, "--steps: '%s' is not a number of steps (0, 1, 2, ...)", value);
    } else if (word[0] == '-' && word[1]) {
      return all_ok(false, "unknown option %s; drystone --help lists the options", word);
    } else if (o->case_path) {
      return all_ok(false, "two case files given, %s and %s; run takes one", o->case_path, word);
    } else {
      o->case_path = word;
    }
  }
  if (!o->case_path) return all_ok(false, "run needs a case file: drystone run CASE [options]");
  if (o->restart && o->overwrite)
    return all_ok(false, "--restart and --overwrite exclude each other");
  if (o->allowed.count > 0 && !o->restart)
    return all_ok(false, "--allow is about what a restart may find changed; give --restart");
  return true;
}

// results/NAME for any/where/NAME.yaml
static const char *folder_of_case(const char *path, char *folder, size_t bytes)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  const int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
  snprintf(folder, bytes, "results/%.*s", length, name);
  return folder;
}

// steps after which a time has been reached, up to rounding
static int64_t steps_until(double time, double step) { return (int64_t)ceil(time / step - 1e-9); }

static bool frame_is_due(const Run *run)
{
  const double every = run->c.frame_every;
  if (!(every > 0)) return false;
  if (run->world.step == 0) return true;
  // frames so far, up to the rounding of large quotients
  const double now = (double)run->world.step * run->c.step / every;
  const double before = (double)(run->world.step - 1) * run->c.step / every;
  const double slack = 1e-9 * run->c.step / every + 4e-16 * now;
  return floor(now + slack) > floor(before + slack);
}

static bool write_frame(Run *run)
{
  World *w = &run->world;
  const double began = par_seconds();
  timers_stage(&w->timers, "frames");
  arena_give_back(&w->scratch);   // a file takes its place
  const bool fine = frames_write(&run->frames, w->step, (double)w->step * run->c.step, &w->bodies,
                                 &w->contacts, world_hash(w));
  timers_stage(&w->timers, NULL);
  stop_count_frame(&run->stop, par_seconds() - began);
  return fine;
}

// A record of what this rank has counted since the last one, where there is something to record.
static bool record_ranks(Run *run)
{
  const World *w = &run->world;
  const int64_t steps = w->step - run->counted_step;
  if (run->c.ranks_every == 0 || steps == 0) return true;
  const RankCounts counts = rank_counts_since(&w->rank, &run->counted);
  run->counted = w->rank;
  run->counted_step = w->step;
  return rank_records_add(&run->rank_records, w->step, steps, counts.of);
}

static bool write_checkpoint(Run *run)
{
  World *w = &run->world;
  const double began = par_seconds();
  timers_stage(&w->timers, "checkpoint");
  arena_give_back(&w->scratch);
  CheckpointHeader header = {.step = w->step,
                             .time = (double)w->step * run->c.step,
                             .solver = solver_memory_words(&w->solver)};
  // the record ends here, so that what a restart goes on with begins with one
  const bool fine = history_flush(&run->history) && history_flush(&run->removed) &&
                    record_ranks(run) && rank_records_flush(&run->rank_records) &&
                    checkpoint_write(&run->results, &run->c, &header, &w->bodies, &w->contacts);
  timers_stage(&w->timers, NULL);
  stop_count_checkpoint(&run->stop, par_seconds() - began);
  run->last_checkpoint = w->step;
  return fine;
}

static void append_lines(Run *run)
{
  const World *w = &run->world;
  char line[COMMAND_HISTORY_BYTES];
  command_history_line(&w->record, line);
  history_line(&run->history, line);
  // bodies that left the domain in the step, which rank 0 has
  for (int i = 0; i < w->removed.table.owned; i++) {
    command_removed_line(w, i, line);
    history_line(&run->removed, line);
  }
}

// Reads the newest valid checkpoint if the options ask for it; *last is its step, or -1.
static int restart_from(Run *run, int64_t *last)
{
  *last = -1;
  if (!run->options.restart) return EXIT_DONE;
  CheckpointHeader header;
  World *w = &run->world;
  switch (checkpoint_read(run->results.path, &run->c, &run->options.allowed, &header, &w->bodies,
                          &w->contacts)) {
  case CHECKPOINT_NONE:
    log_line("no checkpoint in %s: starting from the beginning", run->results.path);
    return EXIT_DONE;
  case CHECKPOINT_DAMAGED: return EXIT_IO;
  case CHECKPOINT_OTHER_CASE: return EXIT_USER;
  case CHECKPOINT_READ: break;
  }
  world_restore(w, header.step);
  solver_memory_restore(&w->solver, &header.solver);
  *last = header.step;
  log_line("restart from step %lld, t %.6g s", (long long)header.step, header.time);
  if (strncmp(header.writer, CHECKPOINT_WRITER, sizeof header.writer - 1) != 0)
    log_line("that checkpoint is by drystone %s, and this is %s: the bits of a run by one of them "
             "alone are not promised",
             header.writer, CHECKPOINT_WRITER);
  return EXIT_DONE;
}

static int open_hash_log(Run *run, int64_t last)
{
  const char *path = run->options.hash_log;
  if (!path) return EXIT_DONE;
  run->world.hash_stages = true;
  DiskStatus status = {0};
  if (par_rank() == 0 && last >= 0) history_cut_lines(path, last, &status);
  if (!all_ok(!status.failed, "cannot go on with %s", status.reason)) return EXIT_IO;
  if (par_rank() == 0) run->world.hash_log = fopen(path, last >= 0 ? "a" : "w");
  return all_ok(par_rank() != 0 || run->world.hash_log, "cannot write %s: %s", path,
                strerror(errno))
             ? EXIT_DONE
             : EXIT_IO;
}

// Collective. Returns the code, or EXIT_IO after a message where the log lacks lines.
static int close_hash_log(Run *run, int code)
{
  World *w = &run->world;
  if (w->hash_log && fclose(w->hash_log) != 0 && w->hash_log_error == 0) w->hash_log_error = errno;
  w->hash_log = NULL;
  if (code == EXIT_IO || !w->hash_stages) return code;
  return all_ok(w->hash_log_error == 0, "cannot write %s: %s", run->options.hash_log,
                strerror(w->hash_log_error))
             ? code
             : EXIT_IO;
}

static bool open_rank_records(Run *run, int64_t last)
{
  static RankColumn columns[RANK_COUNT_NUMBER];
  for (int i = 0; i < RANK_COUNT_NUMBER; i++) {
    const RankCount count = rank_count_describe(i);
    columns[i] = (RankColumn){count.name, count.unit, count.text};
  }
  return rank_records_begin(&run->rank_records, &run->results, &run->c, columns, RANK_COUNT_NUMBER,
                            last);
}

// Collective. What the tables that the run goes on with lack.
static void report_gaps(const Run *run, int64_t last)
{
  const Bodies *b = &run->world.bodies;
  const int64_t left = (int64_t)scene_born(&run->c, last) - par_sum(b->table.owned);
  if (par_rank() != 0) return;
  history_report_gaps(run->history.path, last);
  if (run->c.has_domain) history_report_count(run->removed.path, left);
}

// history.csv and, where bodies can leave, removed.csv
static bool open_tables(Run *run, int64_t last)
{
  DiskStatus status = {0};
  if (par_rank() == 0) {
    disk_check_regular(run->results.path, RESULTS_HISTORY, &status);
    disk_check_regular(run->results.path, RESULTS_REMOVED, &status);
  }
  if (!all_ok(!status.failed, "cannot write %s", status.reason)) return false;
  char heading[COMMAND_HISTORY_BYTES];
  command_history_heading(heading);
  const bool fine = history_begin(&run->history, &run->results, RESULTS_HISTORY, heading, last);
  if (!fine || run->c.has_domain)
    return fine && history_begin(&run->removed, &run->results, RESULTS_REMOVED,
                                 COMMAND_REMOVED_HEADING, last);

  // no body can have left up to here: what the file tells is of a future that was given up
  if (par_rank() == 0) disk_remove(run->results.path, RESULTS_REMOVED, &status);
  return all_ok(!status.failed, "cannot remove %s", status.reason);
}

static void dump_problem(void *context, Problem *problem, const Twist *free)
{
  Run *run = context;
  if (run->world.step + 1 != run->options.dump_problem) return;
  run->dump_code = command_dump_problem(&run->world, problem, free, run->results.path);
  run->dumped = run->dump_code == EXIT_DONE;
  if (run->dumped)
    log_line("contact problem of step %lld written", (long long)run->options.dump_problem);
}

// from results folder to the first state on disk
static int begin_run(Run *run)
{
  World *w = &run->world;
  int64_t last = -1;
  int code = restart_from(run, &last);
  if (code == EXIT_DONE && run->options.restart && !results_resume(&run->results, last))
    code = EXIT_IO;
  if (code == EXIT_DONE) code = open_hash_log(run, last);
  if (code != EXIT_DONE) return code;
  run->history_open = true;
  if (!open_tables(run, last) || !open_rank_records(run, last)) return EXIT_IO;
  if (last >= 0) report_gaps(run, last);
  if (!frames_begin(&run->frames, &run->results, &run->c, &w->bodies, &w->shapes, last))
    return EXIT_IO;
  run->last_checkpoint = last;
  run->log.first_step = w->step;
  run->log.last_step = steps_until(run->c.end, run->c.step);
  if (run->options.steps >= 0 && run->options.steps < run->log.last_step)
    run->log.last_step = run->options.steps;
  world_start(w);
  rank_counts_traffic(&w->rank);
  run->counted = w->rank;
  run->counted_step = w->step;
  run->stop = stop_begin(w, run->results.path, run->options.max_wall);
  w->ballot = (Ballot){.cast = stop_cast, .context = &run->stop};
  if (run->options.dump_problem > 0) w->hook = (ProblemHook){dump_problem, run};
  run_log_begin(&run->log);
  if (last < 0 && frame_is_due(run) && !write_frame(run)) return EXIT_IO;
  return EXIT_DONE;
}

static int step_until_end(Run *run)
{
  World *w = &run->world;
  if (w->step < run->log.last_step && stop_before_steps(&run->stop)) return EXIT_STOPPED;
  while (w->step < run->log.last_step) {
    const int code = world_step(w);
    if (code == EXIT_BUG) return code;
    const bool stops = stop_after_step(&run->stop);
    append_lines(run);
    run_log_step(&run->log);
    if (run->c.ranks_every > 0 && w->step % run->c.ranks_every == 0 && !record_ranks(run))
      return EXIT_IO;
    if (frame_is_due(run) && !write_frame(run)) return EXIT_IO;
    if (run->dump_code != EXIT_DONE) return run->dump_code;   // the step itself is done
    if (stop_checkpoint_is_due(&run->stop) && !write_checkpoint(run)) return EXIT_IO;
    if (code != EXIT_DONE) return code;
    if (run->c.demand_convergence && !w->record.solve.converged) {
      all_ok(false, "step %lld did not converge, and solver.demand_convergence asks for it",
             (long long)w->step);
      return EXIT_NOT_CONVERGED;
    }
    if (stops && w->step < run->log.last_step) return EXIT_STOPPED;
  }
  return EXIT_DONE;
}

// steps that lie outside of the run, or behind an end that came early
static void say_dump(const Run *run)
{
  if (run->options.dump_problem > 0 && !run->dumped)
    log_warning("contact problem of step %lld not written: this run began after step %lld and "
                "ended with step %lld",
                (long long)run->options.dump_problem, (long long)run->log.first_step,
                (long long)run->world.step);
}

static int run_in_folder(Run *run)
{
  int code = begin_run(run);
  const bool begun = code == EXIT_DONE;
  if (begun) code = step_until_end(run);
  if (code == EXIT_STOPPED) stop_say(&run->stop);
  // a run always ends with a checkpoint, unless its state is not worth one or the disk refuses it
  const bool whole = begun && code != EXIT_BUG && code != EXIT_IO;
  if (whole && run->world.step > run->last_checkpoint) {
    if (!write_checkpoint(run)) code = EXIT_IO;
  } else if (whole && run->results.last_checkpoint < 0) {
    // nothing was to be done; older ones may have been left beside the one that was read
    checkpoint_prune(&run->results, run->world.step);
  }
  if (code == EXIT_IO) {
    history_abandon(&run->history);
    history_abandon(&run->removed);
  } else if (run->history_open) {
    // one message is enough
    if (!history_end(&run->history)) code = EXIT_IO;
    if (code == EXIT_IO) history_abandon(&run->removed);
    else if (!history_end(&run->removed)) code = EXIT_IO;
  }
  code = close_hash_log(run, code);
  if (whole && code != EXIT_IO) {
    stop_end(&run->stop);
    say_dump(run);
    run_log_end(&run->log, run->results.path);
    if (code == EXIT_STOPPED) run_log_go_on(run->word_count, run->words);
  }
  return code;
}

int command_run(int count, char **words)
{
  Run *run = memory_allocate_zero(1, sizeof *run);
  run->word_count = count;
  run->words = words;
  int code = EXIT_USER;
  if (parse_options(count, words, &run->options)) {
    const CaseOptions case_options = {.override_count = run->options.override_count,
                                      .overrides = run->options.overrides};
    run->log = run_log_new(&run->world);
    if (case_load(run->options.case_path, &case_options, &run->c)) {
      const char *folder = run->options.folder;
      if (!folder)
        folder =
            folder_of_case(run->options.case_path, run->default_folder, sizeof run->default_folder);
      const ResultsMode mode = run->options.restart     ? RESULTS_RESTART
                               : run->options.overwrite ? RESULTS_OVERWRITE
                                                        : RESULTS_FRESH;
      code = results_open(&run->results, folder, mode);
      if (code == EXIT_DONE) {
        world_begin(&run->world, &run->c);
        code = run_in_folder(run);
        frames_end(&run->frames);
        rank_records_end(&run->rank_records);
        world_end(&run->world);
        results_close(&run->results);
      }
      case_destroy(&run->c);
    }
  }
  memory_free(run->options.overrides);
  memory_free((void *)run->options.allowed.keys);
  memory_free(run);
  return code;
}
