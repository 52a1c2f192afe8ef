// A = M + H' B H by pairs, H zero in what guides hold: a pair's points are summed once for the arms
// of its lower body, from which its four blocks follow by a shift.
#include "interior_system.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "contact_space.h"
#include "point_operators.h"

// H' B H of a pair with the arms of its lower body: [push, turn] by [v, w].
typedef struct {
  mat3 push_v, push_w, turn_v, turn_w;
} PairBlock;

struct InteriorSystem {
  const Problem *problem;
  const ContactSpace *rows;
  Lu **factors;
  Arena *arena;
  PointOperators operators;
  PairBlock *pairs;         // [pairs]
  double *value, *mirror;   // [rows->start[own] * BLOCK_SIZE] blocks and those across the diagonal
  double *x, *b;            // [count * BLOCK], [own * BLOCK]
  Twist *twist;             // [rows of the problem]
};

static PairBlock pair_block(const Problem *problem, const SolverPair *pair, const mat3 *weight)
{
  assert_debug(pair->first <= pair->end && pair->end <= problem->point_count &&
               "points that the problem has");
  const mat3 zero = mat3_diagonal(0, 0, 0);
  PairBlock sum = {zero, zero, zero, zero};
  for (int i = pair->first; i < pair->end; i++) {
    const PointLever *lever = &problem->levers[i];
    const mat3 basis = lever_basis(lever), arm = mat3_skew(lever->low_arm);
    const mat3 b = mat3_mul_mat(mat3_transpose(basis), mat3_mul_mat(weight[i], basis));
    const mat3 turned = mat3_mul_mat(b, mat3_scale(-1, arm));
    sum.push_v = mat3_add(sum.push_v, b);
    sum.push_w = mat3_add(sum.push_w, turned);
    sum.turn_v = mat3_add(sum.turn_v, mat3_mul_mat(arm, b));
    sum.turn_w = mat3_add(sum.turn_w, mat3_mul_mat(arm, turned));
  }
  return sum;
}

// The velocity of the higher body in the place of the lower one's: v + w x d for v.
static PairBlock of_higher(const PairBlock *k, mat3 shift)
{
  const mat3 back = mat3_scale(-1, shift);
  return (PairBlock){k->push_v, mat3_add(k->push_w, mat3_mul_mat(k->push_v, back)), k->turn_v,
                     mat3_add(k->turn_w, mat3_mul_mat(k->turn_v, back))};
}

// The impulse on the higher body, its moment about the centre of that.
static PairBlock on_higher(const PairBlock *k, mat3 shift)
{
  return (PairBlock){k->push_v, k->push_w, mat3_add(k->turn_v, mat3_mul_mat(shift, k->push_v)),
                     mat3_add(k->turn_w, mat3_mul_mat(shift, k->push_w))};
}

static void add_quarter(double *block, double sign, mat3 quarter)
{
  for (int r = 0; r < 3; r++) {
    block[BLOCK * r + 0] += sign * quarter.row[r].x;
    block[BLOCK * r + 1] += sign * quarter.row[r].y;
    block[BLOCK * r + 2] += sign * quarter.row[r].z;
  }
}

static void add_block(double *block, double sign, const PairBlock *k)
{
  add_quarter(block, sign, k->push_v);
  add_quarter(block + 3, sign, k->push_w);
  add_quarter(block + 3 * BLOCK, sign, k->turn_v);
  add_quarter(block + 3 * BLOCK + 3, sign, k->turn_w);
}

