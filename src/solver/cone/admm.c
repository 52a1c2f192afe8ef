// Solves a contact problem by alternating directions between the law and a linear system.
#include "admm.h"

#include <assert.h>
#include <string.h>

#include "anderson.h"
#include "check.h"
#include "gradient.h"
#include "parallel.h"

#define PLAIN 5            // iterations before acceleration begins,
#define PLAIN_DEAR 2       // where they are dear
#define CHECK_ALWAYS 10    // iterations of which each is checked,
#define CHECK_DEAR 40      // where they are dear; later ones
#define CHECK_EVERY 5      // at such intervals
#define INNER_SHARE 0.1    // of the present error that a linear solution may leave, unless told
#define WINDOW 20          // iterations between two decisions about weights
#define SETTLE 10          // iterations after a change of weights that are not rated
#define WATCHED 6          // iterations then that are not accelerated, with large sigmas
#define PATIENCE 800       // iterations in which the best residual must halve
#define STEADY 30          // |f| over its change above which the state drifts
#define DRIFT_BELOW 1e-3   // residual: before, what looks like drift are points that still meet
#define DRIFT_SHARE 0.02   // of a drift: how exactly its end is found
#define DRIFT_LEAST 4      // iterations that a jump must save
#define DRIFT_MOST 1e9     // and may
#define DRIFT_OF_FASTEST 1e-4   // of the largest energy of a point's step: those that drift
#define HELD_SIGMA 1e4          // of points that are held for good, whatever that of others
#define SPRING_SIGMA 3          // weight of a spring relative to its stiffness
#define FINISH_EVERY 40         // iterations from one finish to the next,
#define FINISH_BELOW 30         // where the residual is below so many tolerances,
#define FINISH_PRODUCTS 33      // and its products
#define CONE_PROBE 1e-2         // of an impulse: how far the normal cone of a first guess is probed

// -------------------------------------------------------------------------------------------------
// Points with limits

__attribute__((noinline)) static vec3 elastic_of_limited(const ConeProblem *problem, int i,
                                                         double weight, vec3 w, vec3 r)
{
  return law_add_elastic(law_times(cone_law(problem, i), weight), w, r);
}

// w + Sig diag(give) r for the weight Sig
static inline vec3 with_elastic(const ConeProblem *problem, int i, double weight, vec3 w, vec3 r)
{
  return problem->limits ? elastic_of_limited(problem, i, weight, w, r) : w;
}

// where r would be without limits
__attribute__((noinline)) static vec3 target_of_limited(const ConeProblem *problem, int i,
                                                        double weight, vec3 z)
{
  return law_target(cone_law(problem, i), weight, z);
}

// -------------------------------------------------------------------------------------------------
// Iterations

// U_hat = V + mu |V_T| n (De Saxce and Feng 1998)
static vec3 dual_velocity(const ConeProblem *problem, int i, vec3 u, vec3 r)
{
  assert_debug(i >= 0 && i < problem->point_count && "a point has a number");
  vec3 w = cone_velocity(problem, i, u, r);
  w.x += problem->friction[i] * sqrt(w.y * w.y + w.z * w.z);
  return w;
}

// What the law says of a point: it sticks, is at the edge of its set, is open
typedef enum { POINT_INSIDE, POINT_BETWEEN, POINT_OPEN, POINT_STATES } PointState;

// Weights relative to those of points that stick: where the law leaves a velocity, w = (r - z)/Sig
// follows it the faster the smaller Sig is. Large sigmas, for faces, and small ones, for points.
static const double shares_of_faces[POINT_STATES] = {1, 0.05, 0.005};
static const double shares_of_points[POINT_STATES] = {1, 0.3, 0.1};

