// Convex hulls: containment, merged faces, exact boxes, statuses, order and determinism.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "polyhedron.h"
#include "random_solids.h"

static bool hull_contains_all(const Polyhedron *hull, const vec3 *points, int count,
                              double tolerance)
{
  for (int i = 0; i < count; i++) {
    for (int f = 0; f < hull->face_count; f++) {
      const Plane plane = hull->planes[f];
      if (vec3_dot(plane.normal, points[i]) - plane.offset > tolerance * hull->extent) return false;
    }
  }
  return true;
}

// The vertices are a subsequence of the points.
static bool vertices_keep_order(const Polyhedron *hull, const vec3 *points, int count)
{
  int v = 0;
  for (int i = 0; i < count && v < hull->vertex_count; i++) {
    v += memcmp(&points[i], &hull->vertices[v], sizeof(vec3)) == 0;
  }
  return v == hull->vertex_count;
}

static bool hulls_are_same(const Polyhedron *a, const Polyhedron *b)
{
  if (a->vertex_count != b->vertex_count || a->face_count != b->face_count) return false;
  if (a->edge_count != b->edge_count) return false;
  const size_t corners = 2 * (size_t)a->edge_count * sizeof(int);
  return memcmp(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof(vec3)) == 0 &&
         memcmp(a->planes, b->planes, (size_t)a->face_count * sizeof(Plane)) == 0 &&
         memcmp(a->face_start, b->face_start, (size_t)(a->face_count + 1) * sizeof(int)) == 0 &&
         memcmp(a->face_vertices, b->face_vertices, corners) == 0 &&
         memcmp(a->edges, b->edges, (size_t)a->edge_count * sizeof(Edge)) == 0;
}

// Points of one of several kinds of cloud; returns how many.
static int make_cloud(Random *random, int kind, vec3 *points, int room)
{
  const int count = 8 + random_below(random, room - 8);
  const mat3 turn = random_rotation(random);
  for (int i = 0; i < count; i++) {
    vec3 p = random_in_cube(random, 1);
    if (kind == 1) p = random_direction(random);
    if (kind == 2) p = (vec3){floor(3 * p.x), floor(3 * p.y), floor(3 * p.z)};
    if (kind == 3) p = mat3_mul(turn, (vec3){floor(2 * p.x), floor(2 * p.y), floor(2 * p.z)});
    if (kind == 4) p.z *= 1e-7;
    if (kind == 5)
      p = vec3_add(mat3_mul(turn, (vec3){floor(2 * p.x), p.y, p.z}), (vec3){1e3, -5e3, 7});
    if (kind == 6)
      p = vec3_axpy(1e-12, random_direction(random),
                    vec3_scale(0.5, (vec3){floor(2 * p.x), floor(2 * p.y), floor(2 * p.z)}));
    if (kind == 7) p = (vec3){p.x * 1e-6, p.y * 1e-6, p.z};
    points[i] = p;
  }
  return count;
}

static void check_random_clouds(int rounds, int room)
{
  Random random = {17};
  vec3 *points = memory_allocate((size_t)room * sizeof(vec3));
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    const int count = make_cloud(&random, round % 8, points, room);
    Polyhedron hull, again;
    const HullStatus status = hull_build(points, count, &arena, &hull);
    if (status == HULL_OK) {
      CHECK(polyhedron_is_valid(&hull, 5e-9));
      CHECK(hull_contains_all(&hull, points, count, 5e-9));
      CHECK(vertices_keep_order(&hull, points, count));
      CHECK(hull_build(points, count, &arena, &again) == HULL_OK && hulls_are_same(&hull, &again));
    } else {
      // few points on a coarse grid can lie in one plane
      CHECK(round % 8 == 2 || round % 8 == 3 || round % 8 == 5 || round % 8 == 6);
      CHECK(hull.vertex_count == 0);
    }
    arena_destroy(&arena);
  }
  memory_free(points);
}

// On a sphere every point is a vertex and faces are triangles; inner points change nothing.
static void check_sphere(int count)
{
  Random random = {5};
  Arena arena = arena_new();
  vec3 *points = arena_allocate(&arena, 2 * (size_t)count * sizeof(vec3));
  for (int i = 0; i < count; i++) {
    points[2 * i] = random_direction(&random);
    points[2 * i + 1] = vec3_scale(0.4, random_direction(&random));
  }
  Polyhedron hull;
  if (CHECK(hull_build(points, 2 * count, &arena, &hull) == HULL_OK)) {
    CHECK(hull.vertex_count == count);
    CHECK(hull.face_count == 2 * count - 4);
    CHECK(hull.edge_count == 3 * count - 6);
    CHECK(polyhedron_is_valid(&hull, 1e-12));
  }
  arena_destroy(&arena);
}

