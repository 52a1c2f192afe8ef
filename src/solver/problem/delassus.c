// Makes W_aa of one contact point from its two bodies.
#include "delassus.h"

#include "check.h"
#include "lane_eigenvalue.h"
#include "split.h"

// Share of one body.
static sym3 delassus_of_side(const SolverPoint *p, bool is_high, const MidState *mid)
{
  const int row = is_high ? p->high : p->low;
  const ElasticRow *elastic = elastic_rows_find(p->problem->elastic, row);
  const ElasticFinite *finite = finite_rows_find(p->problem->finite, row);
  if (!elastic && !finite) {
    const MaterialPoint point = is_high ? problem_high_point(p) : problem_low_point(p);
    return material_point_delassus(&point, mid, &p->basis);
  }
  mat3 w;
  if (finite) {
    const Problem *problem = p->problem;
    const FinitePoint *place = is_high ? problem->high_place : problem->low_place;
    w = finite_rows_delassus(finite, &place[p->point], mid);
  } else {
    w = elastic_row_delassus(elastic, mid->inverse_mass, is_high ? p->high_arm : p->low_arm);
  }
  const mat3 in = mat3_mul_mat(p->basis, mat3_mul_mat(w, mat3_transpose(p->basis)));
  return (sym3){in.row[0].x, in.row[0].y, in.row[0].z, in.row[1].y, in.row[1].z, in.row[2].z};
}

double delassus_soft(const SolverPoint *p, const MidState *low, const MidState *high)
{
  assert_debug(p->problem->elastic != NULL && "deformation has a share");
  const sym3 all = delassus_in_basis(p, low, high);
  // foundations have no rigid motion, nor have fixed bodies that they touch
  static const MidState still = {.inverse_mass = 0};
  const Bodies *bodies = p->problem->bodies;
  const RigidEnds ends = {kind_founded(bodies, p->low) ? &still : low,
                          kind_founded(bodies, p->high) ? &still : high, p->low_arm, p->high_arm};
  const bool any = ends.low->inverse_mass + ends.high->inverse_mass > 0;
  const sym3 rigid = any ? rigid_pairs_delassus(&ends, &p->basis) : (sym3){0};
  const sym3 more = {fmax(all.xx - rigid.xx, 0), all.xy - rigid.xy, all.xz - rigid.xz,
                     fmax(all.yy - rigid.yy, 0), all.yz - rigid.yz, fmax(all.zz - rigid.zz, 0)};
  const double rho = delassus_rho(&more);
  return rho > 0 ? 1 / rho : 0;
}

sym3 delassus_in_basis(const SolverPoint *p, const MidState *low, const MidState *high)
{
  assert_debug(!(low->inverse_mass + high->inverse_mass <= 0) && "one of the bodies moves");
  if (rigid_pairs_has(p->problem->bodies, p->low, p->high)) {
    const RigidEnds ends = {low, high, p->low_arm, p->high_arm};
    return rigid_pairs_delassus(&ends, &p->basis);
  }
  const sym3 a = delassus_of_side(p, false, low), b = delassus_of_side(p, true, high);
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