// Springs need weights near their stiffness, bodies far larger ones than their mass (where bodies
// meet in faces): what both ask for is in series, 1/Sig = |W_aa|/sigma + |give|/SPRING_SIGMA where
// sigma is the first one. What bodies deform is a spring in this. A point between rigid bodies that
// is held whatever it takes has no law to wait for: the larger its weight, the sooner it is at
// rest, as far as digits reach.
static inline double share_of_limits(const ConeProblem *problem, int i, double sigma)
{
  if (!problem->limits && !problem->soft) return 1;
  double give = problem->soft ? problem->soft[i] : 0;
  if (problem->limits) {
    const PointLimits *limits = &problem->limits[i];
    if (fmin(fmin(limits->tension, limits->push), limits->shear) == INFINITY &&
        !law_gives(limits) && give == 0)
      return HELD_SIGMA / sigma;
    give += fmax(limits->give[0], limits->give[1]);
  }
  const double more = admm_sigma(problem->first_k) / SPRING_SIGMA - 1;
  return give > 0 && more > 0 ? 1 / (1 + more * give * cone_rho(problem, i)) : 1;
}

// State of the iteration: r = P_C(z), and w = (r - z) / Sig is the velocity U_hat that the law asks
// for.
typedef struct {
  const ConeProblem *problem;
  AdmmController *controller;
  SolverParameters parameters;
  int most_k;              // sigma stays at or below
  double *weight;          // [points] Sig: sigma, share and rho, kg
  unsigned char *states;   // [points] PointState that the share is for
  bool weights_are_new;    // since the last iteration
  int plain_until;         // iteration up to which none is accelerated
  int settled_at;          // iteration before which none is rated
  Anderson anderson;   // z, N s, and s = mu |U_T|, m/s, of [points] after an iteration, in its g
  vec3 *best;          // [points]
  Arena *arena;
  ArenaMark kept;          // what lies behind it is given up while a system is prepared
  ConeState *x;            // [points] where an iteration begins
  vec3 *r;                 // [points] what is checked, after an iteration: in the place of x
  vec3 *u;                 // [points]
  double residual;         // at the last check
  double best_residual;    // of best
  int window_at;           // iteration of the last decision about weights,
  double window_start;     // and its residual; 0: not to be rated
  bool cut_short;          // the last drift ended before a point changed
  double drifted, reach;   // |f|^2 where a drift was cut short last; factor of the next one
  double halved;           // best residual that patience counts from
  int halved_at;
  int finished_at;   // iteration of the last finish
  int products;      // of all of them
  Convergence result;
} Admm;

// Memory that need not outlast a change of the system: that is when most is needed.
static void take_memory(Admm *a)
{
  const size_t points = (size_t)a->problem->point_count + 1;
  a->x = arena_allocate(a->arena, points * sizeof *a->x);
  a->r = (vec3 *)(void *)a->x;
  a->u = arena_allocate(a->arena, points * sizeof *a->u);
  anderson_restart_in(&a->anderson, a->arena);
}

static Admm admm_new(const ConeProblem *problem, AdmmController *controller, vec3 *best,
                     SolverParameters parameters, Arena *arena)
{
  assert(controller->k >= 0 && controller->k < ADMM_GRID && "sigma is on its grid");
  const size_t points = (size_t)problem->point_count + 1;
  double *weight = arena_allocate(arena, points * sizeof *weight);
  Admm a = {.problem = problem,
            .controller = controller,
            .parameters = parameters,
            .weight = weight,
            .states = arena_allocate_zero(arena, points, 1),
            .settled_at = SETTLE,
            .anderson = anderson_new(problem->point_count, problem->owned, weight, arena),
            .best = best,
            .arena = arena,
            .best_residual = INFINITY,
            .halved = INFINITY,
            .result = {.method = SOLVER_ADMM}};
  a.kept = arena_mark(arena);
  take_memory(&a);
  return a;
}

static void keep_if_best(Admm *a, double residual)
{
  if (!(residual < a->best_residual)) return;
  a->best_residual = residual;
  for (int i = 0; i < a->problem->point_count; i++) a->best[i] = a->r[i];
}

