// Counts the work of a rank and of each body, in units of the sweeps.
#include "work.h"

#include <assert.h>

#include "balance.h"
#include "split.h"

static int64_t corners_of(const Shape *shape)
{
  int64_t corners = shape->surface ? shape->surface->point_count : 0;
  for (int p = 0; p < shape->part_count; p++)
    corners += shape->parts[p].hull.vertex_count + shape->parts[p].hull.face_count;
  return corners;
}

static int64_t row_work(const Bodies *bodies, int row, ShapeSet *shapes)
{
  const int64_t corners = corners_of(shape_set_get(shapes, bodies->shape[row]));
  return (row < bodies->table.owned ? WORK_BODY : WORK_GHOST) +
         WORK_CORNER * corners / WORK_FRACTION;
}

static int64_t detect_work(const DetectCount *count)
{
  const int64_t fractions = WORK_PART_BOXES * count->parts.part_boxes +
                            WORK_PARTED * count->parts.parted +
                            WORK_TOUCHING * count->parts.touching;
  return WORK_PAIR * count->pairs + fractions / WORK_FRACTION;
}

// Halves of points by own row: a point between two dynamic bodies is half the work of each, but one
// of a split body is swept where the other body is. Returns the points that this rank sweeps.
static int64_t share_points(const Problem *problem, const Bodies *bodies, int64_t *halves)
{
  int64_t swept = 0;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const SweepPair sweep = split_pair(problem, k);
    const int64_t points = pair->end - pair->first;
    if (sweep.swept) swept += points;
    const bool low = bodies->drive[pair->low] == DRIVE_DYNAMIC,
               high = bodies->drive[pair->high] == DRIVE_DYNAMIC;
    const bool low_split = sweep.low_copies > 1, high_split = sweep.high_copies > 1;
    const bool low_alone = low && (!high || (high_split && !low_split)),
               high_alone = high && (!low || (low_split && !high_split));
    const int64_t of_low = low_alone ? 2 : high_alone ? 0 : 1;
    if (pair->low < bodies->table.owned) halves[pair->low] += of_low * points;
    if (pair->high < bodies->table.owned) halves[pair->high] += (2 - of_low) * points;
  }
  return swept;
}

WorkSum work_begin(const Bodies *bodies, Arena *arena)
{
  assert(bodies->table.owned >= 0 && arena != NULL && "rows are counted");
  const size_t own = (size_t)bodies->table.owned;
  return (WorkSum){0, arena_allocate_zero(arena, own + 1, sizeof(int64_t))};
}

void work_add(WorkSum *sum, const Bodies *bodies, ShapeSet *shapes, const StepWork *done,
              Arena *arena)
{
  assert(done->problem->row_count == bodies->table.count && "the problem is of these bodies");
  assert(done->sweeps >= 0 && (done->counts != NULL || bodies->table.owned == 0) &&
         "every own row has been counted");
  const int own = bodies->table.owned;
  const int64_t point = work_of_point(done->sweeps);
  const ArenaMark mark = arena_mark(arena);
  int64_t *halves = arena_allocate_zero(arena, (size_t)own + 1, sizeof *halves);
  int64_t rank = share_points(done->problem, bodies, halves) * point;
  for (int b = 0; b < bodies->table.count; b++) {
    int64_t work = row_work(bodies, b, shapes);
    if (b < own) work += detect_work(&done->counts[b]);
    rank += work;
    if (b >= own || bodies->drive[b] != DRIVE_DYNAMIC) continue;
    sum->rows[b] += work + halves[b] * point / 2;
  }
  assert(rank >= 0 && "work is counted");
  sum->rank += rank;
  arena_release(arena, mark);
}

void work_end(const WorkSum *sum, Bodies *bodies)
{
  assert((sum->rows != NULL || bodies->table.owned == 0) && "every own row has its work");
  for (int b = 0; b < bodies->table.owned; b++)
    if (bodies->drive[b] == DRIVE_DYNAMIC)
      bodies->work[b] = (uint64_t)balance_smoothed((int64_t)bodies->work[b], sum->rows[b]);
}
