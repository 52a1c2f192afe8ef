// Factors of one body's matrix: in double precision the inverse, in single precision the same but
// for rounding.
#include "finite_factor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

// Nodes at x = 0.
static bool *first_layer(const FiniteMesh *mesh)
{
  bool *held = memory_allocate((size_t)mesh->nodes * sizeof *held);
  for (int n = 0; n < mesh->nodes; n++) held[n] = fabs(mesh->place[n].x) < 1e-9;
  return held;
}

// Factors in single precision of K0 and weights on its blocks: as those in double but for rounding,
// for values of any size, with nodes held and without; one linear function, and a symmetric one.
static void test_single(Random *random)
{
  const ElasticLaw law = {.young = 1e9, .poisson = 0.25};
  FiniteMesh mesh = box_mesh((vec3){.4, .2, .2}, (int[]){4, 3, 2});
  FiniteStiffness k0;
  int bad = 0;
  if (!CHECK(finite_stiffness_new(&mesh, &law, &k0, &bad))) return;
  double *mass = masses(&mesh, 2500), scale = 1e-7;
  double *added = memory_allocate_zero((size_t)k0.start[k0.nodes], sizeof *added);
  const size_t bytes = (size_t)mesh.nodes * sizeof(vec3);
  vec3 *a = memory_allocate(bytes), *b = memory_allocate(bytes), *x = memory_allocate(bytes);
  vec3 *y = memory_allocate(bytes);
  for (int pass = 0; pass < 2; pass++) {
    bool *held = pass == 0 ? NULL : first_layer(&mesh);
    FiniteFactor *like = finite_factor_new(&k0, scale, mass, held);
    for (int n = 0; n < mesh.nodes; n++)   // weights, heavy and light, on the diagonal
      for (int k = k0.start[n]; k < k0.start[n + 1]; k++)
        if (k0.column[k] == n) added[k] = n % 3 == 0 ? random_between(random, 0, 10) : 0;
    FiniteSingle *single = finite_single_new(like, &k0, scale, mass, added);
    if (!CHECK(single != NULL)) return;
    for (double size = 1e-60; size < 1e70; size *= 1e60) {
      double largest = 0, off = 0, ab = 0, ba = 0;
      for (int n = 0; n < mesh.nodes; n++) {
        a[n] = x[n] = vec3_scale(size, random_in_cube(random, 1));
        b[n] = y[n] = vec3_scale(size, random_in_cube(random, 1));
        if (held && held[n]) a[n] = b[n] = (vec3){0, 0, 0};
      }
      finite_single_solve(single, x);
      finite_single_solve(single, y);
      for (int n = 0; n < mesh.nodes; n++) {
        ab += vec3_dot(a[n], y[n]) / (size * size);
        ba += vec3_dot(b[n], x[n]) / (size * size);
        if (held && held[n]) CHECK(vec3_norm(x[n]) == 0);
      }
      CHECK_NEAR(ab / ba, 1, 1e-5);
      // (M + c K0 + added) x is what was given
      finite_stiffness_force(&k0, x, y);
      for (int n = 0; n < mesh.nodes; n++) {
        double more = mass[n];
        for (int k = k0.start[n]; k < k0.start[n + 1]; k++)
          if (k0.column[k] == n) more += added[k];
        if (held && held[n]) continue;
        const vec3 got = vec3_axpy(more, x[n], vec3_scale(scale, y[n]));
        off = fmax(off, vec3_norm(vec3_sub(got, a[n])));
        largest = fmax(largest, vec3_norm(a[n]));
      }
      CHECK(off < 1e-5 * largest);
    }
    finite_single_destroy(single);
    finite_factor_destroy(like);
    memory_free(held);
  }
  memory_free(a);
  memory_free(b);
  memory_free(x);
  memory_free(y);
  memory_free(added);
  memory_free(mass);
  finite_stiffness_destroy(&k0);
  finite_mesh_destroy(&mesh);
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
  test_single(&random);
  return test_report();
}
