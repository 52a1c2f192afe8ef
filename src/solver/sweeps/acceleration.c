// Goes on in the directions of sweeps, group by group.
#include "acceleration.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "mixing.h"
#include "momentum.h"
#include "split.h"

// ------------------------------------------------------------------------------------------------
// Making

static int pairs_that_run(const Acceleration *a)
{
  int count = 0;
  for (int p = 0; p < a->places->groups->place_count; p++)
    if (a->runs[p]) count += a->places->pair_count[p];
  return count;
}

// How many columns of impulses are kept, and the i-th.
static int column_count(const Acceleration *a) { return a->mixings ? 2 * a->depth + 1 : a->depth; }

static SweepEnds *column(Acceleration *a, int i)
{
  assert(i >= 0 && i < column_count(a) && "a column is counted");
  if (i < a->depth) return &a->past[i];
  return i < 2 * a->depth ? &a->steps[i - a->depth] : &a->last_step;
}

// Batches of the problem's impulses, and room for what goes with them.
static void make_batches(Acceleration *a, Problem *problem, Arena *arena)
{
  a->batches =
      batches_new(problem, (BatchChoice){a->places->of_pair, a->runs, a->more_passes}, arena);
  a->pair_count = pairs_that_run(a);
  const size_t batches = (size_t)a->batches.point_count + 1, points = (size_t)problem->point_count;
  // what a sweep started from is no longer asked for when its end is projected: cut takes its
  // place, which holds points that others sweep too
  const size_t starts = batches * sizeof *a->x, cuts = (points + 1) * sizeof *a->cut;
  a->x = arena_allocate(arena, starts > cuts ? starts : cuts);
  a->cut = (vec3 *)(void *)a->x;
  for (int i = 0; i < column_count(a); i++)
    column(a, i)->r = arena_allocate_zero(arena, batches, sizeof(Vec3Lane));
}

Acceleration acceleration_new(Problem *problem, const GroupPlaces *places,
                              const unsigned char *runs, AccelerationKind kind, Arena *arena)
{
  assert(places->groups->place != NULL && runs != NULL && "groups run or do not");
  const int count = places->groups->place_count;
  const size_t groups = (size_t)count + 1, points = (size_t)problem->point_count + 1,
               rows = (size_t)problem->own_rows + 1;
  Acceleration a = {.places = places,
                    .runs = runs,
                    .depth = kind.mixes ? ACCELERATION_DEPTH : 1,
                    .sprung = problem->sprung,
                    .shares = arena_allocate_zero(arena, groups, sizeof *a.shares),
                    .more_passes = kind.more_passes};
  a.sums = group_sums_new(places, runs, kind.mixes ? 2 * a.depth + 1 : 2, arena);
  if (kind.mixes) a.mixings = arena_allocate_zero(arena, groups, sizeof *a.mixings);
  else a.momenta = arena_allocate(arena, groups * sizeof *a.momenta);
  for (int p = 0; p < count; p++) {
    if (kind.mixes) a.mixings[p].smallest = INFINITY;
    else
      a.momenta[p] =
          (Momentum){.theta = 1, .last_change = INFINITY, .smallest = INFINITY, .most = INFINITY};
  }
  make_batches(&a, problem, arena);
  for (int j = 0; j < a.depth; j++)
    a.past[j].twist = arena_allocate_zero(arena, rows, sizeof(Twist));
  a.is_cut = arena_allocate_zero(arena, points, 1);
  if (a.batches.single_count > 0) {
    a.single_x = arena_allocate(arena, points * sizeof *a.single_x);
    for (int i = 0; i < column_count(&a); i++)
      column(&a, i)->single_r = arena_allocate_zero(arena, points, sizeof(vec3));
  }
  return a;
}

static void copy_impulses(const Batches *batches, Vec3Lane *r, vec3 *single_r)
{
  for (int i = 0; i < batches->point_count; i++) r[i] = batches->points[i].r;
  // (groups that are left may have batches alone)
  if (batches->single_count > 0)
    memcpy(single_r, batches->single_r, (size_t)batches->problem->point_count * sizeof *single_r);
}

void acceleration_start(Acceleration *a) { copy_impulses(&a->batches, a->x, a->single_x); }

void acceleration_shrink(Acceleration *a, Arena *arena)
{
  assert(a->pair_count >= 0 && "pairs are counted");
  if (2 * pairs_that_run(a) >= a->pair_count) return;
  Problem *problem = a->batches.problem;
  const Batches before = a->batches;
  const size_t points = (size_t)problem->point_count + 1;
  vec3 *kept[2 * ACCELERATION_DEPTH + 1];
  for (int i = 0; i < column_count(a); i++) {
    kept[i] = arena_allocate_zero(arena, points, sizeof(vec3));
    batches_give(&before, column(a, i)->r, kept[i]);
  }
  vec3 *const now = arena_allocate_zero(arena, points, sizeof(vec3)), *const best = problem->r;
  problem->r = now;
  batches_store(&before, NULL);
  make_batches(a, problem, arena);
  problem->r = best;
  for (int i = 0; i < column_count(a); i++) batches_take(&a->batches, kept[i], column(a, i)->r);
}

