// Applies H and H' pair by pair.
#include "point_operators.h"

#include <assert.h>

#include "check.h"

PointOperators point_operators_new(const Problem *problem, Arena *arena)
{
  assert(problem->pair_count >= 0 && "pairs are counted");
  const size_t pairs = (size_t)problem->pair_count + 1;
  return (PointOperators){problem, arena_allocate(arena, pairs * sizeof(PointLoad)), NULL};
}

void point_operators_velocities(const PointOperators *o, const Twist *twist, vec3 *u)
{
  assert((u != NULL || o->problem->point_count == 0) && "every point gets a velocity");
  const Problem *problem = o->problem;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!rigid_pairs_has(problem->bodies, pair->low, pair->high)) {
      for (int i = pair->first; i < pair->end; i++) {
        const SolverPoint p = problem_point(problem, k, i);
        u[i] = problem_velocity(&p, twist);
      }
      continue;
    }

    // v_low + w_low x a - v_high - w_high x (a + c)
    const Twist low = twist[pair->low], high = twist[pair->high];
    const vec3 c = problem_between(problem, pair);
    const vec3 v = vec3_sub(vec3_sub(low.v, high.v), vec3_cross(high.w, c));
    const vec3 w = vec3_sub(low.w, high.w);
    for (int i = pair->first; i < pair->end; i++) {
      const PointLever *p = &problem->levers[i];
      const vec3 relative = vec3_add(v, vec3_cross(w, p->low_arm));
      u[i] = (vec3){vec3_dot(p->normal, relative), vec3_dot(p->tangent, relative),
                    vec3_dot(vec3_cross(p->normal, p->tangent), relative)};
    }
  }
}

void point_operators_set(PointOperators *o, const vec3 *r)
{
  assert((r != NULL || o->problem->point_count == 0) && "every point has an impulse");
  const Problem *problem = o->problem;
  o->r = r;
  for (int k = 0; k < problem->pair_count; k++) {
    PointLoad load = {{0, 0, 0}, {0, 0, 0}};
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const PointLever *p = &problem->levers[i];
      const vec3 across =
          vec3_axpy(r[i].z, vec3_cross(p->normal, p->tangent), vec3_scale(r[i].y, p->tangent));
      const vec3 impulse = vec3_axpy(r[i].x, p->normal, across);
      load.push = vec3_add(load.push, impulse);
      load.turn = vec3_add(load.turn, vec3_cross(p->low_arm, impulse));
    }
    o->loads[k] = load;
  }
}

PointLoad point_operators_load(const PointOperators *o, int body)
{
  assert_debug(body >= 0 && body < o->problem->own_rows && "pairs of own rows are known");
  PointLoad sum = {{0, 0, 0}, {0, 0, 0}};
  const Problem *problem = o->problem;
  for (int e = problem->body_start[body]; e < problem->body_start[body + 1]; e++) {
    const int pair = problem->body_pairs[e] / 2;
    const PointLoad load = o->loads[pair];
    if (problem->body_pairs[e] % 2 == 0) {
      sum.push = vec3_add(sum.push, load.push);
      sum.turn = vec3_add(sum.turn, load.turn);
    } else {
      const vec3 c = problem_between(problem, &problem->pairs[pair]);
      sum.push = vec3_sub(sum.push, load.push);
      sum.turn = vec3_sub(sum.turn, vec3_add(load.turn, vec3_cross(c, load.push)));
    }
  }
  return sum;
}

void point_operators_twists(const PointOperators *o, const Twist *base, Twist *twist)
{
  assert(base != NULL && twist != NULL && "velocities have a base and a place");
  for (int b = 0; b < o->problem->own_rows; b++) {
    if (!rigid_pairs_body(o->problem->bodies, b)) {
      twist[b] = problem_velocity_of_body(o->problem, b, o->r, base[b]);
      continue;
    }
    const MidState *mid = &o->problem->mid[b];
    const PointLoad load = point_operators_load(o, b);
    twist[b] = (Twist){vec3_axpy(mid->inverse_mass, load.push, base[b].v),
                       vec3_add(base[b].w, mat3_mul(mid->inverse_inertia, load.turn))};
  }
}
