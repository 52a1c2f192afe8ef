// Points of patches by the faces of a mesh: areas, moments, and what is near corners and edges.
#include "patch_sampling.h"

#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "patch_plane.h"
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
  return (SamplingFaces){n * n, grid->face, NULL};
}

// Integrals of 1, x, y over the points are those over what the patch and the grid share; no two
// points are one.
static void check_sampling(const Sampling *sampling, const double moment[3])
{
  double sums[3] = {0, 0, 0};
  for (int k = 0; k < sampling->count; k++) {
    const SamplingPoint *p = &sampling->point[k];
    sums[0] += p->area, sums[1] += p->area * p->u, sums[2] += p->area * p->v;
    CHECK(p->area > 0 && p->face >= 0);
    for (int l = 0; l < k; l++)
      CHECK(hypot(p->u - sampling->point[l].u, p->v - sampling->point[l].v) > 1e-9);
  }
  for (int m = 0; m < 3; m++) CHECK_NEAR(sums[m], moment[m], 1e-13);
}

// The nodes of a grid of which the patch is the whole; equal areas where its faces are squares.
static void test_grids(Random *random, Arena *arena)
{
  PlaneCorner square[4] = {at(0, 0), at(1, 0), at(1, 1), at(0, 1)};
  const Figure patch = figure(4, square);
  const SamplingReach reach = {1e-9, 1e-2, 0};
  static Grid grid;
  for (int cells = 1; cells <= MOST; cells++) {
    const SamplingFaces faces = grid_new(&grid, cells, at(0, 0), 1, random);
    const Sampling sampling =
        patch_sampling_new(&patch, &(SamplingSides){&faces, NULL}, reach, arena);
    check_sampling(&sampling, (double[]){1, .5, .5});
    CHECK(sampling.count == (cells + 1) * (cells + 1));
    if (cells == 1)
      for (int k = 0; k < 4; k++) CHECK_NEAR(sampling.point[k].area, 0.25, 1e-15);
    arena_reset(arena);
  }
  PlaneCorner far[4] = {at(2, 0), at(3, 0), at(3, 1), at(2, 1)};
  const Figure beside = figure(4, far);
  const SamplingFaces faces = grid_new(&grid, 6, at(0, 0), 1, random);
  CHECK(patch_sampling_new(&beside, &(SamplingSides){&faces, NULL}, reach, arena).count == 0);
}

// A patch that is a part of the grid, with edges across its faces: what is near a corner or an edge
// of the patch goes into it, and these stay.
static void test_part(Random *random, Arena *arena)
{
  static Grid grid;
  int most = 0, least = 1000;
  for (int round = 0; round < 200; round++) {
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
    const SamplingFaces faces = grid_new(&grid, 5, at(-.5, -.5), 1, random);
    const double near = round % 2 ? 1e-9 : 0.05;
    const Sampling sampling = patch_sampling_new(&patch, &(SamplingSides){&faces, NULL},
                                                 (SamplingReach){1e-9, near, 0}, arena);
    check_sampling(&sampling, (double[]){area, x, y});
    int held = 0;
    for (int k = 0; k < sampling.count; k++)
      for (int c = 0; c < 5; c++)
        held += hypot(sampling.point[k].u - corner[c].u, sampling.point[k].v - corner[c].v) < 1e-12;
    CHECK(held == 5);
    if (round % 2) most = sampling.count > most ? sampling.count : most;
    else least = sampling.count < least ? sampling.count : least;
    arena_reset(arena);
  }
  printf("points of a pentagon on 5 x 5 faces: %d at most, %d at least where some are near\n", most,
         least);
  CHECK(least < most);
}

// The faces of a grid cut in two, which way at random.
typedef struct {
  PlaneCorner corner[2 * MOST * MOST][3];
  Figure face[2 * MOST * MOST];
} Triangles;

static SamplingFaces split_grid(Triangles *to, const SamplingFaces *grid, Random *random)
{
  for (int f = 0; f < grid->count; f++) {
    const PlaneCorner *c = grid->face[f].corners;
    const int from = random_below(random, 2);
    for (int half = 0; half < 2; half++) {
      PlaneCorner *corner = to->corner[2 * f + half];
      for (int k = 0; k < 3; k++) corner[k] = c[(from + 2 * half + k) % 4];
      to->face[2 * f + half] = figure(3, corner);
    }
  }
  return (SamplingFaces){2 * grid->count, to->face, NULL};
}

