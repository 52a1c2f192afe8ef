// Files that link rows of other files, by virtual data sets of the HDF5 library.
#include "linked_file.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "hdf5_status.h"
#include "memory.h"

enum {
  CHUNK_ROWS = 1 << 14,   // of a count, packed together
  CACHE_BYTES = 1 << 14,
};

// Lets the library keep few headers of data sets that are closed. It counts their bytes in the
// file, but each of a virtual data set holds far more memory for every link.
static void keep_few_headers(hid_t access, DiskStatus *status)
{
  H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  hdf5_check(H5Pget_mdc_config(access, &cache), status);
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = CACHE_BYTES;
  cache.min_clean_fraction = 0;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  hdf5_check(H5Pset_mdc_config(access, &cache), status);
}

// A new list of the library that keeps no times: the same contents are the same bytes.
static hid_t new_list(LinkedFile *file, hid_t class)
{
  const hid_t list = hdf5_check(H5Pcreate(class), file->status);
  hdf5_check(H5Pset_obj_track_times(list, false), file->status);
  return list;
}

static hid_t new_plan(LinkedFile *file) { return new_list(file, H5P_DATASET_CREATE); }

void linked_file_begin(LinkedFile *file, const char *folder, const char *name, DiskStatus *status)
{
  *file = (LinkedFile){
      .id = -1, .groups = -1, .plain = -1, .path = disk_path(folder, name), .status = status};
  hdf5_silence();
  if (status->failed) return;
  const hid_t access = hdf5_image_access(&file->image, status);
  hdf5_check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), status);
  // virtual data sets are of a later version than all else
  hdf5_check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST), status);
  keep_few_headers(access, status);
  const hid_t creation = new_list(file, H5P_FILE_CREATE);
  file->plain = new_plan(file);
  file->groups = new_list(file, H5P_GROUP_CREATE);
  hdf5_check(
      H5Pset_link_creation_order(file->groups, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
      status);
  if (!status->failed)
    file->id = hdf5_check(H5Fcreate("image", H5F_ACC_TRUNC, creation, access), status);
  H5Pclose(creation);
  H5Pclose(access);
}

void linked_file_end(LinkedFile *file)
{
  DiskStatus *status = file->status;
  if (file->plain >= 0) H5Pclose(file->plain);
  if (file->groups >= 0) H5Pclose(file->groups);
  if (file->id >= 0) hdf5_check(H5Fclose(file->id), status);
  if (!status->failed) {
    char *temporary = disk_temporary(file->path);
    const int open = disk_open_new(temporary, status);
    hdf5_image_write(&file->image, (DiskFile){open, file->path}, NULL, status);
    disk_close(open, file->path, status);
    disk_rename(temporary, file->path, status);
    if (status->failed) unlink(temporary);
    memory_free(temporary);
  }
  hdf5_image_end(&file->image);
  memory_free(file->path);
  *file = (LinkedFile){.id = -1};
  H5garbage_collect();   // of links, which took far more than a frame does
}

hid_t linked_file_group(LinkedFile *file, hid_t above, const char *name)
{
  if (file->status->failed) return -1;
  return hdf5_check(H5Gcreate2(above, name, H5P_DEFAULT, file->groups, H5P_DEFAULT), file->status);
}

static void put_attribute(LinkedFile *file, hid_t object, const char *name, hid_t type, hid_t space,
                          const void *value)
{
  if (!file->status->failed) {
    const hid_t attribute =
        hdf5_check(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), file->status);
    hdf5_check(H5Awrite(attribute, type, value), file->status);
    hdf5_check(H5Aclose(attribute), file->status);
  }
  H5Sclose(space);
}

void linked_file_numbers(LinkedFile *file, hid_t object, const char *name, const int64_t *values,
                         int count)
{
  assert(count >= 1 && "an attribute has a value");
  const hsize_t size = (hsize_t)count;
  const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
  put_attribute(file, object, name, H5T_NATIVE_INT64, space, values);
}

void linked_file_text(LinkedFile *file, hid_t object, const char *name, const char *text)
{
  assert(text[0] != '\0' && "a text has characters");
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  put_attribute(file, object, name, type, H5Screate(H5S_SCALAR), text);
  H5Tclose(type);
}

