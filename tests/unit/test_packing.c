// Packed stones: exact arithmetic finds no common point, rooms hold them, and all is a function of
// the stream.
// test: timeout 300
#include <stdio.h>
#include <string.h>

#include "ellipsoid.h"
#include "exact_intersection.h"
#include "gjk.h"
#include "harness.h"
#include "memory.h"
#include "packing.h"
#include "random.h"
#include "recipe.h"
#include "stone_shape.h"

#define MOST_STONES 400
#define SHAPES 12

typedef struct {
  StonePacking packing;
  ShapeRecipe shapes[SHAPES];
  int shape_of[MOST_STONES];
  vec3 places[MOST_STONES];
  quat turns[MOST_STONES];
  Shape built[SHAPES];
} Scene;

// An L of three cubes about its centre of mass.
static ShapeRecipe angle_shape(double side, Arena *arena)
{
  ShapeRecipe shape = {.part_count = 3, .parts = arena_allocate_zero(arena, 3, sizeof(PartRecipe))};
  static const vec3 at[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++) {
    shape.parts[k] = recipe_box((vec3){side, side, side}, arena);
    recipe_place(&shape.parts[k], vec3_scale(side, at[k]), quat_identity());
  }
  return recipe_scale(&shape, (vec3){side / 3, 0, side / 3}, 1, arena);
}

// Random stones of sizes from 0.1 to 0.4 m in turn; then what else is wanted.
static void fill_scene(Scene *scene, Room room, double fraction, uint64_t stream, Arena *arena)
{
  StonePacking *p = &scene->packing;
  *p = (StonePacking){.room = room,
                      .shape_count = SHAPES,
                      .shapes = scene->shapes,
                      .shape_of = scene->shape_of,
                      .turned = true,
                      .stream = stream};
  double volume = 0;
  for (int i = 0; i < SHAPES; i++)
    CHECK(shape_build(&scene->shapes[i], arena, &scene->built[i]).status == SHAPE_OK);
  while (volume < fraction * room_volume(&room) && p->count < MOST_STONES) {
    const int shape = (int)(SHAPES * random_uniform(stream, (uint64_t)p->count));
    scene->shape_of[p->count++] = shape;
    volume += scene->built[shape].volume;
  }
  CHECK(volume >= fraction * room_volume(&room));
}

static void convex_shapes(Scene *scene, Arena *arena)
{
  for (int i = 0; i < SHAPES; i++) {
    const double size = 0.1 + 0.3 * i / (SHAPES - 1.0) * i / (SHAPES - 1.0);
    const vec3 sides = {1.3 * size, size, 0.7 * size};
    scene->shapes[i] =
        recipe_single(stone_shape(16, sides, random_stream(3, (uint64_t)i), arena), arena);
  }
}

static PackingResult pack(Scene *scene)
{
  return packing_make(&scene->packing, scene->places, scene->turns);
}

static const Shape *shape_at(const Scene *scene, int i)
{
  return &scene->built[scene->shape_of[i]];
}

static vec3 center_at(const Scene *scene, int i)
{
  const mat3 rotation = quat_to_mat3(scene->turns[i]);
  return vec3_add(scene->places[i], mat3_mul(rotation, shape_at(scene, i)->center));
}

static ExactBody exact_part(const Scene *scene, int i, int part)
{
  return (ExactBody){&shape_at(scene, i)->parts[part].hull, quat_to_mat3(scene->turns[i]),
                     center_at(scene, i)};
}

// Whether two stones of convex parts have a common interior, in rational numbers.
static bool overlap_exactly(const Scene *scene, int i, int j, ExactSpace *space)
{
  const Shape *a = shape_at(scene, i), *b = shape_at(scene, j);
  for (int k = 0; k < a->part_count; k++)
    for (int m = 0; m < b->part_count; m++)
      if (!exact_intersection(space, exact_part(scene, i, k), exact_part(scene, j, m)).empty)
        return true;
  return false;
}

