// Sweeps over four pairs of a colour at once, with the bits of point by point.
#include "batches.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "delassus_lanes.h"
#include "exact_sum.h"
#include "halo.h"
#include "pair_sweep.h"
#include "split.h"

typedef struct {
  Vec3Lane v, w;
} TwistLane;

static const Twist AT_REST = {{0, 0, 0}, {0, 0, 0}};

// ------------------------------------------------------------------------------------------------
// Making

static void set_matrix(Vec3Lane rows[3], int lane, mat3 m)
{
  for (int k = 0; k < 3; k++) lane3_set(&rows[k], lane, m.row[k]);
}

static void set_point(PointBatch *b, int lane, const Problem *problem, int i)
{
  assert_debug(lane >= 0 && lane < LANES && i >= 0 && i < problem->point_count &&
               "a point has a lane");
  const PointLever *lever = &problem->levers[i];
  lane3_set(&b->normal, lane, lever->normal);
  lane3_set(&b->tangent, lane, lever->tangent);
  lane3_set(&b->low_arm, lane, lever->low_arm);
  b->friction[lane] = problem->friction[i];
  b->offset[lane] = problem->offset[i];
  lane3_set(&b->r, lane, problem->r[i]);
}

// never closes and feels nothing
static void set_nothing(PointBatch *b, int lane)
{
  assert_debug(lane >= 0 && lane < LANES && "a pair has a lane");
  const vec3 none = {0, 0, 0};
  lane3_set(&b->normal, lane, none);
  lane3_set(&b->tangent, lane, none);
  lane3_set(&b->low_arm, lane, none);
  b->friction[lane] = 0;
  b->offset[lane] = INFINITY;
  lane3_set(&b->r, lane, none);
}

// whether the law of a point has more than friction and an offset along the normal
static bool is_limited(const PointLimits *l)
{
  return law_bounds(l) || law_gives(l) || l->along[0] != 0 || l->along[1] != 0;
}

static inline int place_of(BatchChoice choice, int k) { return choice.place ? choice.place[k] : 0; }

static void set_pair(PairBatch *b, int lane, const Batches *batches, int pair)
{
  const Problem *problem = batches->problem;
  assert_debug(lane >= 0 && lane < LANES && pair >= 0 && pair < problem->pair_count &&
               "a pair has a lane");
  const SolverPair *p = &problem->pairs[pair];
  const SweepPair sweep = split_pair(problem, pair);
  const MidState low = split_mid(&problem->mid[p->low], sweep.low_copies),
                 high = split_mid(&problem->mid[p->high], sweep.high_copies);
  b->low[lane] = sweep.low;
  b->high[lane] = sweep.high;
  b->first[lane] = p->first;
  b->place[lane] = place_of(batches->choice, pair);
  b->count[lane] = p->end - p->first;
  if (b->count[lane] > b->depth) b->depth = b->count[lane];
  b->counted[lane] = sweep.counted;
  b->split[lane] = sweep.low_copies > 1 || sweep.high_copies > 1;
  if (b->split[lane]) b->has_split = true;
  b->low_mass[lane] = low.inverse_mass;
  b->high_mass[lane] = high.inverse_mass;
  set_matrix(b->low_inertia, lane, low.inverse_inertia);
  set_matrix(b->high_inertia, lane, high.inverse_inertia);
  lane3_set(&b->between, lane, problem_between(problem, p));
  for (int i = p->first; i < p->end && problem->limits; i++)
    if (is_limited(&problem->limits[i])) b->limited = true;
}

static PairBatch no_pairs(int start)
{
  PairBatch b = {.start = start};
  for (int lane = 0; lane < LANES; lane++) b.low[lane] = b.high[lane] = -1;
  return b;
}

// the other tangents of bases
static inline Mat3Lane basis_of(const PointBatch *p)
{
  return (Mat3Lane){{p->normal, p->tangent, lane3_cross(p->normal, p->tangent)}};
}