void linked_file_link(LinkedFile *file, hid_t group, const char *name, const char *path)
{
  assert(path[0] == '/' && "the path is whole");
  if (file->status->failed) return;
  hdf5_check(H5Lcreate_soft(path, group, name, H5P_DEFAULT, H5P_DEFAULT), file->status);
}

void linked_file_again(LinkedFile *file, hid_t group, const char *known, const char *name)
{
  assert(known[0] != '\0' && "what stands there has a name");
  if (file->status->failed) return;
  hdf5_check(H5Lcreate_hard(group, known, group, name, H5P_DEFAULT, H5P_DEFAULT), file->status);
}

// ------------------------------------------------------------------------------------------------
// Data sets that the file holds.

// A data set after its plan, which is closed unless it is the plain one; -1 after a failure.
static hid_t new_set(LinkedFile *file, hid_t group, const char *name, hid_t type, hid_t space,
                     hid_t plan)
{
  const hid_t set =
      file->status->failed
          ? -1
          : hdf5_check(H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT),
                       file->status);
  if (plan != file->plain) H5Pclose(plan);
  H5Sclose(space);
  return set;
}

static void put_all(LinkedFile *file, hid_t set, hid_t type, const void *values)
{
  if (file->status->failed) return;
  if (values) hdf5_check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), file->status);
  hdf5_check(H5Dclose(set), file->status);
}

void linked_file_reals(LinkedFile *file, hid_t group, const char *name, const double *values,
                       size_t rows)
{
  const hsize_t size = rows;
  const hid_t set =
      new_set(file, group, name, H5T_NATIVE_DOUBLE, H5Screate_simple(1, &size, NULL), file->plain);
  put_all(file, set, H5T_NATIVE_DOUBLE, rows > 0 ? values : NULL);
}

static void put_whole(LinkedFile *file, hid_t group, const char *name, hid_t space,
                      const int64_t *values)
{
  const bool any = H5Sget_simple_extent_npoints(space) > 0;
  const hid_t set = new_set(file, group, name, H5T_NATIVE_INT64, space, file->plain);
  put_all(file, set, H5T_NATIVE_INT64, any ? values : NULL);
}

void linked_file_series(LinkedFile *file, hid_t group, const char *name, const int64_t *values,
                        size_t rows)
{
  const hsize_t size = rows;
  put_whole(file, group, name, H5Screate_simple(1, &size, NULL), values);
}

void linked_file_table(LinkedFile *file, hid_t group, const char *name, const int64_t *values,
                       size_t rows)
{
  const hsize_t size[2] = {rows, 1};
  put_whole(file, group, name, H5Screate_simple(2, size, NULL), values);
}

void linked_file_count(LinkedFile *file, hid_t group, const char *name, int64_t by, uint64_t rows)
{
  assert(rows > 0 && rows <= INT64_MAX && "a count begins with 0");
  const hsize_t size = rows, chunk = rows < CHUNK_ROWS ? rows : CHUNK_ROWS;
  const hid_t plan = new_plan(file);
  hdf5_check(H5Pset_chunk(plan, 1, &chunk), file->status);
  hdf5_check(H5Pset_shuffle(plan), file->status);
  hdf5_check(H5Pset_deflate(plan, 1), file->status);
  const hid_t set =
      new_set(file, group, name, H5T_NATIVE_INT64, H5Screate_simple(1, &size, NULL), plan);
  Arena arena = arena_new();
  int64_t *values = arena_allocate(&arena, chunk * sizeof *values);
  for (hsize_t first = 0; first < rows && !file->status->failed; first += chunk) {
    const hsize_t left = rows - first, some = left < chunk ? left : chunk;
    for (hsize_t i = 0; i < some; i++) values[i] = by * (int64_t)(first + i);
    const hid_t here = H5Screate_simple(1, &some, NULL), there = H5Screate_simple(1, &size, NULL);
    H5Sselect_hyperslab(there, H5S_SELECT_SET, &first, NULL, &some, NULL);
    hdf5_check(H5Dwrite(set, H5T_NATIVE_INT64, here, there, H5P_DEFAULT, values), file->status);
    H5Sclose(here);
    H5Sclose(there);
  }
  arena_destroy(&arena);
  put_all(file, set, H5T_NATIVE_INT64, NULL);
}