// The distance of two stones of one part is at least the share of the smaller one that is promised.
static bool is_gap_kept(const Scene *scene, int i, int j)
{
  static vec3 points[2][64];
  const Shape *shapes[2] = {shape_at(scene, i), shape_at(scene, j)};
  if (shapes[0]->part_count != 1 || shapes[1]->part_count != 1) return true;
  for (int k = 0; k < 2; k++) {
    const int stone = k == 0 ? i : j;
    const mat3 rotation = quat_to_mat3(scene->turns[stone]);
    const Polyhedron *hull = &shapes[k]->parts[0].hull;
    for (int v = 0; v < hull->vertex_count; v++)
      points[k][v] = vec3_add(center_at(scene, stone), mat3_mul(rotation, hull->vertices[v]));
  }
  const double distance = gjk_distance(points[0], shapes[0]->parts[0].hull.vertex_count, points[1],
                                       shapes[1]->parts[0].hull.vertex_count)
                              .distance;
  return distance > 0.99e-4 * smaller_of(shapes[0]->inradius, shapes[1]->inradius);
}

// Pairs that spheres do not keep apart are compared exactly; returns how many there were.
static int check_apart(const Scene *scene)
{
  ExactSpace *space = exact_space_new();
  int near = 0, overlaps = 0;
  for (int i = 0; i < scene->packing.count; i++)
    for (int j = 0; j < i; j++) {
      const double radii = shape_at(scene, i)->radius + shape_at(scene, j)->radius;
      const vec3 between = vec3_sub(center_at(scene, i), center_at(scene, j));
      if (vec3_norm(between) > radii) continue;
      near++;
      overlaps += overlap_exactly(scene, i, j, space);
      CHECK(is_gap_kept(scene, i, j));
    }
  exact_space_destroy(space);
  CHECK(overlaps == 0);
  return near;
}

// The corners of all stones in the room.
static void each_corner(const Scene *scene, void (*look)(const Scene *, vec3))
{
  for (int i = 0; i < scene->packing.count; i++) {
    const mat3 rotation = quat_to_mat3(scene->turns[i]);
    const Shape *shape = shape_at(scene, i);
    for (int k = 0; k < shape->part_count; k++)
      for (int v = 0; v < shape->parts[k].hull.vertex_count; v++)
        look(scene,
             vec3_add(center_at(scene, i), mat3_mul(rotation, shape->parts[k].hull.vertices[v])));
  }
}

static void is_in_box(const Scene *scene, vec3 p)
{
  const vec3 size = scene->packing.room.size;
  CHECK(fabs(p.x) <= 0.5 * size.x && fabs(p.y) <= 0.5 * size.y && p.z >= 0 && p.z <= size.z);
}

static void is_in_cylinder(const Scene *scene, vec3 p)
{
  const Room *room = &scene->packing.room;
  CHECK(p.x * p.x + p.y * p.y <= room->radius * room->radius && p.z >= 0 && p.z <= room->height);
}

static const Room box_room = {.kind = ROOM_BOX, .size = {1.5, 1.2, 1}};
static const Room cylinder_room = {.kind = ROOM_CYLINDER, .radius = 0.6, .height = 1.2};

static void test_convex(Scene *scene, Arena *arena)
{
  convex_shapes(scene, arena);
  for (int k = 0; k < test_rounds(4); k++) {
    const bool box = k % 2 == 0;
    fill_scene(scene, box ? box_room : cylinder_room, k < 2 ? 0.55 : 0.62, 5 + (uint64_t)k, arena);
    const PackingResult result = pack(scene);
    if (!CHECK(result.status == PACKING_OK && result.scale == 1)) continue;
    CHECK(check_apart(scene) > 3 * scene->packing.count);
    each_corner(scene, box ? is_in_box : is_in_cylinder);
  }
}

static void test_parts(Scene *scene, Arena *arena)
{
  for (int i = 0; i < SHAPES; i++) scene->shapes[i] = angle_shape(0.1 + 0.01 * i, arena);
  fill_scene(scene, cylinder_room, 0.35, 9, arena);
  CHECK(scene->packing.count > 30 && pack(scene).status == PACKING_OK);
  CHECK(check_apart(scene) > 3 * scene->packing.count);
  each_corner(scene, is_in_cylinder);
}

