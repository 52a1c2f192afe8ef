#include "contact_system.h"

#include <string.h>

#include "halo.h"
#include "parallel.h"
#include "point_operators.h"

#define INNER_MOST 200   // iterations of conjugate gradients for one answer

// Sums over the points of a pair with the weight rho: what H' diag(rho) H needs, since frames are
// orthonormal.
typedef struct {
  double one;                          // sum rho
  vec3 low, high;                      // sum rho arm
  mat3 low_low, low_high, high_high;   // sum rho arm arm'
} PairSums;

struct ContactSystem {
  Problem *problem;
  const Twist *free;
  double scale;
  bool direct;
  SystemCache *cache;
  Arena *arena;
  // points
  PointOperators operators;
  vec3 *free_velocity;   // H free, in frames
  PointLaw *laws;
  vec3 *offset;
  double *rho, *speed, sigma;
  // the linear system
  BlockSpace space;
  int *row_of_body;   // [rows] of the space, -1: none
  int *body_of_row;   // [count]
  BlockMatrix matrix;
  double *value;       // of the matrix
  double *stiffness;   // H' diag(rho) H, as value
  double *inertia;     // [own * BLOCK_SIZE] M
  double *weight;      // [own * BLOCK] from momenta to impulses
  double *x, *b;       // [count * BLOCK], [own * BLOCK]
  Twist *twist;        // [rows] velocities of the last answer
};

static bool takes_part(const Problem *problem, int row)
{
  return problem->mid[row].inverse_mass > 0;
}

// bodies with points, own ones first
static void make_space(ContactSystem *s)
{
  const Problem *problem = s->problem;
  const Bodies *bodies = problem->bodies;
  const size_t rows = (size_t)problem->row_count + 1;
  unsigned char *touched = arena_allocate_zero(s->arena, rows, 1);
  for (int p = 0; p < problem->pair_count; p++)
    touched[problem->pairs[p].low] = touched[problem->pairs[p].high] = 1;
  s->row_of_body = arena_allocate(s->arena, rows * sizeof(int));
  s->body_of_row = arena_allocate(s->arena, rows * sizeof(int));
  uint64_t *key = arena_allocate(s->arena, rows * sizeof *key);
  vec3 *place = arena_allocate(s->arena, rows * sizeof *place);
  int *rank = arena_allocate(s->arena, rows * sizeof *rank);
  int made = 0;
  for (int b = 0; b < problem->row_count; b++) {
    if (b == problem->own_rows) s->space.own = made;
    s->row_of_body[b] = -1;
    if (!touched[b] || !takes_part(problem, b)) continue;
    s->row_of_body[b] = made;
    s->body_of_row[made] = b;
    key[made] = bodies->id[b];
    place[made] = bodies->position[b];
    if (b >= problem->own_rows)
      rank[made - s->space.own] = problem->ghost_ranks[b - problem->own_rows];
    made++;
  }
  if (problem->row_count == problem->own_rows) s->space.own = made;
  s->space.count = made;
  s->space.key = key;
  s->space.place = place;
  s->space.rank = rank;
}

// the plan of all boundary bodies, in rows of the space
static void make_plan(ContactSystem *s)
{
  const HaloPlan *all = &s->problem->all;
  const int n = all->neighbour_count;
  HaloPlan *plan = &s->space.plan;
  *plan = *all;
  if (n == 0) return;
  plan->send_rows = arena_allocate(s->arena, ((size_t)all->send_start[n] + 1) * sizeof(int));
  plan->receive_rows = arena_allocate(s->arena, ((size_t)all->receive_start[n] + 1) * sizeof(int));
  for (int i = 0; i < all->send_start[n]; i++)
    plan->send_rows[i] = s->row_of_body[all->send_rows[i]];
  for (int i = 0; i < all->receive_start[n]; i++)
    plan->receive_rows[i] = s->row_of_body[all->receive_rows[i]];
}

static mat3 outer(double w, vec3 a, vec3 b)
{
  return (mat3){{vec3_scale(w * a.x, b), vec3_scale(w * a.y, b), vec3_scale(w * a.z, b)}};
}

