// Conjugate gradients on the system of rows that deform.
#include "elastic_system.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "exact_sum.h"
#include "halo.h"
#include "parallel.h"

enum { U = ELASTIC_ROW_UNKNOWNS, TRIANGLE = U * (U + 1) / 2 };

// A vector of the system, of own rows or of all.
typedef struct {
  double *rows;   // [rows * U] zeros of rows of finite elements,
  vec3 *nodes;    // which have these (finite_system.h); NULL: there are none
} SystemVector;

struct ElasticSystem {
  const Problem *problem;
  SystemRows rows;
  Arena *arena;
  double *resist;            // [own * ELASTIC_UNKNOWNS^2] A0 without masses
  const double *weights;     // [points] of the last prepare
  ElasticMoments *moments;   // [pairs] about the lower body
  bool direct;
  ElasticPattern pattern;   // where it is
  double *factor;           // [own * TRIANGLE] of the diagonal blocks of A, by rows
  SystemVector push;        // own: H' Sig H free
  SystemVector x;           // all: the last answer
  FiniteSystem *finite;     // NULL: no row is of finite elements
  DyadLoad *loads;          // [pairs] on the lower body
  mat3 *apart;              // [pairs] what the higher body has in its dyad beside; NULL: no lines
  DyadLoad *motion;         // [count] v in the place of a push, w x + S in that of a dyad
};

static int own_rows(const ElasticSystem *s) { return s->rows.space->own; }

static bool has_nodes(const ElasticSystem *s, int row)
{
  return finite_rows_find(s->problem->finite, s->rows.body_of_row[row]) != NULL;
}

static SystemVector vector_new(const ElasticSystem *s, bool ghosts)
{
  const int rows = ghosts ? s->rows.space->count : own_rows(s);
  SystemVector made = {arena_allocate_zero(s->arena, (size_t)rows * U + 1, sizeof(double)), NULL};
  if (s->finite) made.nodes = finite_system_vector(s->finite, ghosts);
  return made;
}

// x += factor y on own rows
static void add_scaled(const ElasticSystem *s, double factor, SystemVector y, SystemVector x)
{
  for (int i = 0; i < U * own_rows(s); i++) x.rows[i] += factor * y.rows[i];
  const int nodes = s->finite ? finite_system_nodes(s->finite, false) : 0;
  for (int n = 0; n < nodes; n++) x.nodes[n] = vec3_axpy(factor, y.nodes[n], x.nodes[n]);
}

static void refresh(ElasticSystem *s, SystemVector x)
{
  halo_refresh(&s->rows.space->plan, x.rows, U * sizeof *x.rows, s->arena);
  if (s->finite) finite_system_refresh(s->finite, x.nodes);
}

// A0 of a rigid row, whose S stands alone
static void resist_of_rigid(const MidState *mid, double *resist)
{
  const mat3 inertia = mat3_inverse(mid->inverse_inertia);
  memset(resist, 0, ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS * sizeof *resist);
  for (int i = 0; i < 3; i++) {
    double *row = &resist[ELASTIC_UNKNOWNS * i];
    row[0] = inertia.row[i].x;
    row[1] = inertia.row[i].y;
    row[2] = inertia.row[i].z;
  }
  for (int i = 3; i < ELASTIC_UNKNOWNS; i++) resist[ELASTIC_UNKNOWNS * i + i] = 1;
}

static double *resist_of(const ElasticSystem *s, int row)
{
  return &s->resist[(size_t)row * ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS];
}

