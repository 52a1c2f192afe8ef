// The life of a run: begin, steps, end.
#include "run.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "case_sense.h"
#include "case_start.h"
#include "checkpoint.h"
#include "distribute.h"
#include "history_gaps.h"
#include "log.h"
#include "log_file.h"
#include "memory.h"
#include "outcome.h"
#include "parallel.h"
#include "run_dump.h"
#include "run_files.h"
#include "run_log.h"
#include "stop.h"
#include "supports.h"

struct Run {
  RunSetup setup;
  ParGroup *group;   // NULL: the caller's
  RunError error;    // so far
  Case c;
  World world;
  RunFiles files;
  RunLog log;
  LogFile log_file;
  Stop stop;
  Outcome outcome;       // what has ended it, or nothing yet
  int64_t unconverged;   // steps since the start of the case, where time.until counts them
  Outcome *stages;       // [stages of the case] of those that have ended
  Forces forces;         // at its end
  bool stepped;          // or asked before its first step
  bool stopped;          // somebody asked for the end
  bool changed;          // rows of this rank, by the caller, since the last checkpoint
  bool dumped;
  int dump_code;
};

// What was in use where the run was called from.
typedef struct {
  ParGroup *group;
  LogSink sink;
} Caller;

// Messages while the run is at work: errors are kept for the caller, on all ranks, and all of them
// in the folder.
static void hear(void *context, LogLevel level, const char *text)
{
  Run *run = context;
  if (level == LOG_ERROR) {
    char *kept = run->error.text;
    const size_t used = strlen(kept);
    assert(used < RUN_ERROR_BYTES && "messages end");
    snprintf(kept + used, RUN_ERROR_BYTES - used, "%s%s", used ? "\n" : "", text);
    if (par_rank() != 0) return;
  }
  log_hand_on(run->setup.sink, level, text);
  if (!run->setup.no_files) log_file_add(&run->log_file, level, text);
}

static Caller enter(Run *run)
{
  Caller caller = {.sink = log_use((LogSink){hear, run})};
  if (run->group) caller.group = par_group_use(run->group);
  return caller;
}

static void leave(const Run *run, const Caller *caller, int code, RunError *error)
{
  if (run->group) par_group_use(caller->group);
  log_use(caller->sink);
  *error = run->error;
  error->code = code;
}

// steps after which a time has been reached, up to rounding
static int64_t steps_until(double time, double step)
{
  assert(time >= 0 && step > 0 && "time goes on");
  return (int64_t)ceil(time / step - 1e-9);
}

static void dump_problem(Run *run, Problem *problem, Velocities free)
{
  // of a step that is halved, the whole one
  if (run->world.step + 1 != run->setup.dump_problem || run->world.interval.count > 1) return;
  run->dump_code = run_dump_problem(&run->world, problem, free, &run->files.results);
  run->dumped = run->dump_code == EXIT_DONE;
  if (run->dumped)
    log_line("contact problem of step %lld written", (long long)run->setup.dump_problem);
}

static void meet_problem(void *context, Problem *problem, Velocities free)
{
  Run *run = context;
  dump_problem(run, problem, free);
  if (run->setup.hook.call) run->setup.hook.call(run->setup.hook.context, problem, free);
}

static bool write_frame(Run *run)
{
  assert(!run->setup.no_files && "a frame is a file");
  const double began = par_seconds();
  const bool fine = run_files_frame(&run->files);
  stop_count_frame(&run->stop, par_seconds() - began);
  return fine;
}

static bool write_checkpoint(Run *run)
{
  const double began = par_seconds();
  const bool fine = run_files_checkpoint(&run->files);
  run->changed = false;
  stop_count_checkpoint(&run->stop, par_seconds() - began);
  return fine;
}

// Collective. Whether the last checkpoint is of the state as it is.
static bool is_saved(const Run *run)
{
  return !par_any(run->changed) && run->world.step <= run->files.last_checkpoint;
}

static bool is_staged(const Run *run) { return run->c.stage_count > 0; }

static OutcomeParts stage_outcomes(const Run *run, int count)
{
  const bool ended = run->outcome.kind != OUTCOME_NONE;
  return (OutcomeParts){
      .whole = &run->c, .count = count, .of = run->stages, .forces = ended ? &run->forces : NULL};
}

// The last step of the run, if the stage under way takes its time.
static void find_last_step(Run *run)
{
  const World *w = &run->world;
  const double left = run->c.end - w->stage.first_time;
  run->log.last_step = w->stage.first_step + steps_until(left > 0 ? left : 0, w->c->step);
  if (run->setup.steps >= 0 && run->setup.steps < run->log.last_step)
    run->log.last_step = run->setup.steps;
}

