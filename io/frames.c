#include "frames.h"

#include <assert.h>
#include <string.h>

#include "blocks.h"
#include "body_block.h"
#include "hdf5_reader.h"
#include "hdf5_writer.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"

#define FRAME_FORMAT "drystone frame"
#define TOPOLOGY_FORMAT "drystone topology"
enum { FORMAT_VERSION = 1 };

// what of a body a frame needs, and the place of its mesh
enum {
  BODY_WRITTEN = FIELD_OUTPUT,
  BODY_GATHERED = FIELD_OUTPUT | FIELD_SCENE,
  CONTACT_WRITTEN = FIELD_OUTPUT
};

static uint64_t exclusive_sum(uint64_t value)
{
  return (uint64_t)par_exclusive_sum((int64_t)value);
}
static uint64_t sum(uint64_t value) { return (uint64_t)par_sum((int64_t)value); }

void frames_number_mesh(Bodies *bodies, ShapeSet *shapes)
{
  MeshSet meshes = mesh_set_new(shapes);
  uint64_t points = 0, cells = 0;
  for (int i = 0; i < bodies->table.owned; i++) {
    assert((i == 0 || bodies->id[i] > bodies->id[i - 1]) &&
           "bodies are numbered in the order of their ids");
    const ShapeMesh *mesh = mesh_set_get(&meshes, bodies->shape[i]);
    bodies->first_point[i] = points;
    bodies->first_cell[i] = cells;
    points += (uint64_t)mesh->point_count;
    cells += (uint64_t)mesh->cell_count;
  }
  const uint64_t points_before = exclusive_sum(points), cells_before = exclusive_sum(cells);
  for (int i = 0; i < bodies->table.owned; i++) {
    bodies->first_point[i] += points_before;
    bodies->first_cell[i] += cells_before;
  }
  mesh_set_destroy(&meshes);
}

// ------------------------------------------------------------------------------------------------
// The mesh of this rank's block of bodies, repeated per corner and facet.

// Rows of this rank in the output mesh.
typedef struct {
  uint64_t first_point, first_cell, first_loop;
  XdmfMesh own;
} Piece;

static Piece piece_of(const Blocks *blocks, MeshSet *meshes)
{
  const Bodies *bodies = &blocks->bodies;
  Piece piece = {0};
  for (int i = 0; i < bodies->table.count; i++) {
    const ShapeMesh *mesh = mesh_set_get(meshes, bodies->shape[i]);
    piece.own.points += (uint64_t)mesh->point_count;
    piece.own.cells += (uint64_t)mesh->cell_count;
    piece.own.loops += (uint64_t)mesh->loop_count;
  }
  piece.first_point = exclusive_sum(piece.own.points);
  piece.first_cell = exclusive_sum(piece.own.cells);
  piece.first_loop = exclusive_sum(piece.own.loops);
  assert((bodies->table.count == 0 || (bodies->first_point[0] == piece.first_point &&
                                       bodies->first_cell[0] == piece.first_cell)) &&
         "the bodies' numbers in the output mesh");
  return piece;
}

// What does not change: polygons, corners in the body frame, and what a facet inherits from its
// body for good.
typedef struct {
  uint64_t *polygons;   // 3, number of corners, corners, for every facet
  vec3 *reference;
  uint64_t *body;
  int32_t *part, *material, *kind;
} FixedMesh;

