// Multigrid, conjugate gradients and sparse factors: against dense factors, and with the same bits
// whoever owns the rows.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "amg.h"
#include "block_kernel.h"
#include "cholesky.h"
#include "harness.h"
#include "linear_systems.h"
#include "memory.h"
#include "single_kernel.h"

typedef enum { OWNER_ALL, OWNER_SLABS, OWNER_HASHED, OWNER_LAST_NONE, OWNER_KINDS } OwnerKind;

static int *owners(const System *s, OwnerKind kind, Arena *arena)
{
  const int size = par_size();
  int *owner = arena_allocate_zero(arena, (size_t)s->bodies + 1, sizeof *owner);
  for (int b = 0; b < s->bodies; b++) {
    if (kind == OWNER_SLABS) owner[b] = (int)((int64_t)b * size / s->bodies);
    if (kind == OWNER_HASHED) owner[b] = (int)(hash_mix((uint64_t)b, 9) % (uint64_t)size);
    if (kind == OWNER_LAST_NONE && size > 1) owner[b] = b * (size - 1) / s->bodies;
  }
  return owner;
}

// What the solvers are given on a rank, and what they answer.
typedef struct {
  BlockSpace space;
  BlockMatrix a;
  double *b, *weight, *x;
} Task;

static Task task_of(const System *s, OwnerKind kind, Arena *arena)
{
  Task t;
  t.a = system_assemble(s, owners(s, kind, arena), &t.space, arena);
  const size_t n = (size_t)t.space.count * BLOCK + 1;
  t.b = arena_allocate_zero(arena, n, sizeof *t.b);
  t.weight = arena_allocate_zero(arena, n, sizeof *t.weight);
  t.x = arena_allocate_zero(arena, n, sizeof *t.x);
  for (int i = 0; i < t.space.own; i++) {
    const int body = (int)((t.space.key[i] - system_key(0)) / 3);
    const double m = s->mass[body], length = sqrt((s->inertia[body].x + s->inertia[body].y) / m);
    for (int c = 0; c < BLOCK; c++) {
      const double unit = c < 3 ? m : m * length;
      t.b[BLOCK * i + c] = unit * (system_random(t.space.key[i], (uint64_t)c) - 0.5);
      t.weight[BLOCK * i + c] = 1 / unit;
    }
  }
  return t;
}

// of own rows of x over all ranks, by key
static Hash128 hash_rows(const Task *t, const double *x)
{
  Hash128 sum = {0, 0};
  for (int i = 0; i < t->space.own; i++)
    sum = hash_add(sum, hash_bytes(x + BLOCK * i, BLOCK * sizeof *x, t->space.key[i]));
  return par_sum_hash(sum);
}

static bool hash_equal(Hash128 a, Hash128 b) { return a.low == b.low && a.high == b.high; }

// ghosts hold what their owners have
static void check_ghosts(const Task *t, Arena *arena)
{
  const size_t count = (size_t)t->space.count * BLOCK;
  double *copy = arena_allocate(arena, (count + 1) * sizeof *copy);
  memcpy(copy, t->x, count * sizeof *copy);
  halo_refresh(&t->space.plan, copy, BLOCK * sizeof *copy, arena);
  CHECK(memcmp(copy, t->x, count * sizeof *copy) == 0);
}

// largest weighted component of b - A x
static double residual_of(const Task *t, Arena *arena)
{
  double *y = arena_allocate(arena, ((size_t)t->space.own * BLOCK + 1) * sizeof *y);
  block_matrix_multiply(&t->space, &t->a, t->x, y);
  double most = 0;
  for (int i = 0; i < BLOCK * t->space.own; i++)
    most = fmax(most, fabs(t->weight[i] * (t->b[i] - y[i])));
  return par_max(most);
}

typedef struct {
  Hash128 multiply, cycle, gradients, factors;
  int iterations;
} Answers;

