#include "shape.h"

#include <string.h>

#include "harness.h"
#include "memory.h"
#include "posed_scene.h"

static double facet_area(const Facet *facet)
{
  return vec3_norm(polyhedron_area_vector(facet->corners, facet->corner_count));
}

static double surface_area(const Shape *shape)
{
  double area = 0;
  for (int p = 0; p < shape->part_count; p++) {
    for (int i = 0; i < shape->parts[p].facet_count; i++) {
      area += facet_area(&shape->parts[p].facets[i]);
    }
  }
  return area;
}

// Sum of facet area vectors: a closed surface gives zero.
static vec3 surface_vector(const Shape *shape)
{
  vec3 sum = {0, 0, 0};
  for (int p = 0; p < shape->part_count; p++) {
    for (int i = 0; i < shape->parts[p].facet_count; i++) {
      const Facet *facet = &shape->parts[p].facets[i];
      sum = vec3_add(sum, polyhedron_area_vector(facet->corners, facet->corner_count));
    }
  }
  return sum;
}

// Facets lie in their faces, are sorted, counted, and run round with the face.
static void check_facets(const Shape *shape)
{
  int points = 0, cells = 0;
  for (int p = 0; p < shape->part_count; p++) {
    const Part *part = &shape->parts[p];
    CHECK(part->facet_start[0] == 0 &&
          part->facet_start[part->hull.face_count] == part->facet_count);
    for (int f = 0; f < part->hull.face_count; f++) {
      for (int i = part->facet_start[f]; i < part->facet_start[f + 1]; i++) {
        const Facet *facet = &part->facets[i];
        const Plane plane = part->hull.planes[f];
        CHECK(facet->face == f);
        CHECK(vec3_dot(polyhedron_area_vector(facet->corners, facet->corner_count), plane.normal) >
              0);
        for (int k = 0; k < facet->corner_count; k++) {
          CHECK_NEAR(vec3_dot(plane.normal, facet->corners[k]), plane.offset, 1e-9 * shape->extent);
        }
        points += facet->corner_count;
        cells++;
      }
      for (int k = part->hull.face_start[f]; k < part->hull.face_start[f + 1]; k++) {
        const int next = k + 1 < part->hull.face_start[f + 1] ? k + 1 : part->hull.face_start[f];
        const Edge edge = part->hull.edges[part->loop_edge[k]];
        const int from = part->hull.face_vertices[k], to = part->hull.face_vertices[next];
        CHECK((edge.vertex[0] == from && edge.vertex[1] == to && edge.face[0] == f) ||
              (edge.vertex[1] == from && edge.vertex[0] == to && edge.face[1] == f));
      }
    }
  }
  CHECK(points == shape->output_points && cells == shape->output_cells);
}

static void test_box(Arena *arena)
{
  const Solid solid = solid_box(vec3_new(1, 2, 3), vec3_new(2, 4, 6));
  Shape shape;
  if (!CHECK(solid_build(&solid, arena, &shape).status == SHAPE_OK)) return;
  CHECK_NEAR(shape.volume, 6, 1e-14);
  CHECK_NEAR(shape.center.x, 1.5, 1e-15);
  CHECK_NEAR(shape.center.y, 3, 1e-15);
  CHECK_NEAR(shape.center.z, 4.5, 1e-15);
  CHECK_NEAR(shape.inertia.row[0].x, 6.0 / 12 * (4 + 9), 1e-13);
  CHECK_NEAR(shape.inertia.row[1].y, 6.0 / 12 * (1 + 9), 1e-13);
  CHECK_NEAR(shape.inertia.row[2].z, 6.0 / 12 * (1 + 4), 1e-13);
  CHECK_NEAR(shape.inertia.row[0].y, 0, 1e-14);
  CHECK_NEAR(shape.radius, 0.5 * sqrt(14), 1e-14);
  CHECK_NEAR(shape.extent, 3, 1e-15);
  CHECK_NEAR(shape.inradius, 0.5, 1e-15);
  CHECK(shape.output_cells == 6 && shape.output_points == 24);
  check_facets(&shape);
  // one part: every facet is its face, corner for corner, bit for bit
  const Part *part = &shape.parts[0];
  for (int i = 0; i < part->facet_count; i++) {
    const Facet *facet = &part->facets[i];
    const int first = part->hull.face_start[facet->face];
    CHECK(facet->whole);
    for (int k = 0; k < facet->corner_count; k++) {
      const vec3 *vertex = &part->hull.vertices[part->hull.face_vertices[first + k]];
      CHECK(memcmp(vertex, &facet->corners[k], sizeof *vertex) == 0);
    }
  }
}

