// drystone limit: the value of a key between which a case holds and fails, by runs of it.
#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case_reader.h"
#include "command.h"
#include "disk.h"
#include "history_gaps.h"
#include "limit_search.h"
#include "log.h"
#include "parallel.h"
#include "results.h"
#include "run.h"
#include "run_seed.h"
#include "scene.h"

#define MOST_RUNS 200
#define FOLDER_BYTES 1024
#define REPORT "limit.json"
#define SETTLED "settled"   // folder of the stages before the key acts
#define MOST_STAGES 1000

typedef struct {
  const char *path, *key, *between, *folder, *stage;
  double tolerance, max_wall;
  OptionTexts overrides;
  bool overwrite;
} LimitOptions;

static const Option options_of_limit[] = {
    {"--vary", "KEY", "the key of the case, as in --set", OPTION_TEXT,
     .offset = offsetof(LimitOptions, key)},
    {"--between", "A,B", "values of it: the case holds at one of them and fails\nat the other",
     OPTION_TEXT, .offset = offsetof(LimitOptions, between)},
    {"--tolerance", "T", "of the value (default: a hundredth of the range)", OPTION_REAL,
     .offset = offsetof(LimitOptions, tolerance), .high = 1e30, .without_ends = true},
    {"--stage", "NAME",
     "of a case with stages: the case fails or holds as\nthis one does (default: the last)",
     OPTION_TEXT, .offset = offsetof(LimitOptions, stage)},
    {"-o", "DIR", "folder of the runs and of " REPORT " (default:\nresults/NAME-limit)",
     OPTION_TEXT, .offset = offsetof(LimitOptions, folder), .longer = "--output"},
    {"--set", "k=v", "override a key of the case (any number of times)", OPTION_TEXTS,
     .offset = offsetof(LimitOptions, overrides)},
    {"--max-wall", "T", "stop, with a checkpoint, before T has passed since the\nstart, as of run",
     OPTION_DURATION, .offset = offsetof(LimitOptions, max_wall),
     .refusal = "--max-wall: '%s' is no wall time, as 90s, 55m, 1.5h or 2d are (a number alone: "
                "seconds)"},
    {"--overwrite", NULL, "replace the runs in the folder; else they go on", OPTION_FLAG,
     .offset = offsetof(LimitOptions, overwrite)}};

const OptionTable COMMAND_LIMIT_OPTIONS = {
    .command = "limit",
    .purpose = "find by runs where a case with time.until changes from\n"
               "holding to failing, as a key varies",
    .file = "CASE",
    .files = "case files",
    .no_file = "limit needs a case file: drystone limit CASE --vary KEY --between A,B",
    .file_offset = offsetof(LimitOptions, path),
    .count = sizeof options_of_limit / sizeof *options_of_limit,
    .options = options_of_limit,
};

// One run, and what came of it.
typedef struct {
  double value;
  Outcome outcome;
  // on rank 0
  Forces forces;      // at its end
  int64_t unsolved;   // steps above the tolerance
  double residual;    // the largest of any step
} LimitRun;

typedef struct {
  const LimitOptions *options;
  char folder[FOLDER_BYTES];
  int stages;           // of the case that a run goes through; 0: it has none
  int settled;          // stages before the key acts, which are gone through once
  bool ends_unsolved;   // the case ends a run at a step that does not converge
  LimitSearch search;
  int count;
  LimitRun runs[MOST_RUNS];
} Limit;

// -- the question ---------------------------------------------------------------------------------

static bool read_between(const char *word, double *from, double *to)
{
  char *end;
  *from = strtod(word, &end);
  if (end == word || *end != ',') return false;
  word = end + 1;
  *to = strtod(word, &end);
  return end != word && *end == 0 && isfinite(*from) && isfinite(*to) && *from != *to;
}

// The number of the stage whose key that is; 0 for a key of the case.
static int stage_of_key(const char *key)
{
  static const char head[] = "stages.";
  if (strncmp(key, head, sizeof head - 1) != 0) return 0;
  return (int)fmin(strtod(key + sizeof head - 1, NULL), MOST_STAGES);
}

