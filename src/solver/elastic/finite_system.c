// Products and solutions of the nodes of bodies in the system of ADMM.
#include "finite_system.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "halo.h"
#include "memory.h"

struct FiniteSystem {
  const Problem *problem;
  SystemRows rows;
  Arena *arena;
  int *first;              // [space->count + 1] nodes of rows
  HaloPlan plan;           // of nodes
  const double *weights;   // [points] of the last prepare
  vec3 *impulse;           // [points] of the last product, on the lower body, world axes
  vec3 *work;              // [FINITE_TOGETHER * most nodes of a row]
  FiniteSingle **factor;   // [own] of the last prepare; NULL: the row has no nodes
};

void finite_factors_destroy(FiniteFactors *factors)
{
  assert(factors->count >= 0 && "factors are counted");
  for (int i = 0; i < factors->count; i++) finite_single_destroy(factors->of[i]);
  memory_free(factors->of);
  *factors = (FiniteFactors){0, NULL};
}

static const ElasticFinite *finite_of(const FiniteSystem *s, int row)
{
  return finite_rows_find(s->problem->finite, s->rows.body_of_row[row]);
}

FiniteSystem *finite_system_new(const Problem *problem, const SystemRows *rows, Arena *arena)
{
  assert(problem->finite != NULL && "some row is of finite elements");
  FiniteSystem *s = arena_allocate(arena, sizeof *s);
  *s = (FiniteSystem){.problem = problem, .rows = *rows, .arena = arena};
  const size_t count = (size_t)rows->space->count + 1;
  s->first = arena_allocate_zero(arena, count + 1, sizeof *s->first);
  const ElasticFinite **of = arena_allocate_zero(arena, count, sizeof *of);
  int most = 0;
  for (int row = 0; row < rows->space->count; row++) {
    of[row] = finite_of(s, row);
    const int nodes = of[row] ? of[row]->body->nodes : 0;
    s->first[row + 1] = s->first[row] + nodes;
    if (nodes > most) most = nodes;
  }
  s->plan = finite_rows_plan(&(FiniteRows){s->first, of}, &rows->space->plan, arena);
  s->impulse = arena_allocate_zero(arena, (size_t)problem->point_count + 1, sizeof *s->impulse);
  s->work = arena_allocate(arena, (FINITE_TOGETHER * (size_t)most + 1) * sizeof *s->work);
  return s;
}

int finite_system_nodes(const FiniteSystem *s, bool ghosts)
{
  assert_debug(s->rows.space->own <= s->rows.space->count && "own rows come first");
  return s->first[ghosts ? s->rows.space->count : s->rows.space->own];
}

vec3 *finite_system_vector(const FiniteSystem *s, bool ghosts)
{
  return arena_allocate_zero(s->arena, (size_t)finite_system_nodes(s, ghosts) + 1, sizeof(vec3));
}

vec3 *finite_system_row(const FiniteSystem *s, int row, vec3 *vector, int *count)
{
  assert_debug(row >= 0 && row < s->rows.space->count && "a row of the system");
  *count = s->first[row + 1] - s->first[row];
  return *count > 0 ? vector + s->first[row] : NULL;
}

void finite_system_refresh(const FiniteSystem *s, vec3 *vector)
{
  assert_debug(vector != NULL && "nodes have values");
  halo_refresh(&s->plan, vector, sizeof *vector, s->arena);
}

// ------------------------------------------------------------------------------------------------
// Factors.

// The block of two nodes in K0; -1: they share no cell.
static int block_of(const FiniteStiffness *k0, int row, int column)
{
  assert_debug(row >= 0 && row < k0->nodes && "a node of the mesh");
  int k = k0->start[row];
  while (k < k0->start[row + 1] && k0->column[k] != column) k++;
  return k < k0->start[row + 1] ? k : -1;
}

// Sig w w' of a point: bases are orthonormal, so that blocks are multiples of one. What couples
// nodes that share no cell has no place in the factor: its amount on both of them is no less, and
// a factor that holds too much leads the iteration, one that holds too little does not.
static void add_point(const FiniteStiffness *k0, const FinitePoint *point, double weight,
                      double *added)
{
  const bool more = point->count > 0;
  const int count = more ? point->count : FINITE_FACE;
  const int *node = more ? point->node : point->at.node;
  const double *of = more ? point->weight : point->at.weight;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      const double share = weight * of[i] * of[j];
      if (share == 0) continue;
      const int block = block_of(k0, node[i], node[j]);
      if (block >= 0) added[block] += share;
      else added[block_of(k0, node[i], node[i])] += fabs(share);
    }
}

