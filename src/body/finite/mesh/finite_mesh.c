// Meshes of one body: places, volumes and shapes of cells.
#include "finite_mesh.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "memory.h"

static FiniteMesh mesh_new(int nodes, int cells, int corners)
{
  return (FiniteMesh){.nodes = nodes,
                      .cells = cells,
                      .corners = corners,
                      .place = memory_allocate((size_t)nodes * sizeof(vec3)),
                      .corner = memory_allocate((size_t)cells * (size_t)corners * sizeof(int))};
}

void finite_mesh_destroy(FiniteMesh *mesh)
{
  if (mesh->place) assert_debug(mesh->nodes > 0 && mesh->cells > 0 && "a mesh that was made");
  memory_free(mesh->place);
  memory_free(mesh->corner);
  *mesh = (FiniteMesh){0};
}

double finite_mesh_weight(int corner, vec3 at)
{
  double weight = 0.125;
  for (int a = 0; a < 3; a++) weight *= 1 + (corner >> a & 1 ? 1 : -1) * vec3_component(at, a);
  return weight;
}

vec3 finite_mesh_place(const vec3 corner[FINITE_HEXAHEDRON], vec3 at)
{
  vec3 sum = {0, 0, 0};
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    sum = vec3_axpy(finite_mesh_weight(c, at), corner[c], sum);
  assert_debug(vec3_is_finite(sum) && "places are numbers");
  return sum;
}

vec3 finite_mesh_slope(int corner, vec3 at)
{
  double slope[3];
  for (int by = 0; by < 3; by++) {
    slope[by] = corner >> by & 1 ? 0.125 : -0.125;
    for (int a = 0; a < 3; a++)
      if (a != by) slope[by] *= 1 + (corner >> a & 1 ? 1 : -1) * vec3_component(at, a);
  }
  return (vec3){slope[0], slope[1], slope[2]};
}

vec3 finite_mesh_point(int point)
{
  const double at = 1 / sqrt(3);
  return (vec3){point & 1 ? at : -at, point & 2 ? at : -at, point & 4 ? at : -at};
}

mat3 finite_mesh_axes(const vec3 corner[FINITE_HEXAHEDRON], vec3 at)
{
  mat3 axes = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    const vec3 slope = finite_mesh_slope(c, at);
    for (int by = 0; by < 3; by++)
      axes.row[by] = vec3_axpy(vec3_component(slope, by), corner[c], axes.row[by]);
  }
  assert_debug(vec3_is_finite(axes.row[0]) && "places are numbers");
  return axes;
}

FiniteMesh finite_mesh_hexahedra(const vec3 corner[FINITE_HEXAHEDRON], const int cells[3])
{
  const int nx = cells[0], ny = cells[1], nz = cells[2];
  assert(nx > 0 && ny > 0 && nz > 0 && "a cell along every side");
  FiniteMesh mesh = mesh_new((nx + 1) * (ny + 1) * (nz + 1), nx * ny * nz, FINITE_HEXAHEDRON);
  int n = 0;
  for (int z = 0; z <= nz; z++)
    for (int y = 0; y <= ny; y++)
      for (int x = 0; x <= nx; x++)
        mesh.place[n++] =
            finite_mesh_place(corner, (vec3){2.0 * x / nx - 1, 2.0 * y / ny - 1, 2.0 * z / nz - 1});

  int *to = mesh.corner;
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        for (int c = 0; c < FINITE_HEXAHEDRON; c++)
          *to++ = x + (c & 1) + (nx + 1) * (y + (c >> 1 & 1) + (ny + 1) * (z + (c >> 2)));
  return mesh;
}