ElasticSystem *elastic_system_new(const Problem *problem, const SystemRows *rows, bool direct,
                                  Arena *arena)
{
  assert(problem->elastic != NULL && "some row deforms");
  ElasticSystem *s = arena_allocate(arena, sizeof *s);
  *s = (ElasticSystem){.problem = problem, .rows = *rows, .arena = arena, .direct = direct};
  if (direct) s->pattern = elastic_pattern_new(problem, &s->rows, arena);
  const size_t own = (size_t)rows->space->own + 1, pairs = (size_t)problem->pair_count + 1;
  s->resist = arena_allocate(arena, own * ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS * sizeof *s->resist);
  for (int i = 0; i < own_rows(s); i++) {
    const int b = rows->body_of_row[i];
    const ElasticRow *elastic = elastic_rows_find(problem->elastic, b);
    if (elastic) memcpy(resist_of(s, i), elastic->resist, sizeof elastic->resist);
    else resist_of_rigid(&problem->mid[b], resist_of(s, i));
  }
  s->moments = arena_allocate(arena, pairs * sizeof *s->moments);
  s->factor = arena_allocate(arena, own * TRIANGLE * sizeof *s->factor);
  s->loads = arena_allocate(arena, pairs * sizeof *s->loads);
  s->apart = problem->apart ? arena_allocate(arena, pairs * sizeof *s->apart) : NULL;
  s->motion = arena_allocate(arena, ((size_t)rows->space->count + 1) * sizeof *s->motion);
  if (problem->finite) s->finite = finite_system_new(problem, &s->rows, arena);
  s->push = vector_new(s, false);
  s->x = vector_new(s, true);
  return s;
}

// ------------------------------------------------------------------------------------------------
// Numbers.

static void sum_moments(ElasticSystem *s, const double *weights)
{
  const Problem *problem = s->problem;
  for (int k = 0; k < problem->pair_count; k++) {
    ElasticMoments m = {0};
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++)
      elastic_moments_add(&m, weights[i], problem->levers[i].low_arm);
    s->moments[k] = m;
  }
}

// a block by rows to its lower factor
static bool factorise(const double *block, double *factor)
{
  for (int i = 0; i < U; i++) {
    double *row = &factor[i * (i + 1) / 2];
    for (int j = 0; j <= i; j++) {
      const double *column = &factor[j * (j + 1) / 2];
      double sum = block[U * i + j];
      for (int k = 0; k < j; k++) sum -= row[k] * column[k];
      if (j < i) row[j] = sum / column[j];
      else if (sum > 0) row[i] = sqrt(sum);
      else return false;
    }
  }
  return true;
}

// moments of a pair about the higher body
static ElasticMoments moments_of_high(const ElasticSystem *s, int k)
{
  const Problem *problem = s->problem;
  const SolverPair *pair = &problem->pairs[k];
  if (!problem_has_lines(problem, k))
    return elastic_moments_about(s->moments[k], problem_between(problem, pair));
  ElasticMoments m = {0};
  for (int i = pair->first; i < pair->end; i++)
    elastic_moments_add(&m, s->weights[i], problem_high_arm(problem, pair, i));
  return m;
}

// the diagonal block of a row of A
static void make_block(const ElasticSystem *s, int row, double *block)
{
  const Problem *problem = s->problem;
  const int b = s->rows.body_of_row[row];
  const bool deforms = elastic_rows_find(problem->elastic, b) != NULL;
  ElasticMoments all = {0};
  for (int e = problem->body_start[b]; e < problem->body_start[b + 1]; e++) {
    const int k = problem->body_pairs[e] / 2;
    ElasticMoments m = s->moments[k];
    if (problem->body_pairs[e] % 2 != 0) m = moments_of_high(s, k);
    all.one += m.one;
    all.a = vec3_add(all.a, m.a);
    all.product = (sym3){all.product.xx + m.product.xx, all.product.xy + m.product.xy,
                         all.product.xz + m.product.xz, all.product.yy + m.product.yy,
                         all.product.yz + m.product.yz, all.product.zz + m.product.zz};
  }
  memset(block, 0, U * U * sizeof *block);
  for (int i = 0; i < 3; i++) block[U * i + i] = 1 / problem->mid[b].inverse_mass;
  const double *resist = resist_of(s, row);
  for (int i = 0; i < ELASTIC_UNKNOWNS; i++)
    for (int j = 0; j < ELASTIC_UNKNOWNS; j++)
      block[U * (3 + i) + 3 + j] = resist[ELASTIC_UNKNOWNS * i + j];
  ElasticBlock added = {.row_deforms = deforms, .column_deforms = deforms, .sign = 1};
  elastic_sums_of_body(&all, added.sums);
  elastic_block_add(&added, block);
}

