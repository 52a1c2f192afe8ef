// Goes on in the directions of sweeps, group by group.
#include "acceleration.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "exact_sum.h"
#include "split.h"

#define RESTART_GROWTH 4.0   // a change whose square grows by this factor restarts a group

// ------------------------------------------------------------------------------------------------
// Making

static int pairs_that_run(const Acceleration *a)
{
  int count = 0;
  for (int p = 0; p < a->places->groups->place_count; p++)
    if (a->runs[p]) count += a->places->pair_count[p];
  return count;
}

// Batches of the problem's impulses, and room for what goes with them.
static void make_batches(Acceleration *a, Problem *problem, Arena *arena)
{
  a->batches = batches_new(problem, (BatchChoice){a->places->of_pair, a->runs}, arena);
  a->pair_count = pairs_that_run(a);
  const size_t batches = (size_t)a->batches.point_count + 1, points = (size_t)problem->point_count;
  // what a sweep started from is no longer asked for when its end is projected: cut takes its
  // place, which holds points that others sweep too
  const size_t starts = batches * sizeof *a->x, cuts = (points + 1) * sizeof *a->cut;
  a->x = arena_allocate(arena, starts > cuts ? starts : cuts);
  a->old = arena_allocate(arena, batches * sizeof *a->old);
  a->cut = (vec3 *)(void *)a->x;
}

Acceleration acceleration_new(Problem *problem, const GroupPlaces *places,
                              const unsigned char *runs, Arena *arena)
{
  assert(places->groups->place != NULL && runs != NULL && "groups run or do not");
  const int count = places->groups->place_count;
  const size_t groups = (size_t)count + 1, points = (size_t)problem->point_count;
  Acceleration a = {.places = places,
                    .runs = runs,
                    .sequences = arena_allocate_zero(arena, groups, sizeof *a.sequences),
                    .turn = arena_allocate(arena, groups * sizeof *a.turn),
                    .change = arena_allocate(arena, groups * sizeof *a.change)};
  int most = 0;
  for (int p = 0; p < count; p++) {
    a.sequences[p] = (GroupSequence){.theta = 1, .last_change = INFINITY, .sums = -1};
    most += runs[p];
  }
  a.sums = arena_allocate(arena, (2 * (size_t)most + 1) * sizeof *a.sums);
  make_batches(&a, problem, arena);
  a.twist_old = arena_allocate(arena, ((size_t)problem->own_rows + 1) * sizeof *a.twist_old);
  a.is_cut = arena_allocate_zero(arena, points + 1, 1);
  if (a.batches.single_count > 0) {
    a.single_x = arena_allocate(arena, points * sizeof *a.single_x);
    a.single_old = arena_allocate(arena, points * sizeof *a.single_old);
  }
  return a;
}

static void copy_impulses(const Batches *batches, Vec3Lane *r, vec3 *single_r)
{
  for (int i = 0; i < batches->point_count; i++) r[i] = batches->points[i].r;
  if (single_r)
    memcpy(single_r, batches->single_r, (size_t)batches->problem->point_count * sizeof *single_r);
}

void acceleration_start(Acceleration *a) { copy_impulses(&a->batches, a->x, a->single_x); }

void acceleration_shrink(Acceleration *a, Arena *arena)
{
  assert(a->pair_count >= 0 && "pairs are counted");
  if (2 * pairs_that_run(a) >= a->pair_count) return;
  Problem *problem = a->batches.problem;
  const Batches before = a->batches;
  const Vec3Lane *old_before = a->old;
  const size_t bytes = (size_t)problem->point_count * sizeof(vec3);
  vec3 *now = arena_allocate_zero(arena, 1, bytes + 1),
       *old = arena_allocate_zero(arena, 1, bytes + 1);
  batches_give(&before, old_before, old);
  vec3 *const best = problem->r;
  problem->r = now;
  batches_store(&before, NULL);
  make_batches(a, problem, arena);
  problem->r = best;
  batches_take(&a->batches, old, a->old);
}

// ------------------------------------------------------------------------------------------------
// Sums of momentum

