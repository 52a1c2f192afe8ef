// Writes frames, and cuts back the list of them on a restart.
#include "frames.h"

#include <assert.h>
#include <errno.h>

#include "contacts.h"
#include "frame_elastic.h"
#include "frame_joints.h"
#include "frame_mesh.h"
#include "frame_told.h"
#include "ground.h"
#include "hdf5_reader.h"
#include "hdf5_writer.h"
#include "joints.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "row_spans.h"
#include "scene.h"
#include "shaken_base.h"
#include "volumes.h"

#define FRAME_FORMAT "drystone frame"
#define TOPOLOGY_FORMAT "drystone topology"
enum { FORMAT_VERSION = 3 };   // 1: how bodies are driven was named `kind`; 2: a solver of 16 words

// what of a row a frame needs: what it shows, and the place of a body's mesh
enum { GATHERED = FIELD_OUTPUT | FIELD_SCENE | FIELD_SHOWN };

// What a file of frames is made of, on this rank; of topology.h5 the first three.
typedef struct {
  const RowSpans *spans;
  const MeshPiece *piece;
  const ElasticPiece *elastic;
  const FrameTold *told;
  const Hdf5Header *header;
  vec3 base;   // how far it has moved, m
} FrameParts;

// Collective. The polygons and cells of bodies that stay the same ones.
static bool write_topology(Frames *frames, const FrameParts *parts)
{
  assert(!frames->own_meshes && "the polygons are those of all frames");
  const RowSpans *spans = parts->spans;
  Hdf5Writer writer;
  hdf5_begin(&writer, frames->results->path, RESULTS_TOPOLOGY);
  hdf5_add_provenance(&writer, TOPOLOGY_FORMAT, FORMAT_VERSION, frames->c);
  hdf5_add_integer(&writer, "/", "bodies", (int64_t)spans->of[0].row_count);
  const FixedColumns columns = frame_mesh_add_fixed(&writer, spans, parts->piece);
  const ElasticFixed elastic = frame_elastic_add_fixed(&writer, parts->elastic);
  hdf5_lay_out(&writer);
  frame_mesh_write_fixed(&writer, columns, spans, parts->piece, &frames->meshes);
  frame_elastic_write_fixed(&writer, elastic, spans, parts->elastic);
  return hdf5_commit(&writer);
}

// Rows of the mesh in a file, by its path; cells: negative when it has no polygons.
typedef struct {
  int64_t points, cells, words;
  bool linkable;   // it has them as VTKHDF does
} StoredMesh;

static StoredMesh stored_mesh(const char *path, DiskStatus *status)
{
  static const char *const names[] = {"mesh/points", "mesh/body", "mesh/topology", "mesh/reference",
                                      "mesh/connectivity"};
  int64_t rows[5];
  hdf5_read_rows(path, names, 5, rows, status);
  return (StoredMesh){rows[0] >= 0 ? rows[0] : rows[3], rows[2] < 0 ? -1 : rows[1], rows[2],
                      rows[4] >= 0};
}

static MeshRows mesh_of(StoredMesh stored)
{
  assert(stored.cells >= 0 && "a mesh has polygons");
  return (MeshRows){(uint64_t)stored.points, (uint64_t)stored.cells,
                    (uint64_t)(stored.words - 2 * stored.cells)};
}

// Cells of finite elements in a file; all zero when it has none.
static MeshRows stored_elastic(const char *path, DiskStatus *status)
{
  static const char *const names[] = {"elastic/types", "elastic/connectivity"};
  int64_t rows[2];
  hdf5_read_rows(path, names, 2, rows, status);
  if (status->failed || rows[0] < 0 || rows[1] < 0) return (MeshRows){0};
  return (MeshRows){.cells = (uint64_t)rows[0], .loops = (uint64_t)rows[1]};
}

