// Reads attributes of our HDF5 files, and where their columns lie.
#include "hdf5_reader.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hdf5_disk.h"
#include "hdf5_inside.h"
#include "hdf5_status.h"
#include "memory.h"

static void get_attribute(hid_t file, const char *name, H5T_class_t kind, hid_t type, void *value,
                          DiskStatus *status)
{
  if (status->failed) return;
  const hid_t attribute = hdf5_check(H5Aopen(file, name, H5P_DEFAULT), status);
  const hid_t stored = hdf5_check(H5Aget_type(attribute), status);
  const hid_t space = hdf5_check(H5Aget_space(attribute), status);
  if (!status->failed && (H5Tget_class(stored) != kind || H5Sget_simple_extent_npoints(space) != 1))
    disk_fail(status, "attribute %s is not what it should be", name);
  if (!status->failed) hdf5_check(H5Aread(attribute, type, value), status);
  H5Sclose(space);
  H5Tclose(stored);
  H5Aclose(attribute);
}

static void get_text(hid_t file, const char *name, char *text, size_t bytes, DiskStatus *status)
{
  assert(bytes > 0 && "a text has room");
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, bytes);
  H5Tset_cset(type, H5T_CSET_UTF8);
  text[0] = 0;
  get_attribute(file, name, H5T_STRING, type, text, status);
  text[bytes - 1] = 0;
  H5Tclose(type);
}

static void get_integer(hid_t file, const char *name, int64_t *value, DiskStatus *status)
{
  *value = 0;
  get_attribute(file, name, H5T_INTEGER, H5T_NATIVE_INT64, value, status);
}

// The stage of the run, which stands in files of cases with stages alone.
static void read_stage(hid_t file, StateStage *stage, DiskStatus *status)
{
  *stage = (StateStage){0};
  if (status->failed || hdf5_check(H5Aexists(file, "stage"), status) <= 0) return;
  char text[HDF5_STAGE_BYTES];
  get_text(file, "stage", text, sizeof text, status);
  const int found = sscanf(text, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %la", &stage->index,
                           &stage->first_step, &stage->unsolved, &stage->first_time);
  const bool good = found == 4 && stage->index >= 0 && stage->first_step >= 0 &&
                    stage->unsolved >= 0 && stage->first_time >= 0;
  if (!status->failed && !good) disk_fail(status, "attribute 'stage' is none of a run");
}

bool hdf5_read_header(const char *path, const char *format, int64_t version, Hdf5Header *header,
                      DiskStatus *status)
{
  assert(header->table_count >= 0 && header->table_count <= STATE_TABLES &&
         "a header names the tables of a state");
  if (status->failed) return false;
  DiskStatus reason = {0};
  char found_format[64];
  int64_t found_version;
  const hid_t file = hdf5_disk_open(path, &reason);
  get_text(file, "format", found_format, sizeof found_format, &reason);
  get_integer(file, "format_version", &found_version, &reason);
  if (!reason.failed && strcmp(found_format, format) != 0)
    disk_fail(&reason, "holds a '%s', not a '%s'", found_format, format);
  if (!reason.failed && found_version != version)
    disk_fail(&reason, "has format %lld, this program reads %lld", (long long)found_version,
              (long long)version);
  get_integer(file, "step", &header->step, &reason);
  get_attribute(file, "time", H5T_FLOAT, H5T_NATIVE_DOUBLE, &header->time, &reason);
  get_text(file, "hash", header->hash, sizeof header->hash, &reason);
  for (int t = 0; t < header->table_count; t++)
    get_integer(file, header->tables[t].name, &header->tables[t].rows, &reason);
  char words[HDF5_WORDS_BYTES];
  get_text(file, "solver", words, sizeof words, &reason);
  for (int i = 0; i < STATE_WORDS && !reason.failed; i++)
    if (sscanf(words + 17 * i, "%16" SCNx64, &header->solver.word[i]) != 1)
      disk_fail(&reason, "attribute 'solver' is not %d words", STATE_WORDS);
  read_stage(file, &header->stage, &reason);
  hdf5_disk_close(file);
  if (reason.failed) disk_fail_at(status, path, &reason);
  return !reason.failed;
}

static bool has_type(hid_t stored, FieldType type)
{
  switch (type) {
  case FIELD_F64: return H5Tequal(stored, H5T_IEEE_F64LE) > 0;
  case FIELD_I32: return H5Tequal(stored, H5T_STD_I32LE) > 0;
  case FIELD_U32: return H5Tequal(stored, H5T_STD_U32LE) > 0;
  case FIELD_U64: return H5Tequal(stored, H5T_STD_U64LE) > 0;
  case FIELD_F32: return H5Tequal(stored, H5T_IEEE_F32LE) > 0;
  case FIELD_TEXT: return H5Tget_class(stored) == H5T_STRING;
  }
  return false;
}

// A data set in the file itself, by its path; -1 after a failure.
static hid_t open_set(hid_t file, const char *name, DiskStatus *status)
{
  const hid_t access = hdf5_inside_access(NULL);
  const hid_t set = hdf5_check(H5Dopen2(file, name, access), status);
  H5Pclose(access);
  if (set >= 0) hdf5_inside_holds(set, name, status);
  return set;
}