static FiniteSingle *factor_of(const FiniteSystem *s, int row)
{
  const ArenaMark mark = arena_mark(s->arena);
  const Problem *problem = s->problem;
  const int b = s->rows.body_of_row[row];
  const FiniteBody *body = finite_of(s, row)->body;
  const FiniteStiffness *k0 = &body->stiffness;
  double *added = arena_allocate_zero(s->arena, (size_t)k0->start[k0->nodes] + 1, sizeof *added);
  for (int e = problem->body_start[b]; e < problem->body_start[b + 1]; e++) {
    const PairSide side = problem_side(problem, problem->body_pairs[e]);
    const FinitePoint *places = side.sign > 0 ? problem->low_place : problem->high_place;
    for (int i = side.first; i < side.end; i++) add_point(k0, &places[i], s->weights[i], added);
  }
  FiniteSingle *factor = finite_body_factor_with(body, added);
  arena_release(s->arena, mark);
  return factor;
}

bool finite_system_prepare(FiniteSystem *s, const double *weights, FiniteFactors *factors)
{
  assert(weights != NULL && factors != NULL && "points have weights, factors a place");
  finite_factors_destroy(factors);
  const int own = s->rows.space->own;
  *factors = (FiniteFactors){own, memory_allocate_zero((size_t)own + 1, sizeof(FiniteSingle *))};
  s->weights = weights;
  s->factor = factors->of;
  bool definite = true;
  for (int row = 0; row < own; row++) {
    if (!finite_of(s, row)) continue;
    factors->of[row] = factor_of(s, row);
    definite = definite && factors->of[row];
  }
  return definite;
}

// ------------------------------------------------------------------------------------------------
// Products.

static const DyadLoad STILL = {{0, 0, 0}, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};

// A rigid motion in the axes of the body.
typedef struct {
  vec3 v, w;
} RigidMotion;

static RigidMotion rigid_of(const FiniteSystem *s, int row, const double *rigid)
{
  const mat3 r = s->problem->mid[s->rows.body_of_row[row]].rotation;
  const double *z = rigid + (size_t)row * BLOCK;
  // what is held has no rigid motion
  if (finite_of(s, row)->body->held) return (RigidMotion){{0, 0, 0}, {0, 0, 0}};
  return (RigidMotion){mat3_mul_transposed(r, vec3_new(z[0], z[1], z[2])),
                       mat3_mul_transposed(r, vec3_new(z[3], z[4], z[5]))};
}

// One side of a pair, and how it moves.
typedef struct {
  const FinitePoint *places;   // [points] NULL: the row has no nodes
  const vec3 *nodes;           // velocities; where they are rigid, places
  bool is_rigid;
  RigidMotion rigid;
  const MidState *mid;
  DyadLoad motion;
  vec3 shift;          // its arms are the lower body's plus this,
  const vec3 *apart;   // [points] less this; NULL: no line has a place of its own here
  bool whole;          // it takes the loads of the pair, as a row without nodes
} MovingSide;

static MovingSide side_of(const FiniteSystem *s, int pair, bool high, NodesFactor factor,
                          const DyadLoad *motion)
{
  const Problem *problem = s->problem;
  const SolverPair *of = &problem->pairs[pair];
  const int b = high ? of->high : of->low, row = s->rows.row_of_body[b];
  MovingSide side = {.motion = row < 0 ? STILL : motion[row]};
  if (high) {
    side.shift = problem_between(problem, of);
    side.apart = problem->apart;
  }
  const ElasticFinite *finite = row < 0 ? NULL : finite_of(s, row);
  side.whole = row >= 0 && !finite;
  if (!finite) return side;
  side.places = high ? problem->high_place : problem->low_place;
  side.mid = &problem->mid[b];
  side.is_rigid = factor.kind == FACTOR_RIGID;
  if (side.is_rigid) side.rigid = rigid_of(s, row, factor.rigid);
  side.nodes = side.is_rigid ? finite->body->place : factor.x + s->first[row];
  return side;
}

static inline vec3 velocity_of(const MovingSide *side, int point, vec3 low_arm)
{
  if (side->is_rigid) {
    const vec3 at = finite_point_value(&side->places[point], side->nodes);
    return mat3_mul(side->mid->rotation, vec3_add(side->rigid.v, vec3_cross(side->rigid.w, at)));
  }
  if (side->places) return finite_rows_velocity(&side->places[point], side->mid, side->nodes);
  vec3 arm = vec3_add(low_arm, side->shift);
  if (side->apart) arm = vec3_sub(arm, side->apart[point]);
  return vec3_add(side->motion.push, mat3_mul(side->motion.dyad, arm));
}

DyadLoad finite_system_pair(FiniteSystem *s, int pair, NodesFactor factor, const DyadLoad *motion,
                            mat3 *apart)
{
  assert_debug(s->weights != NULL && "the system was prepared");
  const Problem *problem = s->problem;
  const SolverPair *of = &problem->pairs[pair];
  const MovingSide low = side_of(s, pair, false, factor, motion),
                   high = side_of(s, pair, true, factor, motion);
  const bool whole = low.whole || high.whole;
  DyadLoad sum = STILL;
  if (apart) *apart = STILL.dyad;
  for (int i = of->first; i < of->end; i++) {
    const vec3 arm = problem->levers[i].low_arm;
    const vec3 u = vec3_sub(velocity_of(&low, i, arm), velocity_of(&high, i, arm));
    const vec3 f = s->impulse[i] = vec3_scale(s->weights[i], u);
    if (!whole) continue;
    sum.push = vec3_add(sum.push, f);
    sum.dyad = mat3_add(sum.dyad, mat3_outer(f, arm));
    if (apart) *apart = mat3_add(*apart, mat3_outer(f, problem->apart[i]));
  }
  return sum;
}

