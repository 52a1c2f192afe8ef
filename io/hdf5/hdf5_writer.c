// Writes HDF5 files by all ranks: rank 0 the layout, every rank its own rows.
#include "hdf5_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_image.h"
#include "memory.h"
#include "parallel.h"

// Bytes that are summed and then written: few enough to stay in a core's cache in between. Bytes
// behind each other that the device is asked to take before the file is finished, and the least for
// which that pays.
#define WRITTEN_AT_ONCE ((size_t)1 << 19)
#define SYNCED_EARLY ((uint64_t)4 << 20)
#define LEAST_SYNCED ((uint64_t)1 << 20)

enum { MOST_COLUMNS = 128, MOST_ATTRIBUTES = 32 };

void hdf5_begin(Hdf5Writer *writer, const char *folder, const char *name)
{
  assert(folder != NULL && name != NULL && "a file has a folder and a name");
  *writer = (Hdf5Writer){.folder = memory_copy_string(folder), .arena = arena_new(), .file = -1};
  writer->path = disk_path(folder, name);
  writer->temporary = disk_temporary(writer->path);
  writer->content.columns =
      arena_allocate_zero(&writer->arena, MOST_COLUMNS, sizeof *writer->content.columns);
  writer->content.attributes =
      arena_allocate_zero(&writer->arena, MOST_ATTRIBUTES, sizeof *writer->content.attributes);
  writer->offsets = arena_allocate_zero(&writer->arena, MOST_COLUMNS, sizeof *writer->offsets);
}

int hdf5_add_column(Hdf5Writer *writer, Hdf5Column column)
{
  assert(column.components > 0 && column.group != NULL && column.name != NULL &&
         "a column has a name and components");
  assert(writer->content.column_count < MOST_COLUMNS && "too many columns in one file");
  writer->content.columns[writer->content.column_count] = column;
  return writer->content.column_count++;
}

int hdf5_add_table(Hdf5Writer *writer, const Table *table, unsigned flags, uint64_t rows)
{
  const int first = writer->content.column_count;
  for (int f = 0; f < table->schema->field_count; f++) {
    const Field *field = &table->schema->fields[f];
    if (!(field->flags & flags) || !table_stores(table, field, flags)) continue;
    hdf5_add_column(writer, (Hdf5Column){table->schema->name, field->name, field->unit, field->text,
                                         field->type, field->components, rows});
  }
  return first;
}

int hdf5_find_column(const Hdf5Writer *writer, const char *group, const char *name)
{
  assert(group != NULL && name != NULL && "a column has a name");
  for (int i = 0; i < writer->content.column_count; i++)
    if (strcmp(writer->content.columns[i].group, group) == 0 &&
        strcmp(writer->content.columns[i].name, name) == 0)
      return i;
  return -1;
}

static void add_attribute(Hdf5Writer *writer, Hdf5Attribute attribute)
{
  assert(attribute.group != NULL && attribute.name != NULL && "an attribute has a name");
  assert(writer->content.attribute_count < MOST_ATTRIBUTES && "too many attributes in one file");
  writer->content.attributes[writer->content.attribute_count++] = attribute;
}

void hdf5_add_integer(Hdf5Writer *writer, const char *group, const char *name, int64_t value)
{
  add_attribute(
      writer,
      (Hdf5Attribute){.kind = ATTRIBUTE_INTEGER, .group = group, .name = name, .integer = value});
}

void hdf5_add_real(Hdf5Writer *writer, const char *group, const char *name, double value)
{
  add_attribute(
      writer, (Hdf5Attribute){.kind = ATTRIBUTE_REAL, .group = group, .name = name, .real = value});
}

void hdf5_add_vector(Hdf5Writer *writer, const char *group, const char *name, vec3 value)
{
  add_attribute(
      writer,
      (Hdf5Attribute){.kind = ATTRIBUTE_VECTOR, .group = group, .name = name, .vector = value});
}

void hdf5_add_text(Hdf5Writer *writer, const char *group, const char *name, const char *text)
{
  assert(text != NULL && "an attribute has a text");
  char *copy = arena_allocate(&writer->arena, strlen(text) + 1);
  memcpy(copy, text, strlen(text) + 1);
  add_attribute(
      writer, (Hdf5Attribute){.kind = ATTRIBUTE_TEXT, .group = group, .name = name, .text = copy});
}

static void add_document(Hdf5Writer *writer, const char *group, const char *name, const char *text)
{
  add_attribute(
      writer,
      (Hdf5Attribute){.kind = ATTRIBUTE_DOCUMENT, .group = group, .name = name, .text = text});
}

