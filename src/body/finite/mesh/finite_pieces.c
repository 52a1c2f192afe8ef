// Halves the cells of a mesh until they are few, and finds what pieces share.
#include "finite_pieces.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "forest.h"
#include "memory.h"
#include "order.h"
#include "search.h"

#define LAYER 0.5   // of the widest gap between middles near the half: as good a place to cut

// -- which piece a cell is in ---------------------------------------------------------------------

typedef struct {
  double at;   // of the middle, along the axis, m
  int cell;
} Placed;

static int order_placed(const void *a, const void *b)
{
  const Placed *x = a, *y = b;
  const int order = order_f64(x->at, y->at);
  return order ? order : order_int(x->cell, y->cell);
}

// Cells on their way to parts.
typedef struct {
  const FiniteMesh *mesh;
  vec3 *middle;     // [cells] m
  int *list;        // [cells] those of a part stand together
  Placed *placed;   // [cells] room
  int *seen;        // [nodes] the last count that met a node
  int counts;
} Halving;

static const int *corners_of(const FiniteMesh *mesh, int cell)
{
  assert_debug(cell >= 0 && cell < mesh->cells && "a cell of the mesh");
  return &mesh->corner[(size_t)mesh->corners * (size_t)cell];
}

static int nodes_of(Halving *h, int first, int end)
{
  int nodes = 0;
  h->counts++;
  for (int i = first; i < end; i++) {
    const int *corner = corners_of(h->mesh, h->list[i]);
    for (int c = 0; c < h->mesh->corners; c++) {
      nodes += h->seen[corner[c]] != h->counts;
      h->seen[corner[c]] = h->counts;
    }
  }
  return nodes;
}

static int longest_axis(const Halving *h, int first, int end)
{
  vec3 low = h->middle[h->list[first]], high = low;
  for (int i = first + 1; i < end; i++) {
    low = vec3_min(low, h->middle[h->list[i]]);
    high = vec3_max(high, h->middle[h->list[i]]);
  }
  const vec3 size = vec3_sub(high, low);
  int axis = 0;
  for (int a = 1; a < 3; a++)
    if (vec3_component(size, a) > vec3_component(size, axis)) axis = a;
  return axis;
}

// Where to cut cells that are placed: in the middle third, between layers where there are such.
static int cut_of(const Placed *placed, int count)
{
  assert_debug(count > 1 && "two cells are parted");
  const int first = count / 3 > 0 ? count / 3 : 1, last = count - first;
  double widest = 0;
  for (int i = first; i <= last; i++) {
    const double gap = placed[i].at - placed[i - 1].at;
    if (gap > widest) widest = gap;
  }
  int best = count / 2;
  for (int i = first, least = count; i <= last; i++) {
    const int off = abs(2 * i - count);
    if (off >= least || placed[i].at - placed[i - 1].at < LAYER * widest) continue;
    least = off;
    best = i;
  }
  return best;
}

// Sorts a part along its longest side; returns where its upper half begins.
static int halve(Halving *h, int first, int end)
{
  const int axis = longest_axis(h, first, end), count = end - first;
  for (int i = first; i < end; i++)
    h->placed[i - first] = (Placed){vec3_component(h->middle[h->list[i]], axis), h->list[i]};
  qsort(h->placed, (size_t)count, sizeof *h->placed, order_placed);
  for (int i = first; i < end; i++) h->list[i] = h->placed[i - first].cell;
  return first + cut_of(h->placed, count);
}

// Parts with few nodes, from the low sides on: part of each cell. Halves wait on a stack, whose
// lower ones come first, so that parts are numbered in the order of the list.
static void halve_all(Halving *h, int most_nodes, int *part)
{
  const int cells = h->mesh->cells;
  int *ends = memory_allocate(((size_t)cells + 1) * sizeof *ends);
  int waiting = 0, parts = 0;
  ends[waiting++] = cells;
  for (int first = 0; waiting > 0;) {
    const int end = ends[waiting - 1];
    if (end - first > 1 && nodes_of(h, first, end) > most_nodes) {
      ends[waiting++] = halve(h, first, end);
      continue;
    }
    for (int i = first; i < end; i++) part[h->list[i]] = parts;
    parts++;
    first = end;
    waiting--;
  }
  memory_free(ends);
}

static int order_pair(const void *a, const void *b)
{
  const int *x = a, *y = b;
  const int order = order_int(x[0], y[0]);
  return order ? order : order_int(x[1], y[1]);
}

