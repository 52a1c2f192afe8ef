// Places on the surface of a mesh, and means over its cells.
#include "finite_shape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "order.h"

// Share of a node in a place above which the place is the node's: about 2e-3 of a cell away. Where
// three bodies meet the places of their three pairs are apart by the little that they have slid;
// nodes that meet there must not be asked to deform over that distance.
#define AT_NODE (1 - 4e-3)

// Adds weight times the slopes of a cell's corners by reference places.
static void add_tetrahedron(const FiniteMesh *mesh, const int *node, vec3 *slope)
{
  const vec3 a = mesh->place[node[0]];
  const vec3 b = vec3_sub(mesh->place[node[1]], a), c = vec3_sub(mesh->place[node[2]], a),
             d = vec3_sub(mesh->place[node[3]], a);
  const vec3 of[4] = {{0, 0, 0}, vec3_cross(c, d), vec3_cross(d, b), vec3_cross(b, c)};
  for (int k = 1; k < 4; k++) {
    slope[node[k]] = vec3_axpy(1.0 / 6, of[k], slope[node[k]]);
    slope[node[0]] = vec3_axpy(-1.0 / 6, of[k], slope[node[0]]);
  }
}

static void add_hexahedron(const FiniteMesh *mesh, const int *node, vec3 *slope)
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int k = 0; k < FINITE_HEXAHEDRON; k++) corner[k] = mesh->place[node[k]];
  for (int p = 0; p < FINITE_HEXAHEDRON; p++) {
    const vec3 at = finite_mesh_point(p);
    const mat3 axes = finite_mesh_axes(corner, at);
    const mat3 inverse = mat3_inverse(axes);
    const double volume = mat3_determinant(axes);
    for (int k = 0; k < FINITE_HEXAHEDRON; k++)
      slope[node[k]] =
          vec3_axpy(volume, mat3_mul(inverse, finite_mesh_slope(k, at)), slope[node[k]]);
  }
}

static void make_means(FiniteShape *shape)
{
  const FiniteMesh *mesh = &shape->mesh;
  shape->slope = memory_allocate_zero((size_t)mesh->nodes, sizeof(vec3));
  double volume = 0;
  for (int c = 0; c < mesh->cells; c++) {
    const int *node = &mesh->corner[(size_t)c * (size_t)mesh->corners];
    if (mesh->corners == FINITE_TETRAHEDRON) add_tetrahedron(mesh, node, shape->slope);
    else add_hexahedron(mesh, node, shape->slope);
    volume += finite_mesh_volume(mesh, c);
  }
  for (int n = 0; n < mesh->nodes; n++) shape->slope[n] = vec3_scale(1 / volume, shape->slope[n]);
}

static void make_faces(FiniteShape *shape)
{
  const FiniteSurface *surface = &shape->surface;
  const size_t faces = (size_t)surface->faces, corners = (size_t)surface->corners;
  shape->middle = memory_allocate(faces * sizeof(vec3));
  shape->reach = memory_allocate(faces * sizeof(double));
  shape->shortest = INFINITY;
  for (size_t f = 0; f < faces; f++) {
    vec3 sum = {0, 0, 0};
    for (size_t k = 0; k < corners; k++)
      sum = vec3_add(sum, shape->mesh.place[surface->corner[f * corners + k]]);
    shape->middle[f] = vec3_scale(1.0 / surface->corners, sum);
    shape->reach[f] = 0;
    for (size_t k = 0; k < corners; k++) {
      const vec3 to = shape->mesh.place[surface->corner[f * corners + k]];
      const vec3 next = shape->mesh.place[surface->corner[f * corners + (k + 1) % corners]];
      shape->reach[f] = fmax(shape->reach[f], vec3_norm(vec3_sub(to, shape->middle[f])));
      shape->shortest = fmin(shape->shortest, vec3_norm(vec3_sub(next, to)));
    }
  }
}

FiniteShape *finite_shape_new(FiniteMesh mesh)
{
  assert(mesh.cells > 0 && mesh.place != NULL && "a mesh with cells");
  FiniteShape *shape = memory_allocate_zero(1, sizeof *shape);
  shape->mesh = mesh;
  shape->surface = finite_surface_new(&mesh);
  make_means(shape);
  make_faces(shape);
  return shape;
}

void finite_shape_destroy(FiniteShape *shape)
{
  if (!shape) return;
  assert_debug(shape->mesh.cells > 0 && "a shape that was made");
  finite_mesh_destroy(&shape->mesh);
  finite_surface_destroy(&shape->surface);
  memory_free(shape->slope);
  memory_free(shape->middle);
  memory_free(shape->reach);
  memory_free(shape->cut);
  memory_free(shape->seams);
  memory_free(shape);
}

// Are all corners of a face on one of the sides of a block?
static bool is_on_sides(const FiniteShape *shape, int face, const int cells[3], unsigned sides)
{
  const int *corner = &shape->surface.corner[face * shape->surface.corners];
  for (int side = 0; side < 6; side++) {
    if (!(sides >> side & 1)) continue;
    bool on = true;
    for (int k = 0; k < shape->surface.corners; k++) {
      int at = corner[k];
      for (int a = 0; a < side / 2; a++) at /= cells[a] + 1;
      on = on && at % (cells[side / 2] + 1) == (side % 2 ? cells[side / 2] : 0);
    }
    if (on) return true;
  }
  return false;
}

typedef struct {
  int low, high;   // nodes
} FaceSide;

