// Nodes that carry the points of a patch between two meshes: a uniform pressure loads the nodes of
// both as its integrals over their faces do, whether faces match or not; shares add up to one and
// have their middle at the point.
#include "patch_shares.h"

#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

#define NOT_CHECKED (-1.0)

typedef enum { HEXAHEDRA, TETRAHEDRA, RIGID } Kind;

// A block on the patch z = 0, above or below it.
typedef struct {
  Kind kind;
  int cells[3];
  double low[2], high[2];   // along x and y
  bool above, irregular;
  unsigned cuts;   // sides through a larger body (finite_shape_cut_sides)
} Block;

static FiniteShape *shape_of(const Block *block)
{
  if (block->kind == RIGID) return NULL;
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] =
        (vec3){c & 1 ? block->high[0] : block->low[0], c & 2 ? block->high[1] : block->low[1],
               (c & 4 ? 1 : 0) - (block->above ? 0 : 1)};
  FiniteMesh mesh = finite_mesh_hexahedra(corner, block->cells);
  if (block->kind == HEXAHEDRA) {
    FiniteShape *shape = finite_shape_new(mesh);
    if (block->cuts) finite_shape_cut_sides(shape, block->cells, block->cuts);
    return shape;
  }
  FiniteMesh parted = finite_mesh_tetrahedra(&mesh);
  finite_mesh_destroy(&mesh);
  Random random = {11};
  for (int n = 0; n < parted.nodes; n++)
    for (int a = 0; a < 2; a++) {
      double *at = a ? &parted.place[n].y : &parted.place[n].x;
      const double by = 0.25 * (block->high[a] - block->low[a]) / block->cells[a];
      const bool inner = *at > block->low[a] + 1e-9 && *at < block->high[a] - 1e-9;
      if (block->irregular && inner) *at += random_between(&random, -by, by);
    }
  return finite_shape_new(parted);
}

// The part of a polygon on one side of a line along an axis; returns its corners.
static int cut_polygon(vec3 *corners, int count, int axis, double limit, double sign)
{
  vec3 kept[8];
  int made = 0;
  for (int k = 0; k < count; k++) {
    const vec3 p = corners[k], q = corners[(k + 1) % count];
    const double at_p = sign * (vec3_component(p, axis) - limit),
                 at_q = sign * (vec3_component(q, axis) - limit);
    if (at_p >= 0) kept[made++] = p;
    if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0))
      kept[made++] = vec3_axpy(at_p / (at_p - at_q), vec3_sub(q, p), p);
  }
  for (int k = 0; k < made; k++) corners[k] = kept[k];
  return made;
}

// The same of a triangle, whose shares are linear.
static void integrate_triangle(const FiniteShape *shape, int face, const double low[2],
                               const double high[2], double *loads)
{
  const int *corner = &shape->surface.corner[3 * (size_t)face];
  vec3 polygon[8];
  int count = 3;
  for (int k = 0; k < 3; k++) polygon[k] = shape->mesh.place[corner[k]];
  for (int a = 0; a < 2; a++) {
    count = cut_polygon(polygon, count, a, low[a], 1);
    count = cut_polygon(polygon, count, a, high[a], -1);
  }
  for (int k = 2; k < count; k++) {
    const vec3 p = polygon[0], q = polygon[k - 1], r = polygon[k];
    const double area = vec3_norm(vec3_cross(vec3_sub(q, p), vec3_sub(r, p))) / 2;
    double weights[FINITE_FACE];
    finite_surface_weights(&shape->mesh, &shape->surface, face,
                           vec3_scale(1.0 / 3, vec3_add(p, vec3_add(q, r))), weights);
    for (int c = 0; c < 3; c++) loads[corner[c]] += area * weights[c];
  }
}

