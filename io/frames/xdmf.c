// Writes bodies.xmf, contacts.xmf and others, which tell ParaView where each frame lies.
#include "xdmf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "memory.h"
#include "results.h"

// Written whenever there is so much, so that it takes no more memory the more frames there are.
#define TEXT_BYTES ((size_t)1 << 16)

typedef struct {
  char *bytes;
  size_t count, capacity;
  char *path, *temporary;
  int file;
  uint64_t written;
  bool lasting;   // it outlives a loss of power
  DiskStatus *status;
} Text;

// Files of which a loss of power may take the last frames: frames have what they show, and the
// next restart writes them again. Synchronising them would take longer than all that they add.
static bool is_lasting(XdmfKind kind)
{
  return kind != XDMF_CENTRES && kind != XDMF_INTERFACES && kind != XDMF_CHAINS;
}

// Closing tags, and what opens and closes the room behind them.
static const char TAGS[] = "  </Grid>\n </Domain>\n</Xdmf>\n", OPEN[] = "<?room", CLOSE[] = "?>\n";
enum { TAGS_BYTES = sizeof TAGS - 1, OPEN_BYTES = sizeof OPEN - 1, CLOSE_BYTES = sizeof CLOSE - 1 };

// Few frames are written anew each time. The room is a share of the file, so that all frames
// together cost no more than a few times the last file; a processing instruction of 10 MB is too
// long for libxml2.
#define FRAMES_WITHOUT_ROOM 32
#define ROOM_SHARE 2
#define MOST_ROOM ((uint64_t)1 << 22)   // bytes

static Text text_begin(const char *folder, XdmfKind kind, DiskStatus *status)
{
  char *path = disk_path(folder, xdmf_name(kind)), *temporary = disk_temporary(path);
  return (Text){.bytes = memory_allocate(2 * TEXT_BYTES),
                .capacity = 2 * TEXT_BYTES,
                .path = path,
                .temporary = temporary,
                .file = disk_open_new(temporary, status),
                .lasting = is_lasting(kind),
                .status = status};
}

static void text_write(Text *text)
{
  assert(text->count <= text->capacity && "a text lies in its room");
  disk_write_at((DiskFile){text->file, text->path}, text->bytes, text->count, text->written,
                text->status);
  text->written += text->count;
  text->count = 0;
}

static void text_end(Text *text, const char *folder)
{
  text_write(text);
  if (text->lasting) {
    disk_sync_and_close(text->file, text->path, text->status);
    disk_publish(text->temporary, folder, text->path, text->status);
  } else {
    disk_close(text->file, text->path, text->status);
    disk_rename(text->temporary, text->path, text->status);
  }
  if (text->status->failed) unlink(text->temporary);
  memory_free(text->temporary);
  memory_free(text->path);
  memory_free(text->bytes);
}

static void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void text_add(Text *text, const char *format, ...)
{
  for (;;) {
    va_list args;
    va_start(args, format);
    const size_t room = text->capacity - text->count;
    const size_t length =
        (size_t)vsnprintf(room ? text->bytes + text->count : NULL, room, format, args);
    va_end(args);
    if (length < room) {
      text->count += length;
      return;
    }
    text->bytes = memory_grow_bytes(text->bytes, text->count + length + 1, &text->capacity);
  }
}

// A data set in a file: rows of components.
typedef struct {
  const char *file, *path;
  const char *type;   // Float, Int
  int precision;      // bytes of one number
  uint64_t rows;
  int components;
} Item;

static void add_item(Text *text, Item item)
{
  assert((item.precision == 4 || item.precision == 8) && item.components >= 1 &&
         "numbers have 4 or 8 bytes");
  text_add(text, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%llu",
           item.type, item.precision, (unsigned long long)item.rows);
  if (item.components > 1) text_add(text, " %d", item.components);
  text_add(text, "\">%s:%s</DataItem>", item.file, item.path);
}

static void add_attribute(Text *text, const char *name, const char *center, Item item)
{
  const char *kind = item.components == 1 ? "Scalar" : item.components == 3 ? "Vector" : "Matrix";
  text_add(text, "    <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", name, kind,
           center);
  add_item(text, item);
  text_add(text, "</Attribute>\n");
}

