// Finds the cell of a place, and the shares of its corners there.
#include "finite_cell.h"

#include <assert.h>
#include <math.h>

#include "check.h"

#define MOST_TURNS 30   // of Newton's method in one cell
#define SETTLED 1e-13   // change of a coordinate, -1 to 1, that ends it
#define ROUNDING 1e-9   // of a face's reach: a place no farther from a cell is in it

static double clamped(double x) { return fmin(fmax(x, -1), 1); }

// Coordinates in a hexahedron of the place in it that is nearest, or nearly so where the cell is
// skewed; apart: what is left to the place.
static vec3 nearest_in(const vec3 *corner, vec3 place, vec3 *apart)
{
  vec3 at = {0, 0, 0};
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    const vec3 left = vec3_sub(place, finite_mesh_place(corner, at));
    const mat3 axes = finite_mesh_axes(corner, at);
    const vec3 step = mat3_mul_transposed(mat3_inverse(axes), left);
    const vec3 next = {clamped(at.x + step.x), clamped(at.y + step.y), clamped(at.z + step.z)};
    const vec3 moved = vec3_sub(next, at);
    at = next;
    if (fmax(fabs(moved.x), fmax(fabs(moved.y), fabs(moved.z))) <= SETTLED) break;
  }
  *apart = vec3_sub(place, finite_mesh_place(corner, at));
  return at;
}

static double take_hexahedron(const FiniteMesh *mesh, vec3 place, FiniteCell *cell)
{
  vec3 corner[FINITE_HEXAHEDRON], apart;
  for (int k = 0; k < FINITE_HEXAHEDRON; k++) corner[k] = mesh->place[cell->node[k]];
  const vec3 at = nearest_in(corner, place, &apart);
  const mat3 inverse = mat3_inverse(finite_mesh_axes(corner, at));
  for (int k = 0; k < FINITE_HEXAHEDRON; k++) {
    const vec3 gradient = mat3_mul(inverse, finite_mesh_slope(k, at));
    cell->weight[k] = finite_mesh_weight(k, at) + vec3_dot(gradient, apart);
  }
  return vec3_norm(apart);
}

// The distance is that to the farthest face that it lies beyond.
static double take_tetrahedron(const FiniteMesh *mesh, vec3 place, FiniteCell *cell)
{
  const vec3 a = mesh->place[cell->node[0]];
  const vec3 b = vec3_sub(mesh->place[cell->node[1]], a),
             c = vec3_sub(mesh->place[cell->node[2]], a),
             d = vec3_sub(mesh->place[cell->node[3]], a), to = vec3_sub(place, a);
  const double volume = vec3_dot(vec3_cross(b, c), d);
  const vec3 slope[3] = {vec3_scale(1 / volume, vec3_cross(c, d)),
                         vec3_scale(1 / volume, vec3_cross(d, b)),
                         vec3_scale(1 / volume, vec3_cross(b, c))};
  const vec3 first = vec3_neg(vec3_add(slope[0], vec3_add(slope[1], slope[2])));
  double beyond = 0;
  cell->weight[0] = 1;
  for (int k = 1; k < FINITE_TETRAHEDRON; k++) {
    cell->weight[k] = vec3_dot(slope[k - 1], to);
    cell->weight[0] -= cell->weight[k];
    beyond = fmax(beyond, -cell->weight[k] / vec3_norm(slope[k - 1]));
  }
  return fmax(beyond, -cell->weight[0] / vec3_norm(first));
}

// From a place to the ball about the middle of a cell's corners that has them all; below zero: it
// lies in the ball.
static double to_ball(const FiniteMesh *mesh, const int *node, vec3 place)
{
  vec3 middle = {0, 0, 0};
  for (int k = 0; k < mesh->corners; k++) middle = vec3_add(middle, mesh->place[node[k]]);
  middle = vec3_scale(1.0 / mesh->corners, middle);
  double reach = 0;
  for (int k = 0; k < mesh->corners; k++)
    reach = fmax(reach, vec3_norm(vec3_sub(mesh->place[node[k]], middle)));
  return vec3_norm(vec3_sub(place, middle)) - reach;
}

static FiniteCell cell_number(const FiniteMesh *mesh, int cell)
{
  assert_debug(cell >= 0 && cell < mesh->cells && "a cell of the mesh");
  const int *node = &mesh->corner[(size_t)cell * (size_t)mesh->corners];
  return (FiniteCell){.cell = cell, .count = mesh->corners, .node = node};
}

// Sets the shares; returns how far beyond the cell the place is.
static double take(const FiniteMesh *mesh, vec3 place, FiniteCell *cell)
{
  return mesh->corners == FINITE_TETRAHEDRON ? take_tetrahedron(mesh, place, cell)
                                             : take_hexahedron(mesh, place, cell);
}

static bool has_face(const FiniteCell *cell, const FinitePlace *place)
{
  int found = 0;
  for (int k = 0; k < FINITE_FACE; k++)
    for (int c = 0; c < cell->count; c++) found += cell->node[c] == place->node[k];
  return found == FINITE_FACE;
}

// That of the place of the surface that is nearest.
static FiniteCell cell_outside(const FiniteShape *shape, vec3 place)
{
  const FinitePlace near = finite_shape_place(shape, place);
  FiniteCell cell = cell_number(&shape->mesh, 0);
  while (!has_face(&cell, &near)) cell = cell_number(&shape->mesh, cell.cell + 1);
  take(&shape->mesh, place, &cell);
  return cell;
}

bool finite_cell_find(const FiniteShape *shape, vec3 place, FiniteCell *cell)
{
  assert_debug(vec3_is_finite(place) && "a place");
  const FiniteMesh *mesh = &shape->mesh;
  double nearest = ROUNDING * shape->reach[0];
  *cell = (FiniteCell){.cell = -1};
  for (int c = 0; c < mesh->cells && nearest > 0; c++) {
    FiniteCell of = cell_number(mesh, c);
    if (!(to_ball(mesh, of.node, place) < nearest)) continue;
    const double distance = take(mesh, place, &of);
    if (!(distance < nearest)) continue;
    nearest = distance;
    *cell = of;
  }
  return cell->cell >= 0;
}

FiniteCell finite_cell_at(const FiniteShape *shape, vec3 place)
{
  FiniteCell cell;
  return finite_cell_find(shape, place, &cell) ? cell : cell_outside(shape, place);
}