static int order_sides(const void *a, const void *b)
{
  const FaceSide *x = a, *y = b;
  const int order = order_int(x->low, y->low);
  return order ? order : order_int(x->high, y->high);
}

static FaceSide side_of(const FiniteSurface *surface, int face, int side)
{
  const int *corner = &surface->corner[face * surface->corners];
  const int a = corner[side], b = corner[(side + 1) % surface->corners];
  return (FaceSide){a < b ? a : b, a < b ? b : a};
}

// Which sides of faces are sides of cuts, which are marked.
static void find_seams(FiniteShape *shape)
{
  assert(shape->cut != NULL && shape->seams == NULL && "cuts are marked, once");
  const FiniteSurface *surface = &shape->surface;
  const size_t faces = (size_t)surface->faces;
  FaceSide *sides = memory_allocate((faces * FINITE_FACE + 1) * sizeof *sides);
  int count = 0;
  for (int f = 0; f < surface->faces; f++)
    for (int k = 0; k < surface->corners && shape->cut[f]; k++)
      sides[count++] = side_of(surface, f, k);
  qsort(sides, (size_t)count, sizeof *sides, order_sides);
  shape->seams = memory_allocate_zero(faces, 1);
  for (int f = 0; f < surface->faces; f++)
    for (int k = 0; k < surface->corners; k++) {
      const FaceSide side = side_of(surface, f, k);
      if (bsearch(&side, sides, (size_t)count, sizeof side, order_sides))
        shape->seams[f] |= (unsigned char)(1 << k);
    }
  memory_free(sides);
}

void finite_shape_cut_sides(FiniteShape *shape, const int cells[3], unsigned sides)
{
  assert(shape->cut == NULL && cells[0] > 0 && "a block, once");
  const int faces = shape->surface.faces;
  shape->cut = memory_allocate((size_t)faces * sizeof *shape->cut);
  for (int f = 0; f < faces; f++) shape->cut[f] = is_on_sides(shape, f, cells, sides);
  find_seams(shape);
}

// Faces of both ascend by their nodes and turn from the lowest one on (finite_surface.h).
void finite_shape_cut_beside(FiniteShape *shape, const FiniteSurface *outer)
{
  assert(shape->cut == NULL && outer->corners == shape->surface.corners && "a piece, once");
  const FiniteSurface *surface = &shape->surface;
  const size_t corners = (size_t)surface->corners;
  shape->cut = memory_allocate((size_t)surface->faces * sizeof *shape->cut);
  size_t next = 0;
  for (int f = 0; f < surface->faces; f++) {
    const int *corner = &surface->corner[(size_t)f * corners];
    shape->cut[f] = next == (size_t)outer->faces ||
                    memcmp(corner, &outer->corner[next * corners], corners * sizeof(int)) != 0;
    next += !shape->cut[f];
  }
  assert(next == (size_t)outer->faces && "the larger body's faces are faces of its pieces");
  find_seams(shape);
}

// Shares that are below zero, outside the face, go; the others add up to 1.
static FinitePlace place_on(const FiniteShape *shape, int face, vec3 place)
{
  const FiniteSurface *surface = &shape->surface;
  const int *corner = &surface->corner[(size_t)face * (size_t)surface->corners];
  FinitePlace on = {.face = face};
  finite_surface_weights(&shape->mesh, surface, face, place, on.weight);
  double sum = 0;
  for (int k = 0; k < FINITE_FACE; k++) {
    on.node[k] = corner[k < surface->corners ? k : surface->corners - 1];
    on.weight[k] = fmax(on.weight[k], 0);
    sum += on.weight[k];
  }
  for (int k = 0; k < FINITE_FACE; k++) on.weight[k] /= sum;
  for (int k = 0; k < FINITE_FACE; k++)
    if (on.weight[k] > AT_NODE) {
      for (int j = 0; j < FINITE_FACE; j++) on.weight[j] = j == k;
      break;
    }
  return on;
}

FinitePlace finite_shape_place_among(const FiniteShape *shape, const int *faces, int count,
                                     vec3 place)
{
  assert_debug(vec3_is_finite(place) && "a place");
  FinitePlace best = {.face = -1};
  double nearest = INFINITY;
  for (int k = 0; k < count; k++) {
    const int f = faces ? faces[k] : k;
    const vec3 apart = vec3_sub(place, shape->middle[f]);
    const double least = shape->reach[f] + nearest;
    if (best.face >= 0 && vec3_dot(apart, apart) > least * least) continue;
    const FinitePlace on = place_on(shape, f, place);
    const double distance = vec3_norm(vec3_sub(place, finite_place_value(&on, shape->mesh.place)));
    if (!(distance < nearest)) continue;
    nearest = distance;
    best = on;
  }
  assert(best.face >= 0 && "there is some face");
  return best;
}

FinitePlace finite_shape_place(const FiniteShape *shape, vec3 place)
{
  assert_debug(shape->surface.faces > 0 && "a mesh has a surface");
  return finite_shape_place_among(shape, NULL, shape->surface.faces, place);
}

mat3 finite_shape_gradient(const FiniteShape *shape, const vec3 *values)
{
  assert_debug(values != NULL && "a value of each node");
  mat3 sum = mat3_diagonal(0, 0, 0);
  for (int n = 0; n < shape->mesh.nodes; n++)
    sum = mat3_add(sum, mat3_outer(values[n], shape->slope[n]));
  return sum;
}
