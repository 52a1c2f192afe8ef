#include "convex_parts.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_solids.h"
#include "posed_scene.h"
#include "tetgen.h"
#include "tetra_faces.h"

#define GRID 6   // most cubes along a side of a solid of cubes

// Area of the faces that only one tetrahedron has.
static double filling_area(const Tetrahedra *filling, Arena *arena)
{
  TetraFaces faces;
  double area = 0;
  CHECK(tetra_find_faces(filling, arena, &faces));
  for (int f = 0; f < faces.count; f++) {
    const int *v = faces.faces[f].corner;
    if (faces.faces[f].tetra[1] >= 0) continue;
    const vec3 a = vec3_sub(filling->points[v[1]], filling->points[v[0]]);
    const vec3 b = vec3_sub(filling->points[v[2]], filling->points[v[0]]);
    area += 0.5 * vec3_norm(vec3_cross(a, b));
  }
  return area;
}

// All that must hold of parts, whatever their number: hulls of the volume of the filling, its
// surface on them, corners that are points of the part, a shape that can be built. Returns how many
// parts there are.
static int check_parts(const Tetrahedra *filling, Arena *arena)
{
  const double volume = filling_volume(filling), area = filling_area(filling, arena);
  const ShapeRecipe recipe = convex_parts(filling, arena);
  CHECK(recipe.surface_known && recipe.part_count > 0);
  double sum = 0, surface = 0;
  vec3 closed = {0, 0, 0};
  for (int p = 0; p < recipe.part_count; p++) {
    const PartRecipe *part = &recipe.parts[p];
    Polyhedron hull;
    if (!CHECK(hull_build(part->points, part->count, arena, &hull) == HULL_OK)) continue;
    sum += polyhedron_moments(&hull).volume;
    for (int t = 0; t < part->triangle_count; t++) {
      const int *v = part->triangles[t];
      if (!CHECK(v[0] >= 0 && v[1] >= 0 && v[2] >= 0 && v[0] < part->count && v[1] < part->count &&
                 v[2] < part->count))
        continue;
      const vec3 a = vec3_sub(part->points[v[1]], part->points[v[0]]);
      const vec3 b = vec3_sub(part->points[v[2]], part->points[v[0]]);
      const vec3 twice = vec3_cross(a, b);
      closed = vec3_axpy(0.5, twice, closed);
      surface += 0.5 * vec3_norm(twice);
      // outward: the part lies below its own surface
      for (int i = 0; i < part->count; i++) {
        const vec3 arm = vec3_sub(part->points[i], part->points[v[0]]);
        CHECK(vec3_dot(twice, arm) <= 4e-12 * vec3_norm(twice) * hull.extent + 1e-15);
      }
    }
  }
  CHECK_NEAR(sum, volume, 1e-12 * volume);
  CHECK_NEAR(surface, area, 1e-11 * area);
  CHECK_NEAR(vec3_norm(closed), 0, 1e-11 * area);
  Shape shape;
  if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) return recipe.part_count;
  double facets = 0;
  for (int p = 0; p < shape.part_count; p++) {
    for (int i = 0; i < shape.parts[p].facet_count; i++) {
      const Facet *facet = &shape.parts[p].facets[i];
      facets += vec3_norm(polyhedron_area_vector(facet->corners, facet->corner_count));
    }
  }
  CHECK_NEAR(facets, area, 1e-8 * area);
  CHECK_NEAR(shape.volume, volume, 1e-12 * volume);
  return recipe.part_count;
}

// Cubes of a grid, six tetrahedra each about the diagonal; turned for some cubes where asked, which
// fits together no more, so only for one cube.
typedef struct {
  Tetrahedra filling;
  vec3 points[(GRID + 1) * (GRID + 1) * (GRID + 1)];
  int tetra[6 * GRID * GRID * GRID][4];
} CubeSolid;

static int grid_point(int x, int y, int z) { return x + (GRID + 1) * (y + (GRID + 1) * z); }

static void solid_start(CubeSolid *solid)
{
  for (int z = 0; z <= GRID; z++) {
    for (int y = 0; y <= GRID; y++) {
      for (int x = 0; x <= GRID; x++) solid->points[grid_point(x, y, z)] = vec3_new(x, y, z);
    }
  }
  solid->filling = (Tetrahedra){.point_count = (GRID + 1) * (GRID + 1) * (GRID + 1),
                                .points = solid->points,
                                .tetra = (const int(*)[4])solid->tetra};
}

static void solid_add_cube(CubeSolid *solid, int x, int y, int z)
{
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int t = 0; t < 6; t++) {
    int at[3] = {x, y, z};
    int *tetra = solid->tetra[solid->filling.tetra_count++];
    tetra[0] = grid_point(at[0], at[1], at[2]);
    for (int k = 0; k < 3; k++) {
      at[order[t][k]]++;
      tetra[k + 1] = grid_point(at[0], at[1], at[2]);
    }
    if (t < 3) continue;   // odd orders are left-handed
    const int held = tetra[2];
    tetra[2] = tetra[3];
    tetra[3] = held;
  }
}