double elastic_system_work(const ElasticSystem *s, Cholesky **factors)
{
  assert(s->direct && "factors are asked for");
  *factors = elastic_factors_analyse(&s->pattern, *factors, s->arena);
  const int64_t bodies = par_sum(own_rows(s));
  return bodies > 0 ? cholesky_work(*factors) / (double)bodies : 0;
}

static bool prepare_factors(ElasticSystem *s, Cholesky **factors)
{
  const ArenaMark mark = arena_mark(s->arena);
  const size_t own = (size_t)own_rows(s) + 1;
  double *blocks = arena_allocate(s->arena, own * U * U * sizeof *blocks);
  for (int row = 0; row < own_rows(s); row++) make_block(s, row, blocks + (size_t)row * U * U);
  const ElasticNumbers numbers = {blocks, s->moments, s->weights};
  *factors = elastic_factors_new(&s->pattern, numbers, *factors, s->arena);
  arena_release(s->arena, mark);
  return *factors != NULL;
}

bool elastic_system_prepare(ElasticSystem *s, const double *weights, ElasticCache cache)
{
  assert(weights != NULL && "points have weights");
  s->weights = weights;
  sum_moments(s, weights);
  if (s->direct) return prepare_factors(s, cache.factors);
  bool failed = s->finite && !finite_system_prepare(s->finite, weights, cache.bodies);
  for (int row = 0; row < own_rows(s); row++) {
    double block[U * U];
    make_block(s, row, block);
    if (!factorise(block, &s->factor[(size_t)row * TRIANGLE])) failed = true;
  }
  return !par_any(failed);
}

// ------------------------------------------------------------------------------------------------
// Products.

// x of a row as v and the gradient w x + S
static DyadLoad motion_of(const double *x)
{
  return (DyadLoad){vec3_new(x[0], x[1], x[2]), elastic_field_of_numbers(x + 3)};
}

static void to_numbers(const DyadLoad *load, bool deforms, double *y)
{
  y[0] = load->push.x;
  y[1] = load->push.y;
  y[2] = load->push.z;
  elastic_numbers_of_dyad(load->dyad, y + 3);
  if (!deforms) memset(y + 6, 0, 6 * sizeof *y);
}

// what a pair takes of a relative motion of its bodies, on the lower one
static DyadLoad load_of(const ElasticMoments *m, vec3 v, mat3 field)
{
  const mat3 product = mat3_of_sym3(m->product);
  return (DyadLoad){vec3_axpy(m->one, v, mat3_mul(field, m->a)),
                    mat3_add(mat3_outer(v, m->a), mat3_mul_mat(field, product))};
}

// Lines have a place of their own in the higher body, whose gradient is high: what that makes of
// the pair's load.
static void add_lines(ElasticSystem *s, int k, BodyField relative, mat3 high)
{
  const Problem *problem = s->problem;
  DyadLoad *load = &s->loads[k];
  s->apart[k] = mat3_diagonal(0, 0, 0);
  for (int i = problem_contacts_end(problem, k); i < problem->pairs[k].end; i++) {
    const vec3 apart = problem->apart[i], arm = problem->levers[i].low_arm;
    if (apart.x == 0 && apart.y == 0 && apart.z == 0) continue;
    const vec3 more = mat3_mul(high, apart);
    const vec3 common = vec3_add(relative.v, mat3_mul(relative.gradient, arm));
    const vec3 f = vec3_scale(s->weights[i], more);
    load->push = vec3_add(load->push, f);
    load->dyad = mat3_add(load->dyad, mat3_outer(f, arm));
    const vec3 whole = vec3_scale(s->weights[i], vec3_add(common, more));
    s->apart[k] = mat3_add(s->apart[k], mat3_outer(whole, apart));
  }
}