// Two boxes that share a whole face are one box.
static void test_shared_face(Arena *arena)
{
  Solid solid = {0};
  solid_add_box(&solid, vec3_new(0, 0, 0), vec3_new(1, 1, 1));
  solid_add_box(&solid, vec3_new(1, 0, 0), vec3_new(3, 1, 1));
  Shape shape;
  if (!CHECK(solid_build(&solid, arena, &shape).status == SHAPE_OK)) return;
  check_facets(&shape);
  CHECK(shape.output_cells == 10);
  CHECK_NEAR(shape.volume, 3, 1e-14);
  CHECK_NEAR(shape.center.x, 1.5, 1e-15);
  CHECK_NEAR(shape.inertia.row[0].x, 3.0 / 12 * 2, 1e-13);
  CHECK_NEAR(shape.inertia.row[1].y, 3.0 / 12 * 10, 1e-13);
  CHECK_NEAR(surface_area(&shape), 14, 1e-13);
  CHECK_NEAR(shape.inradius, 0.5, 1e-14);
}

// A post on a plate: the plate's top is covered in its middle.
static void test_covered_in_part(Arena *arena)
{
  Solid solid = {0};
  solid_add_box(&solid, vec3_new(-2, -2, -1), vec3_new(2, 2, 0));
  solid_add_box(&solid, vec3_new(-0.5, -0.5, 0), vec3_new(0.5, 0.5, 3));
  Shape shape;
  if (!CHECK(solid_build(&solid, arena, &shape).status == SHAPE_OK)) return;
  check_facets(&shape);
  CHECK_NEAR(surface_area(&shape), 2 * 16 + 4 * 4 + 4 * 3, 1e-12);
  int pieces = 0;
  double top = 0;
  for (int i = 0; i < shape.parts[0].facet_count; i++) {
    const Facet *facet = &shape.parts[0].facets[i];
    if (shape.parts[0].hull.planes[facet->face].normal.z < 0.5) continue;
    CHECK(!facet->whole);
    pieces++;
    top += facet_area(facet);
  }
  CHECK(pieces == 4);
  CHECK_NEAR(top, 15, 1e-13);
}

// Faces in one plane that do not meet stay whole.
static void test_coplanar_apart(Arena *arena)
{
  Solid solid = {0};
  solid_add_box(&solid, vec3_new(0, 0, 0), vec3_new(1, 1, 1));
  solid_add_box(&solid, vec3_new(1, 1, 0), vec3_new(2, 2, 1));   // shares an edge
  Shape shape;
  if (!CHECK(solid_build(&solid, arena, &shape).status == SHAPE_OK)) return;
  CHECK(shape.output_cells == 12);
  for (int p = 0; p < 2; p++) {
    for (int i = 0; i < shape.parts[p].facet_count; i++) CHECK(shape.parts[p].facets[i].whole);
  }
}

