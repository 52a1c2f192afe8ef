// Writes bodies.xmf, contacts.xmf and others, which tell ParaView where each frame lies.
#include "xdmf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
static bool is_lasting(FrameView view)
{
  return view != VIEW_CENTRES && view != VIEW_INTERFACES && view != VIEW_CHAINS;
}

// Closing tags, and what opens and closes the room behind them.
static const char TAGS[] = "  </Grid>\n </Domain>\n</Xdmf>\n", OPEN[] = "<?room", CLOSE[] = "?>\n";
enum { TAGS_BYTES = sizeof TAGS - 1, OPEN_BYTES = sizeof OPEN - 1, CLOSE_BYTES = sizeof CLOSE - 1 };

// A file of few frames is replaced with each, from its text that is kept. The room is a share of
// the file, so that all frames together cost no more than a few times the last file; a processing
// instruction of 10 MB is too long for libxml2.
#define FRAMES_WITHOUT_ROOM 32
#define ROOM_SHARE 2
#define MOST_ROOM ((uint64_t)1 << 22)   // bytes

static Text text_begin(const char *folder, FrameView view, DiskStatus *status)
{
  char *path = disk_path(folder, frame_views_plan(view)->xdmf), *temporary = disk_temporary(path);
  return (Text){.path = path,
                .temporary = temporary,
                .file = disk_open_new(temporary, status),
                .lasting = is_lasting(view),
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

// Its bytes stay.
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

static Item item_of(const ViewColumn *column, const char *file, uint64_t rows)
{
  const bool whole = column->type == FIELD_U64 || column->type == FIELD_I32;
  const bool wide = column->type == FIELD_U64 || column->type == FIELD_F64;
  return (Item){file,         column->path, whole ? "Int" : "Float",
                wide ? 8 : 4, rows,         column->components};
}

// Polygons of several sizes, volumes of several kinds, an explicit list of vertices, or lines.
static void add_cells(Text *text, FrameView view, const ShownFrame *frame, const char *file)
{
  const ViewPlan *plan = frame_views_plan(view);
  const uint64_t cells = frame_views_cells(view, frame);
  const char *fixed = frame->own_mesh ? file : RESULTS_TOPOLOGY;
  Item corners = {file, plan->corners, "Int", 8, cells, 1};
  const char *kind = "Polyvertex", *nodes = " NodesPerElement=\"1\"";
  if (view_cells_mixed(plan->cells)) {
    kind = "Mixed";
    nodes = "";
    // a polygon begins with a word more, how many corners it has
    const uint64_t words = plan->cells == CELLS_POLYGONS ? 2 * cells : cells;
    corners = (Item){fixed, plan->corners, "Int", 8, words + frame_views_loops(view, frame), 1};
  } else if (plan->cells == CELLS_LINES) {
    kind = "Polyline";
    nodes = " NodesPerElement=\"2\"";
    corners.components = 2;
  }
  text_add(text, "    <Topology TopologyType=\"%s\" NumberOfElements=\"%llu\"%s>", kind,
           (unsigned long long)cells, nodes);
  add_item(text, corners);
  text_add(text, "</Topology>\n    <Geometry GeometryType=\"XYZ\">");
  add_item(text, (Item){file, plan->points, "Float", 8, frame_views_points(view, frame), 3});
  text_add(text, "</Geometry>\n");
}

static void add_frame(Text *text, FrameView view, const ShownFrame *frame)
{
  if (!frame_views_show(view, frame)) return;
  const ViewPlan *plan = frame_views_plan(view);
  char *file = disk_numbered(RESULTS_FRAME, frame->step);
  const uint64_t cells = frame_views_cells(view, frame), points = frame_views_points(view, frame);
  begin_frame(text, plan->name, frame->time);
  add_cells(text, view, frame, file);
  for (const ViewColumn *column = plan->columns; column->name; column++) {
    if (!frame_views_have(column, frame)) continue;
    const bool of_points = column->rows == ROWS_POINTS;
    const bool shared = column->rows == ROWS_FIXED && !frame->own_mesh;
    add_attribute(text, column->name, of_points || plan->cells == CELLS_POINTS ? "Node" : "Cell",
                  item_of(column, shared ? RESULTS_TOPOLOGY : file, of_points ? points : cells));
  }
  end_frame(text);
  memory_free(file);
}

// Closes and publishes a file of so many frames. A text of few is kept for the next one.
static XdmfPlace finish(Text *text, const char *folder, int frame_count)
{
  const bool few = frame_count < FRAMES_WITHOUT_ROOM;
  const size_t count = text->count;
  XdmfPlace place = end_document(text, !few);
  text_end(text, folder);
  if (few) place.few = (XdmfText){frame_count, text->bytes, count, text->capacity};
  else memory_free(text->bytes);
  return place;
}

XdmfPlace xdmf_write(FrameView view, const char *folder, const ShownFrame *frames, int frame_count,
                     DiskStatus *status)
{
  Text text = text_begin(folder, view, status);
  begin_document(&text, frame_views_plan(view)->name);
  for (int i = 0; i < frame_count; i++) {
    add_frame(&text, view, &frames[i]);
    if (frame_count >= FRAMES_WITHOUT_ROOM && text.count >= TEXT_BYTES) text_write(&text);
  }
  return finish(&text, folder, frame_count);
}

void xdmf_forget(XdmfPlace *place)
{
  memory_free(place->few.bytes);
  *place = (XdmfPlace){0};
}

// The kept text and a frame.
static void write_few(FrameView view, const char *folder, const ShownFrame *frame, XdmfPlace *place,
                      DiskStatus *status)
{
  Text text = text_begin(folder, view, status);
  text.bytes = place->few.bytes;
  text.count = place->few.count;
  text.capacity = place->few.capacity;
  add_frame(&text, view, frame);
  *place = finish(&text, folder, place->few.frames + 1);
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

bool xdmf_append(FrameView view, const char *folder, const ShownFrame *frame, XdmfPlace *place,
                 DiskStatus *status)
{
  assert(place->tags <= place->room && place->room <= place->end && "room lies behind the tags");
  if (place->few.bytes) {
    write_few(view, folder, frame, place, status);
    return true;
  }
  Text text = {.lasting = is_lasting(view), .status = status};
  add_frame(&text, view, frame);
  text_add(&text, "%s%s", TAGS, OPEN);
  bool fits = place->room + text.count + CLOSE_BYTES <= place->end;
  if (fits) {
    text.path = disk_path(folder, frame_views_plan(view)->xdmf);
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