static void set_loads(ElasticSystem *s, const vec3 *nodes)
{
  const Problem *problem = s->problem;
  const DyadLoad still = {{0, 0, 0}, mat3_diagonal(0, 0, 0)};
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (s->finite && problem_has_nodes(problem, pair)) {
      s->loads[k] = finite_system_pair(s->finite, k, (FiniteMotion){s->motion, nodes},
                                       s->apart ? &s->apart[k] : NULL);
      continue;
    }
    const int low = s->rows.row_of_body[pair->low], high = s->rows.row_of_body[pair->high];
    const DyadLoad a = low < 0 ? still : s->motion[low], b = high < 0 ? still : s->motion[high];
    const vec3 c = problem_between(problem, pair);
    const vec3 v = vec3_sub(vec3_sub(a.push, b.push), mat3_mul(b.dyad, c));
    const mat3 field = mat3_add(a.dyad, mat3_scale(-1, b.dyad));
    s->loads[k] = load_of(&s->moments[k], v, field);
    if (problem_has_lines(problem, k)) add_lines(s, k, (BodyField){v, field}, b.dyad);
  }
}

// sum of the loads of a body's pairs, in order of key
static DyadLoad sum_loads(const ElasticSystem *s, int b)
{
  const Problem *problem = s->problem;
  DyadLoad sum = {{0, 0, 0}, mat3_diagonal(0, 0, 0)};
  for (int e = problem->body_start[b]; e < problem->body_start[b + 1]; e++) {
    const int k = problem->body_pairs[e] / 2;
    const DyadLoad *load = &s->loads[k];
    if (problem->body_pairs[e] % 2 == 0) {
      sum.push = vec3_add(sum.push, load->push);
      sum.dyad = mat3_add(sum.dyad, load->dyad);
      continue;
    }
    const vec3 c = problem_between(problem, &problem->pairs[k]);
    mat3 dyad = mat3_add(load->dyad, mat3_outer(load->push, c));
    if (problem_has_lines(problem, k)) dyad = mat3_add(dyad, mat3_scale(-1, s->apart[k]));
    sum.push = vec3_sub(sum.push, load->push);
    sum.dyad = mat3_add(sum.dyad, mat3_scale(-1, dyad));
  }
  return sum;
}

// y = A x on own rows; x of ghosts is refreshed; how: what x is of rows with nodes, r is of them
static void multiply_as(ElasticSystem *s, SystemVector x, FactorKind kind, const vec3 *r,
                        SystemVector y)
{
  const BlockSpace *space = s->rows.space;
  refresh(s, x);
  for (int row = 0; row < space->count; row++) s->motion[row] = motion_of(x.rows + (size_t)row * U);
  set_loads(s, x.nodes);
  for (int row = 0; row < space->own; row++) {
    const int b = s->rows.body_of_row[row];
    double *to = y.rows + (size_t)row * U;
    if (has_nodes(s, row)) {
      memset(to, 0, U * sizeof *to);
      finite_system_multiply(s->finite, row, (NodesFactor){kind, x.nodes, r}, y.nodes);
      continue;
    }
    const DyadLoad sum = sum_loads(s, b);
    const double *from = x.rows + (size_t)row * U, *resist = resist_of(s, row);
    to_numbers(&sum, elastic_rows_find(s->problem->elastic, b) != NULL, to);
    for (int i = 0; i < 3; i++) to[i] += from[i] / s->problem->mid[b].inverse_mass;
    for (int i = 0; i < ELASTIC_UNKNOWNS; i++) {
      double taken = 0;
      for (int j = 0; j < ELASTIC_UNKNOWNS; j++)
        taken += resist[ELASTIC_UNKNOWNS * i + j] * from[3 + j];
      to[3 + i] += taken;
    }
  }
}

static void multiply(ElasticSystem *s, SystemVector x, SystemVector y)
{
  multiply_as(s, x, FACTOR_ANY, NULL, y);
}

// ------------------------------------------------------------------------------------------------
// Preconditioner.

