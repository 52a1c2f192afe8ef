// Puts nodes and cells of bodies of finite elements into files.
#include "frame_elastic.h"

#include <assert.h>

#include "body_tensor.h"
#include "finite_stress.h"
#include "kind.h"
#include "nodes.h"
#include "scene.h"

#define GROUP "elastic"

// A kind of cell: numbers that XDMF and VTK have for it, and its corners in their order.
typedef struct {
  uint64_t xdmf;
  int32_t vtk;
  int corners;
  int order[FINITE_HEXAHEDRON];
} CellKind;

static const CellKind HEXAHEDRON = {9, 12, FINITE_HEXAHEDRON, {0, 1, 3, 2, 4, 5, 7, 6}},
                      TETRAHEDRON = {6, 10, FINITE_TETRAHEDRON, {0, 1, 2, 3}};

static const FiniteMesh *mesh_of(const Bodies *bodies, int row)
{
  const ElasticFinite *finite = kind_mesh(bodies, row);
  return finite ? &finite->shape->mesh : NULL;
}

ElasticPiece frame_elastic_piece(const RowSpans *spans)
{
  const Bodies *bodies = bodies_of(&spans->copies);
  assert(bodies->table.count >= 0 && "rows are counted");
  ElasticPiece piece = {0};
  for (int i = 0; i < bodies->table.count; i++) {
    const FiniteMesh *mesh = mesh_of(bodies, i);
    if (!mesh) continue;
    piece.own.points += (uint64_t)mesh->nodes;
    piece.own.cells += (uint64_t)mesh->cells;
    piece.own.loops += (uint64_t)mesh->cells * (uint64_t)mesh->corners;
  }
  const uint64_t own[3] = {piece.own.points, piece.own.cells, piece.own.loops};
  uint64_t *const first[3] = {&piece.first_point, &piece.first_cell, &piece.first_loop},
                  *const all[3] = {&piece.all.points, &piece.all.cells, &piece.all.loops};
  for (int k = 0; k < 3; k++) {
    *first[k] = (uint64_t)par_exclusive_sum((int64_t)own[k]);
    *all[k] = (uint64_t)par_sum((int64_t)own[k]);
  }
  return piece;
}

// ------------------------------------------------------------------------------------------------
// Cells.

ElasticFixed frame_elastic_add_fixed(Hdf5Writer *w, const ElasticPiece *piece)
{
  assert(piece->own.cells <= piece->all.cells && "own cells are some of all");
  ElasticFixed k = {-1, -1, -1, -1, -1, -1};
  const uint64_t cells = piece->all.cells, loops = piece->all.loops;
  if (cells == 0) return k;
  const struct {
    int *number;
    Hdf5Column column;
  } all[] = {
      {&k.topology,
       {GROUP, "topology", "1", "cells as XDMF has them: 9 and eight nodes, 6 and four nodes",
        FIELD_U64, 1, cells + loops}},
      {&k.connectivity,
       {GROUP, "connectivity", "1", "nodes of the cells behind each other", FIELD_U64, 1, loops}},
      {&k.offsets,
       {GROUP, "offsets", "1",
        "where the nodes of each cell begin, and where those of the last end", FIELD_U64, 1,
        cells + 1}},
      {&k.types,
       {GROUP, "types", "1", "of the cell, VTK's number: 12 hexahedron, 10 tetrahedron", FIELD_I32,
        1, cells}},
      {&k.body, {GROUP, "body", "1", "id of the cell's body", FIELD_U64, 1, cells}},
      {&k.material,
       {GROUP, "material", "1", "index in the case's list of materials", FIELD_I32, 1, cells}},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i].number = hdf5_add_column(w, all[i].column);
  return k;
}