static void begin_document(Text *text, const char *name)
{
  text_add(text,
           "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n"
           "  <Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
           name);
}

static XdmfPlace end_document(Text *text, bool with_room)
{
  XdmfPlace place = {.tags = text->written + text->count};
  text_add(text, "%s", TAGS);
  place.room = place.end = place.tags + TAGS_BYTES;
  if (!with_room) return place;
  uint64_t room = place.tags / ROOM_SHARE;
  if (room > MOST_ROOM) room = MOST_ROOM;
  text_add(text, "%s%*s%s", OPEN, (int)room, "", CLOSE);
  place.room += OPEN_BYTES;
  place.end = place.room + room + CLOSE_BYTES;
  return place;
}

static void begin_frame(Text *text, const char *name, double time)
{
  text_add(text, "   <Grid Name=\"%s\" GridType=\"Uniform\">\n    <Time Value=\"%.17g\"/>\n", name,
           time);
}

static void end_frame(Text *text) { text_add(text, "   </Grid>\n"); }

static void add_bodies(Text *text, const XdmfFrame *frame, const char *file)
{
  const XdmfMesh mesh = frame->mesh;
  const char *fixed = frame->own_mesh ? file : RESULTS_TOPOLOGY;
  begin_frame(text, "bodies", frame->time);
  text_add(text, "    <Topology TopologyType=\"Mixed\" NumberOfElements=\"%llu\">",
           (unsigned long long)mesh.cells);
  add_item(text, (Item){fixed, "/mesh/topology", "Int", 8, 2 * mesh.cells + mesh.loops, 1});
  text_add(text, "</Topology>\n    <Geometry GeometryType=\"XYZ\">");
  add_item(text, (Item){file, "/mesh/points", "Float", 8, mesh.points, 3});
  text_add(text, "</Geometry>\n");
  add_attribute(text, "body", "Cell", (Item){fixed, "/mesh/body", "Int", 8, mesh.cells, 1});
  add_attribute(text, "part", "Cell", (Item){fixed, "/mesh/part", "Int", 4, mesh.cells, 1});
  add_attribute(text, "material", "Cell", (Item){fixed, "/mesh/material", "Int", 4, mesh.cells, 1});
  add_attribute(text, "drive", "Cell", (Item){fixed, "/mesh/drive", "Int", 4, mesh.cells, 1});
  add_attribute(text, "rank", "Cell", (Item){file, "/mesh/rank", "Int", 4, mesh.cells, 1});
  add_attribute(text, "speed", "Cell", (Item){file, "/mesh/speed", "Float", 8, mesh.cells, 1});
  add_attribute(text, "velocity", "Cell",
                (Item){file, "/mesh/velocity", "Float", 8, mesh.cells, 3});
  if (frame->fields & FRAME_DISPLACEMENT)
    add_attribute(text, "displacement", "Cell",
                  (Item){file, "/mesh/displacement", "Float", 4, mesh.cells, 3});
  if (frame->fields & FRAME_STRESS)
    add_attribute(text, "mean_stress", "Cell",
                  (Item){file, "/mesh/mean_stress", "Float", 4, mesh.cells, 1});
  // six components of a symmetric tensor, which ParaView names XX YY ZZ XY YZ XZ. (Its two readers
  // do not agree on the order of Tensor6.)
  if (frame->tensors) {
    add_attribute(text, "strain", "Cell", (Item){file, "/mesh/strain", "Float", 8, mesh.cells, 6});
    add_attribute(text, "stress", "Cell", (Item){file, "/mesh/stress", "Float", 8, mesh.cells, 6});
  }
  end_frame(text);
}

// Points of a frame with an explicit list of vertices.
static void begin_points(Text *text, uint64_t rows, const char *file, const char *index,
                         const char *place)
{
  text_add(
      text,
      "    <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%llu\" NodesPerElement=\"1\">",
      (unsigned long long)rows);
  add_item(text, (Item){file, index, "Int", 8, rows, 1});
  text_add(text, "</Topology>\n    <Geometry GeometryType=\"XYZ\">");
  add_item(text, (Item){file, place, "Float", 8, rows, 3});
  text_add(text, "</Geometry>\n");
}

