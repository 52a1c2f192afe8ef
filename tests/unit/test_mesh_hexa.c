// Hexahedra in tetrahedra: volumes, sides that neighbours part alike, and bodies of them, whatever
// the numbers of their points are.
#include "mesh_hexa.h"

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_block.h"
#include "polyhedron.h"
#include "random_numbers.h"

// Corners that differ, in any order.
static void draw_numbers(Random *random, int *numbers, int count)
{
  for (int i = 0; i < count; i++) {
    const int at = random_below(random, i + 1);
    numbers[i] = numbers[at];
    numbers[at] = i;
  }
}

static double sixfold(const vec3 *place, const int *tetra)
{
  const vec3 o = place[tetra[0]];
  return vec3_dot(vec3_sub(place[tetra[1]], o),
                  vec3_cross(vec3_sub(place[tetra[2]], o), vec3_sub(place[tetra[3]], o)));
}

// A box whose sides are turned a little stays convex, and its tetrahedra fill it.
static void test_split(Random *random)
{
  for (int round = 0; round < 2000; round++) {
    Plane side[HEXA_SIDES];
    for (int s = 0; s < HEXA_SIDES; s++) {
      const vec3 axis = {s / 2 == 0, s / 2 == 1, s / 2 == 2};
      side[s].normal = vec3_axpy(s % 2 ? 1 : -1, axis, random_in_cube(random, 0.3));
      side[s].offset = random_between(random, 0.7, 1.3);
    }
    int number[HEXA_CORNERS], tetra[HEXA_TETRA][4];
    vec3 place[HEXA_CORNERS];
    draw_numbers(random, number, HEXA_CORNERS);
    for (int c = 0; c < HEXA_CORNERS; c++) {
      mat3 normals;
      double offset[3];
      for (int a = 0; a < 3; a++) {
        const Plane plane = side[2 * a + (c >> a & 1)];
        normals.row[a] = plane.normal;
        offset[a] = plane.offset;
      }
      place[number[c]] = mat3_mul(mat3_inverse(normals), (vec3){offset[0], offset[1], offset[2]});
    }
    mesh_hexa_split(number, tetra);
    double sum = 0, pyramids = 0;
    for (int t = 0; t < HEXA_TETRA; t++) {
      const double six = sixfold(place, tetra[t]);
      CHECK(six > 0);
      sum += six;
    }
    for (int s = 0; s < HEXA_SIDES; s++) {   // from the origin to sides
      const int *of = MESH_HEXA_SIDES[s];
      const vec3 at = place[number[of[0]]];
      const vec3 across = vec3_cross(vec3_sub(place[number[of[2]]], at),
                                     vec3_sub(place[number[of[3]]], place[number[of[1]]]));
      pyramids += vec3_dot(at, across);
    }
    CHECK_NEAR(sum, pyramids, 1e-13 * pyramids);
  }
}

// -------------------------------------------------------------------------------------------------
// Bodies

enum { SIDE = 3, POINTS = (SIDE + 1) * (SIDE + 1) * (SIDE + 1), CELLS = SIDE * SIDE * SIDE };

typedef struct {
  vec3 points[2 * POINTS];
  int hexa[CELLS][HEXA_CORNERS];
  int point_count, hexa_count;
} Grid;

// A cube of unit cells whose points within are moved; points have any numbers.
static Grid grid_of(Random *random, double most)
{
  Grid grid = {.point_count = POINTS, .hexa_count = CELLS};
  int number[POINTS];
  draw_numbers(random, number, POINTS);
  for (int p = 0; p < POINTS; p++) {
    const int at[3] = {p % (SIDE + 1), p / (SIDE + 1) % (SIDE + 1), p / (SIDE + 1) / (SIDE + 1)};
    bool inside = true;
    for (int a = 0; a < 3; a++) inside = inside && at[a] > 0 && at[a] < SIDE;
    grid.points[number[p]] =
        vec3_add((vec3){at[0], at[1], at[2]}, random_in_cube(random, inside ? most : 0));
  }
  for (int h = 0; h < CELLS; h++)
    for (int c = 0; c < HEXA_CORNERS; c++) {
      const int x = h % SIDE + (c & 1), y = h / SIDE % SIDE + (c >> 1 & 1),
                z = h / SIDE / SIDE + (c >> 2);
      grid.hexa[h][c] = number[x + (SIDE + 1) * (y + (SIDE + 1) * z)];
    }
  return grid;
}

