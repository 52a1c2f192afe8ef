// Cutting of polygons: area is kept, triangles look the right way, nothing depends on the
// beginning, polygons that cross themselves are recognised.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_polygon.h"
#include "random_numbers.h"

#define CORNERS 80

static vec3 area_of(const vec3 *points, const int *corners, int count)
{
  vec3 sum = {0, 0, 0};
  for (int i = 1; i + 1 < count; i++) {
    const vec3 o = points[corners[0]];
    sum = vec3_axpy(
        0.5, vec3_cross(vec3_sub(points[corners[i]], o), vec3_sub(points[corners[i + 1]], o)), sum);
  }
  return sum;
}

// The triangles of a simple flat polygon have its area together, without one that looks back.
static void check_cut(const vec3 *points, const int *corners, int count, PolygonCut cut)
{
  const vec3 area = area_of(points, corners, count);
  const double size = vec3_norm(area);
  vec3 sum = {0, 0, 0};
  double smallest = INFINITY;
  for (int t = 0; t < cut.count; t++) {
    const vec3 part = area_of(points, cut.triangles[t], 3);
    sum = vec3_add(sum, part);
    const double along = vec3_dot(part, area) / size;
    if (along < smallest) smallest = along;
  }
  CHECK(cut.count == count - 2);
  CHECK(smallest > 0);
  CHECK_NEAR(vec3_norm(vec3_sub(sum, area)), 0, 1e-12 * size);
}

static bool cuts_are_same(PolygonCut a, PolygonCut b)
{
  return a.count == b.count &&
         memcmp(a.triangles, b.triangles, (size_t)a.count * sizeof(int[3])) == 0;
}

// Stars around a point on a grid, so that corners on a line are common, in a random plane.
static void check_stars(int rounds)
{
  Random random = {31};
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    vec3 points[CORNERS];
    int corners[CORNERS], turned[CORNERS], renamed[CORNERS];
    const int count = 3 + random_below(&random, round % 10 ? 10 : CORNERS - 3);
    const mat3 turn = random_rotation(&random);
    for (int i = 0; i < count; i++) {
      const double angle = 6.283185307179586 * i / count, radius = random_between(&random, 0.1, 1);
      vec3 p = {radius * cos(angle), radius * sin(angle), 0};
      if (round % 2) p = (vec3){floor(64 * p.x) / 64, floor(64 * p.y) / 64, 0};
      points[i] = round % 4 < 2 ? p : vec3_add(mat3_mul(turn, p), (vec3){10, 20, -30});
      corners[i] = renamed[i] = i;
    }
    PolygonCut cut, other;
    if (mesh_polygon_cut((MeshPolygon){count, corners, points}, 1e-9, &cut, &arena)) {
      check_cut(points, corners, count, cut);
      CHECK(cut.flat);
      // from another corner on
      const int shift = random_below(&random, count);
      for (int i = 0; i < count; i++) turned[i] = corners[(i + shift) % count];
      CHECK(mesh_polygon_cut((MeshPolygon){count, turned, points}, 1e-9, &other, &arena) &&
            cuts_are_same(cut, other));
      // the other way round: the same triangles, turned
      for (int i = 0; i < count; i++) turned[i] = corners[count - 1 - i];
      CHECK(mesh_polygon_cut((MeshPolygon){count, turned, points}, 1e-9, &other, &arena));
      CHECK(other.count == cut.count);
      for (int t = 0; t < cut.count && count > 3; t++) {
        CHECK(cut.triangles[t][0] == other.triangles[t][0]);
        CHECK(cut.triangles[t][1] == other.triangles[t][2]);
      }
    } else {
      CHECK(round % 2 == 1);   // rounding to the grid can fold a star
    }
    arena_destroy(&arena);
  }
}

