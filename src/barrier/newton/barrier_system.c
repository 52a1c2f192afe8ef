// Puts terms and grips of couples together, each row in the order of its couples.
#include "barrier_system.h"

#include <assert.h>
#include <string.h>

#include "barrier_law.h"
#include "symmetric.h"
#include "trig.h"

#define SERIES_BELOW 0.1   // square of an angle below which series are exact

// Force and torque on a body, with signs of a derivative.
typedef struct {
  vec3 force, torque;
} Push;

// The turn that a change of w makes of exp(h w): h T with
// T = 1 + (1 - cos a)/a^2 [f]x + (a - sin a)/a^3 [f]x^2, f = h w, a = |f|.
static mat3 turn_of_change(vec3 f)
{
  const double square = vec3_dot(f, f);
  double first = 0, second = 0;
  if (square > SERIES_BELOW) {
    const double angle = sqrt(square), s = trig_sin(0.5 * angle) / angle;
    first = 2 * s * s;
    second = (angle - trig_sin(angle)) / (angle * square);
  } else {   // sums of (-square)^k / (2 k + 2)! and of (-square)^k / (2 k + 3)!
    static const double of_first[] = {1. / 2,      -1. / 24,     1. / 720,
                                      -1. / 40320, 1. / 3628800, -1. / 479001600};
    static const double of_second[] = {1. / 6,       -1. / 120,     1. / 5040,
                                       -1. / 362880, 1. / 39916800, -1. / 6227020800};
    for (int k = 5; k >= 0; k--) {
      first = of_first[k] + square * first;
      second = of_second[k] + square * second;
    }
  }
  const mat3 x = mat3_skew(f);
  const mat3 odd = mat3_scale(first, x), even = mat3_scale(second, mat3_mul_mat(x, x));
  return mat3_add(mat3_diagonal(1, 1, 1), mat3_add(odd, even));
}

static void add_push(Push *push, double sign, vec3 force, vec3 arm)
{
  push->force = vec3_axpy(sign, force, push->force);
  push->torque = vec3_axpy(sign, vec3_cross(arm, force), push->torque);
}

// A grip's slip in the step, m, and the force of friction over it, N/m, which has a value at 0 too.
typedef struct {
  vec3 along;
  double slip, over;
} Slip;

static Slip slip_of(const BarrierProblem *problem, const BarrierGrip *grip, const Twist pair[2])
{
  const double h = problem->step, stick = h * problem->settings.stick_speed;
  const vec3 along = vec3_scale(h, barrier_problem_slip(grip, pair));
  const double slip = vec3_norm(along);
  return (Slip){along, slip, grip->limit * (slip < stick ? (2 - slip / stick) / stick : 1 / slip)};
}

static vec3 grip_force(const BarrierProblem *problem, const BarrierGrip *grip, const Twist pair[2])
{
  const Slip of = slip_of(problem, grip, pair);
  return vec3_scale(of.over, of.along);
}

// Its derivative by the slip, or its secant, N/m.
static sym3 grip_weight(const BarrierProblem *problem, const BarrierGrip *grip, const Twist pair[2],
                        bool secant)
{
  const Slip of = slip_of(problem, grip, pair);
  const sym3 across = symmetric_add_dyad((sym3){1, 0, 0, 1, 0, 1}, -1, grip->normal);
  const sym3 weight = symmetric_axpy(of.over, across, (sym3){0, 0, 0, 0, 0, 0});
  if (secant || !(of.slip > 0)) return weight;
  const double stick = problem->step * problem->settings.stick_speed;
  const double curvature = grip->limit * barrier_law_friction(of.slip, stick).curvature;
  return symmetric_add_dyad(weight, curvature - of.over, vec3_scale(1 / of.slip, of.along));
}

vec3 barrier_system_friction(const BarrierProblem *problem, const BarrierGrip *grip,
                             const Twist pair[2])
{
  return grip_force(problem, grip, pair);
}

// Derivatives of all rows by their motion at the end of the step: what barriers and friction do.
typedef struct {
  Push *barriers, *friction;   // [count]
} Pushes;