void hdf5_add_provenance(Hdf5Writer *writer, const char *format, int format_version, const Case *c)
{
  hdf5_add_text(writer, "/", "format", format);
  hdf5_add_integer(writer, "/", "format_version", format_version);
  hdf5_add_text(writer, "provenance", "version", DRYSTONE_VERSION);
  hdf5_add_text(writer, "provenance", "compiler", DRYSTONE_COMPILER);
  hdf5_add_text(writer, "provenance", "build_type", DRYSTONE_BUILD_TYPE);
  hdf5_add_integer(writer, "provenance", "ranks", par_size());
  add_document(writer, "provenance", "case_path", c->path);
  add_document(writer, "provenance", "case_text", c->text);
  add_document(writer, "provenance", "overrides", c->overrides);
  add_document(writer, "provenance", "meshes", c->meshes);
}

void hdf5_add_header(Hdf5Writer *writer, const Hdf5Header *header)
{
  assert(header->table_count >= 0 && header->table_count <= STATE_TABLES &&
         "a header names the tables of a state");
  hdf5_add_integer(writer, "/", "step", header->step);
  hdf5_add_real(writer, "/", "time", header->time);
  hdf5_add_text(writer, "/", "hash", header->hash);
  for (int t = 0; t < header->table_count; t++) {
    const Hdf5Rows *table = &header->tables[t];
    hdf5_add_integer(writer, "/", table->name, table->rows);
  }
  char words[HDF5_WORDS_BYTES] = "";
  for (int i = 0; i < STATE_WORDS; i++)
    snprintf(words + 17 * i, sizeof words - 17 * (size_t)i, "%016" PRIx64 "%s",
             header->solver.word[i], i + 1 < STATE_WORDS ? " " : "");
  hdf5_add_text(writer, "/", "solver", words);
  if (!state_stage_any(&header->stage)) return;
  char stage[HDF5_STAGE_BYTES];
  snprintf(stage, sizeof stage, "%" PRId64 " %" PRId64 " %" PRId64 " %a", header->stage.index,
           header->stage.first_step, header->stage.unsolved, header->stage.first_time);
  hdf5_add_text(writer, "/", "stage", stage);
}

// ------------------------------------------------------------------------------------------------
// The file, before its rows.

void hdf5_sum_file_blocks(Hdf5Writer *writer, FileBlockSums *sums)
{
  assert(writer->file < 0 && writer->sums == NULL && "sums begin before the file");
  *sums = (FileBlockSums){0};
  writer->sums = sums;
}

void hdf5_keep_layout(Hdf5Writer *writer, Hdf5Layout **kept)
{
  assert(writer->file < 0 && kept != NULL && "a layout is kept before it is made");
  writer->kept = kept;
}

// Rank 0. The layout, with reasons of the library that name the file. One that is kept ends when
// another takes its place.
static Hdf5Layout *named_layout(Hdf5Writer *writer)
{
  DiskStatus reason = {0};
  Hdf5Layout *earlier = writer->kept ? *writer->kept : NULL;
  Hdf5Layout *layout = hdf5_layout_make(earlier, &writer->content, &reason);
  if (writer->kept) *writer->kept = layout;
  if (reason.failed) disk_fail(&writer->status, "%s: %s", writer->path, reason.reason);
  return layout;
}

static void lay_out_on_root(Hdf5Writer *writer)
{
  writer->layout = named_layout(writer);
  writer->file = disk_open_new(writer->temporary, &writer->status);
  if (!writer->layout) return;
  for (int i = 0; i < writer->content.column_count; i++)
    writer->offsets[i] = hdf5_layout_offset(writer->layout, i);
  const Hdf5Image *image = hdf5_layout_image(writer->layout);
  if (writer->sums) writer->sums->file_bytes = image->size;
  hdf5_image_write(image, (DiskFile){writer->file, writer->path}, writer->sums, &writer->status);
}

void hdf5_lay_out(Hdf5Writer *writer)
{
  assert(writer->file < 0 && "a file is laid out once");
  if (par_rank() == 0) lay_out_on_root(writer);
  bool laid_out = !writer->status.failed;
  par_broadcast(&laid_out, sizeof laid_out, 0);
  if (writer->sums) par_broadcast(&writer->sums->file_bytes, sizeof writer->sums->file_bytes, 0);
  par_broadcast(writer->offsets, (size_t)writer->content.column_count * sizeof *writer->offsets, 0);
  if (laid_out && par_rank() != 0)
    writer->file = disk_open_write(writer->temporary, &writer->status);
}

