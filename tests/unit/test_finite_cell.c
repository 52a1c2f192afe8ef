// Shares of a cell's corners in places within a mesh and beside it: what is linear is kept.
#include "finite_cell.h"

#include <math.h>

#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

// A block whose inner nodes and corners are shaken, of hexahedra or of tetrahedra.
static FiniteShape *shaken(Random *random, bool tetrahedra)
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){c & 1 ? 1 : -1, c & 2 ? 0.7 : -0.6, c & 4 ? 0.5 : -0.4};
  FiniteMesh mesh = finite_mesh_hexahedra(corner, (int[]){3, 2, 2});
  for (int n = 0; n < mesh.nodes; n++)
    mesh.place[n] = vec3_add(mesh.place[n], random_in_cube(random, 0.06));
  if (!tetrahedra) return finite_shape_new(mesh);
  const FiniteMesh parted = finite_mesh_tetrahedra(&mesh);
  finite_mesh_destroy(&mesh);
  return finite_shape_new(parted);
}

// Sum, middle, and a linear field of the shares in a place.
static double error_at(const FiniteShape *shape, const FiniteCell *cell, vec3 place, mat3 gradient)
{
  const vec3 *places = shape->mesh.place;
  double sum = 0;
  vec3 value = {0, 0, 0};
  for (int k = 0; k < cell->count; k++) {
    sum += cell->weight[k];
    value = vec3_axpy(cell->weight[k], mat3_mul(gradient, places[cell->node[k]]), value);
  }
  const vec3 middle = vec3_sub(finite_cell_value(cell, places), place);
  return fmax(fabs(sum - 1),
              fmax(vec3_norm(middle), vec3_norm(vec3_sub(value, mat3_mul(gradient, place)))));
}

static vec3 place_inside(Random *random, const FiniteShape *shape, int of)
{
  const FiniteMesh *mesh = &shape->mesh;
  const int *node = &mesh->corner[of * mesh->corners];
  double weight[FINITE_HEXAHEDRON], sum = 0;
  vec3 corner[FINITE_HEXAHEDRON], place = {0, 0, 0};
  for (int k = 0; k < mesh->corners; k++) corner[k] = mesh->place[node[k]];
  if (mesh->corners == FINITE_HEXAHEDRON)
    return finite_mesh_place(corner, random_in_cube(random, 0.999));
  for (int k = 0; k < mesh->corners; k++) sum += weight[k] = random_between(random, 0.01, 1);
  for (int k = 0; k < mesh->corners; k++) place = vec3_axpy(weight[k] / sum, corner[k], place);
  return place;
}

// The cell is that of the place, its shares are those of a place between its corners.
static void test_inside(Random *random, bool tetrahedra)
{
  FiniteShape *shape = shaken(random, tetrahedra);
  double worst = 0;
  for (int i = 0; i < 2000; i++) {
    const int of = i % shape->mesh.cells;
    const vec3 place = place_inside(random, shape, of);
    const FiniteCell cell = finite_cell_at(shape, place);
    const mat3 gradient = {
        {random_in_cube(random, 1), random_in_cube(random, 1), random_in_cube(random, 1)}};
    worst = fmax(worst, error_at(shape, &cell, place, gradient));
    CHECK(cell.cell == of);
    for (int k = 0; k < cell.count; k++) CHECK(cell.weight[k] > -1e-12 && cell.weight[k] < 1);
  }
  CHECK(worst < 1e-13);
  finite_shape_destroy(shape);
}

// Nodes have shares 1 and 0, wherever their cells lie.
static void test_nodes(Random *random, bool tetrahedra)
{
  FiniteShape *shape = shaken(random, tetrahedra);
  for (int n = 0; n < shape->mesh.nodes; n++) {
    const FiniteCell cell = finite_cell_at(shape, shape->mesh.place[n]);
    bool found = false;
    for (int k = 0; k < cell.count; k++) {
      const double expected = cell.node[k] == n ? 1 : 0;
      CHECK(fabs(cell.weight[k] - expected) < 1e-12);
      found |= cell.node[k] == n;
    }
    CHECK(found);
  }
  finite_shape_destroy(shape);
}

// Outside, rigid motions and uniform strains go on, from the side that is near.
static void test_outside(Random *random, bool tetrahedra)
{
  FiniteShape *shape = shaken(random, tetrahedra);
  double worst = 0;
  for (int i = 0; i < 500; i++) {
    vec3 place = random_in_cube(random, 0.4);
    place.x += place.x < 0 ? -1.3 : 1.3;
    const FiniteCell cell = finite_cell_at(shape, place);
    const mat3 gradient = {
        {random_in_cube(random, 1), random_in_cube(random, 1), random_in_cube(random, 1)}};
    worst = fmax(worst, error_at(shape, &cell, place, gradient));
    vec3 middle = {0, 0, 0};
    for (int k = 0; k < cell.count; k++) middle = vec3_add(middle, shape->mesh.place[cell.node[k]]);
    CHECK(middle.x / cell.count * place.x > 0.45);
  }
  CHECK(worst < 1e-12);
  finite_shape_destroy(shape);
}

int main(void)
{
  Random random = {31};
  for (int t = 0; t < 2; t++) {
    test_inside(&random, t == 1);
    test_nodes(&random, t == 1);
    test_outside(&random, t == 1);
  }
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