// measures r, whose velocities come into u, and keeps the best
static void check(Admm *a)
{
  a->problem->velocity(a->problem->context, a->r, a->u);
  a->residual = cone_residual_largest(a->problem, a->r, a->u);
  if (a->residual <= a->parameters.tolerance && a->problem->confirm)
    a->residual = a->problem->confirm(a->problem->context, a->r);
  keep_if_best(a, a->residual);
}

// The state whose w is nearest to what the guess r and its velocities say among those with P_C(z) =
// r, so that errors of velocity times sigma do not get into z where the law leaves no velocity; an
// exact guess is a fixed point.
static void begin(Admm *a)
{
  assert(a->controller->k >= 0 && a->controller->k < ADMM_GRID && "sigma is on its grid");
  const ConeProblem *problem = a->problem;
  const double sigma = admm_sigma(a->controller->k);
  for (int i = 0; i < problem->point_count; i++) {
    ConeState *state = &a->anderson.g[i];
    *state = (ConeState){{0, 0, 0}, 0};
    const double weight = sigma * share_of_limits(problem, i, sigma) * cone_rho(problem, i);
    a->weight[i] = weight;
    if (weight == 0) continue;
    const vec3 r = a->best[i], v = vec3_scale(-weight, dual_velocity(problem, i, a->u[i], r));
    const double size = vec3_norm(r), length = vec3_norm(v);
    const double t = size > 0 && length > CONE_PROBE * size ? CONE_PROBE * size / length : 1;
    const vec3 ahead = vec3_axpy(t, v, r);
    const vec3 w = vec3_scale(1 / t, vec3_sub(ahead, cone_project(problem, i, 0, ahead)));
    state->z = with_elastic(problem, i, weight, vec3_add(r, w), r);
    state->s = problem->friction[i] * sqrt(w.y * w.y + w.z * w.z) / weight;
  }
}

// r = P_C(z), in the metric of a point that gives
static inline vec3 impulse_of(const Admm *a, int i, vec3 z)
{
  if (!(cone_rho(a->problem, i) > 0)) return (vec3){0, 0, 0};
  return cone_project(a->problem, i, a->weight[i], z);
}

// One iteration: the law, the linear system with w = U_hat as its aim, and z moved by what is left.
static void iterate(Admm *a)
{
  const ConeProblem *problem = a->problem;
  vec3 *d = a->u;   // in the place of the answer

  // d = 2 r - z - Sig (b + s n); s by the law's V = w + give r where that is smaller: where it says
  // stick, slip that passes must not push points open
  for (int i = 0; i < problem->point_count; i++) {
    const double weight = a->weight[i];
    d[i] = (vec3){0, 0, 0};
    if (weight == 0) continue;
    const vec3 z = a->x[i].z, r = impulse_of(a, i, z);
    const vec3 w = with_elastic(problem, i, weight, vec3_sub(r, z), r);
    const double s = problem->friction[i] * sqrt(w.y * w.y + w.z * w.z) / weight;
    if (s < a->x[i].s) a->x[i].s = s;
    vec3 b = {problem->offset[i] + a->x[i].s, 0, 0};
    if (problem->limits) b = cone_with_along(problem, i, b);
    d[i] = vec3_axpy(-weight, b, vec3_sub(vec3_scale(2, r), z));
  }
  const double share = problem->inner_share > 0 ? problem->inner_share : INNER_SHARE;
  a->result.inner += problem->respond(problem->context, d, share * a->residual, a->u);

  // z <- r - Sig (U + b + s n), s <- mu |V_T|
  for (int i = 0; i < problem->point_count; i++) {
    const double weight = a->weight[i];
    ConeState g = {{0, 0, 0}, 0};
    if (weight > 0) {
      const vec3 r = impulse_of(a, i, a->x[i].z);
      vec3 u = a->u[i];
      u.x += problem->offset[i];
      if (problem->limits) u = cone_with_along(problem, i, u);
      const vec3 v = with_elastic(problem, i, 1, u, r);
      g.s = problem->friction[i] * sqrt(v.y * v.y + v.z * v.z);
      u.x += a->x[i].s;
      g.z = vec3_axpy(-weight, u, r);
    }
    anderson_note(&a->anderson, i, a->x[i], g);
  }
}

