// Impacts make no energy: the share of its rebound that a group of touching bodies keeps.
#include "impact.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "contact_groups.h"
#include "parallel.h"

#define LEAST_GAIN 1e-9   // of what points exchange: works below it are rounding

enum { WORK, EXCHANGE, IMPACTS };   // sums of a solution
enum { WITHOUT, CURVATURE };        // sums beside those of the impacts without rebound

// An offset below zero of a contact that does not give is that of an impact: gaps have positive
// ones, impacts to come infinite ones.
static bool is_impact(const SolverPoint *p)
{
  return p->offset.x < 0 && !p->joined && p->law.give[0] == 0;
}

static bool has_restitution(const SurfaceLaws *surfaces)
{
  for (int i = 0; i < surface_laws_count(surfaces->material_count); i++)
    if (surfaces->laws[i].restitution > 0) return true;
  return false;
}

static bool has_impacts(const Problem *problem)
{
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      if (!(problem->offset[i] < 0)) continue;
      const SolverPoint p = problem_point(problem, k, i);
      if (is_impact(&p)) return true;
    }
  return false;
}

// Work of a point's impulse in the step, J, and how much passed through it either way.
typedef struct {
  double work, exchange;
} PointWork;

// Joints take no part: what springs give back and dampers and yielding take is theirs, and rigid
// ones do no work. Without them the curvature is no smaller, since r falls as U rises.
static PointWork work_of(const SolverPoint *p, Velocities start, Velocities end)
{
  assert_debug(p->low >= 0 && p->high >= 0 && "both bodies of a point have rows");
  if (p->joined) return (PointWork){0, 0};
  const double before = vec3_dot(p->r, problem_velocity(p, start)),
               after = vec3_dot(p->r, problem_velocity(p, end));
  return (PointWork){0.5 * (before + after), 0.5 * (fabs(before) + fabs(after))};
}

// Local. False where own points alone show that no group makes energy: none of the pieces that this
// rank knows has gained more than half of what counts as a gain.
static bool may_gain(const Problem *problem, const ContactGroups *groups, Velocities start,
                     double least, Arena *arena)
{
  assert(groups->count >= 0 && !(least < 0) && "pieces of groups are counted");
  const ArenaMark mark = arena_mark(arena);
  PointWork *pieces = arena_allocate_zero(arena, (size_t)groups->count + 1, sizeof *pieces);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!problem->owned[pair->first]) continue;
    PointWork *piece = &pieces[contact_groups_piece(groups, pair)];
    for (int i = pair->first; i < pair->end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      const PointWork point = work_of(&p, start, problem_now(problem));
      piece->work += point.work;
      piece->exchange += point.exchange;
    }
  }
  bool found = false;
  for (int p = 0; p < groups->count; p++)
    if (!(pieces[p].work <= 0.5 * least * pieces[p].exchange)) found = true;
  arena_release(arena, mark);
  return found;
}

// A solution that was set aside.
typedef struct {
  vec3 *r;
  VelocityColumns velocities;
} Solution;

// What points are measured by.
typedef struct {
  const Problem *problem;
  Velocities start;       // before the step
  const Solution *with;   // of impacts with rebound, beside the problem's without; NULL: none yet
} Measure;

// Adds what a point has to the sums of its group.
typedef void AddPoint(ExactSum *sums, const SolverPoint *p, int i, const Measure *by);

// Collective. totals[pieces * GROUP_SUMS] of own points.
static void add_up(const ContactGroups *groups, const Measure *by, AddPoint *add, double *totals,
                   Arena *arena)
{
  assert((groups->count == 0 || totals != NULL) && "totals have a place");
  const ArenaMark mark = arena_mark(arena);
  const Problem *problem = by->problem;
  const size_t count = (size_t)groups->count * GROUP_SUMS;
  ExactSum *sums = arena_allocate_zero(arena, count + 1, sizeof *sums);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!problem->owned[pair->first]) continue;
    ExactSum *of = &sums[contact_groups_piece(groups, pair) * GROUP_SUMS];
    for (int i = pair->first; i < pair->end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      add(of, &p, i, by);
    }
  }
  contact_groups_total(groups, sums, totals, arena);
  arena_release(arena, mark);
}