// Columns of a table as attributes, those whose field the frame has.
typedef struct {
  const char *name, *path, *type;
  int precision, components;
  unsigned field;   // 0: always
} Shown;

static void add_shown(Text *text, const Shown *columns, uint64_t rows, const XdmfFrame *frame,
                      const char *file)
{
  assert(columns->name != NULL && "a table shows something");
  for (const Shown *c = columns; c->name; c++)
    if (c->field == 0 || (frame->fields & c->field))
      add_attribute(text, c->name, "Node",
                    (Item){file, c->path, c->type, c->precision, rows, c->components});
}

// The centres of the bodies, with what bodies have without their mesh.
static void add_centres(Text *text, const XdmfFrame *frame, const char *file)
{
  static const Shown columns[] = {
      {"body", "/bodies/id", "Int", 8, 1, 0},
      {"drive", "/bodies/drive", "Int", 4, 1, 0},
      {"material", "/bodies/material", "Int", 4, 1, 0},
      {"mass", "/bodies/mass", "Float", 8, 1, 0},
      {"velocity", "/bodies/velocity", "Float", 8, 3, 0},
      {"spin", "/bodies/spin", "Float", 8, 3, 0},
      {"displacement", "/bodies/displacement", "Float", 8, 3, FRAME_DISPLACEMENT},
      {"rotation", "/bodies/rotation", "Float", 8, 3, FRAME_ROTATION},
      {"volume", "/bodies/volume", "Float", 8, 1, FRAME_VOLUME},
      {"stress", "/bodies/stress", "Float", 8, 6, FRAME_STRESS},
      {"coordination", "/bodies/coordination", "Int", 4, 1, FRAME_COORDINATION},
      {NULL, NULL, NULL, 0, 0, 0}};
  begin_frame(text, "centres", frame->time);
  begin_points(text, frame->told.bodies, file, "/bodies/index", "/bodies/position");
  add_shown(text, columns, frame->told.bodies, frame, file);
  end_frame(text);
}

static void add_interfaces(Text *text, const XdmfFrame *frame, const char *file)
{
  static const Shown columns[] = {
      {"bodies", "/interfaces/bodies", "Int", 8, 2, 0},
      {"normal", "/interfaces/normal", "Float", 8, 3, 0},
      {"force", "/interfaces/force", "Float", 8, 3, 0},
      {"normal_force", "/interfaces/normal_force", "Float", 8, 1, 0},
      {"eccentricity", "/interfaces/eccentricity", "Float", 8, 3, 0},
      {"area", "/interfaces/area", "Float", 8, 1, 0},
      {"opening", "/interfaces/opening", "Float", 8, 1, 0},
      {"slip", "/interfaces/slip", "Float", 8, 1, 0},
      {"hinge_rotation", "/interfaces/hinge_rotation", "Float", 8, 3, 0},
      {"points", "/interfaces/points", "Int", 4, 1, 0},
      {NULL, NULL, NULL, 0, 0, 0}};
  begin_frame(text, "interfaces", frame->time);
  begin_points(text, frame->told.interfaces, file, "/interfaces/index", "/interfaces/point");
  add_shown(text, columns, frame->told.interfaces, frame, file);
  end_frame(text);
}

// A line for each row, between the centres of its two bodies.
static void add_chains(Text *text, const XdmfFrame *frame, const char *file)
{
  const uint64_t rows = frame->told.chains;
  begin_frame(text, "chains", frame->time);
  text_add(text,
           "    <Topology TopologyType=\"Polyline\" NumberOfElements=\"%llu\" "
           "NodesPerElement=\"2\">",
           (unsigned long long)rows);
  add_item(text, (Item){file, "/chains/line", "Int", 8, rows, 2});
  text_add(text, "</Topology>\n    <Geometry GeometryType=\"XYZ\">");
  add_item(text, (Item){file, "/bodies/position", "Float", 8, frame->told.bodies, 3});
  text_add(text, "</Geometry>\n");
  add_attribute(text, "force", "Cell", (Item){file, "/chains/force", "Float", 8, rows, 1});
  add_attribute(text, "fixed", "Cell", (Item){file, "/chains/fixed", "Int", 4, rows, 1});
  end_frame(text);
}

