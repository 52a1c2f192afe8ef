// Finds large displacements, and cells that turn far in the frame of their body.
#include "finite_bend.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "finite_strain.h"

// The gradient of a field in the middle of a cell; that of a tetrahedron is the same everywhere.
static mat3 gradient_in(const FiniteMesh *mesh, int cell, const vec3 *values)
{
  assert_debug(cell >= 0 && cell < mesh->cells && "a cell of the mesh");
  const int *node = &mesh->corner[(size_t)mesh->corners * (size_t)cell];
  vec3 corner[FINITE_HEXAHEDRON], value[FINITE_HEXAHEDRON], slope[FINITE_SLOPES];
  for (int c = 0; c < mesh->corners; c++) {
    corner[c] = mesh->place[node[c]];
    value[c] = values[node[c]];
  }
  FiniteStrain strain = {.slope = slope};
  if (mesh->corners == FINITE_TETRAHEDRON) {
    strain = finite_strain_tetrahedron(mesh, cell, slope);
  } else {
    const bool sound = finite_strain_hexahedron(corner, (vec3){0, 0, 0}, &strain);
    assert(sound && "cells have volume");
  }
  return finite_strain_gradient(&strain, value, mesh->corners);
}

// Half the curl of a small field, squared: the turn, rad.
static double turn_squared(mat3 gradient)
{
  const vec3 turn = {0.5 * (gradient.row[2].y - gradient.row[1].z),
                     0.5 * (gradient.row[0].z - gradient.row[2].x),
                     0.5 * (gradient.row[1].x - gradient.row[0].y)};
  return vec3_dot(turn, turn);
}

FiniteBend finite_bend(const FiniteMesh *mesh, const vec3 *displacement)
{
  assert(mesh->cells > 0 && displacement != NULL && "cells with a field");
  double farthest = 0;
  for (int n = 0; n < mesh->nodes; n++)
    farthest = larger_of(farthest, vec3_dot(displacement[n], displacement[n]));
  FiniteBend bend = {.farthest = sqrt(farthest)};
  for (int c = 0; c < mesh->cells; c++) {
    const double squared = turn_squared(gradient_in(mesh, c, displacement));
    if (squared <= FINITE_BEND_TURN * FINITE_BEND_TURN) continue;
    if (bend.turned++ == 0) bend.first = c;
  }
  return bend;
}