// What hangs together by faces within a part is a piece; of a part in the order of first cells.
static int join_cells(const FiniteMesh *mesh, const int *part, int *piece)
{
  assert(mesh->cells > 0 && "a mesh with cells");
  const size_t cells = (size_t)mesh->cells;
  int *parent = memory_allocate(cells * sizeof *parent),
      *number = memory_allocate(cells * sizeof *number);
  int(*found)[2] = memory_allocate(cells * sizeof *found);
  for (int c = 0; c < mesh->cells; c++) parent[c] = c;
  FiniteInnerFace *faces;
  const int face_count = finite_surface_inner(mesh, &faces);
  for (int f = 0; f < face_count; f++) {
    const int a = faces[f].cell[0], b = faces[f].cell[1];
    if (part[a] != part[b]) continue;
    const int p = forest_root(parent, a), q = forest_root(parent, b);
    parent[p > q ? p : q] = p > q ? q : p;
  }
  int count = 0;
  for (int c = 0; c < mesh->cells; c++) {
    if (parent[c] != c) continue;
    found[count][0] = part[c];
    found[count++][1] = c;
  }
  qsort(found, (size_t)count, sizeof *found, order_pair);
  for (int k = 0; k < count; k++) number[found[k][1]] = k;
  for (int c = 0; c < mesh->cells; c++) piece[c] = number[forest_root(parent, c)];
  memory_free(faces);
  memory_free(found);
  memory_free(number);
  memory_free(parent);
  return count;
}

int finite_pieces_share(const FiniteMesh *mesh, int most_nodes, int *piece)
{
  assert(mesh->corners == FINITE_HEXAHEDRON && mesh->cells > 0 && "a mesh of hexahedra");
  assert(most_nodes > 0 && piece != NULL && "a piece has nodes");
  const size_t cells = (size_t)mesh->cells;
  Halving h = {.mesh = mesh,
               .middle = memory_allocate(cells * sizeof(vec3)),
               .list = memory_allocate(cells * sizeof(int)),
               .placed = memory_allocate(cells * sizeof(Placed)),
               .seen = memory_allocate_zero((size_t)mesh->nodes, sizeof(int))};
  for (int c = 0; c < mesh->cells; c++) {
    vec3 sum = {0, 0, 0};
    for (int k = 0; k < FINITE_HEXAHEDRON; k++)
      sum = vec3_add(sum, mesh->place[corners_of(mesh, c)[k]]);
    h.middle[c] = vec3_scale(0.125, sum);
    h.list[c] = c;
  }
  int *part = memory_allocate(cells * sizeof *part);
  halve_all(&h, most_nodes, part);
  const int count = join_cells(mesh, part, piece);
  memory_free(part);
  memory_free(h.seen);
  memory_free(h.placed);
  memory_free(h.list);
  memory_free(h.middle);
  return count;
}

// -- meshes of pieces -----------------------------------------------------------------------------

// The nodes of the whole that a piece has, ascending.
typedef struct {
  int count;
  int *of;
} NodeList;

// Numbers the nodes of a piece, whose cells are given, and makes its mesh. Memory of the list from
// scratch.
static FiniteMesh make_cells(const FiniteMesh *mesh, const int *list, int cells, NodeList *nodes,
                             Arena *scratch, Arena *arena)
{
  assert(cells > 0 && "a piece has cells");
  const size_t corners = (size_t)cells * FINITE_HEXAHEDRON;
  FiniteMesh of = {.cells = cells, .corners = FINITE_HEXAHEDRON};
  of.corner = arena_allocate(arena, corners * sizeof(int));
  nodes->of = arena_allocate(scratch, corners * sizeof(int));
  for (size_t k = 0; k < corners; k++)
    of.corner[k] = nodes->of[k] =
        corners_of(mesh, list[k / FINITE_HEXAHEDRON])[k % FINITE_HEXAHEDRON];
  qsort(nodes->of, corners, sizeof *nodes->of, order_ints);
  nodes->count = 0;
  for (size_t k = 0; k < corners; k++)
    if (k == 0 || nodes->of[k] != nodes->of[k - 1]) nodes->of[nodes->count++] = nodes->of[k];
  of.nodes = nodes->count;
  of.place = arena_allocate(arena, (size_t)of.nodes * sizeof(vec3));
  for (int n = 0; n < of.nodes; n++) of.place[n] = mesh->place[nodes->of[n]];
  for (size_t k = 0; k < corners; k++)
    of.corner[k] = search_int(nodes->of, 0, nodes->count, of.corner[k]);
  return of;
}

// What is known of a mesh on its way to pieces.
typedef struct {
  const FiniteMesh *mesh;
  const int *piece;   // [cells]
  NodeList *nodes;    // [pieces]
  Arena *scratch, *arena;
} Parting;