// Which columns a frame has that not all have, and how many rows.
static void read_told(const char *path, ShownFrame *frame, DiskStatus *status)
{
  const struct {
    const char *name;
    unsigned field;
    uint64_t *rows;   // NULL: those of the bodies, contacts or facets
  } all[] = {{"contacts/force", FRAME_FORCE, NULL},
             {"contacts/pressure", FRAME_PRESSURE, NULL},
             {"contacts/slip", FRAME_SLIP, NULL},
             {"contacts/status", FRAME_STATUS, NULL},
             {"bodies/displacement", FRAME_DISPLACEMENT, NULL},
             {"bodies/rotation", FRAME_ROTATION, NULL},
             {"bodies/volume", FRAME_VOLUME, NULL},
             {"mesh/mean_stress", FRAME_STRESS, NULL},
             {"bodies/coordination", FRAME_COORDINATION, NULL},
             {"interfaces/index", FRAME_INTERFACES, &frame->told.interfaces},
             {"chains/line", FRAME_CHAINS, &frame->told.chains},
             {"elastic/points", 0, &frame->elastic.points},
             {"bodies/id", 0, &frame->told.bodies}};
  enum { COUNT = sizeof all / sizeof *all };
  const char *names[COUNT];
  int64_t rows[COUNT];
  for (int i = 0; i < COUNT; i++) names[i] = all[i].name;
  hdf5_read_rows(path, names, COUNT, rows, status);
  for (int i = 0; i < COUNT && !status->failed; i++) {
    if (rows[i] < 0) continue;
    frame->fields |= all[i].field;
    if (all[i].rows) *all[i].rows = (uint64_t)rows[i];
  }
}

// What the XDMF files say of a frame in the folder, or a reason why they cannot.
static ShownFrame frame_in_folder(const Frames *frames, const char *path, int64_t step,
                                  DiskStatus *reading, DiskStatus *status)
{
  assert(step >= 0 && "a frame has a step");
  Hdf5Header header = {0};
  hdf5_header_add(&header, BODIES_SCHEMA.name, 0);
  hdf5_header_add(&header, CONTACTS_SCHEMA.name, 0);
  const bool joined = frames->c->joint_row_count > 0;
  if (joined) hdf5_header_add(&header, JOINTS_SCHEMA.name, 0);
  if (frames->c->surfaces.compliant) hdf5_header_add(&header, VOLUMES_SCHEMA.name, 0);
  ShownFrame frame = {.step = step,
                      .tensors = frames->c->deforms,
                      .linkable = frames->linkable,
                      .mesh = frames->mesh};
  if (!hdf5_read_header(path, FRAME_FORMAT, FORMAT_VERSION, &header, reading)) return frame;
  const StoredMesh stored = stored_mesh(path, reading);
  frame.own_mesh = stored.cells >= 0;
  if (frame.own_mesh) {
    frame.mesh = mesh_of(stored);
    frame.linkable = stored.linkable;
  } else if (frames->own_meshes && frames->mesh.points == 0)
    disk_fail(reading, "%s needs %s, which is not there", path, RESULTS_TOPOLOGY);
  frame.elastic = frame.own_mesh ? stored_elastic(path, reading) : frames->elastic;
  read_told(path, &frame, reading);
  frame.time = header.time;
  const int64_t bodies = header.tables[0].rows, contacts = header.tables[1].rows;
  frame.contacts = (uint64_t)contacts;
  if (joined && header.tables[2].rows > 0) frame.joints = (uint64_t)header.tables[2].rows;
  const int64_t volumes = frames->c->surfaces.compliant ? header.tables[2 + joined].rows : 0;
  if (volumes > 0) frame.volumes = (uint64_t)volumes;
  const int64_t most = (int64_t)frames->c->body_count;
  if (header.step != step || contacts < 0 || bodies > most ||
      (!frames->own_meshes && !frame.own_mesh && bodies != most))
    disk_fail(status, "%s belongs to another case: it has %lld bodies, the case %lld", path,
              (long long)bodies, (long long)most);
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
      const ShownFrame frame = frame_in_folder(frames, path, steps[i], &reading, status);
      without += !frame.own_mesh;
      // a frame that is damaged is no reason to stop, a disk that does not answer is one
      const bool gone = reading.error == ENOENT;   // since the list was made, or a link to nothing
      if (reading.error && !gone) disk_fail_reason(status, &reading);
      else if (reading.failed)
        log_warning("a frame is left out of the XDMF files: %s", reading.reason);
      else frame_lists_add(&frames->lists, frame);
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
  frames->linkable = stored.linkable;
  if (!reading.failed) frames->elastic = stored_elastic(path, &reading);
  if (reading.error && reading.error != ENOENT) disk_fail_reason(status, &reading);
  const int relying = pick_up_frames(frames, last_step, status);
  if (!status->failed && relying == 0) disk_remove(folder, RESULTS_TOPOLOGY, status);
  memory_free(path);
}

