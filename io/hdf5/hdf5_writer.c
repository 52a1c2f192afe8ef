// Writes HDF5 files by all ranks: rank 0 the layout, every rank its own rows.
#include "hdf5_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_image.h"
#include "hdf5_status.h"
#include "memory.h"
#include "parallel.h"

// Bytes that are summed and then written: few enough to stay in a core's cache in between. Bytes
// behind each other that the device is asked to take before the file is finished, and the least for
// which that pays.
#define WRITTEN_AT_ONCE ((size_t)1 << 19)
#define SYNCED_EARLY ((uint64_t)4 << 20)
#define LEAST_SYNCED ((uint64_t)1 << 20)

enum { MOST_COLUMNS = 128, MOST_ATTRIBUTES = 32 };

typedef enum {
  ATTRIBUTE_INTEGER,
  ATTRIBUTE_REAL,
  ATTRIBUTE_VECTOR,
  ATTRIBUTE_TEXT,
  ATTRIBUTE_DOCUMENT
} AttributeKind;

struct Hdf5Attribute {
  AttributeKind kind;
  const char *group, *name;
  int64_t integer;
  double real;
  vec3 vector;
  const char *text;
};

void hdf5_begin(Hdf5Writer *writer, const char *folder, const char *name)
{
  assert(folder != NULL && name != NULL && "a file has a folder and a name");
  *writer = (Hdf5Writer){.folder = memory_copy_string(folder), .arena = arena_new(), .file = -1};
  writer->path = disk_path(folder, name);
  writer->temporary = disk_temporary(writer->path);
  writer->columns = arena_allocate_zero(&writer->arena, MOST_COLUMNS, sizeof *writer->columns);
  writer->attributes =
      arena_allocate_zero(&writer->arena, MOST_ATTRIBUTES, sizeof *writer->attributes);
  writer->offsets = arena_allocate_zero(&writer->arena, MOST_COLUMNS, sizeof *writer->offsets);
}

int hdf5_add_column(Hdf5Writer *writer, Hdf5Column column)
{
  assert(column.components > 0 && column.group != NULL && column.name != NULL &&
         "a column has a name and components");
  assert(writer->column_count < MOST_COLUMNS && "too many columns in one file");
  writer->columns[writer->column_count] = column;
  return writer->column_count++;
}

int hdf5_add_table(Hdf5Writer *writer, const Table *table, unsigned flags, uint64_t rows)
{
  const int first = writer->column_count;
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
  for (int i = 0; i < writer->column_count; i++)
    if (strcmp(writer->columns[i].group, group) == 0 && strcmp(writer->columns[i].name, name) == 0)
      return i;
  return -1;
}

static void add_attribute(Hdf5Writer *writer, Hdf5Attribute attribute)
{
  assert(attribute.group != NULL && attribute.name != NULL && "an attribute has a name");
  assert(writer->attribute_count < MOST_ATTRIBUTES && "too many attributes in one file");
  writer->attributes[writer->attribute_count++] = attribute;
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
// The layout, by rank 0.

static hid_t type_in_file(FieldType type)
{
  switch (type) {
  case FIELD_F64: return H5T_IEEE_F64LE;
  case FIELD_I32: return H5T_STD_I32LE;
  case FIELD_U32: return H5T_STD_U32LE;
  case FIELD_U64: return H5T_STD_U64LE;
  case FIELD_F32: return H5T_IEEE_F32LE;
  case FIELD_TEXT: break;
  }
  assert(0 && "a field type without a type in the file");
  return -1;
}

// The type of a row's components; to be closed. A text is one component.
static hid_t column_type(const Hdf5Column *column)
{
  if (column->type != FIELD_TEXT) return H5Tcopy(type_in_file(column->type));
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, (size_t)column->components);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// An attribute of three numbers.
static void put_vector(hid_t object, const char *name, vec3 value, DiskStatus *status)
{
  const hsize_t size = 3;
  const double numbers[3] = {value.x, value.y, value.z};
  const hid_t space = hdf5_check(H5Screate_simple(1, &size, NULL), status);
  const hid_t attribute =
      hdf5_check(H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT), status);
  hdf5_check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers), status);
  hdf5_check(H5Aclose(attribute), status);
  H5Sclose(space);
}

// An attribute of an object, of a scalar type or a string.
static void put_attribute(hid_t object, const char *name, hid_t type, const void *value,
                          DiskStatus *status)
{
  const hid_t space = hdf5_check(H5Screate(H5S_SCALAR), status);
  const hid_t attribute =
      hdf5_check(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), status);
  hdf5_check(H5Awrite(attribute, type, value), status);
  hdf5_check(H5Aclose(attribute), status);
  H5Sclose(space);
}

