// drystone run: a case from its first step, or from its last checkpoint, to its end.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case_reader.h"
#include "checkpoint.h"
#include "command.h"
#include "frames.h"
#include "history.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "results.h"
#include "scene.h"
#include "world.h"

#define LOG_SECONDS 10.0       // between two lines of a batch log
#define TERMINAL_SECONDS 0.2   // between two updates of the progress line
#define WARNINGS_SHOWN 5       // of one kind, before they are only counted

typedef struct {
  const char *case_path, *folder, *hash_log;
  int64_t steps;   // -1: to the end of the case
  bool restart, overwrite;
  int override_count;
  const char **overrides;   // [override_count]
} RunOptions;

typedef struct {
  RunOptions options;
  Case c;
  World world;
  Results results;
  Frames frames;
  History history, removed;
  int64_t first_step, last_step;   // of this run
  int64_t last_checkpoint;
  bool history_open, terminal;
  double began, said;   // s on the monotonic clock
  int64_t unconverged, failed_steps, rerouted_steps, large_steps;
  int64_t removed_shown;   // bodies
  char default_folder[512];
} Run;

static const char HISTORY_HEADING[] = "step,time,pairs,points,sliding,sticking,open,sweeps,"
                                      "residual_max,residual_rms,penetration,kinetic_energy,"
                                      "load_work,contact_work,correction_work,correction_sweeps,"
                                      "momentum_x,momentum_y,momentum_z,angular_momentum_x,"
                                      "angular_momentum_y,angular_momentum_z,failed_pairs,large_"
                                      "motions,bodies,mass,born,removed,sparsified,rerouted,"
                                      "moved_bodies,imbalance,work,colours,ghosts";
