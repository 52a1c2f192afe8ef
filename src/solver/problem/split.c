// Starts the copies of split bodies before a sweep, and takes their mean after it.
#include "split.h"

#include <assert.h>

#include "check.h"
#include "delassus.h"
#include "halo.h"

static void split_point(Problem *problem, int k, int i, const MidState *low, const MidState *high)
{
  SolverPoint p = problem_point(problem, k, i);
  const RigidEnds ends = {low, high, p.low_arm, p.high_arm};
  mat3 local = rigid_pairs_has(problem->bodies, p.low, p.high)
                   ? rigid_pairs_turned(&ends, &p.basis)
                   : mat3_of_sym3(delassus_in_basis(&p, low, high));
  const double *give = p.law.give;
  if (give[0] != 0 || give[1] != 0)
    local = mat3_add(local, mat3_diagonal(give[0], give[1], give[1]));
  split_turn_point(problem, p, i, local);
}

void split_turn_point(Problem *problem, SolverPoint p, int i, mat3 local)
{
  assert_debug(i >= 0 && i < problem->point_count && "a point of the problem");
  const vec3 t1 = p.basis.row[1], t2 = p.basis.row[2];
  law_diagonalize(local, &p.basis);
  problem->levers[i].tangent = p.basis.row[1];

  // impulses and offsets follow the tangents
  const double cosine = vec3_dot(p.basis.row[1], t1), sine = vec3_dot(p.basis.row[1], t2);
  problem->r[i] = (vec3){p.r.x, cosine * p.r.y + sine * p.r.z, cosine * p.r.z - sine * p.r.y};
  if (p.offset.y == 0 && p.offset.z == 0) return;
  problem->limits[i].along[0] = cosine * p.offset.y + sine * p.offset.z;
  problem->limits[i].along[1] = cosine * p.offset.z - sine * p.offset.y;
}

void split_points(Problem *problem)
{
  assert((!problem->copies || problem->copies->pairs != NULL) && "split bodies have pairs");
  if (!problem->copies) return;
  for (int k = 0; k < problem->pair_count; k++) {
    const SweepPair sweep = problem->copies->pairs[k];
    if (sweep.low_copies == 1 && sweep.high_copies == 1) continue;
    const SolverPair *pair = &problem->pairs[k];
    const MidState low = split_mid(&problem->mid[pair->low], sweep.low_copies),
                   high = split_mid(&problem->mid[pair->high], sweep.high_copies);
    for (int i = pair->first; i < pair->end; i++) split_point(problem, k, i, &low, &high);
  }
}

void split_begin(Problem *problem)
{
  assert((!problem->copies || problem->copies->first >= problem->row_count) &&
         "copies come after bodies");
  const Copies *copies = problem->copies;
  if (!copies) return;
  for (int i = 0; i < copies->count; i++)
    problem->twist[copies->first + i] = problem->twist[copies->bodies[i]];
}

void split_end(Problem *problem, Arena *arena)
{
  const Copies *copies = problem->copies;
  if (!copies) return;
  Twist *twist = problem->twist;
  halo_refresh(&copies->gather, twist, sizeof *twist, arena);
  for (int s = 0; s < copies->split_count; s++) {
    const SplitBody *split = &copies->split[s];
    assert_debug(split->count > 1 && split->row < problem->own_rows && "an own body is split");
    const Twist *copy = &twist[copies->own_first + split->first];
    Twist *body = &twist[split->row];
    vec3 v = {0, 0, 0}, w = {0, 0, 0};
    for (int i = 0; i < split->count; i++) {
      v = vec3_add(v, vec3_sub(copy[i].v, body->v));
      w = vec3_add(w, vec3_sub(copy[i].w, body->w));
    }
    body->v = vec3_axpy(1.0 / split->count, v, body->v);
    body->w = vec3_axpy(1.0 / split->count, w, body->w);
  }
}

void split_share_impulses(Problem *problem, Arena *arena)
{
  assert((problem->r != NULL || problem->point_count == 0) && "every point has an impulse");
  if (!problem->copies || problem->copies->impulses.neighbour_count == 0) return;
  const HaloPlan *plan = &problem->copies->impulses;
  halo_refresh(plan, problem->r, sizeof *problem->r, arena);
}