// -- stones that are round ------------------------------------------------------------------------

static sym3 square_at(const Scene *scene, int i)
{
  return ellipsoid_place(shape_at(scene, i)->radii, quat_to_mat3(scene->turns[i])).square;
}

// The function of Perram and Wertheim: two ellipsoids are apart where one of its values exceeds 1.
static bool are_ellipsoids_apart(const Scene *scene, int i, int j)
{
  const mat3 a = mat3_of_sym3(square_at(scene, i)), b = mat3_of_sym3(square_at(scene, j));
  const vec3 r = vec3_sub(center_at(scene, i), center_at(scene, j));
  for (int k = 1; k < 2000; k++) {
    const double t = k / 2000.0;
    const mat3 mixed = mat3_add(mat3_scale(1 - t, a), mat3_scale(t, b));
    if (t * (1 - t) * vec3_dot(r, mat3_mul(mat3_inverse(mixed), r)) > 1) return true;
  }
  return false;
}

static void test_ellipsoids(Scene *scene, Arena *arena)
{
  for (int i = 0; i < SHAPES; i++)
    scene->shapes[i] = (ShapeRecipe){
        .radii = vec3_scale(0.06 + 0.01 * i, i % 2 ? (vec3){1, 0.5, 0.8} : (vec3){0.6, 1, 0.6})};
  fill_scene(scene, cylinder_room, 0.55, 4, arena);
  CHECK(scene->packing.count > 30 && pack(scene).status == PACKING_OK);
  for (int i = 0; i < scene->packing.count; i++) {
    for (int j = 0; j < i; j++) CHECK(are_ellipsoids_apart(scene, i, j));
    // as far as an ellipsoid reaches in any direction across the axis
    const Ellipsoid e = ellipsoid_place(shape_at(scene, i)->radii, quat_to_mat3(scene->turns[i]));
    const vec3 c = center_at(scene, i);
    for (int k = 0; k < 360; k++) {
      const vec3 n = {cos(k * 0.01745), sin(k * 0.01745), 0};
      CHECK(vec3_dot(n, c) + ellipsoid_reach(&e, n) < cylinder_room.radius);
    }
    const double up = ellipsoid_reach(&e, (vec3){0, 0, 1});
    CHECK(c.z - up > 0 && c.z + up < cylinder_room.height);
  }
}

// A sphere and a convex stone.
static bool is_ball_apart(const Scene *scene, int ball, int stone)
{
  const Shape *shape = shape_at(scene, stone);
  const mat3 rotation = quat_to_mat3(scene->turns[stone]);
  vec3 points[64];
  const Polyhedron *hull = &shape->parts[0].hull;
  for (int v = 0; v < hull->vertex_count; v++)
    points[v] = vec3_add(center_at(scene, stone), mat3_mul(rotation, hull->vertices[v]));
  const vec3 c = center_at(scene, ball);
  return gjk_distance(&c, 1, points, hull->vertex_count).distance >
         shape_at(scene, ball)->sphere_radius;
}

static void test_spheres(Scene *scene, Arena *arena)
{
  convex_shapes(scene, arena);
  for (int i = 0; i < SHAPES; i += 2) scene->shapes[i] = (ShapeRecipe){.radius = 0.06 + 0.01 * i};
  fill_scene(scene, box_room, 0.55, 6, arena);
  CHECK(pack(scene).status == PACKING_OK);
  for (int i = 0; i < scene->packing.count; i++)
    for (int j = 0; j < scene->packing.count; j++) {
      const double r = shape_at(scene, i)->sphere_radius, s = shape_at(scene, j)->sphere_radius;
      if (i == j || r == 0) continue;
      if (s == 0) CHECK(is_ball_apart(scene, i, j));
      else CHECK(vec3_norm(vec3_sub(center_at(scene, i), center_at(scene, j))) > r + s);
    }
}