// a row of A, and the blocks across the diagonal
static void make_row(const InteriorSystem *s, int row)
{
  assert_debug(row >= 0 && row < s->rows->space.own && "own rows are made");
  const Problem *problem = s->problem;
  const int b = s->rows->body_of_row[row];
  const size_t first = (size_t)BLOCK_SIZE * (size_t)s->rows->start[row];
  const size_t count = (size_t)(s->rows->start[row + 1] - s->rows->start[row]);
  double *block = s->value + first, *mirror = s->mirror + first;
  double *diagonal = block;
  const unsigned held = kind_held(problem->bodies, b);
  memset(block, 0, count * BLOCK_SIZE * sizeof *block);
  memset(mirror, 0, count * BLOCK_SIZE * sizeof *mirror);
  for (int e = problem->body_start[b]; e < problem->body_start[b + 1]; e++) {
    const int entry = problem->body_pairs[e];
    const PairBlock *k = &s->pairs[entry / 2];
    const mat3 shift = mat3_skew(problem_between(problem, &problem->pairs[entry / 2]));
    if (entry % 2 != 0) {
      const PairBlock half = of_higher(k, shift), self = on_higher(&half, shift);
      add_block(diagonal, 1, &self);
      continue;
    }
    add_block(diagonal, 1, k);
    if (!contact_space_higher_pair(s->rows, e)) continue;
    const PairBlock across = of_higher(k, shift), back = on_higher(k, shift);
    block += BLOCK_SIZE;
    mirror += BLOCK_SIZE;
    add_block(block, -1, &across);
    add_block(mirror, -1, &back);
    const unsigned other = kind_held(problem->bodies, problem->pairs[entry / 2].high);
    if (!(held | other)) continue;
    guided_take_out(held, other, block);
    guided_take_out(other, held, mirror);
  }
  if (held) guided_take_out(held, held, diagonal);
  motion_add_mass(&problem->mid[b], held, diagonal);
}

static bool prepare(void *context, const mat3 *weight)
{
  assert(weight != NULL && "points have weights");
  InteriorSystem *s = context;
  for (int k = 0; k < s->problem->pair_count; k++)
    s->pairs[k] = pair_block(s->problem, &s->problem->pairs[k], weight);
  for (int row = 0; row < s->rows->space.own; row++) make_row(s, row);
  const BlockMatrix a = {s->rows->start, s->rows->column, s->value, NULL, NULL};
  *s->factors = lu_new(&s->rows->space, &a, s->mirror, *s->factors, s->arena);
  return *s->factors != NULL;
}

// A x = H' c, u = H x
static void respond(void *context, const vec3 *c, vec3 *u)
{
  assert(c != NULL && u != NULL && "impulses and velocities are given");
  InteriorSystem *s = context;
  point_operators_set(&s->operators, c);
  for (int row = 0; row < s->rows->space.own; row++) {
    const int b = s->rows->body_of_row[row];
    const unsigned held = kind_held(s->problem->bodies, b);
    const PointLoad load = point_operators_load(&s->operators, b);
    const vec3 push = guided_free(held, load.push),
               turn = guided_free(held >> GUIDED_SPIN, load.turn);
    const double parts[BLOCK] = {push.x, push.y, push.z, turn.x, turn.y, turn.z};
    memcpy(&s->b[(size_t)row * BLOCK], parts, sizeof parts);
  }
  lu_solve(*s->factors, &s->rows->space, s->b, s->x, s->arena);
  for (int row = 0; row < s->rows->space.count; row++) {
    const double *x = &s->x[(size_t)row * BLOCK];
    s->twist[s->rows->body_of_row[row]] = (Twist){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  point_operators_velocities(&s->operators, velocities_of_rigid(s->twist), u);
}

InteriorSystem *interior_system_new(ContactSystem *system, Lu **cache, Arena *arena)
{
  assert(system != NULL && cache != NULL && "a system with a cache");
  InteriorSystem *s = arena_allocate_zero(arena, 1, sizeof *s);
  const Problem *problem = contact_system_problem(system);
  const ContactSpace *rows = contact_system_rows(system);
  *s = (InteriorSystem){.problem = problem,
                        .rows = rows,
                        .factors = cache,
                        .arena = arena,
                        .operators = point_operators_new(problem, arena)};
  assert(problem->elastic == NULL && "bodies are rigid");
  const size_t blocks = ((size_t)rows->start[rows->space.own] + 1) * BLOCK_SIZE;
  s->pairs = arena_allocate(arena, ((size_t)problem->pair_count + 1) * sizeof *s->pairs);
  s->value = arena_allocate(arena, blocks * sizeof *s->value);
  s->mirror = arena_allocate(arena, blocks * sizeof *s->mirror);
  s->x = arena_allocate_zero(arena, ((size_t)rows->space.count + 1) * BLOCK, sizeof *s->x);
  s->b = arena_allocate(arena, ((size_t)rows->space.own + 1) * BLOCK * sizeof *s->b);
  // bodies that nothing moves do not respond
  s->twist = arena_allocate_zero(arena, (size_t)problem->row_count + 1, sizeof *s->twist);
  return s;
}

InteriorOperators interior_system_operators(InteriorSystem *s)
{
  assert(s != NULL && "a system is given");
  return (InteriorOperators){.context = s, .prepare = prepare, .respond = respond};
}