static const char REMOVED_HEADING[] =
    "step,time,id,name,mass,x,y,z,velocity_x,velocity_y,velocity_z";

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
  for (int i = 0; i < count; i++) {
    const char *word = words[i], *value = NULL;
    if (strcmp(word, "--restart") == 0) o->restart = true;
    else if (strcmp(word, "--overwrite") == 0) o->overwrite = true;
    else if (strcmp(word, "-o") == 0 || strcmp(word, "--steps") == 0 ||
             strcmp(word, "--set") == 0 || strcmp(word, "--hash-log") == 0) {
      value = value_of(count, words, &i);
      if (!value) return false;
      if (word[1] == 'o') o->folder = value;
      else if (strcmp(word, "--set") == 0) o->overrides[o->override_count++] = value;
      else if (strcmp(word, "--hash-log") == 0) o->hash_log = value;
      else if (!parse_count(value, &o->steps))
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
  timers_stage(&w->timers, "frames");
  const bool fine = frames_write(&run->frames, w->step, (double)w->step * run->c.step, &w->bodies,
                                 &w->contacts, world_hash(w));
  timers_stage(&w->timers, NULL);
  return fine;
}

static bool write_checkpoint(Run *run)
{
  World *w = &run->world;
  timers_stage(&w->timers, "checkpoint");
  const CheckpointHeader header = {w->step, (double)w->step * run->c.step, world_hash(w)};
  const bool fine = history_flush(&run->history) && history_flush(&run->removed) &&
                    checkpoint_write(&run->results, &run->c, &header, &w->bodies, &w->contacts);
  timers_stage(&w->timers, NULL);
  run->last_checkpoint = w->step;
  return fine;
}

static void append_history(Run *run)
{
  const StepRecord *r = &run->world.record;
  char line[1024];
  snprintf(line, sizeof line,
           "%lld,%.17g,%lld,%lld,%lld,%lld,%lld,%d,%.6g,%.6g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%."
           "17g,%.17g,%.17g,%.17g,"
           "%.17g,%.17g,%lld,%lld,%lld,%.17g,%lld,%lld,%lld,%lld,%lld,%.4g,%lld,%d,%lld",
           (long long)r->step, r->time, (long long)r->pairs, (long long)r->points,
           (long long)r->sliding, (long long)r->sticking, (long long)r->open, r->solve.sweeps,
           r->solve.residual_max, r->solve.residual_rms, r->penetration, r->kinetic, r->load_work,
           r->contact_work, r->correction_work, r->correction_sweeps, r->momentum.x, r->momentum.y,
           r->momentum.z, r->angular_momentum.x, r->angular_momentum.y, r->angular_momentum.z,
           (long long)r->failed, (long long)r->large, (long long)r->bodies, r->mass,
           (long long)r->born, (long long)r->removed, (long long)r->sparsified,
           (long long)r->rerouted, (long long)r->moved_bodies, r->imbalance, (long long)r->work,
           r->colours, (long long)r->ghosts);
  history_line(&run->history, line);
}

static const char *group_name(const Run *run, uint64_t id)
{
  const char *name = scene_group(&run->c, id)->name;
  return name ? name : "";
}

// bodies that left the domain in the step, which rank 0 has; the first of the run also in the log
static void append_removed(Run *run)
{
  const Bodies *b = &run->world.removed;
  const StepRecord *r = &run->world.record;
  for (int i = 0; i < b->table.owned; i++) {
    const vec3 x = b->position[i], v = b->velocity[i];
    char line[1024], name[512];
    const char *group = group_name(run, b->id[i]);
    history_field(group, name, sizeof name);
    snprintf(line, sizeof line, "%lld,%.17g,%llu,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g",
             (long long)r->step, r->time, (unsigned long long)b->id[i], name, b->mass[i], x.x, x.y,
             x.z, v.x, v.y, v.z);
    history_line(&run->removed, line);
    if (++run->removed_shown > WARNINGS_SHOWN) continue;
    log_line("step %lld: body %llu (%s) left the domain at [%.6g, %.6g, %.6g] m%s",
             (long long)r->step, (unsigned long long)b->id[i], *group ? group : "unnamed", x.x, x.y,
             x.z,
             run->removed_shown == WARNINGS_SHOWN ? " (further ones stand in removed.csv)" : "");
  }
}

static void say_sharing(const Run *run)
{
  const Balance *b = &run->world.balance;
  if (b->last != SHARING_BALANCE) return;
  log_line(
      "step %lld: work of the busiest rank %.2f of the mean; shared out anew: %.2f, %lld bodies "
      "moved (gain %.3g > cost %.3g units)",
      (long long)run->world.record.step, b->last_before, b->last_after, (long long)b->moved,
      b->last_gain, b->last_cost);
}

// the first few warnings of a kind are shown, the rest is counted
static void warn_of_step(Run *run)
{
  const StepRecord *r = &run->world.record;
  const char *last = " (further ones are counted in history.csv and at the end)";
  if (!r->solve.converged && ++run->unconverged <= WARNINGS_SHOWN)
    log_warning("step %lld: residual %.3g after %d sweeps, asked for %.3g; worst between bodies "
                "%llu and %llu%s",
                (long long)r->step, r->solve.residual_max, r->solve.sweeps, run->c.tolerance,
                (unsigned long long)r->solve.worst.low, (unsigned long long)r->solve.worst.high,
                run->unconverged == WARNINGS_SHOWN ? last : "");
  if (r->failed && ++run->failed_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: %lld pairs of parts overlap too deep for a patch and got one "
                "point each, the first between bodies %llu and %llu%s",
                (long long)r->step, (long long)r->failed, (unsigned long long)r->first_failed.low,
                (unsigned long long)r->first_failed.high,
                run->failed_steps == WARNINGS_SHOWN ? last : "");
  if (r->rerouted && ++run->rerouted_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: the fast route could not intersect %lld pairs of parts, which were "
                "looked at the slow way, the first between bodies %llu and %llu%s",
                (long long)r->step, (long long)r->rerouted,
                (unsigned long long)r->first_rerouted.low,
                (unsigned long long)r->first_rerouted.high,
                run->rerouted_steps == WARNINGS_SHOWN ? last : "");
  if (r->large && ++run->large_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: %lld bodies move more than half their inradius or turn more than 0.2 "
                "rad in one step, the "
                "first is %llu; contacts may be missed, use a smaller time.step%s",
                (long long)r->step, (long long)r->large, (unsigned long long)r->first_large,
                run->large_steps == WARNINGS_SHOWN ? last : "");
}

static void format_duration(double seconds, char *text, size_t bytes)
{
  const long long s = (long long)(seconds + 0.5);
  if (s < 60) snprintf(text, bytes, "%llds", s);
  else if (s < 3600) snprintf(text, bytes, "%lldm%02llds", s / 60, s % 60);
  else snprintf(text, bytes, "%lldh%02lldm", s / 3600, s / 60 % 60);
}

// Whether a person watches. Open MPI gives the first rank a terminal of its own even when mpirun's
// output goes to a file, so under a launcher the launcher's output decides.
static bool on_terminal(void)
{
  if (!isatty(STDOUT_FILENO)) return false;
  if (!par_is_launched()) return true;
  char path[64], target[64];
  snprintf(path, sizeof path, "/proc/%ld/fd/1", (long)getppid());
  const ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0) return false;
  target[length] = 0;
  return strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0;
}