static PairSums sum_pair(const Problem *problem, const SolverPair *pair, const double *rho)
{
  PairSums sums = {0};
  for (int i = pair->first; i < pair->end; i++) {
    const SolverPoint *p = &problem->points[i];
    const double w = rho[i];
    sums.one += w;
    sums.low = vec3_axpy(w, p->low_arm, sums.low);
    sums.high = vec3_axpy(w, p->high_arm, sums.high);
    sums.low_low = mat3_add(sums.low_low, outer(w, p->low_arm, p->low_arm));
    sums.low_high = mat3_add(sums.low_high, outer(w, p->low_arm, p->high_arm));
    sums.high_high = mat3_add(sums.high_high, outer(w, p->high_arm, p->high_arm));
  }
  return sums;
}

// adds sign [I; [a]x] [I, -[b]x], summed over points: sums w, w a, w b and w a b'
static void add_block(double *block, double sign, double one, vec3 a, vec3 b, mat3 ab)
{
  const mat3 left = mat3_skew(a), right = mat3_skew(b);
  // -[a]x [b]x = (a.b) I - b a'
  const double trace = ab.row[0].x + ab.row[1].y + ab.row[2].z;
  const mat3 turned = mat3_transpose(ab);
  const mat3 turning = mat3_add(mat3_diagonal(trace, trace, trace), mat3_scale(-1, turned));
  for (int i = 0; i < 3; i++) {
    const double l[3] = {left.row[i].x, left.row[i].y, left.row[i].z};
    const double r[3] = {right.row[i].x, right.row[i].y, right.row[i].z};
    const double t[3] = {turning.row[i].x, turning.row[i].y, turning.row[i].z};
    block[BLOCK * i + i] += sign * one;
    for (int j = 0; j < 3; j++) {
      block[BLOCK * i + 3 + j] -= sign * r[j];
      block[BLOCK * (3 + i) + j] += sign * l[j];
      block[BLOCK * (3 + i) + 3 + j] += sign * t[j];
    }
  }
}

// M of a body; the weight that makes its momenta impulses: one over its radius of gyration
static void set_inertia(const MidState *mid, double *block, double *weight)
{
  const mat3 inverse = mid->inverse_inertia;
  const mat3 turning = mat3_inverse(inverse);
  const double trace = inverse.row[0].x + inverse.row[1].y + inverse.row[2].z;
  const double gyration = sqrt(3 * mid->inverse_mass / trace);
  for (int i = 0; i < 3; i++) {
    block[BLOCK * i + i] = 1 / mid->inverse_mass;
    const double t[3] = {turning.row[i].x, turning.row[i].y, turning.row[i].z};
    for (int j = 0; j < 3; j++) block[BLOCK * (3 + i) + 3 + j] = t[j];
    weight[i] = 1;
    weight[3 + i] = 1 / gyration;
  }
}