// Collective. The file of a run that goes on in a stage.
static bool keep_stages(Run *run)
{
  if (run->setup.no_files) return true;
  const World *w = &run->world;
  const Outcome none = {.kind = OUTCOME_NONE, .step = w->step, .time = world_time(w, 0)};
  const OutcomeParts stages = stage_outcomes(run, (int)w->stage.index);
  DiskStatus status = {0};
  if (par_rank() == 0) outcome_write(&run->files.results, w->c, &none, &stages, &status);
  return all_ok(!status.failed, "cannot write %s", status.reason);
}

// What has ended the run that goes on here, if that is still its end; else the file of it goes.
static int recall_outcome(Run *run, int64_t last)
{
  if (run->setup.no_files || last < 0) return EXIT_DONE;
  const char *folder = run->files.results.path;
  DiskStatus status = {0};
  if (par_rank() == 0) {
    char *history = disk_path(folder, RESULTS_HISTORY);
    run->unconverged = history_sum(history, "unsolved", last);
    if (run->unconverged < 0) run->unconverged = 0;
    memory_free(history);
    const Case *c = run->world.c;
    OutcomeTold told = {.most = (int)run->world.stage.index, .of = run->stages};
    run->outcome = outcome_read(folder, c, &told, &status);
    if (run->outcome.step != last || !(c->until.given || is_staged(run)))
      run->outcome.kind = OUTCOME_NONE;
    if (run->outcome.kind != OUTCOME_NONE) run->forces = told.forces;
    else if (!status.failed) disk_remove(folder, RESULTS_OUTCOME, &status);
  }
  par_broadcast(&run->unconverged, sizeof run->unconverged, 0);
  par_broadcast(&run->outcome, sizeof run->outcome, 0);
  if (is_staged(run))
    par_broadcast(run->stages, (size_t)run->c.stage_count * sizeof *run->stages, 0);
  if (!all_ok(!status.failed, "%s", status.reason)) return EXIT_IO;
  const bool goes_on = run->world.stage.index > 0 && run->outcome.kind == OUTCOME_NONE;
  return !goes_on || keep_stages(run) ? EXIT_DONE : EXIT_IO;
}

// Collective. The messages so far, and those to come, in the folder; false after one message.
static bool open_log_file(Run *run)
{
  DiskStatus status = {0};
  if (!run->setup.no_files && par_rank() == 0)
    log_file_open(&run->log_file, run->files.results.path, &status);
  return all_ok(!status.failed, "cannot write %s", status.reason);
}

// from the files to the first state on disk
static int begin_in_folder(Run *run)
{
  World *w = &run->world;
  int64_t last = -1;
  const int code = run_files_begin(&run->files, w, &last);
  if (code != EXIT_DONE) return code;
  if (!open_log_file(run)) return EXIT_IO;
  run->log.first_step = w->step;
  find_last_step(run);
  distribute_start(w);
  run_files_count(&run->files);
  run->stop = stop_begin(w, run->files.results.path, run->setup.max_wall);
  w->ballot = (Ballot){.cast = stop_cast, .context = &run->stop};
  if (run->setup.dump_problem > 0 || run->setup.hook.call)
    w->hook = (ProblemHook){meet_problem, run};
  run_log_begin(&run->log);
  const int recalled = recall_outcome(run, last);
  if (recalled != EXIT_DONE) return recalled;
  return last >= 0 || !run_files_frame_is_due(&run->files) || write_frame(run) ? EXIT_DONE
                                                                               : EXIT_IO;
}

// Gives back what a run holds once its folder is open.
static void close_run(Run *run)
{
  run_files_close(&run->files);
  world_end(&run->world);
  case_destroy(&run->c);
}

static bool load_case(const RunSetup *setup, Case *c)
{
  const CaseOptions options = {.override_count = setup->override_count,
                               .overrides = setup->overrides};
  if (!setup->case_text) return case_read(setup->case_path, &options, c);
  const CaseFile text = {setup->case_path, setup->case_text, strlen(setup->case_text)};
  return case_load_text(text, &options, c);
}

#define START_MOST_PARTS 2000   // of the bodies of the start: rank 0 alone holds them for a moment