// ------------------------------------------------------------------------------------------------
// Going on

static inline double share_at(const Acceleration *a, int place, int slot)
{
  return a->runs[place] ? a->shares[place][slot] : 0;
}

static void keep_split(const PairBatch *b, Vec3Lane ahead, Vec3Lane *r)
{
  for (int lane = 0; lane < LANES; lane++)
    if (b->split[lane]) lane3_set(r, lane, lane3_get(&ahead, lane));
}

static void extrapolate_singles(Acceleration *a, int next)
{
  const Batches *batches = &a->batches;
  const Problem *problem = batches->problem;
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s], place = a->places->of_pair[k];
    const SweepPair sweep = split_pair(problem, k);
    const bool split = sweep.low_copies > 1 || sweep.high_copies > 1;
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const vec3 r = batches->single_r[i];
      vec3 ahead = r;
      for (int j = 0; j < a->depth; j++)
        ahead = vec3_axpy(share_at(a, place, j), vec3_sub(a->past[j].single_r[i], r), ahead);
      const vec3 found = split ? ahead : law_project(problem_law(problem, i), ahead);
      a->past[next].single_r[i] = r;
      batches->single_r[i] = found;
      a->cut[i] = vec3_sub(found, ahead);
      a->is_cut[i] = a->cut[i].x != 0 || a->cut[i].y != 0 || a->cut[i].z != 0;
    }
  }
}

// x = P_C(r + sum_j share_j (past_j - r)), remembering what the projection takes off; none at pairs
// of split bodies, whose ranks need not sweep them. r becomes a past end.
static void extrapolate_impulses(Acceleration *a, int next)
{
  Batches *batches = &a->batches;
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    Lane shares[ACCELERATION_DEPTH];
    for (int j = 0; j < a->depth; j++)
      for (int lane = 0; lane < LANES; lane++) shares[j][lane] = share_at(a, b->place[lane], j);
    for (int i = 0; i < b->depth; i++) {
      const int point = b->start + i;
      PointBatch *p = &batches->points[point];
      const Vec3Lane r = p->r;
      Vec3Lane ahead = r;
      for (int j = 0; j < a->depth; j++)
        ahead = lane3_axpy(shares[j], lane3_sub(a->past[j].r[point], r), ahead);
      a->past[next].r[point] = r;
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

// The velocity that belongs to an extrapolation before it is projected: it is linear in r.
static Twist velocity_ahead(const Acceleration *a, int place, int row, Twist now)
{
  Twist u = now;
  for (int j = 0; j < a->depth; j++) {
    const Twist past = a->past[j].twist[row];
    const double share = a->shares[place][j];
    u.v = vec3_axpy(share, vec3_sub(past.v, now.v), u.v);
    u.w = vec3_axpy(share, vec3_sub(past.w, now.w), u.w);
  }
  return u;
}

// velocities follow, and what the projection takes off is added in order of key
static void extrapolate(Acceleration *a, int next)
{
  extrapolate_impulses(a, next);
  extrapolate_singles(a, next);
  Problem *problem = a->batches.problem;
  const bool rigid = rigid_pairs_all(problem->bodies);
  for (int b = 0; b < problem->own_rows; b++) {
    const int place = a->places->of_row[b];
    if (place < 0 || !a->runs[place]) continue;
    const Twist now = problem->twist[b], u = velocity_ahead(a, place, b, now);
    a->past[next].twist[b] = now;
    problem->twist[b] = rigid ? add_rigid_cuts(a, problem, b, u) : add_cuts(a, problem, b, u);
  }
  memset(a->is_cut, 0, (size_t)problem->point_count);
}

void acceleration_go_on(Acceleration *a, bool first)
{
  assert(a->x != NULL && "a sweep began somewhere");
  if (!first) {
    if (a->mixings) mixing_find_shares(a);
    else momentum_find_shares(a);
    const int next = (a->newest + 1) % a->depth;
    extrapolate(a, next);
    a->newest = next;
    return;
  }
  const Problem *problem = a->batches.problem;
  if (a->mixings) mixing_note_first(a);
  copy_impulses(&a->batches, a->past[0].r, a->past[0].single_r);
  for (int b = 0; b < problem->own_rows; b++) a->past[0].twist[b] = problem->twist[b];
}