void frame_elastic_write_fixed(Hdf5Writer *w, ElasticFixed k, const RowSpans *spans,
                               const ElasticPiece *piece)
{
  assert((k.topology >= 0) == (piece->all.cells > 0) && "columns are those of the piece");
  if (k.topology < 0) return;
  const Bodies *bodies = bodies_of(&spans->copies);
  const size_t cells = (size_t)piece->own.cells, loops = (size_t)piece->own.loops;
  Arena arena = arena_new();
  uint64_t *topology = arena_allocate(&arena, (cells + loops + 1) * sizeof *topology),
           *nodes = arena_allocate(&arena, (loops + 1) * sizeof *nodes),
           *ends = arena_allocate(&arena, (cells + 1) * sizeof *ends),
           *body = arena_allocate(&arena, (cells + 1) * sizeof *body);
  int32_t *types = arena_allocate(&arena, (cells + 1) * sizeof *types),
          *material = arena_allocate(&arena, (cells + 1) * sizeof *material);
  size_t cell = 0, loop = 0, word = 0;
  uint64_t first = piece->first_point;
  for (int i = 0; i < bodies->table.count; i++) {
    const FiniteMesh *mesh = mesh_of(bodies, i);
    if (!mesh) continue;
    const CellKind *kind = mesh->corners == FINITE_HEXAHEDRON ? &HEXAHEDRON : &TETRAHEDRON;
    for (int c = 0; c < mesh->cells; c++, cell++) {
      topology[word++] = kind->xdmf;
      for (int v = 0; v < kind->corners; v++)
        topology[word++] = nodes[loop++] =
            first + (uint64_t)mesh->corner[kind->corners * c + kind->order[v]];
      ends[cell] = piece->first_loop + loop;
      types[cell] = kind->vtk;
      body[cell] = bodies->id[i];
      material[cell] = bodies->material[i];
    }
    first += (uint64_t)mesh->nodes;
  }
  assert(cell == cells && loop == loops && "the cells are those of the piece");
  const uint64_t at = piece->first_cell, rows = piece->own.cells;
  hdf5_write_rows(w, k.topology, at + piece->first_loop, (uint64_t)word, topology);
  hdf5_write_rows(w, k.connectivity, piece->first_loop, piece->own.loops, nodes);
  hdf5_write_rows(w, k.offsets, at + 1, rows, ends);   // row 0, which is 0, is left to the file
  hdf5_write_rows(w, k.types, at, rows, types);
  hdf5_write_rows(w, k.body, at, rows, body);
  hdf5_write_rows(w, k.material, at, rows, material);
  arena_destroy(&arena);
}

// ------------------------------------------------------------------------------------------------
// Nodes.

ElasticMoving frame_elastic_add_moving(Hdf5Writer *w, const ElasticPiece *piece, unsigned fields)
{
  assert(piece->own.points <= piece->all.points && "own nodes are some of all");
  ElasticMoving k = {-1, -1, -1, -1, -1, -1, -1, -1};
  const uint64_t points = piece->all.points;
  if (points == 0) return k;
  const struct {
    int *number;
    unsigned field;   // 0: always
    Hdf5Column column;
  } all[] = {
      {&k.points, 0, {GROUP, "points", "m", "where the node is", FIELD_F64, 3, points}},
      {&k.velocity, 0, {GROUP, "velocity", "m/s", "of the node", FIELD_F64, 3, points}},
      {&k.rank,
       0,
       {GROUP, "rank", "1", "rank that owns the cell's body", FIELD_I32, 1, piece->all.cells}},
      {&k.displacement,
       FRAME_DISPLACEMENT,
       {GROUP, "displacement", "m", "of the node by deformation alone, world axes", FIELD_F64, 3,
        points}},
      {&k.force,
       FRAME_FORCE,
       {GROUP, "force", "N", "of contacts on the node, mean of the step, world axes", FIELD_F64, 3,
        points}},
      {&k.stress,
       FRAME_STRESS,
       {GROUP, "stress", "Pa",
        "at the node, mean of its cells, world frame: xx yy zz xy yz xz, tension above zero",
        FIELD_F64, 6, points}},
      {&k.principal,
       FRAME_STRESS,
       {GROUP, "principal_stress", "Pa", "of that stress, the largest first", FIELD_F64, 3,
        points}},
      {&k.mises, FRAME_STRESS, {GROUP, "von_mises", "Pa", "of that stress", FIELD_F64, 1, points}},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].field == 0 || (fields & all[i].field))
      *all[i].number = hdf5_add_column(w, all[i].column);
  return k;
}

// Of this rank's nodes.
typedef struct {
  vec3 *points, *velocity, *displacement, *force, *principal;
  BodyTensor *stress;
  double *mises;
} NodeRows;