// Gmsh goes round the lower side, then round the upper one.
static char *text_of(const Grid *grid, Arena *arena)
{
  static const int order[HEXA_CORNERS] = {0, 1, 3, 2, 4, 5, 7, 6};
  const size_t room = 200 + 100 * (size_t)(grid->point_count + grid->hexa_count);
  char *text = arena_allocate(arena, room);
  int at =
      snprintf(text, room, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", grid->point_count);
  for (int i = 0; i < grid->point_count; i++) {
    const vec3 p = grid->points[i];
    at += snprintf(text + at, room - (size_t)at, "%d %.17g %.17g %.17g\n", i + 1, p.x, p.y, p.z);
  }
  at += snprintf(text + at, room - (size_t)at, "$EndNodes\n$Elements\n%d\n", grid->hexa_count);
  for (int h = 0; h < grid->hexa_count; h++) {
    at += snprintf(text + at, room - (size_t)at, "%d 5 2 1 1", h + 1);
    for (int c = 0; c < HEXA_CORNERS; c++)
      at += snprintf(text + at, room - (size_t)at, " %d", grid->hexa[h][order[c]] + 1);
    at += snprintf(text + at, room - (size_t)at, "\n");
  }
  snprintf(text + at, room - (size_t)at, "$EndElements\n");
  return text;
}

// Bodies of a grid; none with a message.
static MeshBlocks read(const Grid *grid, Arena *arena, char message[1024])
{
  const char *text = text_of(grid, arena);
  const MeshText file = {"stone.msh", text, strlen(text)};
  const ErrorText error = {message, 1024};
  MeshSoup soup;
  MeshBlocks blocks = {0};
  *message = 0;
  CHECK(mesh_parse((MeshFiles){MESH_GMSH, 1, &file}, arena, &soup, error));
  if (!mesh_block_make(&soup, (MeshFrame){.scale = 1, .up = 2}, arena, &blocks, error))
    blocks.count = 0;
  return blocks;
}

static bool refuses(const Grid *grid, const char *expected)
{
  Arena arena = arena_new();
  char message[1024];
  const MeshBlocks blocks = read(grid, &arena, message);
  const bool said = blocks.count == 0 && strstr(message, expected) != NULL;
  if (!said) printf("  '%s' instead of '%s'\n", message, expected);
  arena_destroy(&arena);
  return said;
}

// Volumes and corners of a body are those of the cells, whatever their points' numbers are.
static void test_bodies(Random *random)
{
  for (int round = 0; round < 30; round++) {
    Grid grid = grid_of(random, 0.2);
    const int mirrored = random_below(random, CELLS), doubled = CELLS / 2;
    for (int c = 0; c < 4; c++) {   // one cell turned inside out
      int *of = grid.hexa[mirrored];
      const int low = of[c];
      of[c] = of[c + 4], of[c + 4] = low;
    }
    // the one in the middle has a second point at the place of a corner, with another number
    const int corner = random_below(random, HEXA_CORNERS);
    grid.points[grid.point_count] = grid.points[grid.hexa[doubled][corner]];
    grid.hexa[doubled][corner] = grid.point_count++;
    Arena arena = arena_new();
    char message[1024];
    const MeshBlocks blocks = read(&grid, &arena, message);
    if (!CHECK(blocks.count == 1)) printf("  %s\n", message);
    const MeshBlock *body = blocks.of;
    for (int h = 0; blocks.count == 1 && h < body->hexa_count; h++) {
      for (int c = 0; c < HEXA_CORNERS; c++) {
        const int given = grid.hexa[h][h == mirrored ? c ^ 4 : c];
        const vec3 off = vec3_sub(body->points[body->hexa[h][c]], grid.points[given]);
        CHECK(vec3_norm(off) == 0);
      }
      for (int t = HEXA_TETRA * h; t < HEXA_TETRA * (h + 1); t++)
        CHECK(sixfold(body->points, body->tetra[t]) > 0);
    }
    if (blocks.count == 1) {
      CHECK(body->hexa_count == CELLS && body->tetra_count == HEXA_TETRA * CELLS && body->convex);
      CHECK(body->point_count == POINTS && body->repairs.merged_points == 1);
      CHECK(body->repairs.turned_hexa == 1 && body->repairs.turned_tetra == 0);
      CHECK(body->repairs.polygons == 6);
      CHECK_NEAR(body->volume, CELLS, 1e-12);
    }
    arena_destroy(&arena);
  }
}

static void test_refusals(Random *random)
{
  // a corner of the cube leaves the planes of three sides
  Grid grid = grid_of(random, 0.1);
  const int corner = grid.hexa[0][0];
  grid.points[corner] = (vec3){-0.01, -0.02, 0.03};
  CHECK(
      refuses(&grid, "hexahedron 1 of the file has a side on the surface that is not plane, at "));
  grid.points[corner] = (vec3){1e-6, -1e-6, 1e-6};   // the digits of a file
  Arena arena = arena_new();
  char message[1024];
  CHECK(read(&grid, &arena, message).count == 1);
  arena_destroy(&arena);

  // a point within goes beyond its neighbours
  grid = grid_of(random, 0.1);
  grid.points[grid.hexa[0][7]] = (vec3){2.5, 2.5, 2.5};
  CHECK(refuses(&grid, " of the file is flat or turned inside out in a part of it, at ("));

  // corners in another order than Gmsh's
  grid = grid_of(random, 0.1);
  const int held = grid.hexa[4][2];
  grid.hexa[4][2] = grid.hexa[4][3], grid.hexa[4][3] = held;
  CHECK(refuses(&grid, "hexahedron 5 of the file is flat or turned inside out"));

  // the same cell twice, and three times
  grid = grid_of(random, 0);
  for (int k = 1; k < 3; k++) {
    memcpy(grid.hexa[k], grid.hexa[0], sizeof grid.hexa[0]);
    grid.hexa_count = k + 1;
    CHECK(refuses(&grid, k == 1 ? "two hexahedra overlap, at " : " belongs to 3 hexahedra"));
  }

  // none in the middle
  grid = grid_of(random, 0);
  memcpy(grid.hexa[CELLS / 2], grid.hexa[CELLS - 1], sizeof grid.hexa[0]);
  grid.hexa_count--;
  CHECK(refuses(&grid, "there is a cavity in the hexahedra, near "));
}

int main(void)
{
  Random random = {17};
  test_split(&random);
  test_bodies(&random);
  test_refusals(&random);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
