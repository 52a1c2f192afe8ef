#pragma once
// Which sigma alternating directions go on with, from the rates that were seen with each.
#include <stdbool.h>
#include <stdint.h>

#define ADMM_GRID 13   // sigma = 10^(k/2), 0 <= k < ADMM_GRID

// What the controller of sigma has learned; state of the simulation, since it goes from step to
// step.
typedef struct {
  int32_t k;                // of the present sigma; -1: nothing is known yet
  uint32_t tried;           // bit k: a rate is known
  double rate[ADMM_GRID];   // decades of residual in a window of iterations, smoothed
} AdmmController;

// Local. sigma = 10^(k/2).
double admm_sigma(int k);

#define ADMM_SLOW_RATE 0.4   // decades a window below which another sigma, or shares, are tried
#define ADMM_LARGE_K 6       // below which a largest sigma is small

// Local. Nothing is known; starts at first_k, or where the grid ends.
AdmmController admm_controller_new(int first_k);

// Local. Notes the rate of the present sigma, decades a window; half old, half new.
void admm_controller_note(AdmmController *controller, double rate);

// Local. Notes that the system with 10^(k/2) cannot be solved.
void admm_controller_fail(AdmmController *controller, int k);

// Local. Whether such a rate is too slow to stay, where sigma goes up to 10^(most/2).
bool admm_controller_is_slow(double rate, int most);

// Local. The sigma to go on with after a window that was slow, not above most. With large ones, as
// bodies on faces need, a neighbour that was not tried, larger first: a larger one finds which
// faces open. With small ones alone the better neighbour comes first if one is known to be better.
// The present one where there is nothing else.
int admm_controller_next(AdmmController *controller, int most);