void linked_file_constant(LinkedFile *file, hid_t group, const char *name, unsigned char value,
                          uint64_t rows)
{
  const hsize_t size = rows;
  const hid_t plan = new_plan(file);
  hdf5_check(H5Pset_fill_value(plan, H5T_NATIVE_UINT8, &value), file->status);
  hdf5_check(H5Pset_alloc_time(plan, H5D_ALLOC_TIME_LATE), file->status);
  const hid_t set =
      new_set(file, group, name, H5T_NATIVE_UINT8, H5Screate_simple(1, &size, NULL), plan);
  put_all(file, set, H5T_NATIVE_UINT8, NULL);
}

// ------------------------------------------------------------------------------------------------
// Linked rows.

static hid_t type_of(FieldType type)
{
  switch (type) {
  case FIELD_F64: return H5T_NATIVE_DOUBLE;
  case FIELD_I32: return H5T_NATIVE_INT32;
  case FIELD_U32: return H5T_NATIVE_UINT32;
  case FIELD_U64: return H5T_NATIVE_INT64;
  case FIELD_F32: return H5T_NATIVE_FLOAT;
  case FIELD_TEXT: break;
  }
  assert(!"texts are not linked");
  return H5T_NATIVE_DOUBLE;
}

static int axes_of(int components) { return components > 1 ? 2 : 1; }

LinkedRows linked_rows_begin(LinkedFile *file, FieldType type, int components, uint64_t rows)
{
  assert(components >= 1 && type != FIELD_TEXT && "rows are of numbers");
  const hsize_t size[2] = {rows, (hsize_t)components};
  return (LinkedRows){.type = type,
                      .components = components,
                      .rows = rows,
                      .plan = new_plan(file),
                      .space = H5Screate_simple(axes_of(components), size, NULL)};
}

LinkedRows linked_rows_begin_bytes(LinkedFile *file, uint64_t rows)
{
  LinkedRows linked = linked_rows_begin(file, FIELD_I32, 1, rows);
  assert(linked.rows == rows && "a byte for each row");
  linked.bytes = true;
  return linked;
}

void linked_rows_add(LinkedFile *file, LinkedRows *rows, uint64_t first, LinkedSource source)
{
  // as many numbers on both sides
  const uint64_t numbers = source.taken * (uint64_t)source.components;
  const uint64_t count = numbers / (uint64_t)rows->components;
  assert(source.taken <= source.stored && first + count <= rows->rows && "rows lie in their room");
  if (count == 0 || file->status->failed) return;
  const hsize_t stored[2] = {source.stored, (hsize_t)source.components},
                taken[2] = {source.taken, (hsize_t)source.components}, from[2] = {0, 0};
  const hsize_t to[2] = {first, 0}, put[2] = {count, (hsize_t)rows->components};
  const hid_t there = H5Screate_simple(axes_of(source.components), stored, NULL);
  // all is less to keep than a part
  if (source.taken < source.stored)
    H5Sselect_hyperslab(there, H5S_SELECT_SET, from, NULL, taken, NULL);
  H5Sselect_hyperslab(rows->space, H5S_SELECT_SET, to, NULL, put, NULL);
  hdf5_check(H5Pset_virtual(rows->plan, rows->space, source.file, source.path, there),
             file->status);
  H5Sclose(there);
}

void linked_rows_end(LinkedFile *file, LinkedRows *rows, hid_t group, const char *name)
{
  const hid_t type = rows->bytes ? H5T_NATIVE_UINT8 : type_of(rows->type);
  const double nothing = NAN;
  const bool whole = H5Tget_class(type) == H5T_INTEGER;
  if (!whole) hdf5_check(H5Pset_fill_value(rows->plan, H5T_NATIVE_DOUBLE, &nothing), file->status);
  H5Sselect_all(rows->space);
  put_all(file, new_set(file, group, name, type, rows->space, rows->plan), type, NULL);
}