static inline PointState state_of(const Admm *a, int i, vec3 z)
{
  const vec3 r = impulse_of(a, i, z);
  const vec3 free = a->problem->limits ? target_of_limited(a->problem, i, a->weight[i], z) : z;
  if (r.x == 0 && r.y == 0 && r.z == 0) return POINT_OPEN;
  return r.x == free.x && r.y == free.y && r.z == free.z ? POINT_INSIDE : POINT_BETWEEN;
}

// Collective. The state of every point at g; whether that of any is another than its share is for.
static bool find_states(Admm *a)
{
  double changed = 0;
  for (int i = 0; i < a->problem->point_count; i++) {
    if (cone_rho(a->problem, i) == 0) continue;
    const PointState state = state_of(a, i, a->anderson.g[i].z);
    if (state != a->states[i]) changed = 1;
    a->states[i] = (unsigned char)state;
  }
  return par_max(changed) > 0;
}

// New weights keep r and w: z = r - Sig w.
static void set_weights(Admm *a)
{
  assert(a->controller->k <= a->most_k && "sigma stays below its bound");
  const double sigma = admm_sigma(a->controller->k);
  const double *shares = a->most_k < ADMM_LARGE_K ? shares_of_points : shares_of_faces;
  for (int i = 0; i < a->problem->point_count; i++) {
    const double rho = cone_rho(a->problem, i), before = a->weight[i];
    a->weight[i] = sigma * shares[a->states[i]] * share_of_limits(a->problem, i, sigma) * rho;
    if (rho == 0 || before == a->weight[i]) continue;
    ConeState *g = &a->anderson.g[i];
    const vec3 z = g->z, r = cone_project(a->problem, i, before, z);
    g->z = vec3_axpy(-a->weight[i] / before, vec3_sub(r, z), r);
  }
}

// Iterations go on from g.
static bool prepare(Admm *a)
{
  a->result.factorisations++;
  arena_release(a->arena, a->kept);
  const bool prepared = a->problem->prepare(a->problem->context, a->weight);
  take_memory(a);
  return prepared;
}

// Collective. Another sigma, and shares for the states of now. False: no system can be solved any
// more.
static bool change_weights(Admm *a, int k)
{
  assert(k >= 0 && k <= a->most_k && "sigma stays below its bound");
  const int before = a->controller->k;
  if (!find_states(a) && k == before) return true;
  a->controller->k = k;
  set_weights(a);
  if (!prepare(a)) {
    if (k == before) return false;
    admm_controller_fail(a->controller, k);
    a->controller->k = before;
    set_weights(a);
    if (!prepare(a)) return false;
  }
  a->weights_are_new = true;
  a->window_start = 0;
  a->settled_at = a->result.sweeps + SETTLE;
  return true;
}

// Begins and ends windows of iterations: rates the sigma of one; where that was slow the shares
// follow the points, and perhaps sigma changes.
static bool decide(Admm *a)
{
  const int sweep = a->result.sweeps;
  if (a->window_start > 0 ? sweep < a->window_at + WINDOW : sweep < a->settled_at) return true;
  const double start = a->window_start;
  a->window_at = sweep;
  a->window_start = a->residual;
  if (!(start > 0)) return true;
  const double rate = convergence_decades(start / a->residual);
  admm_controller_note(a->controller, rate);
  if (rate >= ADMM_SLOW_RATE) return true;
  if (a->most_k >= ADMM_LARGE_K) a->plain_until = sweep + WATCHED;
  const bool leaves = admm_controller_is_slow(rate, a->most_k);
  const int next = leaves ? admm_controller_next(a->controller, a->most_k) : a->controller->k;
  return change_weights(a, next < a->problem->least_k ? a->problem->least_k : next);
}

