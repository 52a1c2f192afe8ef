// Makes random convex stones.
#include "stone_shape.h"

#include <assert.h>
#include <stdbool.h>

#include "box.h"
#include "polyhedron.h"
#include "random.h"

// Least distance of corners on the unit sphere, times the root of their number. Corners drawn one
// after the other until nothing fits are 2.9 apart; less leaves stones irregular.
#define CORNER_DISTANCE 1.9
#define CORNER_DRAWS 200    // in vain, before the distance is lowered by a tenth
#define FACE_DISTANCE 0.4   // least distance of faces from the centre of the unit sphere
#define STONE_ATTEMPTS 64   // to reach it; then the best of them is taken

static bool is_clear(const vec3 *corners, int count, vec3 p, double least)
{
  for (int i = 0; i < count; i++) {
    const vec3 arm = vec3_sub(p, corners[i]);
    if (vec3_dot(arm, arm) < least * least) return false;
  }
  return true;
}

static void draw_corners(int count, uint64_t stream, vec3 *corners)
{
  assert(count > 0 && "a stone has corners");
  double least = CORNER_DISTANCE / sqrt(count);
  int vain = 0;
  uint64_t draw = 0;
  for (int i = 0; i < count;) {
    const vec3 p = random_direction(random_uniform(stream, draw), random_uniform(stream, draw + 1));
    draw += 2;
    if (is_clear(corners, i, p, least)) {
      corners[i++] = p;
      vain = 0;
    } else if (++vain == CORNER_DRAWS) {
      least *= 0.9;
      vain = 0;
    }
  }
}

// Distance of the nearest face of the hull from the origin, negative outside: corners that leave a
// side of the sphere empty make flat, lopsided stones.
static double nearest_face(const vec3 *corners, int count, Arena *arena)
{
  Polyhedron hull;
  if (hull_build(corners, count, arena, &hull) != HULL_OK) return -1;
  double nearest = 1;
  for (int f = 0; f < hull.face_count; f++)
    if (hull.planes[f].offset < nearest) nearest = hull.planes[f].offset;
  return nearest;
}

// Stretches the axes so that the bounding box gets the sides.
static void stretch(vec3 *corners, int count, vec3 sides)
{
  const Box box = box_of_points(corners, count);
  const vec3 old = vec3_sub(box.high, box.low);
  const vec3 scale = {sides.x / old.x, sides.y / old.y, sides.z / old.z};
  for (int i = 0; i < count; i++)
    corners[i] = (vec3){scale.x * corners[i].x, scale.y * corners[i].y, scale.z * corners[i].z};
}

PartRecipe stone_shape(int corners, vec3 sides, uint64_t stream, Arena *arena)
{
  assert(sides.x > 0 && sides.y > 0 && sides.z > 0 && "a stone has sides");
  assert(corners >= STONE_MIN_CORNERS && corners <= STONE_MAX_CORNERS && "corners of a stone");
  PartRecipe part = {.count = corners,
                     .points = arena_allocate(arena, (size_t)corners * sizeof(vec3))};
  Arena scratch = arena_new();
  double best = -2;
  for (uint64_t attempt = 0; attempt < STONE_ATTEMPTS && best < FACE_DISTANCE; attempt++) {
    vec3 drawn[STONE_MAX_CORNERS];
    draw_corners(corners, random_stream(stream, attempt), drawn);
    const double nearest = nearest_face(drawn, corners, &scratch);
    arena_reset(&scratch);
    if (nearest <= best) continue;
    best = nearest;
    for (int i = 0; i < corners; i++) part.points[i] = drawn[i];
  }

  stretch(part.points, corners, sides);
  Polyhedron hull;
  const HullStatus status = hull_build(part.points, corners, &scratch, &hull);
  assert(status == HULL_OK && "corners on a sphere have a volume");
  (void)status;
  const vec3 center = polyhedron_moments(&hull).centroid;
  for (int i = 0; i < corners; i++) part.points[i] = vec3_sub(part.points[i], center);
  arena_destroy(&scratch);
  return part;
}
