// Recovers stress from displacements of nodes: the internal modes of a hexahedron follow from those
// of its corners, since the stress does no work on them.
#include "finite_stress.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "memory.h"
#include "symmetric.h"

enum { UNKNOWNS = 3 * FINITE_INNER };

// A hexahedron at its points of integration.
typedef struct {
  FiniteStrain at[FINITE_HEXAHEDRON];
  vec3 slope[FINITE_HEXAHEDRON][FINITE_SLOPES];
  vec3 value[FINITE_SLOPES];   // of corners, then of modes, m
} Hexahedron;

// matrix value = right by elimination; symmetric and positive.
static void solve(double matrix[UNKNOWNS][UNKNOWNS], double right[UNKNOWNS])
{
  for (int p = 0; p < UNKNOWNS; p++) {
    assert_debug(matrix[p][p] > 0 && "modes strain the cell");
    for (int i = p + 1; i < UNKNOWNS; i++) {
      const double share = matrix[i][p] / matrix[p][p];
      for (int j = p; j < UNKNOWNS; j++) matrix[i][j] -= share * matrix[p][j];
      right[i] -= share * right[p];
    }
  }
  for (int p = UNKNOWNS - 1; p >= 0; p--) {
    for (int j = p + 1; j < UNKNOWNS; j++) right[p] -= matrix[p][j] * right[j];
    right[p] /= matrix[p][p];
  }
}

// The modes on which the stress does no work.
static void find_modes(FiniteLame lame, Hexahedron *cell)
{
  double matrix[UNKNOWNS][UNKNOWNS] = {{0}}, right[UNKNOWNS] = {0};
  for (int p = 0; p < FINITE_HEXAHEDRON; p++) {
    const FiniteStrain *strain = &cell->at[p];
    const mat3 gradient = finite_strain_gradient(strain, cell->value, FINITE_HEXAHEDRON);
    const mat3 stress = mat3_of_sym3(finite_strain_stress(lame, gradient));
    for (int m = 0; m < FINITE_INNER; m++) {
      const vec3 work = mat3_mul(stress, strain->slope[FINITE_HEXAHEDRON + m]);
      for (int k = 0; k < 3; k++) right[3 * m + k] -= strain->volume * vec3_component(work, k);
      for (int n = 0; n < FINITE_INNER; n++) {
        double block[FINITE_BLOCK];
        finite_strain_block(lame, strain, FINITE_HEXAHEDRON + m, FINITE_HEXAHEDRON + n, block);
        for (int k = 0; k < FINITE_BLOCK; k++) matrix[3 * m + k / 3][3 * n + k % 3] += block[k];
      }
    }
  }
  solve(matrix, right);
  for (int m = 0; m < FINITE_INNER; m++)
    cell->value[FINITE_HEXAHEDRON + m] = (vec3){right[3 * m], right[3 * m + 1], right[3 * m + 2]};
}

// How much of a point's value a corner has where the field goes on in the three coordinates.
static double share_of(int corner, int point)
{
  const double root = sqrt(3);   // a corner's coordinate where that of the points is one
  double share = 1;
  for (int a = 0; a < 3; a++) share *= ((corner ^ point) >> a & 1 ? 1 - root : 1 + root) / 2;
  return share;
}

// At the corners of a cell.
static void hexahedron_stress(const FiniteDeformed *of, FiniteLame lame, const int *node,
                              sym3 stress[FINITE_HEXAHEDRON])
{
  Hexahedron cell;
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    corner[c] = of->mesh->place[node[c]];
    cell.value[c] = of->displacement[node[c]];
    stress[c] = (sym3){0, 0, 0, 0, 0, 0};
  }
  for (int p = 0; p < FINITE_HEXAHEDRON; p++) {
    cell.at[p] = (FiniteStrain){.slope = cell.slope[p]};
    const bool sound = finite_strain_hexahedron(corner, finite_mesh_point(p), &cell.at[p]);
    assert(sound && "cells have volume");
  }
  find_modes(lame, &cell);
  for (int p = 0; p < FINITE_HEXAHEDRON; p++) {
    const mat3 gradient = finite_strain_gradient(&cell.at[p], cell.value, FINITE_SLOPES);
    const sym3 there = finite_strain_stress(lame, gradient);
    for (int c = 0; c < FINITE_HEXAHEDRON; c++)
      stress[c] = symmetric_axpy(share_of(c, p), there, stress[c]);
  }
}

static void tetrahedron_stress(const FiniteDeformed *of, FiniteLame lame, int cell,
                               sym3 stress[FINITE_TETRAHEDRON])
{
  const int *node = &of->mesh->corner[FINITE_TETRAHEDRON * cell];
  vec3 slope[FINITE_TETRAHEDRON], value[FINITE_TETRAHEDRON];
  for (int c = 0; c < FINITE_TETRAHEDRON; c++) value[c] = of->displacement[node[c]];
  const FiniteStrain strain = finite_strain_tetrahedron(of->mesh, cell, slope);
  const mat3 gradient = finite_strain_gradient(&strain, value, FINITE_TETRAHEDRON);
  for (int c = 0; c < FINITE_TETRAHEDRON; c++) stress[c] = finite_strain_stress(lame, gradient);
}

void finite_stress_nodes(const FiniteDeformed *of, sym3 *stress)
{
  const FiniteMesh *mesh = of->mesh;
  assert(mesh->cells > 0 && of->displacement != NULL && stress != NULL && "a body that deforms");
  const FiniteLame lame = finite_strain_lame(of->law);
  double *volume = memory_allocate_zero((size_t)mesh->nodes, sizeof *volume);
  for (int n = 0; n < mesh->nodes; n++) stress[n] = (sym3){0, 0, 0, 0, 0, 0};
  for (int cell = 0; cell < mesh->cells; cell++) {
    const int *node = &mesh->corner[mesh->corners * cell];
    const double own = finite_mesh_volume(mesh, cell);
    sym3 there[FINITE_HEXAHEDRON];
    if (mesh->corners == FINITE_HEXAHEDRON) hexahedron_stress(of, lame, node, there);
    else tetrahedron_stress(of, lame, cell, there);
    for (int c = 0; c < mesh->corners; c++) {
      stress[node[c]] = symmetric_axpy(own, there[c], stress[node[c]]);
      volume[node[c]] += own;
    }
  }
  // free thermal strain is the same everywhere
  const double free = of->law->expansion * of->temperature;
  const sym3 thermal = finite_strain_stress(lame, mat3_diagonal(free, free, free));
  const sym3 none = {0, 0, 0, 0, 0, 0};
  for (int n = 0; n < mesh->nodes; n++)
    stress[n] = symmetric_axpy(-1, thermal, symmetric_axpy(1 / volume[n], stress[n], none));
  memory_free(volume);
}

vec3 finite_stress_principal(sym3 s)
{
  double m[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}, axes[3][3];
  symmetric_diagonalize(m, axes);
  const double a = fmax(m[0][0], m[1][1]), b = fmin(m[0][0], m[1][1]), c = m[2][2];
  return (vec3){fmax(a, c), fmax(b, fmin(a, c)), fmin(b, c)};
}

double finite_stress_mises(sym3 s)
{
  const double a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
  const double shear = s.xy * s.xy + s.yz * s.yz + s.xz * s.xz;
  return sqrt((a * a + b * b + c * c) / 2 + 3 * shear);
}