// the pairs of a body in order of key: those where it is the higher one come first, so that columns
// ascend with the diagonal between them
static void make_matrix(ContactSystem *s)
{
  const Problem *problem = s->problem;
  const int own = s->space.own;
  const size_t most = (size_t)own + 2 * (size_t)problem->pair_count + 1;
  int *start = arena_allocate(s->arena, ((size_t)own + 1) * sizeof *start);
  int *column = arena_allocate(s->arena, most * sizeof *column);
  s->stiffness = arena_allocate_zero(s->arena, most * BLOCK_SIZE, sizeof(double));
  const ArenaMark mark = arena_mark(s->arena);
  int *pair_of_point =
      arena_allocate(s->arena, ((size_t)problem->point_count + 1) * sizeof *pair_of_point);
  PairSums *sums = arena_allocate(s->arena, ((size_t)problem->pair_count + 1) * sizeof *sums);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    sums[k] = sum_pair(problem, pair, s->rho);
    for (int i = pair->first; i < pair->end; i++) pair_of_point[i] = k;
  }
  int made = 0;
  for (int row = 0; row < own; row++) {
    const int b = s->body_of_row[row];
    start[row] = made;
    int diagonal = -1, last = -1;
    // room for the diagonal behind the columns of lower bodies
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const int pair_index = pair_of_point[problem->body_points[k]];
      if (pair_index == last) continue;
      last = pair_index;
      const SolverPair *pair = &problem->pairs[pair_index];
      const PairSums *p = &sums[pair_index];
      const bool low = pair->low == b;
      if (low && diagonal < 0) {
        diagonal = made;
        column[made++] = row;
      }
      const int other = s->row_of_body[low ? pair->high : pair->low];
      if (other < 0) continue;
      column[made] = other;
      double *block = &s->stiffness[(size_t)made++ * BLOCK_SIZE];
      if (low) add_block(block, -1, p->one, p->low, p->high, p->low_high);
      else add_block(block, -1, p->one, p->high, p->low, mat3_transpose(p->low_high));
    }
    if (diagonal < 0) {
      diagonal = made;
      column[made++] = row;
    }
    last = -1;
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const int pair_index = pair_of_point[problem->body_points[k]];
      if (pair_index == last) continue;
      last = pair_index;
      const PairSums *p = &sums[pair_index];
      double *block = &s->stiffness[(size_t)diagonal * BLOCK_SIZE];
      if (problem->pairs[pair_index].low == b)
        add_block(block, 1, p->one, p->low, p->low, p->low_low);
      else add_block(block, 1, p->one, p->high, p->high, p->high_high);
    }
  }
  start[own] = made;
  arena_release(s->arena, mark);
  s->value = arena_allocate(s->arena, ((size_t)made * BLOCK_SIZE + 1) * sizeof(double));
  s->matrix = (BlockMatrix){start, column, s->value};
}

// A = M + sigma H' diag(rho) H
static void set_values(ContactSystem *s)
{
  const BlockMatrix *a = &s->matrix;
  for (int row = 0; row < s->space.own; row++)
    for (int k = a->start[row]; k < a->start[row + 1]; k++) {
      const double *from = &s->stiffness[(size_t)k * BLOCK_SIZE];
      const double *mass = &s->inertia[(size_t)row * BLOCK_SIZE];
      double *to = &s->value[(size_t)k * BLOCK_SIZE];
      const bool diagonal = a->column[k] == row;
      for (int i = 0; i < BLOCK_SIZE; i++)
        to[i] = diagonal ? mass[i] + s->sigma * from[i] : s->sigma * from[i];
    }
}

static bool prepare(void *context, double sigma)
{
  ContactSystem *s = context;
  s->sigma = sigma;
  set_values(s);
  if (s->direct)
    return (s->cache->factors = cholesky_new(&s->space, &s->matrix, s->cache->factors, s->arena)) !=
           NULL;
  return (s->cache->amg = amg_new(&s->space, &s->matrix, s->cache->amg, s->arena)) != NULL;
}

// A x = H' (d - Sig U_free), u = U_free + H x
static int respond(void *context, const vec3 *d, double accuracy, vec3 *u)
{
  ContactSystem *s = context;
  const ArenaMark mark = arena_mark(s->arena);
  point_operators_set_weighted(&s->operators, d, s->sigma, s->rho, s->free_velocity);
  for (int row = 0; row < s->space.own; row++) {
    const PointLoad load = point_operators_load(&s->operators, s->body_of_row[row]);
    const vec3 push = load.push, turn = load.turn;
    memcpy(&s->b[(size_t)row * BLOCK], (double[]){push.x, push.y, push.z, turn.x, turn.y, turn.z},
           BLOCK * sizeof(double));
  }
  int inner = 0;
  if (s->direct) cholesky_solve(s->cache->factors, &s->space, s->b, s->x, s->arena);
  else
    inner = amg_conjugate_gradients(s->cache->amg, s->b, s->weight, accuracy, INNER_MOST, s->x,
                                    s->arena);
  for (int row = 0; row < s->space.count; row++) {
    const double *x = &s->x[(size_t)row * BLOCK];
    const Twist free = s->free[s->body_of_row[row]];
    s->twist[s->body_of_row[row]] = (Twist){vec3_add(free.v, (vec3){x[0], x[1], x[2]}),
                                            vec3_add(free.w, (vec3){x[3], x[4], x[5]})};
  }
  point_operators_velocities(&s->operators, s->twist, u);
  arena_release(s->arena, mark);
  return inner;
}