void hdf5_change_text(Hdf5Writer *writer, const char *group, const char *name, const char *text)
{
  Hdf5Attribute *attribute = writer->content.attributes;
  const Hdf5Attribute *end = attribute + writer->content.attribute_count;
  while (attribute < end &&
         (attribute->kind != ATTRIBUTE_TEXT || strcmp(attribute->group, group) != 0 ||
          strcmp(attribute->name, name) != 0))
    attribute++;
  assert(attribute < end && "a text that was added");
  assert(strlen(text) == strlen(attribute->text) && !writer->kept && "a text of the same length");
  memcpy((char *)(uintptr_t)attribute->text, text, strlen(text));   // the arena's
  if (par_rank() != 0 || writer->status.failed) return;
  Hdf5Layout *layout = named_layout(writer);
  if (layout)
    hdf5_image_write_changes(hdf5_layout_image(layout), hdf5_layout_image(writer->layout),
                             (DiskFile){writer->file, writer->path}, writer->sums, &writer->status);
  hdf5_layout_end(writer->layout);
  writer->layout = layout;
}

// ------------------------------------------------------------------------------------------------
// The rows, by all ranks.

static size_t row_bytes(const Hdf5Column *column)
{
  assert(column->components > 0 && "a row has components");
  const bool wide = column->type == FIELD_F64 || column->type == FIELD_U64;
  const size_t bytes = column->type == FIELD_TEXT ? 1 : wide ? 8 : 4;
  return (size_t)column->components * bytes;
}

// Asks for what lies behind each other; goes on at an offset.
static void start_sync(Hdf5Writer *writer, uint64_t offset)
{
  if (writer->behind_count >= LEAST_SYNCED)
    disk_start_sync(writer->file, writer->behind, writer->behind_count);
  writer->behind = offset;
  writer->behind_count = 0;
}

// A long run of bytes goes to the device while the next one is made ready; what is left waits for
// hdf5_commit.
static void sync_early(Hdf5Writer *writer, uint64_t offset, size_t count)
{
  if (offset != writer->behind + writer->behind_count) start_sync(writer, offset);
  writer->behind_count += count;
  if (writer->behind_count >= SYNCED_EARLY) start_sync(writer, offset + count);
}

static void write_bytes(Hdf5Writer *writer, const char *bytes, size_t count, uint64_t offset)
{
  while (count > 0 && !writer->status.failed) {
    const size_t take = count < WRITTEN_AT_ONCE ? count : WRITTEN_AT_ONCE;
    if (writer->sums) file_block_sums_add(writer->sums, offset, bytes, take);
    disk_write_at((DiskFile){writer->file, writer->path}, bytes, take, offset, &writer->status);
    sync_early(writer, offset, take);
    bytes += take;
    offset += take;
    count -= take;
  }
}

void hdf5_write_rows(Hdf5Writer *writer, int column, uint64_t first_row, uint64_t rows,
                     const void *data)
{
  assert(column >= 0 && column < writer->content.column_count && "a column has a number");
  assert((rows == 0 || writer->file < 0 || data != NULL) && "rows are given");
  const Hdf5Column *c = &writer->content.columns[column];
  assert(first_row + rows <= c->rows && "rows outside the column");
  if (rows == 0 || writer->file < 0) return;
  const size_t bytes = row_bytes(c);
  write_bytes(writer, data, (size_t)rows * bytes, writer->offsets[column] + first_row * bytes);
}

void hdf5_write_table(Hdf5Writer *writer, int first_column, const Table *table, unsigned flags,
                      uint64_t first_row)
{
  const int rows = table->count;
  assert(rows >= 0 && first_column >= 0 && "rows are those of the table");
  int column = first_column;
  for (int f = 0; f < table->schema->field_count && rows > 0; f++) {
    const Field *field = &table->schema->fields[f];
    if (!(field->flags & flags) || !table_stores(table, field, flags)) continue;
    assert(row_bytes(&writer->content.columns[column]) == field->row_bytes &&
           "a column unlike its field");
    if (table_has(table, field))
      hdf5_write_rows(writer, column, first_row, (uint64_t)rows, table_at(table, field, 0));
    column++;
  }
}

bool hdf5_commit(Hdf5Writer *writer)
{
  disk_sync_and_close(writer->file, writer->path, &writer->status);
  // a rank that could not begin waits for the reason of the one that failed
  bool ok = all_ok(!writer->status.failed, "cannot write %s", writer->status.reason);
  if (ok) {
    if (par_rank() == 0)
      disk_publish(writer->temporary, writer->folder, writer->path, &writer->status);
    ok = all_ok(!writer->status.failed, "cannot write %s", writer->status.reason);
  }
  if (!ok && par_rank() == 0) unlink(writer->temporary);
  if (!writer->kept) hdf5_layout_end(writer->layout);
  arena_destroy(&writer->arena);
  memory_free(writer->temporary);
  memory_free(writer->path);
  memory_free(writer->folder);
  return ok;
}