static FixedMesh fixed_mesh(const Bodies *bodies, const Piece *piece, MeshSet *meshes, Arena *arena)
{
  const size_t cells = (size_t)piece->own.cells;
  FixedMesh m = {
      .polygons =
          arena_allocate(arena, (2 * cells + (size_t)piece->own.loops) * sizeof *m.polygons),
      .reference = arena_allocate(arena, (size_t)piece->own.points * sizeof *m.reference),
      .body = arena_allocate(arena, cells * sizeof *m.body),
      .part = arena_allocate(arena, cells * sizeof *m.part),
      .material = arena_allocate(arena, cells * sizeof *m.material),
      .kind = arena_allocate(arena, cells * sizeof *m.kind)};
  uint64_t *polygon = m.polygons;
  size_t point = 0, cell = 0;
  for (int i = 0; i < bodies->table.count; i++) {
    const ShapeMesh *mesh = mesh_set_get(meshes, bodies->shape[i]);
    for (int c = 0; c < mesh->cell_count; c++, cell++) {
      *polygon++ = 3;   // XDMF's number for a polygon
      *polygon++ = (uint64_t)(mesh->cell_start[c + 1] - mesh->cell_start[c]);
      for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++)
        *polygon++ = piece->first_point + point + (uint64_t)mesh->loops[k];
      m.body[cell] = bodies->id[i];
      m.part[cell] = mesh->cell_part[c];
      m.material[cell] = bodies->material[i];
      m.kind[cell] = bodies->kind[i];
    }
    if (mesh->point_count > 0)
      memcpy(m.reference + point, mesh->points, (size_t)mesh->point_count * sizeof *m.reference);
    point += (size_t)mesh->point_count;
  }
  return m;
}

static bool write_topology(const Frames *frames, const Blocks *blocks, const Piece *piece,
                           MeshSet *meshes)
{
  const XdmfMesh *all = &frames->mesh;
  const int rows = blocks->bodies.table.count;
  Arena arena = arena_new();
  const FixedMesh m = fixed_mesh(&blocks->bodies, piece, meshes, &arena);
  Hdf5Writer writer;
  hdf5_begin(&writer, frames->results->path, RESULTS_TOPOLOGY);
  hdf5_add_provenance(&writer, TOPOLOGY_FORMAT, FORMAT_VERSION, frames->c);
  hdf5_add_integer(&writer, "/", "bodies", (int64_t)blocks->body_count);

  const int polygons = hdf5_add_column(
      &writer, (Hdf5Column){"mesh", "topology", "1",
                            "per facet: 3, number of corners, corners counter-clockwise seen "
                            "from outside",
                            FIELD_U64, 1, 2 * all->cells + all->loops});
  const int reference = hdf5_add_column(&writer, (Hdf5Column){"mesh", "reference", "m",
                                                              "corner in the frame of its body",
                                                              FIELD_F64, 3, all->points});
  const int body =
      hdf5_add_column(&writer, (Hdf5Column){"mesh", "body", "1", "id of the facet's body",
                                            FIELD_U64, 1, all->cells});
  const int part =
      hdf5_add_column(&writer, (Hdf5Column){"mesh", "part", "1", "convex part of the body",
                                            FIELD_I32, 1, all->cells});
  const int material =
      hdf5_add_column(&writer, (Hdf5Column){"mesh", "material", "1", "of the facet's body",
                                            FIELD_I32, 1, all->cells});
  const int kind = hdf5_add_column(&writer, (Hdf5Column){"mesh", "kind", "1",
                                                         "of the facet's body: 0 dynamic, 1 fixed",
                                                         FIELD_I32, 1, all->cells});
  const int first_point =
      hdf5_add_column(&writer, (Hdf5Column){"bodies", "first_point", "1",
                                            "row of the body's first corner in the mesh", FIELD_U64,
                                            1, blocks->body_count});
  const int first_cell =
      hdf5_add_column(&writer, (Hdf5Column){"bodies", "first_cell", "1",
                                            "row of the body's first facet in the mesh", FIELD_U64,
                                            1, blocks->body_count});

  hdf5_lay_out(&writer);
  hdf5_write_rows(&writer, polygons, 2 * piece->first_cell + piece->first_loop,
                  2 * piece->own.cells + piece->own.loops, m.polygons);
  hdf5_write_rows(&writer, reference, piece->first_point, piece->own.points, m.reference);
  hdf5_write_rows(&writer, body, piece->first_cell, piece->own.cells, m.body);
  hdf5_write_rows(&writer, part, piece->first_cell, piece->own.cells, m.part);
  hdf5_write_rows(&writer, material, piece->first_cell, piece->own.cells, m.material);
  hdf5_write_rows(&writer, kind, piece->first_cell, piece->own.cells, m.kind);
  hdf5_write_rows(&writer, first_point, blocks->first_body, (uint64_t)rows,
                  blocks->bodies.first_point);
  hdf5_write_rows(&writer, first_cell, blocks->first_body, (uint64_t)rows,
                  blocks->bodies.first_cell);
  const bool ok = hdf5_commit(&writer);
  arena_destroy(&arena);
  return ok;
}

