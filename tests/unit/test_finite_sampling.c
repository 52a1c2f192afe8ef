// Points of patches between meshes: areas, moments, faces; without a mesh the patch's own corners.
#include "finite_sampling.h"

#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "random_numbers.h"

enum { MOST = 8 };

// A grid of n x n faces over a square, its inner corners moved at random; counterclockwise.
typedef struct {
  PlaneSpot node[MOST + 1][MOST + 1], corner[MOST * MOST][4];
  PlanePolygon face[MOST * MOST];
} Grid;

static PlaneFaces grid_new(Grid *grid, int n, PlaneSpot low, double side, Random *random)
{
  for (int i = 0; i <= n; i++) {
    for (int j = 0; j <= n; j++) {
      const double by = 0.2 * side / n;
      grid->node[i][j] = (PlaneSpot){low.x + side * i / n, low.y + side * j / n};
      if (i > 0 && i < n) grid->node[i][j].x += random_between(random, -by, by);
      if (j > 0 && j < n) grid->node[i][j].y += random_between(random, -by, by);
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      PlaneSpot *c = grid->corner[n * i + j];
      c[0] = grid->node[i][j];
      c[1] = grid->node[i + 1][j];
      c[2] = grid->node[i + 1][j + 1];
      c[3] = grid->node[i][j + 1];
      grid->face[n * i + j] = (PlanePolygon){4, c};
    }
  }
  return (PlaneFaces){n * n, grid->face};
}

static bool inside(const PlanePolygon *face, PlaneSpot p, double room)
{
  bool in = true;
  for (int k = 0; k < face->count; k++) {
    const PlaneSpot a = face->corner[k], b = face->corner[(k + 1) % face->count];
    in = in && (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) >= -room;
  }
  return in;
}

// Integrals of 1, x, y over the pieces are those over what the patch and both grids share; every
// point lies on the faces it names, and no two are one.
static void check_sampling(const Sampling *sampling, const PlaneFaces sides[2],
                           const double moment[3])
{
  double sums[3] = {0, 0, 0};
  for (int k = 0; k < sampling->count; k++) {
    const SamplingPoint *p = &sampling->point[k];
    sums[0] += p->area, sums[1] += p->area * p->at.x, sums[2] += p->area * p->at.y;
    CHECK(p->area > 0);
    for (int s = 0; s < 2; s++) {
      if (sides[s].count == 0) CHECK(p->face[s] == -1);
      else CHECK(p->face[s] >= 0 && inside(&sides[s].face[p->face[s]], p->at, 1e-12));
    }
    for (int l = 0; l < k; l++)
      CHECK(hypot(p->at.x - sampling->point[l].at.x, p->at.y - sampling->point[l].at.y) > 1e-9);
  }
  for (int m = 0; m < 3; m++) CHECK_NEAR(sums[m], moment[m], 1e-13);
}

static void test_grids(Random *random, Arena *arena)
{
  const PlaneSpot square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const PlanePolygon patch = {4, square};
  const double whole[3] = {1, .5, .5};
  static const int cells[4][2] = {{4, 3}, {5, 2}, {1, 1}, {8, 8}};
  static Grid low, high;
  for (int k = 0; k < 4; k++) {
    PlaneFaces sides[2] = {grid_new(&low, cells[k][0], (PlaneSpot){0, 0}, 1, random),
                           grid_new(&high, cells[k][1], (PlaneSpot){0, 0}, 1, random)};
    const Sampling both = finite_sampling_new(&patch, sides, 1e-9, arena);
    check_sampling(&both, sides, whole);
    if (cells[k][0] == 1) CHECK(both.count == 4);
    printf("%d x %d faces on %d x %d: %d points\n", cells[k][0], cells[k][0], cells[k][1],
           cells[k][1], both.count);
    sides[1].count = 0;   // a rigid body on a mesh: the nodes of the mesh
    const Sampling one = finite_sampling_new(&patch, sides, 1e-9, arena);
    check_sampling(&one, sides, whole);
    CHECK(one.count == (cells[k][0] + 1) * (cells[k][0] + 1));
    sides[0].count = 0;
    const Sampling none = finite_sampling_new(&patch, sides, 1e-9, arena);
    check_sampling(&none, sides, whole);
    CHECK(none.count == 4);
    arena_reset(arena);
  }
}

// A patch that is a part of both sides, with edges across their faces.
static void test_part(Random *random, Arena *arena)
{
  static Grid low, high;
  for (int round = 0; round < 50; round++) {
    PlaneSpot corner[5];
    double area = 0, x = 0, y = 0;
    for (int k = 0; k < 5; k++) {
      const double angle = 2 * 3.14159265358979 * (k + random_between(random, 0, 0.4)) / 5;
      corner[k] = (PlaneSpot){.4 * cos(angle), .3 * sin(angle)};
    }
    for (int k = 0; k < 5; k++) {
      const PlaneSpot a = corner[k], b = corner[(k + 1) % 5];
      const double twice = a.x * b.y - a.y * b.x;
      area += twice / 2, x += twice * (a.x + b.x) / 6, y += twice * (a.y + b.y) / 6;
    }
    const PlanePolygon patch = {5, corner};
    const PlaneFaces sides[2] = {grid_new(&low, 5, (PlaneSpot){-.5, -.5}, 1, random),
                                 grid_new(&high, 4, (PlaneSpot){-.6, -.45}, 1.1, random)};
    const Sampling sampling = finite_sampling_new(&patch, sides, 1e-9, arena);
    check_sampling(&sampling, sides, (double[]){area, x, y});
    CHECK(sampling.count > 30);
    arena_reset(arena);
  }
}

// Equal faces give their own corners, and what lies beside the patch gives nothing.
static void test_same(Random *random, Arena *arena)
{
  static Grid grid;
  const PlaneSpot square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
                  far[4] = {{2, 0}, {3, 0}, {3, 1}, {2, 1}};
  const PlaneFaces faces = grid_new(&grid, 6, (PlaneSpot){0, 0}, 1, random);
  const PlaneFaces sides[2] = {faces, faces};
  const Sampling same = finite_sampling_new(&(PlanePolygon){4, square}, sides, 1e-9, arena);
  CHECK_NEAR(same.count, 49, 0);
  const Sampling beside = finite_sampling_new(&(PlanePolygon){4, far}, sides, 1e-9, arena);
  CHECK(beside.count == 0);
}

int main(void)
{
  Random random = {27};
  Arena arena = arena_new();
  test_grids(&random, &arena);
  test_part(&random, &arena);
  test_same(&random, &arena);
  arena_destroy(&arena);
  return test_report();
}
