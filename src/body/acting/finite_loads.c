// Forces of nodes by shares: of a cell's corners in a place, of a face's corners in its area.
#include "finite_loads.h"

#include <assert.h>

#include "check.h"
#include "finite_cell.h"

#define PARALLEL 1e-6   // sine of the angle between a face and the side that it lies on
#define ON_SIDE 1e-6    // of the size of a face: how far from the side its middle may be

void finite_loads_add_force(const FiniteShape *shape, vec3 place, vec3 force, vec3 *nodes)
{
  assert(nodes != NULL && "nodes have forces");
  FiniteCell cell;
  if (finite_cell_find(shape, place, &cell)) {
    for (int k = 0; k < cell.count; k++)
      nodes[cell.node[k]] = vec3_axpy(cell.weight[k], force, nodes[cell.node[k]]);
    return;
  }
  const FinitePlace nearest = finite_shape_place(shape, place);
  for (int k = 0; k < FINITE_FACE; k++)
    nodes[nearest.node[k]] = vec3_axpy(nearest.weight[k], force, nodes[nearest.node[k]]);
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

// The integral of the corners' shares over a face, times its normal.
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
  for (int k = 0; k < FINITE_FACE; k++) at[k] = shape->mesh.place[corner[k]];
  finite_surface_areas(at, areas);
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