// Groups on several ranks first, which all ranks know alike; a group of one pair has one term.
// Returns how many sums are those of several ranks.
static int begin_sums(Acceleration *a)
{
  const ContactGroups *groups = a->places->groups;
  int made = 0, shared = 0;
  for (int p = 0; p < groups->place_count; p++) {
    GroupSequence *s = &a->sequences[p];
    s->sums = -1;
    if (!a->runs[p]) continue;
    a->turn[p] = a->change[p] = 0;
    if (p >= groups->shared_count && a->places->pair_count[p] <= 1) continue;
    s->sums = 2 * made++;
    a->sums[s->sums] = a->sums[s->sums + 1] = exact_sum_new();
    if (p < groups->shared_count) shared = 2 * made;
  }
  return shared;
}

static inline void add_terms(Acceleration *a, int place, double turn, double change)
{
  const int sums = a->sequences[place].sums;
  if (sums < 0) {
    a->turn[place] = turn;
    a->change[place] = change;
    return;
  }
  exact_sum_add(&a->sums[sums], turn);
  exact_sum_add(&a->sums[sums + 1], change);
}

// What the change of points in the last sweep adds to the sums of their groups: points of a pair in
// order, then pairs exactly.
static void add_batches(Acceleration *a)
{
  const Batches *batches = &a->batches;
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    Lane turns = lane_all(0), changes = lane_all(0);
    for (int i = b->start; i < b->start + b->depth; i++) {
      const Vec3Lane r = batches->points[i].r, step = lane3_sub(a->x[i], r);
      turns += lane3_dot(step, lane3_sub(r, a->old[i]));
      changes += lane3_dot(step, step);
    }
    for (int lane = 0; lane < LANES; lane++)
      if (b->counted[lane] && a->runs[b->place[lane]])
        add_terms(a, b->place[lane], turns[lane], changes[lane]);
  }
}

static void add_singles(Acceleration *a)
{
  const Batches *batches = &a->batches;
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s], place = a->places->of_pair[k];
    if (!split_pair(batches->problem, k).counted || !a->runs[place]) continue;
    double turns = 0, changes = 0;
    for (int i = batches->problem->pairs[k].first; i < batches->problem->pairs[k].end; i++) {
      const vec3 r = batches->single_r[i], step = vec3_sub(a->single_x[i], r);
      turns += vec3_dot(step, vec3_sub(r, a->single_old[i]));
      changes += vec3_dot(step, step);
    }
    add_terms(a, place, turns, changes);
  }
}

// factor of the last change by which to go on; 0 restarts
static double factor_of(GroupSequence *s, double turn, double change)
{
  const bool restart = turn > 0 || change > RESTART_GROWTH * s->last_change;
  s->last_change = change;
  if (restart) {
    s->theta = 1;
    return 0;
  }
  const double next = 0.5 * (1 + sqrt(1 + 4 * s->theta * s->theta));
  const double factor = (s->theta - 1) / next;
  s->theta = next;
  return factor;
}

// Collective.
static void find_factors(Acceleration *a)
{
  const int shared = begin_sums(a);
  add_batches(a);
  add_singles(a);
  for (int first = 0; first < shared; first += EXACT_SUM_AT_ONCE) {
    const int left = shared - first;
    exact_sum_reduce(&a->sums[first], left < EXACT_SUM_AT_ONCE ? left : EXACT_SUM_AT_ONCE);
  }
  for (int p = 0; p < a->places->groups->place_count; p++) {
    GroupSequence *s = &a->sequences[p];
    if (!a->runs[p]) continue;
    if (s->sums >= 0) {
      a->turn[p] = exact_sum_value(&a->sums[s->sums]);
      a->change[p] = exact_sum_value(&a->sums[s->sums + 1]);
    }
    s->factor = factor_of(s, a->turn[p], a->change[p]);
  }
}

// ------------------------------------------------------------------------------------------------
// Going on

static inline double factor_at(const Acceleration *a, int place)
{
  return a->runs[place] ? a->sequences[place].factor : 0;
}

static void keep_split(const PairBatch *b, Vec3Lane ahead, Vec3Lane *r)
{
  for (int lane = 0; lane < LANES; lane++)
    if (b->split[lane]) lane3_set(r, lane, lane3_get(&ahead, lane));
}

