// The life of a caller's world: it is a run, in a guard.
#include "api_world.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api_case.h"
#include "history_lines.h"
#include "memory.h"

int api_world_look(const DrystoneWorld *world, const char *function)
{
  if (!world) return api_guard_fail(DRYSTONE_USER, "%s: no world", function);
  if (!world->broken) return DRYSTONE_DONE;
  return api_guard_fail(world->broken, "%s: the world is of no use since an earlier call failed",
                        function);
}

int api_world_enter(const DrystoneWorld *world, const char *function)
{
  const int code = api_world_look(world, function);
  if (code != DRYSTONE_DONE || !world->at_work) return code;
  return api_guard_fail(DRYSTONE_USER, "%s: called from within a call of the same world", function);
}

// Work on a world, as api_guard_call does it; what cannot go on breaks the world.
static int at_work(DrystoneWorld *world, int (*work)(void *arguments), void *arguments)
{
  world->at_work = true;
  const int code = api_guard_call(&world->use, work, arguments);
  world->at_work = false;
  if (code == DRYSTONE_BUG || code == DRYSTONE_MEMORY) world->broken = code;
  return code;
}

// The words of a run that failed, for drystone_error.
static int say_failed(const RunError *error)
{
  if (error->code == DRYSTONE_DONE) return DRYSTONE_DONE;
  return api_guard_fail(error->code, "%s", error->text);
}

// -- begin ----------------------------------------------------------------------------------------

static void say(void *context, LogLevel level, const char *text)
{
  const DrystoneSetup *setup = context;
  setup->say(setup->context, (int)level, text);
}

typedef struct {
  const DrystoneCase *c;
  DrystoneWorld *world;
} Begin;

static int make_world(void *arguments)
{
  Begin *begin = arguments;
  begin->world = memory_allocate_zero(1, sizeof *begin->world);
  return DRYSTONE_DONE;
}

static int begin_run(void *arguments)
{
  const Begin *begin = arguments;
  DrystoneWorld *world = begin->world;
  const DrystoneSetup *setup = &world->setup;
  const ApiCase c = api_case_get(begin->c);
  const RunSetup run = {
      .case_path = c.path,
      .case_text = c.text,
      .no_files = !setup->folder,
      .folder = setup->folder && *setup->folder ? setup->folder : NULL,
      .hash_log = setup->hash_log,
      .restart = setup->restart,
      .overwrite = setup->overwrite,
      .steps = setup->steps,
      .stages = setup->stages,
      .dump_problem = setup->dump_problem,
      .max_wall = setup->max_wall,
      .override_count = c.override_count,
      .overrides = c.overrides,
      .allowed = {.count = setup->allow_count, .keys = setup->allow},
      .sink = world->use.sink,
  };
  RunError error;
  run_begin(&run, &world->run, &error);
  return say_failed(&error);
}

// What a caller of an earlier version does not know is as drystone_setup() has it.
static DrystoneSetup complete_setup(const DrystoneSetup *given)
{
  DrystoneSetup setup = drystone_setup();
  if (given) memcpy(&setup, given, given->size < sizeof setup ? given->size : sizeof setup);
  setup.size = sizeof setup;
  return setup;
}

static int refuse_setup(const DrystoneSetup *setup)
{
  static const char function[] = "drystone_world_begin";
  if (setup->restart && setup->overwrite)
    return api_guard_fail(DRYSTONE_USER, "%s: restart and overwrite exclude each other", function);
  if (!setup->folder && (setup->restart || setup->hash_log || setup->dump_problem > 0))
    return api_guard_fail(
        DRYSTONE_USER, "%s: restart, hash_log and dump_problem need a folder of results", function);
  if (setup->allow_count < 0 || (setup->allow_count > 0 && !setup->allow))
    return api_guard_fail(DRYSTONE_USER, "%s: allow_count without a list", function);
  if (setup->allow_count > 0 && !setup->restart)
    return api_guard_fail(DRYSTONE_USER, "%s: allow is about what a restart may find changed",
                          function);
  if (setup->steps < -1 || setup->stages < 0 || setup->dump_problem < 0 || !(setup->max_wall >= 0))
    return api_guard_fail(DRYSTONE_USER,
                          "%s: steps, stages, dump_problem or max_wall is below zero", function);
  return DRYSTONE_DONE;
}

int drystone_world_begin(const DrystoneCase *c, const DrystoneSetup *given, DrystoneWorld **made)
{
  if (!c || !made)
    return api_guard_fail(DRYSTONE_USER,
                          "drystone_world_begin: no case, or no place for the world");
  if (!par_has_begun())
    return api_guard_fail(DRYSTONE_USER, "drystone_world_begin: drystone_begin comes first");
  if (given && given->size < offsetof(DrystoneSetup, folder))
    return api_guard_fail(
        DRYSTONE_USER, "drystone_world_begin: the setup has no size: begin with drystone_setup()");
  const DrystoneSetup setup = complete_setup(given);
  int code = refuse_setup(&setup);
  if (code != DRYSTONE_DONE) return code;
  Begin begin = {.c = c};
  code = api_guard_alone(make_world, &begin);
  if (code != DRYSTONE_DONE) return code;
  DrystoneWorld *world = begin.world;
  world->setup = setup;
  world->use = (ApiUse){.group = par_group_new(setup.communicator), .fatal = setup.fatal};
  if (setup.say) world->use.sink = (LogSink){say, &world->setup};
  code = at_work(world, begin_run, &begin);
  if (code == DRYSTONE_DONE) {
    *made = world;
    return code;
  }
  // the ranks of a broken world do not meet again
  if (!world->broken) par_group_destroy(world->use.group);
  memory_free(world);
  return code;
}

// -- steps ----------------------------------------------------------------------------------------

