// Conjugate gradients on the system of rows that deform.
#include "elastic_system.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "halo.h"
#include "parallel.h"
#include "system_vector.h"

enum { U = ELASTIC_ROW_UNKNOWNS, TRIANGLE = U * (U + 1) / 2 };

struct ElasticSystem {
  const Problem *problem;
  SystemRows rows;
  Arena *arena;
  SystemSpace space;
  double *resist;            // [own * ELASTIC_UNKNOWNS^2] A0 without masses
  const double *weights;     // [points] of the last prepare
  ElasticMoments *moments;   // [pairs] about the lower body
  bool direct;
  ElasticPattern pattern;   // where it is
  double *factor;           // [own * TRIANGLE] of the diagonal blocks of A, by rows
  SystemVector x;           // all: the last answer
  SystemVector taken;       // own: H' Sig H free of the last set_push;
  bool has_product;         // and A x of the last answer
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
  s->space = (SystemSpace){s->rows.space, s->finite, arena};
  s->x = system_vector_new(&s->space, true);
  s->taken = system_vector_new(&s->space, false);
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

static void set_loads(ElasticSystem *s, NodesFactor nodes)
{
  const Problem *problem = s->problem;
  const DyadLoad still = {{0, 0, 0}, mat3_diagonal(0, 0, 0)};
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (s->finite && problem_has_nodes(problem, pair)) {
      s->loads[k] =
          finite_system_pair(s->finite, k, nodes, s->motion, s->apart ? &s->apart[k] : NULL);
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

// A factor of A: any x; x = S^-1 r; or P z, the rigid motions of rows, [rows * BLOCK].
typedef struct {
  FactorKind kind;
  SystemVector x, r;
  double *rigid;
} Factor;

// what x is of a row without nodes
static void numbers_of(const Factor *of, int row, double numbers[U])
{
  memset(numbers, 0, U * sizeof *numbers);
  if (of->kind == FACTOR_RIGID)
    memcpy(numbers, of->rigid + (size_t)row * BLOCK, BLOCK * sizeof *numbers);
  else memcpy(numbers, of->x.rows + (size_t)row * U, U * sizeof *numbers);
}

// A x of an own row without nodes
static void multiply_row(const ElasticSystem *s, int row, const double *from, double to[U])
{
  const int b = s->rows.body_of_row[row];
  const double *resist = resist_of(s, row);
  const DyadLoad sum = sum_loads(s, b);
  to_numbers(&sum, elastic_rows_find(s->problem->elastic, b) != NULL, to);
  for (int i = 0; i < 3; i++) to[i] += from[i] / s->problem->mid[b].inverse_mass;
  for (int i = 0; i < ELASTIC_UNKNOWNS; i++) {
    double taken = 0;
    for (int j = 0; j < ELASTIC_UNKNOWNS; j++)
      taken += resist[ELASTIC_UNKNOWNS * i + j] * from[3 + j];
    to[3 + i] += taken;
  }
}

// On own rows y = A x of any x; else what is left of r: y = r - A x where x answers r in each body
// alone, y -= A x where it is rigid. x of ghosts is refreshed.
static void multiply(ElasticSystem *s, Factor of, SystemVector y)
{
  const BlockSpace *space = s->rows.space;
  if (of.kind == FACTOR_RIGID)
    halo_refresh(&space->plan, of.rigid, BLOCK * sizeof *of.rigid, s->arena);
  else refresh(s, of.x);
  double from[U], taken[U];
  for (int row = 0; row < space->count; row++) {
    numbers_of(&of, row, from);
    s->motion[row] = motion_of(from);
  }
  const NodesFactor nodes = {of.kind, of.x.nodes, of.rigid};
  set_loads(s, nodes);
  for (int row = 0; row < space->own; row++) {
    double *to = y.rows + (size_t)row * U;
    if (has_nodes(s, row)) {
      memset(to, 0, U * sizeof *to);
      finite_system_multiply(s->finite, row, nodes, y.nodes);
      continue;
    }
    numbers_of(&of, row, from);
    multiply_row(s, row, from, taken);
    const double *r = of.kind == FACTOR_LOCAL ? of.r.rows + (size_t)row * U : to;
    for (int i = 0; i < U; i++) to[i] = of.kind == FACTOR_ANY ? taken[i] : r[i] - taken[i];
  }
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

// z = C^-1 P' r, P the rigid motions; [rows * BLOCK], of own rows
static void answer_rigid(const ElasticSystem *s, Amg *amg, SystemVector r, double *z)
{
  const ArenaMark mark = arena_mark(s->arena);
  const BlockSpace *space = s->rows.space;
  double *b = arena_allocate(s->arena, ((size_t)space->own + 1) * BLOCK * sizeof *b);
  for (int row = 0; row < space->own; row++) {
    double *to = b + (size_t)row * BLOCK;
    if (has_nodes(s, row)) finite_system_restrict(s->finite, row, r.nodes, to);
    else memcpy(to, r.rows + (size_t)row * U, BLOCK * sizeof *b);
  }
  memset(z, 0, (size_t)space->count * BLOCK * sizeof *z);
  amg_apply(amg, b, z);
  arena_release(s->arena, mark);
}

// x += P z
static void add_rigid(const ElasticSystem *s, const double *z, SystemVector x)
{
  for (int row = 0; row < own_rows(s); row++) {
    const double *from = z + (size_t)row * BLOCK;
    if (has_nodes(s, row)) finite_system_add_rigid(s->finite, row, from, x.nodes);
    else
      for (int i = 0; i < BLOCK; i++) x.rows[(size_t)row * U + (size_t)i] += from[i];
  }
}

// Vectors of an answer, of own rows, z and p of all.
typedef struct {
  SystemVector r, z, p, q;
  double *rigid;   // [rows * BLOCK]
} Vectors;

// z = an answer to r: in each body, of what is left as if bodies were rigid, and in each body again
static void precondition(ElasticSystem *s, Amg *amg, Vectors *v)
{
  system_vector_clear(&s->space, v->z);
  add_local(s, v->r, v->z);
  multiply(s, (Factor){.kind = FACTOR_LOCAL, .x = v->z, .r = v->r}, v->q);
  answer_rigid(s, amg, v->q, v->rigid);
  multiply(s, (Factor){.kind = FACTOR_RIGID, .rigid = v->rigid}, v->q);
  add_rigid(s, v->rigid, v->z);
  add_local(s, v->q, v->z);
}

// ------------------------------------------------------------------------------------------------
// Conjugate gradients.

// r becomes what is left of it, and taken keeps r.
static void take(ElasticSystem *s, SystemVector r, SystemVector taken)
{
  for (int i = 0; i < U * own_rows(s); i++) {
    const double of = r.rows[i];
    r.rows[i] = of - taken.rows[i];
    taken.rows[i] = of;
  }
  const int nodes = s->finite ? finite_system_nodes(s->finite, false) : 0;
  for (int n = 0; n < nodes; n++) {
    const vec3 of = r.nodes[n];
    r.nodes[n] = vec3_sub(of, taken.nodes[n]);
    taken.nodes[n] = of;
  }
}

// v->r: loads, then what of them no x answers
static int iterate(ElasticSystem *s, Amg *amg, GradientsEnd end, Vectors *v)
{
  if (!s->has_product) {
    multiply(s, (Factor){.x = s->x}, v->q);
    system_vector_add(&s->space, 1, v->q, s->taken);
  }
  take(s, v->r, s->taken);
  int iterations = 0;
  double before = 1;   // r.z of the last iteration
  while (system_vector_size(&s->space, v->r, end.weight) > end.tolerance && iterations < end.most) {
    precondition(s, amg, v);
    const double now = system_vector_dot(&s->space, v->r, v->z);
    if (!(now > 0)) break;   // at the end of what the numbers hold
    const double carried = iterations > 0 ? now / before : 0;
    // p = z + carried p
    const SystemVector before_p = v->p;
    system_vector_add(&s->space, carried, before_p, v->z);
    v->p = v->z;
    v->z = before_p;
    before = now;
    multiply(s, (Factor){.x = v->p}, v->q);
    const double curvature = system_vector_dot(&s->space, v->p, v->q);
    if (!(curvature > 0)) break;
    const double step = now / curvature;
    system_vector_add(&s->space, step, v->p, s->x);
    system_vector_add(&s->space, -step, v->q, v->r);
    iterations++;
  }
  system_vector_add(&s->space, -1, v->r, s->taken);
  s->has_product = true;
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
  store_loads(s, operators, s->taken);
  s->has_product = false;
}

// b is spent. Returns iterations.
static int solve_by_gradients(ElasticSystem *s, SystemVector b, Amg *amg, GradientsEnd end)
{
  const TrafficKind served = par_traffic_serves(TRAFFIC_INNER);
  Vectors v = {.r = b,
               .z = system_vector_new(&s->space, true),
               .p = system_vector_new(&s->space, true),
               .q = system_vector_new(&s->space, false),
               .rigid = arena_allocate(s->arena, ((size_t)s->rows.space->count + 1) * BLOCK *
                                                     sizeof(double))};
  const int iterations = iterate(s, amg, end, &v);
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
  const SystemVector b = system_vector_new(&s->space, false);
  store_loads(s, operators, b);
  int iterations = 0;
  if (solver.factors) {
    system_vector_add(&s->space, -1, s->taken, b);
    elastic_factors_solve(&s->pattern, solver.factors, b.rows, s->x.rows, s->arena);
  } else iterations = solve_by_gradients(s, b, solver.amg, end);
  refresh(s, s->x);
  arena_release(s->arena, mark);
  return iterations;
}

void elastic_system_begin(ElasticSystem *s, Velocities free, Velocities now)
{
  assert(free.stretch != NULL && now.stretch != NULL && "some row deforms");
  assert(!s->has_product && "weights are new");
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