// The stage that is asked for, from 1; 0: the case has none, -1: none of that name.
static int find_stage(const LimitOptions *o, const Case *c)
{
  for (int i = 0; o->stage && i < c->stage_count; i++)
    if (strcmp(c->stages[i].stage_name, o->stage) == 0) return i + 1;
  return o->stage ? -1 : c->stage_count;
}

// Whether the case, with each of the values, can fail at all, in which stage, and from which on the
// key acts. False after one message.
static bool check_case(const LimitOptions *o, Limit *limit)
{
  const CaseOptions overrides = {.override_count = o->overrides.count,
                                 .overrides = o->overrides.texts};
  Case c;
  if (!case_read(o->path, &overrides, &c)) return false;
  limit->stages = find_stage(o, &c);
  limit->settled = stage_of_key(o->key);
  const bool known = limit->stages >= 0;
  limit->ends_unsolved = c.solver.unsolved == UNSOLVED_END;
  const UntilSettings *until =
      known ? &scene_stage(&c, limit->stages > 0 ? limit->stages - 1 : 0)->until : &c.until;
  const bool fails = until->displacement > 0 || until->energy > 0 || until->opening.most > 0 ||
                     until->force.most > 0;
  case_destroy(&c);
  if (!all_ok(known, "%s: --stage %s: no stage of the case has that name", o->path, o->stage))
    return false;
  if (!all_ok(
          limit->settled == 0 || limit->settled < limit->stages,
          "%s: --vary %s acts after the stage in which the case fails or holds: name a later one "
          "with --stage",
          o->path, o->key))
    return false;
  return all_ok(fails, "%s: limit needs %s, beyond which the case fails", o->path,
                limit->stages > 0
                    ? "'until' of the stage with a displacement, an energy, an opening or a force"
                    : "time.until with a displacement or an energy");
}

static bool begin(const LimitOptions *o, Limit *limit)
{
  double from = 0, to = 0;
  if (!all_ok(o->key && *o->key, "limit: --vary KEY is missing")) return false;
  if (!all_ok(o->between && read_between(o->between, &from, &to),
              "limit: --between: expected two numbers A,B that differ, found '%s'",
              o->between ? o->between : ""))
    return false;
  if (!check_case(o, limit)) return false;
  const double tolerance = o->tolerance > 0 ? o->tolerance : fabs(to - from) / 100;
  limit->options = o;
  limit->search = limit_search_new(from, to, tolerance);
  if (o->folder) snprintf(limit->folder, FOLDER_BYTES, "%s", o->folder);
  else results_usual_folder(o->path, "-limit", limit->folder, FOLDER_BYTES);
  return true;
}

// -- the report -----------------------------------------------------------------------------------

// A text of any bytes, those that are no UTF-8 in words.
static json_t *json_of_text(const char *text)
{
  char room[LOG_VISIBLE_BYTES];
  return json_string(log_visible(text, room, sizeof room));
}

// What earlier runs in the folder were for.
static json_t *question_of(const Limit *limit)
{
  const LimitOptions *o = limit->options;
  json_t *sets = json_array();
  for (int i = 0; i < o->overrides.count; i++)
    json_array_append_new(sets, json_of_text(o->overrides.texts[i]));
  json_t *question = json_pack("{s:o, s:[f, f], s:o}", "vary", json_of_text(o->key), "between",
                               limit->search.from, limit->search.to, "set", sets);
  if (limit->stages > 0) json_object_set_new(question, "stage", json_integer(limit->stages - 1));
  return question;
}

// False after one message: the folder has runs of another question.
static bool is_same_question(const Limit *limit)
{
  bool same = true;
  if (par_rank() == 0 && !limit->options->overwrite) {
    char path[FOLDER_BYTES + sizeof REPORT + 1];
    snprintf(path, sizeof path, "%s/%s", limit->folder, REPORT);
    json_t *report = json_load_file(path, 0, NULL), *question = question_of(limit);
    const json_t *there = json_object_get(report, "question");
    same = !there || json_equal(there, question) != 0;
    json_decref(report);
    json_decref(question);
  }
  return all_ok(same,
                "%s has runs for other keys, values or --set: choose another folder with -o, or "
                "--overwrite",
                limit->folder);
}

