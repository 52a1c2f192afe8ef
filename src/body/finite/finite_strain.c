// Gradients in hexahedra with incompatible modes and in tetrahedra, by slopes of nodes.
#include "finite_strain.h"

#include <assert.h>

#include "check.h"

FiniteLame finite_strain_lame(const ElasticLaw *law)
{
  assert(law->young > 0 && law->poisson > -1 && law->poisson < 0.5 && "an elastic material");
  const double shear = law->young / (2 * (1 + law->poisson));
  return (FiniteLame){2 * shear * law->poisson / (1 - 2 * law->poisson), shear};
}

// The gradient by places of a function whose derivatives by the coordinates are given.
static vec3 by_places(mat3 axes, const double by[3])
{
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < 3; k++)
    sum = vec3_axpy(by[k], vec3_cross(axes.row[(k + 1) % 3], axes.row[(k + 2) % 3]), sum);
  return vec3_scale(1 / mat3_determinant(axes), sum);
}

bool finite_strain_hexahedron(const vec3 corner[FINITE_HEXAHEDRON], vec3 at, FiniteStrain *strain)
{
  assert_debug(strain->slope != NULL && "slopes have room");
  const mat3 axes = finite_mesh_axes(corner, at), middle = finite_mesh_axes(corner, (vec3){0});
  strain->volume = mat3_determinant(axes);
  if (!(strain->volume > 0 && mat3_determinant(middle) > 0)) return false;
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    const vec3 by = finite_mesh_slope(c, at);
    strain->slope[c] = by_places(axes, (double[]){by.x, by.y, by.z});
  }
  for (int m = 0; m < FINITE_INNER; m++) {
    double by[3] = {0, 0, 0};
    by[m] = -2 * vec3_component(at, m) * mat3_determinant(middle) / strain->volume;
    strain->slope[FINITE_HEXAHEDRON + m] = by_places(middle, by);
  }
  return true;
}

FiniteStrain finite_strain_tetrahedron(const FiniteMesh *mesh, int cell,
                                       vec3 slope[FINITE_TETRAHEDRON])
{
  assert_debug(mesh->corners == FINITE_TETRAHEDRON && "a mesh of tetrahedra");
  const int *node = &mesh->corner[FINITE_TETRAHEDRON * cell];
  mat3 edges;
  for (int k = 0; k < 3; k++)
    edges.row[k] = vec3_sub(mesh->place[node[k + 1]], mesh->place[node[0]]);
  const double six = mat3_determinant(edges);
  slope[0] = (vec3){0, 0, 0};
  for (int k = 0; k < 3; k++) {
    const vec3 normal = vec3_cross(edges.row[(k + 1) % 3], edges.row[(k + 2) % 3]);
    slope[k + 1] = vec3_scale(1 / six, normal);
    slope[0] = vec3_sub(slope[0], slope[k + 1]);
  }
  return (FiniteStrain){.volume = six / 6, .slope = slope};
}

void finite_strain_block(FiniteLame lame, const FiniteStrain *strain, int i, int j, double *block)
{
  assert_debug(i >= 0 && j >= 0 && "two nodes");
  const double a[3] = {strain->slope[i].x, strain->slope[i].y, strain->slope[i].z};
  const double b[3] = {strain->slope[j].x, strain->slope[j].y, strain->slope[j].z};
  const double both = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      block[3 * k + l] = strain->volume * (lame.lambda * a[k] * b[l] +
                                           lame.shear * (a[l] * b[k] + (k == l ? both : 0)));
}

mat3 finite_strain_gradient(const FiniteStrain *strain, const vec3 *values, int count)
{
  assert_debug(count > 0 && "values of nodes");
  mat3 sum = mat3_diagonal(0, 0, 0);
  for (int n = 0; n < count; n++) sum = mat3_add(sum, mat3_outer(values[n], strain->slope[n]));
  return sum;
}

sym3 finite_strain_stress(FiniteLame lame, mat3 gradient)
{
  const vec3 *row = gradient.row;
  const double pressure = lame.lambda * (row[0].x + row[1].y + row[2].z), shear = lame.shear;
  return (sym3){.xx = pressure + 2 * shear * row[0].x,
                .xy = shear * (row[0].y + row[1].x),
                .xz = shear * (row[0].z + row[2].x),
                .yy = pressure + 2 * shear * row[1].y,
                .yz = shear * (row[1].z + row[2].y),
                .zz = pressure + 2 * shear * row[2].z};
}