static Answers answers_of(const System *s, OwnerKind kind, int shared_rows, double tolerance,
                          Arena *arena)
{
  Task t = task_of(s, kind, arena);
  Answers found = {0};
  double *y = arena_allocate_zero(arena, (size_t)t.space.count * BLOCK + 1, sizeof *y);
  memcpy(t.x, t.b, (size_t)t.space.own * BLOCK * sizeof *y);
  halo_refresh(&t.space.plan, t.x, BLOCK * sizeof *y, arena);
  block_matrix_multiply(&t.space, &t.a, t.x, y);
  found.multiply = hash_rows(&t, y);

  Amg *amg = amg_new_shared(&t.space, &t.a, shared_rows, NULL, arena);
  if (!CHECK(amg != NULL)) return found;
  amg_apply(amg, t.b, y);
  found.cycle = hash_rows(&t, y);
  memset(t.x, 0, (size_t)t.space.count * BLOCK * sizeof *y);
  found.iterations =
      conjugate_gradients_solve(amg, t.b, (GradientsEnd){t.weight, tolerance, 200}, t.x, arena);
  found.gradients = hash_rows(&t, t.x);
  CHECK(residual_of(&t, arena) <= 2 * tolerance);
  check_ghosts(&t, arena);
  amg_destroy(amg);

  if (s->bodies > 1000) return found;
  Cholesky *factors = cholesky_new(&t.space, &t.a, NULL, arena);
  if (!CHECK(factors != NULL)) return found;
  CHECK(cholesky_numbers(factors) >= (int64_t)s->bodies * 21);
  cholesky_solve(factors, &t.space, t.b, t.x, arena);
  found.factors = hash_rows(&t, t.x);
  CHECK(residual_of(&t, arena) <= 1e-6);
  check_ghosts(&t, arena);
  cholesky_destroy(factors);
  return found;
}

// every way to own the rows, and to gather levels, gives the same bits
static Hash128 check_owners(const System *s, const char *name, double tolerance, int most,
                            Arena *arena)
{
  const Answers serial = answers_of(s, OWNER_ALL, 1 << 30, tolerance, arena);
  CHECK(serial.iterations <= most);
  if (par_rank() == 0) printf("%s: %d iterations\n", name, serial.iterations);
  const int shared[3] = {0, 200, 1 << 30};
  for (int kind = 0; kind < OWNER_KINDS; kind++) {
    const Answers other = answers_of(s, (OwnerKind)kind, shared[kind % 3], tolerance, arena);
    CHECK(hash_equal(other.multiply, serial.multiply));
    CHECK(hash_equal(other.cycle, serial.cycle));
    CHECK(hash_equal(other.gradients, serial.gradients));
    CHECK(hash_equal(other.factors, serial.factors));
    CHECK(other.iterations == serial.iterations);
  }
  return hash_add(hash_add(serial.multiply, serial.cycle),
                  hash_add(serial.gradients, serial.factors));
}

// a wall and a heap of single points between bodies that are near in number
static System mixed_system(Arena *arena)
{
  System wall = system_wall(6, 3, 8, 0.25, 1e3, false, arena);
  const int bodies = wall.bodies + 40;
  System s = system_new(bodies, wall.points + 400, arena);
  memcpy(s.place, wall.place, (size_t)wall.bodies * sizeof *s.place);
  memcpy(s.mass, wall.mass, (size_t)wall.bodies * sizeof *s.mass);
  memcpy(s.inertia, wall.inertia, (size_t)wall.bodies * sizeof *s.inertia);
  memcpy(s.point, wall.point, (size_t)wall.points * sizeof *s.point);
  s.points = wall.points;
  for (int b = wall.bodies; b < bodies; b++) {
    const uint64_t id = (uint64_t)b;
    const double size = 0.1 + system_random(id, 4);
    system_body(&s, b, (vec3){4 * system_random(id, 1), system_random(id, 2), system_random(id, 3)},
                (vec3){size, 0.3, 0.2}, 1000 + 2000 * system_random(id, 5));
  }
  for (int k = 0; k < 300; k++) {
    const uint64_t id = (uint64_t)k;
    const int p = (int)(hash_mix(id, 11) % (uint64_t)bodies);
    const int q = (int)(hash_mix(id, 12) % (uint64_t)bodies);
    if (p == q || p % 10 == 3 || q % 10 == 3) continue;   // some stay as they are, or alone
    const vec3 middle = vec3_scale(0.5, vec3_add(s.place[p], s.place[q]));
    s.point[s.points++] = (SystemPoint){p < q ? p : q, p < q ? q : p, middle,
                                        100 * system_random(id, 13) * s.mass[p]};
  }
  return s;
}