// A cube cut by three planes, one after another, each through all pieces or through some: whatever
// the faces inside, the surface is the cube's, and so are the moments; also turned and far from the
// origin.
static void test_cut_cube(Arena *arena)
{
  Random random = {7};
  for (int trial = 0; trial < 20; trial++) {
    const double x = random_between(&random, 0.2, 0.8), y0 = random_between(&random, 0.2, 0.8);
    const double y1 = random_between(&random, 0.2, 0.8), z = random_between(&random, 0.2, 0.8);
    Solid solid = {0};
    solid_add_box(&solid, vec3_new(0, 0, 0), vec3_new(x, y0, 1));
    solid_add_box(&solid, vec3_new(0, y0, 0), vec3_new(x, 1, z));
    solid_add_box(&solid, vec3_new(0, y0, z), vec3_new(x, 1, 1));
    solid_add_box(&solid, vec3_new(x, 0, 0), vec3_new(1, y1, 1));
    solid_add_box(&solid, vec3_new(x, y1, 0), vec3_new(1, 1, 1));
    const mat3 turn = trial % 2 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    const double far = trial % 2 ? 10 : 0;
    for (int p = 0; p < solid.part_count; p++) {
      for (int i = 0; i < 8; i++) {
        const vec3 moved = vec3_add(solid.corners[p][i], vec3_new(far, -far, far));
        solid.corners[p][i] = mat3_mul(turn, moved);
      }
    }
    Shape shape;
    if (!CHECK(solid_build(&solid, arena, &shape).status == SHAPE_OK)) continue;
    check_facets(&shape);
    const vec3 center = mat3_mul(turn, vec3_new(far + 0.5, 0.5 - far, far + 0.5));
    CHECK_NEAR(surface_area(&shape), 6, 1e-11);
    CHECK_NEAR(vec3_norm(surface_vector(&shape)), 0, 1e-11);
    CHECK_NEAR(shape.volume, 1, 1e-11);
    CHECK_NEAR(vec3_norm(vec3_sub(shape.center, center)), 0, 1e-11);
    CHECK_NEAR(shape.inertia.row[0].x, 1.0 / 6, 1e-11);
    CHECK_NEAR(shape.inertia.row[1].x, 0, 1e-11);
    CHECK_NEAR(shape.radius, sqrt(0.75), 1e-11);
    CHECK_NEAR(shape.inradius, 0.5, 1e-11);
  }
}