static void solid_add_cubes(CubeSolid *solid, const int low[3], const int high[3])
{
  for (int z = low[2]; z < high[2]; z++) {
    for (int y = low[1]; y < high[1]; y++) {
      for (int x = low[0]; x < high[0]; x++) solid_add_cube(solid, x, y, z);
    }
  }
}

static void solid_turn(CubeSolid *solid, Random *random)
{
  const mat3 turn = random_rotation(random);
  for (int i = 0; i < solid->filling.point_count; i++) {
    solid->points[i] = vec3_add(mat3_mul(turn, solid->points[i]), vec3_new(7, -3, 5));
  }
}

static void test_cube(Arena *arena)
{
  CubeSolid *solid = arena_allocate_zero(arena, 1, sizeof *solid);
  solid_start(solid);
  solid_add_cube(solid, 0, 0, 0);
  CHECK(check_parts(&solid->filling, arena) == 1);

  // five: one in the middle
  const vec3 corners[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                           {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  const int five[5][4] = {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 4, 2, 7}};
  int tetra[5][4];
  memcpy(tetra, five, sizeof tetra);
  Tetrahedra filling = {8, corners, 5, (const int(*)[4])tetra};
  for (int t = 0; t < 5; t++) {
    if (tetra_sixfold_volume(&filling, t) > 0) continue;
    const int held = tetra[t][0];
    tetra[t][0] = tetra[t][1];
    tetra[t][1] = held;
  }
  CHECK(check_parts(&filling, arena) == 1);
}

// Solids of cubes, straight and turned: as few parts as boxes.
static void test_cubes(Arena *arena)
{
  static const struct {
    const char *name;
    int boxes[6][2][3];   // low and high corner, none: zeros
    int parts;
  } solids[] = {
      {"bar", {{{0, 0, 0}, {5, 1, 1}}}, 1},
      {"l", {{{0, 0, 0}, {2, 1, 1}}, {{0, 1, 0}, {1, 2, 1}}}, 2},
      {"u", {{{0, 0, 0}, {3, 1, 1}}, {{0, 1, 0}, {1, 2, 1}}, {{2, 1, 0}, {3, 2, 1}}}, 3},
      {"t", {{{0, 0, 0}, {3, 1, 2}}, {{1, 1, 0}, {2, 3, 2}}}, 2},
      {"plus", {{{2, 0, 0}, {3, 2, 1}}, {{0, 2, 0}, {5, 3, 1}}, {{2, 3, 0}, {3, 5, 1}}}, 3},
      {"ring",
       {{{0, 0, 0}, {3, 1, 1}},
        {{0, 1, 0}, {1, 2, 1}},
        {{2, 1, 0}, {3, 2, 1}},
        {{0, 2, 0}, {3, 3, 1}}},
       4},
      {"corner", {{{0, 0, 0}, {2, 2, 1}}, {{0, 0, 1}, {1, 1, 2}}}, 2},
      {"edge", {{{0, 0, 0}, {3, 3, 1}}, {{0, 0, 1}, {1, 1, 2}}, {{1, 1, 1}, {2, 2, 2}}}, 3},
  };
  Random random = {11};
  CubeSolid *solid = arena_allocate(arena, sizeof *solid);
  for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++) {
    solid_start(solid);
    solid->filling.tetra_count = 0;
    for (int b = 0; b < 6; b++) {
      solid_add_cubes(solid, solids[i].boxes[b][0], solids[i].boxes[b][1]);
    }
    for (int turn = 0; turn < 3; turn++) {
      const int parts = check_parts(&solid->filling, arena);
      if (!CHECK(parts == solids[i].parts)) printf("%s: %d parts\n", solids[i].name, parts);
      solid_turn(solid, &random);
    }
  }
}

// The same solid listed otherwise is cut as validly; the same list is cut the same, bit for bit.
static void test_order(Arena *arena)
{
  CubeSolid *solid = arena_allocate(arena, sizeof *solid);
  CubeSolid *other = arena_allocate(arena, sizeof *other);
  solid_start(solid);
  solid->filling.tetra_count = 0;
  solid_add_cubes(solid, (int[3]){0, 0, 0}, (int[3]){4, 1, 1});
  solid_add_cubes(solid, (int[3]){1, 1, 0}, (int[3]){2, 3, 1});
  solid_add_cubes(solid, (int[3]){3, 1, 0}, (int[3]){4, 2, 2});
  const ShapeRecipe one = convex_parts(&solid->filling, arena);
  const ShapeRecipe two = convex_parts(&solid->filling, arena);
  CHECK(one.part_count == two.part_count);
  for (int p = 0; p < one.part_count; p++) {
    const PartRecipe *a = &one.parts[p], *b = &two.parts[p];
    if (!CHECK(a->count == b->count && a->triangle_count == b->triangle_count)) continue;
    CHECK(memcmp(a->points, b->points, (size_t)a->count * sizeof(vec3)) == 0);
    CHECK(memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof(int[3])) == 0);
  }
  Random random = {5};
  for (int trial = 0; trial < 20; trial++) {
    *other = *solid;
    other->filling.points = other->points;
    other->filling.tetra = (const int(*)[4])other->tetra;
    for (int t = other->filling.tetra_count - 1; t > 0; t--) {
      const int s = (int)random_between(&random, 0, t + 1);
      int held[4];
      memcpy(held, other->tetra[t], sizeof held);
      memcpy(other->tetra[t], other->tetra[s], sizeof held);
      memcpy(other->tetra[s], held, sizeof held);
    }
    CHECK(check_parts(&other->filling, arena) <= 4);
  }
}