// What touches what at the start, where that is found in a moment. False where it is refused.
static bool look_at_start(const Case *c)
{
  char line[512] = "";
  int64_t met = 0;
  if (par_rank() == 0) {
    const StartReport report = case_start_look(c, START_MOST_PARTS);
    met = report.met;
    if (met > 0) case_start_refusal(c, report.first_met, line, sizeof line);
    else if (*case_start_line(c, &report, line, sizeof line)) log_line("%s", line);
  }
  par_broadcast(&met, sizeof met, 0);
  return all_ok(met == 0, "%s: %s", c->path, line);
}

// Whether joints that stages look at are there. False after one message.
static bool look_at_stages(const Case *c)
{
  ShapeSet shapes = shape_set_new(c->shapes, c->shape_count);
  const Case *odd = NULL;
  IdPair bodies = {0};
  for (int i = 0; i < c->stage_count && !odd; i++) {
    const OpeningLimit *limit = &c->stages[i].until.opening;
    if (!(limit->most > 0)) continue;
    WatchedJoint joint = supports_watch(c, limit->ends, &shapes);
    if (!supports_touch(&joint)) odd = &c->stages[i];
    bodies = joint.pair.bodies;
    supports_forget(&joint);
  }
  shape_set_destroy(&shapes);
  if (!odd) return true;
  char names[2][CASE_START_NAME_BYTES];
  return all_ok(false,
                "%s:%d: stage '%s': until.opening: %s and %s have no joint as the case puts them",
                c->path, odd->stage_line, odd->stage_name, case_start_name(c, bodies.low, names[0]),
                case_start_name(c, bodies.high, names[1]));
}

// Case, folder and first state. After a failure nothing of them is left.
static int open_run(Run *run)
{
  run->log = run_log_new(&run->world);
  if (!load_case(&run->setup, &run->c)) return EXIT_USER;
  if (!look_at_stages(&run->c)) {
    case_destroy(&run->c);
    return EXIT_USER;
  }
  if (!run->setup.restart) {
    case_sense_warn_of_start(&run->c);
    if (!look_at_start(&run->c)) {
      case_destroy(&run->c);
      return EXIT_USER;
    }
  }
  int code = run_files_open(&run->files, &run->setup);
  if (code != EXIT_DONE) {
    case_destroy(&run->c);
    return code;
  }
  world_begin(&run->world, &run->c);
  run->stages = memory_allocate_zero((size_t)run->c.stage_count + 1, sizeof *run->stages);
  code = begin_in_folder(run);
  if (code == EXIT_DONE) return code;
  code = run_files_end(&run->files, code);
  close_run(run);
  return code;
}

static void free_run(Run *run)
{
  log_file_close(&run->log_file);
  par_group_destroy(run->group);
  memory_free(run->stages);
  memory_free(run);
}

bool run_begin(const RunSetup *setup, Run **begun, RunError *error)
{
  assert(!(setup->no_files && (setup->restart || setup->hash_log || setup->dump_problem > 0)) &&
         "a run without files names none");
  Run *run = memory_allocate_zero(1, sizeof *run);
  run->setup = *setup;
  run->log_file = log_file_new();
  if (setup->communicator) run->group = par_group_new(setup->communicator);
  const Caller caller = enter(run);
  const int code = open_run(run);
  leave(run, &caller, code, error);
  *begun = code == EXIT_DONE ? run : NULL;
  if (!*begun) free_run(run);
  return code == EXIT_DONE;
}

// Collective. Whether the run goes to its end once so many stages have ended.
static bool stages_are_done(const Run *run)
{
  return run->setup.stages > 0 && run->world.stage.index >= run->setup.stages;
}

// Collective. A stage has ended: the next one begins, with a checkpoint, or the run ends. False
// after one message.
static bool end_stage(Run *run, const Outcome *outcome)
{
  World *w = &run->world;
  const int64_t index = w->stage.index;
  run->stages[index] = *outcome;
  char line[512];
  log_line("step %lld, t %.6g s: stage '%s' %s: %s", (long long)w->step, outcome->time,
           outcome->stage, outcome_verdict_name(outcome_verdict(outcome->kind)),
           outcome_line(w->c, outcome, line, sizeof line));
  const bool goes_on =
      outcome_verdict(outcome->kind) == VERDICT_HOLDS && index + 1 < run->c.stage_count;
  if (!goes_on) {
    run->outcome = *outcome;
    return true;
  }
  if (!run_files_end_stage(&run->files)) return false;
  world_begin_stage(w);
  find_last_step(run);
  stop_stage(&run->stop);
  if (run->setup.no_files) return true;
  run_files_stage(&run->files);
  return keep_stages(run) && write_checkpoint(run);
}

