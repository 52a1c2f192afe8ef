// Rows of finite elements in the contact problem.
#include "finite_rows.h"

#include <assert.h>

const FiniteRows *finite_rows_new(const Bodies *bodies, const MidState *mid, const int *first,
                                  Arena *arena)
{
  assert(first != NULL && bodies->table.owned <= bodies->table.count && "rows have their nodes");
  const int rows = bodies->table.count;
  const ElasticFinite **of = arena_allocate_zero(arena, (size_t)rows + 1, sizeof *of);
  for (int i = 0; i < rows; i++)
    if (motion_moves(&mid[i])) of[i] = kind_mesh(bodies, i);
  FiniteRows *made = arena_allocate(arena, sizeof *made);
  *made = (FiniteRows){first, of};
  return made;
}

mat3 finite_rows_delassus(const ElasticFinite *finite, const FinitePoint *point,
                          const MidState *mid)
{
  assert_debug(mid->inverse_mass > 0 && "a row that deforms moves");
  const mat3 r = mid->rotation;
  const mat3 own = point->own ? *point->own : finite_response_at(&finite->response, &point->at);
  return mat3_mul_mat(r, mat3_mul_mat(own, mat3_transpose(r)));
}

// The rows of one side of a plan as rows of nodes.
static int *nodes_of(const FiniteRows *rows, int neighbours, const int *start, const int *plan_rows,
                     int *node_start, Arena *arena)
{
  int count = 0;
  for (int k = 0; k < start[neighbours]; k++)
    count += rows->first[plan_rows[k] + 1] - rows->first[plan_rows[k]];
  int *nodes = arena_allocate(arena, ((size_t)count + 1) * sizeof *nodes);
  int made = 0;
  for (int i = 0; i < neighbours; i++) {
    node_start[i] = made;
    for (int k = start[i]; k < start[i + 1]; k++)
      for (int n = rows->first[plan_rows[k]]; n < rows->first[plan_rows[k] + 1]; n++)
        nodes[made++] = n;
  }
  node_start[neighbours] = made;
  return nodes;
}

HaloPlan finite_rows_plan(const FiniteRows *rows, const HaloPlan *plan, Arena *arena)
{
  const int n = plan->neighbour_count;
  assert(n >= 0 && "neighbours are counted");
  if (n == 0) return *plan;
  HaloPlan of_nodes = {.neighbour_count = n,
                       .ranks = plan->ranks,
                       .send_start = arena_allocate(arena, ((size_t)n + 1) * sizeof(int)),
                       .receive_start = arena_allocate(arena, ((size_t)n + 1) * sizeof(int))};
  of_nodes.send_rows =
      nodes_of(rows, n, plan->send_start, plan->send_rows, of_nodes.send_start, arena);
  of_nodes.receive_rows =
      nodes_of(rows, n, plan->receive_start, plan->receive_rows, of_nodes.receive_start, arena);
  return of_nodes;
}