// work, exchange and impacts of the solution there is
static void add_solution(ExactSum *sums, const SolverPoint *p, int i, const Measure *by)
{
  (void)i;
  const PointWork point = work_of(p, by->start, problem_now(by->problem));
  exact_sum_add(&sums[WORK], point.work);
  exact_sum_add(&sums[EXCHANGE], point.exchange);
  if (is_impact(p)) exact_sum_add(&sums[IMPACTS], 1);
}

// work without rebound, and the curvature of works on the way to the solution with it
static void add_way(ExactSum *sums, const SolverPoint *p, int i, const Measure *by)
{
  if (p->joined) return;
  const Velocities now = problem_now(by->problem), with = problem_read(by->with->velocities);
  exact_sum_add(&sums[WITHOUT], work_of(p, by->start, now).work);
  const vec3 apart = vec3_sub(problem_velocity(p, with), problem_velocity(p, now));
  exact_sum_add(&sums[CURVATURE], 0.5 * vec3_dot(vec3_sub(by->with->r[i], p->r), apart));
}

static Solution set_aside(const Problem *problem, Arena *arena)
{
  const size_t points = (size_t)problem->point_count;
  const Solution kept = {arena_allocate(arena, (points + 1) * sizeof(vec3)),
                         problem_copy_velocities(problem, problem_now(problem), arena)};
  if (points > 0) memcpy(kept.r, problem->r, points * sizeof(vec3));
  return kept;
}

// Collective. The problem's solution becomes that of the same impacts without rebound in the groups
// that gain.
static Convergence solve_without(Problem *problem, const ContactGroups *groups,
                                 const unsigned char *gains, const ImpactInput *in,
                                 SolverMemory *memory, Arena *arena)
{
  assert((gains != NULL || groups->count == 0) && "groups say whether they gain");
  const ArenaMark mark = arena_mark(arena);
  const size_t bytes = (size_t)problem->point_count * sizeof(double);
  double *offsets = arena_allocate(arena, bytes);
  if (bytes > 0) memcpy(offsets, problem->offset, bytes);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!gains[contact_groups_piece(groups, pair)]) continue;
    for (int i = pair->first; i < pair->end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      if (is_impact(&p)) problem->offset[i] = 0;
    }
  }
  const Convergence result = solver_solve(problem, in->free, in->parameters, memory, arena);
  if (bytes > 0) memcpy(problem->offset, offsets, bytes);
  arena_release(arena, mark);
  return result;
}

// Collective. Share of each piece's group, from the solution with rebound and the problem's
// without; first: totals of the former.
static void find_shares(const ContactGroups *groups, const Measure *by, const double *first,
                        double *shares, Arena *arena)
{
  double *totals = arena_allocate(arena, ((size_t)groups->count + 1) * GROUP_SUMS * sizeof *totals);
  add_up(groups, by, add_way, totals, arena);
  for (int p = 0; p < groups->count; p++) {
    const double *of = &totals[p * GROUP_SUMS];
    shares[p] = impact_share(of[WITHOUT], first[p * GROUP_SUMS + WORK], of[CURVATURE]);
  }
}

double impact_share(double without, double with, double curvature)
{
  assert(!(curvature < 0) && "the work is convex in the share");
  // curvature s^2 + slope s = room, whose left side is convex and at s = 1 above the right one
  const double room = fmax(0, -without);
  const double slope = with - without - curvature;
  if (!(with - without > room)) return 1;
  const double root = sqrt(slope * slope + 4 * fmax(curvature, 0) * room);
  const double share = slope > 0 ? 2 * room / (slope + root) : (root - slope) / (2 * curvature);
  return share > 0 ? fmin(share, 1) : 0;
}