// Local. Tells an outcome the stage under way, for people.
static void name_stage(const World *w, Outcome *outcome)
{
  char visible[LOG_VISIBLE_BYTES];
  snprintf(outcome->stage, sizeof outcome->stage, "%s",
           log_visible(w->c->stage_name, visible, sizeof visible));
}

static bool has_frames(const Run *run)
{
  return !run->setup.no_files && run->world.c->output.frame_every > 0;
}

// Collective. The frame of what ended a run or a stage before its time, where that step has none.
// False after one message.
static bool show_end(Run *run, const Outcome *outcome)
{
  if (outcome->kind == OUTCOME_END || !has_frames(run)) return true;
  return run_files_frame_is_due(&run->files) || write_frame(run);
}

// Collective. What the last step means for the run: it may end it, or the stage. False after one
// message.
static bool judge(Run *run)
{
  World *w = &run->world;
  const UntilSettings *until = &w->c->until;
  const bool unsolved = !w->record.solve.converged;
  run->unconverged += until->given && unsolved;
  if (is_staged(run)) w->stage.unsolved += unsolved;
  if (!until->given) return true;
  Outcome outcome = outcome_judge(w, is_staged(run) ? w->stage.unsolved : run->unconverged);
  if (outcome.kind == OUTCOME_NONE) return true;
  if (!show_end(run, &outcome)) return false;
  if (is_staged(run)) {
    name_stage(w, &outcome);
    return end_stage(run, &outcome);
  }
  run->outcome = outcome;
  return true;
}

// a step and what follows it; stops: somebody asks for the end
static int step_once(Run *run, bool *stops)
{
  assert(run->world.step < run->log.last_step && "there is a further step");
  World *w = &run->world;
  w->shows = run_files_frame_comes(&run->files) || (has_frames(run) && outcome_may_come(w));
  const int code = world_step(w);
  if (code == EXIT_OVERFLOW) return code;
  *stops = stop_after_step(&run->stop);
  run_files_lines(&run->files);
  run_files_probes(&run->files);
  run_log_step(&run->log);
  if (!run_files_record(&run->files)) return EXIT_IO;
  if (run_files_frame_is_due(&run->files) && !write_frame(run)) return EXIT_IO;
  if (run->dump_code != EXIT_DONE) return run->dump_code;   // the step itself is done
  // a restart goes on from here, also where the case asks for the end
  if ((code == EXIT_DONE || code == EXIT_USER) && !judge(run)) return EXIT_IO;
  const bool written = run->files.last_checkpoint == w->step;   // as a stage began
  if (stop_checkpoint_is_due(&run->stop) && !written && !write_checkpoint(run)) return EXIT_IO;
  if (code != EXIT_DONE) return code;
  if (w->record.met > 0) {
    char line[512];
    all_ok(false, "step %lld: %s", (long long)w->step,
           case_start_refusal(&run->c, w->record.first_met, line, sizeof line));
    return EXIT_USER;
  }
  if (run->c.solver.unsolved == UNSOLVED_END && !w->record.solve.converged) {
    all_ok(false, "step %lld did not converge, and solver.unsolved: end asks for it",
           (long long)w->step);
    return EXIT_NOT_CONVERGED;
  }
  return EXIT_DONE;
}

RunState run_step(Run *run, RunError *error)
{
  assert(run->world.step >= run->log.first_step && "steps go on");
  const Caller caller = enter(run);
  bool stops = false;
  int code = run->error.code;   // of an earlier step, after which there is none
  if (code == EXIT_DONE && run->world.step < run->log.last_step &&
      run->outcome.kind == OUTCOME_NONE && !stages_are_done(run)) {
    if (!run->stepped) run->stopped = stop_before_steps(&run->stop);
    run->stepped = true;
    if (!run->stopped) code = step_once(run, &stops);
    if (code == EXIT_DONE && stops && run->world.step < run->log.last_step) run->stopped = true;
  }
  run->error.code = code;
  leave(run, &caller, code, error);
  if (code != EXIT_DONE) return RUN_FAILED;
  if (run->stopped) return RUN_STOPPED;
  const bool ends = run->world.step >= run->log.last_step || run->outcome.kind != OUTCOME_NONE ||
                    stages_are_done(run);
  return ends ? RUN_OVER : RUN_GOES_ON;
}

// steps that lie outside of the run, or behind an end that came early
static void say_dump(const Run *run)
{
  if (run->setup.dump_problem > 0 && !run->dumped)
    log_warning("contact problem of step %lld not written: this run began after step %lld and "
                "ended with step %lld",
                (long long)run->setup.dump_problem, (long long)run->log.first_step,
                (long long)run->world.step);
}

