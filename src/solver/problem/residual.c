// Measures how far impulses are from a solution, by the natural map of Coulomb's law.
#include "residual.h"

#include <assert.h>

#include "check.h"
#include "contact_groups.h"
#include "exact_sum.h"
#include "halo.h"
#include "parallel.h"

// Square of e_a, V with the law's offset and with what the point gives; 0 where it is rounding.
static inline double error_at(const SolverPoint *p, vec3 velocity)
{
  const bool limited = p->problem->limits != NULL;
  vec3 v = vec3_add(velocity, p->offset);
  if (limited) v = law_add_elastic(p->law, v, p->r);
  const vec3 x = vec3_axpy(-p->rho, v, p->r);
  const vec3 apart = vec3_sub(p->r, law_nearest(p->law, p->r, x));
  const double square = vec3_dot(apart, apart);
  const double rounding = law_rounding(p->rho, p->speed, vec3_norm(p->r));
  return square <= rounding * rounding ? 0 : square;
}

static inline double point_error(const SolverPoint *p, Velocities now)
{
  return error_at(p, problem_velocity(p, now));
}

double residual_of_point(const SolverPoint *point, vec3 velocity)
{
  assert_debug(point->problem != NULL && "a point of a problem");
  return sqrt(error_at(point, velocity));
}

static inline double speed_of(const Twist *twist, vec3 arm)
{
  return vec3_norm(twist->v) + vec3_norm(twist->w) * vec3_norm(arm);
}

// what the deformation of both bodies adds
static double speed_of_stretch(const SolverPoint *p, const mat3 *stretch)
{
  return vec3_norm(mat3_mul(stretch[p->low], p->low_arm)) +
         vec3_norm(mat3_mul(stretch[p->high], p->high_arm));
}

// How fast a point would go without impulses, or by what a joint or a spring makes good: it moves
// bodies by the offset as far as it does not give itself.
static double free_speed(const SolverPoint *p, Velocities free)
{
  const double speed = vec3_norm(problem_velocity(p, free)),
               give = fmax(p->law.give[0], p->law.give[1]);
  if (!p->joined && give == 0) return speed;
  return fmax(speed, fmax(0, 1 - p->rho * give) * vec3_norm(p->offset));
}

// Collective. Without gravity a point is judged by the fastest of its group of touching bodies.
static void raise_to_groups(Problem *problem, Velocities free, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  ContactGroups groups = contact_groups_new(problem, arena);
  contact_groups_join(&groups, problem, arena);
  double *fastest = arena_allocate_zero(arena, (size_t)groups.place_count + 1, sizeof *fastest);
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      const int place = contact_groups_place(&groups, &problem->pairs[k]);
      if (p.offset.x < INFINITY) par_raise(&fastest[place], free_speed(&p, free));
    }
  par_max_many(fastest, groups.shared_count);
  for (int k = 0; k < problem->pair_count; k++) {
    const double speed = fastest[contact_groups_place(&groups, &problem->pairs[k])];
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++)
      problem->size[i] = problem->rho[i] * speed;
  }
  arena_release(arena, mark);
}

// F_b / n_b of an own row, impulses in order of key, N s.
static double mean_force(const Problem *problem, int row)
{
  double sum = problem->gravity_speed / problem->mid[row].inverse_mass;
  int count = 0;
  for (int k = problem->body_start[row]; k < problem->body_start[row + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    const int end = problem_contacts_end(problem, side.pair);
    for (int i = side.first; i < end; i++) sum += vec3_norm(problem->r[i]);
    count += end - side.first;
  }
  return count > 0 ? sum / count : 0;
}

// Collective. Of all rows, infinite where nothing moves the body.
static double *mean_forces(const Problem *problem, Arena *arena)
{
  double *forces = arena_allocate(arena, ((size_t)problem->row_count + 1) * sizeof *forces);
  for (int b = 0; b < problem->row_count; b++) {
    const bool moves = motion_moves(&problem->mid[b]);
    forces[b] = !moves ? INFINITY : b < problem->own_rows ? mean_force(problem, b) : 0;
  }
  halo_refresh(&problem->all, forces, sizeof *forces, arena);
  return forces;
}

// Collective. Errors of contact points are within the tolerance where they are within all stops.
static void raise_to_stops(Problem *problem, Arena *arena)
{
  const SolverStops stops = problem->stops;
  assert(!(stops.unbalanced < 0) && !(stops.penetration < 0) && "limits are not below zero");
  if (!stops_any(stops)) return;
  assert(problem->step > 0 && "a step takes time");
  const ArenaMark mark = arena_mark(arena);
  const double *forces = stops.unbalanced > 0 ? mean_forces(problem, arena) : NULL;
  const double speed = stops.penetration > 0 ? stops.penetration / problem->step : INFINITY;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const double share =
        forces ? stops.unbalanced * fmin(forces[pair->low], forces[pair->high]) : INFINITY;
    for (int i = pair->first; i < problem_contacts_end(problem, k); i++)
      problem->size[i] = fmax(problem->size[i], fmin(share, problem->rho[i] * speed));
  }
  arena_release(arena, mark);
}

