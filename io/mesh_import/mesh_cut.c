// Cuts bodies of hexahedra, and gives pieces the convex parts of their tetrahedra.
#include "mesh_cut.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "convex_parts.h"
#include "finite_pieces.h"
#include "order.h"

enum { TETRA_OF_HEXA = 6 };

// A body and its pieces.
typedef struct {
  const MeshBlock *block;
  const MeshCut *cut;
  const int *list;    // [hexahedra] by pieces, those of each ascending
  const int *start;   // [pieces + 1] of each in the list
  int *number;        // [points] in the piece at hand, of those that it has
  Arena *arena;
} Cutting;

static void list_cells(Cutting *c, Arena *scratch)
{
  const size_t count = (size_t)c->cut->count, hexa = (size_t)c->block->hexa_count;
  int *start = arena_allocate_zero(scratch, count + 2, sizeof *start),
      *list = arena_allocate(scratch, hexa * sizeof *list);
  for (size_t h = 0; h < hexa; h++) start[c->cut->piece[h] + 2]++;
  for (size_t k = 0; k < count; k++) start[k + 2] += start[k + 1];
  for (size_t h = 0; h < hexa; h++) list[start[c->cut->piece[h] + 1]++] = (int)h;
  c->list = list;
  c->start = start;
}

// The tetrahedra of a piece with points of their own, in the order of the body's. Memory from
// scratch.
static Tetrahedra tetrahedra_of(const Cutting *c, int piece, Arena *scratch)
{
  const MeshBlock *block = c->block;
  const int *list = &c->list[c->start[piece]], hexa = c->start[piece + 1] - c->start[piece];
  const size_t corners = FINITE_HEXAHEDRON * (size_t)hexa;
  int *point = arena_allocate(scratch, corners * sizeof *point);
  for (size_t k = 0; k < corners; k++)
    point[k] = block->hexa[list[k / FINITE_HEXAHEDRON]][k % FINITE_HEXAHEDRON];
  qsort(point, corners, sizeof *point, order_ints);
  vec3 *places = arena_allocate(scratch, corners * sizeof *places);
  int points = 0;
  for (size_t k = 0; k < corners; k++) {
    if (k > 0 && point[k] == point[k - 1]) continue;
    c->number[point[k]] = points;
    places[points++] = block->points[point[k]];
  }
  const int count = TETRA_OF_HEXA * hexa;
  int(*tetra)[4] = arena_allocate(scratch, (size_t)count * sizeof *tetra);
  for (int t = 0; t < count; t++) {
    const int *of = block->tetra[TETRA_OF_HEXA * list[t / TETRA_OF_HEXA] + t % TETRA_OF_HEXA];
    for (int k = 0; k < 4; k++) tetra[t][k] = c->number[of[k]];
  }
  return (Tetrahedra){.point_count = points,
                      .points = places,
                      .tetra_count = count,
                      .tetra = (const int(*)[4])tetra};
}

// The shape of a piece, and its volume and centre.
static bool make_shape(const Cutting *c, int piece, double *volume, ErrorText reason)
{
  assert(c->cut->shapes != NULL && "shapes have a place");
  Arena scratch = arena_new();
  const Tetrahedra filling = tetrahedra_of(c, piece, &scratch);
  ShapeRecipe *recipe = &c->cut->shapes[piece];
  *recipe = convex_parts(&filling, c->arena);
  Shape shape;
  bool sound = recipe->part_count > 0;
  if (!sound)
    snprintf(reason.text, reason.bytes,
             "a tetrahedron is flat to rounding, so that piece %d cannot be cut into convex parts",
             piece);
  if (sound) {
    const ShapeResult result = shape_build(recipe, &scratch, &shape);
    sound = result.status == SHAPE_OK;
    char text[128] = "";
    if (!sound) shape_result_text(result, text, sizeof text);
    if (!sound) snprintf(reason.text, reason.bytes, "piece %d: %s", piece, text);
  }
  if (sound) {
    *volume = shape.volume;
    c->cut->arm[piece] = shape.center;
  }
  arena_destroy(&scratch);
  return sound;
}

// Centres become arms from that of all.
static void take_arms(const MeshCut *cut, const double *volume)
{
  double sum = 0;
  vec3 first = {0, 0, 0};
  for (int k = 0; k < cut->count; k++) {
    sum += volume[k];
    first = vec3_axpy(volume[k], cut->arm[k], first);
  }
  const vec3 centre = vec3_scale(1 / sum, first);
  for (int k = 0; k < cut->count; k++) cut->arm[k] = vec3_sub(cut->arm[k], centre);
}

bool mesh_cut_make(const MeshBlock *block, int most_nodes, Arena *arena, MeshCut *cut,
                   ErrorText reason)
{
  assert(most_nodes > 0 && reason.bytes > 0 && "a piece has nodes, a reason has room");
  *cut = (MeshCut){.count = 0};
  if (block->hexa_count == 0 || block->point_count <= most_nodes) return true;
  const FiniteMesh mesh = {.nodes = block->point_count,
                           .cells = block->hexa_count,
                           .corners = FINITE_HEXAHEDRON,
                           .place = block->points,
                           .corner = (int *)block->hexa};
  int *piece = arena_allocate(arena, (size_t)mesh.cells * sizeof *piece);
  const int count = finite_pieces_share(&mesh, most_nodes, piece);
  if (count == 1) return true;
  *cut = (MeshCut){.count = count,
                   .piece = piece,
                   .shapes = arena_allocate_zero(arena, (size_t)count, sizeof *cut->shapes),
                   .arm = arena_allocate_zero(arena, (size_t)count, sizeof *cut->arm)};
  Arena scratch = arena_new();
  double *volume = arena_allocate(&scratch, (size_t)count * sizeof *volume);
  Cutting cutting = {.block = block,
                     .cut = cut,
                     .number = arena_allocate(&scratch, (size_t)mesh.nodes * sizeof(int)),
                     .arena = arena};
  list_cells(&cutting, &scratch);
  bool sound = true;
  for (int k = 0; k < count && sound; k++) sound = make_shape(&cutting, k, &volume[k], reason);
  if (sound) take_arms(cut, volume);
  arena_destroy(&scratch);
  return sound;
}
