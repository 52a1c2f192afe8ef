// Applies H and H' pair by pair.
#include "point_operators.h"

#include <assert.h>

#include "check.h"

PointOperators point_operators_new(const Problem *problem, Arena *arena)
{
  assert(problem->pair_count >= 0 && "pairs are counted");
  const size_t pairs = (size_t)problem->pair_count + 1;
  mat3 *dyads = problem->elastic ? arena_allocate(arena, pairs * sizeof *dyads) : NULL;
  return (PointOperators){.problem = problem,
                          .loads = arena_allocate(arena, pairs * sizeof(PointLoad)),
                          .dyads = dyads,
                          .apart =
                              problem->apart ? arena_allocate(arena, pairs * sizeof(mat3)) : NULL};
}

static inline vec3 in_basis(const PointLever *p, vec3 u)
{
  return (vec3){vec3_dot(p->normal, u), vec3_dot(p->tangent, u),
                vec3_dot(vec3_cross(p->normal, p->tangent), u)};
}

// v_low + L_low a - v_high - L_high (a + c)
static void elastic_velocities(const Problem *problem, int k, Velocities of, vec3 *u)
{
  const SolverPair *pair = &problem->pairs[k];
  const bool lines = problem_has_lines(problem, k);
  const mat3 low = elastic_field(of, pair->low), high = elastic_field(of, pair->high);
  const vec3 c = problem_between(problem, pair);
  const vec3 apart = vec3_sub(of.twist[pair->low].v, of.twist[pair->high].v);
  const vec3 v = vec3_sub(apart, mat3_mul(high, c));
  const mat3 field = mat3_add(low, mat3_scale(-1, high));
  for (int i = pair->first; i < pair->end; i++) {
    const PointLever *p = &problem->levers[i];
    vec3 relative = vec3_add(v, mat3_mul(field, p->low_arm));
    if (lines) relative = vec3_add(relative, mat3_mul(high, problem->apart[i]));
    u[i] = in_basis(p, relative);
  }
}

// The same of a pair with a body of finite elements, point by point.
static void velocities_of_nodes(const Problem *problem, int k, Velocities of, vec3 *u)
{
  const SolverPair *pair = &problem->pairs[k];
  for (int i = pair->first; i < pair->end; i++) {
    const SolverPoint p = problem_point(problem, k, i);
    u[i] = problem_velocity_by_kind(&p, of);
  }
}

void point_operators_velocities(const PointOperators *o, Velocities velocities, vec3 *u)
{
  assert((u != NULL || o->problem->point_count == 0) && "every point gets a velocity");
  const Problem *problem = o->problem;
  const Twist *twist = velocities.twist;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!rigid_pairs_has(problem->bodies, pair->low, pair->high)) {
      if (problem->elastic) {
        if (problem_has_nodes(problem, pair)) velocities_of_nodes(problem, k, velocities, u);
        else elastic_velocities(problem, k, velocities, u);
        continue;
      }
      for (int i = pair->first; i < pair->end; i++) {
        const SolverPoint p = problem_point(problem, k, i);
        u[i] = problem_velocity(&p, velocities);
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
      u[i] = in_basis(p, vec3_add(v, vec3_cross(w, p->low_arm)));
    }
  }
}

static inline vec3 impulse_of(const PointLever *p, vec3 r)
{
  const vec3 across =
      vec3_axpy(r.z, vec3_cross(p->normal, p->tangent), vec3_scale(r.y, p->tangent));
  return vec3_axpy(r.x, p->normal, across);
}

// dyads of pairs of which one deforms
static void set_dyads(PointOperators *o, const vec3 *r)
{
  const Problem *problem = o->problem;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (rigid_pairs_has(problem->bodies, pair->low, pair->high)) continue;
    mat3 dyad = mat3_diagonal(0, 0, 0), apart = dyad;
    for (int i = pair->first; i < pair->end; i++) {
      const PointLever *p = &problem->levers[i];
      const vec3 impulse = impulse_of(p, r[i]);
      dyad = mat3_add(dyad, mat3_outer(impulse, p->low_arm));
      if (o->apart) apart = mat3_add(apart, mat3_outer(impulse, problem->apart[i]));
    }
    o->dyads[k] = dyad;
    if (o->apart) o->apart[k] = apart;
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
      const vec3 impulse = impulse_of(p, r[i]);
      load.push = vec3_add(load.push, impulse);
      load.turn = vec3_add(load.turn, vec3_cross(p->low_arm, impulse));
    }
    o->loads[k] = load;
  }
  if (o->dyads) set_dyads(o, r);
}

DyadLoad point_operators_dyad_load(const PointOperators *o, int body)
{
  assert_debug(body >= 0 && body < o->problem->own_rows && o->dyads && "an own row that deforms");
  DyadLoad sum = {{0, 0, 0}, mat3_diagonal(0, 0, 0)};
  const Problem *problem = o->problem;
  for (int e = problem->body_start[body]; e < problem->body_start[body + 1]; e++) {
    const int pair = problem->body_pairs[e] / 2;
    const bool high = problem->body_pairs[e] % 2 != 0;
    const vec3 push = vec3_scale(high ? -1 : 1, o->loads[pair].push);
    sum.push = vec3_add(sum.push, push);
    sum.dyad = mat3_add(sum.dyad, mat3_scale(high ? -1 : 1, o->dyads[pair]));
    if (!high) continue;
    const vec3 c = problem_between(problem, &problem->pairs[pair]);
    sum.dyad = mat3_add(sum.dyad, mat3_outer(push, c));
    if (problem_has_lines(problem, pair)) sum.dyad = mat3_add(sum.dyad, o->apart[pair]);
  }
  return sum;
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

void point_operators_twists(const PointOperators *o, Velocities base, VelocityColumns to)
{
  Twist *twist = to.twist;
  mat3 *stretch = to.stretch;
  assert(base.twist != NULL && twist != NULL && "velocities have a base and a place");
  const Problem *problem = o->problem;
  for (int m = 0; m < problem_mover_count(problem); m++) {
    const int b = problem_mover(problem, m);
    const MidState *mid = &problem->mid[b];
    const ElasticRow *elastic = elastic_rows_find(problem->elastic, b);
    if (problem->elastic) stretch[b] = base.stretch[b];
    if (finite_rows_find(problem->finite, b)) {
      problem_respond(problem, b, o->r, base, to);
      continue;
    }
    if (elastic) {
      const DyadLoad load = point_operators_dyad_load(o, b);
      twist[b] = base.twist[b];
      twist[b].v = vec3_axpy(mid->inverse_mass, load.push, twist[b].v);
      stretch[b] = mat3_add(stretch[b], elastic_row_respond(elastic, load.dyad));
      continue;
    }
    if (!rigid_pairs_body(problem->bodies, b)) {
      twist[b] = problem_velocity_of_body(problem, b, o->r, base.twist[b]);
      continue;
    }
    const PointLoad load = point_operators_load(o, b);
    twist[b] = (Twist){vec3_axpy(mid->inverse_mass, load.push, base.twist[b].v),
                       vec3_add(base.twist[b].w, mat3_mul(mid->inverse_inertia, load.turn))};
  }
}
