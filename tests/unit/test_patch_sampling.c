// Points of patches between meshes: areas, moments, faces; without a mesh the patch's own corners.
#include "patch_sampling.h"

#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "random_numbers.h"

enum { MOST = 8 };

static PlaneCorner at(double u, double v) { return (PlaneCorner){.u = u, .v = v}; }

static Figure figure(int count, PlaneCorner *corners)
{
  return (Figure){.count = count, .corners = corners};
}

// A grid of n x n faces over a square, its inner corners moved at random; counterclockwise.
typedef struct {
  PlaneCorner node[MOST + 1][MOST + 1], corner[MOST * MOST][4];
  Figure face[MOST * MOST];
} Grid;

static SamplingFaces grid_new(Grid *grid, int n, PlaneCorner low, double side, Random *random)
{
  for (int i = 0; i <= n; i++) {
    for (int j = 0; j <= n; j++) {
      const double by = 0.2 * side / n;
      grid->node[i][j] = at(low.u + side * i / n, low.v + side * j / n);
      if (i > 0 && i < n) grid->node[i][j].u += random_between(random, -by, by);
      if (j > 0 && j < n) grid->node[i][j].v += random_between(random, -by, by);
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      PlaneCorner *c = grid->corner[n * i + j];
      c[0] = grid->node[i][j];
      c[1] = grid->node[i + 1][j];
      c[2] = grid->node[i + 1][j + 1];
      c[3] = grid->node[i][j + 1];
      grid->face[n * i + j] = figure(4, c);
    }
  }
  return (SamplingFaces){n * n, grid->face};
}

static bool inside(const Figure *face, PlaneCorner p, double room)
{
  bool in = true;
  for (int k = 0; k < face->count; k++) {
    const PlaneCorner a = face->corners[k], b = face->corners[(k + 1) % face->count];
    in = in && (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u) >= -room;
  }
  return in;
}

// Integrals of 1, x, y over the pieces are those over what the patch and both grids share; every
// point lies on the faces it names, and no two are one.
static void check_sampling(const Sampling *sampling, const SamplingFaces sides[2],
                           const double moment[3])
{
  double sums[3] = {0, 0, 0};
  for (int k = 0; k < sampling->count; k++) {
    const SamplingPoint *p = &sampling->point[k];
    sums[0] += p->area, sums[1] += p->area * p->u, sums[2] += p->area * p->v;
    CHECK(p->area > 0);
    for (int s = 0; s < 2; s++) {
      if (sides[s].count == 0) CHECK(p->face[s] == -1);
      else CHECK(p->face[s] >= 0 && inside(&sides[s].face[p->face[s]], at(p->u, p->v), 1e-12));
    }
    for (int l = 0; l < k; l++)
      CHECK(hypot(p->u - sampling->point[l].u, p->v - sampling->point[l].v) > 1e-9);
  }
  for (int m = 0; m < 3; m++) CHECK_NEAR(sums[m], moment[m], 1e-13);
}

static void test_grids(Random *random, Arena *arena)
{
  PlaneCorner square[4] = {at(0, 0), at(1, 0), at(1, 1), at(0, 1)};
  const Figure patch = figure(4, square);
  const double whole[3] = {1, .5, .5};
  static const int cells[4][2] = {{4, 3}, {5, 2}, {1, 1}, {8, 8}};
  static Grid low, high;
  for (int k = 0; k < 4; k++) {
    SamplingFaces sides[2] = {grid_new(&low, cells[k][0], at(0, 0), 1, random),
                              grid_new(&high, cells[k][1], at(0, 0), 1, random)};
    const Sampling both = patch_sampling_new(&patch, sides, 1e-9, arena);
    check_sampling(&both, sides, whole);
    if (cells[k][0] == 1) CHECK(both.count == 4);
    printf("%d x %d faces on %d x %d: %d points\n", cells[k][0], cells[k][0], cells[k][1],
           cells[k][1], both.count);
    sides[1].count = 0;   // a rigid body on a mesh: the nodes of the mesh
    const Sampling one = patch_sampling_new(&patch, sides, 1e-9, arena);
    check_sampling(&one, sides, whole);
    CHECK(one.count == (cells[k][0] + 1) * (cells[k][0] + 1));
    sides[0].count = 0;
    const Sampling none = patch_sampling_new(&patch, sides, 1e-9, arena);
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
    PlaneCorner corner[5];
    double area = 0, x = 0, y = 0;
    for (int k = 0; k < 5; k++) {
      const double angle = 2 * 3.14159265358979 * (k + random_between(random, 0, 0.4)) / 5;
      corner[k] = at(.4 * cos(angle), .3 * sin(angle));
    }
    for (int k = 0; k < 5; k++) {
      const PlaneCorner a = corner[k], b = corner[(k + 1) % 5];
      const double twice = a.u * b.v - a.v * b.u;
      area += twice / 2, x += twice * (a.u + b.u) / 6, y += twice * (a.v + b.v) / 6;
    }
    const Figure patch = figure(5, corner);
    const SamplingFaces sides[2] = {grid_new(&low, 5, at(-.5, -.5), 1, random),
                                    grid_new(&high, 4, at(-.6, -.45), 1.1, random)};
    const Sampling sampling = patch_sampling_new(&patch, sides, 1e-9, arena);
    check_sampling(&sampling, sides, (double[]){area, x, y});
    CHECK(sampling.count > 30);
    arena_reset(arena);
  }
}

// Equal faces give their own corners, and what lies beside the patch gives nothing.
static void test_same(Random *random, Arena *arena)
{
  static Grid grid;
  PlaneCorner square[4] = {at(0, 0), at(1, 0), at(1, 1), at(0, 1)};
  PlaneCorner far[4] = {at(2, 0), at(3, 0), at(3, 1), at(2, 1)};
  const Figure patches[2] = {figure(4, square), figure(4, far)};
  const SamplingFaces faces = grid_new(&grid, 6, at(0, 0), 1, random);
  const SamplingFaces sides[2] = {faces, faces};
  const Sampling same = patch_sampling_new(&patches[0], sides, 1e-9, arena);
  CHECK_NEAR(same.count, 49, 0);
  const Sampling beside = patch_sampling_new(&patches[1], sides, 1e-9, arena);
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