static void make_meshes(const Parting *p, FinitePieces *made)
{
  const FiniteMesh *mesh = p->mesh;
  const size_t count = (size_t)made->count;
  int *start = arena_allocate_zero(p->scratch, count + 2, sizeof *start),
      *list = arena_allocate(p->scratch, (size_t)mesh->cells * sizeof *list);
  for (int c = 0; c < mesh->cells; c++) start[p->piece[c] + 2]++;
  for (size_t k = 0; k < count; k++) start[k + 2] += start[k + 1];
  for (int c = 0; c < mesh->cells; c++) list[start[p->piece[c] + 1]++] = c;
  made->cells = arena_allocate(p->arena, count * sizeof *made->cells);
  for (size_t k = 0; k < count; k++)
    made->cells[k] = make_cells(mesh, list + start[k], start[k + 1] - start[k], &p->nodes[k],
                                p->scratch, p->arena);
}

static int node_in(const Parting *p, int piece, int node)
{
  const NodeList *nodes = &p->nodes[piece];
  const int at = search_int(nodes->of, 0, nodes->count, node);
  assert_debug(at < nodes->count && nodes->of[at] == node && "the piece has the node");
  return at;
}

// The faces of the whole, by pieces.
static void make_outer(const Parting *p, FinitePieces *made)
{
  FiniteSurface whole = finite_surface_new(p->mesh);
  made->outer = arena_allocate_zero(p->arena, (size_t)made->count, sizeof *made->outer);
  for (int f = 0; f < whole.faces; f++) made->outer[p->piece[whole.cell[f]]].faces++;
  for (int k = 0; k < made->count; k++) {
    const size_t corners = FINITE_FACE * ((size_t)made->outer[k].faces + 1);
    made->outer[k] = (FiniteSurface){.corners = FINITE_FACE,
                                     .corner = arena_allocate(p->arena, corners * sizeof(int))};
  }
  for (int f = 0; f < whole.faces; f++) {
    const int k = p->piece[whole.cell[f]];
    int *to = &made->outer[k].corner[FINITE_FACE * made->outer[k].faces++];
    for (int c = 0; c < FINITE_FACE; c++) to[c] = node_in(p, k, whole.corner[FINITE_FACE * f + c]);
  }
  finite_surface_destroy(&whole);
}

// A node of a face between two pieces.
typedef struct {
  int low, high;   // pieces
  int node;        // of the whole
  int face;        // for the order
  vec3 area;       // share of it, out of the higher piece, m2
} SeamCorner;

static int order_corners(const void *a, const void *b)
{
  const SeamCorner *x = a, *y = b;
  int order = order_int(x->low, y->low);
  if (!order) order = order_int(x->high, y->high);
  if (!order) order = order_int(x->node, y->node);
  return order ? order : order_int(x->face, y->face);
}

// The volume between a quadrilateral that bulges and its parts by a diagonal: half of that between
// both diagonals, m3.
static double bulge_of(const vec3 at[FINITE_FACE])
{
  const vec3 a = vec3_sub(at[1], at[0]), b = vec3_sub(at[2], at[0]), c = vec3_sub(at[3], at[0]);
  return fabs(vec3_dot(a, vec3_cross(b, c))) / 12;
}

// Corners of the faces between pieces, by seams and nodes; and how far faces bulge.
static int list_corners(const Parting *p, FinitePieces *made, SeamCorner **corners)
{
  FiniteInnerFace *faces;
  const int face_count = finite_surface_inner(p->mesh, &faces);
  *corners = arena_allocate(p->scratch, FINITE_FACE * ((size_t)face_count + 1) * sizeof **corners);
  made->bulge = arena_allocate_zero(p->arena, (size_t)made->count, sizeof *made->bulge);
  int count = 0;
  for (int f = 0; f < face_count; f++) {
    const int one = p->piece[faces[f].cell[0]], other = p->piece[faces[f].cell[1]];
    if (one == other) continue;
    vec3 at[FINITE_FACE], areas[FINITE_FACE];
    for (int k = 0; k < FINITE_FACE; k++) at[k] = p->mesh->place[faces[f].corner[k]];
    finite_surface_areas(at, areas);
    made->bulge[one] += bulge_of(at);
    made->bulge[other] += bulge_of(at);
    for (int k = 0; k < FINITE_FACE; k++)
      (*corners)[count++] = (SeamCorner){.low = one < other ? one : other,
                                         .high = one < other ? other : one,
                                         .node = faces[f].corner[k],
                                         .face = f,
                                         .area = one < other ? vec3_neg(areas[k]) : areas[k]};
  }
  memory_free(faces);
  qsort(*corners, (size_t)count, sizeof **corners, order_corners);
  return count;
}

static bool is_same_node(const SeamCorner *a, const SeamCorner *b)
{
  return a->low == b->low && a->high == b->high && a->node == b->node;
}

// The share of a node in the faces around it; where these look against each other, that of one.
static vec3 area_of(const SeamCorner *corners, int count)
{
  vec3 sum = {0, 0, 0};
  double all = 0;
  for (int k = 0; k < count; k++) {
    sum = vec3_add(sum, corners[k].area);
    all += vec3_norm(corners[k].area);
  }
  return vec3_norm(sum) > 1e-3 * all ? sum : corners[0].area;
}

