// Adds up wall time per named stage for the final table.
#include "timer.h"

#include <assert.h>
#include <string.h>

#include "log.h"
#include "parallel.h"

Timers timers_new(void) { return (Timers){.running = -1}; }

void timers_stage(Timers *timers, const char *name)
{
  assert(timers->count >= 0 && timers->running < timers->count &&
         "the stage that runs is one of the list");
  const double now = par_seconds();
  if (timers->running >= 0) timers->seconds[timers->running] += now - timers->started;
  timers->running = -1;
  timers->started = now;
  if (!name) return;
  int stage = 0;
  while (stage < timers->count && strcmp(timers->names[stage], name) != 0) stage++;
  if (stage == timers->count) {
    assert(timers->count < TIMER_MAX_STAGES && "too many stages");
    timers->names[timers->count++] = name;
    timers->seconds[stage] = 0;
  }
  timers->running = stage;
}

void timers_print(Timers *timers, double total)
{
  assert(timers->count <= TIMER_MAX_STAGES && "stages are in their room");
  timers_stage(timers, NULL);
  const int ranks = par_size();
  double low[TIMER_MAX_STAGES], high[TIMER_MAX_STAGES];
  int64_t nanoseconds[TIMER_MAX_STAGES];
  for (int i = 0; i < timers->count; i++) {
    low[i] = -timers->seconds[i];
    high[i] = timers->seconds[i];
    nanoseconds[i] = (int64_t)(timers->seconds[i] * 1e9);
  }
  par_max_many(low, timers->count);
  par_max_many(high, timers->count);
  par_sum_many(nanoseconds, timers->count);
  if (par_rank() != 0) return;
  log_line("%-14s %10s %10s %10s %7s", "stage", "min s", "mean s", "max s", "share");
  for (int i = 0; i < timers->count; i++) {
    const double mean = (double)nanoseconds[i] * 1e-9 / ranks;
    log_line("%-14s %10.3f %10.3f %10.3f %6.1f%%", timers->names[i], -low[i], mean, high[i],
             total > 0 ? 100 * mean / total : 0.0);
  }
  log_line("%-14s %10s %10.3f", "total", "", total);
}
