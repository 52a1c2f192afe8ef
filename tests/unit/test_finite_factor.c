// The factor of one body's matrix is its inverse.
#include "finite_factor.h"

#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

// A box from the origin.
static FiniteMesh box_mesh(vec3 sides, const int cells[3])
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){c & 1 ? sides.x : 0, c & 2 ? sides.y : 0, c & 4 ? sides.z : 0};
  return finite_mesh_hexahedra(corner, cells);
}

static double *masses(const FiniteMesh *mesh, double density)
{
  double *mass = memory_allocate((size_t)mesh->nodes * sizeof *mass);
  finite_mesh_shares(mesh, mass);
  for (int n = 0; n < mesh->nodes; n++) mass[n] *= density;
  return mass;
}

// M + c K0 and its inverse; a matrix that nothing holds has no factor, a cell turned inside out is
// named.
static void test_factor(Random *random)
{
  const ElasticLaw law = {.young = 1e9, .poisson = 0.25};
  FiniteMesh mesh = box_mesh((vec3){.4, .2, .2}, (int[]){4, 2, 2});
  FiniteStiffness k0;
  int bad = 0;
  if (!CHECK(finite_stiffness_new(&mesh, &law, &k0, &bad))) return;
  double *mass = masses(&mesh, 2500);
  FiniteFactor *factor = finite_factor_new(&k0, 1e-7, mass, NULL);
  vec3 *x = memory_allocate((size_t)mesh.nodes * sizeof *x);
  vec3 *b = memory_allocate((size_t)mesh.nodes * sizeof *b);
  for (int n = 0; n < mesh.nodes; n++) x[n] = random_in_cube(random, 1);
  finite_stiffness_force(&k0, x, b);
  for (int n = 0; n < mesh.nodes; n++) b[n] = vec3_axpy(mass[n], x[n], vec3_scale(1e-7, b[n]));
  finite_factor_solve(factor, b);
  for (int n = 0; n < mesh.nodes; n++) CHECK_NEAR(vec3_norm(vec3_sub(x[n], b[n])), 0, 1e-11);
  CHECK(finite_factor_numbers(factor) < 135 * 136 / 2);
  printf("45 nodes: %d blocks, %lld numbers in the factor\n", k0.start[k0.nodes],
         (long long)finite_factor_numbers(factor));
  finite_factor_destroy(factor);
  for (int n = 0; n < mesh.nodes; n++) mass[n] = 0;
  mass[0] = -1;
  CHECK(finite_factor_new(&k0, 1, mass, NULL) == NULL);

  FiniteStiffness none;
  bad = -1;
  mesh.place[mesh.corner[8 * 5]] = mesh.place[mesh.corner[8 * 5 + 7]];
  mesh.place[mesh.corner[8 * 5]].x += 0.2;
  CHECK(!finite_stiffness_new(&mesh, &law, &none, &bad) && bad >= 0 && bad <= 5);
  CHECK(none.start == NULL && finite_mesh_quality(&mesh, bad) <= 0);
  memory_free(b);
  memory_free(x);
  memory_free(mass);
  finite_stiffness_destroy(&k0);
  finite_mesh_destroy(&mesh);
}

int main(void)
{
  Random random = {41};
  test_factor(&random);
  return test_report();
}
