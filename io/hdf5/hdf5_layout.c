// Lays files out with the HDF5 library, anew or by changing what attributes say.
#include "hdf5_layout.h"

#include <assert.h>
#include <string.h>

#include "arena.h"
#include "check.h"
#include "hdf5_image.h"
#include "hdf5_status.h"
#include "memory.h"

struct Hdf5Layout {
  Hdf5Image image;
  hid_t file;   // the image, open in the library; -1: closed
  Arena arena;
  Hdf5Content content;
  uint64_t *offsets;
};

// ------------------------------------------------------------------------------------------------
// Anew.

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

// How the image is opened; closed by H5Pclose.
static hid_t access_list(Hdf5Image *image, DiskStatus *status)
{
  const hid_t access = hdf5_image_access(image, status);
  hdf5_check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), status);
  hdf5_check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), status);
  hdf5_check(H5Pset_alignment(access, 65536, 4096), status);
  return access;
}

static hid_t create_file(hid_t access, DiskStatus *status)
{
  const hid_t creation = hdf5_check(H5Pcreate(H5P_FILE_CREATE), status);
  hdf5_check(H5Pset_obj_track_times(creation, false), status);
  const hid_t file = hdf5_check(H5Fcreate("image", H5F_ACC_TRUNC, creation, access), status);
  H5Pclose(creation);
  return file;
}

static void make_image(Hdf5Layout *layout, DiskStatus *status)
{
  const Hdf5Content *content = &layout->content;
  const hid_t access = access_list(&layout->image, status);
  const hid_t file = create_file(access, status);
  const hid_t creation = hdf5_check(H5Pcreate(H5P_DATASET_CREATE), status);
  hdf5_check(H5Pset_layout(creation, H5D_CONTIGUOUS), status);
  hdf5_check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), status);
  hdf5_check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), status);
  hdf5_check(H5Pset_obj_track_times(creation, false), status);
  for (int i = 0; i < content->attribute_count && !status->failed; i++)
    put_group_attribute(file, &content->attributes[i], creation, status);
  LastGroup last = {.id = -1};
  for (int i = 0; i < content->column_count && !status->failed; i++) {
    const Hdf5Column *column = &content->columns[i];
    const hid_t group = enter_group(file, column->group, &last, status);
    if (!status->failed) layout->offsets[i] = put_column(group, column, creation, status);
  }
  close_group(&last, status);
  H5Pclose(creation);
  if (file >= 0) hdf5_check(H5Fclose(file), status);
  H5Pclose(access);
}

static const char *copy_text(const char *text, Arena *arena)
{
  if (!text) return NULL;
  const size_t bytes = strlen(text) + 1;
  return memcpy(arena_allocate(arena, bytes), text, bytes);
}

// Columns and attributes, with texts that may be gone when the next file comes.
static Hdf5Content copy_content(const Hdf5Content *content, Arena *arena)
{
  const size_t columns = (size_t)content->column_count, count = (size_t)content->attribute_count;
  Hdf5Column *column = arena_allocate(arena, (columns + 1) * sizeof *column);
  Hdf5Attribute *attribute = arena_allocate(arena, (count + 1) * sizeof *attribute);
  for (size_t i = 0; i < columns; i++) {
    column[i] = content->columns[i];
    column[i].group = copy_text(column[i].group, arena);
    column[i].name = copy_text(column[i].name, arena);
    column[i].unit = copy_text(column[i].unit, arena);
    column[i].text = copy_text(column[i].text, arena);
  }
  for (size_t i = 0; i < count; i++) {
    attribute[i] = content->attributes[i];
    attribute[i].group = copy_text(attribute[i].group, arena);
    attribute[i].name = copy_text(attribute[i].name, arena);
    attribute[i].text = copy_text(attribute[i].text, arena);
  }
  return (Hdf5Content){content->column_count, content->attribute_count, column, attribute};
}

static Hdf5Layout *make_anew(const Hdf5Content *content, DiskStatus *status)
{
  Hdf5Layout *layout = memory_allocate_zero(1, sizeof *layout);
  layout->file = -1;
  layout->arena = arena_new();
  layout->content = copy_content(content, &layout->arena);
  layout->offsets = arena_allocate_zero(&layout->arena, (size_t)content->column_count + 1,
                                        sizeof *layout->offsets);
  make_image(layout, status);
  return layout;
}

// ------------------------------------------------------------------------------------------------
// From an earlier one.

static bool same_columns(const Hdf5Content *a, const Hdf5Content *b)
{
  if (a->column_count != b->column_count) return false;
  for (int i = 0; i < a->column_count; i++) {
    const Hdf5Column *p = &a->columns[i], *q = &b->columns[i];
    if (p->rows != q->rows || p->type != q->type || p->components != q->components ||
        strcmp(p->group, q->group) != 0 || strcmp(p->name, q->name) != 0 ||
        strcmp(p->unit, q->unit) != 0 || strcmp(p->text, q->text) != 0)
      return false;
  }
  return true;
}