// ------------------------------------------------------------------------------------------------
// The XDMF files, by rank 0.

static void write_xdmf(const Frames *frames, DiskStatus *status)
{
  const char *folder = frames->results->path;
  if (frames->frame_count == 0) {
    disk_remove(folder, RESULTS_BODIES, status);
    disk_remove(folder, RESULTS_CONTACTS, status);
    return;
  }
  size_t bytes;
  char *text = xdmf_bodies(frames->mesh, frames->frames, frames->frame_count, &bytes);
  disk_replace(folder, RESULTS_BODIES, text, bytes, status);
  memory_free(text);
  text = xdmf_contacts(frames->frames, frames->frame_count, &bytes);
  disk_replace(folder, RESULTS_CONTACTS, text, bytes, status);
  memory_free(text);
}

// The last of the list by step; a frame written again replaces itself.
static void append_frame(Frames *frames, XdmfFrame frame)
{
  while (frames->frame_count > 0 && frames->frames[frames->frame_count - 1].step >= frame.step)
    frames->frame_count--;
  if (frames->frame_count == frames->frame_capacity) {
    frames->frame_capacity = 2 * frames->frame_capacity + 64;
    frames->frames =
        memory_resize(frames->frames, (size_t)frames->frame_capacity * sizeof *frames->frames);
  }
  frames->frames[frames->frame_count++] = frame;
}

// Keeps frames up to last_step, deletes later ones. A frame that cannot be read is left out of the
// XDMF files.
static void pick_up_frames(Frames *frames, int64_t last_step, DiskStatus *status)
{
  const char *folder = frames->results->path;
  int64_t *steps;
  const int count = disk_list_numbers(folder, RESULTS_FRAME, &steps, status);
  for (int i = 0; i < count; i++) {
    char *name = disk_numbered(RESULTS_FRAME, steps[i]), *path = disk_path(folder, name);
    DiskStatus reading = {0};
    Hdf5Header header;
    if (steps[i] > last_step) {
      disk_remove(folder, name, status);
    } else if (!hdf5_read_header(path, FRAME_FORMAT, FORMAT_VERSION, &header, &reading)) {
      log_warning("a frame is left out of the XDMF files: %s", reading.reason);
    } else if (header.step != steps[i] || header.bodies != (int64_t)frames->c->body_count ||
               header.contacts < 0) {
      disk_fail(status, "%s belongs to another case: it has %lld bodies, the case %llu", path,
                (long long)header.bodies, (unsigned long long)frames->c->body_count);
    } else {
      append_frame(frames, (XdmfFrame){header.step, header.time, (uint64_t)header.contacts});
    }
    memory_free(path);
    memory_free(name);
  }
  memory_free(steps);
}

bool frames_begin(Frames *frames, const Results *results, const Case *c, const Bodies *bodies,
                  ShapeSet *shapes, int64_t last_step)
{
  *frames = (Frames){.results = results, .c = c, .meshes = mesh_set_new(shapes)};
  Contacts none = {0};
  contacts_begin(&none);
  Blocks blocks;
  blocks_gather(&blocks, bodies, &none, c->body_count, BODY_GATHERED, CONTACT_WRITTEN);
  const Piece piece = piece_of(&blocks, &frames->meshes);
  frames->mesh = (XdmfMesh){sum(piece.own.points), sum(piece.own.cells), sum(piece.own.loops)};
  bool ok = write_topology(frames, &blocks, &piece, &frames->meshes);
  blocks_end(&blocks);
  contacts_end(&none);

  DiskStatus status = {0};
  if (ok && par_rank() == 0) {
    pick_up_frames(frames, last_step, &status);
    if (!status.failed) write_xdmf(frames, &status);
  }
  return all_ok(!status.failed, "cannot go on with the frames: %s", status.reason) && ok;
}

void frames_end(Frames *frames)
{
  mesh_set_destroy(&frames->meshes);
  memory_free(frames->frames);
  *frames = (Frames){0};
}

// ------------------------------------------------------------------------------------------------
// One frame.