// A0 x of a row; where S x = r what S has more, so that r - A0 x is that; where x is rigid y - A0 x
static void resist(const FiniteSystem *s, int row, NodesFactor factor, vec3 *y)
{
  const FiniteBody *body = finite_of(s, row)->body;
  const vec3 *x = factor.x ? factor.x + s->first[row] : NULL;
  if (factor.kind == FACTOR_ANY) {
    finite_body_resist(body, x, y);
  } else if (factor.kind == FACTOR_LOCAL) {
    for (int n = 0; n < body->nodes; n++) y[n] = (vec3){0, 0, 0};
    finite_single_add_added(s->factor[row], x, y);
  } else {
    const RigidMotion z = rigid_of(s, row, factor.rigid);
    for (int n = 0; n < body->nodes; n++) {
      const vec3 at = vec3_add(z.v, vec3_cross(z.w, body->place[n]));
      y[n] = vec3_axpy(-body->lumped[n], at, y[n]);
    }
  }
}

void finite_system_multiply(const FiniteSystem *s, int row, NodesFactor factor, vec3 *y)
{
  assert_debug((factor.x != NULL) == (factor.kind != FACTOR_RIGID) && factor.x != y &&
               "a product is in another place");
  const Problem *problem = s->problem;
  const int b = s->rows.body_of_row[row];
  vec3 *to = y + s->first[row];
  resist(s, row, factor, to);
  const double sign = factor.kind == FACTOR_ANY ? 1 : -1;
  for (int e = problem->body_start[b]; e < problem->body_start[b + 1]; e++) {
    const PairSide side = problem_side(problem, problem->body_pairs[e]);
    const FinitePoint *places = side.sign > 0 ? problem->low_place : problem->high_place;
    for (int i = side.first; i < side.end; i++)
      finite_rows_push(&places[i], &problem->mid[b], vec3_scale(sign * side.sign, s->impulse[i]),
                       to);
  }
  finite_body_leave_held(finite_of(s, row)->body, to);
}

// From a row on, those that have nodes of one mesh, up to as many as are solved together.
static int rows_alike(const FiniteSystem *s, int row)
{
  int count = 1;
  while (count < FINITE_TOGETHER && row + count < s->rows.space->own && s->factor[row + count] &&
         finite_single_alike(s->factor[row], s->factor[row + count]))
    count++;
  return count;
}

void finite_system_add_local(const FiniteSystem *s, const vec3 *r, vec3 *x)
{
  assert_debug(s->factor != NULL && "the system was prepared");
  const int own = s->rows.space->own;
  for (int row = 0, together = 1; row < own; row += together) {
    together = 1;
    if (!s->factor[row]) continue;
    together = rows_alike(s, row);
    const int first = s->first[row], count = s->first[row + together] - first;
    memcpy(s->work, r + first, (size_t)count * sizeof *r);
    vec3 *values[FINITE_TOGETHER];
    for (int i = 0; i < together; i++) values[i] = s->work + (s->first[row + i] - first);
    finite_single_solve((const FiniteSingle *const *)s->factor + row, together, values);
    for (int n = 0; n < count; n++) x[first + n] = vec3_add(x[first + n], s->work[n]);
  }
}

// ------------------------------------------------------------------------------------------------
// Rigid motions.

void finite_system_restrict(const FiniteSystem *s, int row, const vec3 *r, double *momenta)
{
  assert_debug(row >= 0 && row < s->rows.space->own && "an own row");
  const MidState *mid = &s->problem->mid[s->rows.body_of_row[row]];
  const FiniteBody *body = finite_of(s, row)->body;
  vec3 push = {0, 0, 0}, turn = {0, 0, 0};
  // what is held has no rigid motion
  for (int n = 0; !body->held && n < body->nodes; n++) {
    const vec3 f = r[s->first[row] + n];
    push = vec3_add(push, f);
    turn = vec3_add(turn, vec3_cross(body->place[n], f));
  }
  push = mat3_mul(mid->rotation, push);
  turn = mat3_mul(mid->rotation, turn);
  memcpy(momenta, (double[]){push.x, push.y, push.z, turn.x, turn.y, turn.z}, 6 * sizeof(double));
}

void finite_system_add_rigid(const FiniteSystem *s, int row, const double *z, vec3 *x)
{
  assert_debug(row >= 0 && row < s->rows.space->own && "an own row");
  const RigidMotion motion = rigid_of(s, row, z - (size_t)row * BLOCK);
  const FiniteBody *body = finite_of(s, row)->body;
  for (int n = 0; n < body->nodes; n++) {
    vec3 *to = &x[s->first[row] + n];
    *to = vec3_add(*to, vec3_add(motion.v, vec3_cross(motion.w, body->place[n])));
  }
}
