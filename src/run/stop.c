// Decides with all ranks when a run stops early, and when the clock asks for a checkpoint.
#include "stop.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "results.h"
#include "signals.h"

#define FILE_SECONDS 1.0   // between two looks for the file
#define END_SECONDS 1.0    // to close files and leave, once the last checkpoint is written
#define LONGEST_WALL 1e9   // s
// what a checkpoint takes before there was one: bytes of state, on a slow disk
#define BYTES_OF_BODY 200.0
#define BYTES_OF_POINT 250.0
#define BYTES_PER_SECOND 50e6

// Votes: ranks to which a signal came, by kind; what only rank 0 knows.
enum { VOTE_SIGNAL, VOTE_FIRST_RANK = VOTE_SIGNAL + 5 };
_Static_assert(VOTE_FIRST_RANK < BALLOT_VOTES, "a ballot has room for all votes");
static const struct {
  int number;
  const char *name;
} SIGNALS[] = {
    {SIGUSR1, "USR1"}, {SIGUSR2, "USR2"}, {SIGXCPU, "XCPU"}, {SIGTERM, "TERM"}, {SIGINT, "INT"}};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof *SIGNALS };
_Static_assert(SIGNAL_COUNT == VOTE_FIRST_RANK - VOTE_SIGNAL, "each signal has a vote");
// the latter's bits
enum { ASKS_BY_FILE = 1, ASKS_BY_CLOCK = 2, ASKS_FOR_CHECKPOINT = 4, ASKS_BY_OUTPUT = 8 };

bool stop_parse_duration(const char *word, double *seconds)
{
  static const struct {
    char letter;
    double seconds;
  } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {0, 1}};
  const size_t digits = strspn(word, "0123456789");
  size_t length = digits;
  if (word[length] == '.') length += 1 + strspn(word + length + 1, "0123456789");
  if (digits == 0 || (word[length] && word[length + 1])) return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (units[i].letter != word[length]) continue;
    *seconds = strtod(word, NULL) * units[i].seconds;
    return *seconds > 0 && *seconds <= LONGEST_WALL;
  }
  return false;
}

typedef struct {
  bool there;
  uint64_t inode;
  int64_t change;   // ns since 1970; unlike the time of writing nobody sets it back
} FileMark;

static char *file_path(const Stop *stop)
{
  assert(stop->folder != NULL && "a file STOP lies in a folder");
  const size_t bytes = strlen(stop->folder) + sizeof "/" RESULTS_STOP;
  char *path = memory_allocate(bytes);
  snprintf(path, bytes, "%s/" RESULTS_STOP, stop->folder);
  return path;
}

static FileMark file_mark(const Stop *stop)
{
  if (!stop->folder) return (FileMark){0};
  char *path = file_path(stop);
  struct stat about;
  const bool there = stat(path, &about) == 0;
  memory_free(path);
  if (!there) return (FileMark){0};
  const int64_t change = (int64_t)about.st_ctim.tv_sec * 1000000000 + about.st_ctim.tv_nsec;
  return (FileMark){true, (uint64_t)about.st_ino, change};
}

// A file that cannot be removed stays without effect for the rest of this run and for the next one,
// since it is then older than the run.
static bool remove_file(const Stop *stop)
{
  char *path = file_path(stop);
  const bool gone = unlink(path) == 0 || errno == ENOENT;
  if (!gone) log_warning("cannot remove %s: %s", path, strerror(errno));
  memory_free(path);
  return gone;
}

Stop stop_begin(const World *world, const char *folder, double max_wall)
{
  assert(max_wall >= 0 && world->c->output.checkpoint_minutes >= 0 && "times are not below zero");
  const double now = par_seconds();
  Stop stop = {.world = world,
               .folder = folder,
               .max_wall = max_wall,
               .checkpoint_every = 60 * world->c->output.checkpoint_minutes,
               .round_began = now,
               .file_looked = now - 2 * FILE_SECONDS,
               .checkpointed = now};
  const FileMark mark = file_mark(&stop);
  struct timespec date;
  clock_gettime(CLOCK_REALTIME, &date);
  const double began = (double)date.tv_sec + 1e-9 * (double)date.tv_nsec - par_age();
  if (par_rank() != 0 || !mark.there || 1e-9 * (double)mark.change >= began) return stop;
  stop.old_file = mark.inode;
  stop.old_change = mark.change;
  if (remove_file(&stop))
    log_line("removed a file %s/%s from before this run", folder, RESULTS_STOP);
  return stop;
}

void stop_stage(Stop *stop)
{
  stop->checkpoint_every = 60 * stop->world->c->output.checkpoint_minutes;
}

static bool file_asks(Stop *stop, double now)
{
  if (stop->ballot[VOTE_FIRST_RANK] & ASKS_BY_FILE) return true;
  if (now - stop->file_looked < FILE_SECONDS) return false;
  stop->file_looked = now;
  const FileMark mark = file_mark(stop);
  return mark.there && (mark.inode != stop->old_file || mark.change != stop->old_change);
}

static double expected_checkpoint(const Stop *stop)
{
  assert(stop->longest_checkpoint >= 0 && "clocks go on");
  if (stop->longest_checkpoint > 0) return stop->longest_checkpoint;
  const StepRecord *r = &stop->world->record;
  return (BYTES_OF_BODY * (double)r->bodies + BYTES_OF_POINT * (double)r->points) /
         BYTES_PER_SECOND;
}