// columns that nothing joins, some of a single body, on the ground or not
static System column_system(int columns, int height, Arena *arena)
{
  System s = system_new(columns * height, 4 * columns * height, arena);
  for (int c = 0; c < columns; c++)
    for (int z = 0; z < height; z++) {
      const int b = c * height + z;
      system_body(&s, b, (vec3){3.0 * c, 0, z}, (vec3){1, 1, 1}, 2000);
      if (c % 7 == 6) continue;   // free bodies
      if (z == 0 && c % 3 == 0)
        system_joint(&s, b, -1, 3.0 * c - 0.5, 3.0 * c + 0.5, -0.5, 0.5, -0.5, 1e4);
      if (z > 0) system_joint(&s, b, b - 1, 3.0 * c - 0.5, 3.0 * c + 0.5, -0.5, 0.5, z - 0.5, 1e4);
    }
  return s;
}

// one heavy plate under everything else, a million times as heavy as what it bears
static System plate_system(int stones, Arena *arena)
{
  System s = system_new(stones + 1, 4 * stones, arena);
  system_body(&s, stones / 2, (vec3){0, 0, 0}, (vec3){100, 100, 1}, 1e5);
  for (int b = 0; b <= stones; b++) {
    if (b == stones / 2) continue;
    const double x = b % 20, y = b / 20;
    system_body(&s, b, (vec3){x, y, 1}, (vec3){0.5, 0.5, 1}, 2000);
    system_joint(&s, b, stones / 2, x - 0.2, x + 0.2, y - 0.2, y + 0.2, 0.5, 1e6);
  }
  return s;
}

static void check_systems(Arena *arena)
{
  const struct {
    const char *name;
    System system;
    double tolerance;
    int most;   // iterations
  } cases[] = {{"small wall", system_wall(5, 1, 12, 0.5, 1e3, true, arena), 1e-9, 20},
               {"mixed", mixed_system(arena), 1e-9, 30},
               {"columns", column_system(60, 12, arena), 1e-9, 30},
               {"plate", plate_system(300, arena), 1e-6, 10},
               {"free bodies", column_system(30, 1, arena), 1e-9, 1},
               {"floating wall", system_wall(8, 3, 50, 0.01, 1e5, false, arena), 1e-6, 30},
               {"stiffest", system_wall(8, 3, 50, 0.01, 1e6, false, arena), 1e-6, 40},
               {"nothing", system_new(0, 0, arena), 1e-9, 0}};
  Hash128 all = {0, 0};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    all = hash_add(all, check_owners(&cases[k].system, cases[k].name, cases[k].tolerance,
                                     cases[k].most, arena));

  // the same line from every build and on any number of ranks
  char text[33];
  hash_to_text(all, text);
  if (par_rank() == 0) printf("answers: %s\n", text);
}