static hid_t string_type(const char *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

static void put_text(hid_t object, const char *name, const char *text, DiskStatus *status)
{
  const hid_t type = string_type(text);
  put_attribute(object, name, type, text, status);
  H5Tclose(type);
}

static void put_document(hid_t group, const char *name, const char *text, hid_t creation,
                         DiskStatus *status)
{
  const hid_t type = string_type(text);
  const hid_t space = hdf5_check(H5Screate(H5S_SCALAR), status);
  const hid_t set =
      hdf5_check(H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), status);
  hdf5_check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text), status);
  hdf5_check(H5Dclose(set), status);
  H5Sclose(space);
  H5Tclose(type);
}

// No time stamps: the same results are the same bytes.
static hid_t open_group(hid_t file, const char *name, DiskStatus *status)
{
  if (status->failed) return -1;
  if (name[0] == '/' || H5Lexists(file, name, H5P_DEFAULT) > 0)
    return hdf5_check(H5Gopen2(file, name, H5P_DEFAULT), status);
  const hid_t creation = hdf5_check(H5Pcreate(H5P_GROUP_CREATE), status);
  hdf5_check(H5Pset_obj_track_times(creation, false), status);
  const hid_t group =
      hdf5_check(H5Gcreate2(file, name, H5P_DEFAULT, creation, H5P_DEFAULT), status);
  H5Pclose(creation);
  return group;
}

static void put_group_attribute(hid_t file, const Hdf5Attribute *attribute, hid_t creation,
                                DiskStatus *status)
{
  const hid_t group = open_group(file, attribute->group, status);
  switch (attribute->kind) {
  case ATTRIBUTE_INTEGER:
    put_attribute(group, attribute->name, H5T_STD_I64LE, &attribute->integer, status);
    break;
  case ATTRIBUTE_REAL:
    put_attribute(group, attribute->name, H5T_IEEE_F64LE, &attribute->real, status);
    break;
  case ATTRIBUTE_VECTOR: put_vector(group, attribute->name, attribute->vector, status); break;
  case ATTRIBUTE_TEXT: put_text(group, attribute->name, attribute->text, status); break;
  case ATTRIBUTE_DOCUMENT:
    put_document(group, attribute->name, attribute->text, creation, status);
    break;
  }
  hdf5_check(H5Gclose(group), status);
}

// The group of the last column, which the next one mostly shares.
typedef struct {
  hid_t id;   // -1: none yet
  const char *name;
} LastGroup;

static void close_group(LastGroup *last, DiskStatus *status)
{
  if (last->id >= 0) hdf5_check(H5Gclose(last->id), status);
  last->id = -1;
}

static hid_t enter_group(hid_t file, const char *name, LastGroup *last, DiskStatus *status)
{
  if (last->id >= 0 && strcmp(last->name, name) == 0) return last->id;
  close_group(last, status);
  *last = (LastGroup){open_group(file, name, status), name};
  return last->id;
}

// Makes an empty data set with room in the file; returns where its rows begin.
static uint64_t put_column(hid_t group, const Hdf5Column *column, hid_t creation,
                           DiskStatus *status)
{
  const hsize_t size[2] = {column->rows, (hsize_t)column->components};
  const int axes = column->components > 1 && column->type != FIELD_TEXT ? 2 : 1;
  const hid_t space = hdf5_check(H5Screate_simple(axes, size, NULL), status);
  const hid_t type = column_type(column);
  const hid_t set = hdf5_check(
      H5Dcreate2(group, column->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), status);
  H5Tclose(type);
  put_text(set, "unit", column->unit, status);
  put_text(set, "text", column->text, status);
  uint64_t offset = 0;
  if (column->rows > 0 && !status->failed) {
    offset = H5Dget_offset(set);
    if (offset == HADDR_UNDEF) hdf5_check(-1, status);
  }
  hdf5_check(H5Dclose(set), status);
  H5Sclose(space);
  return offset;
}

static hid_t create_file(hid_t access, DiskStatus *status)
{
  hdf5_check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), status);
  hdf5_check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), status);
  hdf5_check(H5Pset_alignment(access, 65536, 4096), status);
  const hid_t creation = hdf5_check(H5Pcreate(H5P_FILE_CREATE), status);
  hdf5_check(H5Pset_obj_track_times(creation, false), status);
  const hid_t file = hdf5_check(H5Fcreate("image", H5F_ACC_TRUNC, creation, access), status);
  H5Pclose(creation);
  return file;
}