// x += S_b^-1 r for every own row
static void add_local(const ElasticSystem *s, SystemVector r, SystemVector x)
{
  if (s->finite) finite_system_add_local(s->finite, r.nodes, x.nodes);
  for (int row = 0; row < own_rows(s); row++) {
    const double *factor = &s->factor[(size_t)row * TRIANGLE], *from = r.rows + (size_t)row * U;
    double t[U];
    for (int i = 0; i < U; i++) {
      const double *l = &factor[i * (i + 1) / 2];
      double sum = from[i];
      for (int k = 0; k < i; k++) sum -= l[k] * t[k];
      t[i] = sum / l[i];
    }
    double *to = x.rows + (size_t)row * U;
    for (int i = U - 1; i >= 0; i--) {
      const double *l = &factor[i * (i + 1) / 2];
      t[i] /= l[i];
      for (int k = 0; k < i; k++) t[k] -= l[k] * t[i];
      to[i] += t[i];
    }
  }
}

static void set_zero(const ElasticSystem *s, SystemVector x)
{
  memset(x.rows, 0, (size_t)own_rows(s) * U * sizeof *x.rows);
  if (s->finite)
    memset(x.nodes, 0, (size_t)finite_system_nodes(s->finite, false) * sizeof *x.nodes);
}

// x = P C^-1 P' r, P the rigid motions
static void set_rigid(const ElasticSystem *s, Amg *amg, SystemVector r, SystemVector x)
{
  const ArenaMark mark = arena_mark(s->arena);
  const BlockSpace *space = s->rows.space;
  const size_t own = (size_t)space->own + 1, count = (size_t)space->count + 1;
  double *b = arena_allocate(s->arena, own * BLOCK * sizeof *b);
  double *z = arena_allocate_zero(s->arena, count * BLOCK, sizeof *z);
  for (int row = 0; row < space->own; row++) {
    double *to = b + (size_t)row * BLOCK;
    if (has_nodes(s, row)) finite_system_restrict(s->finite, row, r.nodes, to);
    else memcpy(to, r.rows + (size_t)row * U, BLOCK * sizeof *b);
  }
  amg_apply(amg, b, z);
  set_zero(s, x);
  for (int row = 0; row < space->own; row++) {
    const double *from = z + (size_t)row * BLOCK;
    if (has_nodes(s, row)) finite_system_add_rigid(s->finite, row, from, x.nodes);
    else
      for (int i = 0; i < BLOCK; i++) x.rows[(size_t)row * U + (size_t)i] += from[i];
  }
  arena_release(s->arena, mark);
}

// Vectors of an answer, of own rows, z and p of all.
typedef struct {
  SystemVector r, z, p, q;
  SystemVector rest, rigid;   // of the preconditioner, rigid of all
} Vectors;

// r = b - product on own rows
static void residual_of(const ElasticSystem *s, SystemVector b, SystemVector product,
                        SystemVector r)
{
  for (int i = 0; i < U * own_rows(s); i++) r.rows[i] = b.rows[i] - product.rows[i];
  const int nodes = s->finite ? finite_system_nodes(s->finite, false) : 0;
  for (int n = 0; n < nodes; n++) r.nodes[n] = vec3_sub(b.nodes[n], product.nodes[n]);
}

static void precondition(ElasticSystem *s, Amg *amg, Vectors *v)
{
  set_zero(s, v->z);
  add_local(s, v->r, v->z);
  multiply_as(s, v->z, FACTOR_LOCAL, v->r.nodes, v->q);
  residual_of(s, v->r, v->q, v->rest);
  set_rigid(s, amg, v->rest, v->rigid);
  multiply_as(s, v->rigid, FACTOR_RIGID, NULL, v->q);
  add_scaled(s, 1, v->rigid, v->z);
  add_scaled(s, -1, v->q, v->rest);
  add_local(s, v->rest, v->z);
}

// ------------------------------------------------------------------------------------------------
// Conjugate gradients.