// against Cholesky on the dense matrix, which every rank makes for itself
static void check_dense(Arena *arena)
{
  const System s = mixed_system(arena);
  Task t = task_of(&s, OWNER_HASHED, arena);
  const size_t n = (size_t)BLOCK * (size_t)s.bodies;
  double *dense = arena_allocate_zero(arena, n * n, sizeof *dense);
  double *right = arena_allocate_zero(arena, n, sizeof *right);
  Task all = {0};
  int *mine = arena_allocate(arena, (size_t)s.bodies * sizeof *mine);
  for (int b = 0; b < s.bodies; b++) mine[b] = par_rank();
  all.a = system_assemble(&s, mine, &all.space, arena);
  for (int i = 0; i < s.bodies; i++)
    for (int e = all.a.start[i]; e < all.a.start[i + 1]; e++)
      for (int c = 0; c < BLOCK_SIZE; c++)
        dense[(size_t)(BLOCK * i + c / BLOCK) * n + (size_t)(BLOCK * all.a.column[e] + c % BLOCK)] =
            all.a.value[(size_t)BLOCK_SIZE * (size_t)e + (size_t)c];
  Task whole = task_of(&s, OWNER_ALL, arena);
  if (par_rank() == 0) memcpy(right, whole.b, n * sizeof *right);
  par_broadcast(right, n * sizeof *right, 0);
  for (size_t j = 0; j < n; j++) {
    for (size_t k = 0; k < j; k++)
      for (size_t i = j; i < n; i++) dense[i * n + j] -= dense[i * n + k] * dense[j * n + k];
    const double root = sqrt(dense[j * n + j]);
    for (size_t i = j; i < n; i++) dense[i * n + j] /= root;
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++) right[i] -= dense[i * n + k] * right[k];
    right[i] /= dense[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) right[i] -= dense[k * n + i] * right[k];
    right[i] /= dense[i * n + i];
  }

  Amg *amg = amg_new_shared(&t.space, &t.a, 0, NULL, arena);
  conjugate_gradients_solve(amg, t.b, (GradientsEnd){t.weight, 1e-12, 200}, t.x, arena);
  double *x = arena_allocate(arena, ((size_t)t.space.count * BLOCK + 1) * sizeof *x);
  Cholesky *factors = cholesky_new(&t.space, &t.a, NULL, arena);
  cholesky_solve(factors, &t.space, t.b, x, arena);
  double worst[2] = {0, 0}, size = 0;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(right[i]));
  for (int i = 0; i < t.space.count; i++) {
    const size_t body = (size_t)(t.space.key[i] - system_key(0)) / 3;
    for (int c = 0; c < BLOCK; c++) {
      const double exact = right[BLOCK * body + (size_t)c];
      worst[0] = fmax(worst[0], fabs(t.x[BLOCK * i + c] - exact));
      worst[1] = fmax(worst[1], fabs(x[BLOCK * i + c] - exact));
    }
  }
  CHECK(size > 0 && worst[0] <= 1e-9 * size);
  CHECK(worst[1] <= 1e-10 * size);
  amg_destroy(amg);
  cholesky_destroy(factors);
}

static double product_of(const Task *t, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < BLOCK * t->space.own; i++) sum += x[i] * y[i];
  double all = 0, of_rank[64];
  par_all_gather(&sum, sizeof sum, of_rank);
  for (int r = 0; r < par_size(); r++) all += of_rank[r];
  return all;
}

// blocks in single precision do what those in double do, up to their rounding
static void check_single(Arena *arena)
{
  (void)arena;
  for (uint64_t round = 0; round < 200; round++) {
    double block[BLOCK_SIZE], x[BLOCK], y[2][BLOCK], size[2] = {0, 0};
    for (uint64_t i = 0; i < BLOCK_SIZE; i++)
      block[i] = (double)(float)(system_random(round, i) - 0.5);
    for (uint64_t i = 0; i < BLOCK; i++) x[i] = (double)(float)(system_random(round, 99 + i) - 0.5);
    block_apply(block, x, y[0]);
    block_apply_transposed(block, x, y[1]);
    float few[BLOCK_SIZE], row[SINGLE_ROW] = {0}, found[2][SINGLE_ROW] = {{0}, {0}};
    single_block_set(block, few);
    for (int c = 0; c < BLOCK; c++) row[c] = (float)x[c];
    SingleSum sum;
    single_sum_zero(&sum);
    single_sum_add(&sum, few, row);
    single_sum_to(&sum, found[0]);
    single_add_transposed(few, row, found[1]);
    for (int k = 0; k < 2; k++) {
      for (int c = 0; c < BLOCK; c++) size[k] += fabs(y[k][c]);
      for (int c = 0; c < BLOCK; c++)
        CHECK_NEAR((double)found[k][c], y[k][c], 4 * (double)FLT_EPSILON);
      CHECK(size[k] > 0 && found[k][6] == 0 && found[k][7] == 0);
    }
  }
}