// The file without its rows, in memory.
static void make_image(Hdf5Writer *writer, Hdf5Image *image, DiskStatus *status)
{
  hdf5_silence();
  const hid_t access = hdf5_image_access(image, status);
  const hid_t file = create_file(access, status);
  const hid_t creation = hdf5_check(H5Pcreate(H5P_DATASET_CREATE), status);
  hdf5_check(H5Pset_layout(creation, H5D_CONTIGUOUS), status);
  hdf5_check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), status);
  hdf5_check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), status);
  hdf5_check(H5Pset_obj_track_times(creation, false), status);
  for (int i = 0; i < writer->attribute_count && !status->failed; i++)
    put_group_attribute(file, &writer->attributes[i], creation, status);
  LastGroup last = {.id = -1};
  for (int i = 0; i < writer->column_count && !status->failed; i++) {
    const Hdf5Column *column = &writer->columns[i];
    const hid_t group = enter_group(file, column->group, &last, status);
    if (!status->failed) writer->offsets[i] = put_column(group, column, creation, status);
  }
  close_group(&last, status);
  H5Pclose(creation);
  if (file >= 0) hdf5_check(H5Fclose(file), status);
  H5Pclose(access);
}

void hdf5_sum_file_blocks(Hdf5Writer *writer, FileBlockSums *sums)
{
  assert(writer->file < 0 && writer->sums == NULL && "sums begin before the file");
  *sums = (FileBlockSums){0};
  writer->sums = sums;
}

// Rank 0. The image, with reasons of the library that name the file.
static Hdf5Image *named_image(Hdf5Writer *writer)
{
  DiskStatus reason = {0};
  Hdf5Image *image = arena_allocate_zero(&writer->arena, 1, sizeof *image);
  make_image(writer, image, &reason);
  if (reason.failed) disk_fail(&writer->status, "%s: %s", writer->path, reason.reason);
  return image;
}

static void lay_out_on_root(Hdf5Writer *writer)
{
  writer->image = named_image(writer);
  writer->file = disk_open_new(writer->temporary, &writer->status);
  if (writer->sums) writer->sums->file_bytes = writer->image->size;
  hdf5_image_write(writer->image, (DiskFile){writer->file, writer->path}, writer->sums,
                   &writer->status);
}

void hdf5_lay_out(Hdf5Writer *writer)
{
  assert(writer->file < 0 && "a file is laid out once");
  if (par_rank() == 0) lay_out_on_root(writer);
  bool laid_out = !writer->status.failed;
  par_broadcast(&laid_out, sizeof laid_out, 0);
  if (writer->sums) par_broadcast(&writer->sums->file_bytes, sizeof writer->sums->file_bytes, 0);
  par_broadcast(writer->offsets, (size_t)writer->column_count * sizeof *writer->offsets, 0);
  if (laid_out && par_rank() != 0)
    writer->file = disk_open_write(writer->temporary, &writer->status);
}

void hdf5_change_text(Hdf5Writer *writer, const char *group, const char *name, const char *text)
{
  Hdf5Attribute *attribute = writer->attributes;
  const Hdf5Attribute *end = attribute + writer->attribute_count;
  while (attribute < end &&
         (attribute->kind != ATTRIBUTE_TEXT || strcmp(attribute->group, group) != 0 ||
          strcmp(attribute->name, name) != 0))
    attribute++;
  assert(attribute < end && "a text that was added");
  assert(strlen(text) == strlen(attribute->text) && "a text of the same length");
  memcpy((char *)(uintptr_t)attribute->text, text, strlen(text));   // the arena's
  if (par_rank() != 0 || writer->status.failed) return;
  Hdf5Image *image = named_image(writer);
  if (!writer->status.failed)
    hdf5_image_write_changes(image, writer->image, (DiskFile){writer->file, writer->path},
                             writer->sums, &writer->status);
  hdf5_image_end(writer->image);
  writer->image = image;
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
  assert(column >= 0 && column < writer->column_count && "a column has a number");
  assert((rows == 0 || writer->file < 0 || data != NULL) && "rows are given");
  const Hdf5Column *c = &writer->columns[column];
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
    assert(row_bytes(&writer->columns[column]) == field->row_bytes && "a column unlike its field");
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
  if (writer->image) hdf5_image_end(writer->image);
  arena_destroy(&writer->arena);
  memory_free(writer->temporary);
  memory_free(writer->path);
  memory_free(writer->folder);
  return ok;
}
