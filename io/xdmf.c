#include "xdmf.h"

#include <stdarg.h>
#include <stdio.h>
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
  DiskStatus *status;
} Text;

static Text text_begin(const char *folder, const char *name, DiskStatus *status)
{
  char *path = disk_path(folder, name), *temporary = disk_temporary(path);
  return (Text){.bytes = memory_allocate(2 * TEXT_BYTES),
                .capacity = 2 * TEXT_BYTES,
                .path = path,
                .temporary = temporary,
                .file = disk_open_new(temporary, status),
                .status = status};
}

static void text_write(Text *text)
{
  disk_write_at(text->file, text->path, text->bytes, text->count, text->written, text->status);
  text->written += text->count;
  text->count = 0;
}

static void text_end(Text *text, const char *folder)
{
  text_write(text);
  disk_sync_and_close(text->file, text->path, text->status);
  disk_publish(text->temporary, folder, text->path, text->status);
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
    text->capacity = 2 * text->capacity + length + 4096;
    text->bytes = memory_resize(text->bytes, text->capacity);
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

static void end_document(Text *text) { text_add(text, "  </Grid>\n </Domain>\n</Xdmf>\n"); }

static void begin_frame(Text *text, const char *name, double time)
{
  text_add(text, "   <Grid Name=\"%s\" GridType=\"Uniform\">\n    <Time Value=\"%.17g\"/>\n", name,
           time);
}

static void end_frame(Text *text)
{
  text_add(text, "   </Grid>\n");
  if (text->count >= TEXT_BYTES) text_write(text);
}

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
  add_attribute(text, "kind", "Cell", (Item){fixed, "/mesh/kind", "Int", 4, mesh.cells, 1});
  add_attribute(text, "rank", "Cell", (Item){file, "/mesh/rank", "Int", 4, mesh.cells, 1});
  add_attribute(text, "speed", "Cell", (Item){file, "/mesh/speed", "Float", 8, mesh.cells, 1});
  add_attribute(text, "velocity", "Cell",
                (Item){file, "/mesh/velocity", "Float", 8, mesh.cells, 3});
  end_frame(text);
}

void xdmf_write_bodies(const char *folder, const XdmfFrame *frames, int frame_count,
                       DiskStatus *status)
{
  Text text = text_begin(folder, RESULTS_BODIES, status);
  begin_document(&text, "bodies");
  for (int i = 0; i < frame_count; i++) {
    char *file = disk_numbered(RESULTS_FRAME, frames[i].step);
    add_bodies(&text, &frames[i], file);
    memory_free(file);
  }
  end_document(&text);
  text_end(&text, folder);
}

static void add_contacts(Text *text, uint64_t rows, double time, const char *file)
{
  begin_frame(text, "contacts", time);
  text_add(
      text,
      "    <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%llu\" NodesPerElement=\"1\">",
      (unsigned long long)rows);
  add_item(text, (Item){file, "/contacts/index", "Int", 8, rows, 1});
  text_add(text, "</Topology>\n    <Geometry GeometryType=\"XYZ\">");
  add_item(text, (Item){file, "/contacts/point", "Float", 8, rows, 3});
  text_add(text, "</Geometry>\n");
  add_attribute(text, "normal", "Node", (Item){file, "/contacts/normal", "Float", 8, rows, 3});
  add_attribute(text, "reaction", "Node",
                (Item){file, "/contacts/reaction_world", "Float", 8, rows, 3});
  add_attribute(text, "gap", "Node", (Item){file, "/contacts/gap", "Float", 8, rows, 1});
  add_attribute(text, "area", "Node", (Item){file, "/contacts/area", "Float", 8, rows, 1});
  add_attribute(text, "bond", "Node", (Item){file, "/contacts/bond", "Int", 4, rows, 1});
  add_attribute(text, "bodies", "Node", (Item){file, "/contacts/bodies", "Int", 8, rows, 2});
  add_attribute(text, "key", "Node", (Item){file, "/contacts/key", "Int", 8, rows, 6});
  add_attribute(text, "rank", "Node", (Item){file, "/contacts/rank", "Int", 4, rows, 1});
  end_frame(text);
}

void xdmf_write_contacts(const char *folder, const XdmfFrame *frames, int frame_count,
                         DiskStatus *status)
{
  Text text = text_begin(folder, RESULTS_CONTACTS, status);
  begin_document(&text, "contacts");
  for (int i = 0; i < frame_count; i++) {
    char *file = disk_numbered(RESULTS_FRAME, frames[i].step);
    add_contacts(&text, frames[i].contacts, frames[i].time, file);
    memory_free(file);
  }
  end_document(&text);
  text_end(&text, folder);
}