// Rows of a body's nodes, its first one at `at`.
static void tell_body(const ElasticFrame *frame, int row, NodeRows rows, size_t at, Arena *arena)
{
  const Bodies *b = bodies_of(&frame->spans->copies);
  const Nodes *nodes = b->nodes;
  const ElasticFinite *finite = kind_mesh(b, row);
  const int first = nodes_find(nodes, b->id[row]), count = finite->body->nodes;
  assert(first >= 0 && "nodes are where their body is");
  const mat3 rotation = quat_to_mat3(b->orientation[row]);
  for (int n = 0; n < count; n++) {
    const vec3 moved = mat3_mul(rotation, nodes->displacement[first + n]);
    const vec3 arm = vec3_add(mat3_mul(rotation, finite->body->place[n]), moved);
    const vec3 rate = mat3_mul(rotation, nodes->rate[first + n]);
    const size_t to = at + (size_t)n;
    rows.points[to] = vec3_add(b->position[row], arm);
    rows.velocity[to] = vec3_add(vec3_add(b->velocity[row], vec3_cross(b->spin[row], arm)), rate);
    rows.displacement[to] = moved;
    if (rows.force) rows.force[to] = vec3_scale(1 / frame->c->step, nodes->impulse[first + n]);
  }
  if (!rows.stress) return;
  const ArenaMark mark = arena_mark(arena);
  sym3 *stress = arena_allocate(arena, (size_t)count * sizeof *stress);
  const double temperature = scene_temperature(frame->c, b->id[row], frame->time);
  const FiniteDeformed of = kind_deformed(b, row, temperature);
  finite_stress_nodes(&of, stress);
  for (int n = 0; n < count; n++) {
    const size_t to = at + (size_t)n;
    rows.stress[to] = body_tensor_in_world(rotation, stress[n]);
    rows.principal[to] = finite_stress_principal(stress[n]);
    rows.mises[to] = finite_stress_mises(stress[n]);
  }
  arena_release(arena, mark);
}

void frame_elastic_write_moving(Hdf5Writer *w, ElasticMoving k, const ElasticFrame *frame)
{
  const ElasticPiece *piece = frame->piece;
  assert((k.points >= 0) == (piece->all.points > 0) && frame->c->step > 0 &&
         "columns are those of the piece");
  if (k.points < 0) return;
  const Bodies *b = bodies_of(&frame->spans->copies);
  const size_t points = (size_t)piece->own.points + 1;
  Arena arena = arena_new();
  NodeRows rows = {.points = arena_allocate(&arena, points * sizeof(vec3)),
                   .velocity = arena_allocate(&arena, points * sizeof(vec3)),
                   .displacement = arena_allocate(&arena, points * sizeof(vec3))};
  if (k.force >= 0) rows.force = arena_allocate(&arena, points * sizeof(vec3));
  if (k.stress >= 0) {
    rows.stress = arena_allocate(&arena, points * sizeof *rows.stress);
    rows.principal = arena_allocate(&arena, points * sizeof(vec3));
    rows.mises = arena_allocate(&arena, points * sizeof(double));
  }
  int32_t *rank = arena_allocate(&arena, ((size_t)piece->own.cells + 1) * sizeof *rank);
  size_t at = 0, cell = 0;
  for (int i = 0; i < b->table.count; i++) {
    const FiniteMesh *mesh = mesh_of(b, i);
    if (!mesh) continue;
    tell_body(frame, i, rows, at, &arena);
    at += (size_t)mesh->nodes;
    for (int c = 0; c < mesh->cells; c++) rank[cell++] = frame->spans->of[0].rank[i];
  }
  const uint64_t first = piece->first_point, count = piece->own.points;
  hdf5_write_rows(w, k.points, first, count, rows.points);
  hdf5_write_rows(w, k.velocity, first, count, rows.velocity);
  hdf5_write_rows(w, k.rank, piece->first_cell, piece->own.cells, rank);
  if (k.displacement >= 0) hdf5_write_rows(w, k.displacement, first, count, rows.displacement);
  if (k.force >= 0) hdf5_write_rows(w, k.force, first, count, rows.force);
  if (k.stress >= 0) {
    hdf5_write_rows(w, k.stress, first, count, rows.stress);
    hdf5_write_rows(w, k.principal, first, count, rows.principal);
    hdf5_write_rows(w, k.mises, first, count, rows.mises);
  }
  arena_destroy(&arena);
}