// whether the best residual has halved recently
static bool is_patient(Admm *a)
{
  if (a->best_residual <= 0.5 * a->halved) {
    a->halved = a->best_residual;
    a->halved_at = a->result.sweeps;
  }
  return a->result.sweeps - a->halved_at < PATIENCE;
}

static bool is_check(int sweep, int max_sweeps, bool dear)
{
  return sweep <= (dear ? CHECK_DEAR : CHECK_ALWAYS) || sweep % CHECK_EVERY == 0 ||
         sweep == max_sweeps;
}

// -- drift ----------------------------------------------------------------------------------------
// Where the law says stick at points whose bodies must slip, impulses that balance each other grow
// by the same amount in every iteration until a point reaches the edge of its set. No combination
// of steps that are equal gets there sooner; a long step of the same direction does.

// steps f from z after which the point has another state, up to a share DRIFT_SHARE more; or most
static double steps_to_change(const Admm *a, int i, vec3 f, double most)
{
  assert_debug(!(most < 0) && "steps go forward");
  const vec3 z = a->anderson.g[i].z;
  const PointState state = state_of(a, i, z);
  double low = 0, high = 1;
  while (state_of(a, i, vec3_axpy(high, f, z)) == state) {
    if (high >= most) return most;
    low = high;
    high *= 2;
  }
  while (high - low > DRIFT_SHARE * high && high > 1) {
    const double middle = 0.5 * (low + high);
    if (state_of(a, i, vec3_axpy(middle, f, z)) == state) low = middle;
    else high = middle;
  }
  return high;
}

// Goes on from g by as many steps f as it takes the first of the points that drift to change; not
// further than f would take to end if it shrank as it did last, and further each time that it did
// not shrink.
static void drift(Admm *a)
{
  const ConeProblem *problem = a->problem;
  const ConeState *f = a->anderson.f;
  const double square = a->anderson.smallest;
  const bool same = a->cut_short && square > 0.5 * a->drifted && square < 2 * a->drifted;
  a->reach = same ? 4 * a->reach : 1;
  a->drifted = square;
  const double most = fmin(a->reach * a->anderson.steady, DRIFT_MOST);
  double fastest = 0;
  for (int i = 0; i < problem->point_count; i++)
    if (cone_rho(problem, i) > 0)
      fastest = fmax(fastest, vec3_dot(f[i].z, f[i].z) / cone_rho(problem, i));
  fastest = par_max(fastest);
  double steps = most;
  for (int i = 0; i < problem->point_count; i++) {
    const double rho = cone_rho(problem, i);
    if (rho > 0 && vec3_dot(f[i].z, f[i].z) / rho > DRIFT_OF_FASTEST * fastest)
      steps = fmin(steps, steps_to_change(a, i, f[i].z, most));
  }
  steps = -par_max(-steps);
  a->cut_short = steps == most;
  if (steps < DRIFT_LEAST) return;
  a->window_start = 0;
  for (int i = 0; i < problem->point_count; i++) {
    const double rho = cone_rho(problem, i);
    a->x[i] = a->anderson.g[i];
    if (rho > 0 && vec3_dot(f[i].z, f[i].z) / rho > DRIFT_OF_FASTEST * fastest)
      a->x[i].z = vec3_axpy(steps, f[i].z, a->x[i].z);
  }
  anderson_restart(&a->anderson);
  a->settled_at = a->result.sweeps + SETTLE;
}

// -------------------------------------------------------------------------------------------------

// r of a check on by gradients, the iteration stays where it is. Errors of r that bodies answer
// with large velocities are most of a residual, and a few products take them off, while those that
// cost iterations are of impulses that move next to nothing.
static void finish(Admm *a)
{
  const double bound = FINISH_BELOW * a->parameters.tolerance;
  if (!a->problem->finish || a->residual > bound ||
      a->result.sweeps < a->finished_at + FINISH_EVERY)
    return;
  SolverParameters parameters = a->parameters;
  parameters.max_sweeps = FINISH_PRODUCTS;
  const Convergence found = gradient_solve(a->problem, a->r, parameters, a->arena);
  a->products += found.sweeps;
  a->finished_at = a->result.sweeps;
  keep_if_best(a, found.residual_max);
}

