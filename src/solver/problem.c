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

void problem_allocate_points(Problem *problem, int point_count, bool bonds, Arena *arena)
{
  const size_t points = (size_t)point_count + 1;
  problem->levers = arena_allocate(arena, points * sizeof *problem->levers);
  double **const columns[] = {&problem->friction, &problem->offset, &problem->rho, &problem->speed};
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    *columns[k] = arena_allocate(arena, points * sizeof(double));
  problem->r = arena_allocate(arena, points * sizeof *problem->r);
  problem->bonds = bonds ? arena_allocate_zero(arena, points, sizeof *problem->bonds) : NULL;
}

void problem_set_point(Problem *problem, int i, const SolverPoint *p)
{
  problem->levers[i] = (PointLever){p->frame.row[0], p->frame.row[1], p->low_arm};
  problem->friction[i] = p->law.friction;
  problem->offset[i] = p->offset.x;
  problem->rho[i] = p->rho;
  problem->speed[i] = p->speed;
  problem->r[i] = p->r;
  if (problem->bonds)
    problem->bonds[i] = (PointBond){p->law.tension, p->law.shear, {p->offset.y, p->offset.z}};
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
  Problem problem = {.row_count = graph->row_count,
                     .own_rows = graph->own_rows,
                     .bodies = in->bodies,
                     .ghost_ranks = in->ghost_ranks,
                     .mid = in->mid,
                     .point_count = graph->point_count,
                     .owned_points = graph->owned_points,
                     .owned = graph->owned,
                     .pair_count = graph->pair_count,
                     .pairs = graph->pairs,
                     .contacts = graph->contacts,
                     .colour_count = graph->colour_count,
                     .colour_start = graph->colour_start,
                     .before_colour = graph->before_colour,
                     .all = graph->all,
                     .swept = graph->swept,
                     .copies = graph->copies.pairs ? &graph->copies : NULL,
                     .body_start = graph->body_start,
                     .body_pairs = graph->body_pairs,
                     .twist = arena_allocate(arena, (rows + 1) * sizeof(Twist))};
  problem_allocate_points(&problem, graph->point_count, in->contacts->bond != NULL, arena);
  make_points(in, &problem);
  split_points(&problem);
  return problem;
}

void problem_velocities(const Problem *problem, const Twist *base, Twist *twist)
{
  for (int b = 0; b < problem->own_rows; b++) {
    Twist u = base[b];
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const PairSide side = problem_side(problem, problem->body_pairs[k]);
      for (int i = side.first; i < side.end; i++)
        u = problem_push_side(u, &problem->mid[b], &side, &problem->levers[i], problem->r[i]);
    }
    twist[b] = u;
  }
}
