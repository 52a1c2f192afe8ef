// Builds the shapes of a structure, and compares every stone with every other one near it.
#include "structure_survey.h"

#include <assert.h>
#include <stdio.h>

#include "intersection.h"

#define MOST_CORNERS 256   // of a facet, and of what clips leave of it
#define CLOSE 1e-9         // planes nearer than this times the size of the structure are one

typedef struct {
  Shape shape;
  Polyhedron *hulls;   // [part_count] of the parts, where the structure has them
  vec3 low, high;
} Stone;

static Stone build(const ShapeRecipe *recipe, Arena *arena, StructureSurvey *survey)
{
  Stone stone = {.low = {1e300, 1e300, 1e300}, .high = {-1e300, -1e300, -1e300}};
  const ShapeResult result = shape_build(recipe, arena, &stone.shape);
  if (result.status != SHAPE_OK) {
    char text[256];
    shape_result_text(result, text, sizeof text);
    printf("  %s\n", text);
    survey->failed++;
    stone.shape.part_count = 0;
    return stone;
  }
  survey->volume += stone.shape.volume;
  const int count = stone.shape.part_count;
  stone.hulls = arena_allocate(arena, (size_t)count * sizeof *stone.hulls);
  for (int p = 0; p < count; p++) {
    stone.hulls[p] = polyhedron_shift(&stone.shape.parts[p].hull, stone.shape.center, arena);
    for (int v = 0; v < stone.hulls[p].vertex_count; v++) {
      stone.low = vec3_min(stone.low, stone.hulls[p].vertices[v]);
      stone.high = vec3_max(stone.high, stone.hulls[p].vertices[v]);
    }
    for (int f = 0; f < stone.shape.parts[p].facet_count; f++) {
      const Facet *facet = &stone.shape.parts[p].facets[f];
      survey->surface += vec3_norm(polyhedron_area_vector(facet->corners, facet->corner_count));
    }
  }
  return stone;
}

// Area of a facet within another one in its plane, m2: sides of the other one clip it.
static double clipped_area(const Facet *facet, vec3 shift, const Facet *other, vec3 other_shift)
{
  vec3 corners[2][MOST_CORNERS];
  int count = facet->corner_count;
  assert(count + other->corner_count < MOST_CORNERS && "facets have few corners");
  for (int i = 0; i < count; i++) corners[0][i] = vec3_add(facet->corners[i], shift);
  const vec3 area = polyhedron_area_vector(other->corners, other->corner_count);
  const vec3 normal = vec3_scale(1 / vec3_norm(area), area);
  int now = 0;
  for (int k = 0; k < other->corner_count && count > 0; k++) {
    const vec3 a = vec3_add(other->corners[k], other_shift);
    const vec3 b = vec3_add(other->corners[(k + 1) % other->corner_count], other_shift);
    const vec3 out = vec3_cross(vec3_sub(b, a), normal);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      const vec3 p = corners[now][i], q = corners[now][(i + 1) % count];
      const double hp = vec3_dot(out, vec3_sub(p, a)), hq = vec3_dot(out, vec3_sub(q, a));
      if (hp <= 0) corners[1 - now][kept++] = p;
      if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0))
        corners[1 - now][kept++] = vec3_axpy(hp / (hp - hq), vec3_sub(q, p), p);
    }
    count = kept;
    now = 1 - now;
  }
  return count < 3 ? 0 : vec3_norm(polyhedron_area_vector(corners[now], count));
}

static bool lie_on_each_other(const Facet *p, vec3 p_shift, const Facet *q, vec3 q_shift,
                              double tolerance)
{
  const vec3 area = polyhedron_area_vector(q->corners, q->corner_count);
  const vec3 normal = vec3_scale(1 / vec3_norm(area), area);
  if (vec3_dot(polyhedron_area_vector(p->corners, p->corner_count), normal) >= 0) return false;
  const vec3 a = vec3_add(q->corners[0], q_shift);
  for (int i = 0; i < p->corner_count; i++)
    if (fabs(vec3_dot(normal, vec3_sub(vec3_add(p->corners[i], p_shift), a))) > tolerance)
      return false;
  return true;
}