// x.y: the products of a row in order, the rows exactly, so that no rank matters
static double dot(const ElasticSystem *s, SystemVector x, SystemVector y)
{
  ExactSum sum = exact_sum_new();
  for (int row = 0; row < own_rows(s); row++) {
    const double *p = x.rows + (size_t)row * U, *q = y.rows + (size_t)row * U;
    double of = 0;
    for (int i = 0; i < U; i++) of += p[i] * q[i];
    int nodes = 0;
    const vec3 *a = s->finite ? finite_system_row(s->finite, row, x.nodes, &nodes) : NULL,
               *b = s->finite ? finite_system_row(s->finite, row, y.nodes, &nodes) : NULL;
    for (int n = 0; n < nodes; n++) of += vec3_dot(a[n], b[n]);
    exact_sum_add(&sum, of);
  }
  exact_sum_reduce(&sum, 1);
  return exact_sum_value(&sum);
}

// the largest momentum that is missing, as impulse of a body, N s
static double size_of(const ElasticSystem *s, SystemVector r, const double *weight)
{
  double largest = 0;
  for (int row = 0; row < own_rows(s); row++) {
    const double *w = weight + (size_t)row * BLOCK, *of = r.rows + (size_t)row * U;
    for (int i = 0; i < U; i++) par_raise(&largest, fabs(of[i] * w[i < BLOCK ? i : BLOCK - 1]));
    int nodes = 0;
    const vec3 *at = s->finite ? finite_system_row(s->finite, row, r.nodes, &nodes) : NULL;
    for (int n = 0; n < nodes; n++) par_raise(&largest, w[0] * vec3_norm(at[n]));
  }
  largest = par_max(largest);
  return isnan(largest) ? INFINITY : largest;
}

static int iterate(ElasticSystem *s, Amg *amg, SystemVector b, GradientsEnd end, Vectors *v)
{
  multiply(s, s->x, v->q);
  residual_of(s, b, v->q, v->r);
  int iterations = 0;
  double before = 1;   // r.z of the last iteration
  while (size_of(s, v->r, end.weight) > end.tolerance && iterations < end.most) {
    precondition(s, amg, v);
    const double now = dot(s, v->r, v->z);
    if (!(now > 0)) break;   // at the end of what the numbers hold
    const double carried = iterations > 0 ? now / before : 0;
    // p = z + carried p
    const SystemVector before_p = v->p;
    add_scaled(s, carried, before_p, v->z);
    v->p = v->z;
    v->z = before_p;
    before = now;
    multiply(s, v->p, v->q);
    const double curvature = dot(s, v->p, v->q);
    if (!(curvature > 0)) break;
    const double step = now / curvature;
    add_scaled(s, step, v->p, s->x);
    add_scaled(s, -step, v->q, v->r);
    iterations++;
  }
  return iterations;
}

static void store_loads(const ElasticSystem *s, const PointOperators *operators, SystemVector to)
{
  for (int row = 0; row < own_rows(s); row++) {
    const int b = s->rows.body_of_row[row];
    double *of = to.rows + (size_t)row * U;
    int nodes = 0;
    vec3 *pushed = s->finite ? finite_system_row(s->finite, row, to.nodes, &nodes) : NULL;
    if (pushed) {
      memset(of, 0, U * sizeof *of);
      memset(pushed, 0, (size_t)nodes * sizeof *pushed);
      problem_push_nodes(s->problem, b, operators->r, pushed);
      finite_body_leave_held(finite_rows_find(s->problem->finite, b)->body, pushed);
      continue;
    }
    if (elastic_rows_find(s->problem->elastic, b)) {
      const DyadLoad load = point_operators_dyad_load(operators, b);
      to_numbers(&load, true, of);
      continue;
    }
    const PointLoad load = point_operators_load(operators, b);
    const double numbers[U] = {load.push.x, load.push.y, load.push.z,
                               load.turn.x, load.turn.y, load.turn.z};
    memcpy(of, numbers, sizeof numbers);
  }
}

void elastic_system_set_push(ElasticSystem *s, const PointOperators *operators)
{
  assert(operators->r != NULL || s->problem->point_count == 0);
  store_loads(s, operators, s->push);
}

