// Time of a contact point in a sweep of Gauss-Seidel and in a residual, point by point and four
// pairs at once, in walls of bricks in running bond; and of the copy that sweeps need. Processor
// time, least of the repeats.
//
//   bench_sweep [REPEATS]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "batches.h"
#include "gauss_seidel.h"
#include "hash.h"
#include "parallel.h"

#define POINTS 4   // of a joint
#define COLOURS 6

typedef struct {
  Problem problem;
  Twist *free;
} Wall;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// brick i of a course; course -1 is the floor
static int row_of(int bricks, int course, int i)
{
  return course < 0 ? 0 : 1 + course * bricks + i;
}

// the corners of the joint between two bricks that overlap by half
static void add_joint(Problem *p, SolverPair *pairs, int low, int high, double side)
{
  const double length = 0.4, width = 0.2, height = 0.2;
  SolverPair *pair = &pairs[p->pair_count++];
  *pair = (SolverPair){p->point_count, p->point_count + POINTS, low, high};
  for (int k = 0; k < POINTS; k++) {
    const double along = k & 1 ? 0.5 * length : 0, across = k & 2 ? 0.5 * width : -0.5 * width;
    SolverPoint point = {.basis = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}},
                         .low_arm = {side * along, across, -0.5 * height},
                         .law = {.friction = 0.6}};
    point.high_arm = vec3_add(point.low_arm, problem_between(p, pair));
    mat3 w = mat3_diagonal(0, 0, 0);
    const int rows[2] = {low, high};
    const vec3 arms[2] = {point.low_arm, point.high_arm};
    for (int e = 0; e < 2; e++) {
      const MidState *mid = &p->mid[rows[e]];
      const mat3 skew = mat3_skew(arms[e]);
      const mat3 turn = mat3_mul_mat(skew, mat3_mul_mat(mid->inverse_inertia, skew));
      w = mat3_add(w, mat3_diagonal(mid->inverse_mass, mid->inverse_mass, mid->inverse_mass));
      w = mat3_add(w, mat3_scale(-1, turn));
    }
    w = mat3_mul_mat(point.basis, mat3_mul_mat(w, mat3_transpose(point.basis)));
    point.rho = 1 / (w.row[0].x + w.row[1].y + w.row[2].z);
    law_diagonalize(w, &point.basis);
    problem_set_point(p, p->point_count++, &point);
  }
}

static void *room(size_t count, size_t size)
{
  void *memory = calloc(count + 1, size);
  if (!memory) exit(1);
  return memory;
}

static Wall make_wall(int bricks, int courses, Arena *arena)
{
  const int bodies = 1 + bricks * courses, pairs = 2 * bricks * courses;
  const double mass = 38.4, step = 1e-3;
  MidState *mid = room((size_t)bodies, sizeof *mid);
  Bodies *table = room(1, sizeof *table);
  table->id = room((size_t)bodies, sizeof *table->id);
  table->position = room((size_t)bodies, sizeof *table->position);
  for (int b = 0; b < bodies; b++) {
    const int course = (b - 1) / bricks, i = (b - 1) % bricks;
    table->id[b] = (uint64_t)b;
    if (b > 0) table->position[b] = (vec3){0.4 * i + 0.2 * course, 0, 0.2 * course + 0.1};
  }
  unsigned char *owned = room((size_t)pairs * POINTS, 1);
  memset(owned, 1, (size_t)pairs * POINTS);
  SolverPair *list = room((size_t)pairs, sizeof *list);
  int *colour_start = room(COLOURS + 1, sizeof(int));
  Wall wall = {.problem = {.row_count = bodies,
                           .own_rows = bodies,
                           .bodies = table,
                           .mid = mid,
                           .owned = owned,
                           .pairs = list,
                           .colour_count = COLOURS,
                           .colour_start = colour_start,
                           .before_colour = room(COLOURS, sizeof(HaloPlan)),
                           .twist = room((size_t)bodies, sizeof(Twist))},
               .free = room((size_t)bodies, sizeof(Twist))};
  problem_allocate_points(&wall.problem, pairs * POINTS, false, arena);
  uint64_t state = 3;
  for (int b = 1; b < bodies; b++) {
    mid[b] = (MidState){
        .inverse_mass = 1 / mass,
        .inverse_inertia = mat3_diagonal(12 / (mass * 0.08), 12 / (mass * 0.2), 12 / (mass * 0.2))};
    state = hash_mix(state, 1);
    const double push = (double)(state >> 11) * 0x1p-53 - 0.5;
    wall.free[b].v = (vec3){2 * push * step, push * step, -9.81 * step};
  }
  // a course rests on the one below with its left and its right half; odd and even courses apart
  Problem *p = &wall.problem;
  for (int c = 0; c < 4; c++) {
    for (int k = c / 2; k < courses; k += 2)
      for (int i = 0; i < bricks; i++) {
        const int other = c % 2 ? i + 1 : i;
        if (k > 0 && other == bricks) continue;
        add_joint(p, list, row_of(bricks, k, i), row_of(bricks, k - 1, other), c % 2 ? 1 : -1);
      }
    colour_start[c + 1] = p->pair_count;
  }
  for (int c = 4; c < COLOURS; c++) colour_start[c + 1] = p->pair_count;
  p->owned_points = p->point_count;
  return wall;
}