// A patch with edges across triangles: points on one of its sides that are less than a triangle
// apart become one, whatever that does to the pieces.
static void test_triangles(Random *random, Arena *arena)
{
  static Grid grid;
  static Triangles halves;
  int all = 0, kept = 0;
  for (int round = 0; round < 400; round++) {
    PlaneCorner corner[5];
    double area = 0, x = 0, y = 0;
    const int count = 3 + round % 3;
    for (int k = 0; k < count; k++) {
      const double angle = 2 * 3.14159265358979 * (k + random_between(random, 0, 0.4)) / count;
      corner[k] = at(.4 * cos(angle), .3 * sin(angle));
    }
    for (int k = 0; k < count; k++) {
      const PlaneCorner a = corner[k], b = corner[(k + 1) % count];
      const double twice = a.u * b.v - a.v * b.u;
      area += twice / 2, x += twice * (a.u + b.u) / 6, y += twice * (a.v + b.v) / 6;
    }
    const Figure patch = figure(count, corner);
    const SamplingFaces quads = grid_new(&grid, 2 + round % 6, at(-.5, -.5), 1, random);
    const SamplingFaces faces = split_grid(&halves, &quads, random);
    const Sampling fine = patch_sampling_new(&patch, &(SamplingSides){&faces, NULL},
                                             (SamplingReach){1e-9, 1e-3, 0}, arena);
    const Sampling some = patch_sampling_new(&patch, &(SamplingSides){&faces, NULL},
                                             (SamplingReach){1e-9, 1e-3, 1}, arena);
    check_sampling(&fine, (double[]){area, x, y});
    check_sampling(&some, (double[]){area, x, y});
    all += fine.count;
    kept += some.count;
    arena_reset(arena);
  }
  printf("points of patches across triangles: %d, less than one apart one: %d\n", all, kept);
  CHECK(kept < 0.8 * all);
}

// Lines of the grid a little inside the patch leave no strip.
static void test_strips(Random *random, Arena *arena)
{
  static Grid grid;
  const SamplingFaces faces = grid_new(&grid, 1, at(-.01, -.01), 1, random);
  PlaneCorner square[4] = {at(0, 0), at(1, 0), at(1, 1), at(0, 1)};
  const Figure patch = figure(4, square);
  const Sampling all = patch_sampling_new(&patch, &(SamplingSides){&faces, NULL},
                                          (SamplingReach){1e-9, 1e-9, 0}, arena);
  CHECK(all.count == 4);   // the faces end inside
  static Grid fine;
  const SamplingFaces four = grid_new(&fine, 4, at(-.26, -.26), 1.6, random);
  const Sampling near = patch_sampling_new(&patch, &(SamplingSides){&four, NULL},
                                           (SamplingReach){1e-9, 0.2, 0}, arena),
                 far = patch_sampling_new(&patch, &(SamplingSides){&four, NULL},
                                          (SamplingReach){1e-9, 0.01, 0}, arena);
  check_sampling(&near, (double[]){1, .5, .5});
  check_sampling(&far, (double[]){1, .5, .5});
  CHECK(near.count < far.count);
}

// The corners of a square among points on its sides and inside, all off by rounding: no corner is
// lost, and nothing else is one.
static void test_hull(Random *random, Arena *arena)
{
  enum { SIDE = 5 };
  vec3 points[SIDE * SIDE];
  for (int round = 0; round < 2000; round++) {
    for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++) {
        const vec3 off = vec3_scale(1e-16, random_in_cube(random, 2));
        points[SIDE * i + j] = vec3_add((vec3){0.25 * i - 0.5, 0.25 * j - 0.5, 0}, off);
      }
    const PatchPlane plane = patch_plane_new((vec3){0, 0, 1}, points, SIDE * SIDE);
    const Figure hull = patch_plane_hull(&plane, points, SIDE * SIDE, arena);
    CHECK(hull.count == 4);
    for (int k = 0; k < hull.count; k++)
      CHECK(fabs(fabs(hull.corners[k].u) - 0.5) + fabs(fabs(hull.corners[k].v) - 0.5) < 1e-14);
    arena_reset(arena);
  }
}

int main(void)
{
  Random random = {27};
  Arena arena = arena_new();
  test_grids(&random, &arena);
  test_part(&random, &arena);
  test_triangles(&random, &arena);
  test_strips(&random, &arena);
  test_hull(&random, &arena);
  arena_destroy(&arena);
  return test_report();
}
