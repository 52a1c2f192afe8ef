// Makes springs of contact points from the stiffness of their surfaces.
#include "elastic_points.h"

#include <assert.h>
#include <float.h>

#include "check.h"
#include "delassus.h"

// of how far a body is from the origin, and a point from it: what rounding makes of a gap
#define ROUNDING_OF_GAPS (16 * DBL_EPSILON)

// Does a point close in this step, from a gap at its start that is more than rounding? A bond does
// not: it holds both ways.
static bool closes(const ProblemInput *in, const SolverPoint *p, double before)
{
  if (contacts_whole(in->contacts, p->contact)) return false;
  const double size = vec3_norm(in->bodies->position[p->low]) + vec3_norm(p->low_arm);
  return in->contacts->gap[p->contact] - 0.5 * in->step * before > ROUNDING_OF_GAPS * size;
}

// Normal, by the midpoint rule: with s = g at the middle of the step, k the stiffness of the area,
//   r_N = -h k (s(n) + s(n+1))/2 = -h k s - (h^2 k/4) (U_N(n+1) - U_N(n)),
// that is U_N + c r_N + b = 0 with c = 4/(h^2 k), b = 4 s/h - U_N(n): energy is kept. Where s(n) is
// above zero the spring has nothing to give back, but would hold k s(n+1)^2/2 in the end for less
// work than that: such a step has the implicit rule, r_N = -h k s(n+1), c = 2/(h^2 k), b = 2 s/h.
// Tangents, by the implicit rule, since all that is known of the slip e of the last step is its
// impulse, e(n) = -r_T(n)/(h k):
//   r_T = -h k (e(n) + h U_T(n+1)),   c = 1/(h^2 k), b_T = -c r_T(n).
static void make_spring(const ProblemInput *in, const SurfaceLaw *surface, Problem *problem, int k,
                        int i)
{
  const SolverPair *pair = &problem->pairs[k];
  SolverPoint p = problem_point(problem, k, i);
  const double area = in->contacts->area[p.contact], h = in->step;
  if (!(area > 0)) return;   // what touches in a point is rigid
  const double normal = surface->normal_stiffness * area, shear = surface->shear_stiffness * area;
  const double before = problem_velocity(&p, in->start).x, gap = in->contacts->gap[p.contact];
  const bool implicit = normal > 0 && closes(in, &p, before);
  const double rule = implicit ? 2 : 4;
  p.law.give[0] = normal > 0 ? rule / (h * h * normal) : 0;
  p.law.give[1] = shear > 0 ? 1 / (h * h * shear) : 0;

  // tangents that make S diagonal, with the springs
  const mat3 basis = p.basis = contacts_basis(in->contacts->normal[p.contact]);
  const sym3 own = delassus_in_basis(&p, &in->mid[pair->low], &in->mid[pair->high]);
  const sym3 w = law_add_give(p.law, own);
  law_diagonalize(mat3_of_sym3(w), &p.basis);
  const vec3 reaction = mat3_mul_transposed(basis, in->contacts->reaction[p.contact]);
  const vec3 r = mat3_mul(p.basis, reaction);
  problem->levers[i].tangent = p.basis.row[1];
  problem->r[i] = r;
  problem->rho[i] = delassus_rho(&w);
  problem->limits[i] = law_limits(p.law, -p.law.give[1] * r.y, -p.law.give[1] * r.z);
  if (normal > 0) problem->offset[i] = rule / h * gap - (implicit ? 0 : before);
}

void elastic_points_make(const ProblemInput *in, Problem *problem)
{
  assert(in->step > 0 && "a step takes time");
  problem->sprung = in->laws->elastic;
  if (!problem->sprung) return;
  assert(problem->limits != NULL && "a problem with springs has their limits");
  const Bodies *b = in->bodies;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const SurfaceLaw *surface = surface_laws_of(in->laws, b, pair->low, pair->high);
    if (!(surface->normal_stiffness > 0) && !(surface->shear_stiffness > 0)) continue;
    for (int i = pair->first; i < problem_contacts_end(problem, k); i++)
      make_spring(in, surface, problem, k, i);
  }
}

void elastic_points_release(Problem *problem, int i)
{
  assert_debug(i >= 0 && i < problem->point_count && problem->limits != NULL && "it has limits");
  problem->limits[i] = law_no_limits();
  problem->offset[i] = INFINITY;
}
