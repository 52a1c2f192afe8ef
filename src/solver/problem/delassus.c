// Makes W_aa of one contact point from its two bodies.
#include "delassus.h"

#include "check.h"
#include "lane_eigenvalue.h"
#include "split.h"

sym3 delassus_in_basis(const SolverPoint *p, const MidState *low, const MidState *high)
{
  assert_debug(!(low->inverse_mass + high->inverse_mass <= 0) && "one of the bodies moves");
  if (rigid_pairs_has(p->problem->bodies, p->low, p->high)) {
    const RigidEnds ends = {low, high, p->low_arm, p->high_arm};
    return rigid_pairs_delassus(&ends, &p->basis);
  }
  const MaterialPoint at_low = problem_low_point(p), at_high = problem_high_point(p);
  const sym3 a = material_point_delassus(&at_low, low, &p->basis),
             b = material_point_delassus(&at_high, high, &p->basis);
  return (sym3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

LocalDelassus delassus_of_point(const Problem *problem, int k, int i)
{
  assert_debug(k >= 0 && k < problem->pair_count && i >= 0 && i < problem->point_count &&
               "a point is of a pair");
  const SolverPair *pair = &problem->pairs[k];
  const SweepPair sweep = split_pair(problem, k);
  const MidState low = split_mid(&problem->mid[pair->low], sweep.low_copies),
                 high = split_mid(&problem->mid[pair->high], sweep.high_copies);
  const SolverPoint p = problem_point(problem, k, i);
  const sym3 w = law_add_give(p.law, delassus_in_basis(&p, &low, &high));
  return law_turned(&w);
}

double delassus_rho(const sym3 *w)
{
  assert_debug(!(w->xx < 0) && !(w->yy < 0) && !(w->zz < 0) && "W is positive semidefinite");
  const SymmetricLane all = {lane_all(w->xx), lane_all(w->xy), lane_all(w->xz),
                             lane_all(w->yy), lane_all(w->yz), lane_all(w->zz)};
  const double largest = lane_largest_eigenvalue(&all)[0];
  return largest > 0 ? 1 / largest : 0;
}
