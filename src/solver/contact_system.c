// The operators of ADMM for the problem of a step, by a system in velocities of bodies.
#include "contact_system.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "elastic_system.h"
#include "halo.h"
#include "parallel.h"
#include "point_operators.h"
#include "residual.h"

#define INNER_MOST 200   // iterations of conjugate gradients for one answer

// Sums over the points of a pair with their weight in Sig, for two arms a and b of each: what a
// block of H' Sig H needs, since bases are orthonormal.
typedef struct {
  double one;     // sum Sig
  vec3 a, b;      // sum Sig a, sum Sig b
  mat3 product;   // sum Sig a b'
} PairSums;

struct ContactSystem {
  Problem *problem;
  Velocities free;
  bool direct;
  bool begun;   // its answers: the next one begins with the last
  SystemCache *cache;
  Arena *arena;
  PointOperators operators;
  ContactSpace rows;        // of the linear system
  const double *sigma;      // [points] Sig, kg, of the last prepare
  double *weight;           // [own * BLOCK] from momenta to impulses
  double *push;             // [own * BLOCK] H' Sig H free
  double *x, *b;            // [count * BLOCK], [own * BLOCK]
  VelocityColumns now;      // [rows] velocities of the last answer
  ElasticSystem *elastic;   // NULL: no row deforms
};

static mat3 outer(double w, vec3 a, vec3 b)
{
  return (mat3){{vec3_scale(w * a.x, b), vec3_scale(w * a.y, b), vec3_scale(w * a.z, b)}};
}

// arms of the lower body or of the higher one
static PairSums sum_pair(const ContactSystem *s, const SolverPair *pair, const double *sigma,
                         bool high_a, bool high_b)
{
  assert_debug(pair->first <= pair->end && pair->end <= s->problem->point_count &&
               "points that the problem has");
  PairSums sums = {0};
  const vec3 between = problem_between(s->problem, pair);
  for (int i = pair->first; i < pair->end; i++) {
    const vec3 low = s->problem->levers[i].low_arm, high = vec3_add(low, between);
    const vec3 a = high_a ? high : low, b = high_b ? high : low;
    const double w = sigma[i];
    sums.one += w;
    sums.a = vec3_axpy(w, a, sums.a);
    sums.b = vec3_axpy(w, b, sums.b);
    sums.product = mat3_add(sums.product, outer(w, a, b));
  }
  return sums;
}

// adds sign [I; [a]x] [I, -[b]x], summed over points
static void add_block(double *block, double sign, const PairSums *sums)
{
  const mat3 left = mat3_skew(sums->a), right = mat3_skew(sums->b), product = sums->product;
  // -[a]x [b]x = (a.b) I - b a'
  const double trace = product.row[0].x + product.row[1].y + product.row[2].z;
  const mat3 turning =
      mat3_add(mat3_diagonal(trace, trace, trace), mat3_scale(-1, mat3_transpose(product)));
  for (int i = 0; i < 3; i++) {
    const double l[3] = {left.row[i].x, left.row[i].y, left.row[i].z};
    const double r[3] = {right.row[i].x, right.row[i].y, right.row[i].z};
    const double t[3] = {turning.row[i].x, turning.row[i].y, turning.row[i].z};
    block[BLOCK * i + i] += sign * sums->one;
    for (int j = 0; j < 3; j++) {
      block[BLOCK * i + 3 + j] -= sign * r[j];
      block[BLOCK * (3 + i) + j] += sign * l[j];
      block[BLOCK * (3 + i) + 3 + j] += sign * t[j];
    }
  }
}

// a row of A = M + H' Sig H; in H held components are zero
static void make_row(const void *context, int row, double *blocks)
{
  assert_debug(row >= 0 && row < ((const ContactSystem *)context)->rows.space.own &&
               "own rows are made");
  const ContactSystem *s = context;
  const Problem *problem = s->problem;
  const size_t count = (size_t)(s->rows.start[row + 1] - s->rows.start[row]);
  memset(blocks, 0, count * BLOCK_SIZE * sizeof *blocks);
  const int b = s->rows.body_of_row[row];
  const unsigned held = kind_held(problem->bodies, b);
  double *diagonal = blocks, *block = blocks;
  for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
    const int entry = problem->body_pairs[k];
    const bool high = entry % 2 != 0;
    const PairSums self = sum_pair(s, &problem->pairs[entry / 2], s->sigma, high, high);
    add_block(diagonal, 1, &self);
    const SolverPair *pair = contact_space_higher_pair(&s->rows, k);
    if (!pair) continue;
    const PairSums across = sum_pair(s, pair, s->sigma, false, true);
    block += BLOCK_SIZE;
    add_block(block, -1, &across);
    const unsigned other = kind_held(problem->bodies, pair->high);
    if (held | other) guided_take_out(held, other, block);
  }
  if (held) guided_take_out(held, held, diagonal);
  motion_add_mass(&problem->mid[b], held, diagonal);
}

