#include "delassus.h"

#include "split.h"

// adds what one body's turning gives in a frame: (arm x f_i).I^-1 (arm x f_j)
static void add_turning(const mat3 *frame, const mat3 *inverse_inertia, vec3 arm, SymmetricW *w)
{
  vec3 turn[3], spin[3];
  for (int i = 0; i < 3; i++) {
    turn[i] = vec3_cross(arm, frame->row[i]);
    spin[i] = mat3_mul(*inverse_inertia, turn[i]);
  }
  w->xx += vec3_dot(turn[0], spin[0]);
  w->xy += vec3_dot(turn[0], spin[1]);
  w->xz += vec3_dot(turn[0], spin[2]);
  w->yy += vec3_dot(turn[1], spin[1]);
  w->yz += vec3_dot(turn[1], spin[2]);
  w->zz += vec3_dot(turn[2], spin[2]);
}

LocalDelassus delassus_of_point(const Problem *problem, int k, int i)
{
  const SolverPair *pair = &problem->pairs[k];
  const SweepPair sweep = split_pair(problem, k);
  const MidState low = split_mid(&problem->mid[pair->low], sweep.low_copies),
                 high = split_mid(&problem->mid[pair->high], sweep.high_copies);
  const PointLever *lever = &problem->levers[i];
  const mat3 frame = lever_frame(lever);
  const double mass = low.inverse_mass + high.inverse_mass;
  SymmetricW w = {mass, 0, 0, mass, 0, mass};
  add_turning(&frame, &low.inverse_inertia, lever->low_arm, &w);
  add_turning(&frame, &high.inverse_inertia,
              vec3_add(lever->low_arm, problem_between(problem, pair)), &w);
  return law_turned(&w);
}