typedef struct {
  DrystoneWorld *world;
  bool goes_on;
  Hash128 hash;
  int rank, ranks;
  double number;
} Call;

static int step(void *arguments)
{
  Call *call = arguments;
  RunError error;
  call->goes_on = run_step(call->world->run, &error) == RUN_GOES_ON;
  return say_failed(&error);
}

int drystone_world_step(DrystoneWorld *world, bool *goes_on)
{
  int code = api_world_enter(world, "drystone_world_step");
  if (code != DRYSTONE_DONE) return code;
  Call call = {.world = world};
  code = at_work(world, step, &call);
  if (goes_on && code == DRYSTONE_DONE) *goes_on = call.goes_on;
  return code;
}

static int end(void *arguments)
{
  Call *call = arguments;
  RunError error;
  run_end(call->world->run, &error);
  if (error.code == DRYSTONE_STOPPED) {
    api_guard_fail(DRYSTONE_STOPPED, "the world was stopped; its last checkpoint goes on");
    return DRYSTONE_STOPPED;
  }
  return say_failed(&error);
}

int drystone_world_end(DrystoneWorld *world)
{
  if (!world) return DRYSTONE_DONE;
  if (world->at_work) return api_world_enter(world, "drystone_world_end");
  Call call = {.world = world};
  const int code = world->broken ? world->broken : at_work(world, end, &call);
  if (!world->broken) par_group_destroy(world->use.group);
  memory_free(world);
  return code;
}

static int checkpoint(void *arguments)
{
  Call *call = arguments;
  RunError error;
  run_checkpoint(call->world->run, &error);
  return say_failed(&error);
}

int drystone_world_checkpoint(DrystoneWorld *world)
{
  const int code = api_world_enter(world, "drystone_world_checkpoint");
  if (code != DRYSTONE_DONE) return code;
  if (!world->setup.folder)
    return api_guard_fail(DRYSTONE_USER, "drystone_world_checkpoint: the world has no folder");
  return at_work(world, checkpoint, &(Call){.world = world});
}

// -- numbers --------------------------------------------------------------------------------------

double drystone_world_time(const DrystoneWorld *world)
{
  return api_world_look(world, "drystone_world_time") == DRYSTONE_DONE
             ? world_time(run_world(world->run), 0)
             : 0;
}

int64_t drystone_world_steps(const DrystoneWorld *world)
{
  return api_world_look(world, "drystone_world_steps") == DRYSTONE_DONE
             ? run_world(world->run)->step
             : 0;
}

static int find_hash(void *arguments)
{
  Call *call = arguments;
  call->hash = world_hash(run_world(call->world->run));
  return DRYSTONE_DONE;
}

int drystone_world_hash(DrystoneWorld *world, char text[33])
{
  int code = api_world_enter(world, "drystone_world_hash");
  if (code != DRYSTONE_DONE) return code;
  Call call = {.world = world};
  code = at_work(world, find_hash, &call);
  if (code == DRYSTONE_DONE) hash_to_text(call.hash, text);
  return code;
}

static int find_rank(void *arguments)
{
  Call *call = arguments;
  call->rank = par_rank();
  call->ranks = par_size();
  return DRYSTONE_DONE;
}

static Call ranks_of(const DrystoneWorld *world, const char *function)
{
  Call call = {.world = NULL};
  if (api_world_look(world, function) == DRYSTONE_DONE)
    api_guard_call(&world->use, find_rank, &call);
  return call;
}

int drystone_world_rank(const DrystoneWorld *world)
{
  return ranks_of(world, "drystone_world_rank").rank;
}

int drystone_world_ranks(const DrystoneWorld *world)
{
  return ranks_of(world, "drystone_world_ranks").ranks;
}

static int find_largest(void *arguments)
{
  Call *call = arguments;
  const bool fine = !par_any(isnan(call->number));
  call->number = par_max(fine ? call->number : 0);
  if (fine) return DRYSTONE_DONE;
  return api_guard_fail(DRYSTONE_USER, "drystone_world_largest: a rank's number is NaN");
}

int drystone_world_largest(DrystoneWorld *world, double own, double *largest)
{
  int code = api_world_enter(world, "drystone_world_largest");
  if (code != DRYSTONE_DONE) return code;
  if (!largest) return api_guard_fail(DRYSTONE_USER, "drystone_world_largest: no place");
  Call call = {.world = world, .number = own};
  code = at_work(world, find_largest, &call);
  if (code == DRYSTONE_DONE) *largest = call.number;
  return code;
}

// The text of a column, or NULL; lines have as many columns as their heading.
static const char *find_column(const char *heading, const char *line, const char *name)
{
  const size_t length = strlen(name);
  for (;;) {
    const size_t wide = strcspn(heading, ",");
    if (wide == length && strncmp(heading, name, length) == 0) return line;
    if (!heading[wide]) return NULL;
    heading += wide + 1;
    line += strcspn(line, ",") + 1;
  }
}

int drystone_world_number(const DrystoneWorld *world, const char *name, double *value)
{
  const int code = api_world_look(world, "drystone_world_number");
  if (code != DRYSTONE_DONE) return code;
  if (!name || !value)
    return api_guard_fail(DRYSTONE_USER, "drystone_world_number: no name, or no place");
  char heading[HISTORY_LINES_BYTES], line[HISTORY_LINES_BYTES];
  history_lines_heading(heading);
  history_lines_of_step(&run_world(world->run)->record, line);
  const char *text = find_column(heading, line, name);
  char *behind;
  const double number = text ? strtod(text, &behind) : 0;
  if (!text || behind == text)
    return api_guard_fail(DRYSTONE_USER,
                          "drystone_world_number: '%s' is no number of history.csv: %s", name,
                          heading);
  *value = number;
  return DRYSTONE_DONE;
}