FiniteMesh finite_mesh_tetrahedra(const FiniteMesh *hexahedra)
{
  assert(hexahedra->corners == FINITE_HEXAHEDRON && "hexahedra are parted");
  // along edges from corner 0 to corner 7, an axis at a time, in the six orders of axes
  static const int order[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
  FiniteMesh mesh = mesh_new(hexahedra->nodes, 6 * hexahedra->cells, FINITE_TETRAHEDRON);
  memcpy(mesh.place, hexahedra->place, (size_t)mesh.nodes * sizeof *mesh.place);
  int *to = mesh.corner;
  for (int cell = 0; cell < hexahedra->cells; cell++) {
    const int *of = &hexahedra->corner[FINITE_HEXAHEDRON * cell];
    for (int k = 0; k < 6; k++, to += FINITE_TETRAHEDRON) {
      const int corners[FINITE_TETRAHEDRON] = {of[0], of[order[k][0]], of[order[k][1]], of[7]};
      memcpy(to, corners, sizeof corners);
    }
  }
  return mesh;
}

FiniteMesh finite_mesh_copy(const FiniteMesh *mesh, vec3 origin)
{
  assert(mesh->cells > 0 && mesh->place != NULL && "a mesh with cells");
  const size_t corners = (size_t)mesh->cells * (size_t)mesh->corners;
  int *number = memory_allocate_zero((size_t)mesh->nodes, sizeof *number);
  for (size_t k = 0; k < corners; k++) number[mesh->corner[k]] = 1;
  int nodes = 0;
  for (int n = 0; n < mesh->nodes; n++)
    if (number[n]) number[n] = ++nodes;
  FiniteMesh copy = mesh_new(nodes, mesh->cells, mesh->corners);
  for (int n = 0; n < mesh->nodes; n++)
    if (number[n]) copy.place[number[n] - 1] = vec3_sub(mesh->place[n], origin);
  for (size_t k = 0; k < corners; k++) copy.corner[k] = number[mesh->corner[k]] - 1;
  memory_free(number);
  return copy;
}

static const int *corners_of(const FiniteMesh *mesh, int cell)
{
  assert_debug(cell >= 0 && cell < mesh->cells && "a cell of the mesh");
  return &mesh->corner[(size_t)mesh->corners * (size_t)cell];
}

// Edges from one corner of a cell to the three next ones, in the order of the right hand.
static mat3 edges_at(const FiniteMesh *mesh, const int *corner, int c)
{
  static const int next[FINITE_TETRAHEDRON][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  mat3 edges;
  const vec3 from = mesh->place[corner[c]];
  const int turned = (c & 1) + (c >> 1 & 1) + (c >> 2);   // an odd number mirrors the axes
  for (int k = 0; k < 3; k++) {
    const int axis = turned % 2 ? 2 - k : k;
    const int to = mesh->corners == FINITE_HEXAHEDRON ? c ^ 1 << axis : next[c][k];
    edges.row[k] = vec3_sub(mesh->place[corner[to]], from);
  }
  return edges;
}

// The volume of a trilinear hexahedron is that of its points of integration: its density is a
// polynomial of second degree along each axis.
double finite_mesh_volume(const FiniteMesh *mesh, int cell)
{
  const int *corner = corners_of(mesh, cell);
  if (mesh->corners == FINITE_TETRAHEDRON) return mat3_determinant(edges_at(mesh, corner, 0)) / 6;
  vec3 place[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) place[c] = mesh->place[corner[c]];
  double sum = 0;
  for (int p = 0; p < FINITE_HEXAHEDRON; p++)
    sum += mat3_determinant(finite_mesh_axes(place, finite_mesh_point(p)));
  return sum;
}

void finite_mesh_shares(const FiniteMesh *mesh, double *share)
{
  assert(mesh->nodes > 0 && share != NULL && "a share for each node");
  memset(share, 0, (size_t)mesh->nodes * sizeof *share);
  for (int cell = 0; cell < mesh->cells; cell++) {
    const int *corner = corners_of(mesh, cell);
    if (mesh->corners == FINITE_TETRAHEDRON) {
      const double quarter = finite_mesh_volume(mesh, cell) / FINITE_TETRAHEDRON;
      for (int c = 0; c < FINITE_TETRAHEDRON; c++) share[corner[c]] += quarter;
      continue;
    }
    vec3 place[FINITE_HEXAHEDRON];
    for (int c = 0; c < FINITE_HEXAHEDRON; c++) place[c] = mesh->place[corner[c]];
    for (int p = 0; p < FINITE_HEXAHEDRON; p++) {
      const vec3 at = finite_mesh_point(p);
      const double volume = mat3_determinant(finite_mesh_axes(place, at));
      for (int c = 0; c < FINITE_HEXAHEDRON; c++)
        share[corner[c]] += finite_mesh_weight(c, at) * volume;
    }
  }
}

double finite_mesh_quality(const FiniteMesh *mesh, int cell)
{
  const int *corner = corners_of(mesh, cell);
  const bool least = mesh->corners == FINITE_HEXAHEDRON;
  double quality = least ? INFINITY : -INFINITY;
  for (int c = 0; c < mesh->corners; c++) {
    const mat3 edges = edges_at(mesh, corner, c);
    const double lengths =
        vec3_norm(edges.row[0]) * vec3_norm(edges.row[1]) * vec3_norm(edges.row[2]);
    const double here = lengths > 0 ? mat3_determinant(edges) / lengths : 0;
    quality = least ? smaller_of(quality, here) : larger_of(quality, here);
  }
  return quality;
}