void residual_prepare(Problem *problem, Velocities free, Arena *arena)
{
  assert((free.twist != NULL || problem->point_count == 0) && "points have free velocities");
  assert(!(problem->gravity_speed < 0) && "a speed is not below zero");
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      const Twist *low = &free.twist[p.low], *high = &free.twist[p.high];
      problem->speed[i] = speed_of(low, p.low_arm) + speed_of(high, p.high_arm);
      if (free.stretch) problem->speed[i] += speed_of_stretch(&p, free.stretch);
      problem->size[i] = p.rho * fmax(problem->gravity_speed, free_speed(&p, free));
    }
  if (problem->gravity_speed == 0) raise_to_groups(problem, free, arena);
  raise_to_stops(problem, arena);
}

// Square of e_a / s_a.
static double error_of(const SolverPoint *p, Velocities now)
{
  return law_relative(point_error(p, now), p->size);
}

double residual_of_pair(const Problem *problem, int k)
{
  assert_debug(k >= 0 && k < problem->pair_count && "a pair of the problem");
  double largest = 0;
  for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
    const SolverPoint p = problem_point(problem, k, i);
    par_raise(&largest, error_of(&p, problem_now(problem)));
  }
  return largest;
}

// What is summed over points.
typedef struct {
  double largest;     // square
  ExactSum squares;   // of owned pairs
  ParFirst worst;     // the largest error and the lowest pair of bodies that holds it
} Sums;

static void raise_worst(ParFirst *worst, const Problem *problem, const SolverPoint *p, double error)
{
  if (!(error < INFINITY)) error = INFINITY;
  if (error == 0 || error < worst->size) return;
  const uint64_t *id = problem->bodies->id;
  const ParFirst found = {error, id[p->low], id[p->high]};
  if (par_comes_first(found, *worst)) *worst = found;
}

// points of a pair in order, then pairs exactly
static void add_pair(Sums *sums, const Problem *problem, int k)
{
  const SolverPair *pair = &problem->pairs[k];
  double squares = 0;
  for (int i = pair->first; i < pair->end; i++) {
    const SolverPoint p = problem_point(problem, k, i);
    const double error = error_of(&p, problem_now(problem));
    squares += error;
    par_raise(&sums->largest, error);
    raise_worst(&sums->worst, problem, &p, error);
  }
  if (problem->owned[pair->first]) exact_sum_add(&sums->squares, squares);
}

Residual residual_measure(const Problem *problem)
{
  assert(problem->owned_points <= problem->point_count && "own points are among those known");
  Sums sums = {.squares = exact_sum_new()};
  for (int k = 0; k < problem->pair_count; k++) add_pair(&sums, problem, k);
  double largest = sqrt(sums.largest);
  int64_t count = problem->owned_points;
  const Reduction all[] = {{REDUCE_MAX, &largest, 1},
                           {REDUCE_SUM, &count, 1},
                           {REDUCE_FIRST, &sums.worst, 1},
                           exact_sum_reduction(&sums.squares)};
  par_reduce(all, sizeof all / sizeof *all);
  const IdPair pair = {sums.worst.low, sums.worst.high};
  if (largest == 0) return (Residual){0};
  if (!(largest < INFINITY)) return (Residual){.largest = INFINITY, .rms = INFINITY, .worst = pair};
  assert(count > 0 && "an error is that of a point");
  const double mean = exact_sum_value(&sums.squares) / (double)count;
  return (Residual){.largest = largest, .rms = sqrt(mean), .worst = pair};
}

Residual residual_of_impulses(Problem *problem, Velocities free, Arena *arena)
{
  assert(problem->own_rows <= problem->row_count && "own rows come first");
  for (int b = problem->own_rows; b < problem->row_count; b++)
    problem_take_row(problem, b, free, problem_columns(problem));
  problem_velocities(problem, free, problem_columns(problem));
  problem_refresh(problem, arena);
  return residual_measure(problem);
}