static void velocity(void *context, const vec3 *r, vec3 *u)
{
  ContactSystem *s = context;
  point_operators_set(&s->operators, r);
  point_operators_twists(&s->operators, s->free, s->twist);
  halo_refresh(&s->problem->all, s->twist, sizeof *s->twist, s->arena);
  point_operators_velocities(&s->operators, s->twist, u);
}

ContactSystem *contact_system_new(Problem *problem, const Twist *free, double scale, bool direct,
                                  SystemCache *cache, Arena *arena)
{
  ContactSystem *s = arena_allocate_zero(arena, 1, sizeof *s);
  *s = (ContactSystem){.problem = problem,
                       .free = free,
                       .scale = scale,
                       .direct = direct,
                       .cache = cache,
                       .arena = arena};
  const size_t points = (size_t)problem->point_count + 1;
  s->laws = arena_allocate(arena, points * sizeof *s->laws);
  s->offset = arena_allocate(arena, points * sizeof *s->offset);
  s->rho = arena_allocate(arena, points * sizeof *s->rho);
  s->speed = arena_allocate(arena, points * sizeof *s->speed);
  for (int i = 0; i < problem->point_count; i++) {
    // an impact that is yet to come takes no impulse in this step
    const SolverPoint *p = &problem->points[i];
    const bool acts = p->offset.x < INFINITY;
    s->laws[i] = p->law;
    s->offset[i] = acts ? p->offset : (vec3){0, 0, 0};
    s->rho[i] = acts ? p->rho : 0;
    s->speed[i] = p->speed;
  }
  s->operators = point_operators_new(problem, arena);
  s->free_velocity = arena_allocate(arena, points * sizeof *s->free_velocity);
  point_operators_velocities(&s->operators, free, s->free_velocity);
  make_space(s);
  make_plan(s);
  make_matrix(s);
  const size_t own = (size_t)s->space.own + 1, count = (size_t)s->space.count + 1;
  s->inertia = arena_allocate_zero(arena, own * BLOCK_SIZE, sizeof(double));
  s->weight = arena_allocate(arena, own * BLOCK * sizeof(double));
  for (int row = 0; row < s->space.own; row++)
    set_inertia(&problem->mid[s->body_of_row[row]], &s->inertia[(size_t)row * BLOCK_SIZE],
                &s->weight[(size_t)row * BLOCK]);
  s->b = arena_allocate(arena, own * BLOCK * sizeof(double));
  s->x = arena_allocate_zero(arena, count * BLOCK, sizeof(double));
  s->twist = arena_allocate(arena, ((size_t)problem->row_count + 1) * sizeof(Twist));
  memcpy(s->twist, free, (size_t)problem->row_count * sizeof(Twist));
  return s;
}

ConeProblem contact_system_operators(ContactSystem *s)
{
  return (ConeProblem){.point_count = s->problem->point_count,
                       .owned = s->problem->owned,
                       .laws = s->laws,
                       .rho = s->rho,
                       .speed = s->speed,
                       .offset = s->offset,
                       .scale = s->scale,
                       .context = s,
                       .prepare = prepare,
                       .respond = respond,
                       .velocity = velocity};
}

int64_t contact_system_bodies(const Problem *problem)
{
  int64_t count = 0;
  for (int b = 0; b < problem->own_rows; b++)
    count += problem->body_start[b + 1] > problem->body_start[b] && takes_part(problem, b);
  return par_sum(count);
}

void system_cache_destroy(SystemCache *cache)
{
  cholesky_destroy(cache->factors);
  amg_destroy(cache->amg);
  *cache = (SystemCache){NULL, NULL};
}