// one line that overwrites itself on a terminal, a plain line now and then in a batch log
static void say_progress(Run *run)
{
  if (par_rank() != 0) return;
  const double now = par_seconds();
  const StepRecord *r = &run->world.record;
  const bool end = r->step == run->last_step;
  if (!end && now - run->said < (run->terminal ? TERMINAL_SECONDS : LOG_SECONDS)) return;
  run->said = now;
  const int64_t done = r->step - run->first_step, left = run->last_step - r->step;
  char eta[32];
  format_duration((now - run->began) * (double)left / (double)(done > 0 ? done : 1), eta,
                  sizeof eta);
  char line[256];
  snprintf(
      line, sizeof line,
      "step %lld of %lld  t %.6g s  points %lld  sweeps %d  residual %.1e  energy %.3g J  ETA %s",
      (long long)r->step, (long long)run->last_step, r->time, (long long)r->points, r->solve.sweeps,
      r->solve.residual_max, r->kinetic, eta);
  if (run->terminal) log_progress(line);
  else log_line("%s", line);
}

// Reads the newest valid checkpoint if the options ask for it; *last is its step, or -1.
static int restart_from(Run *run, int64_t *last)
{
  *last = -1;
  if (!run->options.restart) return EXIT_DONE;
  CheckpointHeader header;
  World *w = &run->world;
  switch (checkpoint_read(run->results.path, &run->c, &header, &w->bodies, &w->contacts)) {
  case CHECKPOINT_NONE:
    log_line("no checkpoint in %s: starting from the beginning", run->results.path);
    return EXIT_DONE;
  case CHECKPOINT_DAMAGED: return EXIT_IO;
  case CHECKPOINT_OTHER_CASE: return EXIT_USER;
  case CHECKPOINT_READ: break;
  }
  world_restore(w, header.step);
  *last = header.step;
  log_line("restart from step %lld, t %.6g s", (long long)header.step, header.time);
  return EXIT_DONE;
}

static int open_hash_log(Run *run)
{
  const char *path = run->options.hash_log;
  if (!path) return EXIT_DONE;
  run->world.hash_stages = true;
  if (par_rank() == 0) run->world.hash_log = fopen(path, run->options.restart ? "a" : "w");
  return all_ok(par_rank() != 0 || run->world.hash_log, "cannot write %s: %s", path,
                strerror(errno))
             ? EXIT_DONE
             : EXIT_IO;
}

// history.csv and, where bodies can leave, removed.csv
static bool open_tables(Run *run, int64_t last)
{
  const bool fine =
      history_begin(&run->history, &run->results, RESULTS_HISTORY, HISTORY_HEADING, last);
  if (!fine || run->c.has_domain)
    return fine &&
           history_begin(&run->removed, &run->results, RESULTS_REMOVED, REMOVED_HEADING, last);

  // no body can have left up to here: what the file tells is of a future that was given up
  DiskStatus status = {0};
  if (par_rank() == 0) disk_remove(run->results.path, RESULTS_REMOVED, &status);
  return all_ok(!status.failed, "cannot remove %s", status.reason);
}

static void say_begin(const Run *run)
{
  const Case *c = &run->c;
  const int64_t steps = run->last_step - run->first_step;
  const uint64_t later = c->body_count - scene_born(c, run->first_step);
  char births[64] = "";
  if (later) snprintf(births, sizeof births, ", %llu yet to appear", (unsigned long long)later);
  log_line("%s: %lld bodies%s on %d rank%s, step %.6g s, %lld steps to t %.6g s",
           c->title && *c->title ? c->title : c->path,
           (long long)par_sum(run->world.bodies.table.owned), births, par_size(),
           par_size() == 1 ? "" : "s", c->step, (long long)(steps > 0 ? steps : 0),
           (double)run->last_step * c->step);
}

// from results folder to the first state on disk
static int begin_run(Run *run)
{
  World *w = &run->world;
  int64_t last = -1;
  int code = restart_from(run, &last);
  if (code == EXIT_DONE) code = open_hash_log(run);
  if (code != EXIT_DONE) return code;
  run->history_open = true;
  if (!open_tables(run, last)) return EXIT_IO;
  if (!frames_begin(&run->frames, &run->results, &run->c, &w->bodies, &w->shapes, last))
    return EXIT_IO;
  run->last_checkpoint = last;
  run->first_step = w->step;
  run->last_step = steps_until(run->c.end, run->c.step);
  if (run->options.steps >= 0 && run->options.steps < run->last_step)
    run->last_step = run->options.steps;
  world_start(w);
  say_begin(run);
  if (last < 0 && frame_is_due(run) && !write_frame(run)) return EXIT_IO;
  return EXIT_DONE;
}

