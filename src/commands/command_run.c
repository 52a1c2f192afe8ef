// drystone run: options, and a run from its begin to its end.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api_case.h"
#include "case_keys.h"
#include "command.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"

// A setup and what options give apart from it.
typedef struct {
  DrystoneSetup setup;
  const char *case_path;
  OptionTexts overrides, allowed;
} RunOptions;

static const Option options_of_run[] = {
    {"-o", "DIR", "folder of results (default: results/NAME for NAME.yaml)", OPTION_TEXT,
     .offset = offsetof(RunOptions, setup.folder), .longer = "--output"},
    {"--steps", "N", "stop after step N, counted from the start of the case", OPTION_LONG_COUNT,
     .offset = offsetof(RunOptions, setup.steps), .high = 0x1p63,
     .refusal = "--steps: '%s' is not a number of steps (0, 1, 2, ...)"},
    {"--restart", NULL, "go on from the newest valid checkpoint in the folder", OPTION_FLAG,
     .offset = offsetof(RunOptions, setup.restart)},
    {"--allow", "KEY",
     "of --restart: this key of the case, and those below it, may differ from\n"
     "the case that the checkpoint was made with, as in --allow solver (any\n"
     "number of times)",
     OPTION_TEXTS, .offset = offsetof(RunOptions, allowed), .accepts = case_keys_known,
     .refusal = "--allow: '%s' is no key of a case, nor the beginning of one"},
    {"--overwrite", NULL, "replace the results in the folder", OPTION_FLAG,
     .offset = offsetof(RunOptions, setup.overwrite)},
    {"--max-wall", "T",
     "stop, with a checkpoint, before T has passed since the start: 90s, 55m,\n"
     "1.5h, 2d; a number alone: seconds",
     OPTION_DURATION, .offset = offsetof(RunOptions, setup.max_wall),
     .refusal = "--max-wall: '%s' is no wall time, as 90s, 55m, 1.5h or 2d are (a number alone: "
                "seconds)"},
    {"--set", "k=v",
     "override a key of the case, for example --set time.end=2 (any number of\ntimes)",
     OPTION_TEXTS, .offset = offsetof(RunOptions, overrides)},
    {"--hash-log", "FILE",
     "one line per step with a hash per stage; --restart goes on behind\n"
     "the lines up to its checkpoint; a pipe needs its reader before the run",
     OPTION_TEXT, .offset = offsetof(RunOptions, setup.hash_log)},
    {"--dump-problem", "N",
     "write the contact problem of step N into the folder, as problem-N.hdf5\n"
     "with N in nine digits, in the FCLIB format, for drystone solve and other\n"
     "programs",
     OPTION_LONG_COUNT, .offset = offsetof(RunOptions, setup.dump_problem), .low = 1,
     .high = 0x1p63, .refusal = "--dump-problem: '%s' is not the number of a step (1, 2, ...)"},
};

const OptionTable COMMAND_RUN_OPTIONS = {
    .command = "run",
    .purpose = "simulate a case; under mpirun on several ranks",
    .file = "CASE",
    .files = "case files",
    .no_file = "run needs a case file: drystone run CASE [options]",
    .file_offset = offsetof(RunOptions, case_path),
    .count = sizeof options_of_run / sizeof *options_of_run,
    .options = options_of_run,
    .note = "\n"
            "stopping a run: the signals USR1, USR2, XCPU, TERM and INT to any rank or to mpirun, "
            "and a\n"
            "file STOP in the folder of results, end it after the step, with a checkpoint and exit "
            "code 85\n"
            "(of signals to mpirun only USR1 and USR2 leave time for that); one more signal, 2 s "
            "later or\n"
            "more, ends it at once",
};

static void print(void *context, int level, const char *text)
{
  (void)context;
  log_hand_on(log_printing(), (LogLevel)level, text);
}

static bool read_options(int count, char **words, RunOptions *o)
{
  *o = (RunOptions){.setup = drystone_setup()};
  if (!options_read(&COMMAND_RUN_OPTIONS, count, words, o)) return false;
  DrystoneSetup *setup = &o->setup;
  assert(setup->steps >= -1 && setup->dump_problem >= 0 && setup->max_wall >= 0 &&
         "limits of options hold");
  setup->allow_count = o->allowed.count;
  setup->allow = o->allowed.texts;
  setup->say = print;
  setup->fatal = DRYSTONE_FATAL_ENDS_JOB;
  if (!setup->folder) setup->folder = "";
  else if (!*setup->folder)
    return all_ok(false, "-o: the name of the folder is empty; give one, . for the current folder");
  if (setup->restart && setup->overwrite)
    return all_ok(false, "--restart and --overwrite exclude each other");
  if (setup->allow_count > 0 && !setup->restart)
    return all_ok(false, "--allow is about what a restart may find changed; give --restart");
  return true;
}

// One word of a command, in quotes where a shell would not take it as it is.
static void add_word(char *line, size_t bytes, const char *word)
{
  assert(strlen(line) + 4 * strlen(word) + 4 <= bytes && "a command has room");
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_./=:,+@%-";
  size_t used = strlen(line);
  const bool quoted = !*word || word[strspn(word, plain)];
  used += (size_t)snprintf(line + used, bytes - used, quoted ? " '" : " ");
  for (; *word; word++)
    used += (size_t)snprintf(line + used, bytes - used, *word == '\'' ? "'\\''" : "%c", *word);
  if (quoted) snprintf(line + used, bytes - used, "'");
}

// How to go on after a stop: the command anew, by its words after "run".
static void say_go_on(int count, char **words)
{
  size_t bytes = 64;
  for (int i = 0; i < count; i++) bytes += 4 * strlen(words[i]) + 4;
  char *line = memory_allocate(bytes);
  snprintf(line, bytes, "drystone run");
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], "--dump-problem") == 0) i++;
    else if (strcmp(words[i], "--restart") != 0 && strcmp(words[i], "--overwrite") != 0)
      add_word(line, bytes, words[i]);
  }
  log_line("to go on, on any number of ranks: %s --restart", line);
  memory_free(line);
}

// The whole run; its exit code.
static int run(const RunOptions *o)
{
  DrystoneCase *c;
  DrystoneWorld *world;
  int code = drystone_case_read(o->case_path, &c);
  for (int i = 0; i < o->overrides.count && code == DRYSTONE_DONE; i++)
    code = api_case_override(c, o->overrides.texts[i]);
  if (code == DRYSTONE_DONE) code = drystone_world_begin(c, &o->setup, &world);
  if (code == DRYSTONE_DONE) {
    bool goes_on = true;
    while (code == DRYSTONE_DONE && goes_on) code = drystone_world_step(world, &goes_on);
    code = drystone_world_end(world);
  }
  drystone_case_free(c);
  return code;
}

int command_run(int count, char **words)
{
  RunOptions options;
  int code = EXIT_USER;
  if (read_options(count, words, &options)) {
    code = run(&options);
    if (code == EXIT_STOPPED) say_go_on(count, words);
  }
  options_end(&COMMAND_RUN_OPTIONS, &options);
  return code;
}