// Points on faces, edges and inside of a box vanish; its planes are exact.
static void check_exact_box(vec3 low, vec3 high)
{
  Arena arena = arena_new();
  vec3 points[125];
  for (int i = 0; i < 125; i++) {
    const int x = i % 5, y = i / 5 % 5, z = i / 25;
    points[i] = (vec3){x == 4 ? high.x : low.x + x * (high.x - low.x) / 4,
                       y == 4 ? high.y : low.y + y * (high.y - low.y) / 4,
                       z == 4 ? high.z : low.z + z * (high.z - low.z) / 4};
  }
  Polyhedron box;
  if (CHECK(hull_build(points, 125, &arena, &box) == HULL_OK)) {
    CHECK(box.vertex_count == 8 && box.face_count == 6 && box.edge_count == 12);
    CHECK(polyhedron_is_valid(&box, 0));
    for (int f = 0; f < box.face_count; f++) {
      const Plane p = box.planes[f];
      CHECK(fabs(p.normal.x) + fabs(p.normal.y) + fabs(p.normal.z) == 1);
      CHECK(!signbit(p.normal.x) || p.normal.x == -1);
      double side = NAN;
      if (p.normal.x != 0) side = p.normal.x > 0 ? high.x : -low.x;
      if (p.normal.y != 0) side = p.normal.y > 0 ? high.y : -low.y;
      if (p.normal.z != 0) side = p.normal.z > 0 ? high.z : -low.z;
      CHECK(p.offset == side);
    }
  }
  arena_destroy(&arena);
}

// The same points turned: those on faces and edges are vertices of the exact hull, by rounding.
static void check_turned_box(int rounds)
{
  Random random = {29};
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    vec3 points[125];
    const mat3 turn = random_rotation(&random);
    const vec3 shift = random_in_cube(&random, round % 3 * 10);
    for (int i = 0; i < 125; i++) {
      const vec3 point = {0.7 * (i % 5), 0.3 * (i / 5 % 5), 0.5 * (i / 25)};
      points[i] = vec3_add(mat3_mul(turn, point), shift);
    }
    Polyhedron box;
    CHECK(hull_build(points, 125, &arena, &box) == HULL_OK);
    CHECK(box.vertex_count == 8 && box.face_count == 6 && box.edge_count == 12);
    CHECK(polyhedron_is_valid(&box, 1e-12));
    CHECK_NEAR(polyhedron_moments(&box).volume, 2.8 * 1.2 * 2, 1e-12);
    arena_destroy(&arena);
  }
}

