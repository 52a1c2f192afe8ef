// Makes the polygons and corners of all bodies that a frame holds for ParaView.
#include "frame_mesh.h"

#include <assert.h>
#include <string.h>

#include "motion.h"
#include "parallel.h"

static uint64_t exclusive_sum(uint64_t value)
{
  return (uint64_t)par_exclusive_sum((int64_t)value);
}
static uint64_t sum(uint64_t value) { return (uint64_t)par_sum((int64_t)value); }

MeshPiece frame_mesh_piece(const RowSpans *spans, MeshSet *meshes)
{
  const Bodies *bodies = bodies_of(&spans->copies);
  MeshPiece piece = {0};
  for (int i = 0; i < bodies->table.count; i++) {
    const ShapeMesh *mesh = shape_mesh_set_get(meshes, bodies->shape[i]);
    piece.own.points += (uint64_t)mesh->point_count;
    piece.own.cells += (uint64_t)mesh->cell_count;
    piece.own.loops += (uint64_t)mesh->loop_count;
  }
  piece.first_point = exclusive_sum(piece.own.points);
  piece.first_cell = exclusive_sum(piece.own.cells);
  piece.first_loop = exclusive_sum(piece.own.loops);
  piece.all = (MeshRows){sum(piece.own.points), sum(piece.own.cells), sum(piece.own.loops)};
  return piece;
}

// Of numbers of corners, which small files need half the room for.
static FieldType index_type(MeshRows all)
{
  return all.loops <= UINT32_MAX ? FIELD_U32 : FIELD_U64;
}

FixedColumns frame_mesh_add_fixed(Hdf5Writer *writer, const RowSpans *spans, const MeshPiece *piece)
{
  const MeshRows all = piece->all;
  const uint64_t bodies = spans->of[0].row_count, words = 2 * all.cells + all.loops;
  const FieldType index = index_type(all);
  const Hdf5Column columns[] = {
      {"mesh", "topology", "1",
       "per facet: 3, number of corners, corners counter-clockwise seen from outside", FIELD_U64, 1,
       words},
      {"mesh", "reference", "m", "corner in the frame of its body", FIELD_F64, 3, all.points},
      {"mesh", "body", "1", "id of the facet's body", FIELD_U64, 1, all.cells},
      {"mesh", "part", "1", "convex part of the body", FIELD_I32, 1, all.cells},
      {"mesh", "material", "1", "of the facet's body", FIELD_I32, 1, all.cells},
      {"mesh", "drive", "1", "of the facet's body: 0 dynamic, 1 fixed, 2 prescribed", FIELD_I32, 1,
       all.cells},
      {"bodies", "first_point", "1", "row of the body's first corner in the mesh", FIELD_U64, 1,
       bodies},
      {"bodies", "first_cell", "1", "row of the body's first facet in the mesh", FIELD_U64, 1,
       bodies},
      {"mesh", "connectivity", "1", "corners of the facets, one facet behind the other", index, 1,
       all.loops},
      {"mesh", "offsets", "1", "per facet, and for the end: its first corner in connectivity",
       index, 1, all.cells + 1},
  };
  int k[10];
  for (int i = 0; i < 10; i++) k[i] = hdf5_add_column(writer, columns[i]);
  int name = -1;
  if (piece->names.width > 0)
    name = hdf5_add_column(writer, (Hdf5Column){"bodies", "name", "1",
                                                "entry of the case, and member of several",
                                                FIELD_TEXT, piece->names.width, bodies});
  return (FixedColumns){k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8], k[9], name};
}

// What does not change while the bodies are the same ones: polygons, corners in the body frame, and
// what a facet inherits from its body for good.
typedef struct {
  uint64_t *polygons;   // 3, number of corners, corners, for every facet
  vec3 *reference;
  uint64_t *body;
  int32_t *part, *material, *drive;
  uint64_t *first_point, *first_cell;   // per body
} FixedMesh;

static FixedMesh fixed_mesh(const Bodies *bodies, const MeshPiece *piece, MeshSet *meshes,
                            Arena *arena)
{
  const size_t cells = (size_t)piece->own.cells, rows = (size_t)bodies->table.count;
  FixedMesh m = {
      .polygons =
          arena_allocate(arena, (2 * cells + (size_t)piece->own.loops) * sizeof *m.polygons),
      .reference = arena_allocate(arena, (size_t)piece->own.points * sizeof *m.reference),
      .body = arena_allocate(arena, cells * sizeof *m.body),
      .part = arena_allocate(arena, cells * sizeof *m.part),
      .material = arena_allocate(arena, cells * sizeof *m.material),
      .drive = arena_allocate(arena, cells * sizeof *m.drive),
      .first_point = arena_allocate(arena, rows * sizeof *m.first_point),
      .first_cell = arena_allocate(arena, rows * sizeof *m.first_cell)};
  uint64_t *polygon = m.polygons;
  size_t point = 0, cell = 0;
  for (int i = 0; i < bodies->table.count; i++) {
    const ShapeMesh *mesh = shape_mesh_set_get(meshes, bodies->shape[i]);
    m.first_point[i] = piece->first_point + point;
    m.first_cell[i] = piece->first_cell + cell;
    for (int c = 0; c < mesh->cell_count; c++, cell++) {
      *polygon++ = 3;   // XDMF's number for a polygon
      *polygon++ = (uint64_t)(mesh->cell_start[c + 1] - mesh->cell_start[c]);
      for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++)
        *polygon++ = m.first_point[i] + (uint64_t)mesh->loops[k];
      m.body[cell] = bodies->id[i];
      m.part[cell] = mesh->cell_part[c];
      m.material[cell] = bodies->material[i];
      m.drive[cell] = bodies->drive[i];
    }
    if (mesh->point_count > 0)
      memcpy(m.reference + point, mesh->points, (size_t)mesh->point_count * sizeof *m.reference);
    point += (size_t)mesh->point_count;
  }
  assert(cell == cells && point == (size_t)piece->own.points && "the mesh is that of the piece");
  return m;
}