typedef struct {
  double least, before;
} Clock;

static void clock_begin(Clock *c) { c->before = seconds(); }

static void clock_end(Clock *c)
{
  const double spent = seconds() - c->before;
  if (c->least == 0 || spent < c->least) c->least = spent;
}

static void measure(int bricks, int courses, int repeats)
{
  Arena arena = arena_new();
  Wall wall = make_wall(bricks, courses, &arena);
  Problem *p = &wall.problem;
  Clock copy = {0, 0}, sweep[2] = {{0, 0}, {0, 0}}, residual[2] = {{0, 0}, {0, 0}};
  double sink = 0;

  memcpy(p->twist, wall.free, (size_t)p->row_count * sizeof(Twist));
  for (int i = 0; i < repeats; i++) {
    clock_begin(&sweep[0]);
    gauss_seidel_sweep(p, 0, &arena);
    clock_end(&sweep[0]);
    clock_begin(&residual[0]);
    sink += residual_measure(p).largest;
    clock_end(&residual[0]);
  }
  for (int i = 0; i < p->point_count; i++) p->r[i] = (vec3){0, 0, 0};
  memcpy(p->twist, wall.free, (size_t)p->row_count * sizeof(Twist));
  Batches batches = batches_new(p, (BatchChoice){0}, &arena);
  for (int i = 0; i < 4; i++) {
    const ArenaMark mark = arena_mark(&arena);
    clock_begin(&copy);
    sink += batches_new(p, (BatchChoice){0}, &arena).point_count;
    clock_end(&copy);
    arena_release(&arena, mark);
  }
  for (int i = 0; i < repeats; i++) {
    clock_begin(&sweep[1]);
    batches_sweep(&batches, &arena);
    clock_end(&sweep[1]);
    clock_begin(&residual[1]);
    batches_errors(&batches, &sink);
    clock_end(&residual[1]);
  }
  const double per_point = 1e9 / (double)p->point_count;
  printf("%8d points   sweep %6.1f %6.1f   residual %6.1f %6.1f   copy %6.1f   ns a point%s\n",
         p->point_count, per_point * sweep[0].least, per_point * sweep[1].least,
         per_point * residual[0].least, per_point * residual[1].least, per_point * copy.least,
         sink < 0 ? " " : "");
  fflush(stdout);
  arena_destroy(&arena);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  const int repeats = argc > 1 ? atoi(argv[1]) : 20;
  printf("%32s one   four\n", "");
  measure(10, 20, 50 * repeats);
  measure(20, 100, 10 * repeats);
  measure(200, 100, 2 * repeats);
  measure(1250, 100, repeats);
  par_end();
  return 0;
}
