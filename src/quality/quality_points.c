#include "quality_points.h"

#include "intersection.h"
#include "volumetric.h"

static QualityPoints patch_points(const PosedBody *a, const PosedBody *b,
                                  const PatchParameters *parameters, double step, Arena *arena)
{
  const double reach = step * vec3_norm(vec3_sub(a->velocity, b->velocity));
  const PatchSet set = patch_find(a, b, parameters, reach, NULL, 0, arena);
  QualityPoints found = {.failed = set.failed};
  for (int i = 0; i < set.patch_count; i++) found.count += set.patches[i].point_count;
  found.points = arena_allocate(arena, (size_t)found.count * sizeof *found.points);
  QualityPoint *next = found.points;
  for (int i = 0; i < set.patch_count; i++) {
    for (int k = 0; k < set.patches[i].point_count; k++) {
      const PatchPoint *point = &set.patches[i].points[k];
      *next++ = (QualityPoint){point->point, set.patches[i].normal, point->gap, point->area};
    }
  }
  return found;
}

typedef struct {
  vec3 low, high;
} PointBox;

static PointBox box_of(const Polyhedron *part)
{
  PointBox box = {part->vertices[0], part->vertices[0]};
  for (int v = 1; v < part->vertex_count; v++) {
    box.low = vec3_min(box.low, part->vertices[v]);
    box.high = vec3_max(box.high, part->vertices[v]);
  }
  return box;
}

static bool boxes_meet(PointBox p, PointBox q)
{
  return p.low.x <= q.high.x && q.low.x <= p.high.x && p.low.y <= q.high.y && q.low.y <= p.high.y &&
         p.low.z <= q.high.z && q.low.z <= p.high.z;
}

// The part about another origin.
static Polyhedron moved_part(const Polyhedron *part, vec3 shift, Arena *arena)
{
  return polyhedron_place(part, mat3_diagonal(1, 1, 1), shift, arena);
}

// One point per pair of parts with a common volume; none where they touch without one.
static QualityPoints volumetric_points(const PosedBody *a, const PosedBody *b, Arena *arena)
{
  const vec3 shift = vec3_sub(b->center, a->center);
  const double far = a->shape->radius + b->shape->radius;
  QualityPoints found = {0};
  if (vec3_norm(shift) > far) return found;
  const int count_a = a->shape->part_count, count_b = b->shape->part_count;
  Polyhedron *parts_b = arena_allocate(arena, (size_t)count_b * sizeof *parts_b);
  PointBox *boxes_b = arena_allocate(arena, (size_t)count_b * sizeof *boxes_b);
  for (int j = 0; j < count_b; j++) {
    parts_b[j] = moved_part(&b->parts[j], shift, arena);
    boxes_b[j] = box_of(&parts_b[j]);
  }
  const size_t most = (size_t)count_a * (size_t)count_b;
  found.points = arena_allocate(arena, most * sizeof *found.points);
  for (int i = 0; i < count_a; i++) {
    const PointBox box = box_of(&a->parts[i]);
    for (int j = 0; j < count_b; j++) {
      if (!boxes_meet(box, boxes_b[j])) continue;
      const ArenaMark mark = arena_mark(arena);
      const bool common =
          intersection_clip(&a->parts[i], &parts_b[j], 0, arena).status == INTERSECTION_OK;
      if (common) {
        const VolumetricPoint point =
            volumetric_point(&a->parts[i], &parts_b[j], vec3_new(0, 0, 1), 0, arena);
        found.points[found.count++] =
            (QualityPoint){point.point, point.normal, point.gap, point.area};
      }
      arena_release(arena, mark);
    }
  }
  return found;
}

QualityPoints quality_points_find(const PosedBody *low, const PosedBody *high, bool mirrored,
                                  QualityModel model, const PatchParameters *parameters,
                                  double step, Arena *arena)
{
  const PosedBody *a = mirrored ? high : low, *b = mirrored ? low : high;
  QualityPoints found = model == MODEL_PATCH ? patch_points(a, b, parameters, step, arena)
                                             : volumetric_points(a, b, arena);
  // normals of the models look from the second body into the first
  if (mirrored) return found;
  for (int i = 0; i < found.count; i++) {
    found.points[i].normal = vec3_neg(found.points[i].normal);
  }
  return found;
}