// the i-th points of the pairs; one for those that have none
static DelassusLane make_delassus(const Batches *batches, const PairBatch *b, int i)
{
  assert_debug(i >= 0 && i < b->depth && "a batch is as deep as its deepest pair");
  const PointBatch *p = &batches->points[b->start + i];
  const Lane zero = lane_all(0), mass = b->low_mass + b->high_mass;
  const Mat3Lane basis = basis_of(p);
  SymmetricLane w = {mass, zero, zero, mass, zero, mass};
  delassus_lanes_add(basis.row, b->low_inertia, p->low_arm, &w);
  delassus_lanes_add(basis.row, b->high_inertia, lane3_add(p->low_arm, b->between), &w);
  for (int lane = 0; b->limited && lane < LANES; lane++) {
    if (i >= b->count[lane]) continue;
    const double *give = batches->problem->limits[b->first[lane] + i].give;
    w.xx[lane] += give[0];
    w.yy[lane] += give[1];
    w.zz[lane] += give[1];
  }
  DelassusLane d = delassus_lanes_turned(&w);
  for (int lane = 0; lane < LANES; lane++) {
    if (i < b->count[lane]) continue;
    d.normal[lane] = d.inverse[lane] = d.s1[lane] = d.s2[lane] = 1;
    d.w1[lane] = d.w2[lane] = 0;
  }
  return d;
}

static void fill_points(Batches *batches, const PairBatch *b)
{
  for (int i = 0; i < b->depth; i++) {
    PointBatch *points = &batches->points[b->start + i];
    for (int lane = 0; lane < LANES; lane++) {
      if (i < b->count[lane]) set_point(points, lane, batches->problem, b->first[lane] + i);
      else set_nothing(points, lane);
    }
    points->w = make_delassus(batches, b, i);
  }
}

static inline bool is_wanted(const Batches *b, int k)
{
  const BatchChoice choice = b->choice;
  if (choice.wanted && !choice.wanted[place_of(choice, k)]) return false;
  return split_pair(b->problem, k).swept;
}

static inline bool goes_in_batch(const Batches *b, int k)
{
  const SolverPair *pair = &b->problem->pairs[k];
  return is_wanted(b, k) && rigid_pairs_has(b->problem->bodies, pair->low, pair->high);
}

// Swept pairs of each colour by number of points, since batches are as deep as their deepest pair;
// the order inside a colour moves no bit. start[colour_count + 1]: into them.
static int *order_pairs(const Batches *b, int *start, Arena *arena)
{
  const Problem *problem = b->problem;
  assert(problem->colour_count >= 0 && start != NULL && "colours begin somewhere");
  int most = 0;
  for (int k = 0; k < problem->pair_count; k++) {
    const int count = problem->pairs[k].end - problem->pairs[k].first;
    if (count > most) most = count;
  }
  int *order = arena_allocate(arena, ((size_t)problem->pair_count + 1) * sizeof *order);
  int *at = arena_allocate(arena, ((size_t)most + 2) * sizeof *at);
  start[0] = 0;
  for (int c = 0; c < problem->colour_count; c++) {
    const int first = problem->colour_start[c], end = problem->colour_start[c + 1];
    for (int i = 0; i <= most + 1; i++) at[i] = 0;
    for (int k = first; k < end; k++)
      if (goes_in_batch(b, k)) at[problem->pairs[k].end - problem->pairs[k].first + 1]++;
    at[0] = start[c];
    for (int i = 1; i <= most + 1; i++) at[i] += at[i - 1];
    start[c + 1] = at[most + 1];
    for (int k = first; k < end; k++)
      if (goes_in_batch(b, k)) order[at[problem->pairs[k].end - problem->pairs[k].first]++] = k;
  }
  return order;
}

// Marks of rows that come before a colour: mark[row] is the last such colour plus one.
typedef struct {
  int rows;
  int *mark;   // [rows]
} Arrivals;

static Arrivals arrivals_new(const Problem *problem, Arena *arena)
{
  int rows = problem->row_count;
  for (int c = 0; c < problem->colour_count; c++) {
    const HaloPlan *plan = &problem->before_colour[c];
    if (plan->neighbour_count == 0) continue;
    for (int i = 0; i < plan->receive_start[plan->neighbour_count]; i++)
      if (plan->receive_rows[i] >= rows) rows = plan->receive_rows[i] + 1;
  }
  return (Arrivals){rows, arena_allocate_zero(arena, (size_t)rows + 1, sizeof(int))};
}

static bool is_waiting(const PairBatch *b, const Arrivals *arrivals, int colour)
{
  assert_debug(colour >= 0 && "a colour has a number");
  for (int lane = 0; lane < LANES; lane++) {
    const int rows[2] = {b->low[lane], b->high[lane]};
    for (int e = 0; e < 2; e++)
      if (rows[e] >= 0 && rows[e] < arrivals->rows && arrivals->mark[rows[e]] == colour + 1)
        return true;
  }
  return false;
}

