// Random stones: sides as asked for, centre of mass at the origin, no needles and no flakes.
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "harness.h"
#include "memory.h"
#include "polyhedron.h"
#include "random.h"
#include "stone_shape.h"

typedef struct {
  double nearest;   // least distance of a face from the centre of the ellipsoid, unit sphere
  double edge;      // shortest edge, there
  double angle;     // smallest sine of an angle of a face, there
  int faces;        // fewest
} Quality;

static double least(double a, double b) { return a < b ? a : b; }

// Measures that stretching keeps comparable are taken after the stretch is undone: the box of side
// 2, whose middle is the centre of the ellipsoid to within the irregularity of the corners.
static void judge(const PartRecipe *part, vec3 sides, Arena *arena, Quality *q)
{
  vec3 low = part->points[0], high = low;
  for (int i = 1; i < part->count; i++) {
    low = vec3_min(low, part->points[i]);
    high = vec3_max(high, part->points[i]);
  }
  CHECK_NEAR(high.x - low.x, sides.x, 4e-16 * sides.x);
  CHECK_NEAR(high.y - low.y, sides.y, 4e-16 * sides.y);
  CHECK_NEAR(high.z - low.z, sides.z, 4e-16 * sides.z);

  Polyhedron hull;
  if (!CHECK(hull_build(part->points, part->count, arena, &hull) == HULL_OK)) return;
  CHECK_NEAR(vec3_norm(polyhedron_moments(&hull).centroid), 0, 1e-15 * sides.x);
  CHECK(hull.vertex_count == part->count);   // no corner is hidden inside
  CHECK(polyhedron_is_valid(&hull, 1e-9));

  vec3 *unit = arena_allocate(arena, (size_t)part->count * sizeof *unit);
  for (int i = 0; i < part->count; i++)
    unit[i] = (vec3){(2 * part->points[i].x - low.x - high.x) / sides.x,
                     (2 * part->points[i].y - low.y - high.y) / sides.y,
                     (2 * part->points[i].z - low.z - high.z) / sides.z};
  if (!CHECK(hull_build(unit, part->count, arena, &hull) == HULL_OK)) return;
  for (int f = 0; f < hull.face_count; f++) {
    q->nearest = least(q->nearest, hull.planes[f].offset);
    const int begin = hull.face_start[f], count = hull.face_start[f + 1] - begin;
    for (int k = 0; k < count; k++) {
      const vec3 a = hull.vertices[hull.face_vertices[begin + k]];
      const vec3 b = hull.vertices[hull.face_vertices[begin + (k + 1) % count]];
      const vec3 c = hull.vertices[hull.face_vertices[begin + (k + 2) % count]];
      const vec3 u = vec3_sub(a, b), v = vec3_sub(c, b);
      q->edge = least(q->edge, vec3_norm(u));
      q->angle = least(q->angle, vec3_norm(vec3_cross(u, v)) / (vec3_norm(u) * vec3_norm(v)));
    }
  }
  if (hull.face_count < q->faces) q->faces = hull.face_count;
}

static void test_quality(int corners, Arena *arena)
{
  const vec3 sides[] = {{1, 1, 1}, {1.25, 1, 0.75}, {3, 1, 0.3}, {1e-3, 8e-4, 6e-4}};
  Quality q = {.nearest = 1, .edge = 2, .angle = 1, .faces = 1000};
  for (uint64_t i = 0; i < 400; i++) {
    const ArenaMark mark = arena_mark(arena);
    const PartRecipe part = stone_shape(corners, sides[i % 4], random_stream(3, i), arena);
    judge(&part, sides[i % 4], arena, &q);
    arena_release(arena, mark);
  }
  // the distances asked for, less what moving and stretching the box change of them
  const bool fine =
      CHECK(q.nearest > 0.28) && CHECK(q.edge > 1.6 / sqrt(corners)) && CHECK(q.angle > 0.2);
  CHECK(q.faces >= 6);
  if (!fine) printf("  %d corners: %g %g %g\n", corners, q.nearest, q.edge, q.angle);
}

static void test_streams(Arena *arena)
{
  const vec3 sides = {1, 1, 1};
  const PartRecipe a = stone_shape(16, sides, 5, arena), b = stone_shape(16, sides, 5, arena),
                   other = stone_shape(16, sides, 6, arena);
  CHECK(memcmp(a.points, b.points, 16 * sizeof(vec3)) == 0);
  int same = 0;
  for (int i = 0; i < 16; i++) same += vec3_norm(vec3_sub(a.points[i], other.points[i])) < 1e-6;
  CHECK(same == 0);
}

int main(void)
{
  Arena arena = arena_new();
  test_quality(STONE_MIN_CORNERS, &arena);
  test_quality(16, &arena);
  test_quality(STONE_MAX_CORNERS, &arena);
  test_streams(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
