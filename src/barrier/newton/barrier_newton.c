// Newton steps, cut where bodies would meet, with a line search on exactly summed energies.
#include "barrier_newton.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "barrier_system.h"
#include "exact_sum.h"
#include "parallel.h"

#define MOST_DIRECT 400        // moving bodies of all ranks: above them multigrid
#define INNER_MOST 400         // conjugate gradients for one Newton step
#define INNER_TOLERANCE 0.01   // of the tolerance: residuals over masses
#define SLOPE_SHARE 1e-4       // of the decrease that a slope promises (Armijo 1966)
#define MOST_HALVINGS 40       // of a step
#define BLOCKED_HALVINGS 16    // of a step that nothing allows: a body is in the way
#define STEEP_SHARE 0.5        // of the slope at the start of a step
#define SHORT_SHARE 0.2        // of a Newton step: one no longer is followed by one with secants
#define STALLED_SHARE 0.5   // of what momenta missed: a small step that leaves more is rounding's
#define STUCK_SHARE 0.01    // of a Newton step: where ranges leave less, the search is over

// A solution under way.
typedef struct {
  const BarrierProblem *problem;
  BarrierCache *cache;
  Arena *arena;
  bool direct;
  BlockSpace space;
  double *weight;              // [own * BLOCK] from momenta to speeds
  double *first;               // [couple_count] m: distances at the start of the step
  double *gradient, *change;   // [own * BLOCK], [count * BLOCK]
  Twist *by;                   // [count] the Newton step
  BarrierIterate now, tried;
  const BarrierIterate *expected;   // the first matrix is made of it; NULL: of the iterate
  double share;                     // of the Newton step that was tried last
  const BarrierGrips *grips;
  BarrierEnergy energy;   // of the iterate
  BarrierResult result;
} Search;

static double size_of(Twist u, double radius) { return vec3_norm(u.v) + vec3_norm(u.w) * radius; }

static void begin_iterate(const Search *s, BarrierIterate *iterate)
{
  arena_reset(&iterate->memory);
  iterate->u = arena_allocate(&iterate->memory, ((size_t)s->problem->count + 1) * sizeof(Twist));
}

// Bodies stay where they are, but for those that move as the case says.
static void begin_at_rest(Search *s)
{
  const BarrierProblem *problem = s->problem;
  begin_iterate(s, &s->now);
  for (int i = 0; i < problem->count; i++)
    s->now.u[i] =
        barrier_problem_moves(problem, i) ? (Twist){{0, 0, 0}, {0, 0, 0}} : problem->free[i];
  barrier_problem_look(problem, &s->now);
}

static double first_distance(const BarrierProblem *problem, const BarrierCouple *couple,
                             Arena *arena)
{
  const Twist none = {{0, 0, 0}, {0, 0, 0}};
  const BarrierPath low = barrier_problem_path(problem, couple->low, none, none);
  const BarrierPath high = barrier_problem_path(problem, couple->high, none, none);
  const BarrierBody bodies[2] = {barrier_advance_body(&low, 0), barrier_advance_body(&high, 0)};
  const double within = 4 * problem->range + problem->settings.scale.distance;
  return barrier_advance_distance(bodies, within, arena);
}

static void set_weights(Search *s)
{
  const BarrierProblem *problem = s->problem;
  for (int i = 0; i < problem->own; i++) {
    double *weight = &s->weight[(size_t)i * BLOCK];
    const bool moves = barrier_problem_moves(problem, i);
    const mat3 j = problem->inertia[i];
    const double trace = j.row[0].x + j.row[1].y + j.row[2].z, mass = problem->mass[i];
    for (int k = 0; k < 3; k++) {
      weight[k] = moves ? 1 / mass : 0;
      weight[3 + k] = moves ? 1 / (mass * sqrt(trace / (3 * mass))) : 0;
    }
  }
}

static Search search_new(const BarrierProblem *problem, BarrierCache *cache, Arena *arena)
{
  const size_t own = (size_t)problem->own + 1, count = (size_t)problem->count + 1;
  Search s = {.problem = problem, .cache = cache, .arena = arena, .share = 1};
  s.space = (BlockSpace){problem->own,         problem->count,    problem->ids,
                         problem->ghost_ranks, problem->position, problem->plan};
  s.weight = arena_allocate(arena, own * BLOCK * sizeof(double));
  s.gradient = arena_allocate(arena, own * BLOCK * sizeof(double));
  s.change = arena_allocate_zero(arena, count * BLOCK, sizeof(double));
  s.by = arena_allocate(arena, count * sizeof(Twist));
  s.first = arena_allocate(arena, ((size_t)problem->couple_count + 1) * sizeof(double));
  for (int c = 0; c < problem->couple_count; c++)
    s.first[c] = first_distance(problem, &problem->couples[c], arena);
  set_weights(&s);
  int64_t moving = 0;
  for (int i = 0; i < problem->own; i++) moving += barrier_problem_moves(problem, i);
  s.direct = par_sum(moving) <= MOST_DIRECT;
  s.now.memory = arena_new();
  s.tried.memory = arena_new();
  return s;
}

