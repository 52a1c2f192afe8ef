// How far nodes and cells go, by fields whose turns are known.
#include "finite_bend.h"

#include <math.h>

#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

// A wedge whose cells differ, its sides turned against the axes.
static FiniteMesh skew_mesh(mat3 turn)
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    const double side = c & 4 ? 0.7 : 1;
    const vec3 place = {(c & 1 ? side : -side), (c & 2 ? 0.5 : -0.6) * side, (c & 4 ? 0.4 : -0.3)};
    corner[c] = mat3_mul(turn, place);
  }
  return finite_mesh_hexahedra(corner, (int[]){3, 2, 2});
}

static void fill(const FiniteMesh *mesh, mat3 gradient, vec3 *d)
{
  for (int n = 0; n < mesh->nodes; n++) d[n] = mat3_mul(gradient, mesh->place[n]);
}

// Linear fields: cells turn by half the curl, whatever strain there is beside it.
static void test_linear(bool tetrahedra, Random *random)
{
  FiniteMesh mesh = skew_mesh(random_rotation(random));
  if (tetrahedra) {
    FiniteMesh parted = finite_mesh_tetrahedra(&mesh);
    finite_mesh_destroy(&mesh);
    mesh = parted;
  }
  vec3 *d = memory_allocate((size_t)mesh.nodes * sizeof *d);
  for (int i = 0; i < 100; i++) {
    const double least = i % 2 ? 1.0001 * FINITE_BEND_TURN : 0.9999 * FINITE_BEND_TURN;
    const vec3 w = random_in_cube(random, 1);
    const vec3 turn = vec3_scale(least / vec3_norm(w), w);
    const vec3 a = random_in_cube(random, 0.3), b = random_in_cube(random, 0.3);
    const mat3 strain = {{{a.x, b.x, b.y}, {b.x, a.y, b.z}, {b.y, b.z, a.z}}};
    fill(&mesh, mat3_add(mat3_skew(turn), strain), d);
    const FiniteBend bend = finite_bend(&mesh, d);
    CHECK(bend.turned == (i % 2 ? mesh.cells : 0) && bend.first == 0);
    double farthest = 0;
    for (int n = 0; n < mesh.nodes; n++) farthest = fmax(farthest, vec3_norm(d[n]));
    CHECK_NEAR(bend.farthest, farthest, 1e-15);
  }
  memory_free(d);
  finite_mesh_destroy(&mesh);
}

// A bar in an arc: cells turn in proportion to their distance from the middle, and the first that
// is beyond the limit is named.
static void test_arc(void)
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){(c & 1 ? .5 : -.5), (c & 2 ? .05 : -.05), (c & 4 ? .05 : -.05)};
  FiniteMesh mesh = finite_mesh_hexahedra(corner, (int[]){10, 1, 1});
  vec3 *d = memory_allocate((size_t)mesh.nodes * sizeof *d);
  // turn of a section: curvature x, so 0.45, 0.35, 0.25 ... of the curvature in the cells
  const double curvature = 0.3;
  for (int n = 0; n < mesh.nodes; n++) {
    const vec3 z = mesh.place[n];
    d[n] = (vec3){-curvature * z.x * z.y, 0.5 * curvature * z.x * z.x, 0};
  }
  const FiniteBend bend = finite_bend(&mesh, d);
  CHECK(bend.turned == 4 && bend.first == 0);   // 0.135 and 0.105 rad at both ends
  CHECK_NEAR(bend.farthest, sqrt(0.0075 * 0.0075 + 0.0375 * 0.0375), 1e-15);
  // the left end held: as if it were a cantilever, and turns are measured from zero there
  for (int n = 0; n < mesh.nodes; n++)
    d[n] = vec3_add(d[n], vec3_cross((vec3){0, 0, 0.5 * curvature}, mesh.place[n]));
  const FiniteBend held = finite_bend(&mesh, d);
  CHECK(held.turned == 7 && held.first == 3);   // 0.105 rad in cell 3
  memory_free(d);
  finite_mesh_destroy(&mesh);
}

int main(void)
{
  Random random = {26};
  test_linear(false, &random);
  test_linear(true, &random);
  test_arc();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
