// Gathers bodies, nodes, points and shares of a contact problem on rank 0.
#include "dump_rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "kind.h"
#include "order.h"
#include "parallel.h"

static bool moves(const Problem *problem, int row) { return motion_moves(&problem->mid[row]); }

// points that are no constraint in this step are left out
static bool takes_part(const Problem *problem, int i)
{
  return problem->owned[i] && problem->offset[i] < INFINITY;
}

// ------------------------------------------------------------------------------------------------
// Bodies and nodes.

static DumpBody body_of(const Problem *problem, Velocities free, int row)
{
  const Bodies *bodies = problem->bodies;
  DumpBody body;
  memset(&body, 0, sizeof body);
  body.id = bodies->id[row];
  body.mass = motion_mass(bodies, row, &problem->mid[row]);
  body.free = free.twist[row];
  body.shape = bodies->shape[row];
  body.material = bodies->material[row];
  body.rotation = problem->mid[row].rotation;
  const ElasticFinite *finite = finite_rows_find(problem->finite, row);
  const ElasticRow *elastic = elastic_rows_find(problem->elastic, row);
  if (finite) {
    body.nodes = finite->body->nodes;
  } else if (elastic) {
    body.deforms = true;
    memcpy(body.resist, elastic->resist, sizeof body.resist);
    elastic_numbers_of_field(elastic_field(free, row), body.field);
  }
  return body;
}

static const DumpBody *gather_bodies(const Problem *problem, Velocities free, int *count,
                                     Arena *arena)
{
  DumpBody *bodies = arena_allocate(arena, ((size_t)problem->own_rows + 1) * sizeof *bodies);
  size_t own = 0;
  for (int b = 0; b < problem->own_rows; b++)
    if (moves(problem, b)) bodies[own++] = body_of(problem, free, b);
  return gathered_bodies(bodies, own, sizeof *bodies, count, arena);
}

static int compare_nodes(const void *a, const void *b)
{
  const DumpNode *p = a, *q = b;
  if (p->body != q->body) return p->body < q->body ? -1 : 1;
  return order_int(p->number, q->number);
}

static const DumpNode *gather_nodes(const Problem *problem, Velocities free, int *count,
                                    Arena *arena)
{
  const FiniteRows *finite = problem->finite;
  const size_t room = finite ? (size_t)finite_rows_nodes(finite, problem->own_rows) : 0;
  DumpNode *nodes = arena_allocate_zero(arena, room + 1, sizeof *nodes);
  size_t own = 0;
  for (int b = 0; b < problem->own_rows; b++) {
    const ElasticFinite *of = finite_rows_find(finite, b);
    for (int n = 0; of && n < of->body->nodes; n++) {
      DumpNode *node = &nodes[own++];
      node->body = problem->bodies->id[b];
      node->number = n;
      node->free = mat3_mul(problem->mid[b].rotation, free.nodes[finite->first[b] + n]);
    }
  }
  return gathered_sorted(nodes, own, (GatheredKind){sizeof *nodes, compare_nodes}, count, arena);
}

// ------------------------------------------------------------------------------------------------
// Points and shares.

// What a point is judged by beside its bodies' unknowns.
typedef struct {
  const Problem *problem;
  Velocities free;
} DumpTaker;

// velocity at a point of a body that is not among the unknowns
static vec3 given_velocity(const DumpTaker *taker, MaterialPoint point)
{
  if (moves(taker->problem, point.row)) return (vec3){0, 0, 0};
  return material_point_velocity(&point, taker->free.twist[point.row]);
}

static bool take_point(const void *context, int k, int i, const SolverPoint *p, vec3 more[2])
{
  const DumpTaker *taker = context;
  (void)k;
  assert_debug(i >= 0 && i < taker->problem->point_count && "a point of the problem");
  if (!takes_part(taker->problem, i)) return false;
  const vec3 given = vec3_sub(given_velocity(taker, problem_low_point(p)),
                              given_velocity(taker, problem_high_point(p)));
  more[0] = vec3_add(mat3_mul(p->basis, given), p->offset);
  return true;
}

static int compare_shares(const void *a, const void *b)
{
  const DumpShare *p = a, *q = b;
  const int pair = id_pair_compare(p->ids, q->ids);
  if (pair != 0) return pair;
  if (p->order != q->order) return order_int(p->order, q->order);
  return p->high != q->high ? order_int(p->high, q->high) : order_int(p->place, q->place);
}

static int shares_of(const FinitePoint *point)
{
  assert_debug(point->count >= 0 && "shares are counted");
  return point->count > 0 ? point->count : FINITE_FACE;
}