// Batches of the last colour made that need what others send before it go behind the others, which
// are swept while it travels; returns the first of them.
static int put_waiting_last(Batches *b, int colour, Arrivals *arrivals, Arena *arena)
{
  assert(colour >= 0 && colour < b->problem->colour_count && "a colour has a number");
  const HaloPlan *plan = &b->problem->before_colour[colour];
  const int first = b->colour_start[colour], count = b->pair_count - first;
  if (plan->neighbour_count == 0 || count == 0) return b->pair_count;
  for (int i = 0; i < plan->receive_start[plan->neighbour_count]; i++)
    arrivals->mark[plan->receive_rows[i]] = colour + 1;
  const ArenaMark mark = arena_mark(arena);
  PairBatch *waiting = arena_allocate(arena, (size_t)count * sizeof *waiting);
  int ready = first, late = 0;
  for (int k = first; k < first + count; k++) {
    if (is_waiting(&b->pairs[k], arrivals, colour)) waiting[late++] = b->pairs[k];
    else b->pairs[ready++] = b->pairs[k];
  }
  memcpy(b->pairs + ready, waiting, (size_t)late * sizeof *waiting);

  // points in the order of the sweep
  int start = b->point_count;
  for (int k = first; k < first + count; k++) start -= b->pairs[k].depth;
  for (int k = first; k < first + count; k++) {
    b->pairs[k].start = start;
    start += b->pairs[k].depth;
  }
  arena_release(arena, mark);
  return ready;
}

static bool is_single(const Batches *b, int k)
{
  const SolverPair *pair = &b->problem->pairs[k];
  return is_wanted(b, k) && !rigid_pairs_has(b->problem->bodies, pair->low, pair->high);
}

// The swept pairs that go in no batch, and a copy of their impulses.
static void add_singles(Batches *b, Arena *arena)
{
  const Problem *problem = b->problem;
  if (rigid_pairs_all(problem->bodies)) return;
  int count = 0;
  for (int k = 0; k < problem->pair_count; k++) count += is_single(b, k);
  if (count == 0) return;
  b->singles = arena_allocate(arena, (size_t)count * sizeof *b->singles);
  for (int c = 0; c < problem->colour_count; c++) {
    for (int k = problem->colour_start[c]; k < problem->colour_start[c + 1]; k++)
      if (is_single(b, k)) b->singles[b->single_count++] = k;
    b->single_start[c + 1] = b->single_count;
  }
  const size_t bytes = (size_t)problem->point_count * sizeof *b->single_r;
  b->single_r = arena_allocate(arena, bytes);
  memcpy(b->single_r, problem->r, bytes);
}

Batches batches_new(Problem *problem, BatchChoice choice, Arena *arena)
{
  assert(problem->pair_count >= 0 && problem->point_count >= 0 && "pairs and points are counted");
  Arrivals arrivals = arrivals_new(problem, arena);

  // batches of pairs
  const int colours = problem->colour_count;
  Batches b = {.problem = problem,
               .choice = choice,
               .colour_start = arena_allocate(arena, ((size_t)colours + 1) * sizeof(int)),
               .waiting_start = arena_allocate(arena, ((size_t)colours + 1) * sizeof(int)),
               .single_start = arena_allocate_zero(arena, (size_t)colours + 2, sizeof(int))};
  b.pairs = arena_allocate(arena, ((size_t)problem->pair_count / LANES + (size_t)colours + 1) *
                                      sizeof *b.pairs);
  int *start = arena_allocate(arena, ((size_t)colours + 1) * sizeof *start);
  const int *order = order_pairs(&b, start, arena);
  for (int c = 0; c < colours; c++) {
    b.colour_start[c] = b.pair_count;
    for (int k = start[c]; k < start[c + 1]; k += LANES) {
      PairBatch *batch = &b.pairs[b.pair_count++];
      *batch = no_pairs(b.point_count);
      for (int lane = 0; lane < LANES && k + lane < start[c + 1]; lane++)
        set_pair(batch, lane, &b, order[k + lane]);
      b.point_count += batch->depth;
    }
    b.waiting_start[c] = put_waiting_last(&b, c, &arrivals, arena);
  }
  b.colour_start[colours] = b.pair_count;

  // their points
  b.points = arena_allocate(arena, ((size_t)b.point_count + 1) * sizeof *b.points);
  for (int k = 0; k < b.pair_count; k++) fill_points(&b, &b.pairs[k]);
  add_singles(&b, arena);
  return b;
}