static Pushes sum_pushes(const BarrierProblem *problem, const BarrierIterate *iterate,
                         const BarrierGrips *grips, Arena *arena)
{
  const size_t rows = (size_t)problem->count + 1;
  const Pushes sums = {arena_allocate_zero(arena, rows, sizeof(Push)),
                       arena_allocate_zero(arena, rows, sizeof(Push))};
  for (int c = 0; c < problem->couple_count; c++) {
    const BarrierCouple *couple = &problem->couples[c];
    Push *low = &sums.barriers[couple->low], *high = &sums.barriers[couple->high];
    for (int i = iterate->start[c]; i < iterate->start[c + 1]; i++) {
      const BarrierTerm *term = &iterate->terms.of[i];
      add_push(low, 1, term->gradient, term->arm[0]);
      add_push(high, -1, term->gradient, term->arm[1]);
      low->torque = vec3_add(low->torque, term->couple);
      high->torque = vec3_sub(high->torque, term->couple);
    }
    const Twist pair[2] = {iterate->u[couple->low], iterate->u[couple->high]};
    for (int i = grips->start[c]; i < grips->start[c + 1]; i++) {
      const vec3 force = grip_force(problem, &grips->of[i], pair);
      add_push(&sums.friction[couple->low], 1, force, grips->of[i].arm[0]);
      add_push(&sums.friction[couple->high], -1, force, grips->of[i].arm[1]);
    }
  }
  return sums;
}

void barrier_system_gradient(const BarrierProblem *problem, const BarrierIterate *iterate,
                             const BarrierGrips *grips, double *gradient, Arena *scratch)
{
  const double h = problem->step;
  const ArenaMark mark = arena_mark(scratch);
  const Pushes sums = sum_pushes(problem, iterate, grips, scratch);
  for (int i = 0; i < problem->own; i++) {
    double *of = &gradient[(size_t)i * BLOCK];
    memset(of, 0, BLOCK * sizeof *of);
    if (!barrier_problem_moves(problem, i)) continue;
    // barriers act where u leads and turn with the body, friction acts at the grips
    const Push push = sums.barriers[i], hold = sums.friction[i];
    const Twist u = iterate->u[i];
    const vec3 turned = mat3_mul_transposed(turn_of_change(vec3_scale(h, u.w)), push.torque);
    vec3 v = vec3_scale(problem->mass[i], vec3_sub(u.v, problem->free[i].v));
    vec3 w = mat3_mul(problem->inertia[i], vec3_sub(u.w, problem->free[i].w));
    v = vec3_axpy(h, vec3_add(push.force, hold.force), v);
    w = vec3_axpy(h, vec3_add(turned, hold.torque), w);
    memcpy(of, (double[]){v.x, v.y, v.z, w.x, w.y, w.z}, BLOCK * sizeof *of);
  }
  arena_release(scratch, mark);
}

void barrier_system_impulses(const BarrierProblem *problem, const BarrierIterate *iterate,
                             const BarrierGrips *grips, BarrierImpulse *impulses, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  const Pushes sums = sum_pushes(problem, iterate, grips, scratch);
  for (int i = 0; i < problem->own; i++) {
    const Push push = sums.barriers[i], hold = sums.friction[i];
    impulses[i] = (BarrierImpulse){vec3_scale(-problem->step, vec3_add(push.force, hold.force)),
                                   vec3_scale(-problem->step, vec3_add(push.torque, hold.torque))};
  }
  arena_release(scratch, mark);
}

// -- matrix ---------------------------------------------------------------------------------------

static void add_part(double *block, int at, double sign, mat3 part)
{
  for (int i = 0; i < 3; i++) {
    double *row = &block[at + BLOCK * i];
    row[0] += sign * part.row[i].x;
    row[1] += sign * part.row[i].y;
    row[2] += sign * part.row[i].z;
  }
}

// block += sign [1; [a]x] S [1, -[b]x]
static void add_weight(double *block, double sign, const mat3 *weight, vec3 a, vec3 b)
{
  const mat3 left = mat3_mul_mat(mat3_skew(a), *weight), right = mat3_skew(b);
  add_part(block, 0, sign, *weight);
  add_part(block, 3, -sign, mat3_mul_mat(*weight, right));
  add_part(block, 3 * BLOCK, sign, left);
  add_part(block, 3 * BLOCK + 3, -sign, mat3_mul_mat(left, right));
}

// The blocks of a couple: of the lower row, of the higher one, between them; NULL: not wanted.
typedef struct {
  double *low, *high, *between;
} CoupleBlocks;

static void add_at(const CoupleBlocks *blocks, sym3 weight, const vec3 arm[2])
{
  const mat3 full = mat3_of_sym3(weight);
  if (blocks->low) add_weight(blocks->low, 1, &full, arm[0], arm[0]);
  if (blocks->high) add_weight(blocks->high, 1, &full, arm[1], arm[1]);
  if (blocks->between) add_weight(blocks->between, -1, &full, arm[0], arm[1]);
}