// All of them in one room, where each kind of pair is.
static void test_mixture(Scene *scene, Arena *arena)
{
  convex_shapes(scene, arena);
  for (int i = 0; i < SHAPES; i += 4) {
    scene->shapes[i] = (ShapeRecipe){.radius = 0.07 + 0.01 * i};
    scene->shapes[i + 1] = (ShapeRecipe){.radii = {0.05 + 0.01 * i, 0.08, 0.1}};
    scene->shapes[i + 2] = angle_shape(0.12, arena);
  }
  fill_scene(scene, cylinder_room, 0.5, 6, arena);
  CHECK(pack(scene).status == PACKING_OK);
  // corners of stones are outside of ellipsoids and spheres
  for (int i = 0; i < scene->packing.count; i++) {
    const Shape *round = shape_at(scene, i);
    if (round->part_count > 0) continue;
    const double r = round->sphere_radius;
    const vec3 radii = r > 0 ? (vec3){r, r, r} : round->radii, c = center_at(scene, i);
    const mat3 own = quat_to_mat3(scene->turns[i]);
    for (int j = 0; j < scene->packing.count; j++)
      for (int k = 0; k < shape_at(scene, j)->part_count; k++) {
        const Polyhedron *hull = &shape_at(scene, j)->parts[k].hull;
        const mat3 rotation = quat_to_mat3(scene->turns[j]);
        for (int m = 0; m < 50; m++) {   // random points of the hull
          vec3 p = {0, 0, 0};
          double sum = 0;
          for (int v = 0; v < hull->vertex_count; v++) {
            const double u = random_uniform((uint64_t)(50 * j + m), (uint64_t)v);
            const double w = m < hull->vertex_count ? v == m : u * u * u * u;
            p = vec3_axpy(w, hull->vertices[v], p);
            sum += w;
          }
          p = vec3_add(center_at(scene, j), mat3_mul(rotation, vec3_scale(1 / sum, p)));
          const vec3 q = mat3_mul_transposed(own, vec3_sub(p, c));
          const vec3 unit = {q.x / radii.x, q.y / radii.y, q.z / radii.z};
          CHECK(vec3_dot(unit, unit) > 1);
        }
      }
  }
}

// -- surfaces -------------------------------------------------------------------------------------

// A prism over an L: 0 <= x, y <= 2, 0 <= z <= 1 without x, y > 1.
static const vec3 ell_points[12] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0},
                                    {1, 2, 0}, {0, 2, 0}, {0, 0, 1}, {2, 0, 1},
                                    {2, 1, 1}, {1, 1, 1}, {1, 2, 1}, {0, 2, 1}};
static const int ell_triangles[20][3] = {
    {0, 2, 1},   {0, 3, 2},  {0, 4, 3},  {0, 5, 4},   {6, 7, 8}, {6, 8, 9}, {6, 9, 10},
    {6, 10, 11}, {0, 1, 7},  {0, 7, 6},  {1, 2, 8},   {1, 8, 7}, {2, 3, 9}, {2, 9, 8},
    {3, 4, 10},  {3, 10, 9}, {4, 5, 11}, {4, 11, 10}, {5, 0, 6}, {5, 6, 11}};
static const Room ell_room = {
    .kind = ROOM_SURFACE, .triangle_count = 20, .points = ell_points, .triangles = ell_triangles};

static bool is_in_ell(vec3 p)
{
  return p.x >= 0 && p.y >= 0 && p.x <= 2 && p.y <= 2 && p.z >= 0 && p.z <= 1 &&
         (p.x <= 1 || p.y <= 1);
}

