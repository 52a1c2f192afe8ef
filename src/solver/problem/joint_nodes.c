// Finds the cell that holds a joint's place, and what impulses do there.
#include "joint_nodes.h"

#include <assert.h>

#include "check.h"
#include "finite_cell.h"

#define ON_SURFACE 1e-6   // of a face's reach: a place so near counts as one of the surface

// What a unit impulse there does there: three solutions of the body.
static mat3 response_inside(const ElasticFinite *finite, const FiniteCell *cell)
{
  FiniteBody *body = finite->body;
  vec3 *values = finite->load, column[3];
  for (int a = 0; a < 3; a++) {
    for (int n = 0; n < body->nodes; n++) values[n] = (vec3){0, 0, 0};
    for (int k = 0; k < cell->count; k++) {
      const double w = cell->weight[k];
      values[cell->node[k]] = (vec3){a == 0 ? w : 0, a == 1 ? w : 0, a == 2 ? w : 0};
    }
    finite_body_respond(body, values);
    column[a] = finite_cell_value(cell, values);
  }
  return mat3_transpose((mat3){{column[0], column[1], column[2]}});
}

static FinitePoint point_of(const ElasticFinite *finite, vec3 reference, Arena *arena)
{
  const FiniteShape *shape = finite->shape;
  const FiniteCell cell = finite_cell_at(shape, reference);
  double *weight = arena_allocate(arena, (size_t)cell.count * sizeof *weight);
  for (int k = 0; k < cell.count; k++) weight[k] = cell.weight[k];
  FinitePoint point = {.at = finite_shape_place(shape, reference),
                       .count = cell.count,
                       .node = cell.node,
                       .weight = weight};
  const vec3 to_surface = vec3_sub(reference, finite_place_value(&point.at, shape->mesh.place));
  if (vec3_norm(to_surface) <= ON_SURFACE * shape->reach[point.at.face]) return point;
  mat3 *own = arena_allocate(arena, sizeof *own);
  *own = response_inside(finite, &cell);
  point.own = own;
  return point;
}

void joint_nodes_set(const ProblemInput *in, Problem *problem, int k, int i, Arena *arena)
{
  if (!problem->finite) return;
  assert(in->joints != NULL && problem->low_place != NULL && "places have columns");
  const SolverPair *pair = &problem->pairs[k];
  const int row = problem_joint(problem, k, i);
  const ElasticFinite *low = finite_rows_find(problem->finite, pair->low),
                      *high = finite_rows_find(problem->finite, pair->high);
  if (low) problem->low_place[i] = point_of(low, in->joints->anchor[row], arena);
  if (high) problem->high_place[i] = point_of(high, in->joints->anchor_high[row], arena);
}