// factors want all numbers at once, the multigrid makes its own of a row at a time
static BlockMatrix make_matrix(const ContactSystem *s)
{
  double *value = NULL;
  if (s->direct) {
    const size_t blocks = (size_t)s->rows.start[s->rows.space.own] + 1;
    value = arena_allocate(s->arena, blocks * BLOCK_SIZE * sizeof *value);
    for (int row = 0; row < s->rows.space.own; row++)
      make_row(s, row, value + (size_t)BLOCK_SIZE * (size_t)s->rows.start[row]);
  }
  return (BlockMatrix){s->rows.start, s->rows.column, value, make_row, s};
}

// H' of what is set, [own * BLOCK]; what is held takes nothing
static void store_loads(const ContactSystem *s, double *loads)
{
  for (int row = 0; row < s->rows.space.own; row++) {
    const int b = s->rows.body_of_row[row];
    const unsigned held = kind_held(s->problem->bodies, b);
    const PointLoad load = point_operators_load(&s->operators, b);
    const vec3 push = guided_free(held, load.push),
               turn = guided_free(held >> GUIDED_SPIN, load.turn);
    memcpy(&loads[(size_t)row * BLOCK], (double[]){push.x, push.y, push.z, turn.x, turn.y, turn.z},
           BLOCK * sizeof(double));
  }
}

// H' Sig H free
static void set_push(ContactSystem *s)
{
  const ArenaMark mark = arena_mark(s->arena);
  vec3 *u = arena_allocate(s->arena, ((size_t)s->problem->point_count + 1) * sizeof *u);
  point_operators_velocities(&s->operators, s->free, u);
  for (int i = 0; i < s->problem->point_count; i++) u[i] = vec3_scale(s->sigma[i], u[i]);
  point_operators_set(&s->operators, u);
  if (s->elastic) elastic_system_set_push(s->elastic, &s->operators);
  else store_loads(s, s->push);
  arena_release(s->arena, mark);
}

static bool prepare(void *context, const double *weight)
{
  assert(weight != NULL && "points have weights");
  ContactSystem *s = context;
  s->sigma = weight;
  set_push(s);
  SystemCache *cache = s->cache;
  if (s->elastic &&
      !elastic_system_prepare(s->elastic, weight, (ElasticCache){&cache->factors, &cache->bodies}))
    return false;
  if (s->elastic && s->direct) return true;
  // velocities of the impulses that iterations begin with, which were measured
  if (s->problem->finite && !s->begun)
    elastic_system_begin(s->elastic, s->free, problem_read(s->now));
  s->begun = true;
  const ArenaMark mark = arena_mark(s->arena);
  const BlockMatrix a = make_matrix(s);
  if (s->direct) cache->factors = cholesky_new(&s->rows.space, &a, cache->factors, s->arena);
  else cache->amg = amg_new(&s->rows.space, &a, cache->amg, s->arena);
  arena_release(s->arena, mark);
  return s->direct ? cache->factors != NULL : cache->amg != NULL;
}

// The answer where rows deform, into the velocities of the system.
static int respond_elastic(ContactSystem *s, double accuracy)
{
  assert(s->elastic != NULL && s->now.stretch != NULL && "some row deforms");
  const SystemCache *cache = s->cache;
  const ElasticSolver solver = {s->direct ? cache->factors : NULL, s->direct ? NULL : cache->amg};
  const GradientsEnd end = {s->weight, accuracy, INNER_MOST};
  const int inner = elastic_system_solve(s->elastic, &s->operators, solver, end);
  elastic_system_velocities(s->elastic, s->free, s->now);
  return inner;
}

// A x = H' (d - Sig U_free), u = U_free + H x
static int respond(void *context, const vec3 *d, double accuracy, vec3 *u)
{
  assert(d != NULL && u != NULL && !(accuracy < 0) && "an answer within an error");
  ContactSystem *s = context;
  const ArenaMark mark = arena_mark(s->arena);
  point_operators_set(&s->operators, d);
  if (s->elastic) {
    const int inner = respond_elastic(s, accuracy);
    point_operators_velocities(&s->operators, problem_read(s->now), u);
    arena_release(s->arena, mark);
    return inner;
  }
  store_loads(s, s->b);
  for (int i = 0; i < BLOCK * s->rows.space.own; i++) s->b[i] -= s->push[i];
  int inner = 0;
  const GradientsEnd end = {s->weight, accuracy, INNER_MOST};
  if (s->direct) cholesky_solve(s->cache->factors, &s->rows.space, s->b, s->x, s->arena);
  else inner = conjugate_gradients_solve(s->cache->amg, s->b, end, s->x, s->arena);
  for (int row = 0; row < s->rows.space.count; row++) {
    const double *x = &s->x[(size_t)row * BLOCK];
    const Twist free = s->free.twist[s->rows.body_of_row[row]];
    s->now.twist[s->rows.body_of_row[row]] = (Twist){vec3_add(free.v, (vec3){x[0], x[1], x[2]}),
                                                     vec3_add(free.w, (vec3){x[3], x[4], x[5]})};
  }
  point_operators_velocities(&s->operators, problem_read(s->now), u);
  arena_release(s->arena, mark);
  return inner;
}