// -- a Newton step --------------------------------------------------------------------------------

// Collective. The gradient at the iterate; returns the largest speed that it is worth, m/s.
static double find_gradient(Search *s)
{
  barrier_system_gradient(s->problem, &s->now, s->grips, s->gradient, s->arena);
  double largest = 0;
  for (int i = 0; i < BLOCK * s->problem->own; i++)
    largest = fmax(largest, fabs(s->gradient[i]) * s->weight[i]);
  return par_max(largest);
}

// Collective. Solves for the step of all rows. False: there is no answer.
static bool find_change(Search *s)
{
  const BarrierProblem *problem = s->problem;
  const ArenaMark mark = arena_mark(s->arena);
  const BarrierIterate *at = s->expected ? s->expected : &s->now;
  const bool secant = s->share < SHORT_SHARE;
  const BlockMatrix matrix = barrier_system_matrix(problem, at, s->grips, secant, s->arena);
  s->expected = NULL;
  memset(s->change, 0, (size_t)problem->count * BLOCK * sizeof(double));
  bool solved;
  s->result.newton++;
  if (s->direct) {
    s->cache->factors = cholesky_new(&s->space, &matrix, s->cache->factors, s->arena);
    solved = s->cache->factors != NULL;
    if (solved) cholesky_solve(s->cache->factors, &s->space, s->gradient, s->change, s->arena);
  } else {
    s->cache->amg = amg_new(&s->space, &matrix, s->cache->amg, s->arena);
    solved = s->cache->amg != NULL;
    const GradientsEnd end = {s->weight, INNER_TOLERANCE * problem->settings.tolerance, INNER_MOST};
    if (solved)
      s->result.inner +=
          conjugate_gradients_solve(s->cache->amg, s->gradient, end, s->change, s->arena);
  }
  arena_release(s->arena, mark);
  for (int i = 0; i < problem->count; i++) {
    const double *x = &s->change[(size_t)i * BLOCK];
    s->by[i] = barrier_problem_moves(problem, i)
                   ? (Twist){{-x[0], -x[1], -x[2]}, {-x[3], -x[4], -x[5]}}
                   : (Twist){{0, 0, 0}, {0, 0, 0}};
  }
  return solved;
}

// Collective. The largest speed of a Newton step, m/s, and its slope, J.
static double largest_change(const Search *s, double *slope)
{
  double largest = 0;
  ExactSum sum = exact_sum_new();
  for (int i = 0; i < s->problem->own; i++) {
    largest = fmax(largest, size_of(s->by[i], s->problem->surfaces[i]->radius));
    const double *g = &s->gradient[(size_t)i * BLOCK], *x = &s->change[(size_t)i * BLOCK];
    if (!barrier_problem_moves(s->problem, i)) continue;
    for (int k = 0; k < BLOCK; k++) exact_sum_add(&sum, -g[k] * x[k]);
  }
  exact_sum_reduce(&sum, 1);
  *slope = exact_sum_value(&sum);
  return par_max(largest);
}

// Collective. The share of a step that leaves all bodies within their range.
static double share_within_range(const Search *s)
{
  const BarrierProblem *problem = s->problem;
  double share = 1;
  for (int i = 0; i < problem->own; i++) {
    if (!barrier_problem_moves(problem, i)) continue;
    const double radius = problem->surfaces[i]->radius, h = problem->step;
    const Twist u = s->now.u[i], by = s->by[i];
    const double here = h * size_of(u, radius);
    const Twist end = {vec3_add(u.v, by.v), vec3_add(u.w, by.w)};
    const double there = h * size_of(end, radius);
    // sizes are convex in the share
    if (there > problem->range) share = fmin(share, (problem->range - here) / (there - here));
  }
  return par_min(share > 0 ? share : 0);
}

// Collective. The share of a step along which no surfaces meet.
static double share_apart(const Search *s)
{
  const BarrierProblem *problem = s->problem;
  double share = 1;
  for (int c = 0; c < problem->couple_count; c++) {
    const BarrierCouple *couple = &problem->couples[c];
    const int low = couple->low, high = couple->high;
    const BarrierPath paths[2] = {barrier_problem_path(problem, low, s->now.u[low], s->by[low]),
                                  barrier_problem_path(problem, high, s->now.u[high], s->by[high])};
    share = fmin(share, barrier_advance_share(paths, s->arena));
  }
  return par_min(share);
}