static void put_index(void *to, bool narrow, size_t place, uint64_t value)
{
  if (narrow) ((uint32_t *)to)[place] = (uint32_t)value;
  else ((uint64_t *)to)[place] = value;
}

// The polygons once more, as VTKHDF has them: corners alone, and where those of each facet end. Row
// 0 of the ends, which is 0, is left to the file.
static void write_connectivity(Hdf5Writer *writer, FixedColumns columns, const MeshPiece *piece,
                               const uint64_t *polygons, Arena *arena)
{
  const size_t cells = (size_t)piece->own.cells, loops = (size_t)piece->own.loops;
  const bool narrow = index_type(piece->all) == FIELD_U32;
  const size_t bytes = narrow ? sizeof(uint32_t) : sizeof(uint64_t);
  void *corners = arena_allocate(arena, loops * bytes),
       *ends = arena_allocate(arena, cells * bytes);
  size_t k = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    const uint64_t count = polygons[1], *corner = polygons + 2;
    for (uint64_t i = 0; i < count; i++, k++) put_index(corners, narrow, k, corner[i]);
    put_index(ends, narrow, cell, piece->first_loop + k);
    polygons = corner + count;
  }
  assert(k == loops && "the polygons are those of the piece");
  hdf5_write_rows(writer, columns.connectivity, piece->first_loop, loops, corners);
  hdf5_write_rows(writer, columns.offsets, piece->first_cell + 1, cells, ends);
}

void frame_mesh_write_fixed(Hdf5Writer *writer, FixedColumns columns, const RowSpans *spans,
                            const MeshPiece *piece, MeshSet *meshes)
{
  assert(piece->first_cell + piece->own.cells <= piece->all.cells && "own facets are some of all");
  Arena arena = arena_new();
  const Bodies *bodies = bodies_of(&spans->copies);
  const FixedMesh m = fixed_mesh(bodies, piece, meshes, &arena);
  const MeshRows own = piece->own;
  const uint64_t rows = (uint64_t)bodies->table.count, cell = piece->first_cell;
  hdf5_write_rows(writer, columns.polygons, 2 * cell + piece->first_loop, 2 * own.cells + own.loops,
                  m.polygons);
  write_connectivity(writer, columns, piece, m.polygons, &arena);
  hdf5_write_rows(writer, columns.reference, piece->first_point, own.points, m.reference);
  hdf5_write_rows(writer, columns.body, cell, own.cells, m.body);
  hdf5_write_rows(writer, columns.part, cell, own.cells, m.part);
  hdf5_write_rows(writer, columns.material, cell, own.cells, m.material);
  hdf5_write_rows(writer, columns.drive, cell, own.cells, m.drive);
  hdf5_write_rows(writer, columns.first_point, spans->of[0].first_row, rows, m.first_point);
  hdf5_write_rows(writer, columns.first_cell, spans->of[0].first_row, rows, m.first_cell);
  if (columns.name >= 0)
    hdf5_write_rows(writer, columns.name, spans->of[0].first_row, rows, piece->names.text);
  arena_destroy(&arena);
}

MovingColumns frame_mesh_add_moving(Hdf5Writer *writer, const RowSpans *spans,
                                    const MeshPiece *piece)
{
  const uint64_t cells = piece->all.cells;
  const Hdf5Column columns[] = {
      {"mesh", "points", "m", "corner", FIELD_F64, 3, piece->all.points},
      {"mesh", "velocity", "m/s", "of the centre of mass of the facet's body", FIELD_F64, 3, cells},
      {"mesh", "speed", "m/s", "of the centre of mass of the facet's body", FIELD_F64, 1, cells},
      {"mesh", "rank", "1", "rank that owns the facet's body", FIELD_I32, 1, cells},
  };
  const Hdf5Column tensors[] = {
      {"mesh", "strain", "1", "of the facet's body, world frame: xx yy zz xy yz xz", FIELD_F64, 6,
       cells},
      {"mesh", "stress", "Pa", "of the facet's body, world frame: xx yy zz xy yz xz", FIELD_F64, 6,
       cells},
  };
  int k[6] = {[4] = -1, [5] = -1};
  for (int i = 0; i < 4; i++) k[i] = hdf5_add_column(writer, columns[i]);
  for (int i = 0; i < 2 && bodies_deform(bodies_of(&spans->copies)); i++)
    k[4 + i] = hdf5_add_column(writer, tensors[i]);
  MovingColumns found = {k[0], k[1], k[2], k[3], k[4], k[5], -1, -1};
  if (piece->rows.displacement)
    found.displacement = hdf5_add_column(
        writer, (Hdf5Column){"mesh", "displacement", "m",
                             "of the centre of mass of the facet's body since the case put it",
                             FIELD_F32, 3, cells});
  if (piece->rows.stress)
    found.mean_stress = hdf5_add_column(
        writer, (Hdf5Column){"mesh", "mean_stress", "Pa",
                             "of the facet's body, a third of the trace, tension above zero",
                             FIELD_F32, 1, cells});
  return found;
}

