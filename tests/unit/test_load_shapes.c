// Rays of wheels against shapes whose entries are known, places of wheels on paths, and faces under
// pressure: areas and centroids that close a solid.
#include <math.h>

#include "harness.h"
#include "load_faces.h"
#include "load_ray.h"
#include "memory.h"
#include "recipe.h"

static Shape build(const ShapeRecipe *recipe, Arena *arena)
{
  Shape shape;
  CHECK(shape_build(recipe, arena, &shape).status == SHAPE_OK);
  return shape;
}

static Shape build_box(vec3 size, Arena *arena)
{
  const ShapeRecipe recipe = recipe_single(recipe_box(size, arena), arena);
  return build(&recipe, arena);
}

static const vec3 down = {0, 0, -1};

static void test_rays(void)
{
  Arena arena = arena_new();
  const Shape box = build_box(vec3_new(2, 2, 1), &arena);
  CHECK_NEAR(load_ray_enters(&box, vec3_new(0.3, -0.9, 4), down), 3.5, 1e-15);
  CHECK_NEAR(load_ray_enters(&box, vec3_new(0.3, -0.9, 0.2), down), -0.3, 1e-15);
  CHECK(load_ray_enters(&box, vec3_new(0.3, -0.9, -0.51), down) == INFINITY);
  CHECK(load_ray_enters(&box, vec3_new(1.01, 0, 4), down) == INFINITY);
  CHECK(load_ray_enters(&box, vec3_new(9, 0, 0), down) == INFINITY);
  // along a face it is the body's, whatever the rounding
  CHECK_NEAR(load_ray_enters(&box, vec3_new(1 + 1e-12, 0, 4), down), 3.5, 1e-12);
  const double half = sqrt(0.5);
  CHECK_NEAR(load_ray_enters(&box, vec3_new(-2, 0, 1.5), vec3_new(half, 0, -half)), sqrt(2), 1e-14);

  const ShapeRecipe ball = {.radius = 0.5}, egg = {.radii = {1, 0.5, 0.25}};
  const Shape sphere = build(&ball, &arena), ellipsoid = build(&egg, &arena);
  CHECK_NEAR(load_ray_enters(&sphere, vec3_new(0.3, 0, 2), down), 1.6, 1e-15);
  CHECK(load_ray_enters(&sphere, vec3_new(0.3, 0.41, 2), down) == INFINITY);
  CHECK_NEAR(load_ray_enters(&ellipsoid, vec3_new(0.6, 0, 2), down), 2 - 0.25 * 0.8, 1e-15);
  CHECK_NEAR(load_ray_enters(&ellipsoid, vec3_new(0, 0.4, 2), down), 2 - 0.25 * 0.6, 1e-15);
  arena_destroy(&arena);
}

// A surface of triangles is entered where the hull of its points is, for a solid that is convex.
static void test_surface(void)
{
  Arena arena = arena_new();
  vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int triangles[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  PartRecipe part = {.count = 4, .points = points, .triangle_count = 4, .triangles = triangles};
  const ShapeRecipe whole = {.part_count = 1, .parts = &part, .surface_known = true},
                    alone = {.part_count = 1,
                             .parts = &part,
                             .surface_known = true,
                             .surface_alone = true};
  const Shape solid = build(&whole, &arena), surface = build(&alone, &arena);
  CHECK(surface.surface != NULL && solid.part_count == 1);
  int entered = 0;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++) {
      const vec3 from = {0.0501 * i - 0.4, 0.0502 * j - 0.4, 3};
      const double one = load_ray_enters(&solid, from, down),
                   other = load_ray_enters(&surface, from, down);
      if (!CHECK(isinf(one) == isinf(other))) continue;
      if (isinf(one)) continue;
      CHECK_NEAR(one, other, 1e-13);
      entered++;
    }
  CHECK(entered > 20);
  CHECK_NEAR(load_ray_enters(&solid, (vec3){0, 0, 0}, down),
             load_ray_enters(&surface, (vec3){0, 0, 0}, down), 1e-13);
  arena_destroy(&arena);
}

