// Gauss-Seidel on the points of one pair, one after another.
#include "pair_sweep.h"

#include "delassus.h"
#include "split.h"

static vec3 plus_zero(vec3 a) { return (vec3){a.x + 0.0, a.y + 0.0, a.z + 0.0}; }

// zeros lose their sign: then a point whose impulse stays adds nothing, not even a sign
static Twist without_sign(Twist u) { return (Twist){plus_zero(u.v), plus_zero(u.w)}; }

// the points of a pair one after another, velocities of both bodies or their copies at hand
void pair_sweep(Problem *problem, int k, vec3 *r)
{
  const SolverPair *pair = &problem->pairs[k];
  const SweepPair sweep = split_pair(problem, k);
  const MidState low = split_mid(&problem->mid[pair->low], sweep.low_copies),
                 high = split_mid(&problem->mid[pair->high], sweep.high_copies);
  Twist a = without_sign(problem->twist[sweep.low]), b = without_sign(problem->twist[sweep.high]);
  for (int i = pair->first; i < pair->end; i++) {
    SolverPoint p = problem_point(problem, k, i);
    p.r = r[i];
    const MaterialPoint at_low = problem_low_point(&p), at_high = problem_high_point(&p);
    const vec3 relative =
        vec3_sub(material_point_velocity(&at_low, a), material_point_velocity(&at_high, b));
    const LocalDelassus w = delassus_of_point(problem, k, i);
    vec3 q = vec3_sub(mat3_mul(p.basis, relative), law_apply(&w, p.r));
    q = law_add_elastic(p.law, vec3_add(q, p.offset), p.r);
    const vec3 found = law_solve_point(&w, p.law, q);
    const vec3 change = vec3_sub(found, p.r);
    if (change.x == 0 && change.y == 0 && change.z == 0) continue;
    r[i] = found;
    const vec3 impulse = mat3_mul_transposed(p.basis, change);
    a = material_point_push(&at_low, &low, impulse, 1, a);
    b = material_point_push(&at_high, &high, impulse, -1, b);
  }
  problem->twist[sweep.low] = a;
  problem->twist[sweep.high] = b;
}
