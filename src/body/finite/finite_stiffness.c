// Stiffness of meshes: numbers of patches of nodes, a cell or the tetrahedra about an edge, added
// to the blocks of pairs of nodes.
#include "finite_stiffness.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "lane.h"
#include "memory.h"
#include "order.h"
#include "search.h"

enum { ROWS = 3 * FINITE_SLOPES };

// ------------------------------------------------------------------------------------------------
// Hexahedra

// Takes the last unknowns out of a symmetric matrix: what is left resists as if they were free.
static void condense(double matrix[ROWS * ROWS], int kept)
{
  for (int p = ROWS - 1; p >= kept; p--) {
    const double *pivot = &matrix[ROWS * p];
    assert_debug(pivot[p] > 0 && "modes strain the cell");
    for (int i = 0; i < p; i++) {
      const double share = matrix[ROWS * i + p] / pivot[p];
      for (int j = 0; j < p; j++) matrix[ROWS * i + j] -= share * pivot[j];
    }
  }
}

// The stiffness of a cell; false where it has no volume at a point of integration.
static bool hexahedron_stiffness(const vec3 corner[FINITE_HEXAHEDRON], FiniteLame lame,
                                 double matrix[ROWS * ROWS])
{
  vec3 slope[FINITE_SLOPES];
  FiniteStrain strain = {.slope = slope};
  memset(matrix, 0, ROWS * ROWS * sizeof *matrix);
  for (int p = 0; p < FINITE_HEXAHEDRON; p++) {
    if (!finite_strain_hexahedron(corner, finite_mesh_point(p), &strain)) return false;
    for (int i = 0; i < FINITE_SLOPES; i++) {
      for (int j = 0; j < FINITE_SLOPES; j++) {
        double block[FINITE_BLOCK];
        finite_strain_block(lame, &strain, i, j, block);
        for (int k = 0; k < FINITE_BLOCK; k++)
          matrix[ROWS * (3 * i + k / 3) + 3 * j + k % 3] += block[k];
      }
    }
  }
  condense(matrix, 3 * FINITE_HEXAHEDRON);
  return true;
}

// ------------------------------------------------------------------------------------------------
// Patches: the nodes whose pairs get numbers together

typedef struct {
  int count;
  int *start;   // [count + 1]
  int *node;    // [start[count]]
  int *cell;    // [count * 2] of tetrahedra: where the list of an edge begins and ends in of
  int *of;      // cells about edges
} Patches;

static void patches_destroy(Patches *patches)
{
  memory_free(patches->start);
  memory_free(patches->node);
  memory_free(patches->cell);
  memory_free(patches->of);
}

// Each cell with its corners.
static Patches cell_patches(const FiniteMesh *mesh)
{
  const size_t corners = (size_t)mesh->corners * (size_t)mesh->cells;
  Patches patches = {.count = mesh->cells,
                     .start = memory_allocate(((size_t)mesh->cells + 1) * sizeof(int)),
                     .node = memory_allocate(corners * sizeof(int))};
  for (int cell = 0; cell <= mesh->cells; cell++) patches.start[cell] = mesh->corners * cell;
  memcpy(patches.node, mesh->corner, corners * sizeof(int));
  return patches;
}

typedef struct {
  int low, high, cell;
} CellEdge;

static int order_edges(const void *a, const void *b)
{
  const CellEdge *x = a, *y = b;
  const int low = order_int(x->low, y->low), high = order_int(x->high, y->high);
  return low ? low : high ? high : order_int(x->cell, y->cell);
}

// Each edge with the corners of the tetrahedra about it.
static Patches edge_patches(const FiniteMesh *mesh)
{
  const int all = 6 * mesh->cells;
  CellEdge *edges = memory_allocate((size_t)all * sizeof *edges);
  int count = 0;
  for (int cell = 0; cell < mesh->cells; cell++) {
    const int *corner = &mesh->corner[FINITE_TETRAHEDRON * cell];
    for (int i = 0; i < FINITE_TETRAHEDRON; i++)
      for (int j = i + 1; j < FINITE_TETRAHEDRON; j++)
        edges[count++] = corner[i] < corner[j] ? (CellEdge){corner[i], corner[j], cell}
                                               : (CellEdge){corner[j], corner[i], cell};
  }
  qsort(edges, (size_t)all, sizeof *edges, order_edges);

  Patches patches = {.start = memory_allocate(((size_t)all + 1) * sizeof(int)),
                     .node = memory_allocate((size_t)all * FINITE_TETRAHEDRON * sizeof(int)),
                     .cell = memory_allocate((size_t)all * 2 * sizeof(int)),
                     .of = memory_allocate((size_t)all * sizeof(int))};
  int *mark = memory_allocate_zero((size_t)mesh->nodes, sizeof *mark);
  int used = 0;
  for (int begin = 0, end; begin < all; begin = end) {
    patches.start[patches.count] = used;
    patches.cell[2 * patches.count] = begin;
    for (end = begin;
         end < all && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high;
         end++) {
      patches.of[end] = edges[end].cell;
      for (int c = 0; c < FINITE_TETRAHEDRON; c++) {
        const int node = mesh->corner[FINITE_TETRAHEDRON * edges[end].cell + c];
        if (mark[node] == patches.count + 1) continue;
        mark[node] = patches.count + 1;
        patches.node[used++] = node;
      }
    }
    patches.cell[2 * patches.count++ + 1] = end;
  }
  patches.start[patches.count] = used;
  memory_free(mark);
  memory_free(edges);
  return patches;
}