// Returns iterations.
static int solve_by_gradients(ElasticSystem *s, SystemVector b, Amg *amg, GradientsEnd end)
{
  const TrafficKind served = par_traffic_serves(TRAFFIC_INNER);
  Vectors v = {.r = vector_new(s, false),
               .z = vector_new(s, true),
               .p = vector_new(s, true),
               .q = vector_new(s, false),
               .rest = vector_new(s, false),
               .rigid = vector_new(s, true)};
  const int iterations = iterate(s, amg, b, end, &v);
  par_traffic_rounds(iterations);
  par_traffic_serves(served);
  return iterations;
}

int elastic_system_solve(ElasticSystem *s, const PointOperators *operators, ElasticSolver solver,
                         GradientsEnd end)
{
  assert((solver.factors != NULL) != (solver.amg != NULL) && "one way to solve it");
  assert(end.most >= 0 && !(end.tolerance < 0) && "iterations are limited");
  const ArenaMark mark = arena_mark(s->arena);
  const SystemVector b = vector_new(s, false);
  store_loads(s, operators, b);
  add_scaled(s, -1, s->push, b);
  int iterations = 0;
  if (solver.factors)
    elastic_factors_solve(&s->pattern, solver.factors, b.rows, s->x.rows, s->arena);
  else iterations = solve_by_gradients(s, b, solver.amg, end);
  refresh(s, s->x);
  arena_release(s->arena, mark);
  return iterations;
}

void elastic_system_begin(ElasticSystem *s, Velocities free, Velocities now)
{
  assert(free.stretch != NULL && now.stretch != NULL && "some row deforms");
  for (int row = 0; row < own_rows(s); row++) {
    const int b = s->rows.body_of_row[row];
    double *x = s->x.rows + (size_t)row * U;
    int nodes = 0;
    vec3 *of = s->finite ? finite_system_row(s->finite, row, s->x.nodes, &nodes) : NULL;
    const int first = of ? s->problem->finite->first[b] : 0;
    for (int n = 0; n < nodes; n++) of[n] = vec3_sub(now.nodes[first + n], free.nodes[first + n]);
    if (of) continue;
    const Twist twist = {vec3_sub(now.twist[b].v, free.twist[b].v),
                         vec3_sub(now.twist[b].w, free.twist[b].w)};
    const mat3 m = mat3_add(now.stretch[b], mat3_scale(-1, free.stretch[b]));
    const double numbers[U] = {twist.v.x,  twist.v.y,  twist.v.z,  twist.w.x,
                               twist.w.y,  twist.w.z,  m.row[0].x, m.row[0].y,
                               m.row[0].z, m.row[1].y, m.row[1].z, m.row[2].z};
    memcpy(x, numbers, sizeof numbers);
  }
}

void elastic_system_velocities(const ElasticSystem *s, Velocities free, VelocityColumns to)
{
  assert(free.stretch != NULL && to.twist != NULL && to.stretch != NULL && "some row deforms");
  for (int row = 0; row < s->rows.space->count; row++) {
    const double *x = s->x.rows + (size_t)row * U;
    const int b = s->rows.body_of_row[row];
    int nodes = 0;
    const vec3 *of = s->finite ? finite_system_row(s->finite, row, s->x.nodes, &nodes) : NULL;
    const int first = of ? s->problem->finite->first[b] : 0;
    for (int n = 0; n < nodes; n++) to.nodes[first + n] = vec3_add(free.nodes[first + n], of[n]);
    if (of) continue;
    const vec3 v = {x[0], x[1], x[2]}, w = {x[3], x[4], x[5]};
    const sym3 squeeze = {x[6], x[7], x[8], x[9], x[10], x[11]};
    to.twist[b] = (Twist){vec3_add(free.twist[b].v, v), vec3_add(free.twist[b].w, w)};
    to.stretch[b] = mat3_add(free.stretch[b], mat3_of_sym3(squeeze));
  }
}