// Collective. Impulses between the problem's, without rebound, and those with it; velocities follow
// from impulses.
static void mix(Problem *problem, const ContactGroups *groups, const unsigned char *gains,
                const double *shares, const Solution *with, Velocities free, Arena *arena)
{
  assert((shares != NULL || groups->count == 0) && "every piece has a share");
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const int piece = contact_groups_piece(groups, pair);
    for (int i = pair->first; i < pair->end; i++) {
      const vec3 more = vec3_sub(with->r[i], problem->r[i]);
      problem->r[i] = gains[piece] ? vec3_axpy(shares[piece], more, problem->r[i]) : with->r[i];
    }
  }
  const Velocities before = problem_read(with->velocities);
  const VelocityColumns found = problem_copy_velocities(problem, before, arena);
  problem_velocities(problem, free, found);
  for (int b = 0; b < problem->row_count; b++) {
    const bool own = b < problem->own_rows,
               gained = own && groups->of_row[b] >= 0 && gains[groups->of_row[b]];
    problem_take_row(problem, b, gained ? problem_read(found) : before, problem_columns(problem));
  }
  problem_refresh(problem, arena);
}

// what both solutions took, and the worse of their residuals
static void add_effort(Convergence *solved, const Convergence *second)
{
  solved->sweeps += second->sweeps;
  solved->inner += second->inner;
  solved->factorisations += second->factorisations;
  solved->converged = solved->converged && second->converged;
  if (second->residual_rms > solved->residual_rms) solved->residual_rms = second->residual_rms;
  if (!(second->residual_max > solved->residual_max)) return;
  solved->residual_max = second->residual_max;
  solved->worst = second->worst;
}

ImpactResult impact_bound(Problem *problem, const ImpactInput *in, SolverMemory *memory,
                          Convergence *solved, Arena *arena)
{
  assert(in->start.twist != NULL && in->free.twist != NULL && in->surfaces != NULL &&
         "velocities and laws are given");
  assert(memory != NULL && solved != NULL && "the problem was solved");
  ImpactResult result = {0, 1};
  if (!has_restitution(in->surfaces) || !par_any(has_impacts(problem))) return result;
  const ArenaMark mark = arena_mark(arena);
  const double least = fmax(LEAST_GAIN, in->parameters.tolerance);
  ContactGroups groups = contact_groups_new(problem, arena);
  if (!par_any(may_gain(problem, &groups, in->start, least, arena))) {
    arena_release(arena, mark);
    return result;
  }

  // which groups gain
  const size_t pieces = (size_t)groups.count + 1;
  double *first = arena_allocate(arena, pieces * GROUP_SUMS * sizeof *first);
  unsigned char *gains = arena_allocate_zero(arena, pieces, 1);
  contact_groups_join(&groups, problem, arena);
  Measure by = {problem, in->start, NULL};
  add_up(&groups, &by, add_solution, first, arena);
  for (int p = 0; p < groups.count; p++) {
    const double *of = &first[p * GROUP_SUMS];
    gains[p] = of[IMPACTS] > 0 && of[WORK] > least * of[EXCHANGE];
  }
  result.groups = contact_groups_count(&groups, problem, gains);
  if (result.groups == 0) {
    arena_release(arena, mark);
    return result;
  }

  // the same impacts without rebound, and as much of the way to those with it as makes no energy
  const Solution with = set_aside(problem, arena);
  double *shares = arena_allocate(arena, pieces * sizeof *shares);
  const Convergence second = solve_without(problem, &groups, gains, in, memory, arena);
  by.with = &with;
  find_shares(&groups, &by, first, shares, arena);
  mix(problem, &groups, gains, shares, &with, in->free, arena);
  add_effort(solved, &second);
  double most_lost = 0;
  for (int p = 0; p < groups.count; p++)
    if (gains[p] && 1 - shares[p] > most_lost) most_lost = 1 - shares[p];
  result.least_share = 1 - par_max(most_lost);
  arena_release(arena, mark);
  return result;
}