bool frames_begin(Frames *frames, const Results *results, FrameScene shown, int64_t last_step)
{
  const Case *c = shown.c;
  const State *state = shown.state;
  assert(results->path != NULL && state->table_count > 0 && "frames have a folder and a state");
  *frames = (Frames){.results = results,
                     .c = c,
                     .own_meshes = scene_changes(c),
                     .linkable = true,
                     .lists = {.folder = results->path,
                               .joined = c->joint_row_count > 0,
                               .compliant = c->surfaces.compliant},
                     .meshes = shape_mesh_set_new(shown.shapes)};
  bool ok = true;
  if (!frames->own_meshes) {
    State bodies = {0};
    state_add(&bodies, state->tables[0]);
    RowSpans spans;
    row_spans_gather(&spans, &bodies, c->body_count, GATHERED);
    Arena arena = arena_new();
    MeshPiece piece = frame_mesh_piece(&spans, &frames->meshes);
    piece.names = frame_bodies_name(&spans, c, &arena);
    const ElasticPiece elastic = frame_elastic_piece(&spans);
    frames->mesh = piece.all;
    frames->elastic = elastic.all;
    ok = write_topology(frames,
                        &(FrameParts){.spans = &spans, .piece = &piece, .elastic = &elastic});
    arena_destroy(&arena);
    row_spans_end(&spans);
  }

  DiskStatus status = {0};
  if (ok && par_rank() == 0) {
    if (frames->own_meshes) pick_up_changing_frames(frames, last_step, &status);
    else pick_up_frames(frames, last_step, &status);
    if (!status.failed) frame_lists_write(&frames->lists, &status);
  }
  return all_ok(!status.failed, "cannot go on with the frames: %s", status.reason) && ok;
}

void frames_end(Frames *frames)
{
  shape_mesh_set_destroy(&frames->meshes);
  put_joints_end(&frames->joints);
  hdf5_layout_end(frames->layout);
  frame_lists_end(&frames->lists);
  *frames = (Frames){0};
}

// ------------------------------------------------------------------------------------------------
// One frame.

// Numbers of columns in a file: those of a table and, behind them, of who owns its rows.
typedef struct {
  int table, rank;
} SpanColumns;
typedef struct {
  SpanColumns of[STATE_TABLES];
  ToldColumns told;
  JointColumns joints;
  int volumes;   // index of rows of the volumetric law
  MovingColumns moving;
  FixedColumns fixed;   // where the frame has a mesh of its own
  ElasticMoving elastic;
  ElasticFixed elastic_fixed;   // likewise
} FrameColumns;

static SpanColumns add_span(Hdf5Writer *w, const RowSpan *span)
{
  const TableSchema *schema = span->table->schema;
  SpanColumns k = {0, 0};
  if (!table_schema_has(schema, FIELD_OUTPUT)) return k;
  k.table = hdf5_add_table(w, span->table, FIELD_OUTPUT, span->row_count);
  k.rank = hdf5_add_column(w, (Hdf5Column){schema->name, "rank", "1", "rank that owns it",
                                           FIELD_I32, 1, span->row_count});
  return k;
}

static void write_span(Hdf5Writer *w, SpanColumns k, const RowSpan *span)
{
  assert(span->first_row + (uint64_t)span->table->count <= span->row_count &&
         "own rows are some of all");
  const Table *table = span->table;
  if (!table_schema_has(table->schema, FIELD_OUTPUT)) return;
  hdf5_write_table(w, k.table, table, FIELD_OUTPUT, span->first_row);
  hdf5_write_rows(w, k.rank, span->first_row, (uint64_t)table->count, span->rank);
}