// What changes from frame to frame, per corner and facet of this rank's bodies.
typedef struct {
  vec3 *points, *velocity;
  double *speed;
  int32_t *rank;
} MovingMesh;

static MovingMesh moving_mesh(const Blocks *blocks, const Piece *piece, MeshSet *meshes,
                              Arena *arena)
{
  const Bodies *bodies = &blocks->bodies;
  const size_t cells = (size_t)piece->own.cells;
  MovingMesh m = {.points = arena_allocate(arena, (size_t)piece->own.points * sizeof *m.points),
                  .velocity = arena_allocate(arena, cells * sizeof *m.velocity),
                  .speed = arena_allocate(arena, cells * sizeof *m.speed),
                  .rank = arena_allocate(arena, cells * sizeof *m.rank)};
  size_t point = 0, cell = 0;
  for (int i = 0; i < bodies->table.count; i++) {
    const ShapeMesh *mesh = mesh_set_get(meshes, bodies->shape[i]);
    const mat3 rotation = quat_to_mat3(bodies->orientation[i]);
    for (int k = 0; k < mesh->point_count; k++)
      m.points[point++] = vec3_add(bodies->position[i], mat3_mul(rotation, mesh->points[k]));
    const double speed = vec3_norm(bodies->velocity[i]);
    for (int k = 0; k < mesh->cell_count; k++, cell++) {
      m.velocity[cell] = bodies->velocity[i];
      m.speed[cell] = speed;
      m.rank[cell] = blocks->body_rank[i];
    }
  }
  return m;
}

typedef struct {
  uint64_t bodies[2], parts[2], features[2];
} WideKey;

// What is derived from a contact's columns.
typedef struct {
  vec3 *reaction;   // on the lower body, world axes, N s
  WideKey *key;
  uint64_t *index;   // row in the file
} DerivedContacts;

static DerivedContacts derived_contacts(const Blocks *blocks, Arena *arena)
{
  const Contacts *c = &blocks->contacts;
  const size_t count = (size_t)c->table.count;
  DerivedContacts d = {.reaction = arena_allocate(arena, count * sizeof *d.reaction),
                       .key = arena_allocate(arena, count * sizeof *d.key),
                       .index = arena_allocate(arena, count * sizeof *d.index)};
  for (size_t i = 0; i < count; i++) {
    d.reaction[i] = mat3_mul_transposed(contact_frame(c->normal[i]), c->reaction[i]);
    d.key[i] = (WideKey){{c->bodies[i].low, c->bodies[i].high},
                         {c->parts[i].low, c->parts[i].high},
                         {c->features[i].low, c->features[i].high}};
    d.index[i] = blocks->first_contact + i;
  }
  return d;
}

// Numbers of a frame's columns in its file.
typedef struct {
  int bodies, body_rank, points, velocity, speed, mesh_rank;
  int contacts, contact_rank, reaction, key, index;
} FrameColumns;

static FrameColumns add_columns(Hdf5Writer *w, const Blocks *blocks, XdmfMesh mesh)
{
  const uint64_t bodies = blocks->body_count, contacts = blocks->contact_count;
  FrameColumns k;
  k.bodies = hdf5_add_table(w, &blocks->bodies.table, BODY_WRITTEN, bodies);
  k.body_rank = hdf5_add_column(
      w, (Hdf5Column){"bodies", "rank", "1", "rank that owns it", FIELD_I32, 1, bodies});
  k.points =
      hdf5_add_column(w, (Hdf5Column){"mesh", "points", "m", "corner", FIELD_F64, 3, mesh.points});
  k.velocity = hdf5_add_column(w, (Hdf5Column){"mesh", "velocity", "m/s",
                                               "of the centre of mass of the facet's body",
                                               FIELD_F64, 3, mesh.cells});
  k.speed = hdf5_add_column(w, (Hdf5Column){"mesh", "speed", "m/s",
                                            "of the centre of mass of the facet's body", FIELD_F64,
                                            1, mesh.cells});
  k.mesh_rank =
      hdf5_add_column(w, (Hdf5Column){"mesh", "rank", "1", "rank that owns the facet's body",
                                      FIELD_I32, 1, mesh.cells});
  k.contacts = hdf5_add_table(w, &blocks->contacts.table, CONTACT_WRITTEN, contacts);
  k.contact_rank = hdf5_add_column(
      w, (Hdf5Column){"contacts", "rank", "1", "rank that owns the pair", FIELD_I32, 1, contacts});
  k.reaction = hdf5_add_column(w, (Hdf5Column){"contacts", "reaction_world", "N s",
                                               "impulse on the lower body, world axes", FIELD_F64,
                                               3, contacts});
  k.key = hdf5_add_column(
      w, (Hdf5Column){"contacts", "key", "1",
                      "bodies, parts, features: of the lower and the higher body each", FIELD_U64,
                      6, contacts});
  k.index =
      hdf5_add_column(w, (Hdf5Column){"contacts", "index", "1", "its row", FIELD_U64, 1, contacts});
  return k;
}