// Does a couple get from the start of the step to velocities without contact?
static bool couple_is_free(const Search *s, int c, const Twist *u)
{
  const Twist none = {{0, 0, 0}, {0, 0, 0}};
  const BarrierCouple *couple = &s->problem->couples[c];
  const BarrierPath paths[2] = {
      barrier_problem_path(s->problem, couple->low, none, u[couple->low]),
      barrier_problem_path(s->problem, couple->high, none, u[couple->high])};
  return barrier_advance_is_free(paths, s->first[c], s->arena);
}

// Collective. Do all bodies get from the start of the step to an iterate without contact?
static bool motion_is_free(const Search *s, const Twist *u)
{
  bool free = true;
  for (int c = 0; c < s->problem->couple_count && free; c++) free = couple_is_free(s, c, u);
  return par_all(free);
}

// Collective. Tries a share of the step; energy infinite where it is not allowed.
static BarrierEnergy try_share(Search *s, double share)
{
  const BarrierProblem *problem = s->problem;
  begin_iterate(s, &s->tried);
  s->result.searches++;
  s->share = share;
  for (int i = 0; i < problem->count; i++) {
    const Twist u = s->now.u[i], by = s->by[i];
    s->tried.u[i] = (Twist){vec3_axpy(share, by.v, u.v), vec3_axpy(share, by.w, u.w)};
  }
  if (!motion_is_free(s, s->tried.u)) return (BarrierEnergy){INFINITY, 0};
  barrier_problem_look(problem, &s->tried);
  return barrier_problem_energy(problem, &s->tried, s->grips);
}

// Collective. The slope of the energy along the Newton step at the iterate that was tried.
static double tried_slope(const Search *s)
{
  const BarrierProblem *problem = s->problem;
  const ArenaMark mark = arena_mark(s->arena);
  double *g = arena_allocate(s->arena, ((size_t)problem->own + 1) * BLOCK * sizeof *g);
  barrier_system_gradient(problem, &s->tried, s->grips, g, s->arena);
  ExactSum sum = exact_sum_new();
  for (int i = 0; i < problem->own * BLOCK; i++) exact_sum_add(&sum, -g[i] * s->change[i]);
  exact_sum_reduce(&sum, 1);
  arena_release(s->arena, mark);
  return exact_sum_value(&sum);
}

static void take_tried(Search *s, BarrierEnergy energy)
{
  const BarrierIterate taken = s->tried;
  s->tried = s->now;
  s->now = taken;
  s->energy = energy;
}

// Collective. A share of the step at which the energy is low enough for its slope at the start, or
// what rounding leaves of it to see; 0: none. The iterate was tried there.
static double low_share(Search *s, double share, double slope, BarrierEnergy *energy)
{
  for (int k = 0; k < MOST_HALVINGS; k++, share *= 0.5) {
    *energy = try_share(s, share);
    if (energy->value <= s->energy.value + s->energy.rounding + SLOPE_SHARE * share * slope)
      return share;
    if (k >= BLOCKED_HALVINGS && !(energy->value < INFINITY)) return 0;
  }
  return 0;
}

// Collective. Goes along the step as far as the energy falls. Bodies that come from afar get deep
// into barriers that they did not feel before, where the slope is steeper upwards than it was
// downwards; they go back to where it is not. False: nowhere.
static bool take_step(Search *s, double share, double slope)
{
  BarrierEnergy energy;
  double high = low_share(s, share, slope, &energy), low = 0;
  if (!(high > 0)) return false;
  const double steep = -STEEP_SHARE * slope;
  double rise = steep > s->energy.rounding ? tried_slope(s) : 0;
  for (int k = 0; k < MOST_HALVINGS && rise > steep; k++) {
    const double middle = 0.5 * (low + high);
    energy = try_share(s, middle);
    rise = energy.value < INFINITY ? tried_slope(s) : INFINITY;
    if (rise < -steep) {
      low = middle;
      rise = INFINITY;
    } else if (rise > steep) {
      high = middle;
    }
  }
  if (rise > steep) energy = try_share(s, high);
  if (!(energy.value < INFINITY)) return false;
  take_tried(s, energy);
  return true;
}

