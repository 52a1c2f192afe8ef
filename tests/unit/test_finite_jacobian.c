// Convex hexahedra of any six planes: volume, one stress, six motions without resistance. And
// whether a cell has volume everywhere, against its values at many places.
#include "finite_jacobian.h"

#include <math.h>

#include "finite_stiffness.h"
#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

// Corners of a box whose sides are turned: where three planes meet.
static void draw_convex(Random *random, vec3 corner[FINITE_HEXAHEDRON])
{
  mat3 normals[2];
  double offset[2][3];
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) {
      const vec3 axis = {a == 0, a == 1, a == 2};
      normals[side].row[a] = vec3_axpy(side ? 1 : -1, axis, random_in_cube(random, 0.3));
      offset[side][a] = random_between(random, 0.7, 1.3);
    }
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    mat3 of;
    double at[3];
    for (int a = 0; a < 3; a++) {
      of.row[a] = normals[c >> a & 1].row[a];
      at[a] = offset[c >> a & 1][a];
    }
    corner[c] = mat3_mul(mat3_inverse(of), (vec3){at[0], at[1], at[2]});
  }
}

static double triple(vec3 a, vec3 b, vec3 c) { return vec3_dot(a, vec3_cross(b, c)); }

// Three pyramids from the first corner, in two tetrahedra each.
static double volume_of(const vec3 corner[FINITE_HEXAHEDRON])
{
  static const int far[3][4] = {{1, 3, 7, 5}, {2, 6, 7, 3}, {4, 5, 7, 6}};
  double six = 0;
  for (int s = 0; s < 3; s++)
    for (int k = 1; k < 3; k++)
      six += triple(vec3_sub(corner[far[s][0]], corner[0]), vec3_sub(corner[far[s][k]], corner[0]),
                    vec3_sub(corner[far[s][k + 1]], corner[0]));
  return six / 6;
}

// The forces of a linear displacement are those of one stress: stress times the mean slope of each
// corner, which is the share of the surface's area vectors that it has.
static void test_convex(Random *random)
{
  const ElasticLaw law = {.young = 1, .poisson = 0.3};
  const double shear = 1 / 2.6, lambda = 2 * shear * 0.3 / 0.4;
  double worst = 0, off = 0;
  for (int round = 0; round < 300; round++) {
    FiniteMesh mesh = finite_mesh_hexahedra(
        (vec3[]){
            {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}},
        (int[]){1, 1, 1});
    draw_convex(random, mesh.place);   // a node of one cell has the number of its corner
    CHECK(finite_jacobian_is_positive(mesh.place) && finite_mesh_quality(&mesh, 0) > 0);
    const double volume = volume_of(mesh.place);
    off = fmax(off, fabs(finite_mesh_volume(&mesh, 0) / volume - 1));
    FiniteStiffness k0;
    int bad;
    CHECK(finite_stiffness_new(&mesh, &law, &k0, &bad));
    const mat3 by = {
        {random_in_cube(random, 1), random_in_cube(random, 1), random_in_cube(random, 1)}};
    const mat3 strain = mat3_scale(0.5, mat3_add(by, mat3_transpose(by)));
    const double trace = by.row[0].x + by.row[1].y + by.row[2].z;
    const mat3 stress = mat3_add(mat3_diagonal(lambda * trace, lambda * trace, lambda * trace),
                                 mat3_scale(2 * shear, strain));
    vec3 d[FINITE_HEXAHEDRON], f[FINITE_HEXAHEDRON], slope[FINITE_HEXAHEDRON] = {{0, 0, 0}};
    for (int p = 0; p < FINITE_HEXAHEDRON; p++) {
      const vec3 at = finite_mesh_point(p);
      const mat3 axes = finite_mesh_axes(mesh.place, at), inverse = mat3_inverse(axes);
      for (int n = 0; n < FINITE_HEXAHEDRON; n++)
        slope[n] = vec3_axpy(mat3_determinant(axes), mat3_mul(inverse, finite_mesh_slope(n, at)),
                             slope[n]);
    }
    for (int n = 0; n < FINITE_HEXAHEDRON; n++)
      d[n] = vec3_add(mat3_mul(by, mesh.place[n]), (vec3){0.1, -0.2, 0.3});
    finite_stiffness_force(&k0, d, f);
    for (int n = 0; n < FINITE_HEXAHEDRON; n++)
      worst = fmax(worst, vec3_norm(vec3_sub(f[n], mat3_mul(stress, slope[n]))));
    double energy = 0;
    for (int a = 0; a < 3; a++) energy += volume * vec3_dot(stress.row[a], strain.row[a]) / 2;
    CHECK_NEAR(finite_stiffness_energy(&k0, d), energy, 1e-13 * volume);
    finite_stiffness_destroy(&k0);
    finite_mesh_destroy(&mesh);
  }
  CHECK(worst < 1e-13);
  CHECK(off < 1e-14);
}

static double least_of(const vec3 corner[FINITE_HEXAHEDRON], int steps)
{
  double least = INFINITY;
  for (int k = 0; k < (steps + 1) * (steps + 1) * (steps + 1); k++) {
    const int i = k % (steps + 1), j = k / (steps + 1) % (steps + 1),
              l = k / (steps + 1) / (steps + 1);
    const vec3 at = {2.0 * i / steps - 1, 2.0 * j / steps - 1, 2.0 * l / steps - 1};
    least = fmin(least, mat3_determinant(finite_mesh_axes(corner, at)));
  }
  return least;
}

// Cells that are shaken more and more: what is called sound has volume wherever one looks, and what
// is not has none somewhere, or nearly so.
static void test_shaken(Random *random)
{
  int sound = 0, within = 0;
  for (int round = 0; round < 4000; round++) {
    vec3 corner[FINITE_HEXAHEDRON];
    double least_corner = INFINITY;
    const double most = random_between(random, 0.4, 1.3);
    for (int c = 0; c < FINITE_HEXAHEDRON; c++)
      corner[c] = vec3_add((vec3){c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1},
                           random_in_cube(random, most));
    for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
      const vec3 at = {c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1};
      least_corner = fmin(least_corner, mat3_determinant(finite_mesh_axes(corner, at)));
    }
    const bool positive = finite_jacobian_is_positive(corner);
    const double least = least_of(corner, positive ? 6 : 12);
    if (positive) CHECK(least > 0);
    else CHECK(least < 5e-3);
    sound += positive;
    within += !positive && least_corner > 0;
  }
  CHECK(sound > 1000 && sound < 3000);
  CHECK(within > 5);   // corners alone do not tell
}

int main(void)
{
  Random random = {23};
  test_convex(&random);
  test_shaken(&random);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
