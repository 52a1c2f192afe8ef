// What asks a run to stop, on one rank: durations, signals, the file STOP, the wall clock, and what
// is reserved of it.
#include "stop.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "parallel.h"
#include "signals.h"

static void test_durations(void)
{
  static const struct {
    const char *word;
    double seconds;
  } good[] = {{"55m", 3300},  {"90s", 90},    {"12h", 43200},      {"2d", 172800}, {"3600", 3600},
              {"1.5h", 5400}, {"0.25", 0.25}, {"1000000000", 1e9}, {"5.m", 300},   {"007s", 7}};
  static const char *const bad[] = {
      "",      "m",    "0",          "0s",  "-5m",    "+5m",  "5 m",      " 5m", "5mm",
      "5M",    "1e3",  "0x10",       "inf", "nan",    "1:30", "1h30m",    ".5h", "5w",
      "1.2.3", "5,5m", "1000000001", "1e9", "20000d", "5m\n", "5\xc2\xb5"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    double seconds = -1;
    CHECK(stop_parse_duration(good[i].word, &seconds) && seconds == good[i].seconds);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double seconds = -1;
    if (!CHECK(!stop_parse_duration(bad[i], &seconds))) printf("taken: '%s'\n", bad[i]);
  }
}

static void pause_for(double seconds)
{
  const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&time, NULL);
}

// One step's worth of asking and agreeing.
static bool look(Stop *stop, World *world)
{
  stop_cast(stop, world->ballot.counted);
  return stop_after_step(stop);
}

static bool touch(const char *path)
{
  FILE *file = fopen(path, "w");
  return file && fclose(file) == 0;
}

static void test_file(World *world, const char *folder)
{
  char path[64];
  snprintf(path, sizeof path, "%s/STOP", folder);

  // none, a new one, which goes at the end
  Stop stop = stop_begin(world, folder, 0);
  CHECK(!stop_before_steps(&stop) && !look(&stop, world));
  CHECK(touch(path));
  stop.file_looked -= 2;   // seconds go by
  CHECK(look(&stop, world));
  stop_end(&stop);
  CHECK(access(path, F_OK) != 0);

  // one made since the program's start asks before the first step
  CHECK(touch(path));
  stop = stop_begin(world, folder, 0);
  CHECK(stop_before_steps(&stop) && access(path, F_OK) == 0);
  stop_end(&stop);
  CHECK(access(path, F_OK) != 0);

  // looked for once a second
  stop = stop_begin(world, folder, 0);
  CHECK(!stop_before_steps(&stop) && touch(path) && !look(&stop, world) && !look(&stop, world));
  stop_end(&stop);
  CHECK(access(path, F_OK) == 0 && unlink(path) == 0);
}

// Files STOP from before the program's start.
static void test_old_files(World *world, const char *folder, const char *stuck)
{
  char path[64], inside[64];
  snprintf(path, sizeof path, "%s/STOP", folder);
  Stop stop = stop_begin(world, folder, 0);
  CHECK(access(path, F_OK) != 0 && !stop_before_steps(&stop));

  // what cannot be removed is left alone until it changes
  snprintf(path, sizeof path, "%s/STOP", stuck);
  snprintf(inside, sizeof inside, "%s/STOP/file", stuck);
  stop = stop_begin(world, stuck, 0);
  CHECK(access(path, F_OK) == 0 && !stop_before_steps(&stop));
  stop.file_looked -= 2;
  CHECK(!look(&stop, world));
  CHECK(touch(inside));
  stop.file_looked -= 2;
  CHECK(look(&stop, world));
  stop_end(&stop);
  CHECK(unlink(inside) == 0 && rmdir(path) == 0);
}