static int step_until_end(Run *run)
{
  World *w = &run->world;
  while (w->step < run->last_step) {
    const int code = world_step(w);
    if (code == EXIT_BUG) return code;
    append_history(run);
    append_removed(run);
    say_sharing(run);
    warn_of_step(run);
    say_progress(run);
    if (frame_is_due(run) && !write_frame(run)) return EXIT_IO;
    if (run->c.checkpoint_steps > 0 && w->step % run->c.checkpoint_steps == 0 &&
        !write_checkpoint(run))
      return EXIT_IO;
    if (code != EXIT_DONE) return code;
    if (run->c.demand_convergence && !w->record.solve.converged) {
      all_ok(false, "step %lld did not converge, and solver.demand_convergence asks for it",
             (long long)w->step);
      return EXIT_NOT_CONVERGED;
    }
  }
  return EXIT_DONE;
}

// Collective. Bodies that came and went since the start of the case.
static void say_population(const Run *run)
{
  const World *w = &run->world;
  const int64_t here = par_sum(w->bodies.table.owned);
  const int64_t born = (int64_t)scene_born(&run->c, w->step),
                first = (int64_t)scene_born(&run->c, 0);
  if (born > first)
    log_line("%lld bodies appeared after the start, %lld are yet to appear",
             (long long)(born - first), (long long)run->c.body_count - (long long)born);
  if (born > here)
    log_line("%lld bodies left the domain (removed.csv), %lld are there", (long long)(born - here),
             (long long)here);
}

static void say_end(Run *run)
{
  World *w = &run->world;
  const StepRecord *r = &w->record;
  char text[33];
  hash_to_text(world_hash(w), text);
  if (run->unconverged)
    log_line("%lld steps did not reach the residual", (long long)run->unconverged);
  if (run->failed_steps)
    log_line("%lld steps had pairs that overlap too deep for a patch",
             (long long)run->failed_steps);
  if (run->rerouted_steps)
    log_line("%lld steps had pairs that the fast route could not intersect",
             (long long)run->rerouted_steps);
  if (run->large_steps)
    log_line("%lld steps had bodies that moved or turned too far", (long long)run->large_steps);
  say_population(run);
  const Balance *b = &w->balance;
  const double messages = par_max((double)par_messages_sent()),
               bytes = par_max((double)par_bytes_sent());
  if (par_size() > 1) {
    log_line(
        "most on a rank: %lld ghosts, %.0f messages, %.1f MB sent; imbalance of counted work %.3f",
        (long long)r->ghosts, messages, bytes * 1e-6, r->imbalance);
    log_line(
        "shared out anew %lld times for balance, %lld times as asked: %lld bodies moved in all; "
        "%lld partitions found that would not have paid",
        (long long)b->by_balance, (long long)b->asked, (long long)b->moved_in_all,
        (long long)b->in_vain);
  }
  log_line("%.1f MB of own memory at most on a rank", par_max((double)memory_peak_bytes()) * 1e-6);
  timers_print(&w->timers, par_max(par_seconds() - run->began));
  log_line("results in %s", run->results.path);
  log_line("step %lld hash %s", (long long)w->step, text);
}

static int run_in_folder(Run *run)
{
  int code = begin_run(run);
  const bool begun = code == EXIT_DONE;
  if (begun) code = step_until_end(run);
  // a run always ends with a checkpoint, unless its state is not worth one or the disk refuses it
  const bool whole = begun && code != EXIT_BUG && code != EXIT_IO;
  if (whole && run->world.step > run->last_checkpoint && !write_checkpoint(run)) code = EXIT_IO;
  if (code == EXIT_IO) {
    history_abandon(&run->history);
    history_abandon(&run->removed);
  } else if (run->history_open) {
    const bool ended = history_end(&run->history);
    if (!history_end(&run->removed) || !ended) code = EXIT_IO;
  }
  FILE *log = run->world.hash_log;
  const bool logged = !log || (fflush(log) == 0 && !ferror(log));
  if (code != EXIT_IO && run->world.hash_stages &&
      !all_ok(logged, "cannot write %s: %s", run->options.hash_log, strerror(errno)))
    code = EXIT_IO;
  if (whole && code != EXIT_IO) say_end(run);
  return code;
}

int command_run(int count, char **words)
{
  Run *run = memory_allocate_zero(1, sizeof *run);
  int code = EXIT_USER;
  if (parse_options(count, words, &run->options)) {
    const CaseOptions case_options = {.override_count = run->options.override_count,
                                      .overrides = run->options.overrides};
    run->began = run->said = par_seconds();
    run->terminal = on_terminal();
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
        if (run->world.hash_log) fclose(run->world.hash_log);
        world_end(&run->world);
        results_close(&run->results);
      }
      case_destroy(&run->c);
    }
  }
  memory_free(run->options.overrides);
  memory_free(run);
  return code;
}
