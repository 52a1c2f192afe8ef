// Forces at places and pressures on sides as forces of nodes: sums and moments, shares of places
// inside and outside, integrals over faces of both kinds of cells.
#include "finite_loads.h"

#include <math.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

// Sides of a wedge turned against the axes: plane, none parallel to another but two.
static void wedge(mat3 turn, vec3 corner[FINITE_HEXAHEDRON])
{
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    const double side = c & 4 ? 0.7 : 1;
    const vec3 place = {(c & 1 ? side : -side), (c & 2 ? 0.5 : -0.6) * side, (c & 4 ? 0.4 : -0.3)};
    corner[c] = mat3_mul(turn, place);
  }
}

static FiniteShape *shape_of(const vec3 corner[FINITE_HEXAHEDRON], bool parted)
{
  FiniteMesh mesh = finite_mesh_hexahedra(corner, (int[]){3, 2, 4});
  if (!parted) return finite_shape_new(mesh);
  FiniteMesh tetrahedra = finite_mesh_tetrahedra(&mesh);
  finite_mesh_destroy(&mesh);
  return finite_shape_new(tetrahedra);
}

// How far the forces of nodes are from a force at a place, with its moment about the centre.
static double error_of(const FiniteShape *shape, const vec3 *nodes, vec3 place, vec3 force)
{
  vec3 sum = {0, 0, 0}, turn = {0, 0, 0};
  for (int n = 0; n < shape->mesh.nodes; n++) {
    sum = vec3_add(sum, nodes[n]);
    turn = vec3_add(turn, vec3_cross(shape->mesh.place[n], nodes[n]));
  }
  return fmax(vec3_norm(vec3_sub(sum, force)), vec3_norm(vec3_sub(turn, vec3_cross(place, force))));
}

// A place that the corners have by shares at random.
static vec3 inside(const vec3 corner[FINITE_HEXAHEDRON], Random *random)
{
  const double at[3] = {random_between(random, 0, 1), random_between(random, 0, 1),
                        random_between(random, 0, 1)};
  vec3 sum = {0, 0, 0};
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    double weight = 1;
    for (int a = 0; a < 3; a++) weight *= c >> a & 1 ? at[a] : 1 - at[a];
    sum = vec3_axpy(weight, corner[c], sum);
  }
  return sum;
}

// Forces of nodes have the sum and the moment of a force inside, however cells lean.
static void test_places(bool parted, Random *random)
{
  vec3 corner[FINITE_HEXAHEDRON];
  wedge(random_rotation(random), corner);
  FiniteShape *shape = shape_of(corner, parted);
  const size_t bytes = (size_t)shape->mesh.nodes * sizeof(vec3);
  vec3 *nodes = memory_allocate(bytes);
  for (int i = 0; i < 300; i++) {
    // every tenth is a node, every other tenth on a side
    vec3 place = inside(corner, random);
    if (i % 10 == 0) place = shape->mesh.place[i % shape->mesh.nodes];
    if (i % 10 == 1) place = shape->middle[i % shape->surface.faces];
    const vec3 force = random_in_cube(random, 1);
    memset(nodes, 0, bytes);
    finite_loads_add_force(shape, place, force, nodes);
    CHECK(error_of(shape, nodes, place, force) < 1e-14);
    int carrying = 0;
    for (int n = 0; n < shape->mesh.nodes; n++)
      carrying += vec3_norm(nodes[n]) > 1e-8 * vec3_norm(force);
    CHECK(carrying > 0 && carrying <= shape->mesh.corners);
  }
  // beside the body: at the nearest place of the surface
  const vec3 out = vec3_scale(3, shape->middle[5]), force = {1, -2, 3};
  const FinitePlace nearest = finite_shape_place(shape, out);
  memset(nodes, 0, bytes);
  finite_loads_add_force(shape, out, force, nodes);
  CHECK(error_of(shape, nodes, finite_place_value(&nearest, shape->mesh.place), force) < 1e-14);
  memory_free(nodes);
  finite_shape_destroy(shape);
}

// A force on nodes has the sum and the moment of a force at the place.
static void test_force(Random *random)
{
  vec3 corner[FINITE_HEXAHEDRON];
  wedge(random_rotation(random), corner);
  FiniteShape *shape = shape_of(corner, false);
  vec3 *nodes = memory_allocate_zero((size_t)shape->mesh.nodes, sizeof *nodes);
  vec3 force = {0, 0, 0}, moment = {0, 0, 0};
  for (int i = 0; i < 20; i++) {
    const vec3 place = inside(corner, random), more = random_in_cube(random, 2);
    finite_loads_add_force(shape, place, more, nodes);
    force = vec3_add(force, more);
    moment = vec3_add(moment, vec3_cross(place, more));
  }
  for (int n = 0; n < shape->mesh.nodes; n++) {
    force = vec3_sub(force, nodes[n]);
    moment = vec3_sub(moment, vec3_cross(shape->mesh.place[n], nodes[n]));
  }
  CHECK(vec3_norm(force) < 1e-13);
  CHECK(vec3_norm(moment) < 1e-13);
  memory_free(nodes);
  finite_shape_destroy(shape);
}

