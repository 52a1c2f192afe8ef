#pragma once
// Rows of finite elements, as the contact problem knows them: a point of such a row moves with
// nodes of its mesh by their shares, u = sum w_n u_n, and an impulse f on the point is w_n f on
// these nodes. Velocities and impulses of nodes are in the axes of the body.
#include "arena.h"
#include "check.h"
#include "halo.h"
#include "kind.h"

typedef struct {
  const int *first;                 // [rows + 1] nodes of a row: from first[row] to first[row + 1]
  const ElasticFinite *const *of;   // [rows] NULL: not of finite elements
} FiniteRows;

// Local. first: as above, of all rows. Memory from the arena.
const FiniteRows *finite_rows_new(const Bodies *bodies, const MidState *mid, const int *first,
                                  Arena *arena);

// Local. What a row is made of; NULL: it is not of finite elements.
static inline const ElasticFinite *finite_rows_find(const FiniteRows *rows, int row)
{
  assert_debug(row >= 0 && "a body has a row");
  return rows ? rows->of[row] : NULL;
}

// Local. Nodes of all rows.
static inline int finite_rows_nodes(const FiniteRows *rows, int row_count)
{
  assert_debug(row_count >= 0 && "rows are counted");
  return rows->first[row_count];
}

// Local. The velocity there, world axes, from those of the nodes of the row, m/s.
static inline vec3 finite_rows_velocity(const FinitePoint *point, const MidState *mid,
                                        const vec3 *nodes)
{
  assert_debug(nodes != NULL && "nodes have velocities");
  return mat3_mul(mid->rotation, finite_point_value(point, nodes));
}

// Local. Adds an impulse at the point, world axes, to those of the nodes of the row, N s.
static inline void finite_rows_push(const FinitePoint *point, const MidState *mid, vec3 impulse,
                                    vec3 *nodes)
{
  assert_debug(nodes != NULL && "nodes have impulses");
  const vec3 own = mat3_mul_transposed(mid->rotation, impulse);
  for (int k = 0; k < point->count; k++)
    nodes[point->node[k]] = vec3_axpy(point->weight[k], own, nodes[point->node[k]]);
  const FinitePlace *at = &point->at;
  for (int k = 0; k < FINITE_FACE && point->count == 0; k++)
    nodes[at->node[k]] = vec3_axpy(at->weight[k], own, nodes[at->node[k]]);
}

// Local. Share of the row in W of the place of a point, world axes, 1/kg.
mat3 finite_rows_delassus(const ElasticFinite *finite, const FinitePoint *point,
                          const MidState *mid);

// Local. A plan of rows as one of their nodes (halo_refresh). Memory from the arena, but for the
// ranks, which are the plan's.
HaloPlan finite_rows_plan(const FiniteRows *rows, const HaloPlan *plan, Arena *arena);