// What is reserved for the last step, frame and checkpoint.
static void test_wall(World *world, Case *c, const char *folder)
{
  Stop stop = stop_begin(world, folder, 1e-3);
  CHECK(!stop_before_steps(&stop) && look(&stop, world));   // one step in any case

  stop = stop_begin(world, folder, par_age() + 10);
  CHECK(!stop_before_steps(&stop) && !look(&stop, world));
  stop_count_frame(&stop, 1);
  stop_count_checkpoint(&stop, 3);
  stop_count_frame(&stop, 0.5);
  stop.round_began = par_seconds() - 2;   // s, a step
  CHECK(!look(&stop, world) && !look(&stop, world));
  CHECK(stop.longest_round >= 2 && stop.longest_round < 2.5);
  stop.max_wall = par_age() + 6.5;   // 2 + 1 + 3 + 1 s are needed
  CHECK(look(&stop, world));
  stop.max_wall = par_age() + 10;
  CHECK(!look(&stop, world) && !stop_checkpoint_is_due(&stop));
  c->output.checkpoint_steps = 3;   // with a checkpoint in between 4 s more
  CHECK(look(&stop, world) && stop_checkpoint_is_due(&stop));
  world->step = 4;
  CHECK(!look(&stop, world) && !stop_checkpoint_is_due(&stop));
  c->output.checkpoint_steps = 0;

  // a first checkpoint is expected by its size: 1e6 points take 5 s
  stop = stop_begin(world, folder, par_age() + 10);
  CHECK(!stop_before_steps(&stop));
  world->record.points = 1000000;
  CHECK(!look(&stop, world));
  stop.max_wall = par_age() + 5.5;
  CHECK(look(&stop, world));
  world->record.points = 0;
  CHECK(!look(&stop, world));
}

static void test_minutes(World *world, Case *c, const char *folder)
{
  c->output.checkpoint_minutes = 0.5;
  Stop stop = stop_begin(world, folder, 0);
  CHECK(!stop_before_steps(&stop) && !stop_checkpoint_is_due(&stop));
  CHECK(!look(&stop, world) && !stop_checkpoint_is_due(&stop));
  stop.checkpointed -= 31;
  CHECK(!look(&stop, world) && stop_checkpoint_is_due(&stop));
  stop_count_checkpoint(&stop, 1);
  CHECK(!look(&stop, world) && !stop_checkpoint_is_due(&stop));
  c->output.checkpoint_minutes = 0;
  stop = stop_begin(world, folder, 0);
  stop.checkpointed -= 1e9;
  CHECK(!look(&stop, world) && !stop_checkpoint_is_due(&stop));
}

static void begin(void)
{
  signals_begin();
  signals_listen();
}

// Children that get signals; each returns 0 or does not return.
static int first_stays(void)
{
  Case c = {0};
  World world = {.c = &c};
  Stop stop = {.world = &world, .folder = "/"};
  begin();
  if (signals_asked() != 0) return 1;
  raise(SIGTERM);
  raise(SIGUSR1);   // the same request
  raise(SIGTERM);
  if (signals_asked() != SIGTERM || !look(&stop, &world)) return 2;
  for (int i = 0; i < 5; i++)
    if (stop.ballot[i] != (i == 3)) return 3;
  return 0;
}

static int further_ends(void)
{
  begin();
  raise(SIGUSR1);
  pause_for(2.2);
  raise(SIGTERM);
  return 1;
}

static int limit_of_time_repeats(void)
{
  begin();
  raise(SIGXCPU);
  pause_for(2.2);
  raise(SIGXCPU);   // the system's own
  return signals_asked() == SIGXCPU ? 0 : 1;
}

static int limit_then_further_ends(void)
{
  begin();
  raise(SIGXCPU);
  pause_for(2.2);
  raise(SIGUSR2);
  return 1;
}

static int known_counts_as_first(void)
{
  begin();
  signals_known();
  raise(SIGUSR1);   // what the launcher handed on late
  if (signals_asked() != 0) return 1;
  pause_for(2.2);
  raise(SIGINT);
  return 2;
}