static const char *verdict_of(const LimitRun *run)
{
  return outcome_verdict_name(outcome_verdict(run->outcome.kind));
}

// The run that holds nearest to the limit; NULL: none does.
static const LimitRun *last_that_holds(const Limit *limit)
{
  const LimitSearch *s = &limit->search;
  if (!limit_search_changes(s)) return NULL;
  const double value = s->first == VERDICT_HOLDS ? s->low : s->high;
  for (int i = 0; i < limit->count; i++)
    if (limit->runs[i].value == value) return &limit->runs[i];
  return NULL;
}

static json_t *answer_of(const LimitSearch *s)
{
  if (!limit_search_changes(s)) return json_null();
  json_t *answer =
      json_pack("{s:s, s:f, s:s, s:f}", "until", outcome_verdict_name(s->first), "value_until",
                s->low, "from", outcome_verdict_name(s->last), "value_from", s->high);
  if (s->unsure)
    json_object_set_new(answer, "undecided", json_pack("[f, f]", s->unsure_low, s->unsure_high));
  return answer;
}

// False after one message.
static bool write_report(const Limit *limit)
{
  DiskStatus status = {0};
  if (par_rank() == 0) {
    json_t *runs = json_array();
    for (int i = 0; i < limit->count; i++) {
      const LimitRun *run = &limit->runs[i];
      json_t *row =
          json_pack("{s:i, s:f, s:s, s:s, s:I, s:f}", "run", i + 1, "value", run->value, "verdict",
                    verdict_of(run), "outcome", outcome_name(run->outcome.kind), "step",
                    (json_int_t)run->outcome.step, "time", run->outcome.time);
      if (limit->stages > 0) json_object_set_new(row, "stage", json_of_text(run->outcome.stage));
      json_object_set_new(row, "unsolved", json_integer(run->unsolved));
      json_object_set_new(row, "residual", json_real(run->residual));
      json_object_set_new(row, "forces", forces_json(&run->forces));
      json_array_append_new(runs, row);
    }
    json_t *all = json_pack("{s:o, s:o, s:f, s:o, s:o}", "file", json_of_text(limit->options->path),
                            "question", question_of(limit), "tolerance", limit->search.tolerance,
                            "runs", runs, "answer", answer_of(&limit->search));
    char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    disk_replace(limit->folder, REPORT, text, strlen(text), &status);
    free(text);
    json_decref(all);
  }
  return all_ok(!status.failed, "cannot write %s", status.reason);
}

// -- runs -----------------------------------------------------------------------------------------

// What the file of a run says of its end, or of the last of so many stages, and of its forces (rank
// 0; NULL: not asked); false after one message.
static bool recall(const char *folder, int stages, Outcome *outcome, Forces *forces)
{
  DiskStatus status = {0};
  if (par_rank() == 0) {
    static Outcome all[MOST_STAGES];
    OutcomeTold told = {.most = stages, .of = all};
    *outcome = outcome_read(folder, NULL, &told, &status);
    if (told.count > 0 && (told.count == stages || outcome->kind != OUTCOME_NONE))
      *outcome = all[told.count - 1];
    if (forces) *forces = told.forces;
  }
  par_broadcast(outcome, sizeof *outcome, 0);
  return all_ok(!status.failed, "%s", status.reason) &&
         all_ok(outcome->kind != OUTCOME_NONE, "%s has no outcome of its run", folder);
}

// A run of the case: where, with which value, and through how many stages.
typedef struct {
  const char *folder;
  double value;
  int stages;
  bool overwrite;
  int64_t steps;
} LimitSetup;