static void go_on_from_g(Admm *a)
{
  memcpy(a->x, a->anderson.g, (size_t)a->problem->point_count * sizeof *a->x);
}

// x for the next iteration
static void go_on(Admm *a)
{
  const int plain = a->problem->dear ? PLAIN_DEAR : PLAIN;
  if (a->weights_are_new || a->result.sweeps <= plain) {
    a->weights_are_new = false;
    go_on_from_g(a);
    return;
  }
  const bool watched = a->result.sweeps <= a->plain_until;
  if (watched) anderson_watch(&a->anderson, a->x);
  else anderson_step(&a->anderson, a->x);
  const bool is_seen = watched || a->most_k < ADMM_LARGE_K;
  if (is_seen && a->anderson.steady > STEADY && a->residual < DRIFT_BELOW) drift(a);
}

static void run(Admm *a)
{
  go_on_from_g(a);
  for (;;) {
    iterate(a);
    const int sweep = ++a->result.sweeps;
    if (is_check(sweep, a->parameters.max_sweeps, a->problem->dear)) {
      for (int i = 0; i < a->problem->point_count; i++)
        a->r[i] = impulse_of(a, i, a->anderson.g[i].z);
      check(a);
      if (a->best_residual > a->parameters.tolerance) finish(a);
      if (a->best_residual <= a->parameters.tolerance) return;
      if (sweep + a->products >= a->parameters.max_sweeps) return;
      if (!(a->residual < INFINITY) || !is_patient(a)) return;
      if (!decide(a)) return;
    }
    go_on(a);
  }
}

Convergence admm_solve(const ConeProblem *problem, vec3 *r, AdmmController *controller,
                       SolverParameters parameters, Arena *arena)
{
  assert(problem->prepare != NULL && problem->respond != NULL && problem->velocity != NULL &&
         "a problem is its operators");
  assert(problem->point_count >= 0 && problem->most_k < ADMM_GRID && "sigma is on its grid");
  assert(!(parameters.tolerance < 0) && problem->first_k >= 0 && "the solver has an aim");
  assert(problem->least_k >= 0 && (problem->most_k == 0 || problem->least_k <= problem->most_k) &&
         "there is room between the bounds of sigma");
  const int most_k = problem->most_k > 0 ? problem->most_k : ADMM_GRID - 1;
  if (controller->k < 0 || controller->k > most_k)
    *controller = admm_controller_new(problem->first_k);
  if (controller->k < problem->least_k) controller->k = problem->least_k;
  Admm a = admm_new(problem, controller, r, parameters, arena);
  a.most_k = most_k;

  // perhaps the guess will do; one that is no number gives way to zero
  for (int i = 0; i < problem->point_count; i++)
    a.r[i] = cone_rho(problem, i) > 0 ? r[i] : (vec3){0, 0, 0};
  check(&a);
  if (!(a.best_residual < INFINITY)) {
    for (int i = 0; i < problem->point_count; i++) a.r[i] = r[i] = (vec3){0, 0, 0};
    check(&a);
  }
  if (a.best_residual > parameters.tolerance && a.best_residual < INFINITY &&
      parameters.max_sweeps > 0) {
    begin(&a);
    if (prepare(&a)) run(&a);
  }

  problem->velocity(problem->context, r, a.u);
  const ConeResidual residual = cone_residual(problem, r, a.u);
  a.result.sweeps += a.products;
  a.result.residual_max = residual.largest;
  a.result.residual_rms = residual.rms;
  a.result.converged = residual.largest <= parameters.tolerance;
  return a.result;
}
