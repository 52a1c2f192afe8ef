#include "work.h"

#include "balance.h"

static int64_t corners_of(const Shape *shape)
{
  int64_t corners = 0;
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

int64_t work_count(Bodies *bodies, ShapeSet *shapes, const DetectCount *counts,
                   const Problem *problem, int64_t sweeps)
{
  const int own = bodies->table.owned;
  const int64_t point = work_of_point(sweeps);
  int64_t rank = problem->point_count * point;
  for (int b = 0; b < bodies->table.count; b++) {
    int64_t work = row_work(bodies, b, shapes);
    if (b < own) work += detect_work(&counts[b]);
    rank += work;
    if (b >= own || bodies->kind[b] != BODY_DYNAMIC) continue;

    // a point between two dynamic bodies is half the work of each
    int64_t halves = 0;
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const SolverPoint *p = &problem->points[problem->body_points[k]];
      const int other = p->low == b ? p->high : p->low;
      halves += bodies->kind[other] != BODY_DYNAMIC ? 2 : 1;
    }
    work += halves * point / 2;
    bodies->work[b] = (uint64_t)balance_smoothed((int64_t)bodies->work[b], work);
  }
  return rank;
}