// Collective. One Newton step from the gradient that there is. False: there is none, or it leads
// nowhere; the result says what that means.
static bool go_on(Search *s)
{
  const double tolerance = s->problem->settings.tolerance;
  double slope;
  if (!find_change(s)) return false;
  s->result.last = largest_change(s, &slope);
  if (!(s->result.last < INFINITY)) return false;
  const double within = share_within_range(s);
  s->result.out_of_range = within < STUCK_SHARE;
  if (s->result.out_of_range) return false;
  if (!(s->result.last > 0) || take_step(s, fmin(within, share_apart(s)), slope)) return true;
  // rounding hides what is left to gain
  s->result.converged = s->result.last <= tolerance;
  return false;
}

// Collective. Newton steps with the grips there are. The last one is below the tolerance where the
// result says that it converged, and so is what momenta miss after it, but for rounding. Returns
// how many were taken.
static int minimise(Search *s)
{
  const BarrierSettings *settings = &s->problem->settings;
  int steps = 0;
  s->result.converged = s->result.out_of_range = false;
  s->energy = barrier_problem_energy(s->problem, &s->now, s->grips);
  double missing = find_gradient(s);
  while (s->result.newton < settings->most) {
    steps++;
    if (!go_on(s)) return steps;
    const double before = missing;
    missing = find_gradient(s);
    if (s->result.last > settings->tolerance) continue;
    s->result.converged = missing <= settings->tolerance || missing > STALLED_SHARE * before;
    if (s->result.converged) return steps;
  }
  return steps;
}

// -- the whole ------------------------------------------------------------------------------------

// Whether the bodies of a couple get to where the search begins without contact. Distances that are
// found in other ways may differ by rounding in whether there is one.
static bool couple_begins(const Search *s, int c)
{
  if (!(s->first[c] > 0)) return false;
  const BarrierCouple *couple = &s->problem->couples[c];
  const BarrierBody bodies[2] = {s->now.bodies[couple->low], s->now.bodies[couple->high]};
  const ArenaMark mark = arena_mark(s->arena);
  BarrierTerms terms = {0};
  const bool apart = barrier_pair_find(bodies, s->problem->settings.scale, &terms, s->arena);
  arena_release(s->arena, mark);
  return apart && couple_is_free(s, c, s->now.u);
}

// Collective. Whether the search can begin, else the lowest pair that keeps it from that.
static void find_touching(Search *s)
{
  const BarrierProblem *problem = s->problem;
  bool apart = s->now.apart;
  for (int c = 0; c < problem->couple_count; c++) apart = apart && s->first[c] > 0;
  s->result.apart = par_all(apart) && motion_is_free(s, s->now.u);
  if (s->result.apart) return;
  ParFirst first = {0, 0, 0};
  for (int c = problem->couple_count - 1; c >= 0; c--) {
    const BarrierCouple *couple = &problem->couples[c];
    if (!couple_begins(s, c))
      first = (ParFirst){1, problem->ids[couple->low], problem->ids[couple->high]};
  }
  par_reduce(&(Reduction){REDUCE_FIRST, &first, 1}, 1);
  s->result.touching = (IdPair){first.low, first.high};
}

// Collective. Passes until friction stays what it was, or there were as many as the case asks for.
// The first pass has the friction of the step's beginning. What is expected there takes the place
// of what is, where more passes follow: they replace it.
static void find_velocities(Search *s, BarrierGrips *grips)
{
  const int more = s->problem->settings.friction_passes;
  BarrierIterate expected;
  if (barrier_problem_expect(s->problem, &s->now, s->first, &expected, s->arena))
    s->expected = &expected;
  bool guessed = s->expected != NULL && more > 0;
  for (;;) {
    *grips = barrier_problem_grips(s->problem, guessed ? &expected : &s->now, s->arena);
    s->grips = grips;
    const int steps = minimise(s);
    s->result.passes++;
    if (!s->result.converged || s->result.passes > more || (steps <= 1 && !guessed)) break;
    guessed = false;
  }
}

BarrierResult barrier_newton_solve(const BarrierProblem *problem, BarrierCache *cache,
                                   BarrierIterate *end, BarrierGrips *grips, Arena *arena)
{
  assert(problem->step > 0 && problem->settings.tolerance > 0 && "a step and when it is solved");
  Search s = search_new(problem, cache, arena);
  begin_at_rest(&s);
  find_touching(&s);
  *grips = (BarrierGrips){NULL, NULL};
  if (s.result.apart) find_velocities(&s, grips);
  arena_destroy(&s.tried.memory);
  *end = s.now;
  return s.result;
}

void barrier_newton_forget(BarrierCache *cache)
{
  if (cache->factors) cholesky_destroy(cache->factors);
  if (cache->amg) amg_destroy(cache->amg);
  *cache = (BarrierCache){NULL, NULL};
}