static void compare_facets(const Stone *s, const Stone *t, double tolerance, double areas[2])
{
  for (int p = 0; p < s->shape.part_count; p++)
    for (int f = 0; f < s->shape.parts[p].facet_count; f++)
      for (int q = 0; q < t->shape.part_count; q++)
        for (int g = 0; g < t->shape.parts[q].facet_count; g++) {
          const Facet *a = &s->shape.parts[p].facets[f], *b = &t->shape.parts[q].facets[g];
          const vec3 at = s->shape.center, bt = t->shape.center;
          // a short facet judges no plane: either may lie on the plane of the other
          if (!lie_on_each_other(a, at, b, bt, tolerance) ||
              !lie_on_each_other(b, bt, a, at, tolerance))
            continue;
          areas[0] += clipped_area(a, at, b, bt);
          areas[1] += clipped_area(b, bt, a, at);
        }
}

static void compare(const Stone *s, const Stone *t, Arena *arena, StructureSurvey *survey)
{
  const double margin = CLOSE * survey->size;
  if (s->low.x > t->high.x + margin || t->low.x > s->high.x + margin ||
      s->low.y > t->high.y + margin || t->low.y > s->high.y + margin ||
      s->low.z > t->high.z + margin || t->low.z > s->high.z + margin)
    return;
  for (int p = 0; p < s->shape.part_count; p++)
    for (int q = 0; q < t->shape.part_count; q++) {
      const ArenaMark mark = arena_mark(arena);
      const Intersection common = intersection_clip(&s->hulls[p], &t->hulls[q], 0, arena);
      if (common.status == INTERSECTION_FAILED) survey->failed++;
      if (common.status == INTERSECTION_OK)
        survey->overlap = larger_of(survey->overlap, common.volume);
      arena_release(arena, mark);
    }
  double areas[2] = {0, 0};
  compare_facets(s, t, margin, areas);
  survey->joints[0] += areas[0];
  survey->joints[1] += areas[1];
  survey->unequal = larger_of(survey->unequal, fabs(areas[0] - areas[1]));
  survey->joined += areas[0] > 0;
}

StructureSurvey structure_survey(const Structure *structure)
{
  StructureSurvey survey = {0};
  Arena arena = arena_new();
  Stone *stones = arena_allocate(&arena, (size_t)structure->count * sizeof *stones);
  vec3 low = {1e300, 1e300, 1e300}, high = vec3_neg(low);
  for (int i = 0; i < structure->count; i++) {
    stones[i] = build(&structure->solids[i], &arena, &survey);
    low = vec3_min(low, stones[i].low);
    high = vec3_max(high, stones[i].high);
  }
  const vec3 sides = vec3_sub(high, low);
  survey.size = larger_of(sides.x, larger_of(sides.y, sides.z));
  for (int i = 0; i < structure->count; i++)
    for (int k = i + 1; k < structure->count; k++) compare(&stones[i], &stones[k], &arena, &survey);
  arena_destroy(&arena);
  return survey;
}

int structure_shared_points(const Structure *structure, int first, int second)
{
  const ShapeRecipe *s = &structure->solids[first], *t = &structure->solids[second];
  int shared = 0;
  for (int p = 0; p < s->part_count; p++)
    for (int i = 0; i < s->parts[p].count; i++) {
      const vec3 a = s->parts[p].points[i];
      bool found = false;
      for (int q = 0; q < t->part_count; q++)
        for (int k = 0; k < t->parts[q].count; k++) {
          const vec3 b = t->parts[q].points[k];
          found = found || (a.x == b.x && a.y == b.y && a.z == b.z);
        }
      shared += found;
    }
  return shared;
}
