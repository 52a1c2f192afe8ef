// Forces of nodes by shares: of a cell's corners in a place, of a face's corners in its area.
#include "finite_loads.h"

#include <assert.h>

#include "check.h"

#define OUTSIDE 1e-9    // of a cell: places on its sides count
#define PARALLEL 1e-6   // sine of the angle between a face and the side that it lies on
#define ON_SIDE 1e-6    // of the size of a face: how far from the side its middle may be

// ------------------------------------------------------------------------------------------------
// Places

// What the corners of a hexahedron have of a place by its coordinates.
static void hexahedron_weights(vec3 at, double *weight)
{
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    weight[c] = 0.125;
    for (int a = 0; a < 3; a++) weight[c] *= 1 + (c >> a & 1 ? 1 : -1) * vec3_component(at, a);
  }
}

static vec3 middle_of(const vec3 *corner, const double *weight, int count)
{
  vec3 sum = {0, 0, 0};
  for (int c = 0; c < count; c++) sum = vec3_axpy(weight[c], corner[c], sum);
  return sum;
}

// Coordinates by Newton steps; false where the place is not in the cell.
static bool in_hexahedron(const vec3 *corner, vec3 place, double *weight)
{
  vec3 at = {0, 0, 0};
  for (int newton = 0; newton < 30; newton++) {
    hexahedron_weights(at, weight);
    const vec3 miss = vec3_sub(place, middle_of(corner, weight, FINITE_HEXAHEDRON));
    const mat3 axes = finite_mesh_axes(corner, at);
    if (!(mat3_determinant(axes) > 0)) return false;
    const vec3 step = mat3_mul(mat3_inverse(mat3_transpose(axes)), miss);
    at = vec3_add(at, step);
    if (vec3_dot(step, step) < 1e-30) break;
  }
  hexahedron_weights(at, weight);
  return fabs(at.x) <= 1 + OUTSIDE && fabs(at.y) <= 1 + OUTSIDE && fabs(at.z) <= 1 + OUTSIDE;
}

static bool in_tetrahedron(const vec3 *corner, vec3 place, double *weight)
{
  const mat3 edges = {{vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]),
                       vec3_sub(corner[3], corner[0])}};
  const vec3 at = mat3_mul(mat3_inverse(mat3_transpose(edges)), vec3_sub(place, corner[0]));
  const double of[FINITE_TETRAHEDRON] = {1 - at.x - at.y - at.z, at.x, at.y, at.z};
  bool inside = true;
  for (int c = 0; c < FINITE_TETRAHEDRON; c++) {
    weight[c] = of[c];
    inside = inside && of[c] >= -OUTSIDE;
  }
  return inside;
}

// Whether a place is in the box of a cell, and a little beyond.
static bool is_near(const vec3 *corner, int count, vec3 place)
{
  assert_debug(count >= FINITE_TETRAHEDRON && "a cell has corners");
  for (int a = 0; a < 3; a++) {
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < count; c++) {
      low = fmin(low, vec3_component(corner[c], a));
      high = fmax(high, vec3_component(corner[c], a));
    }
    const double room = 2 * OUTSIDE * (high - low), at = vec3_component(place, a);
    if (at < low - room || at > high + room) return false;
  }
  return true;
}

static FiniteCarriers on_surface(const FiniteShape *shape, vec3 place)
{
  const FinitePlace nearest = finite_shape_place(shape, place);
  FiniteCarriers on = {.count = FINITE_FACE};
  for (int k = 0; k < FINITE_FACE; k++) {
    on.node[k] = nearest.node[k];
    on.weight[k] = nearest.weight[k];
  }
  return on;
}

FiniteCarriers finite_loads_carriers(const FiniteShape *shape, vec3 place)
{
  assert_debug(vec3_is_finite(place) && "a place");
  const FiniteMesh *mesh = &shape->mesh;
  for (int cell = 0; cell < mesh->cells; cell++) {
    const int *node = &mesh->corner[(size_t)cell * (size_t)mesh->corners];
    vec3 corner[FINITE_CARRIERS];
    for (int c = 0; c < mesh->corners; c++) corner[c] = mesh->place[node[c]];
    if (!is_near(corner, mesh->corners, place)) continue;
    FiniteCarriers in = {.count = mesh->corners};
    const bool inside = mesh->corners == FINITE_HEXAHEDRON
                            ? in_hexahedron(corner, place, in.weight)
                            : in_tetrahedron(corner, place, in.weight);
    if (!inside) continue;
    for (int c = 0; c < mesh->corners; c++) in.node[c] = node[c];
    return in;
  }
  return on_surface(shape, place);
}

