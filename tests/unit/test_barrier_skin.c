// Skins of boxes, voussoirs, random hulls and bodies with reentrant edges; what has none is
// refused.
#include "barrier_skin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "barrier_pair.h"
#include "gjk.h"
#include "harness.h"
#include "random_solids.h"
#include "shape.h"

static const mat3 upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static Shape shape_of(PartRecipe *parts, int count, Arena *arena)
{
  const ShapeRecipe recipe = {.part_count = count, .parts = parts};
  Shape shape;
  CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK);
  return shape;
}

static Shape hull_shape(const vec3 *points, int count, Arena *arena)
{
  vec3 *copy = arena_allocate(arena, (size_t)count * sizeof *copy);
  memcpy(copy, points, (size_t)count * sizeof *copy);
  PartRecipe part = {.count = count, .points = copy};
  return shape_of(&part, 1, arena);
}

static Shape box_shape(vec3 low, vec3 high, Arena *arena)
{
  vec3 points[8];
  for (int i = 0; i < 8; i++)
    points[i] = (vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
  return hull_shape(points, 8, arena);
}

// Where three planes meet, each cell is its face moved by the depth; all others lie deeper.
static void test_hulls(Arena *arena)
{
  Random random = {9};
  int exact = 0, corners = 0, thin = 0;
  for (int n = 0; n < 300; n++) {
    const ArenaMark mark = arena_mark(arena);
    const Polyhedron solid = solid_random(&random, n % SOLID_KINDS, arena);
    const Shape shape = hull_shape(solid.vertices, solid.vertex_count, arena);
    const Polyhedron *hull = &shape.parts[0].hull;
    const BarrierSkin skin = {pow(10, -2 - n % 5), 1};
    BarrierSurface s;
    const BarrierSkinResult result = barrier_skin_build(&shape, skin, arena, &s);
    thin += result.status == BARRIER_SKIN_THIN;
    if (result.status == BARRIER_SKIN_OK) {
      CHECK(s.convex && s.vertex_count >= 4);
      for (int v = 0; v < s.vertex_count; v++) {
        double highest = -INFINITY;
        for (int f = 0; f < hull->face_count; f++)
          highest = fmax(highest, plane_height(hull->planes[f], s.vertices[v]));
        CHECK(highest <= -skin.depth + 1e-11);
        exact += highest > -skin.depth - 1e-11;
        corners++;
      }
    } else {
      // needles and plates of a hundredth alone
      CHECK(result.status == BARRIER_SKIN_THIN && n % SOLID_KINDS >= 5 && skin.depth > 1e-3);
    }
    arena_release(arena, mark);
  }
  CHECK(exact > corners * 9 / 10 && thin > 0 && thin < 30);
}

static void test_box(Arena *arena)
{
  const Shape shape = box_shape((vec3){-1, -2, -3}, (vec3){1, 2, 3}, arena);
  BarrierSurface s;
  CHECK(barrier_skin_build(&shape, (BarrierSkin){0.01, 4}, arena, &s).status == BARRIER_SKIN_OK);
  CHECK(s.cell_count == 6 && s.vertex_count == 8 && s.edge_count == 12);
  CHECK(s.point_count == 6 * 16 + 2);
  double area = 0;
  for (int i = 0; i < s.point_count; i++) area += s.areas[i];
  CHECK_NEAR(area, 8 * (1.99 * .99 + 2.99 * .99 + 1.99 * 2.99), 1e-12);
  CHECK_NEAR(s.box.high.z, 2.99, 1e-14);
  CHECK_NEAR(s.radius, sqrt(.99 * .99 + 1.99 * 1.99 + 2.99 * 2.99), 1e-14);
}

static vec3 voussoir_corner(double angle, double radius, double y)
{
  return (vec3){radius * sin(angle), y, radius * cos(angle)};
}

static Shape voussoir(double from, double to, Arena *arena)
{
  vec3 points[8];
  for (int i = 0; i < 8; i++)
    points[i] = voussoir_corner(i & 1 ? to : from, i & 2 ? 1.1 : 1, i & 4 ? 0.5 : 0);
  return hull_shape(points, 8, arena);
}

// Bodies that touch are at the distance from each other and feel nothing; once they are nearer they
// do, and where skins meet the pair is refused.
static void test_touching(Arena *arena)
{
  const double distance = 1e-4;
  const BarrierSkin skin = {0.5 * distance, 3};
  const BarrierScale scale = {distance, 1e9};
  const Shape shapes[2] = {voussoir(0, 0.4, arena), voussoir(0.4, 0.8, arena)};
  BarrierSurface s[2];
  for (int k = 0; k < 2; k++)
    CHECK(barrier_skin_build(&shapes[k], skin, arena, &s[k]).status == BARRIER_SKIN_OK);
  const vec3 along = {cos(0.4), 0, -sin(0.4)};
  const double moves[4] = {0, 0.3, 0.9, 1.1};
  for (int n = 0; n < 4; n++) {
    BarrierBody bodies[2] = {{&s[0], shapes[0].center, upright},
                             {&s[1], shapes[1].center, upright}};
    bodies[1].position = vec3_axpy(-moves[n] * distance, along, bodies[1].position);
    BarrierTerms terms = {0};
    const bool apart = barrier_pair_find(bodies, scale, &terms, arena);
    double force = 0, least = INFINITY;
    for (int i = 0; i < terms.count; i++) {
      force += vec3_norm(terms.of[i].gradient);
      least = fmin(least, terms.of[i].gap);
    }
    if (n == 0) CHECK(apart && force < 1e-9 * scale.stiffness);
    if (n == 1 || n == 2) {
      CHECK(apart && force > 1e-3 * scale.stiffness * 0.05);
      CHECK_NEAR(least, (1 - moves[n]) * distance, 1e-12);
    }
    if (n == 3) CHECK(!apart);
    vec3 placed[2][8];
    for (int k = 0; k < 2; k++) {
      for (int v = 0; v < 8; v++) placed[k][v] = vec3_add(s[k].vertices[v], bodies[k].position);
    }
    const double gap = gjk_distance(placed[0], 8, placed[1], 8).distance;
    CHECK_NEAR(gap, fmax(0, 1 - moves[n]) * distance, 1e-12);
  }
}

// An L of two parts has no surface where they meet, and a plane of each of its sides.
static void test_reentrant(Arena *arena)
{
  vec3 points[2][8];
  for (int i = 0; i < 8; i++) {
    points[0][i] = (vec3){i & 1 ? 2 : 0, i & 2 ? 1 : 0, i & 4 ? 1 : 0};
    points[1][i] = (vec3){i & 1 ? 1 : 0, i & 2 ? 1 : 0, i & 4 ? 2 : 1};
  }
  PartRecipe parts[2] = {{.count = 8, .points = points[0]}, {.count = 8, .points = points[1]}};
  const Shape shape = shape_of(parts, 2, arena);
  BarrierSurface s;
  CHECK(barrier_skin_build(&shape, (BarrierSkin){0.01, 2}, arena, &s).status == BARRIER_SKIN_OK);
  CHECK(!s.convex && s.vertex_count == 12 && s.cell_count == 6 + 2 * 4);
  CHECK_NEAR(s.box.low.y + shape.center.y, 0.01, 1e-13);
  double area = 0;
  for (int i = 0; i < s.point_count; i++) area += s.areas[i];
  // two Ls of sides 1.98, both arms 0.98 wide, and their outline as deep as they are
  CHECK_NEAR(area, 2 * (1.98 * .98 + 1 * .98) + .98 * 4 * 1.98, 1e-11);
  int sharp = 0;
  for (int e = 0; e < s.edge_count; e++) sharp += s.edges[e].share > 0;
  CHECK(sharp == 17);   // of 18 edges one is reentrant
}

static void test_refusals(Arena *arena)
{
  char text[256];
  BarrierSurface s;
  const BarrierSkin skin = {0.01, 1};
  const ShapeRecipe ball = {.radius = 1};
  Shape shape;
  CHECK(shape_build(&ball, arena, &shape).status == SHAPE_OK);
  BarrierSkinResult result = barrier_skin_build(&shape, skin, arena, &s);
  CHECK(result.status == BARRIER_SKIN_ROUND);
  barrier_skin_text(result, skin, text, sizeof text);
  CHECK(strstr(text, "spheres") != NULL);
  shape = box_shape((vec3){0, 0, 0}, (vec3){1, 1, 0.019}, arena);
  result = barrier_skin_build(&shape, skin, arena, &s);
  CHECK(result.status == BARRIER_SKIN_THIN);
  barrier_skin_text(result, skin, text, sizeof text);
  CHECK(strstr(text, "0.01 m") != NULL);
}

int main(void)
{
  Arena arena = arena_new();
  test_hulls(&arena);
  test_box(&arena);
  test_touching(&arena);
  test_reentrant(&arena);
  test_refusals(&arena);
  arena_destroy(&arena);
  return test_report();
}