// The six sides of a hexahedron.
static const int SIDES[6][FINITE_FACE] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                          {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static void corners_of_side(const vec3 corner[FINITE_HEXAHEDRON], int side, vec3 *at)
{
  for (int k = 0; k < FINITE_FACE; k++) at[k] = corner[SIDES[side][k]];
}

// The work of a pressure p on a side in a field: that of -p n A at its centroid in a linear field,
// node by node the integral of shares else. Returns the sum of the forces.
static vec3 check_side(const FiniteShape *shape, const vec3 *at, Random *random)
{
  const FiniteSide side = {FINITE_FACE, at};
  const FinitePressure on = {1, &side, 3};
  vec3 *nodes = memory_allocate_zero((size_t)shape->mesh.nodes, sizeof *nodes);
  finite_loads_add_pressure(shape, &on, nodes);
  // by the triangles of a fan: areas and centroids
  const vec3 a = random_in_cube(random, 1), b = random_in_cube(random, 1);
  const mat3 gradient = mat3_outer(a, b);
  vec3 expected = {0, 0, 0}, sum = {0, 0, 0};
  double work = 0;
  for (int k = 1; k < 3; k++) {
    const vec3 area =
        vec3_scale(0.5, vec3_cross(vec3_sub(at[k], at[0]), vec3_sub(at[k + 1], at[0])));
    const vec3 middle = vec3_scale(1.0 / 3, vec3_add(at[0], vec3_add(at[k], at[k + 1])));
    expected = vec3_axpy(-3, area, expected);
    work -= 3 * vec3_dot(area, mat3_mul(gradient, middle));
  }
  for (int n = 0; n < shape->mesh.nodes; n++) {
    sum = vec3_add(sum, nodes[n]);
    work -= vec3_dot(nodes[n], mat3_mul(gradient, shape->mesh.place[n]));
  }
  CHECK(vec3_norm(vec3_sub(sum, expected)) < 1e-13);
  CHECK_NEAR(work, 0, 1e-13);
  memory_free(nodes);
  return sum;
}

static void test_pressure(bool parted, Random *random)
{
  vec3 corner[FINITE_HEXAHEDRON], at[FINITE_FACE];
  wedge(random_rotation(random), corner);
  FiniteShape *shape = shape_of(corner, parted);
  vec3 all = {0, 0, 0};
  for (int s = 0; s < 6; s++) {
    corners_of_side(corner, s, at);
    all = vec3_add(all, check_side(shape, at, random));
  }
  CHECK(vec3_norm(all) < 1e-12);   // a closed surface
  finite_shape_destroy(shape);
}

// Known numbers: two cells a side, of a square of 4 m2 under 1 Pa. A side in two triangles, whose
// common edge goes through the middles of faces, counts every face once.
static void test_square(void)
{
  vec3 corner[FINITE_HEXAHEDRON], at[FINITE_FACE];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1};
  FiniteShape *shape = finite_shape_new(finite_mesh_hexahedra(corner, (int[]){2, 2, 2}));
  corners_of_side(corner, 5, at);
  const vec3 halves[2][3] = {{at[0], at[1], at[2]}, {at[0], at[2], at[3]}};
  const FiniteSide whole = {4, at}, parts[2] = {{3, halves[0]}, {3, halves[1]}};
  const FinitePressure on[2] = {{1, &whole, 1}, {2, parts, 1}};
  for (int way = 0; way < 2; way++) {
    vec3 nodes[27];
    memset(nodes, 0, sizeof nodes);
    finite_loads_add_pressure(shape, &on[way], nodes);
    for (int n = 0; n < 27; n++) {
      const vec3 z = shape->mesh.place[n];
      const double expected =
          z.z < 0.5 ? 0 : -(fabs(z.x) < 0.5 ? 1 : 0.5) * (fabs(z.y) < 0.5 ? 1 : 0.5);
      CHECK_NEAR(nodes[n].z, expected, 1e-15);
      CHECK(nodes[n].x == 0 && nodes[n].y == 0);
    }
  }
  // a part of it has the faces whose middles are there, none on the other side of the body
  const vec3 quarter[4] = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const FiniteSide corner_side = {4, quarter};
  const FinitePressure some = {1, &corner_side, 1};
  vec3 nodes[27];
  memset(nodes, 0, sizeof nodes);
  finite_loads_add_pressure(shape, &some, nodes);
  int pushed = 0;
  for (int n = 0; n < 27; n++) {
    if (nodes[n].z == 0) continue;
    pushed++;
    CHECK_NEAR(nodes[n].z, -0.25, 1e-15);
  }
  CHECK(pushed == 4);
  finite_shape_destroy(shape);
}

int main(void)
{
  Random random = {31};
  for (int parted = 0; parted < 2; parted++) {
    test_places(parted, &random);
    test_pressure(parted, &random);
  }
  test_force(&random);
  test_square();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