static int ignored_at_the_end(void)
{
  begin();
  raise(SIGUSR1);
  signals_end();
  pause_for(2.2);
  raise(SIGTERM);
  return signals_asked() == SIGUSR1 ? 0 : 1;
}

static int waits_until_somebody_listens(void)
{
  signals_begin();
  raise(SIGTERM);
  if (signals_asked() != 0) return 1;
  signals_listen();
  return signals_asked() == SIGTERM ? 0 : 2;
}

static int is_kept_from_a_library(void)
{
  begin();
  struct sigaction before, after;
  sigaction(SIGTERM, NULL, &before);
  const SignalsHeld held = signals_hold();
  signal(SIGTERM, SIG_DFL);
  signal(SIGABRT, SIG_IGN);
  raise(SIGTERM);
  if (signals_asked() != 0) return 1;
  signals_release(&held);
  if (signals_asked() != SIGTERM) return 2;
  sigaction(SIGTERM, NULL, &after);
  if (after.sa_handler != before.sa_handler || after.sa_flags != before.sa_flags) return 3;
  sigaction(SIGABRT, NULL, &after);
  if (after.sa_handler != SIG_DFL) return 4;
  pause_for(2.2);
  raise(SIGTERM);   // the mask is that of before: ends at once
  return 5;
}

static int ignored_interrupts_stay_so(void)
{
  signal(SIGINT, SIG_IGN);
  begin();
  raise(SIGINT);
  return signals_asked();
}

static int default_ends(void)
{
  raise(SIGUSR1);
  return 1;
}

static void test_signals(void)
{
  static const struct {
    int (*child)(void);
    int code, signal;
  } children[] = {{first_stays, 0, 0},
                  {further_ends, EXIT_AT_ONCE, 0},
                  {limit_of_time_repeats, 0, 0},
                  {limit_then_further_ends, EXIT_AT_ONCE, 0},
                  {known_counts_as_first, EXIT_AT_ONCE, 0},
                  {ignored_at_the_end, 0, 0},
                  {waits_until_somebody_listens, 0, 0},
                  {is_kept_from_a_library, EXIT_AT_ONCE, 0},
                  {ignored_interrupts_stay_so, 0, 0},
                  {default_ends, 0, SIGUSR1}};
  enum { COUNT = sizeof children / sizeof *children };
  pid_t ids[COUNT];
  for (int i = 0; i < COUNT; i++) {
    ids[i] = fork();
    if (ids[i] == 0) _exit(children[i].child());
  }
  for (int i = 0; i < COUNT; i++) {
    int status;
    if (!CHECK(ids[i] > 0 && waitpid(ids[i], &status, 0) == ids[i])) continue;
    const bool right = children[i].signal
                           ? WIFSIGNALED(status) && WTERMSIG(status) == children[i].signal
                           : WIFEXITED(status) && WEXITSTATUS(status) == children[i].code;
    if (!CHECK(right)) printf("child %d ended with status %d\n", i, status);
  }
}

int main(int argc, char **argv)
{
  test_durations();
  test_signals();

  // files from before the program's start, one of which cannot be removed
  char folder[] = "/tmp/drystone-stop-XXXXXX", stuck[] = "/tmp/drystone-stop-XXXXXX", path[64];
  if (!CHECK(mkdtemp(folder) && mkdtemp(stuck))) return test_report();
  snprintf(path, sizeof path, "%s/STOP", folder);
  CHECK(touch(path));
  snprintf(path, sizeof path, "%s/STOP", stuck);
  CHECK(mkdir(path, 0777) == 0);
  pause_for(0.05);   // the system's clock of files is coarse

  par_begin(&argc, &argv);
  Case c = {0};
  World world = {.c = &c, .step = 3};
  test_old_files(&world, folder, stuck);
  test_file(&world, folder);
  test_wall(&world, &c, folder);
  test_minutes(&world, &c, folder);
  par_end();
  CHECK(rmdir(folder) == 0 && rmdir(stuck) == 0);
  return test_report();
}