// What is known of the forces at the end: of steps that an earlier run made, what it found.
static bool find_forces(Run *run, const Outcome *outcome)
{
  const char *folder = run->setup.no_files ? NULL : run->files.results.path;
  if (run->world.step == run->log.first_step) {
    par_broadcast(&run->forces, sizeof run->forces, 0);
    return true;
  }
  run->forces = forces_of_step(&run->world);
  const bool holds =
      outcome->kind != OUTCOME_NONE && outcome_verdict(outcome->kind) == VERDICT_HOLDS;
  return !holds || forces_add_thrusts(&run->world, folder, &run->forces);
}

// The end of a run that time.until or stages may end, as a line and as a file.
static bool keep_outcome(Run *run)
{
  const World *w = &run->world;
  Outcome *outcome = &run->outcome;
  const double left = run->c.end - w->stage.first_time;
  const bool over = w->step >= w->stage.first_step + steps_until(left > 0 ? left : 0, w->c->step);
  // a stage that was to take longer, or another one, is not there; nor is one of no step
  const bool last = w->stage.index + 1 >= run->c.stage_count;
  const bool whole =
      last && !(w->c->until.time > 0) && (w->step > w->stage.first_step || !is_staged(run));
  if (outcome->kind == OUTCOME_NONE && over && !stages_are_done(run))
    *outcome = (Outcome){
        .kind = whole ? OUTCOME_END : OUTCOME_UNFINISHED, .step = w->step, .time = run->c.end};
  if (outcome->kind == OUTCOME_NONE) return true;
  if (!find_forces(run, outcome)) return false;
  char line[512];
  log_line("%s: %s", outcome_verdict_name(outcome_verdict(outcome->kind)),
           outcome_line(w->c, outcome, line, sizeof line));
  if (is_staged(run)) {
    name_stage(w, outcome);
    run->stages[w->stage.index] = *outcome;
  }
  if (run->setup.no_files) return true;
  const OutcomeParts stages = stage_outcomes(run, is_staged(run) ? (int)w->stage.index + 1 : 0);
  DiskStatus status = {0};
  if (par_rank() == 0) outcome_write(&run->files.results, w->c, outcome, &stages, &status);
  return all_ok(!status.failed, "cannot write %s", status.reason);
}

// code: what ended the steps
static int close_files(Run *run, int code)
{
  if (code == EXIT_STOPPED) stop_say(&run->stop);
  // a run always ends with a checkpoint, unless its state is not worth one or the disk refuses it
  const bool whole = code != EXIT_OVERFLOW && code != EXIT_IO;
  if (run->setup.no_files) {
    // there is nothing to write
  } else if (whole && !is_saved(run)) {
    if (!write_checkpoint(run)) code = EXIT_IO;
  } else if (whole && run->files.results.last_checkpoint < 0) {
    // nothing was to be done; older ones may have been left beside the one that was read
    checkpoint_prune(&run->files.results, run->world.step);
  }
  if (code == EXIT_DONE && (run->c.until.given || is_staged(run)) && !keep_outcome(run))
    code = EXIT_IO;
  code = run_files_end(&run->files, code);
  if (whole && code != EXIT_IO) {
    stop_end(&run->stop);
    say_dump(run);
    if (run->forces.closed == 0 && run->world.step > run->log.first_step)
      run->forces = forces_of_step(&run->world);
    run_log_end(&run->log, &run->forces, run->files.results.path);
  }
  return code;
}

void run_end(Run *run, RunError *error)
{
  assert((!run->stopped || run->stepped) && "a run is asked to end before a step or after it");
  const Caller caller = enter(run);
  int code = run->error.code;
  if (code == EXIT_DONE && run->stopped) code = EXIT_STOPPED;
  code = close_files(run, code);
  close_run(run);
  leave(run, &caller, code, error);
  free_run(run);
}

bool run_checkpoint(Run *run, RunError *error)
{
  assert(!run->setup.no_files && "a checkpoint has a folder");
  const Caller caller = enter(run);
  if (run->error.code == EXIT_DONE && !is_saved(run) && !write_checkpoint(run))
    run->error.code = EXIT_IO;
  leave(run, &caller, run->error.code, error);
  return error->code == EXIT_DONE;
}

const World *run_world(const Run *run) { return &run->world; }

World *run_reach(Run *run, bool changes)
{
  run->changed = run->changed || changes;
  return &run->world;
}

void run_load_by(Run *run, LoadHook loading) { run->world.loading = loading; }