static void test_rooms(void)
{
  CHECK_NEAR(room_volume(&ell_room), 3, 1e-15);
  CHECK_NEAR(room_volume(&cylinder_room), 3.14159265358979 * 0.36 * 1.2, 1e-14);
  CHECK_NEAR(room_volume(&box_room), 1.8, 1e-15);
  // lines upward through corners and edges meet no triangle twice
  for (int i = 1; i < 16; i++)
    for (int j = 1; j < 16; j++) {
      const vec3 p = {i / 8.0, j / 8.0, 0.5};
      if (i == 8 || j == 8) continue;   // on the surface, or on the line over it
      CHECK(room_holds(&ell_room, p) == is_in_ell(p));
    }
  CHECK(room_holds(&ell_room, (vec3){1, 0.5, 0.5}) && room_holds(&ell_room, (vec3){0.5, 1, 0.5}));
  CHECK(!room_holds(&ell_room, (vec3){0.5, 0.5, 1.5}));
  CHECK(!room_holds(&ell_room, (vec3){0.5, 0.5, -0.5}));
  for (uint64_t k = 0; k < 500; k++) CHECK(is_in_ell(room_place(&ell_room, 1, k)));
}

static void is_in_prism(const Scene *scene, vec3 p)
{
  (void)scene;
  CHECK(is_in_ell(p));
}

// The notch of the prism is a solid that no stone meets.
static void check_notch(const Scene *scene, Arena *arena)
{
  const PartRecipe part = recipe_box((vec3){2, 2, 3}, arena);
  Polyhedron notch;
  CHECK(hull_build(part.points, part.count, arena, &notch) == HULL_OK);
  ExactSpace *space = exact_space_new();
  const ExactBody solid = {&notch, mat3_diagonal(1, 1, 1), {2, 2, 0.5}};
  for (int i = 0; i < scene->packing.count; i++)
    for (int k = 0; k < shape_at(scene, i)->part_count; k++)
      CHECK(exact_intersection(space, exact_part(scene, i, k), solid).empty);
  exact_space_destroy(space);
}

// A room that a fin thinner than any stone parts from above: 0 <= x <= 2, 0 <= y, z <= 1 without
// 0.99 < x < 1.01, y > 0.2.
static const vec3 fin_points[16] = {{0, 0, 0},      {2, 0, 0},      {2, 1, 0},    {1.01, 1, 0},
                                    {1.01, 0.2, 0}, {0.99, 0.2, 0}, {0.99, 1, 0}, {0, 1, 0},
                                    {0, 0, 1},      {2, 0, 1},      {2, 1, 1},    {1.01, 1, 1},
                                    {1.01, 0.2, 1}, {0.99, 0.2, 1}, {0.99, 1, 1}, {0, 1, 1}};
static const int fin_triangles[28][3] = {
    {0, 4, 1},   {0, 5, 4},   {1, 4, 2},    {2, 4, 3},   {0, 7, 5},    {7, 6, 5},   {8, 9, 12},
    {8, 12, 13}, {9, 10, 12}, {10, 11, 12}, {8, 13, 15}, {15, 13, 14}, {0, 1, 9},   {0, 9, 8},
    {1, 2, 10},  {1, 10, 9},  {2, 3, 11},   {2, 11, 10}, {3, 4, 12},   {3, 12, 11}, {4, 5, 13},
    {4, 13, 12}, {5, 6, 14},  {5, 14, 13},  {6, 7, 15},  {6, 15, 14},  {7, 0, 8},   {7, 8, 15}};
static const Room fin_room = {
    .kind = ROOM_SURFACE, .triangle_count = 28, .points = fin_points, .triangles = fin_triangles};

static void is_beside_fin(const Scene *scene, vec3 p)
{
  (void)scene;
  CHECK(p.x >= 0 && p.x <= 2 && p.y >= 0 && p.y <= 1 && p.z >= 0 && p.z <= 1 &&
        (p.y <= 0.2 || p.x <= 0.99 || p.x >= 1.01));
}

