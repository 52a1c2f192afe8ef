// drystone statics: limit analysis of a case as it stands at its start or in a checkpoint.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case_reader.h"
#include "case_selection.h"
#include "case_start.h"
#include "checkpoint.h"
#include "command.h"
#include "distribute.h"
#include "log.h"
#include "mechanism.h"
#include "parallel.h"
#include "plural.h"
#include "statics.h"
#include "values.h"

#define DEFAULT_TOLERANCE 1e-6
#define NAMED 5   // fastest bodies of a mechanism that are named

typedef struct {
  const char *path, *state, *mechanism;
  OptionTexts overrides;
  const char *weight, *load, *thrust, *on;   // words
  double tolerance;
  bool json;
} StaticsOptions;

static const Option options_of_statics[] = {
    {"--weight", "X,Y,Z", "how much of all weights may act along that way, beside\nthe loads",
     OPTION_TEXT, .offset = offsetof(StaticsOptions, weight)},
    {"--load", "NAME", "how many times a load of the case is carried, by its name\nor number",
     OPTION_TEXT, .offset = offsetof(StaticsOptions, load)},
    {"--thrust", "X,Y,Z",
     "the least and the greatest push along that way on the\nsupports that lie there", OPTION_TEXT,
     .offset = offsetof(StaticsOptions, thrust)},
    {"--on", "NAMES",
     "of --thrust: fixed bodies in place of those, names and\npatterns between commas, or as "
     "'on' of a load",
     OPTION_TEXT, .offset = offsetof(StaticsOptions, on)},
    {"--state", "FOLDER",
     "places and forces of the newest checkpoint in a folder of\nresults "
     "(default: the start)",
     OPTION_TEXT, .offset = offsetof(StaticsOptions, state)},
    {"--tolerance", "T", "of the gap between both bounds (default: 1e-6)", OPTION_REAL,
     .offset = offsetof(StaticsOptions, tolerance), .low = 1e-10, .high = 0.1},
    {"--mechanism", "FOLDER", "frames of the mechanism for ParaView", OPTION_TEXT,
     .offset = offsetof(StaticsOptions, mechanism)},
    {"--set", "k=v", "override a key of the case (any number of times)", OPTION_TEXTS,
     .offset = offsetof(StaticsOptions, overrides)},
    {"--json", NULL, "one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(StaticsOptions, json)}};

const OptionTable COMMAND_STATICS_OPTIONS = {
    .command = "statics",
    .purpose = "how much of a load the contacts of a case can carry, by\n"
               "limit analysis of rigid bodies: a static and a\n"
               "kinematic bound, and the mechanism",
    .file = "CASE",
    .files = "case files",
    .no_file = "statics needs a case file: drystone statics CASE --weight 1,0,0",
    .file_offset = offsetof(StaticsOptions, path),
    .count = sizeof options_of_statics / sizeof *options_of_statics,
    .options = options_of_statics,
};

// -- the question ---------------------------------------------------------------------------------

// "X,Y,Z" as a unit vector; false: it is none.
static bool read_way(const char *word, vec3 *way)
{
  double numbers[3];
  for (int i = 0; i < 3; i++) {
    char *end;
    numbers[i] = strtod(word, &end);
    if (end == word || *end != (i < 2 ? ',' : 0) || !isfinite(numbers[i])) return false;
    word = end + 1;
  }
  const vec3 read = {numbers[0], numbers[1], numbers[2]};
  const double length = vec3_norm(read);
  if (!(length > 0 && isfinite(length))) return false;
  *way = vec3_scale(1 / length, read);
  return true;
}

// False after one message.
static bool read_question(const StaticsOptions *o, StaticsQuestion *question)
{
  const int asked = (o->weight != NULL) + (o->load != NULL) + (o->thrust != NULL);
  if (!all_ok(
          asked == 1 && (o->thrust || !o->on),
          "statics: expected one of --weight, --load and --thrust, and --on with the last alone"))
    return false;
  *question = (StaticsQuestion){.load = -1, .names = o->on};
  question->kind = o->weight ? STATICS_WEIGHT : o->thrust ? STATICS_THRUST : STATICS_LOAD;
  const char *word = o->weight ? o->weight : o->thrust;
  return !word || all_ok(read_way(word, &question->way),
                         "option %s: expected three numbers X,Y,Z that are a way, found '%s'",
                         o->weight ? "--weight" : "--thrust", word);
}

// -- the answer -----------------------------------------------------------------------------------

typedef struct {
  const StaticsOptions *options;
  StaticsQuestion question;
  World world;
  Case c;
  bool met;   // the problem of the step
  int code;
  double time;   // s
  StaticsScene scene;
  LimitResult most, least;   // on rank 0; the second of thrusts alone
  Arena arena;
} Statics;

static void meet_problem(void *context, Problem *problem, Velocities free)
{
  (void)free;
  Statics *statics = context;
  if (statics->met) return;
  statics->met = true;
  statics_gather(&statics->world, problem, &statics->question, &statics->arena, &statics->scene);
  const char *refusal = statics->scene.refusal;
  statics->code = all_ok(!*refusal, "statics: %s", refusal) ? EXIT_DONE : EXIT_USER;
}

// Bodies that the question names. False after one message.
static bool find_named(Statics *statics)
{
  const char *on = statics->options->on;
  char reason[1024] = "";
  const ErrorText error = {reason, sizeof reason};
  return !on ||
         all_ok(case_selection_text(&statics->c, on, &statics->arena, &statics->question.on, error),
                "%s", reason);
}

// The load that the question is about. False after one message.
static bool find_load(Statics *statics)
{
  const char *load = statics->options->load;
  const Case *c = statics->world.c;
  if (!load) return true;
  if (*load && strspn(load, "0123456789") == strlen(load)) {
    const unsigned long long number = strlen(load) < 10 ? strtoull(load, NULL, 10) : INT_MAX;
    statics->question.load = (int)number;
    return all_ok(number < (unsigned long long)c->load_count,
                  "statics: the case has %d loads, counted from 0, and none with number %s",
                  c->load_count, load);
  }
  char names[512] = "";
  for (int k = 0; k < c->load_count; k++) {
    if (strcmp(c->loads[k].name, load) == 0 && *load) statics->question.load = k;
    const size_t used = strlen(names);
    if (*c->loads[k].name && used < sizeof names)
      snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", c->loads[k].name);
  }
  return all_ok(statics->question.load >= 0, "option --load: no load is called '%s'; names: %s",
                load, *names ? names : "none");
}

// The place that is asked about, and the problem of the step from there.
static int look(Statics *statics)
{
  const StaticsOptions *o = statics->options;
  World *w = &statics->world;
  if (o->state) {
    CheckpointHeader header;
    State state = world_state(w);
    static const char *const keys[] = {"gravity", "loads",  "contacts", "contact",
                                       "solver",  "domain", "materials"};
    const CaseAllowance allowed = {sizeof keys / sizeof *keys, keys};
    const CheckpointStatus status =
        checkpoint_read(o->state, &statics->c, &allowed, &state, &header);
    if (!all_ok(status != CHECKPOINT_NONE, "statics: no checkpoint in %s", o->state))
      return EXIT_USER;
    if (status != CHECKPOINT_READ) return status == CHECKPOINT_DAMAGED ? EXIT_IO : EXIT_USER;
    world_restore(w, &state);
  }
  if (!find_load(statics)) return EXIT_USER;
  distribute_start(w);
  w->hook = (ProblemHook){meet_problem, statics};
  statics->time = world_time(w, 0);
  const int code = world_step(w);
  if (!statics->met) return code != EXIT_DONE ? code : EXIT_BUG;
  return statics->code;
}

static void solve(Statics *statics)
{
  if (par_rank() != 0) return;
  const double tolerance = statics->options->tolerance;
  LimitProblem limit = statics->scene.limit;
  statics->most = limit_solve(&limit, tolerance, &statics->arena);
  if (statics->question.kind != STATICS_THRUST) return;
  vec3 *turned = arena_allocate(&statics->arena, ((size_t)limit.point_count + 1) * sizeof *turned);
  for (int i = 0; i < limit.point_count; i++) turned[i] = vec3_neg(limit.wanted[i]);
  limit.wanted = turned;
  statics->least = limit_solve(&limit, tolerance, &statics->arena);
}

static const char *const status_names[] = {"found", "unbounded", "none", "stalled"};

static void add_mechanism(const Statics *statics, const LimitResult *result, Value *in)
{
  if (!result->motions) return;
  int fastest[NAMED], moving = 0;
  const int count = mechanism_fastest(&statics->scene, result->motions, NAMED, fastest, &moving);
  Value *mechanism = values_group(in, "mechanism");
  values_add(mechanism, "moving %d", moving);
  Value *list = values_list(mechanism, "fastest");
  for (int i = 0; i < count; i++) {
    char name[CASE_START_NAME_BYTES];
    const LimitMotion *motion = &result->motions[fastest[i]];
    const uint64_t id = statics->scene.ids[fastest[i]];
    Value *one = values_group(list, NULL);
    values_add(one, "id %lld name %s", (long long)id, case_start_name(&statics->c, id, name));
    values_add(one, "velocity %g %g %g spin %g %g %g", motion->velocity.x, motion->velocity.y,
               motion->velocity.z, motion->spin.x, motion->spin.y, motion->spin.z);
  }
}

static void add_result(const Statics *statics, const char *key, const LimitResult *result,
                       double sign, Value *in)
{
  Value *group = values_group(in, key);
  const bool bounded = result->status == LIMIT_FOUND || result->status == LIMIT_STALLED;
  values_add(group, "status %s", status_names[result->status]);
  values_add(group, "static %g kinematic %g", bounded ? sign * result->low : NAN,
             bounded ? sign * result->high : NAN);
  values_add(group, "balance %g charged %g", bounded ? result->balance : NAN,
             bounded ? result->opening : NAN);
  values_add(group, "systems %d numbers %lld", result->steps, (long long)result->numbers);
  add_mechanism(statics, result, group);
}

static Value *values_of(Statics *statics)
{
  const StaticsScene *scene = &statics->scene;
  const bool thrust = statics->question.kind == STATICS_THRUST;
  Value *all = values_new(&statics->arena);
  values_add(all, "file %s title %s", statics->options->path, statics->c.title);
  values_add(all, "time %g bodies %d points %d", statics->time, scene->limit.body_count,
             scene->limit.point_count);
  values_add(all, "gaping %lld weight %g", (long long)scene->gaping, scene->weight);
  static const char *const questions[] = {"weight", "load", "thrust"};
  values_add(all, "question %s unit %s", questions[statics->question.kind], thrust ? "N" : "1");
  if (thrust) {
    values_add(all, "now %g thrusting %lld", statics->options->state ? scene->now : NAN,
               (long long)scene->thrusting);
    add_result(statics, "least", &statics->least, -1, all);
  }
  add_result(statics, "most", &statics->most, 1, all);
  return all;
}

// what has no bound, or no forces, or two bounds
static void print_result(const char *what, const LimitResult *result, double sign, const char *unit)
{
  switch (result->status) {
  case LIMIT_UNBOUNDED: log_line("%-13sno bound: forces balance any size of it", what); break;
  case LIMIT_NONE:
    log_line("%-13snone: no forces balance the loads that do not change, so it falls", what);
    break;
  case LIMIT_STALLED:
  case LIMIT_FOUND:
    log_line("%-13s%.9g by forces, %.9g by the mechanism (%s)", what, sign * result->low,
             sign * result->high, unit);
    log_line("%-13sforces balance to %.1e of a mean load; %d %s of %.3g numbers%s", "",
             result->balance, result->steps, plural(result->steps, "system", "systems"),
             (double)result->numbers,
             result->status == LIMIT_STALLED ? "; not to the tolerance" : "");
  }
}

static void print_mechanism(const Value *result)
{
  for (const Value *m = result->first; m; m = m->next) {
    if (strcmp(m->key, "mechanism") != 0) continue;
    char text[1024] = "";
    size_t used = 0;
    for (const Value *body = values_find(m, "fastest")->first; body && used < sizeof text;
         body = body->next)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                               values_find(body, "name")->text);
    const long long moving = (long long)values_find(m, "moving")->integer;
    log_line("%-13s%lld %s %s", "mechanism", moving,
             plural(moving, "body moves:", "bodies move, the fastest are"), text);
  }
}

static void print_text(const Statics *statics, const Value *all)
{
  const StaticsScene *scene = &statics->scene;
  const bool thrust = statics->question.kind == STATICS_THRUST;
  const int bodies = scene->limit.body_count, points = scene->limit.point_count;
  log_line("%-13s%s, t %.6g s: %d %s, %d closed %s%s", "statics", statics->options->path,
           statics->time, bodies, plural(bodies, "body", "bodies"), points,
           plural(points, "point", "points"), scene->gaping > 0 ? ", others gape" : "");
  if (thrust) {
    print_result("least", &statics->least, -1, "N");
    print_result("greatest", &statics->most, 1, "N");
    if (statics->options->state) log_line("%-13s%.9g N by the last step", "now", scene->now);
    return;
  }
  print_result(statics->question.kind == STATICS_LOAD ? "load" : "weight", &statics->most, 1,
               "times");
  print_mechanism(values_find(all, "most"));
  log_line("%-13sfriction is associated here: Coulomb's law may carry less where points slide",
           "note");
}

static int finish(Statics *statics)
{
  const StaticsOptions *o = statics->options;
  solve(statics);
  bool stalled = false, mechanism = false;
  if (par_rank() == 0) {
    const Value *all = values_of(statics);
    if (o->json) values_json(all, true);
    else print_text(statics, all);
    stalled = statics->most.status == LIMIT_STALLED ||
              (statics->question.kind == STATICS_THRUST && statics->least.status == LIMIT_STALLED);
    mechanism = statics->most.motions != NULL;
  }
  if (o->mechanism) {
    if (!all_ok(par_rank() != 0 || mechanism, "statics: there is no mechanism to write"))
      return EXIT_USER;
    const int code =
        mechanism_write(&statics->world, &statics->scene, statics->most.motions, o->mechanism);
    if (code != EXIT_DONE) return code;
  }
  return all_ok(!stalled, "statics: bounds did not meet to the tolerance") ? EXIT_DONE
                                                                           : EXIT_NOT_CONVERGED;
}

// Bodies that deform have forces of their own, not those of any balance. False after one message.
static bool is_rigid(const StaticsOptions *o, const Case *c)
{
  int i = 0;
  while (i < c->group_count && !group_deforms(&c->groups[i])) i++;
  if (i == c->group_count) return true;
  const BodyGroup *group = &c->groups[i];
  char room[256] = "";
  const char *name = group->name ? log_visible(group->name, room, sizeof room) : "";
  return all_ok(false,
                "statics: %s:%d: body%s%s%s is elastic, and limit analysis knows rigid bodies "
                "alone; leave out 'elastic', there and of all other bodies",
                o->path, group->line, *name ? " '" : "", name, *name ? "'" : "");
}

// False after one message.
static bool read_case(const StaticsOptions *o, Case *c)
{
  const CaseOptions overrides = {.override_count = o->overrides.count,
                                 .overrides = o->overrides.texts};
  if (!case_read(o->path, &overrides, c)) return false;
  if (all_ok(!c->surfaces.compliant,
             "statics: %s: 'law: volumetric' gives pairs of materials forces and no limits; give "
             "them the law 'non-smooth'",
             o->path) &&
      is_rigid(o, c))
    return true;
  case_destroy(c);
  return false;
}

int command_statics(int count, char **words)
{
  StaticsOptions options = {.tolerance = DEFAULT_TOLERANCE};
  Statics statics = {.options = &options};
  if (!options_read(&COMMAND_STATICS_OPTIONS, count, words, &options) ||
      !read_question(&options, &statics.question)) {
    options_end(&COMMAND_STATICS_OPTIONS, &options);
    return EXIT_USER;
  }
  int code = EXIT_USER;
  // nothing stands before JSON
  const LogFilter warnings = {log_use(log_printing()), LOG_WARNING};
  log_use(options.json ? log_filtered(&warnings) : warnings.to);
  if (read_case(&options, &statics.c)) {
    // the step itself is not asked for
    statics.c.solver.solve.method = SOLVER_GAUSS_SEIDEL;
    statics.c.solver.solve.max_sweeps = 1;
    statics.arena = arena_new();
    world_begin(&statics.world, &statics.c);
    if (find_named(&statics)) code = look(&statics);
    if (code == EXIT_DONE) code = finish(&statics);
    world_end(&statics.world);
    arena_destroy(&statics.arena);
    case_destroy(&statics.c);
  }
  log_use(warnings.to);
  options_end(&COMMAND_STATICS_OPTIONS, &options);
  return code;
}