// Whether another step could end too late for what then has to be written.
static bool wall_asks(const Stop *stop, bool checkpoint_now)
{
  if (!(stop->max_wall > 0)) return false;
  const double files = stop->longest_frame + expected_checkpoint(stop);
  const double needed = stop->longest_round + files * (checkpoint_now ? 2 : 1) + END_SECONDS;
  return par_age() + needed > stop->max_wall;
}

static bool is_due_by_steps(const Stop *stop)
{
  const int64_t steps = stop->world->c->output.checkpoint_steps;
  return steps > 0 && stop->world->step % steps == 0;
}

void stop_cast(void *context, int64_t *votes)
{
  Stop *stop = context;
  const int asked = signals_asked();
  for (int i = 0; i < SIGNAL_COUNT; i++) votes[VOTE_SIGNAL + i] = asked == SIGNALS[i].number;
  votes[VOTE_FIRST_RANK] = 0;
  if (par_rank() != 0) return;

  const double now = par_seconds();
  if (now - stop->round_began > stop->longest_round) stop->longest_round = now - stop->round_began;
  stop->round_began = now;
  const bool by_clock =
      stop->checkpoint_every > 0 && now - stop->checkpointed >= stop->checkpoint_every;
  if (file_asks(stop, now)) votes[VOTE_FIRST_RANK] |= ASKS_BY_FILE;
  if (wall_asks(stop, by_clock || is_due_by_steps(stop))) votes[VOTE_FIRST_RANK] |= ASKS_BY_CLOCK;
  if (by_clock) votes[VOTE_FIRST_RANK] |= ASKS_FOR_CHECKPOINT;
  if (log_reader_left()) votes[VOTE_FIRST_RANK] |= ASKS_BY_OUTPUT;
}

static bool signals_ask(const Stop *stop)
{
  int64_t ranks = 0;
  for (int i = 0; i < SIGNAL_COUNT; i++) ranks += stop->ballot[VOTE_SIGNAL + i];
  return ranks > 0;
}

bool stop_before_steps(Stop *stop)
{
  assert(stop->world->step >= 0 && "steps are counted from zero");
  int64_t votes[BALLOT_VOTES] = {0};
  stop_cast(stop, votes);
  votes[VOTE_FIRST_RANK] &= ASKS_BY_FILE;
  par_sum_many(votes, BALLOT_VOTES);
  memcpy(stop->ballot, votes, sizeof votes);
  if (signals_ask(stop)) signals_known();
  stop->longest_round = 0;   // no step so far
  return signals_ask(stop) || stop->ballot[VOTE_FIRST_RANK];
}

bool stop_after_step(Stop *stop)
{
  assert(stop->world->step >= 0 && "steps are counted from zero");
  memcpy(stop->ballot, stop->world->ballot.counted, sizeof stop->ballot);
  if (signals_ask(stop)) signals_known();
  return signals_ask(stop) ||
         (stop->ballot[VOTE_FIRST_RANK] & (ASKS_BY_FILE | ASKS_BY_CLOCK | ASKS_BY_OUTPUT)) != 0;
}

bool stop_checkpoint_is_due(const Stop *stop)
{
  return is_due_by_steps(stop) || (stop->ballot[VOTE_FIRST_RANK] & ASKS_FOR_CHECKPOINT) != 0;
}

void stop_count_frame(Stop *stop, double seconds)
{
  assert(seconds >= 0 && "clocks go on");
  if (seconds > stop->longest_frame) stop->longest_frame = seconds;
}

void stop_count_checkpoint(Stop *stop, double seconds)
{
  assert(seconds >= 0 && "clocks go on");
  if (seconds > stop->longest_checkpoint) stop->longest_checkpoint = seconds;
  stop->checkpointed = par_seconds();
  stop->round_began += seconds;
}

void stop_say(const Stop *stop)
{
  assert((signals_ask(stop) || stop->ballot[VOTE_FIRST_RANK] != 0) &&
         "a run stops when it is asked to");
  const long long step = (long long)stop->world->step;
  for (int i = 0; i < SIGNAL_COUNT; i++) {
    const long long ranks = (long long)stop->ballot[VOTE_SIGNAL + i];
    if (ranks > 0)
      log_line("step %lld: signal %s came to %lld of %d rank%s: the run stops here", step,
               SIGNALS[i].name, ranks, par_size(), par_size() == 1 ? "" : "s");
  }
  if (stop->ballot[VOTE_FIRST_RANK] & ASKS_BY_FILE)
    log_line("step %lld: there is a file %s/%s: the run stops here", step, stop->folder,
             RESULTS_STOP);
  if (stop->ballot[VOTE_FIRST_RANK] & ASKS_BY_CLOCK)
    log_line("step %lld: %.3g s of --max-wall are left, steps took up to %.3g s, frames %.3g s, "
             "checkpoints %.3g s: the run stops here",
             step, fmax(stop->max_wall - par_age(), 0), stop->longest_round, stop->longest_frame,
             expected_checkpoint(stop));
  if (stop->ballot[VOTE_FIRST_RANK] & ASKS_BY_OUTPUT)
    log_warning("step %lld: nobody reads standard output any more: the run stops here", step);
}

void stop_end(Stop *stop)
{
  assert((stop->folder || !(stop->ballot[VOTE_FIRST_RANK] & ASKS_BY_FILE)) &&
         "a file STOP lies in a folder");
  if (par_rank() == 0 && stop->ballot[VOTE_FIRST_RANK] & ASKS_BY_FILE) remove_file(stop);
}