static void add_contacts(Text *text, const XdmfFrame *frame, const char *file)
{
  static const Shown told[] = {{"force", "/contacts/force", "Float", 8, 3, FRAME_FORCE},
                               {"pressure", "/contacts/pressure", "Float", 8, 1, FRAME_PRESSURE},
                               {"slip", "/contacts/slip", "Float", 8, 1, FRAME_SLIP},
                               {"status", "/contacts/status", "Int", 4, 1, FRAME_STATUS},
                               {NULL, NULL, NULL, 0, 0, 0}};
  const uint64_t rows = frame->contacts;
  begin_frame(text, "contacts", frame->time);
  begin_points(text, rows, file, "/contacts/index", "/contacts/point");
  add_attribute(text, "normal", "Node", (Item){file, "/contacts/normal", "Float", 8, rows, 3});
  add_attribute(text, "reaction", "Node",
                (Item){file, "/contacts/reaction_world", "Float", 8, rows, 3});
  add_attribute(text, "gap", "Node", (Item){file, "/contacts/gap", "Float", 8, rows, 1});
  add_attribute(text, "area", "Node", (Item){file, "/contacts/area", "Float", 8, rows, 1});
  add_attribute(text, "bond", "Node", (Item){file, "/contacts/bond", "Int", 4, rows, 1});
  add_attribute(text, "bodies", "Node", (Item){file, "/contacts/bodies", "Int", 8, rows, 2});
  add_attribute(text, "key", "Node", (Item){file, "/contacts/key", "Int", 8, rows, 6});
  add_attribute(text, "rank", "Node", (Item){file, "/contacts/rank", "Int", 4, rows, 1});
  add_shown(text, told, rows, frame, file);
  end_frame(text);
}

// A point for each row of the volumetric law.
static void add_volumes(Text *text, const XdmfFrame *frame, const char *file)
{
  static const Shown columns[] = {{"bodies", "/volumes/bodies", "Int", 8, 2, 0},
                                  {"normal", "/volumes/normal", "Float", 8, 3, 0},
                                  {"impulse", "/volumes/impulse", "Float", 8, 3, 0},
                                  {"couple", "/volumes/couple", "Float", 8, 3, 0},
                                  {"bristle", "/volumes/bristle", "Float", 8, 3, 0},
                                  {"twist", "/volumes/twist", "Float", 8, 1, 0},
                                  {"volume", "/volumes/volume", "Float", 8, 1, 0},
                                  {"area", "/volumes/area", "Float", 8, 1, 0},
                                  {"slides", "/volumes/slides", "Int", 4, 1, 0},
                                  {"rank", "/volumes/rank", "Int", 4, 1, 0},
                                  {NULL, NULL, NULL, 0, 0, 0}};
  begin_frame(text, "volumes", frame->time);
  begin_points(text, frame->volumes, file, "/volumes/index", "/volumes/point");
  add_shown(text, columns, frame->volumes, frame, file);
  end_frame(text);
}

// A line for each row, between its two places.
static void add_joints(Text *text, const XdmfFrame *frame, const char *file)
{
  const uint64_t rows = frame->joints;
  begin_frame(text, "joints", frame->time);
  text_add(text,
           "    <Topology TopologyType=\"Polyline\" NumberOfElements=\"%llu\" "
           "NodesPerElement=\"2\">",
           (unsigned long long)rows);
  add_item(text, (Item){file, "/joints/line", "Int", 8, rows, 2});
  text_add(text, "</Topology>\n    <Geometry GeometryType=\"XYZ\">");
  add_item(text, (Item){file, "/joints/ends", "Float", 8, 2 * rows, 3});
  text_add(text, "</Geometry>\n");
  add_attribute(text, "force", "Cell", (Item){file, "/joints/force", "Float", 8, rows, 3});
  add_attribute(text, "elongation", "Cell",
                (Item){file, "/joints/elongation", "Float", 8, rows, 3});
  add_attribute(text, "plastic", "Cell", (Item){file, "/joints/plastic", "Float", 8, rows, 3});
  add_attribute(text, "elastic", "Cell", (Item){file, "/joints/elastic", "Float", 8, rows, 1});
  add_attribute(text, "status", "Cell", (Item){file, "/joints/status", "Int", 4, rows, 1});
  add_attribute(text, "joint", "Cell", (Item){file, "/joints/joint", "Int", 4, rows, 1});
  add_attribute(text, "rank", "Cell", (Item){file, "/joints/rank", "Int", 4, rows, 1});
  end_frame(text);
}