// Integrals of the shape functions over the part of the surface z = 0 between limits, exactly:
// bilinear on rectangles by Gauss's points, linear on triangles, which lie between the limits.
static void integrate(const FiniteShape *shape, const double low[2], const double high[2],
                      double *loads)
{
  const FiniteSurface *surface = &shape->surface;
  const double gauss[2] = {-1 / sqrt(3.0), 1 / sqrt(3.0)};
  for (int f = 0; f < surface->faces; f++) {
    const int *corner = &surface->corner[(size_t)f * (size_t)surface->corners];
    bool on = true;
    double from[2] = {INFINITY, INFINITY}, to[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < surface->corners; k++) {
      const vec3 p = shape->mesh.place[corner[k]];
      on = on && fabs(p.z) < 1e-12;
      from[0] = fmin(from[0], p.x), from[1] = fmin(from[1], p.y);
      to[0] = fmax(to[0], p.x), to[1] = fmax(to[1], p.y);
    }
    if (!on) continue;
    if (surface->corners == 3) {
      integrate_triangle(shape, f, low, high, loads);
      continue;
    }
    for (int a = 0; a < 2; a++) from[a] = fmax(from[a], low[a]), to[a] = fmin(to[a], high[a]);
    if (!(from[0] < to[0] && from[1] < to[1])) continue;
    const double du = to[0] - from[0], dv = to[1] - from[1];
    for (int g = 0; g < 4; g++) {
      const vec3 at = {from[0] + du * (0.5 + 0.5 * gauss[g % 2]),
                       from[1] + dv * (0.5 + 0.5 * gauss[g / 2]), 0};
      double weights[FINITE_FACE];
      finite_surface_weights(&shape->mesh, surface, f, at, weights);
      for (int k = 0; k < surface->corners; k++) loads[corner[k]] += du * dv / 4 * weights[k];
    }
  }
}

// The largest error of loads at nodes by a pressure of one, relative to the largest load; or
// NOT_CHECKED.
static double check_pair(const char *name, const Block blocks[2], double within, Arena *arena)
{
  Arena work = arena_new();
  FiniteShape *shapes[2] = {shape_of(&blocks[0]), shape_of(&blocks[1])};
  double low[2], high[2];
  for (int a = 0; a < 2; a++) {
    low[a] = fmax(blocks[0].low[a], blocks[1].low[a]);
    high[a] = fmin(blocks[0].high[a], blocks[1].high[a]);
  }
  vec3 corner[4] = {
      {low[0], low[1], 0}, {high[0], low[1], 0}, {high[0], high[1], 0}, {low[0], high[1], 0}};

  // points of the finer side, as patches have them
  const PatchPlane plane = patch_plane_new((vec3){0, 0, 1}, corner, 4);
  const Figure hull = patch_plane_hull(&plane, corner, 4, &work);
  const mat3 still = mat3_diagonal(1, 1, 1);
  const MeshedBody bodies[2] = {{shapes[0], still, {0, 0, 0}}, {shapes[1], still, {0, 0, 0}}};
  const MeshFaces faces[2] = {mesh_faces_new(&plane, &bodies[0], &work),
                              mesh_faces_new(&plane, &bodies[1], &work)};
  const int cuts = mesh_faces_cut(faces);
  const MeshFaces *cut = &faces[cuts];
  const SamplingReach reach = {SAMPLED_SAME * cut->shortest, SAMPLED_NEAR * cut->shortest,
                               SAMPLED_ALONG};
  const SamplingSides sides = {&cut->faces, &faces[1 - cuts].faces};
  const Sampling sampling = patch_sampling_new(&hull, &sides, reach, &work);
  const int count = sampling.count;
  vec3 *places = arena_allocate(arena, (size_t)count * sizeof *places);
  double *areas = arena_allocate(arena, (size_t)count * sizeof *areas);
  bool *given_up = arena_allocate_zero(arena, (size_t)count, sizeof *given_up);
  int crossed = 0;
  FinitePoint *points[2];
  for (int s = 0; s < 2; s++)
    points[s] = arena_allocate_zero(arena, (size_t)count, sizeof(FinitePoint));
  for (int k = 0; k < count; k++) {
    places[k] = patch_plane_place(&plane, sampling.point[k].u, sampling.point[k].v);
    given_up[k] = sampling.point[k].given_up;
    areas[k] = given_up[k] ? 0 : sampling.point[k].area;
    crossed += given_up[k];
    for (int s = 0; s < 2; s++)
      if (shapes[s]) points[s][k].at = finite_shape_place(shapes[s], places[k]);
  }
  // beside a node places are the node's, and nothing is exact
  bool beside = false;
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < count && shapes[s]; k++) {
      const FinitePlace *at = &points[s][k].at;
      const vec3 found = finite_place_value(at, shapes[s]->mesh.place);
      beside = beside || vec3_norm(vec3_sub(found, places[k])) > 1e-9;
    }
  if (beside) {
    for (int s = 0; s < 2; s++) finite_shape_destroy(shapes[s]);
    arena_destroy(&work);
    arena_reset(arena);
    return NOT_CHECKED;
  }
  const bool cross = blocks[0].cuts && blocks[1].cuts;
  CHECK(cross ? crossed == 1 || crossed == 2 : crossed == 0);
  const PatchPoints patch = {
      {0, 0, 1}, count, places, cross ? areas : NULL, given_up, {bodies[0], bodies[1]}};
  patch_shares_spread(&patch, points, arena, &work);

  double worst = 0;
  for (int s = 0; s < 2; s++) {
    if (!shapes[s]) continue;
    const int nodes = shapes[s]->mesh.nodes;
    double *loads = memory_allocate_zero((size_t)nodes, sizeof *loads),
           *expected = memory_allocate_zero((size_t)nodes, sizeof *expected);
    integrate(shapes[s], low, high, expected);
    for (int k = 0; k < count; k++) {
      const FinitePoint *p = &points[s][k];
      double sum = 0;
      vec3 middle = {0, 0, 0};
      const int held = p->count ? p->count : FINITE_FACE;
      for (int n = 0; n < held; n++) {
        const int node = p->count ? p->node[n] : p->at.node[n];
        const double weight = p->count ? p->weight[n] : p->at.weight[n];
        loads[node] += areas[k] * weight;
        sum += weight;
        middle = vec3_axpy(weight, shapes[s]->mesh.place[node], middle);
      }
      CHECK_NEAR(sum, 1, 1e-13);
      CHECK(vec3_norm(vec3_sub(middle, places[k])) < 1e-12);
      CHECK(finite_point_value(p, shapes[s]->mesh.place).x == middle.x);
    }
    double largest = 0, off = 0;
    for (int n = 0; n < nodes; n++) {
      largest = fmax(largest, expected[n]);
      off = fmax(off, fabs(loads[n] - expected[n]));
    }
    worst = fmax(worst, off / largest);
    memory_free(loads);
    memory_free(expected);
  }
  printf("%s: %d points, loads off by %.2g\n", name, count, worst);
  CHECK(worst < within);
  for (int s = 0; s < 2; s++) finite_shape_destroy(shapes[s]);
  arena_destroy(&work);
  arena_reset(arena);
  return worst;
}