// ------------------------------------------------------------------------------------------------
// Assembly

// Columns of each node: the nodes it shares a patch with.
static FiniteStiffness pattern_new(int nodes, const Patches *patches)
{
  int *first = memory_allocate_zero((size_t)nodes + 1, sizeof *first);
  const int total = patches->start[patches->count];
  for (int k = 0; k < total; k++) first[patches->node[k] + 1]++;
  for (int n = 0; n < nodes; n++) first[n + 1] += first[n];
  int *patch = memory_allocate(((size_t)total + 1) * sizeof *patch);
  for (int p = 0; p < patches->count; p++)
    for (int k = patches->start[p]; k < patches->start[p + 1]; k++)
      patch[first[patches->node[k]]++] = p;
  for (int n = nodes; n > 0; n--) first[n] = first[n - 1];
  first[0] = 0;

  FiniteStiffness k0 = {.nodes = nodes,
                        .start = memory_allocate_zero((size_t)nodes + 1, sizeof(int))};
  int *mark = memory_allocate_zero((size_t)nodes, sizeof *mark), capacity = 0, used = 0;
  for (int n = 0; n < nodes; n++) {
    k0.start[n] = used;
    for (int q = first[n]; q < first[n + 1]; q++) {
      for (int k = patches->start[patch[q]]; k < patches->start[patch[q] + 1]; k++) {
        const int node = patches->node[k];
        if (mark[node] == n + 1) continue;
        mark[node] = n + 1;
        k0.column = memory_grow(k0.column, (int64_t)used + 1, &capacity, sizeof(int));
        k0.column[used++] = node;
      }
    }
    qsort(&k0.column[k0.start[n]], (size_t)(used - k0.start[n]), sizeof(int), order_ints);
  }
  k0.start[nodes] = used;
  k0.value = memory_allocate_zero((size_t)used * FINITE_BLOCK + 1, sizeof(double));
  memory_free(mark);
  memory_free(patch);
  memory_free(first);
  return k0;
}

static double *block_of(const FiniteStiffness *k0, int row, int column)
{
  const int at = search_int(k0->column, k0->start[row], k0->start[row + 1], column);
  assert_debug(at < k0->start[row + 1] && k0->column[at] == column && "a pair of the pattern");
  return &k0->value[(size_t)FINITE_BLOCK * (size_t)at];
}

static bool add_hexahedra(const FiniteMesh *mesh, FiniteLame lame, FiniteStiffness *k0, int *bad)
{
  double *matrix = memory_allocate(ROWS * ROWS * sizeof *matrix);
  for (*bad = 0; *bad < mesh->cells; ++*bad) {
    const int *node = &mesh->corner[FINITE_HEXAHEDRON * *bad];
    vec3 corner[FINITE_HEXAHEDRON];
    for (int c = 0; c < FINITE_HEXAHEDRON; c++) corner[c] = mesh->place[node[c]];
    if (!hexahedron_stiffness(corner, lame, matrix)) break;
    for (int i = 0; i < FINITE_HEXAHEDRON; i++) {
      for (int j = 0; j < FINITE_HEXAHEDRON; j++) {
        double *block = block_of(k0, node[i], node[j]);
        // both halves from the upper one: the sum is symmetric to the bit
        for (int k = 0; k < FINITE_BLOCK; k++) {
          const int row = 3 * i + k % 3, column = 3 * j + k / 3;
          block[k] += row <= column ? matrix[ROWS * row + column] : matrix[ROWS * column + row];
        }
      }
    }
  }
  memory_free(matrix);
  return *bad == mesh->cells;
}