// Six tetrahedra about the diagonal of a cube: full-face sharing of triangles.
static void test_tetrahedra(Arena *arena)
{
  const int axis[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  Solid solid = {0};
  for (int t = 0; t < 6; t++) {
    vec3 corners[4] = {{0, 0, 0}};
    double at[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
      at[axis[t][k]] = 1;
      corners[k + 1] = vec3_new(at[0], at[1], at[2]);
    }
    solid_add_part(&solid, corners, 4);
  }
  Shape shape;
  if (!CHECK(solid_build(&solid, arena, &shape).status == SHAPE_OK)) return;
  check_facets(&shape);
  CHECK(shape.output_cells == 12);
  CHECK_NEAR(surface_area(&shape), 6, 1e-13);
  CHECK_NEAR(shape.volume, 1, 1e-14);
}

// Both ways to facets on one body: from the triangles of its recipe, and by comparing parts.
static void check_both_ways(const ShapeRecipe *known, bool same_facets, Arena *arena)
{
  ShapeRecipe plain = *known;
  Shape one, two;
  plain.surface_known = false;
  if (!CHECK(shape_build(known, arena, &one).status == SHAPE_OK) ||
      !CHECK(shape_build(&plain, arena, &two).status == SHAPE_OK))
    return;
  check_facets(&one);
  const double area = surface_area(&two);
  CHECK_NEAR(surface_area(&one), area, 1e-10 * area);
  CHECK_NEAR(vec3_norm(surface_vector(&one)), 0, 1e-10 * area);
  CHECK(one.volume == two.volume && one.radius == two.radius && one.extent == two.extent);
  CHECK(memcmp(&one.center, &two.center, sizeof one.center) == 0);
  CHECK(memcmp(&one.inertia, &two.inertia, sizeof one.inertia) == 0);
  CHECK_NEAR(one.inradius, two.inradius, 1e-10 * one.extent);
  if (same_facets) CHECK(one.output_cells == two.output_cells);
  for (int p = 0; p < one.part_count; p++) {
    const Part *a = &one.parts[p], *b = &two.parts[p];
    CHECK(a->hull.vertex_count == b->hull.vertex_count);
    for (int f = 0; f < a->hull.face_count; f++) {
      double covered_a = 0, covered_b = 0;
      for (int i = a->facet_start[f]; i < a->facet_start[f + 1]; i++) {
        covered_a += facet_area(&a->facets[i]);
      }
      for (int i = b->facet_start[f]; i < b->facet_start[f + 1]; i++) {
        covered_b += facet_area(&b->facets[i]);
      }
      CHECK_NEAR(covered_a, covered_b, 1e-10 * area);
      const bool whole_a = covered_a > 0 && a->facets[a->facet_start[f]].whole;
      const bool whole_b = covered_b > 0 && b->facets[b->facet_start[f]].whole;
      CHECK(whole_a == whole_b);
    }
  }
}

// A part from its corners and triangles as lists of corners.
static PartRecipe known_part(const vec3 *points, int count, int (*triangles)[3], int triangle_count)
{
  return (PartRecipe){.count = count,
                      .points = (vec3 *)(uintptr_t)points,
                      .triangle_count = triangle_count,
                      .triangles = triangles};
}

// Six tetrahedra of a cube, each with its two faces on the cube's surface.
static void test_known_tetrahedra(Arena *arena)
{
  const int axis[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const bool even[6] = {true, false, false, true, true, false};
  vec3 points[6][4] = {0};
  int triangles[6][2][3];
  PartRecipe parts[6];
  for (int t = 0; t < 6; t++) {
    double at[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
      at[axis[t][k]] = 1;
      points[t][k + 1] = vec3_new(at[0], at[1], at[2]);
    }
    // the faces without the first and without the last corner lie on the cube
    const int outer[2][3] = {{1, 2, 3}, {0, 2, 1}}, turned[2][3] = {{1, 3, 2}, {0, 1, 2}};
    memcpy(triangles[t], even[t] ? outer : turned, sizeof triangles[t]);
    parts[t] = known_part(points[t], 4, triangles[t], 2);
  }
  check_both_ways(&(ShapeRecipe){.part_count = 6, .parts = parts, .surface_known = true}, true,
                  arena);
}

// A post on a plate whose top is a ring of eight triangles around the post, and a strip of two
// beside: the ring becomes few convex polygons.
static void test_known_in_part(Arena *arena)
{
  // plate: corners 0 to 7, foot of the post 8 to 11; post: foot 0 to 3, top 4 to 7
  vec3 plate[12], post[8];
  for (int i = 0; i < 4; i++) {
    const double x = i == 1 || i == 2 ? 2 : -2, y = i >= 2 ? 2 : -2;
    plate[i] = vec3_new(x, y, -1);
    plate[4 + i] = vec3_new(x, y, 0);
    plate[8 + i] = post[i] = vec3_new(x / 4, y / 4, 0);
    post[4 + i] = vec3_new(x / 4, y / 4, 3);
  }
  int plate_triangles[18][3], post_triangles[10][3], count = 0, post_count = 0;
  for (int i = 0; i < 4; i++) {
    const int j = (i + 1) % 4;
    const int sides[4][3] = {
        {i, j, 4 + j}, {i, 4 + j, 4 + i}, {4 + i, 4 + j, 8 + j}, {4 + i, 8 + j, 8 + i}};
    memcpy(plate_triangles[count], sides, sizeof sides);
    memcpy(post_triangles[post_count], sides, 2 * sizeof sides[0]);
    count += 4;
    post_count += 2;
  }
  const int bottom[2][3] = {{0, 2, 1}, {0, 3, 2}}, top[2][3] = {{4, 5, 6}, {4, 6, 7}};
  memcpy(plate_triangles[count], bottom, sizeof bottom);
  memcpy(post_triangles[post_count], top, sizeof top);
  PartRecipe parts[2] = {known_part(plate, 12, plate_triangles, 18),
                         known_part(post, 8, post_triangles, 10)};
  const ShapeRecipe recipe = {.part_count = 2, .parts = parts, .surface_known = true};
  check_both_ways(&recipe, true, arena);

  // turned and moved: planes and lines hold to rounding alone
  Random random = {23};
  for (int trial = 0; trial < 10; trial++) {
    const mat3 turn = random_rotation(&random);
    for (int i = 0; i < 12; i++) plate[i] = vec3_add(mat3_mul(turn, plate[i]), vec3_new(9, 5, -4));
    for (int i = 0; i < 8; i++) post[i] = vec3_add(mat3_mul(turn, post[i]), vec3_new(9, 5, -4));
    check_both_ways(&recipe, true, arena);
  }
}

// A face of many triangles, with points in it and on its sides: one whole facet when all are
// there, the rest in convex polygons when some lack.
static void test_known_grid(Arena *arena)
{
  enum { SIDE = 8, TOP = (SIDE + 1) * (SIDE + 1) };
  vec3 points[TOP + 4];
  for (int y = 0; y <= SIDE; y++) {
    for (int x = 0; x <= SIDE; x++) points[x + (SIDE + 1) * y] = vec3_new(x, y, 4);
  }
  for (int i = 0; i < 4; i++) {
    points[TOP + i] = vec3_new(i == 1 || i == 2 ? SIDE : 0, i >= 2 ? SIDE : 0, 0);
  }
  int triangles[2 * SIDE * SIDE + 2][3], count = 0;
  for (int y = 0; y < SIDE; y++) {
    for (int x = 0; x < SIDE; x++) {
      const int p = x + (SIDE + 1) * y, q = p + SIDE + 1;
      const int two[2][3] = {{p, p + 1, q + 1}, {p, q + 1, q}};
      memcpy(triangles[count], two, sizeof two);
      count += 2;
    }
  }
  PartRecipe part = known_part(points, TOP + 4, triangles, count);
  const ShapeRecipe recipe = {.part_count = 1, .parts = &part, .surface_known = true};
  Shape shape;
  if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) return;
  check_facets(&shape);
  CHECK(shape.output_cells == 1 && shape.parts[0].facets[0].whole);
  CHECK(shape.output_points == 4);
  CHECK_NEAR(surface_area(&shape), SIDE * SIDE, 1e-12);

  // without the last row and the last column of squares: one polygon, without corners on its sides
  int kept = 0;
  for (int t = 0; t < count; t++) {
    if (t / 2 % SIDE == SIDE - 1 || t / 2 / SIDE == SIDE - 1) continue;
    memmove(triangles[kept++], triangles[t], sizeof triangles[t]);
  }
  part.triangle_count = kept;
  if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) return;
  check_facets(&shape);
  CHECK(shape.output_cells == 1 && !shape.parts[0].facets[0].whole && shape.output_points == 4);
  CHECK_NEAR(surface_area(&shape), (SIDE - 1) * (SIDE - 1), 1e-12);

  // without a square in the middle: convex pieces around it, never across it
  memmove(triangles[24 * 2], triangles[25 * 2], (size_t)(kept - 50) * sizeof triangles[0]);
  part.triangle_count = kept - 2;
  if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) return;
  check_facets(&shape);
  CHECK_NEAR(surface_area(&shape), (SIDE - 1) * (SIDE - 1) - 1, 1e-12);
  CHECK(shape.output_cells >= 4 && shape.output_cells <= 8);

  // none at all: an internal part
  part.triangle_count = 0;
  if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) return;
  CHECK(shape.output_cells == 0);
}

