// Surfaces of meshes: faces that one cell has are outside; places by their bilinear coordinates.
#include "finite_surface.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "order.h"

typedef struct {
  int sorted[FINITE_FACE];   // nodes, ascending; -1 behind the last
  int turned[FINITE_FACE];   // as they turn about the outward normal, the lowest first
  int cell;
} CellSide;

static int order_sorted(const void *a, const void *b)
{
  const CellSide *x = a, *y = b;
  int order = 0;
  for (int k = 0; k < FINITE_FACE && !order; k++) order = order_int(x->sorted[k], y->sorted[k]);
  return order;
}

static int order_sides(const void *a, const void *b)
{
  const int order = order_sorted(a, b);
  return order ? order : order_int(((const CellSide *)a)->cell, ((const CellSide *)b)->cell);
}

// Corners of a cell's faces, outward by the right hand.
static const int of_tetrahedron[4][FINITE_FACE] = {
    {0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}};
static const int of_hexahedron[6][FINITE_FACE] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                  {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static CellSide cell_face(const int *nodes, const int *corner, int corners)
{
  CellSide face = {.cell = 0};
  int lowest = 0;
  for (int k = 0; k < FINITE_FACE; k++) {
    face.sorted[k] = face.turned[k] = -1;
    if (k < corners && nodes[corner[k]] < nodes[corner[lowest]]) lowest = k;
  }
  for (int k = 0; k < corners; k++)
    face.sorted[k] = face.turned[k] = nodes[corner[(lowest + k) % corners]];
  qsort(face.sorted, (size_t)corners, sizeof(int), order_ints);
  return face;
}

// The faces of all cells, those with the same nodes one after another (memory_free).
static CellSide *sides_of(const FiniteMesh *mesh, size_t *count)
{
  assert(mesh->cells > 0 && "a mesh with cells");
  const bool hexahedra = mesh->corners == FINITE_HEXAHEDRON;
  const int each = hexahedra ? 6 : 4, corners = hexahedra ? 4 : 3;
  const size_t all = (size_t)each * (size_t)mesh->cells;
  CellSide *faces = memory_allocate(all * sizeof *faces);
  for (size_t f = 0; f < all; f++) {
    const size_t cell = f / (size_t)each, k = f % (size_t)each;
    faces[f] = cell_face(&mesh->corner[cell * (size_t)mesh->corners],
                         hexahedra ? of_hexahedron[k] : of_tetrahedron[k], corners);
    faces[f].cell = (int)cell;
  }
  qsort(faces, all, sizeof *faces, order_sides);
  *count = all;
  return faces;
}

FiniteSurface finite_surface_new(const FiniteMesh *mesh)
{
  const int corners = mesh->corners == FINITE_HEXAHEDRON ? 4 : 3;
  size_t all;
  CellSide *faces = sides_of(mesh, &all);
  size_t kept = 0;
  for (size_t f = 0, end; f < all; f = end) {
    for (end = f + 1; end < all && order_sorted(&faces[f], &faces[end]) == 0; end++) continue;
    if (end == f + 1) faces[kept++] = faces[f];
  }
  FiniteSurface surface = {.faces = (int)kept,
                           .corners = corners,
                           .corner = memory_allocate((kept + 1) * FINITE_FACE * sizeof(int)),
                           .cell = memory_allocate((kept + 1) * sizeof(int))};
  for (size_t f = 0; f < kept; f++) {
    memcpy(&surface.corner[f * (size_t)corners], faces[f].turned, (size_t)corners * sizeof(int));
    surface.cell[f] = faces[f].cell;
  }
  memory_free(faces);
  return surface;
}

int finite_surface_inner(const FiniteMesh *mesh, FiniteInnerFace **faces)
{
  assert(faces != NULL && "faces have a place");
  size_t all;
  CellSide *sides = sides_of(mesh, &all);
  *faces = memory_allocate((all / 2 + 1) * sizeof **faces);
  int count = 0;
  for (size_t f = 0; f + 1 < all; f++) {
    if (order_sorted(&sides[f], &sides[f + 1]) != 0) continue;
    FiniteInnerFace *face = &(*faces)[count++];
    *face = (FiniteInnerFace){.cell = {sides[f].cell, sides[f + 1].cell}};
    memcpy(face->corner, sides[f].turned, sizeof face->corner);
  }
  memory_free(sides);
  return count;
}

void finite_surface_destroy(FiniteSurface *surface)
{
  if (surface->corner) assert_debug(surface->corners > 2 && "a surface that was made");
  memory_free(surface->corner);
  memory_free(surface->cell);
  *surface = (FiniteSurface){0};
}

static void places_of(const FiniteMesh *mesh, const FiniteSurface *surface, int face, vec3 *at)
{
  assert_debug(face >= 0 && face < surface->faces && "a face of the surface");
  const int *corner = &surface->corner[(size_t)surface->corners * (size_t)face];
  for (int k = 0; k < surface->corners; k++) at[k] = mesh->place[corner[k]];
}

// A triangle counts its last corner twice.
static vec3 area_of(const vec3 *at, int corners)
{
  const vec3 last = at[corners - 1];
  return vec3_scale(0.5, vec3_cross(vec3_sub(at[2], at[0]), vec3_sub(last, at[1])));
}

vec3 finite_surface_area(const FiniteMesh *mesh, const FiniteSurface *surface, int face)
{
  vec3 at[FINITE_FACE];
  places_of(mesh, surface, face, at);
  assert_debug(vec3_is_finite(at[0]) && "places are numbers");
  return area_of(at, surface->corners);
}

// By two points of integration a side, exact for a product of shares and areas, both linear a side.
void finite_surface_areas(const vec3 at[FINITE_FACE], vec3 areas[FINITE_FACE])
{
  assert_debug(vec3_is_finite(at[0]) && "places are numbers");
  for (int k = 0; k < FINITE_FACE; k++) areas[k] = (vec3){0, 0, 0};
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

// Coordinates of a place in a triangle, by areas.
static void triangle_weights(const vec3 *at, vec3 normal, vec3 place, double *weights)
{
  const double square = vec3_dot(normal, normal);
  for (int k = 0; k < 3; k++) {
    const vec3 from = at[(k + 1) % 3], to = at[(k + 2) % 3];
    const vec3 part = vec3_cross(vec3_sub(to, from), vec3_sub(place, from));
    weights[k] = 0.5 * vec3_dot(part, normal) / square;
  }
}

// Newton steps for the two coordinates, 0 to 1, of a place in a quadrilateral, in its plane.
static void quadrilateral_weights(const vec3 *at, vec3 normal, vec3 place, double *weights)
{
  double x = 0.5, y = 0.5;
  const double square = vec3_dot(normal, normal);
  for (int newton = 0; newton < 30; newton++) {
    const vec3 low = vec3_axpy(x, vec3_sub(at[1], at[0]), at[0]);
    const vec3 high = vec3_axpy(x, vec3_sub(at[2], at[3]), at[3]);
    const vec3 by_y = vec3_sub(high, low);
    const vec3 by_x =
        vec3_add(vec3_scale(1 - y, vec3_sub(at[1], at[0])), vec3_scale(y, vec3_sub(at[2], at[3])));
    const vec3 off = vec3_sub(place, vec3_axpy(y, by_y, low));
    const double area = vec3_dot(vec3_cross(by_x, by_y), normal);
    if (!(fabs(area) > 1e-12 * square)) break;
    const double dx = vec3_dot(vec3_cross(off, by_y), normal) / area;
    const double dy = vec3_dot(vec3_cross(by_x, off), normal) / area;
    x += dx;
    y += dy;
    if (fabs(dx) + fabs(dy) < 1e-15) break;
  }
  weights[0] = (1 - x) * (1 - y);
  weights[1] = x * (1 - y);
  weights[2] = x * y;
  weights[3] = (1 - x) * y;
}

void finite_surface_weights(const FiniteMesh *mesh, const FiniteSurface *surface, int face,
                            vec3 place, double weights[FINITE_FACE])
{
  vec3 at[FINITE_FACE];
  places_of(mesh, surface, face, at);
  const vec3 normal = area_of(at, surface->corners);
  assert(vec3_norm(normal) > 0 && "a face has an area");
  weights[FINITE_FACE - 1] = 0;
  if (surface->corners == 3) triangle_weights(at, normal, place, weights);
  else quadrilateral_weights(at, normal, place, weights);
}
