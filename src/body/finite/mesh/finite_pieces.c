// Pieces of a mesh: recursive halving of its cells, then a mesh for each and welds between them.
#include "finite_pieces.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "order.h"

typedef struct {
  vec3 centre;
  double along;   // the axis that is cut
  int cell;
} Centre;

static int order_along(const void *a, const void *b)
{
  const Centre *x = a, *y = b;
  const int order = order_f64(x->along, y->along);
  return order ? order : order_int(x->cell, y->cell);
}

typedef struct {
  const FiniteMesh *mesh;
  int most;         // nodes of a piece
  Centre *centre;   // [cells]
  int *piece;       // [cells]
  int *mark;        // [nodes] the last count that met the node
  int counts, pieces;
} Cutting;

// How many nodes the cells of a range of centres have.
static int count_nodes(Cutting *cutting, int begin, int end)
{
  const FiniteMesh *mesh = cutting->mesh;
  int nodes = 0;
  cutting->counts++;
  for (int k = begin; k < end; k++) {
    const int *corner = &mesh->corner[(size_t)mesh->corners * (size_t)cutting->centre[k].cell];
    for (int c = 0; c < mesh->corners; c++) {
      nodes += cutting->mark[corner[c]] != cutting->counts;
      cutting->mark[corner[c]] = cutting->counts;
    }
  }
  return nodes;
}

// A range of centres: one piece, or two halves.
static void cut(Cutting *cutting, int begin, int end)
{
  assert_debug(begin < end && "a piece has cells");
  Centre *centre = cutting->centre;
  if (end - begin == 1 || count_nodes(cutting, begin, end) <= cutting->most) {
    for (int k = begin; k < end; k++) cutting->piece[centre[k].cell] = cutting->pieces;
    cutting->pieces++;
    return;
  }
  vec3 low = centre[begin].centre, high = low;
  for (int k = begin; k < end; k++) {
    low = vec3_min(low, centre[k].centre);
    high = vec3_max(high, centre[k].centre);
  }
  const vec3 size = vec3_sub(high, low);
  const bool x = size.x >= size.y && size.x >= size.z, y = !x && size.y >= size.z;
  for (int k = begin; k < end; k++) {
    const vec3 at = centre[k].centre;
    centre[k].along = x ? at.x : y ? at.y : at.z;
  }
  qsort(&centre[begin], (size_t)(end - begin), sizeof *centre, order_along);
  const int middle = begin + (end - begin) / 2;
  cut(cutting, begin, middle);
  cut(cutting, middle, end);
}

// The mesh of a piece; local: [nodes] of the whole mesh, where in the piece they are.
static FiniteMesh mesh_of(const Cutting *cutting, int piece, int *local)
{
  const FiniteMesh *mesh = cutting->mesh;
  const size_t corners = (size_t)mesh->corners;
  FiniteMesh of = {.corners = mesh->corners};
  for (int n = 0; n < mesh->nodes; n++) local[n] = -1;
  for (int cell = 0; cell < mesh->cells; cell++) {
    if (cutting->piece[cell] != piece) continue;
    of.cells++;
    for (size_t c = 0; c < corners; c++) local[mesh->corner[(size_t)cell * corners + c]] = 0;
  }
  for (int n = 0; n < mesh->nodes; n++)
    if (local[n] == 0) local[n] = of.nodes++;
  of.place = memory_allocate((size_t)of.nodes * sizeof(vec3));
  of.corner = memory_allocate((size_t)of.cells * corners * sizeof(int));
  for (int n = 0; n < mesh->nodes; n++)
    if (local[n] >= 0) of.place[local[n]] = mesh->place[n];
  size_t to = 0;
  for (int cell = 0; cell < mesh->cells; cell++) {
    if (cutting->piece[cell] != piece) continue;
    for (size_t c = 0; c < corners; c++)
      of.corner[to++] = local[mesh->corner[(size_t)cell * corners + c]];
  }
  return of;
}

FinitePieces finite_pieces_new(const FiniteMesh *mesh, int most_nodes)
{
  assert(mesh->cells > 0 && most_nodes > 0 && "a mesh and a limit");
  const size_t cells = (size_t)mesh->cells, nodes = (size_t)mesh->nodes;
  Cutting cutting = {.mesh = mesh,
                     .most = most_nodes,
                     .centre = memory_allocate(cells * sizeof(Centre)),
                     .piece = memory_allocate(cells * sizeof(int)),
                     .mark = memory_allocate_zero(nodes, sizeof(int))};
  for (int cell = 0; cell < mesh->cells; cell++) {
    vec3 sum = {0, 0, 0};
    for (int c = 0; c < mesh->corners; c++)
      sum = vec3_add(sum, mesh->place[mesh->corner[mesh->corners * cell + c]]);
    cutting.centre[cell] = (Centre){.centre = vec3_scale(1.0 / mesh->corners, sum), .cell = cell};
  }
  cut(&cutting, 0, mesh->cells);

  FinitePieces pieces = {.pieces = cutting.pieces,
                         .mesh = memory_allocate((size_t)cutting.pieces * sizeof(FiniteMesh))};
  int *local = memory_allocate(nodes * sizeof *local);
  int *last = memory_allocate(nodes * 2 * sizeof *last);   // piece of a node so far, place there
  for (size_t n = 0; n < nodes; n++) last[2 * n] = -1;
  int capacity = 0;
  for (int p = 0; p < pieces.pieces; p++) {
    pieces.mesh[p] = mesh_of(&cutting, p, local);
    for (size_t n = 0; n < nodes; n++) {
      if (local[n] < 0) continue;
      if (last[2 * n] >= 0) {
        pieces.weld =
            memory_grow(pieces.weld, (int64_t)pieces.welds + 1, &capacity, sizeof *pieces.weld);
        pieces.weld[pieces.welds++] =
            (FiniteWeld){.piece = {last[2 * n], p}, .node = {last[2 * n + 1], local[n]}};
      }
      last[2 * n] = p;
      last[2 * n + 1] = local[n];
    }
  }
  memory_free(last);
  memory_free(local);
  memory_free(cutting.mark);
  memory_free(cutting.piece);
  memory_free(cutting.centre);
  return pieces;
}

void finite_pieces_destroy(FinitePieces *pieces)
{
  if (pieces->mesh) assert_debug(pieces->pieces > 0 && "pieces that were made");
  for (int p = 0; p < pieces->pieces; p++) finite_mesh_destroy(&pieces->mesh[p]);
  memory_free(pieces->mesh);
  memory_free(pieces->weld);
  *pieces = (FinitePieces){0};
}