// Whether an earlier call left a run that the case ended at a step that did not converge: a restart
// would go on behind that step, to another verdict. end: step and time of it.
static bool ended_unsolved(const Limit *limit, const LimitSetup *made, Outcome *end)
{
  bool ended = false;
  if (!limit->ends_unsolved || made->overwrite) return false;
  if (par_rank() == 0) {
    char *path = disk_path(made->folder, RESULTS_HISTORY);
    const HistoryColumn unsolved = history_column(path, "unsolved", INT64_MAX);
    ended = unsolved.last > 0;
    if (ended) {
      end->step = unsolved.last_step;
      end->time = history_column(path, "time", INT64_MAX).last;
    }
    memory_free(path);
  }
  par_broadcast(&ended, sizeof ended, 0);
  par_broadcast(end, sizeof *end, 0);
  return ended;
}

// The case with one value, from its start or from where an earlier call left it. end: step and time
// of the last one.
static int run_case(const Limit *limit, const LimitSetup *made, Outcome *end)
{
  const LimitOptions *o = limit->options;
  if (ended_unsolved(limit, made, end)) return EXIT_NOT_CONVERGED;
  char set[512], from_stage[32];
  const char *varied = from_stage;   // of lists of numbers the whole list is another value
  snprintf(set, sizeof set, "%.400s=%.17g", o->key, made->value);
  snprintf(from_stage, sizeof from_stage, "stages.%d", limit->settled);
  const int count = o->overrides.count;
  const char **overrides = calloc((size_t)count + 1, sizeof *overrides);
  if (!overrides) return EXIT_MEMORY;
  for (int i = 0; i < count; i++) overrides[i] = o->overrides.texts[i];
  overrides[count] = set;
  const LogFilter errors = {log_printing(), LOG_ERROR};
  const RunSetup setup = {.case_path = o->path,
                          .folder = made->folder,
                          .restart = !made->overwrite,
                          .overwrite = made->overwrite,
                          .steps = made->steps,
                          .stages = made->stages,
                          .allowed = {limit->settled > 0, &varied},
                          .max_wall = o->max_wall,
                          .override_count = count + 1,
                          .overrides = overrides,
                          .sink = log_filtered(&errors)};
  Run *run;
  RunError error;
  if (run_begin(&setup, &run, &error)) {
    while (run_step(run, &error) == RUN_GOES_ON) continue;
    end->step = run_world(run)->step;
    end->time = run_world(run)->record.time;
    run_end(run, &error);
  }
  free(overrides);
  return error.code;
}

// The stages before the key acts, once for all runs.
static int settle(const Limit *limit)
{
  char folder[FOLDER_BYTES + 16];
  snprintf(folder, sizeof folder, "%s/" SETTLED, limit->folder);
  const LimitSetup setup = {.folder = folder,
                            .value = limit->search.from,
                            .stages = limit->settled,
                            .overwrite = limit->options->overwrite,
                            .steps = -1};
  Outcome outcome = {.kind = OUTCOME_NONE};
  const int code = run_case(limit, &setup, &outcome);
  if (code == EXIT_NOT_CONVERGED)
    all_ok(false, "%s: step %lld did not converge before %s acts, so that there is nothing to vary",
           limit->options->path, (long long)outcome.step, limit->options->key);
  if (code != EXIT_DONE) return code;
  if (!recall(folder, limit->settled, &outcome, NULL)) return EXIT_IO;
  const OutcomeVerdict verdict = outcome_verdict(outcome.kind);
  log_line(SETTLED "  stage '%s' %s: %s, step %lld", outcome.stage, outcome_verdict_name(verdict),
           outcome_name(outcome.kind), (long long)outcome.step);
  return all_ok(verdict == VERDICT_HOLDS,
                "%s: stage '%s' %s before %s acts, so that there is nothing to vary",
                limit->options->path, outcome.stage, outcome_verdict_name(verdict),
                limit->options->key)
             ? EXIT_DONE
             : EXIT_NOT_CONVERGED;
}