static mat3 part_of(const double *block, int at)
{
  const double *a = &block[at], *b = a + BLOCK, *c = b + BLOCK;
  return (mat3){{{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, {c[0], c[1], c[2]}}};
}

// to += diag(1, left)' block diag(1, right)
static void add_turned(double *to, const double *block, mat3 left, mat3 right)
{
  if (!to) return;
  const mat3 back = mat3_transpose(left);
  add_part(to, 0, 1, part_of(block, 0));
  add_part(to, 3, 1, mat3_mul_mat(part_of(block, 3), right));
  add_part(to, 3 * BLOCK, 1, mat3_mul_mat(back, part_of(block, 3 * BLOCK)));
  add_part(to, 3 * BLOCK + 3, 1,
           mat3_mul_mat(back, mat3_mul_mat(part_of(block, 3 * BLOCK + 3), right)));
}

static void add_couple(const BarrierProblem *problem, const BarrierIterate *iterate,
                       const BarrierGrips *grips, int c, bool secant, const CoupleBlocks *blocks)
{
  const double h = problem->step;
  const sym3 none = {0, 0, 0, 0, 0, 0};
  const BarrierCouple *couple = &problem->couples[c];
  const Twist pair[2] = {iterate->u[couple->low], iterate->u[couple->high]};

  // barriers turn with the bodies
  if (iterate->start[c] < iterate->start[c + 1]) {
    double sum[3][BLOCK_SIZE] = {{0}};
    const CoupleBlocks sums = {sum[0], sum[1], sum[2]};
    for (int i = iterate->start[c]; i < iterate->start[c + 1]; i++) {
      const BarrierTerm *term = &iterate->terms.of[i];
      add_at(&sums, symmetric_axpy(h * h, term->weight, none), term->arm);
    }
    const mat3 low = turn_of_change(vec3_scale(h, pair[0].w));
    const mat3 high = turn_of_change(vec3_scale(h, pair[1].w));
    add_turned(blocks->low, sum[0], low, low);
    add_turned(blocks->high, sum[1], high, high);
    add_turned(blocks->between, sum[2], low, high);
  }
  for (int i = grips->start[c]; i < grips->start[c + 1]; i++) {
    const sym3 weight = grip_weight(problem, &grips->of[i], pair, secant);
    add_at(blocks, symmetric_axpy(h * h, weight, none), grips->of[i].arm);
  }
}

static void add_mass(const BarrierProblem *problem, int row, double *block)
{
  const bool moves = barrier_problem_moves(problem, row);
  const double m = moves ? problem->mass[row] : 1;
  add_part(block, 0, 1, mat3_diagonal(m, m, m));
  add_part(block, 3 * BLOCK + 3, 1, moves ? problem->inertia[row] : mat3_diagonal(1, 1, 1));
}

// Is there a block between the rows of a couple, in the lower one's row?
static bool ties(const BarrierProblem *problem, const BarrierCouple *couple)
{
  return couple->low < problem->own && barrier_problem_moves(problem, couple->low) &&
         barrier_problem_moves(problem, couple->high);
}

BlockMatrix barrier_system_matrix(const BarrierProblem *problem, const BarrierIterate *iterate,
                                  const BarrierGrips *grips, bool secant, Arena *arena)
{
  assert(iterate->apart && "forces are those of bodies apart");
  const int own = problem->own;
  int *start = arena_allocate_zero(arena, (size_t)own + 2, sizeof *start);
  for (int i = 0; i < own; i++) start[i + 2] = 1;
  for (int c = 0; c < problem->couple_count; c++) {
    if (ties(problem, &problem->couples[c])) start[problem->couples[c].low + 2]++;
  }
  for (int i = 0; i < own; i++) start[i + 2] += start[i + 1];
  const size_t blocks = (size_t)start[own + 1];
  int *column = arena_allocate(arena, (blocks + 1) * sizeof *column);
  double *value = arena_allocate_zero(arena, (blocks + 1) * BLOCK_SIZE, sizeof *value);
  double **diagonal = arena_allocate(arena, ((size_t)problem->count + 1) * sizeof *diagonal);
  for (int i = 0; i < problem->count; i++) {
    diagonal[i] = NULL;
    if (i >= own) continue;
    double *block = value + (size_t)BLOCK_SIZE * (size_t)start[i + 1];
    column[start[i + 1]++] = i;
    add_mass(problem, i, block);
    if (barrier_problem_moves(problem, i)) diagonal[i] = block;
  }
  for (int c = 0; c < problem->couple_count; c++) {
    const BarrierCouple *couple = &problem->couples[c];
    CoupleBlocks of = {diagonal[couple->low], diagonal[couple->high], NULL};
    if (ties(problem, couple)) {
      const int at = start[couple->low + 1]++;
      column[at] = couple->high;
      of.between = value + (size_t)BLOCK_SIZE * (size_t)at;
    }
    add_couple(problem, iterate, grips, c, secant, &of);
  }
  return (BlockMatrix){.start = start, .column = column, .value = value};
}