static void test_places(void)
{
  const vec3 points[] = {{0, 0, 1}, {3, 0, 1}, {3, 4, 1}};
  const double along[] = {0, 3, 7};
  LoadWheel wheel = {.point_count = 3, .points = points, .along = along, .speed = 2, .start = 1};
  CHECK(!load_ray_wheel(&wheel, 0.999).stands && !load_ray_wheel(&wheel, 4.501).stands);
  WheelPlace at = load_ray_wheel(&wheel, 2);
  CHECK(at.stands && at.place.x == 2 && at.place.y == 0 && at.heading.x == 1);
  at = load_ray_wheel(&wheel, 4);
  CHECK(at.stands && at.place.x == 3 && at.place.y == 3 && at.heading.y == 1);
  CHECK(load_ray_wheel(&wheel, 1).stands && load_ray_wheel(&wheel, 4.5).stands);
  wheel = (LoadWheel){.point_count = 1, .points = points + 2, .along = along, .heading = {0, 1, 0}};
  at = load_ray_wheel(&wheel, -5);
  CHECK(at.stands && at.place.y == 4 && at.heading.y == 1);
}

// Two boxes side by side: what they share is no surface.
static void test_faces(void)
{
  Arena arena = arena_new();
  PartRecipe parts[2];
  for (int i = 0; i < 2; i++) {
    parts[i] = recipe_box(vec3_new(1, 2, 3), &arena);
    for (int k = 0; k < parts[i].count; k++) parts[i].points[k].x += i;
  }
  const ShapeRecipe recipe = {.part_count = 2, .parts = parts};
  const Shape shape = build(&recipe, &arena);
  const mat3 same = quat_to_mat3(quat_identity());
  LoadStart start = {shape.center, same};
  LoadFaces all = {.has_direction = true, .direction = {0, 0, 1}, .cosine = -1};
  LoadFace *faces;
  int count = load_faces_find(&all, &shape, start, &arena, &faces);
  CHECK(count == 10);
  vec3 sum = {0, 0, 0};
  double volume = 0;
  for (int f = 0; f < count; f++) {
    sum = vec3_add(sum, faces[f].area);
    volume += vec3_dot(faces[f].area, faces[f].centroid) / 3;
  }
  CHECK(vec3_norm(sum) < 1e-14);
  CHECK_NEAR(volume, 12, 1e-13);

  const LoadFaces top = {.has_direction = true, .direction = {0, 0, 1}, .cosine = 0.99};
  count = load_faces_find(&top, &shape, start, &arena, &faces);
  CHECK(count == 2 && faces[0].area.z == 2 && faces[1].area.z == 2);
  CHECK_NEAR(faces[0].centroid.z, 1.5, 1e-15);
  CHECK_NEAR(fabs(faces[0].centroid.x - faces[1].centroid.x), 1, 1e-15);

  // a body that appears turned by a quarter about y and elsewhere
  start.centre = vec3_new(10, 0, 0);
  start.turn = (mat3){{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
  const LoadFaces boxed = {.has_direction = true,
                           .direction = {1, 0, 0},
                           .cosine = 0.99,
                           .has_box = true,
                           .low = {11, -1, 0},
                           .high = {12, 1, 9}};
  count = load_faces_find(&boxed, &shape, start, &arena, &faces);
  CHECK(count == 1);
  const vec3 way = mat3_mul(start.turn, faces[0].area);
  CHECK_NEAR(way.x, 2, 1e-15);
  const ShapeRecipe ball = {.radius = 0.5};
  const Shape sphere = build(&ball, &arena);
  CHECK(load_faces_find(&all, &sphere, start, &arena, &faces) == 0);
  arena_destroy(&arena);
}

int main(void)
{
  test_rays();
  test_surface();
  test_places();
  test_faces();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