// What changes from frame to frame, per corner and facet of this rank's bodies.
typedef struct {
  vec3 *points, *velocity;
  double *speed;
  int32_t *rank;
  BodyTensor *strain, *stress;         // NULL: none
  float *displacement, *mean_stress;   // NULL: none
} MovingMesh;

static float mean_of(const BodyTensor *t) { return (float)((t->xx + t->yy + t->zz) / 3); }

static MovingMesh moving_mesh(const RowSpans *spans, const MeshPiece *piece, MeshSet *meshes,
                              Arena *arena)
{
  const Bodies *bodies = bodies_of(&spans->copies);
  const size_t cells = (size_t)piece->own.cells;
  MovingMesh m = {.points = arena_allocate(arena, (size_t)piece->own.points * sizeof *m.points),
                  .velocity = arena_allocate(arena, cells * sizeof *m.velocity),
                  .speed = arena_allocate(arena, cells * sizeof *m.speed),
                  .rank = arena_allocate(arena, cells * sizeof *m.rank)};
  const bool deform = bodies_deform(bodies);
  if (deform) {
    m.strain = arena_allocate(arena, cells * sizeof *m.strain);
    m.stress = arena_allocate(arena, cells * sizeof *m.stress);
  }
  const BodyRows *told = &piece->rows;
  if (told->displacement)
    m.displacement = arena_allocate(arena, (3 * cells + 1) * sizeof *m.displacement);
  if (told->stress) m.mean_stress = arena_allocate(arena, (cells + 1) * sizeof *m.mean_stress);
  size_t point = 0, cell = 0;
  for (int i = 0; i < bodies->table.count; i++) {
    const ShapeMesh *mesh = shape_mesh_set_get(meshes, bodies->shape[i]);
    motion_surface(bodies, i, mesh->points, mesh->point_count, m.points + point);
    point += (size_t)mesh->point_count;
    const double speed = vec3_norm(bodies->velocity[i]);
    for (int k = 0; k < mesh->cell_count; k++, cell++) {
      m.velocity[cell] = bodies->velocity[i];
      m.speed[cell] = speed;
      m.rank[cell] = spans->of[0].rank[i];
      if (told->displacement) {
        const vec3 d = told->displacement[i];
        float *to = m.displacement + 3 * cell;
        to[0] = (float)d.x;
        to[1] = (float)d.y;
        to[2] = (float)d.z;
      }
      if (told->stress) m.mean_stress[cell] = mean_of(&told->stress[i]);
      if (!deform) continue;
      m.strain[cell] = bodies->strain[i];
      m.stress[cell] = told->stress ? told->stress[i] : bodies->stress[i];
    }
  }
  assert(cell == cells && point == (size_t)piece->own.points && "the mesh is that of the piece");
  return m;
}

void frame_mesh_write_moving(Hdf5Writer *writer, MovingColumns columns, const RowSpans *spans,
                             const MeshPiece *piece, MeshSet *meshes)
{
  assert(piece->first_point + piece->own.points <= piece->all.points &&
         "own corners are some of all");
  Arena arena = arena_new();
  const MovingMesh m = moving_mesh(spans, piece, meshes, &arena);
  const uint64_t cell = piece->first_cell, cells = piece->own.cells;
  hdf5_write_rows(writer, columns.points, piece->first_point, piece->own.points, m.points);
  hdf5_write_rows(writer, columns.velocity, cell, cells, m.velocity);
  hdf5_write_rows(writer, columns.speed, cell, cells, m.speed);
  hdf5_write_rows(writer, columns.rank, cell, cells, m.rank);
  if (columns.strain >= 0) hdf5_write_rows(writer, columns.strain, cell, cells, m.strain);
  if (columns.stress >= 0) hdf5_write_rows(writer, columns.stress, cell, cells, m.stress);
  if (columns.displacement >= 0)
    hdf5_write_rows(writer, columns.displacement, cell, cells, m.displacement);
  if (columns.mean_stress >= 0)
    hdf5_write_rows(writer, columns.mean_stress, cell, cells, m.mean_stress);
  arena_destroy(&arena);
}