// the cycle is symmetric and positive definite, and near the inverse
static void check_cycle(Arena *arena)
{
  const System s = system_wall(8, 3, 12, 0.5, 1e3, true, arena);
  Task t = task_of(&s, OWNER_SLABS, arena);
  Amg *amg = amg_new_shared(&t.space, &t.a, 50, NULL, arena);
  const size_t n = (size_t)t.space.count * BLOCK + 1;
  double *v[2], *z[2];
  for (int k = 0; k < 2; k++) {
    v[k] = arena_allocate_zero(arena, n, sizeof(double));
    z[k] = arena_allocate_zero(arena, n, sizeof(double));
  }
  for (int round = 0; round < 5; round++) {
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < BLOCK * t.space.own; i++)
        v[k][i] = (system_random(t.space.key[i / BLOCK], (uint64_t)(100 * round + 10 * k + i % 6)) -
                   0.5) /
                  t.weight[i];
      amg_apply(amg, v[k], z[k]);
    }
    const double a = product_of(&t, v[0], z[1]), b = product_of(&t, v[1], z[0]);
    const double own = product_of(&t, v[0], z[0]);
    CHECK(own > 0);
    CHECK_NEAR(a, b, 4 * (double)FLT_EPSILON * own);   // of the precision of the cycle
  }
  // no number is lost in single precision, however small or large: powers of two change no bit
  for (int k = -900; k <= 900; k += 300) {
    for (int i = 0; i < BLOCK * t.space.own; i++) v[1][i] = ldexp(v[0][i], k);
    amg_apply(amg, v[1], z[1]);
    for (int i = 0; i < BLOCK * t.space.own; i++) z[1][i] = ldexp(z[1][i], -k);
    CHECK(hash_equal(hash_rows(&t, z[0]), hash_rows(&t, z[1])));
  }
  const AmgReport report = amg_report(amg);
  CHECK(report.levels > 1 && report.rows[0] == s.bodies);
  for (int l = 1; l < report.levels; l++) CHECK(2 * report.rows[l] <= report.rows[l - 1]);
  amg_destroy(amg);
}

// iterations do not grow with the wall
static void check_growth(Arena *arena)
{
  for (int k = 1; k <= 4; k *= 2) {
    const System s = system_wall(4 * k, 2 * k, 4 * k, 0.5, 1e3, true, arena);
    Task t = task_of(&s, OWNER_SLABS, arena);
    Amg *amg = amg_new(&t.space, &t.a, NULL, arena);
    const int iterations =
        conjugate_gradients_solve(amg, t.b, (GradientsEnd){t.weight, 1e-8, 200}, t.x, arena);
    CHECK(iterations <= 20);
    if (par_rank() == 0) printf("%d bodies: %d iterations\n", s.bodies, iterations);
    amg_destroy(amg);
  }
}