// Numbers of rows, which points of ParaView name themselves by.
static int add_index(Hdf5Writer *w, const RowSpan *span)
{
  return hdf5_add_column(w, (Hdf5Column){span->table->schema->name, "index", "1", "its row",
                                         FIELD_U64, 1, span->row_count});
}

static void write_index(Hdf5Writer *w, int column, const RowSpan *span)
{
  const size_t count = (size_t)span->table->count;
  Arena arena = arena_new();
  uint64_t *index = arena_allocate(&arena, (count + 1) * sizeof *index);
  for (size_t i = 0; i < count; i++) index[i] = span->first_row + i;
  hdf5_write_rows(w, column, span->first_row, count, index);
  arena_destroy(&arena);
}

// The bodies come first and have the mesh behind them; contacts have derived columns behind them.
static FrameColumns add_columns(Hdf5Writer *w, const FrameParts *parts, bool own_mesh)
{
  FrameColumns k = {0};
  const RowSpans *spans = parts->spans;
  const MeshPiece *piece = parts->piece;
  const RowSpan *contacts = row_spans_find(spans, &CONTACTS_SCHEMA),
                *joints = row_spans_find(spans, &JOINTS_SCHEMA),
                *volumes = row_spans_find(spans, &VOLUMES_SCHEMA);
  for (int t = 0; t < spans->copies.table_count; t++) {
    const RowSpan *span = &spans->of[t];
    k.of[t] = add_span(w, span);
    if (t == 0) frame_told_add_bodies(w, span, parts->told, &k.told);
    if (t == 0) k.moving = frame_mesh_add_moving(w, spans, piece);
    if (t == 0 && own_mesh) k.fixed = frame_mesh_add_fixed(w, spans, piece);
    if (span == contacts) frame_told_add_contacts(w, span, parts->told, &k.told);
    if (span == joints) k.joints = frame_joints_add(w, span);
    if (span == volumes) k.volumes = add_index(w, span);
  }
  k.elastic = frame_elastic_add_moving(w, parts->elastic, parts->told->c->output.frame_fields);
  if (own_mesh) k.elastic_fixed = frame_elastic_add_fixed(w, parts->elastic);
  return k;
}

// Root attributes that forces and frames of reference go with.
static void add_setting(Hdf5Writer *w, const Case *c, const FrameParts *parts)
{
  const double time = parts->header->time, half = 0.5 * c->step;
  const vec3 gravity = ground_gravity(c, time > half ? time - half : 0), base = parts->base;
  hdf5_add_real(w, "/", "time_step", c->step);
  hdf5_add_vector(w, "/", "gravity", gravity);
  if (!shaken_base_has_moved(c)) return;
  hdf5_add_real(w, "/", "base_x", base.x);
  hdf5_add_real(w, "/", "base_y", base.y);
  hdf5_add_real(w, "/", "base_z", base.z);
}

static bool write_frame(Frames *frames, const FrameParts *parts)
{
  const RowSpans *spans = parts->spans;
  const MeshPiece *piece = parts->piece;
  const Hdf5Header *header = parts->header;
  MeshSet *meshes = &frames->meshes;
  assert(header->step >= 0 && header->table_count <= STATE_TABLES && "a frame has a step");
  char *name = disk_numbered(RESULTS_FRAME, header->step);
  Hdf5Writer w;
  hdf5_begin(&w, frames->results->path, name);
  hdf5_keep_layout(&w, &frames->layout);
  hdf5_add_provenance(&w, FRAME_FORMAT, FORMAT_VERSION, frames->c);
  hdf5_add_header(&w, header);
  add_setting(&w, frames->c, parts);
  const FrameColumns k = add_columns(&w, parts, frames->own_meshes);

  hdf5_lay_out(&w);
  const RowSpan *contacts = row_spans_find(spans, &CONTACTS_SCHEMA),
                *joints = row_spans_find(spans, &JOINTS_SCHEMA),
                *volumes = row_spans_find(spans, &VOLUMES_SCHEMA);
  for (int t = 0; t < spans->copies.table_count; t++) {
    const RowSpan *span = &spans->of[t];
    write_span(&w, k.of[t], span);
    if (t == 0) frame_told_write_bodies(&w, span, parts->told, &k.told);
    if (t == 0) frame_mesh_write_moving(&w, k.moving, spans, piece, meshes);
    if (t == 0 && frames->own_meshes) frame_mesh_write_fixed(&w, k.fixed, spans, piece, meshes);
    if (span == contacts) frame_told_write_contacts(&w, span, parts->told, &k.told);
    if (span == joints) frame_joints_write(&w, k.joints, span, frames->c->step);
    if (span == volumes) write_index(&w, k.volumes, span);
  }
  const ElasticFrame elastic = {spans, parts->elastic, frames->c, header->time};
  frame_elastic_write_moving(&w, k.elastic, &elastic);
  if (frames->own_meshes) frame_elastic_write_fixed(&w, k.elastic_fixed, spans, parts->elastic);
  memory_free(name);
  return hdf5_commit(&w);
}

