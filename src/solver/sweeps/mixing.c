// Anderson's mixing of the ends of sweeps of groups, by exact sums.
#include "mixing.h"

#include <assert.h>

#include "check.h"
#include "delassus.h"
#include "split.h"

#define GROWTH \
  4.0   // of the square of a step over the smallest since the last restart: start again

enum {
  DEPTH = ACCELERATION_DEPTH,
  SQUARE = 0,               // of the step
  NEWEST = 1,               // products of the newest difference with those of all slots
  RIGHT = NEWEST + DEPTH,   // of the step with the differences of all slots
  TERMS = RIGHT + DEPTH
};

_Static_assert(TERMS <= GROUP_SUMS_MOST, "groups have room for their sums");

// The newest difference of steps into its slot, and what it and the step add to the sums of their
// groups. Slots that a group does not know any more give numbers that nobody asks for.
static void add_batches(Acceleration *a)
{
  const Batches *batches = &a->batches;
  Vec3Lane *const newest = a->steps[a->newest].r;
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    Lane terms[TERMS];
    for (int t = 0; t < TERMS; t++) terms[t] = lane_all(0);
    for (int i = b->start; i < b->start + b->depth; i++) {
      const PointBatch *p = &batches->points[i];
      const Vec3Lane f = lane3_sub(p->r, a->x[i]);
      newest[i] = lane3_sub(f, a->last_step.r[i]);
      a->last_step.r[i] = f;
      const Vec3Lane wf = lane3_scale(p->w.normal, f), wd = lane3_scale(p->w.normal, newest[i]);
      terms[SQUARE] += lane3_dot(f, wf);
      for (int j = 0; j < DEPTH; j++) {
        const Vec3Lane d = a->steps[j].r[i];
        terms[NEWEST + j] += lane3_dot(d, wd);
        terms[RIGHT + j] += lane3_dot(d, wf);
      }
    }
    for (int lane = 0; lane < LANES; lane++) {
      if (!b->counted[lane] || !a->runs[b->place[lane]]) continue;
      double of_lane[TERMS];
      for (int t = 0; t < TERMS; t++) of_lane[t] = terms[t][lane];
      group_sums_add(&a->sums, b->place[lane], of_lane);
    }
  }
}

static void add_single(Acceleration *a, int k, double terms[TERMS])
{
  const Batches *batches = &a->batches;
  vec3 *const newest = a->steps[a->newest].single_r;
  for (int i = batches->problem->pairs[k].first; i < batches->problem->pairs[k].end; i++) {
    const double w = delassus_of_point(batches->problem, k, i).normal;
    const vec3 f = vec3_sub(batches->single_r[i], a->single_x[i]);
    newest[i] = vec3_sub(f, a->last_step.single_r[i]);
    a->last_step.single_r[i] = f;
    const vec3 wf = vec3_scale(w, f), wd = vec3_scale(w, newest[i]);
    terms[SQUARE] += vec3_dot(f, wf);
    for (int j = 0; j < DEPTH; j++) {
      const vec3 d = a->steps[j].single_r[i];
      terms[NEWEST + j] += vec3_dot(d, wd);
      terms[RIGHT + j] += vec3_dot(d, wf);
    }
  }
}

static void add_singles(Acceleration *a)
{
  const Batches *batches = &a->batches;
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s], place = a->places->of_pair[k];
    double terms[TERMS] = {0};
    add_single(a, k, terms);
    if (split_pair(batches->problem, k).counted && a->runs[place])
      group_sums_add(&a->sums, place, terms);
  }
}

// The slot of the q-th last difference; 0 is the newest.
static inline int slot_of(const Acceleration *a, int q) { return (a->newest - q + DEPTH) % DEPTH; }

// x = g - sum_q theta_q (G_q - G_(q+1)), G_0 = g, as shares of the past ends G_1, G_2, ...
static void set_shares(const Acceleration *a, int count, const double *theta, double *shares)
{
  assert_debug(count >= 0 && count <= DEPTH && "differences are counted");
  for (int j = 0; j < DEPTH; j++) shares[j] = 0;
  for (int q = 0; q < count; q++)
    shares[slot_of(a, q)] = q + 1 < count ? theta[q] - theta[q + 1] : theta[q];
}

static void mix_group(Acceleration *a, int place)
{
  Mixing *m = &a->mixings[place];
  const double *sums = group_sums_of(&a->sums, place), square = sums[SQUARE];
  double theta[DEPTH], gram[DEPTH][DEPTH];
  if (m->count < DEPTH) m->count++;
  if (!(square <= GROWTH * m->smallest)) {
    m->count = 0;
    m->smallest = square;
  }
  if (square < m->smallest) m->smallest = square;
  for (int q = 0; q < m->count; q++) {
    const int j = slot_of(a, q);
    m->gram[a->newest][j] = m->gram[j][a->newest] = sums[NEWEST + j];
    theta[q] = sums[RIGHT + j];
  }
  const bool serves = m->count > 0 && m->gram[a->newest][a->newest] > 0;
  const int count = serves ? m->count : 0;
  for (int q = 0; q < count; q++)
    for (int s = 0; s < count; s++) gram[q][s] = m->gram[slot_of(a, q)][slot_of(a, s)];
  if (serves) anderson_combine(count, gram, theta);
  set_shares(a, count, theta, a->shares[place]);
}

void mixing_find_shares(Acceleration *a)
{
  assert(a->depth == DEPTH && a->mixings != NULL && "ends are kept");
  group_sums_begin(&a->sums);
  add_batches(a);
  add_singles(a);
  group_sums_end(&a->sums);
  for (int p = 0; p < a->places->groups->place_count; p++)
    if (a->runs[p]) mix_group(a, p);
}

void mixing_note_first(Acceleration *a)
{
  assert(a->mixings != NULL && "steps are kept");
  const Batches *batches = &a->batches;
  for (int i = 0; i < batches->point_count; i++)
    a->last_step.r[i] = lane3_sub(batches->points[i].r, a->x[i]);
  for (int s = 0; s < batches->single_count; s++) {
    const SolverPair *pair = &batches->problem->pairs[batches->singles[s]];
    for (int i = pair->first; i < pair->end; i++)
      a->last_step.single_r[i] = vec3_sub(batches->single_r[i], a->single_x[i]);
  }
}