void finite_loads_add_force(const FiniteShape *shape, vec3 place, vec3 force, vec3 *nodes)
{
  assert(nodes != NULL && "nodes have forces");
  const FiniteCarriers by = finite_loads_carriers(shape, place);
  for (int k = 0; k < by.count; k++)
    nodes[by.node[k]] = vec3_axpy(by.weight[k], force, nodes[by.node[k]]);
}

// ------------------------------------------------------------------------------------------------
// Pressures

// Outward, zero where the side has no area.
static vec3 normal_of(const FiniteSide *side)
{
  vec3 sum = {0, 0, 0};
  for (int k = 1; k + 1 < side->count; k++)
    sum = vec3_add(sum, vec3_cross(vec3_sub(side->corner[k], side->corner[0]),
                                   vec3_sub(side->corner[k + 1], side->corner[0])));
  const double size = vec3_norm(sum);
  return size > 0 ? vec3_scale(1 / size, sum) : sum;
}

static bool lies_on(const FiniteShape *shape, int face, const FiniteSide *side)
{
  assert_debug(side->count > 2 && "a side has corners");
  const vec3 area = finite_surface_area(&shape->mesh, &shape->surface, face);
  const vec3 normal = normal_of(side), middle = shape->middle[face];
  const double size = vec3_norm(area), room = ON_SIDE * shape->reach[face];
  if (!(vec3_dot(area, normal) > 0)) return false;
  if (vec3_norm(vec3_cross(area, normal)) > PARALLEL * size) return false;
  if (fabs(vec3_dot(vec3_sub(middle, side->corner[0]), normal)) > room) return false;
  for (int k = 0; k < side->count; k++) {
    const vec3 from = side->corner[k], along = vec3_sub(side->corner[(k + 1) % side->count], from);
    const vec3 inwards = vec3_cross(normal, along);
    if (vec3_dot(vec3_sub(middle, from), inwards) < -room * vec3_norm(along)) return false;
  }
  return true;
}

// The integral of the corners' shares over a face, times its normal: of quadrilaterals by two
// points of integration a side, exact for a product of shares and areas, both linear a side.
static void face_areas(const FiniteShape *shape, int face, vec3 areas[FINITE_FACE])
{
  const FiniteSurface *surface = &shape->surface;
  const int *corner = &surface->corner[(size_t)face * (size_t)surface->corners];
  if (surface->corners == 3) {
    const vec3 third = vec3_scale(1.0 / 3, finite_surface_area(&shape->mesh, surface, face));
    for (int k = 0; k < FINITE_FACE; k++) areas[k] = k < 3 ? third : (vec3){0, 0, 0};
    return;
  }
  vec3 at[FINITE_FACE];
  for (int k = 0; k < FINITE_FACE; k++) {
    at[k] = shape->mesh.place[corner[k]];
    areas[k] = (vec3){0, 0, 0};
  }
  const double near = 0.5 - 0.5 / sqrt(3);
  for (int p = 0; p < 4; p++) {
    const double x = p & 1 ? 1 - near : near, y = p & 2 ? 1 - near : near;
    const vec3 by_x =
        vec3_add(vec3_scale(1 - y, vec3_sub(at[1], at[0])), vec3_scale(y, vec3_sub(at[2], at[3])));
    const vec3 by_y =
        vec3_add(vec3_scale(1 - x, vec3_sub(at[3], at[0])), vec3_scale(x, vec3_sub(at[2], at[1])));
    const vec3 quarter = vec3_scale(0.25, vec3_cross(by_x, by_y));
    const double weight[FINITE_FACE] = {(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y};
    for (int k = 0; k < FINITE_FACE; k++) areas[k] = vec3_axpy(weight[k], quarter, areas[k]);
  }
}

void finite_loads_add_pressure(const FiniteShape *shape, const FinitePressure *on, vec3 *nodes)
{
  assert(on->count >= 0 && nodes != NULL && "sides, and nodes with forces");
  const FiniteSurface *surface = &shape->surface;
  for (int f = 0; f < surface->faces; f++) {
    int side = 0;
    while (side < on->count && !lies_on(shape, f, &on->sides[side])) side++;
    if (side == on->count) continue;
    vec3 areas[FINITE_FACE];
    face_areas(shape, f, areas);
    for (int k = 0; k < surface->corners; k++) {
      const int n = surface->corner[f * surface->corners + k];
      nodes[n] = vec3_axpy(-on->pressure, areas[k], nodes[n]);
    }
  }
}