static bool write_frame(const Frames *frames, const Blocks *blocks, MeshSet *meshes,
                        const Hdf5Header *header)
{
  Arena arena = arena_new();
  const Piece piece = piece_of(blocks, meshes);
  const MovingMesh m = moving_mesh(blocks, &piece, meshes, &arena);
  const DerivedContacts d = derived_contacts(blocks, &arena);
  char *name = disk_numbered(RESULTS_FRAME, header->step);
  Hdf5Writer w;
  hdf5_begin(&w, frames->results->path, name);
  hdf5_add_provenance(&w, FRAME_FORMAT, FORMAT_VERSION, frames->c);
  hdf5_add_header(&w, header);
  const FrameColumns k = add_columns(&w, blocks, frames->mesh);

  hdf5_lay_out(&w);
  const int bodies = blocks->bodies.table.count, contacts = blocks->contacts.table.count;
  const uint64_t first_contact = blocks->first_contact;
  hdf5_write_table(&w, k.bodies, &blocks->bodies.table, BODY_WRITTEN, blocks->first_body, bodies);
  hdf5_write_rows(&w, k.body_rank, blocks->first_body, (uint64_t)bodies, blocks->body_rank);
  hdf5_write_rows(&w, k.points, piece.first_point, piece.own.points, m.points);
  hdf5_write_rows(&w, k.velocity, piece.first_cell, piece.own.cells, m.velocity);
  hdf5_write_rows(&w, k.speed, piece.first_cell, piece.own.cells, m.speed);
  hdf5_write_rows(&w, k.mesh_rank, piece.first_cell, piece.own.cells, m.rank);
  hdf5_write_table(&w, k.contacts, &blocks->contacts.table, CONTACT_WRITTEN, first_contact,
                   contacts);
  hdf5_write_rows(&w, k.contact_rank, first_contact, (uint64_t)contacts, blocks->contact_rank);
  hdf5_write_rows(&w, k.reaction, first_contact, (uint64_t)contacts, d.reaction);
  hdf5_write_rows(&w, k.key, first_contact, (uint64_t)contacts, d.key);
  hdf5_write_rows(&w, k.index, first_contact, (uint64_t)contacts, d.index);
  const bool ok = hdf5_commit(&w);
  memory_free(name);
  arena_destroy(&arena);
  return ok;
}

bool frames_write(Frames *frames, int64_t step, double time, const Bodies *bodies,
                  const Contacts *contacts, Hash128 hash)
{
  Blocks blocks;
  blocks_gather(&blocks, bodies, contacts, frames->c->body_count, BODY_GATHERED, CONTACT_WRITTEN);
  Hdf5Header header = {.step = step,
                       .time = time,
                       .bodies = (int64_t)blocks.body_count,
                       .contacts = (int64_t)blocks.contact_count};
  hash_to_text(hash, header.hash);
  const bool ok = write_frame(frames, &blocks, &frames->meshes, &header);
  const uint64_t contact_count = blocks.contact_count;
  blocks_end(&blocks);
  if (!ok) return false;

  DiskStatus status = {0};
  if (par_rank() == 0) {
    append_frame(frames, (XdmfFrame){step, time, contact_count});
    write_xdmf(frames, &status);
  }
  return all_ok(!status.failed, "cannot write %s", status.reason);
}