bool frames_write(Frames *frames, const State *state)
{
  assert(state->step >= 0 && frames->c->step > 0 && "a frame has a step");
  if (!results_in_place(frames->results)) return false;

  const int64_t step = state->step;
  const double time = state_time(state, frames->c->step);
  const vec3 base =
      shaken_base_displacement(frames->c, bodies_of(state), NULL, frames->meshes.shapes);
  RowSpans spans;
  row_spans_gather(&spans, state, frames->c->body_count, GATHERED);
  Hdf5Header header = {.step = step, .time = time};
  for (int t = 0; t < state->table_count; t++)
    if (table_schema_has(state->tables[t]->schema, FIELD_OUTPUT))
      hdf5_header_add(&header, state->tables[t]->schema->name, (int64_t)spans.of[t].row_count);
  hash_to_text(state_hash(state), header.hash);
  const FrameTelling telling = {frames->c, frames->meshes.shapes, &frames->joints};
  FrameTold told = frame_told_new(&spans, &telling);
  MeshPiece piece = frame_mesh_piece(&spans, &frames->meshes);
  piece.rows = told.bodies;
  if (frames->own_meshes) piece.names = frame_bodies_name(&spans, frames->c, &told.arena);
  const ElasticPiece elastic = frame_elastic_piece(&spans);
  const FrameParts parts = {&spans, &piece, &elastic, &told, &header, base};
  const bool ok = write_frame(frames, &parts);
  const ToldRows rows = {spans.of[0].row_count, told.interfaces.all, told.interfaces.all_chains};
  frame_told_end(&told);
  row_spans_end(&spans);
  if (!ok) return false;

  DiskStatus status = {0};
  if (par_rank() == 0) {
    const int64_t contacts = hdf5_header_rows(&header, CONTACTS_SCHEMA.name),
                  joints = hdf5_header_rows(&header, JOINTS_SCHEMA.name),
                  volumes = hdf5_header_rows(&header, VOLUMES_SCHEMA.name);
    const ShownFrame shown = {.step = step,
                              .time = time,
                              .contacts = contacts > 0 ? (uint64_t)contacts : 0,
                              .joints = joints > 0 ? (uint64_t)joints : 0,
                              .volumes = volumes > 0 ? (uint64_t)volumes : 0,
                              .told = rows,
                              .fields = frames->c->output.frame_fields,
                              .own_mesh = frames->own_meshes,
                              .tensors = bodies_deform(bodies_of(state)),
                              .linkable = true,
                              .mesh = piece.all,
                              .elastic = elastic.all};
    frame_lists_lengthen(&frames->lists, shown, &status);
  }
  return all_ok(!status.failed, "cannot write %s", status.reason);
}

bool frames_finish(Frames *frames)
{
  assert(frames->results != NULL && "frames have begun");
  if (!results_in_place(frames->results)) return false;
  DiskStatus status = {0};
  if (par_rank() == 0) frame_lists_finish(&frames->lists, &status);
  return all_ok(!status.failed, "cannot write %s", status.reason);
}
