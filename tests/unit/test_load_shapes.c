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

// Two boxes one on the other are one solid: a place in the lower one is below the top of both.
static void test_parts(void)
{
  Arena arena = arena_new();
  PartRecipe parts[2];
  for (int i = 0; i < 2; i++) {
    parts[i] = recipe_box(vec3_new(1, 1, 1), &arena);
    for (int k = 0; k < parts[i].count; k++) parts[i].points[k].z += i;
  }
  const ShapeRecipe recipe = {.part_count = 2, .parts = parts};
  const Shape shape = build(&recipe, &arena);
  const double top = 1, joint = 0, bottom = -1;   // from the centre of mass
  for (double z = -0.9; z < 0.95; z += 0.1)
    CHECK_NEAR(load_ray_enters(&shape, vec3_new(0.2, 0.1, z), down), z - top, 1e-12);
  CHECK_NEAR(load_ray_enters(&shape, vec3_new(0.2, 0.1, joint), down), -1, 1e-12);
  CHECK_NEAR(load_ray_enters(&shape, vec3_new(0.2, 0.1, 4), down), 3, 1e-12);
  CHECK_NEAR(load_ray_enters(&shape, vec3_new(0.2, 0.1, 0.5), vec3_new(0, 0, 1)), bottom - 0.5,
             1e-12);
  CHECK(load_ray_enters(&shape, vec3_new(0.2, 0.1, -1.1), down) == INFINITY);
  arena_destroy(&arena);
}

// A closed surface of many triangles, none of which stands in the axes: a dented ball.
static Shape dented_ball(Arena *arena)
{
  enum { RINGS = 12, SPOKES = 24, POINTS = 2 + (RINGS - 1) * SPOKES };
  vec3 *points = arena_allocate(arena, POINTS * sizeof *points);
  int(*triangles)[3] = arena_allocate(arena, 2 * (RINGS - 1) * SPOKES * sizeof *triangles);
  int count = 0;
  points[0] = vec3_new(0, 0, 1);
  points[1] = vec3_new(0, 0, -1);
  for (int i = 1; i < RINGS; i++)
    for (int k = 0; k < SPOKES; k++) {
      const double down_by = 3.14159265 * i / RINGS, about = 2 * 3.14159265 * k / SPOKES;
      const double size = k % 2 ? 0.8 : 1;
      points[2 + (i - 1) * SPOKES + k] = vec3_new(
          size * sin(down_by) * cos(about), size * sin(down_by) * sin(about), size * cos(down_by));
    }
  for (int k = 0; k < SPOKES; k++) {
    const int next = (k + 1) % SPOKES, last = 2 + (RINGS - 2) * SPOKES;
    const int top[3] = {0, 2 + k, 2 + next}, foot[3] = {1, last + next, last + k};
    for (int c = 0; c < 3; c++) {
      triangles[count][c] = top[c];
      triangles[count + 1][c] = foot[c];
    }
    count += 2;
    for (int i = 0; i < RINGS - 2; i++) {
      const int above = 2 + i * SPOKES, below = above + SPOKES;
      const int one[3] = {above + k, below + k, below + next},
                other[3] = {above + k, below + next, above + next};
      for (int c = 0; c < 3; c++) {
        triangles[count][c] = one[c];
        triangles[count + 1][c] = other[c];
      }
      count += 2;
    }
  }
  PartRecipe *part = arena_allocate(arena, sizeof *part);
  *part = (PartRecipe){
      .count = POINTS, .points = points, .triangle_count = count, .triangles = triangles};
  const ShapeRecipe recipe = {
      .part_count = 1, .parts = part, .surface_known = true, .surface_alone = true};
  return build(&recipe, arena);
}