static void test_fin(Scene *scene, Arena *arena)
{
  CHECK_NEAR(room_volume(&fin_room), 2 - 0.016, 1e-14);
  const PartRecipe part = recipe_box((vec3){0.02, 0.8, 1}, arena);
  Polyhedron fin;
  CHECK(hull_build(part.points, part.count, arena, &fin) == HULL_OK);
  ExactSpace *space = exact_space_new();
  const ExactBody solid = {&fin, mat3_diagonal(1, 1, 1), {1, 0.6, 0.5}};
  for (int k = 0; k < 2; k++) {
    convex_shapes(scene, arena);
    for (int i = 0; i < SHAPES && k == 1; i++) scene->shapes[i] = angle_shape(0.12, arena);
    fill_scene(scene, fin_room, k == 0 ? 0.5 : 0.3, 20, arena);
    if (!CHECK(pack(scene).status == PACKING_OK)) continue;
    check_apart(scene);
    each_corner(scene, is_beside_fin);
    for (int i = 0; i < scene->packing.count; i++)
      for (int m = 0; m < shape_at(scene, i)->part_count; m++)
        CHECK(exact_intersection(space, exact_part(scene, i, m), solid).empty);
  }
  exact_space_destroy(space);
}

static void test_surface(Scene *scene, Arena *arena)
{
  convex_shapes(scene, arena);
  for (int k = 0; k < 2; k++) {
    if (k == 1)
      for (int i = 0; i < SHAPES; i++) scene->shapes[i] = angle_shape(0.15, arena);
    fill_scene(scene, ell_room, k == 0 ? 0.55 : 0.3, 12, arena);
    if (!CHECK(pack(scene).status == PACKING_OK)) continue;
    check_apart(scene);
    each_corner(scene, is_in_prism);
    check_notch(scene, arena);
  }
}

// -- the rest -------------------------------------------------------------------------------------

static void test_seed(Scene *scene, Arena *arena)
{
  static vec3 places[MOST_STONES];
  convex_shapes(scene, arena);
  fill_scene(scene, box_room, 0.5, 5, arena);
  CHECK(pack(scene).status == PACKING_OK);
  memcpy(places, scene->places, sizeof places);
  CHECK(pack(scene).status == PACKING_OK);
  CHECK(memcmp(places, scene->places, (size_t)scene->packing.count * sizeof(vec3)) == 0);
  scene->packing.stream++;
  CHECK(pack(scene).status == PACKING_OK);
  for (int i = 0; i < scene->packing.count; i++)
    CHECK(vec3_norm(vec3_sub(places[i], scene->places[i])) > 0);
  scene->packing.turned = false;
  CHECK(pack(scene).status == PACKING_OK);
  check_apart(scene);
  for (int i = 0; i < scene->packing.count; i++)
    CHECK(scene->turns[i].w == 1 && scene->turns[i].x == 0);
}

static void test_refusals(Scene *scene, Arena *arena)
{
  convex_shapes(scene, arena);
  fill_scene(scene, (Room){.kind = ROOM_BOX, .size = {3, 3, 0.2}}, 0.3, 5, arena);
  PackingResult result = pack(scene);
  CHECK(result.status == PACKING_LARGE);
  CHECK(scene->shape_of[result.stone] == SHAPES - 1);
  fill_scene(scene, (Room){.kind = ROOM_BOX, .size = {0.8, 0.8, 0.8}}, 0.85, 5, arena);
  result = pack(scene);
  CHECK(result.status == PACKING_FULL && result.scale > 0.8 && result.scale < 0.98);
  // one stone in a room that it fits one way only
  scene->shapes[0] = recipe_single(recipe_box((vec3){1, 0.2, 0.1}, arena), arena);
  CHECK(shape_build(&scene->shapes[0], arena, &scene->built[0]).status == SHAPE_OK);
  scene->packing.room = (Room){.kind = ROOM_BOX, .size = {0.25, 0.15, 1.05}};
  scene->packing.count = 1;
  scene->shape_of[0] = 0;
  CHECK(pack(scene).status == PACKING_OK);
  each_corner(scene, is_in_box);
}

int main(void)
{
  Arena arena = arena_new();
  Scene *scene = arena_allocate_zero(&arena, 1, sizeof *scene);
  test_rooms();
  test_convex(scene, &arena);
  test_parts(scene, &arena);
  test_ellipsoids(scene, &arena);
  test_spheres(scene, &arena);
  test_mixture(scene, &arena);
  test_surface(scene, &arena);
  test_fin(scene, &arena);
  test_seed(scene, &arena);
  test_refusals(scene, &arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
