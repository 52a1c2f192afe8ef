// Chooses the next sigma of ADMM from the rates seen with each.
#include "admm_controller.h"

#include <assert.h>

#define SLOW_RATE_SMALL \
  0.05                   // decades a window below which another sigma is tried where it stays small
#define RATE_GAIN 0.02   // by which a neighbour's rate must be better
#define FORGETTING 0.02    // a window by which rates of other sigmas look better again
#define STEP_OF_K 2        // a decade
#define FAILED_RATE -1e3   // of a sigma whose system cannot be solved

double admm_sigma(int k)
{
  static const double decades[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  const double root = 3.1622776601683795;
  assert(k >= 0 && k < ADMM_GRID && "sigma is on its grid");
  return k % 2 ? root * decades[k / 2] : decades[k / 2];
}

static bool is_tried(const AdmmController *c, int k) { return c->tried >> k & 1; }

void admm_controller_note(AdmmController *c, double rate)
{
  assert(c->k >= 0 && c->k < ADMM_GRID && "sigma is on its grid");
  c->rate[c->k] = is_tried(c, c->k) ? 0.5 * (c->rate[c->k] + rate) : rate;
  c->tried |= UINT32_C(1) << c->k;
}

void admm_controller_fail(AdmmController *c, int k)
{
  assert(k >= 0 && k < ADMM_GRID && "sigma is on its grid");
  c->tried |= UINT32_C(1) << k;
  c->rate[k] = FAILED_RATE;
}

bool admm_controller_is_slow(double rate, int most)
{
  assert(most >= 0 && most < ADMM_GRID && "sigma is on its grid");
  return !(rate >= (most < ADMM_LARGE_K ? SLOW_RATE_SMALL : ADMM_SLOW_RATE));
}

int admm_controller_next(AdmmController *c, int most)
{
  assert(c->k >= 0 && c->k <= most && most < ADMM_GRID && "sigma stays below its bound");
  const int neighbours[2] = {c->k + STEP_OF_K, c->k - STEP_OF_K};
  int best = -1, untried = -1;
  for (int i = 0; i < 2; i++) {
    const int k = neighbours[i];
    if (k < 0 || k > most) continue;
    if (!is_tried(c, k)) untried = untried < 0 ? k : untried;
    else if (best < 0 || c->rate[k] > c->rate[best]) best = k;
  }
  const bool better = best >= 0 && c->rate[best] > c->rate[c->k] + RATE_GAIN;
  if (untried >= 0 && (most >= ADMM_LARGE_K || !better)) return untried;
  if (better) return best;
  for (int k = 0; k < ADMM_GRID; k++)
    if (k != c->k) c->rate[k] += FORGETTING;
  return c->k;
}

AdmmController admm_controller_new(int first_k)
{
  AdmmController c = {.k = first_k < 0 ? 0 : first_k >= ADMM_GRID ? ADMM_GRID - 1 : first_k};
  for (int k = 0; k < ADMM_GRID; k++) c.rate[k] = 0;
  return c;
}
