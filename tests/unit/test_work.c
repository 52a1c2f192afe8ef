// Counted work of three bodies, added up by hand.
#include "work.h"

#include <string.h>

#include "arena.h"
#include "balance.h"
#include "harness.h"

// a cube: 8 vertices and 6 faces
static ShapeRecipe cube(vec3 *points)
{
  static PartRecipe part;
  for (int i = 0; i < 8; i++) points[i] = vec3_new(i & 1, i >> 1 & 1, i >> 2 & 1);
  part = (PartRecipe){.count = 8, .points = points};
  return (ShapeRecipe){.part_count = 1, .parts = &part};
}

static void add_body(Bodies *b, uint64_t id, int drive, bool own)
{
  table_reserve(&b->table, b->table.count + 1);
  const int row = b->table.count++;
  b->table.owned += own;
  b->id[row] = id;
  b->drive[row] = drive;
  b->shape[row] = 0;
  b->work[row] = 0;
}

// Work of this rank in a step in which all was done at once.
static int64_t count_step(Bodies *bodies, ShapeSet *shapes, const StepWork *done, Arena *arena)
{
  WorkSum sum = work_begin(bodies, arena);
  work_add(&sum, bodies, shapes, done, arena);
  work_end(&sum, bodies);
  return sum.rank;
}

int main(void)
{
  Arena arena = arena_new();
  vec3 corners[8];
  const ShapeRecipe recipe = cube(corners);
  ShapeSet shapes = shape_set_new(&recipe, 1);
  Bodies bodies = {0};
  bodies_begin(&bodies);
  add_body(&bodies, 4, DRIVE_DYNAMIC, true);
  add_body(&bodies, 5, DRIVE_DYNAMIC, true);
  add_body(&bodies, 9, DRIVE_FIXED, true);
  add_body(&bodies, 7, DRIVE_DYNAMIC, false);

  // points: two between 4 and 5, three between 4 and the fixed 9, one between 5 and the ghost 7
  const SolverPair pairs[3] = {{0, 2, 0, 1}, {2, 5, 0, 2}, {5, 6, 1, 3}};
  const unsigned char owned[6] = {1, 1, 1, 1, 1, 1};
  Problem problem = {.row_count = 4,
                     .own_rows = 3,
                     .point_count = 6,
                     .owned = owned,
                     .pair_count = 3,
                     .pairs = pairs};
  const DetectCount counts[3] = {{2, {1, 0, 2 * 28}}, {1, {1, 0, 28}}, {0}};

  const int64_t cube_row = WORK_CORNER * 14 / WORK_FRACTION;
  const int64_t point = WORK_POINT + 100;
  const int64_t first = 2 * WORK_PAIR + (WORK_PART_BOXES + WORK_TOUCHING * 2 * 28) / WORK_FRACTION,
                second = WORK_PAIR + (WORK_PART_BOXES + WORK_TOUCHING * 28) / WORK_FRACTION;
  const int64_t rows = 3 * WORK_BODY + WORK_GHOST + 4 * cube_row;
  const int64_t rank = count_step(&bodies, &shapes, &(StepWork){counts, &problem, 100}, &arena);
  CHECK(work_of_point(100) == point);
  CHECK(rank == rows + first + second + 6 * point);
  // a point between two dynamic bodies is half of each, also where the other one is a ghost
  CHECK((int64_t)bodies.work[0] == WORK_BODY + cube_row + first + point + 3 * point);
  CHECK((int64_t)bodies.work[1] == WORK_BODY + cube_row + second + point + point / 2);
  CHECK(bodies.work[2] == 0);

  // points of a split body are the other one's, and the rank's that sweeps them
  SweepPair sweeps[3] = {{0, 4, 1, 3, 1, 1}, {0, 2, 1, 1, 1, 1}, {5, 3, 3, 1, 0, 1}};
  Copies copies = {.pairs = sweeps};
  problem.copies = &copies;
  bodies.work[0] = bodies.work[1] = 0;
  CHECK(count_step(&bodies, &shapes, &(StepWork){counts, &problem, 100}, &arena) ==
        rows + first + second + 5 * point);
  CHECK((int64_t)bodies.work[0] == WORK_BODY + cube_row + first + 5 * point);
  CHECK((int64_t)bodies.work[1] == WORK_BODY + cube_row + second);
  problem.copies = NULL;
  bodies.work[0] = bodies.work[1] = 0;
  count_step(&bodies, &shapes, &(StepWork){counts, &problem, 100}, &arena);

  // what is done in several attempts at a step adds up before anything is smoothed
  bodies.work[0] = bodies.work[1] = 0;
  WorkSum sum = work_begin(&bodies, &arena);
  for (int i = 1; i <= 2; i++)
    work_add(&sum, &bodies, &shapes, &(StepWork){counts, &problem, 50 * i}, &arena);
  CHECK(bodies.work[0] == 0);
  work_end(&sum, &bodies);
  CHECK(sum.rank == 2 * (rows + first + second) + 6 * (2 * WORK_POINT + 150));
  CHECK((int64_t)bodies.work[0] == 2 * (WORK_BODY + cube_row + first) + 4 * (2 * WORK_POINT + 150));
  bodies.work[0] = bodies.work[1] = 0;
  count_step(&bodies, &shapes, &(StepWork){counts, &problem, 100}, &arena);

  // the rank's work is of the step, that of a body goes there slowly
  const int64_t before = (int64_t)bodies.work[0];
  const DetectCount none[3] = {{0}, {0}, {0}};
  const Problem empty = {.row_count = 4, .own_rows = 3};
  CHECK(count_step(&bodies, &shapes, &(StepWork){none, &empty, 0}, &arena) == rows);
  const int64_t now = WORK_BODY + cube_row;
  CHECK((int64_t)bodies.work[0] == before + (now - before) / BALANCE_SMOOTHING);
  for (int i = 0; i < 100; i++) count_step(&bodies, &shapes, &(StepWork){none, &empty, 0}, &arena);
  CHECK((int64_t)bodies.work[0] - now >= 0 && (int64_t)bodies.work[0] - now < BALANCE_SMOOTHING);

  bodies_end(&bodies);
  shape_set_destroy(&shapes);
  arena_destroy(&arena);
  return test_report();
}