// A cube whose top is a ridge too shallow for triangles to miss the other one's face, but not for
// the hull to be one face there: each triangle belongs to its own.
static void test_known_ridge(Arena *arena)
{
  // 8 and 9 lie in the middles of the top's triangles 4 5 7 and 4 7 6
  vec3 points[10];
  for (int i = 0; i < 8; i++) points[i] = vec3_new(i & 1, i >> 1 & 1, i >> 2 & 1);
  points[4].z = points[7].z = 1 + 1.4e-9;
  points[8] = vec3_new(2.0 / 3, 1.0 / 3, 1 + 2.8e-9 / 3);
  points[9] = vec3_new(1.0 / 3, 2.0 / 3, 1 + 2.8e-9 / 3);
  int triangles[16][3] = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                          {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {4, 5, 8}, {5, 7, 8},
                          {7, 4, 8}, {4, 7, 9}, {7, 6, 9}, {6, 4, 9}};
  for (int turn = 0; turn < 3; turn++) {
    PartRecipe part = known_part(points, 10, triangles, 16);
    Shape shape;
    const ShapeRecipe recipe = {.part_count = 1, .parts = &part, .surface_known = true};
    if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) return;
    CHECK(shape.parts[0].hull.face_count == 7 && shape.output_cells == 7);
    CHECK_NEAR(surface_area(&shape), 6, 1e-8);
    CHECK_NEAR(vec3_norm(surface_vector(&shape)), 0, 1e-8);
    for (int i = 0; i < 10; i++) points[i] = vec3_new(points[i].y, points[i].z, points[i].x);
  }
}

