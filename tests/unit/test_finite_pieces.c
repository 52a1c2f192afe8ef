// Hexahedra in pieces: each cell is in one, pieces have few nodes and hang together, seams have the
// nodes and the area that two pieces share, and hold all copies of a node together.
#include <math.h>
#include <string.h>

#include "finite_pieces.h"
#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

static FiniteMesh box_mesh(vec3 size, const int cells[3])
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){c & 1 ? size.x : 0, c & 2 ? size.y : 0, c & 4 ? size.z : 0};
  return finite_mesh_hexahedra(corner, cells);
}

static double volume_of(const FiniteMesh *mesh)
{
  double sum = 0;
  for (int c = 0; c < mesh->cells; c++) sum += finite_mesh_volume(mesh, c);
  return sum;
}

// Groups of copies of nodes that seams hold together, by all points or without spare ones.
static int joined_copies(const FinitePieces *pieces, bool all)
{
  Arena arena = arena_new();
  int *first = arena_allocate(&arena, ((size_t)pieces->count + 1) * sizeof *first), copies = 0;
  for (int k = 0; k < pieces->count; k++) {
    first[k] = copies;
    copies += pieces->cells[k].nodes;
  }
  int *root = arena_allocate(&arena, ((size_t)copies + 1) * sizeof *root);
  for (int i = 0; i < copies; i++) root[i] = i;
  for (int s = 0; s < pieces->seam_count; s++) {
    const FiniteSeam *seam = &pieces->seams[s];
    for (int i = seam->first; i < seam->end; i++) {
      const FiniteSeamNode *node = &pieces->nodes[i];
      if (node->spare && !all) continue;
      int a = first[seam->low] + node->low, b = first[seam->high] + node->high;
      while (root[a] != a) a = root[a];
      while (root[b] != b) b = root[b];
      if (a != b) root[b] = a;
    }
  }
  int groups = 0;
  for (int i = 0; i < copies; i++) groups += root[i] == i;
  arena_destroy(&arena);
  return groups;
}

// What outer faces of a piece and its shares of seams lack to be closed, m2.
static double open_area(const FinitePieces *pieces, int piece)
{
  const FiniteMesh *mesh = &pieces->cells[piece];
  vec3 sum = {0, 0, 0};
  for (int f = 0; f < pieces->outer[piece].faces; f++)
    sum = vec3_add(sum, finite_surface_area(mesh, &pieces->outer[piece], f));
  for (int s = 0; s < pieces->seam_count; s++) {
    const FiniteSeam *seam = &pieces->seams[s];
    if (seam->low != piece && seam->high != piece) continue;
    for (int i = seam->first; i < seam->end; i++)
      sum = vec3_axpy(seam->high == piece ? 1 : -1, pieces->nodes[i].area, sum);
  }
  return vec3_norm(sum);
}

static void check_pieces(const FiniteMesh *mesh, int most)
{
  Arena arena = arena_new();
  int *piece = arena_allocate(&arena, (size_t)mesh->cells * sizeof *piece);
  const int count = finite_pieces_share(mesh, most, piece);
  const FinitePieces pieces = finite_pieces_make(mesh, piece, count, &arena);
  double volume = 0;
  int cells = 0, nodes = 0, spare = 0, ties = 0;
  for (int k = 0; k < count; k++) {
    CHECK(pieces.cells[k].nodes <= most || pieces.cells[k].cells == 1);
    CHECK(open_area(&pieces, k) < 1e-12);
    cells += pieces.cells[k].cells;
    nodes += pieces.cells[k].nodes;
    volume += volume_of(&pieces.cells[k]);
  }
  CHECK(cells == mesh->cells);
  CHECK_NEAR(volume, volume_of(mesh), 1e-12 * volume);
  for (int s = 0; s < pieces.seam_count; s++) {
    const FiniteSeam *seam = &pieces.seams[s];
    CHECK(finite_pieces_seam(&pieces, seam->low, seam->high) == seam);
    ties += seam->ties;
    for (int i = seam->first; i < seam->end; i++) {
      const FiniteSeamNode *node = &pieces.nodes[i];
      CHECK(memcmp(&node->at, &pieces.cells[seam->low].place[node->low], sizeof(vec3)) == 0);
      CHECK(memcmp(&node->at, &pieces.cells[seam->high].place[node->high], sizeof(vec3)) == 0);
      spare += node->spare;
    }
  }
  // every copy of a node is held, by as few points as can
  CHECK(joined_copies(&pieces, true) == mesh->nodes);
  CHECK(joined_copies(&pieces, false) == mesh->nodes);
  CHECK(nodes - ties == mesh->nodes);
  CHECK(count == 1 || spare + ties > 0);
  arena_destroy(&arena);
}

static void test_boxes(void)
{
  const int cells[3] = {6, 5, 4};
  FiniteMesh mesh = box_mesh((vec3){1.2, 0.9, 0.8}, cells);
  Random random = {11};
  for (int n = 0; n < mesh.nodes; n++)
    mesh.place[n] = vec3_add(mesh.place[n], random_in_cube(&random, 0.02));
  for (int most = 8; most <= 300; most = most * 3 / 2) check_pieces(&mesh, most);
  finite_mesh_destroy(&mesh);
}

// A mesh in layers is cut between them.
static void test_layers(void)
{
  const int cells[3] = {2, 2, 7};
  FiniteMesh mesh = box_mesh((vec3){0.2, 0.2, 0.7}, cells);
  int piece[28];
  CHECK(finite_pieces_share(&mesh, 45, piece) == 2);
  for (int c = 0; c < 28; c++) CHECK(piece[c] == (c / 4 < 3 ? 0 : 1));
  CHECK(finite_pieces_share(&mesh, 72, piece) == 1);
  finite_mesh_destroy(&mesh);
}

// Two towers on a foot: halved at their middle they are two pieces above.
static void test_towers(void)
{
  const int cells[3] = {3, 1, 8};
  FiniteMesh mesh = box_mesh((vec3){0.3, 0.1, 1.6}, cells);
  int kept = 0;
  for (int c = 0; c < mesh.cells; c++) {
    if (c % 3 == 1 && c / 3 > 0) continue;
    memmove(&mesh.corner[8 * kept], &mesh.corner[8 * c], 8 * sizeof(int));
    kept++;
  }
  mesh.cells = kept;
  FiniteMesh towers = finite_mesh_copy(&mesh, (vec3){0, 0, 0});
  int piece[24];
  CHECK(finite_pieces_share(&towers, 44, piece) == 3);
  check_pieces(&towers, 44);
  check_pieces(&towers, 16);
  finite_mesh_destroy(&towers);
  mesh.cells = 24;
  finite_mesh_destroy(&mesh);
}

int main(void)
{
  test_boxes();
  test_layers();
  test_towers();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