// kept patterns give the bits of a fresh start; other patterns are noticed
static void check_reuse(Arena *arena)
{
  Amg *amg = NULL;
  Cholesky *factors = NULL;
  for (int round = 0; round < 4; round++) {
    const double sigma = round < 2 ? 1e2 * (round + 1) : 1e4;
    const System s = system_wall(6, 3, round == 3 ? 9 : 8, 0.5, sigma, true, arena);
    Task t = task_of(&s, round == 2 ? OWNER_HASHED : OWNER_SLABS, arena);
    const size_t n = (size_t)t.space.count * BLOCK + 1;
    double *z = arena_allocate_zero(arena, n, sizeof *z);
    amg = amg_new_shared(&t.space, &t.a, 30, amg, arena);
    factors = cholesky_new(&t.space, &t.a, factors, arena);
    if (!CHECK(amg && factors)) break;
    amg_apply(amg, t.b, z);
    cholesky_solve(factors, &t.space, t.b, t.x, arena);
    const Hash128 kept[2] = {hash_rows(&t, z), hash_rows(&t, t.x)};
    Amg *fresh = amg_new_shared(&t.space, &t.a, 30, NULL, arena);
    Cholesky *fresh_factors = cholesky_new(&t.space, &t.a, NULL, arena);
    amg_apply(fresh, t.b, z);
    cholesky_solve(fresh_factors, &t.space, t.b, t.x, arena);
    CHECK(hash_equal(kept[0], hash_rows(&t, z)));
    CHECK(hash_equal(kept[1], hash_rows(&t, t.x)));
    amg_destroy(fresh);
    cholesky_destroy(fresh_factors);
  }
  amg_destroy(amg);
  cholesky_destroy(factors);
}

// lengths times 4^5 at the same density: the same bits, scaled
static void check_scale(Arena *arena)
{
  Hash128 hashes[2][2];
  for (int k = 0; k < 2; k++) {
    const double scale = k ? 1024 : 1;
    const System s = system_wall(6, 3, 8, 0.5 * scale, 1e4, true, arena);
    Task t = task_of(&s, OWNER_SLABS, arena);
    Amg *amg = amg_new(&t.space, &t.a, NULL, arena);
    const int iterations =
        conjugate_gradients_solve(amg, t.b, (GradientsEnd){t.weight, 1e-9, 200}, t.x, arena);
    CHECK(iterations < 60);
    for (int i = 0; i < BLOCK * t.space.count; i++)
      if (i % BLOCK >= 3) t.x[i] *= scale;
    hashes[k][0] = hash_rows(&t, t.x);
    Cholesky *factors = cholesky_new(&t.space, &t.a, NULL, arena);
    cholesky_solve(factors, &t.space, t.b, t.x, arena);
    for (int i = 0; i < BLOCK * t.space.count; i++)
      if (i % BLOCK >= 3) t.x[i] *= scale;
    hashes[k][1] = hash_rows(&t, t.x);
    amg_destroy(amg);
    cholesky_destroy(factors);
  }
  CHECK(hash_equal(hashes[0][0], hashes[1][0]));
  CHECK(hash_equal(hashes[0][1], hashes[1][1]));
}

// one rank's bad number is everybody's answer
static void check_refusals(Arena *arena)
{
  const double bad[3] = {-1, NAN, INFINITY};
  for (int k = 0; k < 3; k++) {
    const System s = system_wall(4, 2, 6, 0.5, 1e3, true, arena);
    Task t = task_of(&s, OWNER_SLABS, arena);
    double *value = arena_allocate(arena, (size_t)t.a.start[t.space.own] * 36 * sizeof *value);
    memcpy(value, t.a.value, (size_t)t.a.start[t.space.own] * 36 * sizeof *value);
    for (int i = 0; i < t.space.own; i++)
      for (int e = t.a.start[i]; e < t.a.start[i + 1]; e++)
        if (t.a.column[e] == i && t.space.key[i] == system_key(11))
          value[(size_t)BLOCK_SIZE * (size_t)e + 14] = bad[k];
    t.a.value = value;
    Amg *amg = amg_new(&t.space, &t.a, NULL, arena);
    Cholesky *factors = cholesky_new(&t.space, &t.a, NULL, arena);
    CHECK(!amg && !factors);
    amg_destroy(amg);
    cholesky_destroy(factors);
  }
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  Arena arena = arena_new();
  void (*const checks[])(Arena *) = {check_systems, check_dense, check_single, check_cycle,
                                     check_growth,  check_reuse, check_scale,  check_refusals};
  for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
    checks[k](&arena);
    arena_reset(&arena);
  }
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  const int result = test_report_parallel();
  par_end();
  return result;
}