static void velocity(void *context, const vec3 *r, vec3 *u)
{
  assert((const void *)r != (const void *)u && "velocities are not in the place of impulses");
  ContactSystem *s = context;
  point_operators_set(&s->operators, r);
  const HaloPlan *all = &s->problem->all;
  point_operators_twists(&s->operators, s->free, s->now);
  halo_refresh(all, s->now.twist, sizeof *s->now.twist, s->arena);
  if (s->now.stretch) halo_refresh(all, s->now.stretch, sizeof *s->now.stretch, s->arena);
  if (s->now.nodes)
    halo_refresh(&s->problem->all_nodes, s->now.nodes, sizeof *s->now.nodes, s->arena);
  point_operators_velocities(&s->operators, problem_read(s->now), u);
}

static double confirm(void *context, const vec3 *r)
{
  ContactSystem *s = context;
  Problem asked = *s->problem;
  asked.r = (vec3 *)r;
  return residual_of_impulses(&asked, s->free, s->arena).largest;
}

// From momenta of a body to impulses, relative to what counts least at its points.
static void set_weight(ContactSystem *s, int row)
{
  assert_debug(row >= 0 && row < s->rows.space.own && "an own row");
  const Problem *problem = s->problem;
  const int b = s->rows.body_of_row[row];
  double least = INFINITY;
  for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++)
      if (problem->offset[i] < INFINITY && problem->size[i] > 0)
        least = fmin(least, problem->size[i]);
  }
  double *weight = &s->weight[(size_t)row * BLOCK];
  motion_weigh(&problem->mid[b], weight);
  for (int c = 0; c < BLOCK; c++) weight[c] /= least;
}

ContactSystem *contact_system_new(Problem *problem, Velocities free, bool direct,
                                  SystemCache *cache, Arena *arena)
{
  assert(problem != NULL && free.twist != NULL && cache != NULL &&
         "a problem with its free velocities");
  ContactSystem *s = arena_allocate_zero(arena, 1, sizeof *s);
  *s = (ContactSystem){
      .problem = problem, .free = free, .direct = direct, .cache = cache, .arena = arena};
  s->operators = point_operators_new(problem, arena);
  s->rows = contact_space_new(problem, arena);
  const size_t own = (size_t)s->rows.space.own + 1, count = (size_t)s->rows.space.count + 1;
  s->weight = arena_allocate(arena, own * BLOCK * sizeof(double));
  for (int row = 0; row < s->rows.space.own; row++) set_weight(s, row);
  s->push = arena_allocate(arena, own * BLOCK * sizeof(double));
  s->b = arena_allocate(arena, own * BLOCK * sizeof(double));
  s->x = arena_allocate_zero(arena, count * BLOCK, sizeof(double));
  s->now = problem_copy_velocities(
      problem, problem->elastic ? free : velocities_of_rigid(free.twist), arena);
  if (problem->elastic) {
    const SystemRows rows = {&s->rows.space, s->rows.row_of_body, s->rows.body_of_row};
    s->elastic = elastic_system_new(problem, &rows, direct, arena);
  }
  return s;
}

double contact_system_work(ContactSystem *s)
{
  assert(s->elastic != NULL && "some row deforms");
  return elastic_system_work(s->elastic, &s->cache->factors);
}

ConeProblem contact_system_operators(ContactSystem *s)
{
  return (ConeProblem){.point_count = s->problem->point_count,
                       .owned = s->problem->owned,
                       .friction = s->problem->friction,
                       .limits = s->problem->limits,
                       .rho = s->problem->rho,
                       .soft = s->problem->soft,
                       .speed = s->problem->speed,
                       .offset = s->problem->offset,
                       .size = s->problem->size,
                       .context = s,
                       .prepare = prepare,
                       .respond = respond,
                       .velocity = velocity,
                       .confirm = confirm};
}

const Problem *contact_system_problem(const ContactSystem *s)
{
  assert(s != NULL && "a system is given");
  return s->problem;
}

const ContactSpace *contact_system_rows(const ContactSystem *s)
{
  assert(s != NULL && "a system is given");
  return &s->rows;
}

int64_t contact_system_bodies(const Problem *problem)
{
  assert(problem->own_rows >= 0 && problem->own_rows <= problem->row_count &&
         "own rows come first");
  int64_t count = 0;
  for (int m = 0; m < problem_mover_count(problem); m++) {
    const int b = problem_mover(problem, m);
    count += problem->body_start[b + 1] > problem->body_start[b] && contact_space_takes(problem, b);
  }
  return par_sum(count);
}

void contact_system_cache_destroy(SystemCache *cache)
{
  cholesky_destroy(cache->factors);
  amg_destroy(cache->amg);
  lu_destroy(cache->lu);
  finite_factors_destroy(&cache->bodies);
  *cache = (SystemCache){.factors = NULL};
}