// No ray through an edge or a corner of a surface misses it, and none sees what lies behind it.
static void test_edges(void)
{
  Arena arena = arena_new();
  const Shape shape = dented_ball(&arena);
  const ShapeSurface *surface = shape.surface;
  int missed = 0, behind = 0, outward = 0;
  for (int t = 0; t < surface->triangle_count; t++)
    for (int k = 0; k < 3; k++) {
      const vec3 a = surface->points[surface->triangles[t][k]],
                 b = surface->points[surface->triangles[t][(k + 1) % 3]];
      for (int n = 0; n <= 8; n++) {
        const vec3 at = vec3_axpy(n / 8.0, vec3_sub(b, a), a);
        const vec3 away = vec3_scale(1 / vec3_norm(at), at);
        const vec3 from = vec3_axpy(2, away, at);
        const double far = load_ray_enters(&shape, from, vec3_neg(away));
        missed += !(fabs(far - 2) < 1e-12);
        behind += load_ray_enters(&shape, from, away) < INFINITY;
        // from the middle out the ray has come in on the other side
        const double back = load_ray_enters(&shape, vec3_new(0, 0, 0), away);
        outward += !(back < -0.5 && back > -1.1);
      }
    }
  CHECK(missed == 0);
  CHECK(behind == 0);
  CHECK(outward == 0);
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
  // of a stage that begins at 10 s
  const double origin = 10;
  wheel.origin = &origin;
  CHECK(!load_ray_wheel(&wheel, 2).stands && !load_ray_wheel(&wheel, 10.999).stands);
  CHECK(load_ray_wheel(&wheel, 12).place.x == 2 && load_ray_wheel(&wheel, 14).place.y == 3);
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
  int count = load_faces_find(&all, &(LoadBody){.shape = &shape, .start = start}, &arena, &faces);
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
  count = load_faces_find(&top, &(LoadBody){.shape = &shape, .start = start}, &arena, &faces);
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
  count = load_faces_find(&boxed, &(LoadBody){.shape = &shape, .start = start}, &arena, &faces);
  CHECK(count == 1);
  const vec3 way = mat3_mul(start.turn, faces[0].area);
  CHECK_NEAR(way.x, 2, 1e-15);
  const ShapeRecipe ball = {.radius = 0.5};
  const Shape sphere = build(&ball, &arena);
  CHECK(load_faces_find(&all, &(LoadBody){.shape = &sphere, .start = start}, &arena, &faces) == 0);
  arena_destroy(&arena);
}

// Faces at the very angle, and centroids on the very box, count in any orientation.
static void test_bounds(void)
{
  Arena arena = arena_new();
  const Shape shape = build_box(vec3_new(1, 2, 3), &arena);
  const vec3 sides[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  LoadFace *faces;
  int missed = 0;
  for (int i = 0; i < 200; i++) {
    const double a = 0.37 * i, b = 1.1 * i + 0.2, c = 0.05 * i;
    const quat turn = quat_normalize((quat){cos(a), sin(b), cos(c + b), sin(a + c)});
    const LoadStart start = {vec3_new(3 * cos(b), 5 * sin(a), 7 * cos(c)), quat_to_mat3(turn)};
    for (int k = 0; k < 3; k++) {
      const vec3 way = mat3_mul(start.turn, sides[k]);
      const double cosines[] = {1, sqrt(0.5), 0, -1};   // within 0, 45, 90 and 180 degrees
      const int expected[] = {1, 1, 5, 6};
      for (int n = 0; n < 4; n++) {
        const LoadFaces near = {.has_direction = true, .direction = way, .cosine = cosines[n]};
        missed += load_faces_find(&near, &(LoadBody){.shape = &shape, .start = start}, &arena,
                                  &faces) != expected[n];
      }
      // half way between two normals both are at 45 degrees
      const vec3 between =
          vec3_scale(sqrt(0.5), vec3_add(way, mat3_mul(start.turn, sides[(k + 1) % 3])));
      const LoadFaces both = {.has_direction = true, .direction = between, .cosine = sqrt(0.5)};
      missed +=
          load_faces_find(&both, &(LoadBody){.shape = &shape, .start = start}, &arena, &faces) != 2;
      const double half[] = {0.5, 1, 1.5};
      const vec3 centroid = vec3_axpy(half[k], way, start.centre);
      const LoadFaces boxed = {.has_box = true, .low = centroid, .high = centroid};
      missed += load_faces_find(&boxed, &(LoadBody){.shape = &shape, .start = start}, &arena,
                                &faces) != 1;
    }
  }
  CHECK(missed == 0);
  arena_destroy(&arena);
}

int main(void)
{
  test_rays();
  test_surface();
  test_parts();
  test_edges();
  test_bounds();
  test_places();
  test_faces();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
