// Nesterov's momentum of groups, by exact sums.
#include "momentum.h"

#include <assert.h>
#include <math.h>

#include "split.h"

#define RESTART_GROWTH 4.0   // a change whose square grows by this factor restarts a group
// A sweep is no symmetric step, and with stiff springs momentum may keep it in a cycle that
// gradients do not tell: changes rise, or never fall below their smallest. Then theta goes less
// far.
#define CYCLE_RISE 64.0    // of the square of a change over the smallest since the restart
#define CYCLE_SWEEPS 150   // or so many sweeps without a smaller one, and
#define CYCLE_THETAS 16    // so many for each unit of theta
#define CYCLE_CUT 0.7      // theta then goes to this part of its value at most

// Products of the step x - r of a sweep with the change r - old between ends of sweeps, and of the
// step with itself: points of a pair in order, then pairs exactly.
static void add_batches(Acceleration *a, const SweepEnds *old)
{
  const Batches *batches = &a->batches;
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    Lane turns = lane_all(0), changes = lane_all(0);
    for (int i = b->start; i < b->start + b->depth; i++) {
      const Vec3Lane r = batches->points[i].r, step = lane3_sub(a->x[i], r);
      turns += lane3_dot(step, lane3_sub(r, old->r[i]));
      changes += lane3_dot(step, step);
    }
    for (int lane = 0; lane < LANES; lane++)
      if (b->counted[lane] && a->runs[b->place[lane]])
        group_sums_add(&a->sums, b->place[lane], (double[]){turns[lane], changes[lane]});
  }
}

static void add_singles(Acceleration *a, const SweepEnds *old)
{
  const Batches *batches = &a->batches;
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s], place = a->places->of_pair[k];
    if (!split_pair(batches->problem, k).counted || !a->runs[place]) continue;
    double turns = 0, changes = 0;
    for (int i = batches->problem->pairs[k].first; i < batches->problem->pairs[k].end; i++) {
      const vec3 r = batches->single_r[i], step = vec3_sub(a->single_x[i], r);
      turns += vec3_dot(step, vec3_sub(r, old->single_r[i]));
      changes += vec3_dot(step, step);
    }
    group_sums_add(&a->sums, place, (double[]){turns, changes});
  }
}

static bool cycles(const Momentum *m, double change)
{
  return change > CYCLE_RISE * m->smallest ||
         m->larger > CYCLE_SWEEPS + CYCLE_THETAS * m->theta_of_smallest;
}

static void start_again(Momentum *m)
{
  m->theta = 1;
  m->smallest = INFINITY;
  m->larger = 0;
}

static void note_change(Momentum *m, double change)
{
  m->last_change = change;
  m->larger++;
  if (change >= m->smallest) return;
  m->smallest = change;
  m->theta_of_smallest = m->theta;
  m->larger = 0;
}

// Part of the last change by which to go on; 0 restarts.
static double factor_of(Momentum *m, double turn, double change, bool sprung)
{
  const bool cycle = sprung && cycles(m, change);
  const bool restart = turn > 0 || change > RESTART_GROWTH * m->last_change || cycle;
  if (cycle) m->most = larger_of(1, smaller_of(m->theta_of_smallest, CYCLE_CUT * m->theta));
  note_change(m, change);
  if (restart) {
    start_again(m);
    return 0;
  }
  const double next = 0.5 * (1 + sqrt(1 + 4 * m->theta * m->theta));
  const double factor = (m->theta - 1) / next;
  m->theta = smaller_of(next, m->most);
  return factor;
}

void momentum_find_shares(Acceleration *a)
{
  assert(a->depth == 1 && a->momenta != NULL && "one end is kept");
  group_sums_begin(&a->sums);
  add_batches(a, &a->past[0]);
  add_singles(a, &a->past[0]);
  group_sums_end(&a->sums);
  for (int p = 0; p < a->places->groups->place_count; p++) {
    if (!a->runs[p]) continue;
    const double *sums = group_sums_of(&a->sums, p);
    a->shares[p][0] = -factor_of(&a->momenta[p], sums[0], sums[1], a->sprung);
  }
}