// Whether both say the same.
static bool same_value(const Hdf5Attribute *a, const Hdf5Attribute *b)
{
  switch (a->kind) {
  case ATTRIBUTE_INTEGER: return a->integer == b->integer;
  case ATTRIBUTE_REAL: return memcmp(&a->real, &b->real, sizeof a->real) == 0;
  case ATTRIBUTE_VECTOR: return memcmp(&a->vector, &b->vector, sizeof a->vector) == 0;
  case ATTRIBUTE_TEXT:
  case ATTRIBUTE_DOCUMENT: break;
  }
  return strcmp(a->text, b->text) == 0;
}

// Whether they have the same places in the file.
static bool same_attributes(const Hdf5Content *a, const Hdf5Content *b)
{
  if (a->attribute_count != b->attribute_count) return false;
  for (int i = 0; i < a->attribute_count; i++) {
    const Hdf5Attribute *p = &a->attributes[i], *q = &b->attributes[i];
    if (p->kind != q->kind || strcmp(p->group, q->group) != 0 || strcmp(p->name, q->name) != 0)
      return false;
    if (p->kind == ATTRIBUTE_TEXT && strlen(p->text) != strlen(q->text)) return false;
    if (p->kind == ATTRIBUTE_DOCUMENT && !same_value(p, q)) return false;
  }
  return true;
}

static void change_attribute(hid_t file, const Hdf5Attribute *attribute, DiskStatus *status)
{
  // opened by the paths of both, it would be written among those of the root (HDF5 1.10.8)
  const hid_t group = open_group(file, attribute->group, status);
  const hid_t known = hdf5_check(H5Aopen(group, attribute->name, H5P_DEFAULT), status);
  const hid_t type = H5Aget_type(known);
  const void *value = attribute->text;
  if (attribute->kind == ATTRIBUTE_INTEGER) value = &attribute->integer;
  if (attribute->kind == ATTRIBUTE_REAL) value = &attribute->real;
  if (attribute->kind == ATTRIBUTE_VECTOR) value = &attribute->vector;
  hdf5_check(H5Awrite(known, type, value), status);
  H5Tclose(type);
  hdf5_check(H5Aclose(known), status);
  hdf5_check(H5Gclose(group), status);
}

// Takes over what an attribute says; its own names and room for text stay.
static void remember(Hdf5Attribute *known, const Hdf5Attribute *attribute)
{
  assert_debug(known->kind == attribute->kind && "the attribute was found");
  char *text = (char *)(uintptr_t)known->text;   // the arena's
  if (text) memcpy(text, attribute->text, strlen(text));
  known->integer = attribute->integer;
  known->real = attribute->real;
  known->vector = attribute->vector;
}

static void change_image(Hdf5Layout *layout, const Hdf5Content *content, DiskStatus *status)
{
  if (layout->file < 0) {
    const hid_t access = access_list(&layout->image, status);
    layout->file = hdf5_check(H5Fopen("image", H5F_ACC_RDWR, access), status);
    H5Pclose(access);
  }
  for (int i = 0; i < content->attribute_count && !status->failed; i++) {
    Hdf5Attribute *known = &layout->content.attributes[i];
    if (same_value(known, &content->attributes[i])) continue;
    change_attribute(layout->file, &content->attributes[i], status);
    remember(known, &content->attributes[i]);
  }
  if (!status->failed) hdf5_check(H5Fflush(layout->file, H5F_SCOPE_LOCAL), status);
}

Hdf5Layout *hdf5_layout_make(Hdf5Layout *earlier, const Hdf5Content *content, DiskStatus *status)
{
  assert(content->column_count >= 0 && content->attribute_count >= 0 && "a file has contents");
  hdf5_silence();
  Hdf5Layout *layout = earlier;
  if (earlier && same_columns(&earlier->content, content) &&
      same_attributes(&earlier->content, content)) {
    change_image(layout, content, status);
  } else {
    layout = make_anew(content, status);
    hdf5_layout_end(earlier);
  }
  if (!status->failed) return layout;
  hdf5_layout_end(layout);
  return NULL;
}

void hdf5_layout_end(Hdf5Layout *layout)
{
  if (!layout) return;
  if (layout->file >= 0) H5Fclose(layout->file);
  hdf5_image_end(&layout->image);
  arena_destroy(&layout->arena);
  memory_free(layout);
}

const Hdf5Image *hdf5_layout_image(const Hdf5Layout *layout)
{
  assert(layout->image.size > 0 && "a file has bytes");
  return &layout->image;
}

uint64_t hdf5_layout_offset(const Hdf5Layout *layout, int column)
{
  assert(column >= 0 && column < layout->content.column_count && "a column has a number");
  return layout->offsets[column];
}
