#include "frames.h"

#include <errno.h>

#include "blocks.h"
#include "frame_mesh.h"
#include "hdf5_reader.h"
#include "hdf5_writer.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"

#define FRAME_FORMAT "drystone frame"
#define TOPOLOGY_FORMAT "drystone topology"
enum { FORMAT_VERSION = 1 };

// what of a body a frame needs, and the place of its mesh
enum {
  BODY_WRITTEN = FIELD_OUTPUT,
  BODY_GATHERED = FIELD_OUTPUT | FIELD_SCENE,
  CONTACT_WRITTEN = FIELD_OUTPUT
};

// Collective. The polygons of bodies that stay the same ones.
static bool write_topology(const Frames *frames, const Blocks *blocks, const MeshPiece *piece,
                           MeshSet *meshes)
{
  Hdf5Writer writer;
  hdf5_begin(&writer, frames->results->path, RESULTS_TOPOLOGY);
  hdf5_add_provenance(&writer, TOPOLOGY_FORMAT, FORMAT_VERSION, frames->c);
  hdf5_add_integer(&writer, "/", "bodies", (int64_t)blocks->body_count);
  const FixedColumns columns = frame_mesh_add_fixed(&writer, blocks, piece);
  hdf5_lay_out(&writer);
  frame_mesh_write_fixed(&writer, columns, blocks, piece, meshes);
  return hdf5_commit(&writer);
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
  xdmf_write_bodies(folder, frames->frames, frames->frame_count, status);
  xdmf_write_contacts(folder, frames->frames, frames->frame_count, status);
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

// Rows of the mesh in a file, by its path; cells: negative when it has no polygons.
typedef struct {
  int64_t points, cells, words;
} StoredMesh;

static StoredMesh stored_mesh(const char *path, DiskStatus *status)
{
  static const char *const names[] = {"mesh/points", "mesh/body", "mesh/topology",
                                      "mesh/reference"};
  int64_t rows[4];
  hdf5_read_rows(path, names, 4, rows, status);
  return (StoredMesh){rows[0] >= 0 ? rows[0] : rows[3], rows[2] < 0 ? -1 : rows[1], rows[2]};
}

static XdmfMesh mesh_of(StoredMesh stored)
{
  return (XdmfMesh){(uint64_t)stored.points, (uint64_t)stored.cells,
                    (uint64_t)(stored.words - 2 * stored.cells)};
}

// What the XDMF files say of a frame in the folder, or a reason why they cannot.
static XdmfFrame frame_in_folder(const Frames *frames, const char *path, int64_t step,
                                 DiskStatus *reading, DiskStatus *status)
{
  Hdf5Header header;
  XdmfFrame frame = {.step = step, .mesh = frames->mesh};
  if (!hdf5_read_header(path, FRAME_FORMAT, FORMAT_VERSION, &header, reading)) return frame;
  const StoredMesh stored = stored_mesh(path, reading);
  frame.own_mesh = stored.cells >= 0;
  if (frame.own_mesh) frame.mesh = mesh_of(stored);
  else if (frames->own_meshes && frames->mesh.points == 0)
    disk_fail(reading, "%s needs %s, which is not there", path, RESULTS_TOPOLOGY);
  frame.time = header.time;
  frame.contacts = (uint64_t)header.contacts;
  const int64_t most = (int64_t)frames->c->body_count;
  if (header.step != step || header.contacts < 0 || header.bodies > most ||
      (!frames->own_meshes && !frame.own_mesh && header.bodies != most))
    disk_fail(status, "%s belongs to another case: it has %lld bodies, the case %lld", path,
              (long long)header.bodies, (long long)most);
  return frame;
}

// Keeps frames up to last_step, deletes later ones. A frame that cannot be read is left out of the
// XDMF files. Returns how many of those kept rely on topology.h5.
static int pick_up_frames(Frames *frames, int64_t last_step, DiskStatus *status)
{
  const char *folder = frames->results->path;
  int64_t *steps;
  const int count = disk_list_numbers(folder, RESULTS_FRAME, &steps, status);
  int without = 0;
  for (int i = 0; i < count && !status->failed; i++) {
    char *name = disk_numbered(RESULTS_FRAME, steps[i]), *path = disk_path(folder, name);
    if (steps[i] > last_step) {
      disk_remove(folder, name, status);
    } else {
      DiskStatus reading = {0};
      const XdmfFrame frame = frame_in_folder(frames, path, steps[i], &reading, status);
      without += !frame.own_mesh;
      // a frame that is damaged is no reason to stop, a disk that does not answer is one
      const bool gone = reading.error == ENOENT;   // since the list was made, or a link to nothing
      if (reading.error && !gone) disk_fail_reason(status, &reading);
      else if (reading.failed)
        log_warning("a frame is left out of the XDMF files: %s", reading.reason);
      else append_frame(frames, frame);
    }
    memory_free(path);
    memory_free(name);
  }
  memory_free(steps);
  return without;
}

// Rank 0. The mesh of frames that were written while the bodies stayed the same ones, from before
// the case was changed; none of them: the file that they share goes.
static void pick_up_changing_frames(Frames *frames, int64_t last_step, DiskStatus *status)
{
  const char *folder = frames->results->path;
  char *path = disk_path(folder, RESULTS_TOPOLOGY);
  DiskStatus reading = {0};
  const StoredMesh stored = stored_mesh(path, &reading);
  if (!reading.failed && stored.cells >= 0) frames->mesh = mesh_of(stored);
  if (reading.error && reading.error != ENOENT) disk_fail_reason(status, &reading);
  const int relying = pick_up_frames(frames, last_step, status);
  if (!status->failed && relying == 0) disk_remove(folder, RESULTS_TOPOLOGY, status);
  memory_free(path);
}

bool frames_begin(Frames *frames, const Results *results, const Case *c, const Bodies *bodies,
                  ShapeSet *shapes, int64_t last_step)
{
  *frames = (Frames){
      .results = results, .c = c, .own_meshes = scene_changes(c), .meshes = mesh_set_new(shapes)};
  bool ok = true;
  if (!frames->own_meshes) {
    Contacts none = {0};
    contacts_begin(&none);
    Blocks blocks;
    blocks_gather(&blocks, bodies, &none, c->body_count, BODY_GATHERED, CONTACT_WRITTEN);
    const MeshPiece piece = frame_mesh_piece(&blocks, &frames->meshes);
    frames->mesh = piece.all;
    ok = write_topology(frames, &blocks, &piece, &frames->meshes);
    blocks_end(&blocks);
    contacts_end(&none);
  }

  DiskStatus status = {0};
  if (ok && par_rank() == 0) {
    if (frames->own_meshes) pick_up_changing_frames(frames, last_step, &status);
    else pick_up_frames(frames, last_step, &status);
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
  int bodies, body_rank, contacts, contact_rank, reaction, key, index;
  MovingColumns moving;
  FixedColumns fixed;   // where the frame has a mesh of its own
} FrameColumns;

static FrameColumns add_columns(Hdf5Writer *w, const Blocks *blocks, const MeshPiece *piece,
                                bool own_mesh)
{
  const uint64_t bodies = blocks->body_count, contacts = blocks->contact_count;
  FrameColumns k = {0};
  k.bodies = hdf5_add_table(w, &blocks->bodies.table, BODY_WRITTEN, bodies);
  k.body_rank = hdf5_add_column(
      w, (Hdf5Column){"bodies", "rank", "1", "rank that owns it", FIELD_I32, 1, bodies});
  k.moving = frame_mesh_add_moving(w, piece);
  if (own_mesh) k.fixed = frame_mesh_add_fixed(w, blocks, piece);
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

static bool write_frame(const Frames *frames, const Blocks *blocks, const MeshPiece *piece,
                        MeshSet *meshes, const Hdf5Header *header)
{
  char *name = disk_numbered(RESULTS_FRAME, header->step);
  Hdf5Writer w;
  hdf5_begin(&w, frames->results->path, name);
  hdf5_add_provenance(&w, FRAME_FORMAT, FORMAT_VERSION, frames->c);
  hdf5_add_header(&w, header);
  const FrameColumns k = add_columns(&w, blocks, piece, frames->own_meshes);

  hdf5_lay_out(&w);
  Arena arena = arena_new();
  const DerivedContacts d = derived_contacts(blocks, &arena);
  const int bodies = blocks->bodies.table.count, contacts = blocks->contacts.table.count;
  const uint64_t first_contact = blocks->first_contact;
  hdf5_write_table(&w, k.bodies, &blocks->bodies.table, BODY_WRITTEN, blocks->first_body, bodies);
  hdf5_write_rows(&w, k.body_rank, blocks->first_body, (uint64_t)bodies, blocks->body_rank);
  frame_mesh_write_moving(&w, k.moving, blocks, piece, meshes);
  if (frames->own_meshes) frame_mesh_write_fixed(&w, k.fixed, blocks, piece, meshes);
  hdf5_write_table(&w, k.contacts, &blocks->contacts.table, CONTACT_WRITTEN, first_contact,
                   contacts);
  hdf5_write_rows(&w, k.contact_rank, first_contact, (uint64_t)contacts, blocks->contact_rank);
  hdf5_write_rows(&w, k.reaction, first_contact, (uint64_t)contacts, d.reaction);
  hdf5_write_rows(&w, k.key, first_contact, (uint64_t)contacts, d.key);
  hdf5_write_rows(&w, k.index, first_contact, (uint64_t)contacts, d.index);
  arena_destroy(&arena);
  memory_free(name);
  return hdf5_commit(&w);
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
  const MeshPiece piece = frame_mesh_piece(&blocks, &frames->meshes);
  const bool ok = write_frame(frames, &blocks, &piece, &frames->meshes, &header);
  const uint64_t contact_count = blocks.contact_count;
  blocks_end(&blocks);
  if (!ok) return false;

  DiskStatus status = {0};
  if (par_rank() == 0) {
    append_frame(frames, (XdmfFrame){.step = step,
                                     .time = time,
                                     .contacts = contact_count,
                                     .own_mesh = frames->own_meshes,
                                     .mesh = piece.all});
    write_xdmf(frames, &status);
  }
  return all_ok(!status.failed, "cannot write %s", status.reason);
}