static uint64_t locate_column(hid_t file, const char *group, const Field *field, uint64_t rows,
                              DiskStatus *status)
{
  if (status->failed) return 0;
  char name[128];
  snprintf(name, sizeof name, "/%s/%s", group, field->name);
  const hid_t set = open_set(file, name, status);
  const hid_t type = hdf5_check(H5Dget_type(set), status);
  const hid_t space = hdf5_check(H5Dget_space(set), status);
  hsize_t size[2] = {0, 1};
  const int axes = status->failed ? 0 : H5Sget_simple_extent_ndims(space);
  if (axes == 1 || axes == 2) H5Sget_simple_extent_dims(space, size, NULL);
  uint64_t offset = 0;
  if (!status->failed) {
    if (H5Tget_order(type) == H5T_ORDER_BE) disk_fail(status, "%s is big-endian", name);
    else if (axes < 1 || axes > 2 || size[0] != rows || size[1] != (hsize_t)field->components ||
             !has_type(type, field->type))
      disk_fail(status, "%s has not the rows or the type expected", name);
    else if (rows > 0) offset = H5Dget_offset(set);
    if (offset == HADDR_UNDEF) disk_fail(status, "%s is not in one piece", name);
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  return offset;
}

// Whether there is one of that name; what cannot be read is a failure.
static bool has_link(hid_t file, const char *name, DiskStatus *status)
{
  const hid_t access = hdf5_inside_access(NULL);
  const bool has = !status->failed && hdf5_check(H5Lexists(file, name, access), status) > 0;
  H5Pclose(access);
  return has;
}

// Whether the file must have a column, or has one that it may lack.
static bool has_column(hid_t file, const char *table, const Field *field, DiskStatus *status)
{
  char name[128];
  snprintf(name, sizeof name, "/%s/%s", table, field->name);
  return !(field->flags & FIELD_OPTION) || has_link(file, name, status);
}

bool hdf5_locate_table(const char *path, const TableSchema *schema, uint64_t rows,
                       uint64_t *offsets, DiskStatus *status)
{
  assert(path != NULL && offsets != NULL && "columns have places");
  if (status->failed) return false;
  DiskStatus reason = {0};
  const hid_t file = hdf5_disk_open(path, &reason);
  for (int f = 0; f < schema->field_count; f++) {
    const Field *field = &schema->fields[f];
    offsets[f] = HDF5_NO_COLUMN;
    if (field->flags & FIELD_STATE && has_column(file, schema->name, field, &reason))
      offsets[f] = locate_column(file, schema->name, field, rows, &reason);
  }
  hdf5_disk_close(file);
  if (reason.failed) disk_fail_at(status, path, &reason);
  return !reason.failed;
}

static int64_t count_rows(hid_t file, const char *name, DiskStatus *status)
{
  // the group first: a path through a group that is not there is an error to the library
  char group[128];
  snprintf(group, sizeof group, "%.*s", (int)strcspn(name, "/"), name);
  if (!has_link(file, group, status) || !has_link(file, name, status)) return -1;
  const hid_t set = open_set(file, name, status);
  const hid_t space = hdf5_check(H5Dget_space(set), status);
  hsize_t size[2] = {0, 1};
  const int axes = status->failed ? 0 : H5Sget_simple_extent_ndims(space);
  if (axes == 1 || axes == 2) H5Sget_simple_extent_dims(space, size, NULL);
  else if (!status->failed) disk_fail(status, "%s has no rows", name);
  H5Sclose(space);
  H5Dclose(set);
  return (int64_t)size[0];
}

bool hdf5_read_rows(const char *path, const char *const *names, int count, int64_t *rows,
                    DiskStatus *status)
{
  assert(count >= 0 && names != NULL && rows != NULL && "data sets have names");
  DiskStatus reason = {0};
  for (int i = 0; i < count; i++) rows[i] = -1;
  if (status->failed) return false;
  const hid_t file = hdf5_disk_open(path, &reason);
  for (int i = 0; i < count; i++) rows[i] = count_rows(file, names[i], &reason);
  hdf5_disk_close(file);
  if (reason.failed) disk_fail_at(status, path, &reason);
  return !reason.failed;
}

char *hdf5_read_document(const char *path, const char *name, DiskStatus *status)
{
  if (status->failed) return NULL;
  DiskStatus reason = {0};
  const hid_t file = hdf5_disk_open(path, &reason);
  char path_inside[128];
  snprintf(path_inside, sizeof path_inside, "/provenance/%s", name);
  const hid_t set = open_set(file, path_inside, &reason);
  const hid_t type = hdf5_check(H5Dget_type(set), &reason),
              space = hdf5_check(H5Dget_space(set), &reason);
  if (!reason.failed && (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 ||
                         H5Sget_simple_extent_npoints(space) != 1))
    disk_fail(&reason, "/provenance/%s is not one text", name);
  char *text = NULL;
  if (!reason.failed) {
    text = memory_allocate_zero(H5Tget_size(type) + 1, 1);
    hdf5_check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text), &reason);
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  hdf5_disk_close(file);
  if (!reason.failed) return text;
  memory_free(text);
  disk_fail_at(status, path, &reason);
  return NULL;
}