static void check_known_polygons(void)
{
  Arena arena = arena_new();
  PolygonCut cut;
  // corners in the middle of all sides of a square, the fewest triangles without slivers
  const vec3 square[8] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0},
                          {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
  const int loop[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(mesh_polygon_cut((MeshPolygon){8, loop, square}, 1e-9, &cut, &arena) && cut.flat);
  check_cut(square, loop, 8, cut);

  // a triangle with corners on one side
  const int side[5] = {0, 1, 2, 4, 6};
  const int flagged[4] = {0, 1, 2, 5};
  CHECK(mesh_polygon_cut((MeshPolygon){4, flagged, square}, 1e-9, &cut, &arena));
  check_cut(square, flagged, 4, cut);
  CHECK(mesh_polygon_cut((MeshPolygon){5, side, square}, 1e-9, &cut, &arena));
  check_cut(square, side, 5, cut);

  // a square with a hole, joined by a bridge that is passed twice
  const vec3 framed[8] = {{0, 0, 1}, {4, 0, 1}, {4, 4, 1}, {0, 4, 1},
                          {1, 1, 1}, {1, 3, 1}, {3, 3, 1}, {3, 1, 1}};
  const int bridge[10] = {0, 1, 2, 3, 0, 4, 5, 6, 7, 4};
  CHECK(mesh_polygon_cut((MeshPolygon){10, bridge, framed}, 1e-9, &cut, &arena));
  check_cut(framed, bridge, 10, cut);
  CHECK_NEAR(vec3_norm(area_of(framed, bridge, 10)), 12, 1e-15);

  // repeated corners and a way there and back count as nothing
  const int loose[9] = {0, 0, 1, 2, 2, 3, 5, 3, 0};
  CHECK(mesh_polygon_cut((MeshPolygon){9, loose, framed}, 1e-9, &cut, &arena) && cut.count == 2);
  const int nothing[4] = {0, 1, 0, 1};
  CHECK(mesh_polygon_cut((MeshPolygon){4, nothing, framed}, 1e-9, &cut, &arena) && cut.count == 0);

  // corners on a line give triangles without area, as many as for any polygon
  const int line[3] = {0, 1, 2};
  CHECK(mesh_polygon_cut((MeshPolygon){3, line, square}, 1e-9, &cut, &arena) && cut.count == 1);
  const vec3 row[4] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
  CHECK(mesh_polygon_cut((MeshPolygon){4, loop, row}, 1e-9, &cut, &arena) && cut.count == 2 &&
        cut.flat);

  // not flat; the shorter diagonal is taken
  const vec3 bent[4] = {{0, 0, 0}, {1, 0, 0}, {1.5, 1.5, 0.25}, {0, 1, 0}};
  CHECK(mesh_polygon_cut((MeshPolygon){4, loop, bent}, 1e-9, &cut, &arena) && !cut.flat &&
        cut.count == 2);
  for (int t = 0; t < cut.count; t++) {
    int ends = 0;
    for (int k = 0; k < 3; k++) ends += cut.triangles[t][k] == 1 || cut.triangles[t][k] == 3;
    CHECK(ends == 2);
  }
  arena_destroy(&arena);
}

static void check_crossing_polygons(void)
{
  Arena arena = arena_new();
  PolygonCut cut;
  const vec3 p[6] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1, 0}, {3, 1, 0}};
  const int tie[4] = {0, 2, 1, 3}, star[5] = {0, 5, 3, 1, 2}, through[5] = {0, 1, 2, 4, 5};
  CHECK(!mesh_polygon_cut((MeshPolygon){4, tie, p}, 1e-9, &cut, &arena));
  CHECK(!mesh_polygon_cut((MeshPolygon){5, star, p}, 1e-9, &cut, &arena));
  CHECK(!mesh_polygon_cut((MeshPolygon){5, through, p}, 1e-9, &cut, &arena));
  arena_destroy(&arena);
}

int main(void)
{
  check_stars(4000);
  check_known_polygons();
  check_crossing_polygons();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
