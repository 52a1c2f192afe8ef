// Measures of meshes against closed forms.
#include "finite_measure.h"

#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "memory.h"

#define PI 3.14159265358979323846

static FiniteMesh bar_mesh(vec3 sides, const int cells[3])
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){(c & 1 ? .5 : -.5) * sides.x, (c & 2 ? .5 : -.5) * sides.y,
                       (c & 4 ? .5 : -.5) * sides.z};
  return finite_mesh_hexahedra(corner, cells);
}

static FiniteMoments moments_of(vec3 sides, double density)
{
  const double mass = density * sides.x * sides.y * sides.z;
  const double x = sides.x * sides.x, y = sides.y * sides.y, z = sides.z * sides.z;
  return (FiniteMoments){
      mass, mat3_diagonal(mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)};
}

// Of a free bar three times as long as wide its fourth frequency is that of waves along it,
// c / (2 L): two ways to bend and one to twist are below.
static void test_bar(void)
{
  const vec3 sides = {0.9, 0.3, 0.3};
  const ElasticLaw law = {.young = 1e9, .poisson = 0};
  const double density = 2500;
  FiniteMesh mesh = bar_mesh(sides, (int[]){12, 4, 4});
  const FiniteMoments moments = moments_of(sides, density);
  const FiniteMeasure m = finite_measure(&mesh, &moments, &law);
  const double wave = PI * sqrt(law.young / density) / sides.x;
  CHECK(m.nodes == 13 * 5 * 5 && m.cells == 192 && m.worst == 0);
  CHECK_NEAR(m.quality, 1, 1e-12);
  CHECK(m.inertia_error < 1e-12);
  if (CHECK(m.modes == FINITE_MEASURED)) {
    printf("bar: %.5f of the frequency of waves along it\n", m.frequency[3] / wave);
    CHECK_NEAR(m.frequency[3] / wave, 1, 0.01);
    CHECK_NEAR(m.frequency[1] / m.frequency[0], 1, 1e-6);
    CHECK(m.frequency[2] < 0.9 * wave);
  }
  finite_mesh_destroy(&mesh);
}

// A single layer has its masses at both faces: (1/4) of the square of a side in place of 1/12.
static void test_layer(void)
{
  const vec3 sides = {1, 0.5, 0.2};
  FiniteMesh mesh = bar_mesh(sides, (int[]){4, 2, 1});
  const FiniteMoments moments = moments_of(sides, 1000);
  const FiniteMeasure m = finite_measure(&mesh, &moments, NULL);
  CHECK_NEAR(m.inertia_error, sides.z * sides.z * 2 / (1 + 0.25 + 0.04), 1e-9);
  CHECK(m.modes == 0);
  // the cell whose corner is moved along the diagonal of a face is the worst
  const int node = mesh.corner[FINITE_HEXAHEDRON * 6 + 7];
  mesh.place[node] = vec3_add(mesh.place[node], (vec3){0.1, 0.1, 0});
  const FiniteMeasure bent = finite_measure(&mesh, &moments, NULL);
  CHECK(bent.quality < 0.95 && bent.quality > 0);
  for (int c = 0; c < mesh.cells; c++)
    CHECK(finite_mesh_quality(&mesh, c) >= bent.quality * (1 - 1e-9));
  CHECK_NEAR(finite_mesh_quality(&mesh, bent.worst), bent.quality, 1e-12);
  finite_mesh_destroy(&mesh);
}

int main(void)
{
  test_bar();
  test_layer();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