// ------------------------------------------------------------------------------------------------
// The files.

static const struct {
  const char *file, *name;
  void (*add)(Text *text, const XdmfFrame *frame, const char *file);
  unsigned fields;   // a frame has it with any of them; 0: always
} FILES[XDMF_FILES] = {
    [XDMF_BODIES] = {RESULTS_BODIES, "bodies", add_bodies, 0},
    [XDMF_CENTRES] = {RESULTS_CENTRES, "centres", add_centres, FRAME_ALL},
    [XDMF_CONTACTS] = {RESULTS_CONTACTS, "contacts", add_contacts, 0},
    [XDMF_INTERFACES] = {RESULTS_INTERFACES, "interfaces", add_interfaces, FRAME_INTERFACES},
    [XDMF_CHAINS] = {RESULTS_CHAINS, "chains", add_chains, FRAME_CHAINS},
    [XDMF_JOINTS] = {RESULTS_JOINTS, "joints", add_joints, 0},
    [XDMF_VOLUMES] = {RESULTS_VOLUMES, "volumes", add_volumes, 0}};

const char *xdmf_name(XdmfKind kind)
{
  assert(kind < XDMF_FILES && "there is such a file");
  return FILES[kind].file;
}

bool xdmf_shows(XdmfKind kind, const XdmfFrame *frame)
{
  const unsigned fields = FILES[kind].fields;
  return fields == 0 || (frame->fields & fields) != 0;
}

static void add_frame(Text *text, XdmfKind kind, const XdmfFrame *frame)
{
  if (!xdmf_shows(kind, frame)) return;
  char *file = disk_numbered(RESULTS_FRAME, frame->step);
  FILES[kind].add(text, frame, file);
  memory_free(file);
}

XdmfPlace xdmf_write(XdmfKind kind, const char *folder, const XdmfFrame *frames, int frame_count,
                     DiskStatus *status)
{
  Text text = text_begin(folder, kind, status);
  begin_document(&text, FILES[kind].name);
  for (int i = 0; i < frame_count; i++) {
    add_frame(&text, kind, &frames[i]);
    if (text.count >= TEXT_BYTES) text_write(&text);
  }
  const XdmfPlace place = end_document(&text, frame_count >= FRAMES_WITHOUT_ROOM);
  text_end(&text, folder);
  return place;
}

// The frame, new closing tags and the opening of what is left of the room, where blanks are; then
// blanks over the old tags and opening.
static void write_in_room(const Text *frame, XdmfPlace *place)
{
  disk_write_at((DiskFile){frame->file, frame->path}, frame->bytes, frame->count, place->room,
                frame->status);
  if (frame->lasting) disk_sync(frame->file, frame->path, frame->status);
  char blanks[TAGS_BYTES + OPEN_BYTES];
  memset(blanks, ' ', sizeof blanks);
  disk_write_at((DiskFile){frame->file, frame->path}, blanks, sizeof blanks, place->tags,
                frame->status);
  place->tags = place->room + frame->count - sizeof blanks;
  place->room += frame->count;
}

bool xdmf_append(XdmfKind kind, const char *folder, const XdmfFrame *frame, XdmfPlace *place,
                 DiskStatus *status)
{
  Text text = {.lasting = is_lasting(kind), .status = status};
  add_frame(&text, kind, frame);
  text_add(&text, "%s%s", TAGS, OPEN);
  bool fits = place->room + text.count + CLOSE_BYTES <= place->end;
  if (fits) {
    text.path = disk_path(folder, xdmf_name(kind));
    fits = disk_mark_of(text.path).bytes == place->end;
    if (fits) {
      text.file = disk_open_write(text.path, status);
      write_in_room(&text, place);
      if (text.lasting) disk_sync_and_close(text.file, text.path, status);
      else disk_close(text.file, text.path, status);
    }
    memory_free(text.path);
  }
  memory_free(text.bytes);
  return fits;
}