// A small stone in the coordinates of a map has the facets and the inertia that it has near zero.
static void test_far(Arena *arena)
{
  const vec3 origin = {431234, 5612345, 300};
  Random random = {41};
  for (int trial = 0; trial < 20; trial++) {
    vec3 far[16], near[16];
    for (int i = 0; i < 16; i++) {
      far[i] = vec3_axpy(0.01, random_direction(&random), origin);
      near[i] = vec3_sub(far[i], origin);
    }
    PartRecipe parts[2] = {{.count = 16, .points = far}, {.count = 16, .points = near}};
    const ShapeRecipe recipes[2] = {{.part_count = 1, .parts = &parts[0]},
                                    {.part_count = 1, .parts = &parts[1]}};
    Shape a, b;
    if (!CHECK(shape_build(&recipes[0], arena, &a).status == SHAPE_OK) ||
        !CHECK(shape_build(&recipes[1], arena, &b).status == SHAPE_OK))
      continue;
    check_facets(&a);
    CHECK(polyhedron_is_valid(&a.parts[0].hull, 1e-12));
    CHECK(a.output_cells == b.output_cells && a.parts[0].hull.face_count == a.output_cells);
    CHECK_NEAR(a.volume, b.volume, 1e-13 * b.volume);
    CHECK_NEAR(a.inradius, b.inradius, 1e-12 * b.inradius);
    CHECK_NEAR(surface_area(&a), surface_area(&b), 1e-13 * surface_area(&b));
    CHECK_NEAR(vec3_norm(vec3_sub(vec3_sub(a.center, origin), b.center)), 0, 1e-9);
    for (int k = 0; k < 3; k++) {
      const vec3 difference = vec3_sub(a.inertia.row[k], b.inertia.row[k]);
      CHECK_NEAR(vec3_norm(difference), 0, 1e-12 * b.volume * 1e-4);
    }
  }
}

static void test_refused(Arena *arena)
{
  Solid solid = {0};
  solid_add_box(&solid, vec3_new(0, 0, 0), vec3_new(1, 1, 1));
  solid_add_box(&solid, vec3_new(2, 0, 0), vec3_new(3, 1, 1));
  solid_add_box(&solid, vec3_new(2.99, 0, 0), vec3_new(4, 1, 1));
  Shape shape;
  char text[100];
  ShapeResult result = solid_build(&solid, arena, &shape);
  CHECK(result.status == SHAPE_OVERLAP && result.part == 1 && result.other == 2);
  shape_result_text(result, text, sizeof text);
  CHECK(strcmp(text, "parts 2 and 3 overlap") == 0);

  // less than rounding is no overlap
  solid = (Solid){0};
  solid_add_box(&solid, vec3_new(0, 0, 0), vec3_new(1, 1, 1));
  solid_add_box(&solid, vec3_new(1 - 1e-12, 0, 0), vec3_new(2, 1, 1));
  CHECK(solid_build(&solid, arena, &shape).status == SHAPE_OK);
  CHECK(shape.output_cells == 10);

  solid = (Solid){0};
  solid_add_box(&solid, vec3_new(0, 0, 0), vec3_new(1, 1, 1));
  solid_add_box(&solid, vec3_new(2, 0, 0), vec3_new(3, 1, 0));
  result = solid_build(&solid, arena, &shape);
  CHECK(result.status == SHAPE_HULL && result.hull == HULL_FLAT && result.part == 1);
  shape_result_text(result, text, sizeof text);
  CHECK(strncmp(text, "part 2: ", 8) == 0 && strlen(text) > 8);
}

