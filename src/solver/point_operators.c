#include "point_operators.h"

PointOperators point_operators_new(const Problem *problem, Arena *arena)
{
  const int points = problem->point_count, ends = problem->body_start[problem->own_rows];
  PointOperators o = {
      .problem = problem,
      .levers = arena_allocate(arena, ((size_t)points + 1) * sizeof *o.levers),
      .ends = arena_allocate(arena, ((size_t)ends + 1) * sizeof *o.ends),
      .impulse = arena_allocate(arena, ((size_t)points + 1) * sizeof *o.impulse),
  };
  for (int i = 0; i < points; i++) {
    const SolverPoint *p = &problem->points[i];
    o.levers[i] = (PointLever){p->frame, p->low_arm, p->high_arm, p->low, p->high};
  }
  for (int b = 0; b < problem->own_rows; b++)
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const int i = problem->body_points[k];
      const PointLever *p = &o.levers[i];
      const bool high = p->low != b;
      o.ends[k] = (PointEnd){high ? p->high_arm : p->low_arm, i, high};
    }
  return o;
}

void point_operators_velocities(const PointOperators *o, const Twist *twist, vec3 *u)
{
  for (int i = 0; i < o->problem->point_count; i++) {
    const PointLever *p = &o->levers[i];
    const Twist *low = &twist[p->low], *high = &twist[p->high];
    const vec3 relative = vec3_sub(vec3_add(low->v, vec3_cross(low->w, p->low_arm)),
                                   vec3_add(high->v, vec3_cross(high->w, p->high_arm)));
    u[i] = mat3_mul(p->frame, relative);
  }
}

void point_operators_set(PointOperators *o, const vec3 *r)
{
  for (int i = 0; i < o->problem->point_count; i++)
    o->impulse[i] = mat3_mul_transposed(o->levers[i].frame, r[i]);
}

void point_operators_set_weighted(PointOperators *o, const vec3 *d, double sigma, const double *rho,
                                  const vec3 *u)
{
  for (int i = 0; i < o->problem->point_count; i++) {
    const vec3 local = vec3_axpy(-sigma * rho[i], u[i], d[i]);
    o->impulse[i] = rho[i] == 0 ? (vec3){0, 0, 0} : mat3_mul_transposed(o->levers[i].frame, local);
  }
}

PointLoad point_operators_load(const PointOperators *o, int body)
{
  PointLoad load = {{0, 0, 0}, {0, 0, 0}};
  const int end = o->problem->body_start[body + 1];
  for (int k = o->problem->body_start[body]; k < end; k++) {
    const PointEnd *p = &o->ends[k];
    const double sign = p->is_high ? -1 : 1;
    const vec3 impulse = o->impulse[p->point];
    load.push = vec3_axpy(sign, impulse, load.push);
    load.turn = vec3_axpy(sign, vec3_cross(p->arm, impulse), load.turn);
  }
  return load;
}

void point_operators_twists(const PointOperators *o, const Twist *base, Twist *twist)
{
  const Problem *problem = o->problem;
  for (int b = 0; b < problem->own_rows; b++) {
    Twist u = base[b];
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const PointEnd *p = &o->ends[k];
      u = problem_push(u, &problem->mid[b], o->impulse[p->point], p->arm, p->is_high ? -1 : 1);
    }
    twist[b] = u;
  }
}