static void test_pairs(Arena *arena)
{
  const Block four = {HEXAHEDRA, {4, 4, 1}, {0, 0}, {1, 1}, false, false, 0},
              three = {HEXAHEDRA, {3, 3, 1}, {0, 0}, {1, 1}, true, false, 0},
              five = {HEXAHEDRA, {5, 5, 1}, {0, 0}, {1, 1}, false, false, 0},
              two = {HEXAHEDRA, {2, 2, 1}, {0, 0}, {1, 1}, true, false, 0},
              rigid = {.kind = RIGID, .low = {-1, -1}, .high = {2, 2}, .above = true};
  check_pair("4 x 4 on 3 x 3", (Block[]){four, three}, 1e-13, arena);
  check_pair("5 x 5 on 2 x 2", (Block[]){five, two}, 1e-13, arena);
  check_pair("3 x 3 on 4 x 4",
             (Block[]){{HEXAHEDRA, {3, 3, 1}, {0, 0}, {1, 1}, false, false, 0},
                       {HEXAHEDRA, {4, 4, 1}, {0, 0}, {1, 1}, true, false, 0}},
             1e-13, arena);
  check_pair("4 x 4 on a rigid body", (Block[]){four, rigid}, 1e-13, arena);
  const Block parted = {TETRAHEDRA, {3, 3, 1}, {0, 0}, {1, 1}, false, false, 0};
  check_pair("tetrahedra on hexahedra", (Block[]){parted, two}, 1e-13, arena);
  check_pair("tetrahedra on tetrahedra",
             (Block[]){parted, {TETRAHEDRA, {4, 2, 1}, {0, 0}, {1, 1}, true, false, 0}}, 1e-13,
             arena);
  const Block odd = {TETRAHEDRA, {3, 4, 1}, {0, 0}, {1, 1}, false, true, 0};
  check_pair("irregular tetrahedra on hexahedra", (Block[]){odd, two}, 1e-13, arena);
  check_pair("irregular tetrahedra on a rigid body", (Block[]){odd, rigid}, 1e-13, arena);
  check_pair("irregular tetrahedra on their like",
             (Block[]){odd, {TETRAHEDRA, {2, 3, 1}, {0, 0}, {1, 1}, true, true, 0}}, 1e-13, arena);
  check_pair("hexahedra on tetrahedra",
             (Block[]){five, {TETRAHEDRA, {2, 3, 1}, {0, 0}, {1, 1}, true, false, 0}}, 1e-13,
             arena);
}

