// Gauss-Seidel on the points of one pair, one after another.
#include "pair_sweep.h"

#include "delassus.h"
#include "split.h"

static vec3 plus_zero(vec3 a) { return (vec3){a.x + 0.0, a.y + 0.0, a.z + 0.0}; }

// zeros lose their sign: then a point whose impulse stays adds nothing, not even a sign
static Twist without_sign(Twist u) { return (Twist){plus_zero(u.v), plus_zero(u.w)}; }

// Velocities of the bodies of a pair or of their copies, and their inertia.
typedef struct {
  MidState low, high;
  Twist a, b;
} PairMotion;

static void sweep_point(Problem *problem, int k, int i, vec3 *r, PairMotion *m)
{
  SolverPoint p = problem_point(problem, k, i);
  p.r = r[i];
  const MaterialPoint at_low = problem_low_point(&p), at_high = problem_high_point(&p);
  const vec3 relative =
      vec3_sub(material_point_velocity(&at_low, m->a), material_point_velocity(&at_high, m->b));
  const LocalDelassus w = delassus_of_point(problem, k, i);
  vec3 q = vec3_sub(mat3_mul(p.basis, relative), law_apply(&w, p.r));
  q = law_add_elastic(p.law, vec3_add(q, p.offset), p.r);
  const vec3 found = law_solve_point(&w, p.law, q);
  const vec3 change = vec3_sub(found, p.r);
  if (change.x == 0 && change.y == 0 && change.z == 0) return;
  r[i] = found;
  const vec3 impulse = mat3_mul_transposed(p.basis, change);
  m->a = material_point_push(&at_low, &m->low, impulse, 1, m->a);
  m->b = material_point_push(&at_high, &m->high, impulse, -1, m->b);
}

void pair_sweep(Problem *problem, int k, int more_passes, vec3 *r)
{
  const SolverPair *pair = &problem->pairs[k];
  const SweepPair sweep = split_pair(problem, k);
  PairMotion m = {.low = split_mid(&problem->mid[pair->low], sweep.low_copies),
                  .high = split_mid(&problem->mid[pair->high], sweep.high_copies),
                  .a = without_sign(problem->twist[sweep.low]),
                  .b = without_sign(problem->twist[sweep.high])};
  const int passes = pair->end - pair->first > 1 ? 1 + more_passes : 1;
  for (int pass = 0; pass < passes; pass++)
    for (int i = pair->first; i < pair->end; i++) sweep_point(problem, k, i, r, &m);
  problem->twist[sweep.low] = m.a;
  problem->twist[sweep.high] = m.b;
}