// A convex polyhedron as a fan of tetrahedra about an inner point is one part.
static void test_fans(Arena *arena)
{
  Random random = {3};
  for (int trial = 0; trial < 30; trial++) {
    vec3 points[61];
    const int count = 8 + trial;
    for (int i = 0; i < count; i++) points[i] = vec3_scale(3, random_direction(&random));
    Polyhedron hull;
    if (!CHECK(hull_build(points, count, arena, &hull) == HULL_OK)) continue;
    int tetra[200][4], tetra_count = 0;
    memcpy(points, hull.vertices, (size_t)hull.vertex_count * sizeof *points);
    points[hull.vertex_count] = polyhedron_moments(&hull).centroid;
    for (int f = 0; f < hull.face_count; f++) {
      const int *loop = hull.face_vertices + hull.face_start[f];
      for (int k = 1; k + 1 < hull.face_start[f + 1] - hull.face_start[f]; k++) {
        const int corners[4] = {hull.vertex_count, loop[0], loop[k], loop[k + 1]};
        memcpy(tetra[tetra_count++], corners, sizeof corners);
      }
    }
    const Tetrahedra filling = {hull.vertex_count + 1, points, tetra_count, (const int(*)[4])tetra};
    CHECK(check_parts(&filling, arena) == 1);
  }
}

// Dents so shallow that each edge looks flat, but not all of them together.
static void test_shallow_dents(Arena *arena)
{
  enum { STRIPS = 400 };
  vec3 *points = arena_allocate(arena, (2 * STRIPS + 4) * 2 * sizeof *points);
  int(*tetra)[4] = arena_allocate(arena, 6 * STRIPS * sizeof *tetra);
  Tetrahedra filling = {.points = points, .tetra = (const int(*)[4])tetra};
  for (int i = 0; i <= STRIPS; i++) {
    const double x = (double)i / STRIPS, sag = 1e-8 * x * (1 - x);
    for (int k = 0; k < 4; k++) {
      points[filling.point_count++] = vec3_new(x, k & 1, k & 2 ? 1 - sag : 0);
    }
  }
  for (int i = 0; i < STRIPS; i++) {
    const int b = 4 * i;
    // two prisms: below and above the diagonal of the strip's section
    const int corners[2][6] = {{b, b + 4, b + 6, b + 1, b + 5, b + 7},
                               {b, b + 6, b + 2, b + 1, b + 7, b + 3}};
    for (int w = 0; w < 2; w++) {
      const int *c = corners[w];
      const int three[3][4] = {
          {c[0], c[1], c[2], c[5]}, {c[0], c[1], c[5], c[4]}, {c[0], c[4], c[5], c[3]}};
      for (int t = 0; t < 3; t++) {
        int *to = tetra[filling.tetra_count];
        memcpy(to, three[t], sizeof three[t]);
        if (tetra_sixfold_volume(&filling, filling.tetra_count++) > 0) continue;
        const int held = to[2];
        to[2] = to[3];
        to[3] = held;
      }
    }
  }
  const int parts = check_parts(&filling, arena);

  CHECK(parts > 1 && parts < STRIPS / 2);
}

// Meshes filled by the program, straight and turned: inner points do not make more parts.
static void test_meshes(Arena *arena)
{
  static const struct {
    const char *name;
    double volume;
    int parts;
  } meshes[] = {{"l", 3, 2}, {"u", 5, 3}, {"cup", 33.25, 9}, {"torus", 8.637287570313154, 10}};
  Random random = {17};
  for (int i = 0; i < 4; i++) {
    for (int turn = 0; turn < 3; turn++) {
      MeshBlock mesh_block = block_read(meshes[i].name, arena);
      CHECK_NEAR(mesh_block.volume, meshes[i].volume, 1e-14 * meshes[i].volume);
      if (turn > 0) block_place(&mesh_block, random_rotation(&random), vec3_new(3, 2, -1));
      Tetrahedra filling;
      TetgenReport report;
      char error[1000] = "";
      if (!CHECK(tetgen_fill(&(TetgenTask){.mesh_block = &mesh_block, .mesh_path = "mesh.obj"},
                             arena, &filling, &report, (ErrorText){error, sizeof error}))) {
        printf("%s\n", error);
        continue;
      }
      const int parts = check_parts(&filling, arena);
      if (!CHECK(parts == meshes[i].parts)) printf("%s: %d parts\n", meshes[i].name, parts);
    }
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_cube(&arena);
  test_cubes(&arena);
  test_order(&arena);
  test_fans(&arena);
  test_shallow_dents(&arena);
  test_meshes(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