void batches_give(const Batches *batches, const Vec3Lane *lanes, vec3 *points)
{
  assert((points != NULL || batches->point_count == 0) && "points have a place");
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    for (int lane = 0; lane < LANES; lane++)
      for (int i = 0; i < b->count[lane]; i++)
        points[b->first[lane] + i] = lane3_get(&lanes[b->start + i], lane);
  }
}

void batches_take(const Batches *batches, const vec3 *points, Vec3Lane *lanes)
{
  assert((lanes != NULL || batches->point_count == 0) && "batches have a place");
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    for (int lane = 0; lane < LANES; lane++)
      for (int i = 0; i < b->depth; i++) {
        const bool is_there = i < b->count[lane];
        lane3_set(&lanes[b->start + i], lane,
                  is_there ? points[b->first[lane] + i] : (vec3){0, 0, 0});
      }
  }
}

void batches_store(const Batches *batches, const unsigned char *wanted)
{
  assert((batches->problem->r != NULL || batches->point_count == 0) && "points have impulses");
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    for (int lane = 0; lane < LANES; lane++) {
      if (wanted && !wanted[b->place[lane]]) continue;
      for (int i = 0; i < b->count[lane]; i++)
        batches->problem->r[b->first[lane] + i] = lane3_get(&batches->points[b->start + i].r, lane);
    }
  }
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s];
    if (wanted && !wanted[place_of(batches->choice, k)]) continue;
    const SolverPair *pair = &batches->problem->pairs[k];
    for (int i = pair->first; i < pair->end; i++) batches->problem->r[i] = batches->single_r[i];
  }
}

// ------------------------------------------------------------------------------------------------
// Using

static const Twist *row_of(const Twist *twist, int row) { return row < 0 ? &AT_REST : &twist[row]; }

// Velocities of four bodies. Zeros lose their sign, so that adding zero, which a pair without a
// point does, changes no bit.
static inline TwistLane load_twists(const Twist *twist, const int rows[LANES])
{
  const Twist *a = row_of(twist, rows[0]), *b = row_of(twist, rows[1]), *c = row_of(twist, rows[2]),
              *d = row_of(twist, rows[3]);
  return (TwistLane){
      {(Lane){a->v.x, b->v.x, c->v.x, d->v.x} + 0.0, (Lane){a->v.y, b->v.y, c->v.y, d->v.y} + 0.0,
       (Lane){a->v.z, b->v.z, c->v.z, d->v.z} + 0.0},
      {(Lane){a->w.x, b->w.x, c->w.x, d->w.x} + 0.0, (Lane){a->w.y, b->w.y, c->w.y, d->w.y} + 0.0,
       (Lane){a->w.z, b->w.z, c->w.z, d->w.z} + 0.0}};
}

static inline void store_twists(Twist *twist, const int rows[LANES], TwistLane u)
{
  for (int lane = 0; lane < LANES; lane++)
    if (rows[lane] >= 0) twist[rows[lane]] = (Twist){lane3_get(&u.v, lane), lane3_get(&u.w, lane)};
}

// velocity of the low bodies relative to the high ones at the points, in their bases
static inline Vec3Lane velocity_of(const Mat3Lane *basis, Vec3Lane low_arm, Vec3Lane high_arm,
                                   TwistLane low, TwistLane high)
{
  const Vec3Lane relative = lane3_sub(lane3_add(low.v, lane3_cross(low.w, low_arm)),
                                      lane3_add(high.v, lane3_cross(high.w, high_arm)));
  return lane3_mul(basis->row, relative);
}

// adds the law's offset to a velocity, and what the points give
static inline Vec3Lane with_offset(const Batches *batches, const PairBatch *b, int i, Vec3Lane u)
{
  u = lane3_add(u, (Vec3Lane){batches->points[b->start + i].offset, lane_all(0), lane_all(0)});
  if (!b->limited) return u;
  for (int lane = 0; lane < LANES; lane++) {
    if (i >= b->count[lane]) continue;
    const int point = b->first[lane] + i;
    const double *along = batches->problem->limits[point].along;
    u.y[lane] += along[0];
    u.z[lane] += along[1];
    const vec3 r = lane3_get(&batches->points[b->start + i].r, lane);
    lane3_set(&u, lane,
              law_add_elastic(problem_law(batches->problem, point), lane3_get(&u, lane), r));
  }
  return u;
}