static bool add_tetrahedra(const FiniteMesh *mesh, const Patches *edges, FiniteLame lame,
                           FiniteStiffness *k0, int *bad)
{
  for (*bad = 0; *bad < mesh->cells; ++*bad)
    if (!(finite_mesh_volume(mesh, *bad) > 0)) return false;
  int most = 0;
  for (int e = 0; e < edges->count; e++) {
    const int count = edges->start[e + 1] - edges->start[e];
    most = count > most ? count : most;
  }
  vec3 *mean = memory_allocate((size_t)most * sizeof *mean);
  int *local = memory_allocate((size_t)mesh->nodes * sizeof *local);
  for (int e = 0; e < edges->count; e++) {
    const int *node = &edges->node[edges->start[e]], count = edges->start[e + 1] - edges->start[e];
    FiniteStrain strain = {.slope = mean};
    for (int i = 0; i < count; i++) {
      local[node[i]] = i;
      mean[i] = (vec3){0, 0, 0};
    }
    for (int t = edges->cell[2 * e]; t < edges->cell[2 * e + 1]; t++) {   // a sixth of each
      vec3 slope[FINITE_TETRAHEDRON];
      const FiniteStrain of = finite_strain_tetrahedron(mesh, edges->of[t], slope);
      strain.volume += of.volume / 6;
      for (int c = 0; c < FINITE_TETRAHEDRON; c++) {
        vec3 *sum = &mean[local[mesh->corner[FINITE_TETRAHEDRON * edges->of[t] + c]]];
        *sum = vec3_axpy(of.volume / 6, slope[c], *sum);
      }
    }
    for (int i = 0; i < count; i++) mean[i] = vec3_scale(1 / strain.volume, mean[i]);
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        double block[FINITE_BLOCK], *to = block_of(k0, node[i], node[j]);
        finite_strain_block(lame, &strain, i, j, block);
        for (int k = 0; k < FINITE_BLOCK; k++) to[k] += block[3 * (k % 3) + k / 3];
      }
    }
  }
  memory_free(local);
  memory_free(mean);
  return true;
}

bool finite_stiffness_new(const FiniteMesh *mesh, const ElasticLaw *law, FiniteStiffness *stiffness,
                          int *bad)
{
  assert(mesh->cells > 0 && "a mesh with cells");
  const FiniteLame lame = finite_strain_lame(law);
  const bool hexahedra = mesh->corners == FINITE_HEXAHEDRON;
  Patches patches = hexahedra ? cell_patches(mesh) : edge_patches(mesh);
  *stiffness = pattern_new(mesh->nodes, &patches);
  const bool good = hexahedra ? add_hexahedra(mesh, lame, stiffness, bad)
                              : add_tetrahedra(mesh, &patches, lame, stiffness, bad);
  patches_destroy(&patches);
  if (!good) finite_stiffness_destroy(stiffness);
  return good;
}

void finite_stiffness_destroy(FiniteStiffness *stiffness)
{
  if (stiffness->start) assert_debug(stiffness->nodes > 0 && "a stiffness that was made");
  memory_free(stiffness->start);
  memory_free(stiffness->column);
  memory_free(stiffness->value);
  *stiffness = (FiniteStiffness){0};
}

void finite_stiffness_force(const FiniteStiffness *stiffness, const vec3 *displacement, vec3 *force)
{
  assert_debug(displacement != force && "the force does not overwrite what it is of");
  for (int n = 0; n < stiffness->nodes; n++) {
    Lane sum = lane_all(0);   // the fourth is of no number
    for (int k = stiffness->start[n]; k < stiffness->start[n + 1]; k++) {
      const double *b = &stiffness->value[(size_t)FINITE_BLOCK * (size_t)k];
      const vec3 d = displacement[stiffness->column[k]];
      sum += (lane_load(b) * d.x + lane_load(b + 3) * d.y) + lane_load(b + 6) * d.z;
    }
    force[n] = (vec3){sum[0], sum[1], sum[2]};
  }
}

double finite_stiffness_energy(const FiniteStiffness *stiffness, const vec3 *displacement)
{
  assert(stiffness->nodes > 0 && "a stiffness");
  vec3 *force = memory_allocate((size_t)stiffness->nodes * sizeof *force);
  finite_stiffness_force(stiffness, displacement, force);
  double sum = 0;
  for (int n = 0; n < stiffness->nodes; n++) sum += vec3_dot(displacement[n], force[n]) / 2;
  memory_free(force);
  return sum;
}