// A block pushed aside by anything from a hundredth of a cell to two cells; by less, nodes that are
// nearly one count as one.
static void test_shifts(Arena *arena)
{
  Random random = {7};
  for (int k = 0; k < 60; k++) {
    const double by = 0.5 * pow(10, -0.05 * k) + 3e-3, across = random_between(&random, 0.01, 0.16);
    const Block below = {HEXAHEDRA, {4, 2, 1}, {0, 0}, {1, 1}, false, false, 0},
                above = {
                    HEXAHEDRA, {4, 2 + k % 3, 1}, {by, across}, {1 + by, 1 + across}, true, false,
                    0};
    char name[64];
    snprintf(name, sizeof name, "shifted by %.4f, %.4f", by, across);
    check_pair(name, (Block[]){below, above}, 1e-12, arena);
  }
}

// The same of triangles: lines across them meet twice as many of their sides, and some of these
// points become one.
static void test_shifted_triangles(Arena *arena)
{
  int checked = 0;
  Random random = {8};
  for (int k = 0; k < 60; k++) {
    const double by = 0.5 * pow(10, -0.03 * k) + 3e-3, across = random_between(&random, 0.02, 0.17);
    const Kind kind = k % 3 == 0 ? RIGID : k % 3 == 1 ? HEXAHEDRA : TETRAHEDRA;
    const Block below = {TETRAHEDRA, {5, 4, 1}, {0, 0}, {1, 1}, false, true, 0},
                above = {kind, {2, 2 + k % 2, 1}, {by, across}, {1 + by, 1 + across}, true, true,
                         0};
    char name[64];
    snprintf(name, sizeof name, "triangles, shifted by %.4f, %.4f", by, across);
    checked += check_pair(name, (Block[]){below, above}, 1e-12, arena) >= 0;
  }
  CHECK(checked > 40);
}

// A number between two others that is no node of cells that share out a side of one.
static double between_nodes(Random *random, double low, double high, int cells)
{
  double at;
  do at = random_between(random, low, high);
  while (fabs(at * cells - round(at * cells)) < 0.05);
  return at;
}

// Pieces whose seams cross in the patch: points there are given up, and others have their loads.
static void test_crossings(Arena *arena)
{
  enum { ALL_AROUND = 0xf };
  Random random = {9};
  int checked = 0;
  for (int k = 0; k < 60; k++) {
    const double by = between_nodes(&random, 0.12, 0.45, 5),
                 across = between_nodes(&random, 0.1, 0.4, 4);
    const Block below = {HEXAHEDRA, {5, 4, 1}, {0, 0}, {1, 1}, false, false, ALL_AROUND},
                above = {HEXAHEDRA,    {3 + k % 2, 3 + k % 3, 1},
                         {by, across}, {1 + by, 1 + across},
                         true,         false,
                         ALL_AROUND};
    char name[64];
    snprintf(name, sizeof name, "seams that cross, shifted by %.4f, %.4f", by, across);
    checked += check_pair(name, (Block[]){below, above}, 1e-12, arena) >= 0;
  }
  CHECK(checked > 50);
}

// Seams of coarse pieces on fine cells: many of their corners go to one node.
static void test_coarse_seams(Arena *arena)
{
  enum { ALL_AROUND = 0xf };
  Random random = {10};
  for (int k = 0; k < 60; k++) {
    const double by = between_nodes(&random, 0.12, 0.45, 8),
                 across = between_nodes(&random, 0.1, 0.4, 8);
    const Block below = {HEXAHEDRA, {8, 8, 1}, {0, 0}, {1, 1}, false, false, 0},
                above = {HEXAHEDRA,    {1 + k % 3, 1 + k % 2, 1},
                         {by, across}, {1 + by, 1 + across},
                         true,         false,
                         ALL_AROUND};
    char name[64];
    snprintf(name, sizeof name, "coarse seams, shifted by %.4f, %.4f", by, across);
    check_pair(name, (Block[]){below, above}, 1e-12, arena);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_pairs(&arena);
  test_shifts(&arena);
  test_shifted_triangles(&arena);
  test_crossings(&arena);
  test_coarse_seams(&arena);
  arena_destroy(&arena);
  return test_report();
}