static void extrapolate_singles(Acceleration *a)
{
  const Batches *batches = &a->batches;
  const Problem *problem = batches->problem;
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s];
    const double factor = factor_at(a, a->places->of_pair[k]);
    const SweepPair sweep = split_pair(problem, k);
    const bool split = sweep.low_copies > 1 || sweep.high_copies > 1;
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const vec3 r = batches->single_r[i],
                 ahead = vec3_axpy(factor, vec3_sub(r, a->single_old[i]), r),
                 next = split ? ahead : law_project(problem_law(problem, i), ahead);
      a->single_old[i] = r;
      batches->single_r[i] = next;
      a->cut[i] = vec3_sub(next, ahead);
      a->is_cut[i] = a->cut[i].x != 0 || a->cut[i].y != 0 || a->cut[i].z != 0;
    }
  }
}

// x = P_C(r + factor (r - old)), remembering what the projection takes off; none at pairs of split
// bodies, whose ranks need not sweep them
static void extrapolate_impulses(Acceleration *a)
{
  Batches *batches = &a->batches;
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    Lane factor;
    for (int lane = 0; lane < LANES; lane++) factor[lane] = factor_at(a, b->place[lane]);
    for (int i = 0; i < b->depth; i++) {
      PointBatch *p = &batches->points[b->start + i];
      Vec3Lane *old = &a->old[b->start + i];
      const Vec3Lane ahead = lane3_axpy(factor, lane3_sub(p->r, *old), p->r);
      *old = p->r;
      p->r = batches_project(batches, b, i, ahead);
      if (b->has_split) keep_split(b, ahead, &p->r);
      const Vec3Lane cut = lane3_sub(p->r, ahead);
      const LaneMask cuts = (cut.x != 0.0) | (cut.y != 0.0) | (cut.z != 0.0);
      if (!lane_any(cuts)) continue;
      for (int lane = 0; lane < LANES; lane++) {
        if (!cuts[lane]) continue;
        a->cut[b->first[lane] + i] = lane3_get(&cut, lane);
        a->is_cut[b->first[lane] + i] = 1;
      }
    }
  }
}

// The velocity of a body with what the projection took off its points, in order of key.
static Twist add_cuts(const Acceleration *a, const Problem *problem, int body, Twist u)
{
  for (int k = problem->body_start[body]; k < problem->body_start[body + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++)
      if (a->is_cut[i]) u = problem_push_side(problem, &side, i, a->cut[i], u);
  }
  return u;
}

// The same where all bodies are rigid, in line.
static inline Twist add_rigid_cuts(const Acceleration *a, const Problem *problem, int body, Twist u)
{
  const MidState *mid = &problem->mid[body];
  for (int k = problem->body_start[body]; k < problem->body_start[body + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) {
      if (!a->is_cut[i]) continue;
      const PointLever *lever = &problem->levers[i];
      const vec3 impulse = mat3_mul_transposed(lever_basis(lever), a->cut[i]);
      u = rigid_push(u, mid, impulse, vec3_add(lever->low_arm, side.shift), side.sign);
    }
  }
  return u;
}

// velocities follow: they are linear in r, and what the projection takes off is added in order of
// key
static void extrapolate(Acceleration *a)
{
  extrapolate_impulses(a);
  extrapolate_singles(a);
  Problem *problem = a->batches.problem;
  const bool rigid = rigid_pairs_all(problem->bodies);
  for (int b = 0; b < problem->own_rows; b++) {
    const int place = a->places->of_row[b];
    if (place < 0 || !a->runs[place]) continue;
    const double factor = a->sequences[place].factor;
    const Twist now = problem->twist[b], old = a->twist_old[b];
    Twist u = {vec3_axpy(factor, vec3_sub(now.v, old.v), now.v),
               vec3_axpy(factor, vec3_sub(now.w, old.w), now.w)};
    a->twist_old[b] = now;
    problem->twist[b] = rigid ? add_rigid_cuts(a, problem, b, u) : add_cuts(a, problem, b, u);
  }
  memset(a->is_cut, 0, (size_t)problem->point_count);
}

void acceleration_go_on(Acceleration *a, bool first)
{
  assert(a->x != NULL && "a sweep began somewhere");
  if (!first) {
    find_factors(a);
    extrapolate(a);
    return;
  }
  const Problem *problem = a->batches.problem;
  copy_impulses(&a->batches, a->old, a->single_old);
  for (int b = 0; b < problem->own_rows; b++) a->twist_old[b] = problem->twist[b];
}