// A run with one value, from the settled stages or from the start, and what came of it.
static int make_run(const Limit *limit, LimitRun *made)
{
  char folder[FOLDER_BYTES + 16], settled[FOLDER_BYTES + 16];
  snprintf(folder, sizeof folder, "%s/%03d", limit->folder, limit->count + 1);
  snprintf(settled, sizeof settled, "%s/" SETTLED, limit->folder);
  LimitSetup setup = {.folder = folder,
                      .value = made->value,
                      .stages = limit->stages,
                      .overwrite = limit->options->overwrite,
                      .steps = -1};
  if (limit->settled > 0 && !run_seed(settled, folder, setup.overwrite)) return EXIT_IO;
  if (limit->settled > 0) setup.overwrite = false;
  made->outcome = (Outcome){.kind = OUTCOME_UNCONVERGED};
  const int code = run_case(limit, &setup, &made->outcome);
  const bool ends = code == EXIT_NOT_CONVERGED;   // the case asks for that end of a run
  if (!ends && code != EXIT_DONE) return code;
  if (!ends && !recall(folder, limit->stages, &made->outcome, &made->forces)) return EXIT_IO;
  if (par_rank() == 0) {
    char *history = disk_path(folder, RESULTS_HISTORY);
    made->unsolved = history_sum(history, "unsolved", made->outcome.step);
    made->residual = history_column(history, "residual_max", made->outcome.step).largest;
    memory_free(history);
  }
  return EXIT_DONE;
}

static void say_run(const Limit *limit, const LimitRun *run)
{
  char missed[96] = "";
  if (run->unsolved > 0)
    snprintf(missed, sizeof missed, "; %lld steps did not reach the residual, the worst %.2g",
             (long long)run->unsolved, run->residual);
  log_line("run %03d  %s = %-14.9g %-10s %s, step %lld%s", limit->count, limit->options->key,
           run->value, verdict_of(run), outcome_name(run->outcome.kind),
           (long long)run->outcome.step, missed);
}

static void say_answer(const Limit *limit)
{
  const LimitSearch *s = &limit->search;
  const char *key = limit->options->key;
  if (!limit_search_changes(s)) {
    log_line("no limit between: %s %s at %.9g and %s at %.9g", key, outcome_verdict_name(s->first),
             s->from, outcome_verdict_name(s->last), s->to);
    return;
  }
  log_line("limit: %s %s up to %.9g and %s from %.9g", key, outcome_verdict_name(s->first), s->low,
           outcome_verdict_name(s->last), s->high);
  if (s->unsure)
    log_line("undecided between %.9g and %.9g: steps did not converge, or time.end came first",
             s->unsure_low, s->unsure_high);
  const LimitRun *run = last_that_holds(limit);
  if (!run) return;
  log_line("where it holds, at %.9g:", run->value);
  forces_say(&run->forces);
}

static int search(Limit *limit)
{
  double value;
  const int settled = limit->settled > 0 ? settle(limit) : EXIT_DONE;
  if (settled == EXIT_STOPPED)
    log_line("stopped before the first run; to go on, give the same command again");
  if (settled != EXIT_DONE) return settled;
  while (limit->count < MOST_RUNS && limit_search_next(&limit->search, &value)) {
    LimitRun *run = &limit->runs[limit->count];
    run->value = value;
    const int code = make_run(limit, run);
    if (code == EXIT_STOPPED)
      log_line("stopped in run %d; to go on, give the same command again", limit->count + 1);
    if (code != EXIT_DONE) return code;
    limit->count++;
    limit_search_tell(&limit->search, value, outcome_verdict(run->outcome.kind));
    say_run(limit, run);
    if (!write_report(limit)) return EXIT_IO;
  }
  say_answer(limit);
  return limit_search_changes(&limit->search) ? EXIT_DONE : EXIT_NOT_CONVERGED;
}

int command_limit(int count, char **words)
{
  LimitOptions options = {.path = NULL};
  static Limit limit;
  limit = (Limit){.count = 0};
  int code = EXIT_USER;
  if (options_read(&COMMAND_LIMIT_OPTIONS, count, words, &options) && begin(&options, &limit) &&
      is_same_question(&limit))
    code = search(&limit);
  options_end(&COMMAND_LIMIT_OPTIONS, &options);
  return code;
}
