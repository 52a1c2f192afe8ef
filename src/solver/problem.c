#include "problem.h"

#include "make_points.h"
#include "split.h"

vec3 problem_velocity(const SolverPoint *p, const Twist *twist)
{
  const Twist low = twist[p->low], high = twist[p->high];
  const vec3 relative = vec3_sub(vec3_add(low.v, vec3_cross(low.w, p->low_arm)),
                                 vec3_add(high.v, vec3_cross(high.w, p->high_arm)));
  return mat3_mul(p->frame, relative);
}

double problem_extent(const Bodies *bodies, ShapeSet *shapes, int low, int high)
{
  const double a = shape_set_get(shapes, bodies->shape[low])->extent;
  const double b = shape_set_get(shapes, bodies->shape[high])->extent;
  return a < b ? a : b;
}

Problem problem_new(const ProblemInput *in, GraphCache *cache, Arena *arena)
{
  // what making a graph takes is kilobytes a body: points take its place
  const ArenaMark mark = arena_mark(arena);
  const int most_pairs = in->most_pairs ? in->most_pairs : COPY_PAIRS;
  const ContactGraph *graph =
      graph_find(cache, in->bodies, in->ghost_ranks, in->contacts, most_pairs, arena);
  if (cache) arena_release(arena, mark);
  const size_t rows = (size_t)graph->row_count + (size_t)graph->copies.count;
  Problem problem = {
      .row_count = graph->row_count,
      .own_rows = graph->own_rows,
      .bodies = in->bodies,
      .ghost_ranks = in->ghost_ranks,
      .mid = in->mid,
      .point_count = graph->point_count,
      .owned_points = graph->owned_points,
      .points = arena_allocate(arena, ((size_t)graph->point_count + 1) * sizeof(SolverPoint)),
      .owned = graph->owned,
      .pair_count = graph->pair_count,
      .pairs = graph->pairs,
      .colour_count = graph->colour_count,
      .colour_start = graph->colour_start,
      .before_colour = graph->before_colour,
      .all = graph->all,
      .swept = graph->swept,
      .copies = graph->copies.pairs ? &graph->copies : NULL,
      .body_start = graph->body_start,
      .body_points = graph->body_points,
      .twist = arena_allocate(arena, (rows + 1) * sizeof(Twist))};
  make_points(in, graph->pairs, graph->contacts, graph->pair_count, problem.points);
  split_points(&problem);
  return problem;
}

void problem_velocities(const Problem *problem, const Twist *base, Twist *twist)
{
  for (int b = 0; b < problem->own_rows; b++) {
    Twist u = base[b];
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const SolverPoint *p = &problem->points[problem->body_points[k]];
      const vec3 impulse = mat3_mul_transposed(p->frame, p->r);
      u = p->low == b ? problem_push(u, &problem->mid[b], impulse, p->low_arm, 1)
                      : problem_push(u, &problem->mid[b], impulse, p->high_arm, -1);
    }
    twist[b] = u;
  }
}