// how many shares all points have that take part here, those of no weight among them
static int count_shares(const Problem *problem)
{
  int count = 0;
  for (int k = 0; k < problem->pair_count && problem->finite; k++) {
    const SolverPair *pair = &problem->pairs[k];
    for (int i = pair->first; i < pair->end; i++) {
      if (!takes_part(problem, i)) continue;
      const FinitePoint *low = problem_place_in(problem, pair->low, i, false),
                        *high = problem_place_in(problem, pair->high, i, true);
      count += (low ? shares_of(low) : 0) + (high ? shares_of(high) : 0);
    }
  }
  return count;
}

// the shares of a point in one of its bodies; returns how many
static int add_shares(const FinitePoint *point, const DumpShare *like, DumpShare *to)
{
  const int *node = point->count > 0 ? point->node : point->at.node;
  const double *weight = point->count > 0 ? point->weight : point->at.weight;
  int count = 0;
  for (int k = 0; k < shares_of(point); k++) {
    if (weight[k] == 0) continue;
    to[count] = *like;
    to[count].place = k;
    to[count].node = node[k];
    to[count++].weight = weight[k];
  }
  return count;
}

static const DumpShare *gather_shares(const Problem *problem, int *count, Arena *arena)
{
  const uint64_t *id = problem->bodies->id;
  DumpShare *shares = arena_allocate_zero(arena, (size_t)count_shares(problem) + 1, sizeof *shares);
  size_t own = 0;
  for (int k = 0; k < problem->pair_count && problem->finite; k++) {
    const SolverPair *pair = &problem->pairs[k];
    for (int i = pair->first; i < pair->end; i++) {
      if (!takes_part(problem, i)) continue;
      for (int side = 0; side < 2; side++) {
        const bool high = side == 1;
        const FinitePoint *point =
            problem_place_in(problem, high ? pair->high : pair->low, i, high);
        const DumpShare like = {
            .ids = {id[pair->low], id[pair->high]}, .order = i - pair->first, .high = high};
        if (point) own += (size_t)add_shares(point, &like, shares + own);
      }
    }
  }
  return gathered_sorted(shares, own, (GatheredKind){sizeof *shares, compare_shares}, count, arena);
}

// ------------------------------------------------------------------------------------------------

DumpSize dump_rows_size(const Problem *problem)
{
  assert(problem->own_rows <= problem->row_count && "own rows come first");
  int64_t unknowns = 0, numbers = 9 * (int64_t)count_shares(problem);
  for (int b = 0; b < problem->own_rows; b++) {
    if (!moves(problem, b)) continue;
    const ElasticFinite *finite = finite_rows_find(problem->finite, b);
    if (finite) {
      const FiniteStiffness *k0 = &finite->body->stiffness;
      unknowns += 3 * (int64_t)k0->nodes;
      numbers += FINITE_BLOCK * (int64_t)k0->start[k0->nodes];
      continue;
    }
    const int more = elastic_rows_find(problem->elastic, b) ? ELASTIC_UNKNOWNS : 3;
    unknowns += 3 + more;
    numbers += 3 + (int64_t)more * more;
  }
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const int rows[2] = {pair->low, pair->high};
    int64_t columns = 0;   // numbers of a row of H but for those of nodes
    for (int side = 0; side < 2; side++) {
      if (!moves(problem, rows[side]) || finite_rows_find(problem->finite, rows[side])) continue;
      columns += 3 + (elastic_rows_find(problem->elastic, rows[side]) ? ELASTIC_UNKNOWNS : 3);
    }
    for (int i = pair->first; i < pair->end; i++)
      if (takes_part(problem, i)) numbers += 3 * columns;
  }
  return (DumpSize){par_sum(unknowns), par_sum(numbers)};
}

DumpRows dump_rows_gather(const Problem *problem, Velocities free, Arena *arena)
{
  assert((free.twist != NULL || problem->row_count == 0) && "bodies have free velocities");
  assert((!problem->finite || free.nodes != NULL) && "so have nodes");
  const DumpTaker taker = {problem, free};
  DumpRows rows;
  rows.bodies = gather_bodies(problem, free, &rows.body_count, arena);
  rows.nodes = gather_nodes(problem, free, &rows.node_count, arena);
  rows.points =
      gathered_points(problem, (PointTaker){take_point, &taker}, &rows.point_count, arena);
  rows.shares = gather_shares(problem, &rows.share_count, arena);
  return rows;
}