// A node of a seam, by its number in the whole.
typedef struct {
  int node, seam, at;
} SeamPlace;

static int order_places(const void *a, const void *b)
{
  const SeamPlace *x = a, *y = b;
  const int order = order_int(x->node, y->node);
  return order ? order : order_int(x->at, y->at);
}

// Which of a few pieces: its place in the list, where it is put if it is not there.
static int place_in_list(int *list, int *count, int piece)
{
  int at = 0;
  while (at < *count && list[at] != piece) at++;
  if (at == *count) list[(*count)++] = piece;
  return at;
}

// Seams in their order hold the pieces around a node together; those that hold together what is
// held already are spare there. Of points that are spare solvers cannot tell which one bears.
static void find_spares(FinitePieces *made, SeamPlace *places, int count, Arena *scratch)
{
  qsort(places, (size_t)count, sizeof *places, order_places);
  int *list = arena_allocate(scratch, 2 * ((size_t)count + 1) * sizeof *list),
      *parent = arena_allocate(scratch, 2 * ((size_t)count + 1) * sizeof *parent);
  for (int i = 0, end; i < count; i = end) {
    int pieces = 0;
    for (end = i; end < count && places[end].node == places[i].node; end++) {
      FiniteSeam *seam = &made->seams[places[end].seam];
      int ends[2];
      for (int k = 0; k < 2; k++) {
        const int before = pieces;
        ends[k] = place_in_list(list, &pieces, k ? seam->high : seam->low);
        if (pieces > before) parent[ends[k]] = ends[k];
      }
      const int a = forest_root(parent, ends[0]), b = forest_root(parent, ends[1]);
      made->nodes[places[end].at].spare = a == b;
      seam->ties += a != b;
      parent[b] = a;
    }
  }
}

static void make_seams(const Parting *p, FinitePieces *made)
{
  SeamCorner *corners;
  const int count = list_corners(p, made, &corners);
  made->nodes = arena_allocate(p->arena, ((size_t)count + 1) * sizeof *made->nodes);
  made->seams = arena_allocate(p->arena, ((size_t)count + 1) * sizeof *made->seams);
  SeamPlace *places = arena_allocate(p->scratch, ((size_t)count + 1) * sizeof *places);
  int nodes = 0;
  for (int i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && is_same_node(&corners[i], &corners[end]);) end++;
    const int low = corners[i].low, high = corners[i].high, node = corners[i].node;
    FiniteSeam *last = made->seam_count > 0 ? &made->seams[made->seam_count - 1] : NULL;
    if (!last || last->low != low || last->high != high)
      made->seams[made->seam_count++] = (FiniteSeam){low, high, nodes, nodes, 0};
    places[nodes] = (SeamPlace){node, made->seam_count - 1, nodes};
    made->nodes[nodes++] = (FiniteSeamNode){.low = node_in(p, low, node),
                                            .high = node_in(p, high, node),
                                            .at = p->mesh->place[node],
                                            .area = area_of(&corners[i], end - i)};
    made->seams[made->seam_count - 1].end = nodes;
  }
  find_spares(made, places, nodes, p->scratch);
}

FinitePieces finite_pieces_make(const FiniteMesh *mesh, const int *piece, int count, Arena *arena)
{
  assert(mesh->corners == FINITE_HEXAHEDRON && mesh->cells > 0 && "a mesh of hexahedra");
  assert(count > 0 && count <= mesh->cells && "a piece has a cell");
  Arena scratch = arena_new();
  FinitePieces made = {.count = count};
  const Parting parting = {.mesh = mesh,
                           .piece = piece,
                           .nodes = arena_allocate_zero(&scratch, (size_t)count, sizeof(NodeList)),
                           .scratch = &scratch,
                           .arena = arena};
  make_meshes(&parting, &made);
  make_outer(&parting, &made);
  make_seams(&parting, &made);
  arena_destroy(&scratch);
  return made;
}

const FiniteSeam *finite_pieces_seam(const FinitePieces *pieces, int low, int high)
{
  assert_debug(low >= 0 && low < high && high < pieces->count && "two pieces, the lower one first");
  int first = 0, end = pieces->seam_count;
  while (first < end) {
    const int middle = first + (end - first) / 2;
    const FiniteSeam *seam = &pieces->seams[middle];
    if (seam->low < low || (seam->low == low && seam->high < high)) first = middle + 1;
    else end = middle;
  }
  if (first == pieces->seam_count) return NULL;
  const FiniteSeam *seam = &pieces->seams[first];
  return seam->low == low && seam->high == high ? seam : NULL;
}
