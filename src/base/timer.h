#pragma once
// Wall time per named stage; only the final table reads it, nothing is ever decided by it.
#define TIMER_MAX_STAGES 24

typedef struct {
  int count, running;                    // stages so far; the one that runs, -1: none
  const char *names[TIMER_MAX_STAGES];   // in order of first use; literals
  double seconds[TIMER_MAX_STAGES];
  double started;
} Timers;

Timers timers_new(void);

// Local. Ends the running stage and begins another; NULL only ends.
void timers_stage(Timers *timers, const char *name);

// Collective. Prints, on rank 0, a table with min, mean and max over ranks of each stage; total:
// seconds of the whole.
void timers_print(Timers *timers, double total);