static LocalDelassus delassus_at(const DelassusLane *w, int lane)
{
  return (LocalDelassus){w->normal[lane], w->inverse[lane], w->w1[lane],
                         w->w2[lane],     w->s1[lane],      w->s2[lane]};
}

// whether the i-th point of a pair has more limits than friction
static inline bool is_bounded(const Batches *batches, const PairBatch *b, int lane, int i)
{
  return i < b->count[lane] && law_bounds(&batches->problem->limits[b->first[lane] + i]);
}

// the lanes with bonds and joints, one by one
static Vec3Lane solve_bounded(const Batches *batches, const PairBatch *b, int i, Vec3Lane q,
                              Vec3Lane r)
{
  assert_debug(b->limited && batches->problem->limits != NULL && "the pairs have limits");
  for (int lane = 0; lane < LANES; lane++) {
    if (!is_bounded(batches, b, lane, i)) continue;
    const PointLaw law = problem_law(batches->problem, b->first[lane] + i);
    const LocalDelassus w = delassus_at(&batches->points[b->start + i].w, lane);
    lane3_set(&r, lane, law_solve_point(&w, law, lane3_get(&q, lane)));
  }
  return r;
}

Vec3Lane batches_project(const Batches *batches, const PairBatch *b, int i, Vec3Lane r)
{
  assert_debug(i >= 0 && i < b->depth && "a batch is as deep as its deepest pair");
  Vec3Lane result = law_lanes_project(batches->points[b->start + i].friction, r);
  if (!b->limited) return result;
  for (int lane = 0; lane < LANES; lane++) {
    if (!is_bounded(batches, b, lane, i)) continue;
    const PointLaw law = problem_law(batches->problem, b->first[lane] + i);
    lane3_set(&result, lane, law_project(law, lane3_get(&r, lane)));
  }
  return result;
}

// The i-th points of pairs, whose bodies have these velocities.
static inline void relax_points(const Batches *batches, const PairBatch *b, int i,
                                const LaneMask *wanted, TwistLane *low, TwistLane *high)
{
  PointBatch *p = &batches->points[b->start + i];
  const DelassusLane d = p->w;
  const Mat3Lane basis = basis_of(p);
  const Vec3Lane r = p->r;
  const Vec3Lane high_arm = lane3_add(p->low_arm, b->between);
  const Vec3Lane u = velocity_of(&basis, p->low_arm, high_arm, *low, *high);
  const Vec3Lane q = with_offset(batches, b, i, lane3_sub(u, law_lanes_apply(&d, r)));
  Vec3Lane found = law_lanes_solve(&d, p->friction, q);
  if (b->limited) found = solve_bounded(batches, b, i, q, found);
  if (wanted) found = lane3_select(*wanted, found, r);
  p->r = found;

  // M^-1 H' of the change
  const Vec3Lane impulse = lane3_mul_transposed(basis.row, lane3_sub(found, r));
  low->v = lane3_axpy(b->low_mass, impulse, low->v);
  low->w = lane3_add(low->w, lane3_mul(b->low_inertia, lane3_cross(p->low_arm, impulse)));
  high->v = lane3_axpy(-b->high_mass, impulse, high->v);
  high->w = lane3_sub(high->w, lane3_mul(b->high_inertia, lane3_cross(high_arm, impulse)));
}

// More passes over the pairs that have several points: the others are solved. So no pair notices
// which others share its batch.
static void relax_again(const Batches *batches, const PairBatch *b, TwistLane *low, TwistLane *high)
{
  LaneMask several;
  for (int lane = 0; lane < LANES; lane++) several[lane] = b->count[lane] > 1 ? -1 : 0;
  for (int pass = 0; pass < batches->choice.more_passes; pass++)
    for (int i = 0; i < b->depth; i++) relax_points(batches, b, i, &several, low, high);
}

static void relax(const Batches *batches, const PairBatch *b, Twist *twist)
{
  TwistLane low = load_twists(twist, b->low), high = load_twists(twist, b->high);
  for (int i = 0; i < b->depth; i++) relax_points(batches, b, i, NULL, &low, &high);
  if (b->depth > 1) relax_again(batches, b, &low, &high);
  store_twists(twist, b->low, low);
  store_twists(twist, b->high, high);
}

