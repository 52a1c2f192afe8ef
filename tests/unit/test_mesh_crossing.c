// Pairs of triangles on small integer grids against an independent decision by separating axes, and
// whether a surface lies inside another one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_crossing.h"
#include "random_numbers.h"

typedef struct {
  int64_t x, y, z;
} Point;

static Point minus(Point a, Point b) { return (Point){a.x - b.x, a.y - b.y, a.z - b.z}; }

static Point cross(Point a, Point b)
{
  return (Point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static bool axis_separates(Point axis, const Point *p, int p_count, const Point *q, int q_count)
{
  int64_t p_low = INT64_MAX, p_high = INT64_MIN, q_low = INT64_MAX, q_high = INT64_MIN;
  for (int i = 0; i < p_count; i++) {
    const int64_t d = dot(axis, p[i]);
    p_low = d < p_low ? d : p_low, p_high = d > p_high ? d : p_high;
  }
  for (int i = 0; i < q_count; i++) {
    const int64_t d = dot(axis, q[i]);
    q_low = d < q_low ? d : q_low, q_high = d > q_high ? d : q_high;
  }
  return p_high < q_low || q_high < p_low;
}

// Closed flat convex polygons: disjoint when a normal, a cross product of edges, or a normal in the
// plane separates them.
static bool polygons_meet(const Point *p, int p_count, const Point *q, int q_count)
{
  const Point n = cross(minus(p[1], p[0]), minus(p[2], p[0]));
  const Point m = cross(minus(q[1], q[0]), minus(q[2], q[0]));
  if (axis_separates(n, p, p_count, q, q_count) || axis_separates(m, p, p_count, q, q_count))
    return false;
  for (int i = 0; i < p_count; i++) {
    const Point e = minus(p[(i + 1) % p_count], p[i]);
    if (axis_separates(cross(n, e), p, p_count, q, q_count)) return false;
    for (int k = 0; k < q_count; k++) {
      const Point f = minus(q[(k + 1) % q_count], q[k]);
      if (axis_separates(cross(m, f), p, p_count, q, q_count)) return false;
      if (axis_separates(cross(e, f), p, p_count, q, q_count)) return false;
    }
  }
  return true;
}

// Two triangles of one surface, p[0] == q[0] when they share a corner: what they share beyond it
// begins away from it, so a tip of one may be cut off.
static bool reference_crosses(const Point *p, const Point *q, bool share)
{
  if (!share) return polygons_meet(p, 3, q, 3);
  const int64_t cut = 4096;   // the shortest way to another common point on this grid is far longer
  Point wide[3], rest[4];
  for (int i = 0; i < 3; i++) wide[i] = (Point){cut * p[i].x, cut * p[i].y, cut * p[i].z};
  const Point b = minus(q[1], q[0]), c = minus(q[2], q[0]);
  const Point tip = {cut * q[0].x, cut * q[0].y, cut * q[0].z};
  rest[0] = (Point){tip.x + b.x, tip.y + b.y, tip.z + b.z};
  rest[1] = (Point){tip.x + cut * b.x, tip.y + cut * b.y, tip.z + cut * b.z};
  rest[2] = (Point){tip.x + cut * c.x, tip.y + cut * c.y, tip.z + cut * c.z};
  rest[3] = (Point){tip.x + c.x, tip.y + c.y, tip.z + c.z};
  return polygons_meet(wide, 3, rest, 4);
}

static Point random_point(Random *random, int size)
{
  return (Point){random_below(random, size), random_below(random, size),
                 random_below(random, size)};
}

static bool has_area(const Point *p)
{
  const Point n = cross(minus(p[1], p[0]), minus(p[2], p[0]));
  return n.x != 0 || n.y != 0 || n.z != 0;
}

static bool are_equal(Point a, Point b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void check_pairs(int rounds, bool share)
{
  Random random = {41};
  int crossing = 0, apart = 0;
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    Point p[3], q[3];
    const int size = 2 + random_below(&random, 4);
    for (int i = 0; i < 3; i++)
      p[i] = random_point(&random, size), q[i] = random_point(&random, size);
    if (share) q[0] = p[0];
    bool fit = has_area(p) && has_area(q);
    for (int i = 0; i < 9; i++) {
      if (are_equal(p[i / 3], q[i % 3]) && !(share && i == 0)) fit = false;
    }
    if (fit) {
      vec3 points[6];
      int triangles[2][3] = {{0, 1, 2}, {3, 4, 5}}, place[6] = {0, 1, 2, share ? 0 : 3, 4, 5};
      int mates[6] = {EDGE_OPEN, EDGE_OPEN, EDGE_OPEN, EDGE_OPEN, EDGE_OPEN, EDGE_OPEN};
      for (int i = 0; i < 6; i++) {
        const Point c = i < 3 ? p[i] : q[i - 3];
        points[i] = (vec3){0.25 * (double)c.x, 0.25 * (double)c.y, 0.25 * (double)c.z};
      }
      const Surface surface = {2, triangles, mates};
      const GridPoint *grid = mesh_exact_grid(points, 6, &arena);
      const Solid solid = {&surface, points, grid, place};
      const bool expected = reference_crosses(p, q, share);
      const Crossings found = mesh_crossing_within(&solid, &arena);
      CHECK(found.count == (expected ? 1 : 0));
      CHECK(!expected || (found.first[0] == 0 && found.first[1] == 1));
      crossing += expected;
      apart += !expected;
    }
    arena_destroy(&arena);
  }
  CHECK(crossing > rounds / 50 && apart > rounds / 50);
}

// Two triangles on one edge are folded onto each other in one plane alone.
static void check_folds(int rounds)
{
  Random random = {7};
  int folded = 0;
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    Point p[4];
    for (int i = 0; i < 4; i++) p[i] = random_point(&random, 3);
    const Point second[3] = {p[1], p[0], p[3]};
    if (has_area(p) && has_area(second) && !are_equal(p[2], p[3])) {
      vec3 points[4];
      int triangles[2][3] = {{0, 1, 2}, {1, 0, 3}}, place[4] = {0, 1, 2, 3};
      int mates[6] = {3, EDGE_OPEN, EDGE_OPEN, 0, EDGE_OPEN, EDGE_OPEN};
      for (int i = 0; i < 4; i++)
        points[i] = (vec3){(double)p[i].x, (double)p[i].y, (double)p[i].z};
      const Surface surface = {2, triangles, mates};
      const Solid solid = {&surface, points, mesh_exact_grid(points, 4, &arena), place};
      // same normals up to a positive factor, looked at from the same edge
      const Point n = cross(minus(p[1], p[0]), minus(p[2], p[0]));
      const Point m = cross(minus(p[1], p[0]), minus(p[3], p[0]));
      const Point both = cross(n, m);
      const bool expected = both.x == 0 && both.y == 0 && both.z == 0 && dot(n, m) > 0;
      CHECK(mesh_crossing_within(&solid, &arena).count == (expected ? 1 : 0));
      folded += expected;
    }
    arena_destroy(&arena);
  }
  CHECK(folded > 10);
}

// -- boxes in boxes -------------------------------------------------------------------------------

typedef struct {
  vec3 points[8];
  int triangles[12][3];
  Surface surface;
} Cuboid;

static void make_cuboid(Cuboid *c, vec3 low, vec3 high, Arena *arena)
{
  static const int sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                  {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (int i = 0; i < 8; i++) {
    c->points[i] = (vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
  }
  for (int i = 0; i < 12; i++) {
    const int *s = sides[i / 2];
    c->triangles[i][0] = s[0];
    c->triangles[i][1] = i % 2 ? s[2] : s[1];
    c->triangles[i][2] = i % 2 ? s[3] : s[2];
  }
  int piece[12];
  c->surface = (Surface){12, c->triangles, NULL};
  CHECK(mesh_surface_join(&c->surface, piece, arena) == 1);
}

static double coordinate(Random *random) { return random_below(random, 5); }

// Boxes with corners on a coarse grid: whether their open insides meet is known.
static void check_cuboids(int rounds)
{
  Random random = {19};
  int apart = 0, inside = 0, crossing = 0;
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    vec3 p[2], q[2];
    for (int i = 0; i < 3; i++) {
      double *a = &(&p[0].x)[i], *b = &(&p[1].x)[i], *c = &(&q[0].x)[i], *d = &(&q[1].x)[i];
      *a = coordinate(&random), *c = coordinate(&random);
      *b = *a + 1 + random_below(&random, 4), *d = *c + 1 + random_below(&random, 4);
      if (round % 4 == 0) *a = 0, *b = 4, *c = 1 + random_below(&random, 2), *d = 3;
    }
    Cuboid a, b;
    make_cuboid(&a, p[0], p[1], &arena);
    make_cuboid(&b, q[0], q[1], &arena);
    vec3 all[16];
    memcpy(all, a.points, sizeof a.points);
    memcpy(all + 8, b.points, sizeof b.points);
    const GridPoint *grid = mesh_exact_grid(all, 16, &arena);
    const Solid first = {&a.surface, a.points, grid, NULL};
    const Solid second = {&b.surface, b.points, grid + 8, NULL};
    const bool meet = p[0].x < q[1].x && q[0].x < p[1].x && p[0].y < q[1].y && q[0].y < p[1].y &&
                      p[0].z < q[1].z && q[0].z < p[1].z;
    const bool within = q[0].x > p[0].x && q[0].y > p[0].y && q[0].z > p[0].z && q[1].x < p[1].x &&
                        q[1].y < p[1].y && q[1].z < p[1].z;
    const bool crosses = mesh_crossing_between(&first, &second, &arena).count > 0;
    CHECK(crosses == (mesh_crossing_between(&second, &first, &arena).count > 0));
    if (!meet) CHECK(!crosses && !mesh_crossing_is_inside(&second, &first));
    if (within) CHECK(!crosses && mesh_crossing_is_inside(&second, &first));
    if (within) CHECK(!mesh_crossing_is_inside(&first, &second));
    if (meet && !crosses) {
      CHECK(mesh_crossing_is_inside(&second, &first) || mesh_crossing_is_inside(&first, &second));
    }
    apart += !meet, inside += within, crossing += crosses;
    arena_destroy(&arena);
  }
  if (!CHECK(apart > 100 && inside > 10 && crossing > 100))
    printf("%d apart, %d inside, %d crossing\n", apart, inside, crossing);
}

int main(void)
{
  check_pairs(60000, false);
  check_pairs(60000, true);
  check_folds(20000);
  check_cuboids(4000);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