// Regular solids, turned and moved: rounding must not split their faces.
static void check_merged_faces(void)
{
  static const double golden = 1.618033988749895;
  Random random = {23};
  for (int round = 0; round < 300; round++) {
    Arena arena = arena_new();
    vec3 points[20];
    int count = 0;
    for (int i = 0; i < 8; i++)
      points[count++] = (vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
    for (int i = 0; i < 4; i++) {
      const double u = (i & 1 ? 1 : -1) / golden, v = (i & 2 ? 1 : -1) * golden;
      points[count++] = (vec3){0, u, v};
      points[count++] = (vec3){u, v, 0};
      points[count++] = (vec3){v, 0, u};
    }
    const mat3 turn = random_rotation(&random);
    const vec3 shift = random_in_cube(&random, round % 3 * 1e3);
    for (int i = 0; i < count; i++) points[i] = vec3_add(mat3_mul(turn, points[i]), shift);
    Polyhedron dodecahedron;
    CHECK(hull_build(points, count, &arena, &dodecahedron) == HULL_OK);
    CHECK(dodecahedron.vertex_count == 20);
    CHECK(dodecahedron.face_count == 12 && dodecahedron.edge_count == 30);
    CHECK(polyhedron_is_valid(&dodecahedron, 1e-9));
    arena_destroy(&arena);
  }
}

static void check_statuses(void)
{
  Arena arena = arena_new();
  Polyhedron hull;
  vec3 points[40];
  Random random = {2};
  for (int i = 0; i < 40; i++) points[i] = random_in_cube(&random, 1);
  points[7].y = NAN;
  CHECK(hull_build(points, 40, &arena, &hull) == HULL_NOT_FINITE);
  points[7].y = INFINITY;
  CHECK(hull_build(points, 40, &arena, &hull) == HULL_NOT_FINITE);
  CHECK(hull_build(points, 3, &arena, &hull) == HULL_TOO_FEW_POINTS);
  CHECK(hull_build(points, 0, &arena, &hull) == HULL_TOO_FEW_POINTS);
  for (int i = 0; i < 40; i++) points[i] = points[i % 3];
  CHECK(hull_build(points, 40, &arena, &hull) == HULL_TOO_FEW_POINTS);
  for (int i = 0; i < 40; i++) points[i] = points[0];
  CHECK(hull_build(points, 40, &arena, &hull) == HULL_TOO_FEW_POINTS);
  for (int i = 0; i < 40; i++) points[i] = (vec3){i, 2 * i, 0.1 * i};
  CHECK(hull_build(points, 40, &arena, &hull) == HULL_FLAT);

  // a turned plane, exact but for rounding, and one a little thicker than flat
  const mat3 turn = random_rotation(&random);
  for (int thick = 0; thick < 2; thick++) {
    for (int i = 0; i < 40; i++) {
      const double height = (i % 2) * (thick ? 1e-7 : 1e-11);
      points[i] = mat3_mul(
          turn, (vec3){random_between(&random, -1, 1), random_between(&random, -1, 1), height});
    }
    CHECK(hull_build(points, 40, &arena, &hull) == (thick ? HULL_OK : HULL_FLAT));
    CHECK(thick ? polyhedron_is_valid(&hull, 4e-9) : hull.face_count == 0);
  }
  for (int s = HULL_OK; s <= HULL_FLAT; s++) CHECK(strlen(hull_status_text((HullStatus)s)) > 4);
  arena_destroy(&arena);
}

// A broken polyhedron is recognised.
static void check_validity_test(void)
{
  Arena arena = arena_new();
  const Polyhedron box = solid_box((vec3){0, 0, 0}, (vec3){1, 2, 3}, &arena);
  CHECK(polyhedron_is_valid(&box, 0));
  Plane planes[6];
  vec3 vertices[8];
  Edge edges[12];
  int loops[24];
  Polyhedron broken = box;
  memcpy(planes, box.planes, sizeof planes);
  broken.planes = planes;
  planes[2].offset -= 0.1;
  CHECK(!polyhedron_is_valid(&broken, 1e-6));
  broken = box;
  memcpy(vertices, box.vertices, sizeof vertices);
  broken.vertices = vertices;
  vertices[3] = vec3_scale(0.5, vertices[3]);
  CHECK(!polyhedron_is_valid(&broken, 1e-6));
  broken = box;
  memcpy(edges, box.edges, sizeof edges);
  broken.edges = edges;
  edges[5] = edges[4];
  CHECK(!polyhedron_is_valid(&broken, 1e-6));
  broken = box;
  memcpy(loops, box.face_vertices, sizeof loops);
  broken.face_vertices = loops;
  loops[1] = box.face_vertices[2];
  loops[2] = box.face_vertices[1];
  CHECK(!polyhedron_is_valid(&broken, 1e-6));
  arena_destroy(&arena);
}

// Prisms with many corners on their upright edges, all within rounding of a few planes: a climb to
// the lowest corner must not end where it began.
static void check_studded_prisms(int rounds)
{
  enum { SIDES = 24, STUDS = 14 };
  Random random = {77};
  Arena arena = arena_new();
  for (int round = 0; round < rounds; round++) {
    const mat3 turn = random_rotation(&random);
    vec3 points[SIDES * STUDS];
    double area = 0;
    const int sides = 3 + random_below(&random, SIDES - 2);
    const int studs = SIDES * STUDS / sides;
    for (int i = 0; i < sides; i++) {
      const double angle = 6.283185307179586 * i / sides;
      for (int k = 0; k < studs; k++) {
        const double height = k < 2 ? k : random_between(&random, 0, 1);
        points[i * studs + k] = mat3_mul(turn, (vec3){cos(angle), sin(angle), height});
      }
      area += 0.5 * sin(6.283185307179586 / sides);
    }
    Polyhedron hull;
    if (!CHECK(hull_build(points, sides * studs, &arena, &hull) == HULL_OK)) continue;
    CHECK(hull.face_count == sides + 2 && hull.vertex_count == 2 * sides);
    double volume = 0;
    for (int f = 0; f < hull.face_count; f++) {
      const int *loop = hull.face_vertices + hull.face_start[f];
      for (int k = 1; k + 1 < hull.face_start[f + 1] - hull.face_start[f]; k++) {
        volume += vec3_dot(hull.vertices[loop[0]],
                           vec3_cross(hull.vertices[loop[k]], hull.vertices[loop[k + 1]])) /
                  6;
      }
    }
    CHECK_NEAR(volume, area, 1e-12);
    arena_reset(&arena);
  }
  arena_destroy(&arena);
}

int main(void)
{
  check_studded_prisms(200);
  check_exact_box((vec3){0, 0, 0}, (vec3){1, 1, 1});
  check_exact_box((vec3){-0.3, 0.1, 7.7}, (vec3){0.7, 0.2, 9.3});
  check_exact_box((vec3){1e6 + 0.1, -3e4, 1e-9}, (vec3){1e6 + 1.3, -3e4 + 0.7, 3});
  check_exact_box((vec3){-1e-9, -2e-9, 0}, (vec3){1e-9, 2e-9, 1e-8});
  check_turned_box(300);
  check_merged_faces();
  check_sphere(60);
  check_sphere(100);
  check_sphere(3000);
  check_random_clouds(4000, 60);
  check_random_clouds(40, 1000);
  check_statuses();
  check_validity_test();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