void batches_sweep(Batches *batches, Arena *arena)
{
  assert((batches->problem->twist != NULL || batches->pair_count == 0) && "bodies have velocities");
  Problem *problem = batches->problem;
  split_begin(problem);
  for (int c = 0; c < problem->colour_count; c++) {
    // pairs that need nothing of what travels go first: inside a colour no order moves a bit
    const int waiting = batches->waiting_start[c];
    const HaloRefresh refresh = halo_refresh_begin(&problem->before_colour[c], problem->twist,
                                                   sizeof *problem->twist, arena);
    for (int k = batches->colour_start[c]; k < waiting; k++)
      relax(batches, &batches->pairs[k], problem->twist);
    halo_refresh_end(&refresh);
    for (int k = waiting; k < batches->colour_start[c + 1]; k++)
      relax(batches, &batches->pairs[k], problem->twist);
    for (int s = batches->single_start[c]; s < batches->single_start[c + 1]; s++)
      pair_sweep(problem, batches->singles[s], batches->choice.more_passes, batches->single_r);
  }
  split_end(problem, arena);
}

// What residuals ask of points beside what sweeps do; it does not travel with that.
typedef struct {
  Lane rho, speed, size;
} PointSizes;

static inline PointSizes load_sizes(const Problem *problem, const PairBatch *b, int i)
{
  PointSizes s = {lane_all(1), lane_all(0), lane_all(1)};
  for (int lane = 0; lane < LANES; lane++) {
    if (i >= b->count[lane]) continue;
    const int point = b->first[lane] + i;
    s.rho[lane] = problem->rho[point];
    s.speed[lane] = problem->speed[point];
    s.size[lane] = problem->size[point];
  }
  return s;
}

// law_nearest of the i-th points of the pairs
static Vec3Lane nearest(const Batches *batches, const PairBatch *b, int i, Vec3Lane r, Vec3Lane x)
{
  assert_debug(i >= 0 && i < b->depth && "a batch is as deep as its deepest pair");
  Vec3Lane result = law_lanes_nearest(batches->points[b->start + i].friction, r, x);
  if (!b->limited) return result;
  for (int lane = 0; lane < LANES; lane++) {
    if (!is_bounded(batches, b, lane, i)) continue;
    const PointLaw law = problem_law(batches->problem, b->first[lane] + i);
    lane3_set(&result, lane, law_nearest(law, lane3_get(&r, lane), lane3_get(&x, lane)));
  }
  return result;
}

// Squares of e_a / s_a at the i-th points of four pairs, whose bodies have these velocities.
static inline Lane errors_of(const Batches *batches, const PairBatch *b, int i, TwistLane low,
                             TwistLane high)
{
  const Lane zero = lane_all(0);
  const PointBatch *p = &batches->points[b->start + i];
  const Vec3Lane high_arm = lane3_add(p->low_arm, b->between);
  const Mat3Lane basis = basis_of(p);
  const PointSizes of = load_sizes(batches->problem, b, i);
  Vec3Lane u = velocity_of(&basis, p->low_arm, high_arm, low, high);
  u = with_offset(batches, b, i, u);
  const Vec3Lane x = lane3_axpy(-of.rho, u, p->r);
  const Vec3Lane apart = lane3_sub(p->r, nearest(batches, b, i, p->r, x));
  const Lane r2 = lane3_dot(p->r, p->r), square = lane3_dot(apart, apart);
  const Lane rounding = law_lanes_rounding(of.rho, of.speed, lane_sqrt(r2));
  const LaneMask rounded = square <= rounding * rounding;
  return lane_select(rounded, zero, square / (of.size * of.size));
}

// What is not finite stays the largest.
static inline Lane raised(Lane largest, Lane error)
{
  const Lane infinite = lane_all(INFINITY);
  return lane_max(lane_select(error < infinite, error, infinite), largest);
}

void batches_errors(const Batches *batches, double *largest)
{
  assert(largest != NULL && "groups have errors");
  const Problem *problem = batches->problem;
  split_begin(batches->problem);   // copies as their bodies
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    const TwistLane low = load_twists(problem->twist, b->low),
                    high = load_twists(problem->twist, b->high);
    Lane of_pairs = lane_all(0);
    for (int i = 0; i < b->depth; i++)
      of_pairs = raised(of_pairs, errors_of(batches, b, i, low, high));
    for (int lane = 0; lane < LANES; lane++)
      if (b->count[lane] > 0) par_raise(&largest[b->place[lane]], of_pairs[lane]);
  }
  Problem singles = *problem;
  singles.r = batches->single_r;
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s];
    par_raise(&largest[place_of(batches->choice, k)], residual_of_pair(&singles, k));
  }
}