// Closed forms beside the sums over a fine hull.
static void test_ellipsoid(Arena *arena)
{
  enum { POINTS = 4000 };
  const vec3 radii = {0.5, 0.3, 0.2};
  static vec3 points[POINTS];
  for (int i = 0; i < POINTS; i++) {
    const double z = 1 - (2 * i + 1.0) / POINTS, s = sqrt(1 - z * z), turn = 2.39996322973 * i;
    points[i] = (vec3){radii.x * s * cos(turn), radii.y * s * sin(turn), radii.z * z};
  }
  PartRecipe part = {.count = POINTS, .points = points};
  Shape shape, hull;
  CHECK(shape_build(&(ShapeRecipe){.radii = radii}, arena, &shape).status == SHAPE_OK);
  CHECK(shape_build(&(ShapeRecipe){.part_count = 1, .parts = &part}, arena, &hull).status ==
        SHAPE_OK);
  CHECK(shape.radii.x == 0.5 && shape.sphere_radius == 0 && shape.part_count == 0 &&
        shape.output_cells == 0);
  CHECK(shape.radius == 0.5 && shape.extent == 1 && shape.inradius == 0.2);
  CHECK_NEAR(hull.volume / shape.volume, 1, 5e-3);
  for (int k = 0; k < 3; k++) {
    const double moment = (&shape.inertia.row[k].x)[k];
    CHECK_NEAR((&hull.inertia.row[k].x)[k] / moment, 1, 1e-2);
    const double sum = vec3_dot(radii, radii) - (&radii.x)[k] * (&radii.x)[k];
    CHECK_NEAR(moment, 0.2 * shape.volume * sum, 1e-16);
  }
  CHECK_NEAR(shape.volume, 4.0 / 3 * 3.14159265358979312 * 0.03, 1e-16);
}

static void test_sphere(Arena *arena)
{
  Shape shape;
  CHECK(shape_build(&(ShapeRecipe){.radius = 0.5}, arena, &shape).status == SHAPE_OK);
  CHECK(shape.sphere_radius == 0.5 && shape.part_count == 0 && shape.output_cells == 0);
  CHECK(shape.radius == 0.5 && shape.extent == 1 && shape.inradius == 0.5);
  CHECK(shape.center.x == 0 && shape.center.y == 0 && shape.center.z == 0);
  const double pi = 3.14159265358979323846;
  CHECK_NEAR(shape.volume, pi / 6, 1e-15);
  for (int k = 0; k < 3; k++) {
    const vec3 unit = {k == 0, k == 1, k == 2};
    const vec3 moment = mat3_mul(shape.inertia, unit);
    CHECK_NEAR(vec3_norm(vec3_sub(moment, vec3_scale(pi / 60, unit))), 0, 1e-16);
  }
}

static void test_shape_set(void)
{
  const int64_t before = memory_live_bytes();
  vec3 cube[8], box[8];
  for (int i = 0; i < 8; i++) {
    cube[i] = vec3_new(i & 1, (i >> 1) & 1, (i >> 2) & 1);
    box[i] = vec3_new(2 * cube[i].x, cube[i].y, cube[i].z);
  }
  PartRecipe parts[2] = {{.count = 8, .points = cube}, {.count = 8, .points = box}};
  const ShapeRecipe recipes[2] = {{.part_count = 1, .parts = &parts[0]},
                                  {.part_count = 1, .parts = &parts[1]}};
  ShapeSet set = shape_set_new(recipes, 2);
  CHECK(set.built[0] == NULL && set.built[1] == NULL);
  const Shape *second = shape_set_get(&set, 1);
  CHECK_NEAR(second->volume, 2, 1e-15);
  CHECK(set.built[0] == NULL);
  CHECK_NEAR(shape_set_get(&set, 0)->volume, 1, 1e-15);
  CHECK(shape_set_get(&set, 1) == second);
  shape_set_destroy(&set);
  CHECK(memory_live_bytes() == before);
}

int main(void)
{
  Arena arena = arena_new();
  test_box(&arena);
  test_shared_face(&arena);
  test_covered_in_part(&arena);
  test_coplanar_apart(&arena);
  test_cut_cube(&arena);
  test_tetrahedra(&arena);
  test_known_tetrahedra(&arena);
  test_known_in_part(&arena);
  test_known_grid(&arena);
  test_known_ridge(&arena);
  test_far(&arena);
  test_refused(&arena);
  test_sphere(&arena);
  test_ellipsoid(&arena);
  test_shape_set();
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
