// Files that link rows of other files: what they are made of is listed, and put together at the
// end.
#include "linked_file.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

// A name in a group. What it stands for: another group, a data set, or what a path leads to.
struct LinkedName {
  LinkedGroup in;
  const char *name;
  enum { NAMES_GROUP, NAMES_SET, NAMES_PATH } kind;
  int number;         // of the group or data set
  const char *path;   // NULL: of those
};

struct LinkedAttribute {
  LinkedGroup of;
  size_t bytes;
  unsigned char *message;   // [bytes] the arena's
};

// A data set and where its numbers are.
struct LinkedSet {
  Hdf5Number type;
  int axes;
  uint64_t size[2];
  enum { SET_VALUES, SET_COUNT, SET_CONSTANT, SET_LINKED } kind;
  const void *values;   // SET_VALUES: the arena's; SET_CONSTANT: one number, NULL: zeros
  int64_t by;           // SET_COUNT
  uint64_t address;     // in the file: of its numbers, of the collection that has its links
  int list;             // in that collection, from 1 on
};

// ------------------------------------------------------------------------------------------------
// What the file is made of.

void linked_file_begin(LinkedFile *file, const char *folder, const char *name, DiskStatus *status)
{
  assert(folder != NULL && name != NULL && "a file has a folder and a name");
  *file = (LinkedFile){
      .path = disk_path(folder, name), .status = status, .arena = arena_new(), .group_count = 1};
}

static const void *keep(LinkedFile *file, const void *from, size_t count)
{
  void *kept = arena_allocate(&file->arena, count);
  if (count > 0) memcpy(kept, from, count);
  return kept;
}

static void add_name(LinkedFile *file, LinkedName name)
{
  assert(name.in >= 0 && name.in < file->group_count && "a group was made");
  assert(strlen(name.name) <= UINT8_MAX && "a name is short");
  name.name = keep(file, name.name, strlen(name.name) + 1);
  if (name.path) name.path = keep(file, name.path, strlen(name.path) + 1);
  file->names =
      memory_grow(file->names, file->name_count + 1, &file->name_capacity, sizeof *file->names);
  file->names[file->name_count++] = name;
}

LinkedGroup linked_file_group(LinkedFile *file, LinkedGroup above, const char *name)
{
  assert(above < file->group_count && "the group above was made");
  add_name(file, (LinkedName){above, name, NAMES_GROUP, file->group_count, NULL});
  return file->group_count++;
}

void linked_file_link(LinkedFile *file, LinkedGroup group, const char *name, const char *path)
{
  assert(path[0] == '/' && "the path is whole");
  add_name(file, (LinkedName){group, name, NAMES_PATH, 0, path});
}

void linked_file_again(LinkedFile *file, LinkedGroup group, const char *known, const char *name)
{
  int i = file->name_count - 1;
  while (i >= 0 && (file->names[i].in != group || strcmp(file->names[i].name, known) != 0)) i--;
  assert(i >= 0 && "what stands there has a name");
  LinkedName again = file->names[i];
  again.name = name;
  add_name(file, again);
}

// An attribute: its name, the bytes of its type and those of its space, and its value.
static void add_attribute(LinkedFile *file, LinkedGroup group, const char *name,
                          const Hdf5Bytes parts[3])
{
  Hdf5Bytes bytes = {0};
  const size_t message = hdf5_message_begin(&bytes, HDF5_ATTRIBUTE);
  hdf5_bytes_number(&bytes, 3, 2);   // version, no flags
  hdf5_bytes_number(&bytes, strlen(name) + 1, 2);
  hdf5_bytes_number(&bytes, parts[0].count, 2);
  hdf5_bytes_number(&bytes, parts[1].count, 2);
  hdf5_bytes_number(&bytes, 0, 1);   // a name of ASCII
  hdf5_bytes_text(&bytes, name);
  for (int i = 0; i < 3; i++) hdf5_bytes_put(&bytes, parts[i].at, parts[i].count);
  hdf5_message_end(&bytes, message);
  file->attributes = memory_grow(file->attributes, file->attribute_count + 1,
                                 &file->attribute_capacity, sizeof *file->attributes);
  LinkedAttribute *attribute = &file->attributes[file->attribute_count++];
  *attribute = (LinkedAttribute){group, bytes.count, arena_allocate(&file->arena, bytes.count)};
  memcpy(attribute->message, bytes.at, bytes.count);
  memory_free(bytes.at);
  for (int i = 0; i < 3; i++) memory_free(parts[i].at);
}

void linked_file_numbers(LinkedFile *file, LinkedGroup group, const char *name,
                         const int64_t *values, int count)
{
  assert(count >= 1 && "an attribute has a value");
  Hdf5Bytes parts[3] = {{0}};
  const uint64_t size = (uint64_t)count;
  hdf5_bytes_type(&parts[0], HDF5_I64);
  hdf5_bytes_space(&parts[1], count > 1 ? 1 : 0, &size);
  for (int i = 0; i < count; i++) hdf5_bytes_number(&parts[2], (uint64_t)values[i], 8);
  add_attribute(file, group, name, parts);
}

void linked_file_text(LinkedFile *file, LinkedGroup group, const char *name, const char *text)
{
  assert(text[0] != '\0' && "a text has characters");
  Hdf5Bytes parts[3] = {{0}};
  hdf5_bytes_text_type(&parts[0], strlen(text));
  hdf5_bytes_space(&parts[1], 0, NULL);
  hdf5_bytes_put(&parts[2], text, strlen(text));
  add_attribute(file, group, name, parts);
}

// ------------------------------------------------------------------------------------------------
// Data sets.

static void add_set(LinkedFile *file, LinkedGroup group, const char *name, LinkedSet set)
{
  add_name(file, (LinkedName){group, name, NAMES_SET, file->set_count, NULL});
  file->sets =
      memory_grow(file->sets, file->set_count + 1, &file->set_capacity, sizeof *file->sets);
  file->sets[file->set_count++] = set;
}

static void add_values(LinkedFile *file, LinkedGroup group, const char *name, LinkedSet set,
                       const void *values)
{
  set.kind = SET_VALUES;
  set.values = keep(file, values, set.size[0] * hdf5_number_bytes(set.type));
  add_set(file, group, name, set);
}

void linked_file_reals(LinkedFile *file, LinkedGroup group, const char *name, const double *values,
                       size_t rows)
{
  add_values(file, group, name, (LinkedSet){HDF5_F64, .axes = 1, .size = {rows}}, values);
}

void linked_file_series(LinkedFile *file, LinkedGroup group, const char *name,
                        const int64_t *values, size_t rows)
{
  add_values(file, group, name, (LinkedSet){HDF5_I64, .axes = 1, .size = {rows}}, values);
}

void linked_file_table(LinkedFile *file, LinkedGroup group, const char *name, const int64_t *values,
                       size_t rows)
{
  add_values(file, group, name, (LinkedSet){HDF5_I64, .axes = 2, .size = {rows, 1}}, values);
}

void linked_file_count(LinkedFile *file, LinkedGroup group, const char *name, int64_t by,
                       uint64_t rows)
{
  assert(rows > 0 && by > 0 && rows <= (uint64_t)(INT64_MAX / by) && "a count begins with 0");
  const bool small = (uint64_t)by * (rows - 1) <= UINT32_MAX;
  add_set(file, group, name,
          (LinkedSet){.type = small ? HDF5_U32 : HDF5_I64,
                      .axes = 1,
                      .size = {rows},
                      .kind = SET_COUNT,
                      .by = by});
}

void linked_file_constant(LinkedFile *file, LinkedGroup group, const char *name,
                          unsigned char value, uint64_t rows)
{
  add_set(file, group, name,
          (LinkedSet){.type = HDF5_U8,
                      .axes = 1,
                      .size = {rows},
                      .kind = SET_CONSTANT,
                      .values = keep(file, &value, 1)});
}

// ------------------------------------------------------------------------------------------------
// Linked rows: lists in collections ("global heaps"), which readers take as a whole. One is full
// when a list ends behind its least size.

static void end_collection(LinkedFile *file)
{
  Hdf5Bytes *links = &file->links;
  if (file->links_in_it == 0) return;
  file->links_in_it = 0;
  const size_t used = links->count - file->collection;
  if (used < HDF5_LEAST_HEAP) {
    // what is free has the number 0 and counts itself
    static const unsigned char zeros[HDF5_LEAST_HEAP] = {0};
    const size_t left = HDF5_LEAST_HEAP - used;
    hdf5_bytes_put(links, zeros, left);
    if (left >= 16) hdf5_bytes_change(links, links->count - left + 8, left, 8);
  }
  hdf5_bytes_change(links, file->collection + 8, links->count - file->collection, 8);
}

// The list begins with its number, users, and length; then its version and how many links it has.
static LinkedRows begin_list(LinkedFile *file, LinkedRows rows)
{
  static const unsigned char begin[8] = {'G', 'C', 'O', 'L', 1, 0, 0, 0};
  Hdf5Bytes *links = &file->links;
  if (file->links_in_it == 0) {
    file->collection = links->count;
    hdf5_bytes_put(links, begin, sizeof begin);
    hdf5_bytes_number(links, 0, 8);
  }
  rows.begin = links->count;
  hdf5_bytes_number(links, (uint64_t)file->links_in_it + 1, 8);
  hdf5_bytes_number(links, 0, 8);
  hdf5_bytes_number(links, 0, 1);
  hdf5_bytes_number(links, 0, 8);
  return rows;
}

static Hdf5Number number_of(FieldType type)
{
  switch (type) {
  case FIELD_F64: return HDF5_F64;
  case FIELD_I32: return HDF5_I32;
  case FIELD_U32: return HDF5_U32;
  case FIELD_U64: return HDF5_I64;
  case FIELD_F32: return HDF5_F32;
  case FIELD_TEXT: break;
  }
  assert(!"texts are not linked");
  return HDF5_F64;
}

LinkedRows linked_rows_begin(LinkedFile *file, FieldType type, int components, uint64_t rows)
{
  assert(components >= 1 && type != FIELD_TEXT && "rows are of numbers");
  return begin_list(file,
                    (LinkedRows){.type = number_of(type), .components = components, .rows = rows});
}

LinkedRows linked_rows_begin_bytes(LinkedFile *file, uint64_t rows)
{
  return begin_list(file, (LinkedRows){.type = HDF5_U8, .components = 1, .rows = rows});
}

void linked_rows_add(LinkedFile *file, LinkedRows *rows, uint64_t first, LinkedSource source)
{
  // as many numbers on both sides
  const uint64_t numbers = source.taken * (uint64_t)source.components;
  const uint64_t count = numbers / (uint64_t)rows->components;
  assert(source.taken <= source.stored && first + count <= rows->rows && "rows lie in their room");
  if (count == 0) return;
  Hdf5Bytes *links = &file->links;
  hdf5_bytes_text(links, source.file);
  hdf5_bytes_text(links, source.path);
  // all is less to keep than a part
  if (source.taken == source.stored) hdf5_bytes_all(links);
  else hdf5_bytes_rows(links, 0, source.taken, source.components);
  hdf5_bytes_rows(links, first, count, rows->components);
  rows->links++;
}

void linked_rows_end(LinkedFile *file, LinkedRows *rows, LinkedGroup group, const char *name)
{
  static const double nothing = NAN;
  static const float little = NAN;
  Hdf5Bytes *links = &file->links;
  LinkedSet set = {.type = rows->type,
                   .axes = rows->components > 1 ? 2 : 1,
                   .size = {rows->rows, (uint64_t)rows->components},
                   .kind = SET_CONSTANT};
  if (rows->type == HDF5_F64) set.values = &nothing;
  if (rows->type == HDF5_F32) set.values = &little;
  if (rows->links > 0) {
    hdf5_bytes_change(links, rows->begin + 17, rows->links, 8);
    hdf5_bytes_sum(links, rows->begin + 16);
    hdf5_bytes_change(links, rows->begin + 8, links->count - rows->begin - 16, 8);
    hdf5_bytes_align(links);
    set.kind = SET_LINKED;
    set.list = ++file->links_in_it;
    set.address = HDF5_SUPERBLOCK_BYTES + file->collection;
    if (links->count - file->collection >= HDF5_LEAST_HEAP) end_collection(file);
  } else {
    links->count = file->links_in_it == 0 ? file->collection : rows->begin;
  }
  add_set(file, group, name, set);
}

// ------------------------------------------------------------------------------------------------
// The bytes of the file: the first ones, lists of links, counts, data sets, groups. What others
// name by its place comes before them.

static uint64_t bytes_of(const LinkedSet *set)
{
  const uint64_t rows = set->size[0] * (set->axes > 1 ? set->size[1] : 1);
  return rows * hdf5_number_bytes(set->type);
}

// Where a data set has its numbers.
static void put_place(Hdf5Bytes *bytes, const LinkedSet *set)
{
  const size_t place = hdf5_message_begin(bytes, HDF5_PLACE);
  if (set->kind == SET_LINKED) {
    hdf5_bytes_number(bytes, 0x0304, 2);   // version 4, linked
    hdf5_bytes_number(bytes, set->address, 8);
    hdf5_bytes_number(bytes, (uint64_t)set->list, 4);
  } else {
    const bool none = set->kind == SET_CONSTANT || bytes_of(set) == 0;
    hdf5_bytes_number(bytes, 0x0103, 2);   // version 3, behind each other
    hdf5_bytes_number(bytes, none ? HDF5_NOWHERE : set->address, 8);
    hdf5_bytes_number(bytes, bytes_of(set), 8);
  }
  hdf5_message_end(bytes, place);
}

static void put_set(Hdf5Bytes *bytes, const LinkedSet *set)
{
  const size_t object = hdf5_object_begin(bytes);
  const size_t space = hdf5_message_begin(bytes, HDF5_SPACE);
  hdf5_bytes_space(bytes, set->axes, set->size);
  hdf5_message_end(bytes, space);
  const size_t type = hdf5_message_begin(bytes, HDF5_TYPE);
  hdf5_bytes_type(bytes, set->type);
  hdf5_message_end(bytes, type);
  // room that is made late, for a number that is written if it is told
  const size_t fill = hdf5_message_begin(bytes, HDF5_FILL), width = hdf5_number_bytes(set->type);
  const void *number = set->kind == SET_VALUES ? NULL : set->values;
  hdf5_bytes_number(bytes, 3, 1);   // version
  hdf5_bytes_number(bytes, number ? 0x2a : 0x0a, 1);
  if (number) {
    hdf5_bytes_number(bytes, width, 4);
    hdf5_bytes_values(bytes, number, 1, width);
  }
  hdf5_message_end(bytes, fill);
  put_place(bytes, set);
  hdf5_object_end(bytes, object);
}

// Names keep the order of their making, and stand in the group's header however many there are.
static void put_name(Hdf5Bytes *bytes, const LinkedName *name, uint64_t order, uint64_t address)
{
  const size_t message = hdf5_message_begin(bytes, HDF5_LINK), length = strlen(name->name);
  const bool path = name->kind == NAMES_PATH;
  hdf5_bytes_number(bytes, 1, 1);   // version
  hdf5_bytes_number(bytes, path ? 0x0c : 0x04, 1);
  if (path) hdf5_bytes_number(bytes, 1, 1);
  hdf5_bytes_number(bytes, order, 8);
  hdf5_bytes_number(bytes, length, 1);
  hdf5_bytes_put(bytes, name->name, length);
  if (path) {
    hdf5_bytes_number(bytes, strlen(name->path), 2);
    hdf5_bytes_put(bytes, name->path, strlen(name->path));
  } else {
    hdf5_bytes_number(bytes, address, 8);
  }
  hdf5_message_end(bytes, message);
}

static uint64_t count_names(const LinkedFile *file, LinkedGroup group)
{
  uint64_t count = 0;
  for (int i = 0; i < file->name_count; i++) count += file->names[i].in == group;
  return count;
}

// groups: where those are that were put already
static void put_group(Hdf5Bytes *bytes, const LinkedFile *file, LinkedGroup group,
                      const uint64_t *groups)
{
  const size_t object = hdf5_object_begin(bytes);
  const uint64_t names = count_names(file, group);
  const size_t links = hdf5_message_begin(bytes, HDF5_LINKS);
  hdf5_bytes_number(bytes, 0x0300, 2);   // version 0, in an order that is known and sorted
  hdf5_bytes_number(bytes, names, 8);
  for (int i = 0; i < 3; i++) hdf5_bytes_number(bytes, HDF5_NOWHERE, 8);
  hdf5_message_end(bytes, links);
  // up to how many names stand here, and from how many on in another place
  const size_t limits = hdf5_message_begin(bytes, HDF5_GROUP);
  assert(names <= UINT16_MAX && "a group has few names");
  hdf5_bytes_number(bytes, names > 8 ? 0x0100 : 0, 2);
  if (names > 8) hdf5_bytes_number(bytes, names, 2);
  if (names > 8) hdf5_bytes_number(bytes, 6, 2);
  hdf5_message_end(bytes, limits);
  for (int i = 0; i < file->attribute_count; i++)
    if (file->attributes[i].of == group)
      hdf5_bytes_put(bytes, file->attributes[i].message, file->attributes[i].bytes);
  uint64_t order = 0;
  for (int i = 0; i < file->name_count; i++) {
    const LinkedName *name = &file->names[i];
    if (name->in != group) continue;
    uint64_t address = 0;
    if (name->kind == NAMES_GROUP) address = groups[name->number];
    if (name->kind == NAMES_SET) address = file->sets[name->number].address;
    put_name(bytes, name, order++, address);
  }
  hdf5_object_end(bytes, object);
}

// Puts all objects, the first of which has that address; returns that of the root.
static uint64_t put_objects(LinkedFile *file, Hdf5Bytes *bytes, uint64_t first)
{
  for (int i = 0; i < file->set_count; i++) {
    LinkedSet *set = &file->sets[i];
    if (set->kind == SET_VALUES) {
      set->address = first + bytes->count;
      const size_t width = hdf5_number_bytes(set->type);
      hdf5_bytes_values(bytes, set->values, bytes_of(set) / width, width);
    }
    const uint64_t address = first + bytes->count;
    put_set(bytes, set);
    set->address = address;
  }
  // a group is made after the one above it
  uint64_t *groups = arena_allocate_zero(&file->arena, (size_t)file->group_count, sizeof *groups);
  for (int group = file->group_count - 1; group >= 0; group--) {
    groups[group] = first + bytes->count;
    put_group(bytes, file, group, groups);
  }
  return groups[LINKED_ROOT];
}

static void write_count(const LinkedSet *set, DiskFile to, DiskStatus *status)
{
  enum { AT_ONCE = 1 << 16 };
  const int width = (int)hdf5_number_bytes(set->type);
  Hdf5Bytes bytes = {0};
  for (uint64_t i = 0, written = 0; i < set->size[0] && !status->failed;) {
    bytes.count = 0;
    for (const uint64_t end = i + AT_ONCE; i < end && i < set->size[0]; i++)
      hdf5_bytes_number(&bytes, i * (uint64_t)set->by, width);
    disk_write_at(to, bytes.at, bytes.count, set->address + written, status);
    written += bytes.count;
  }
  memory_free(bytes.at);
}

static void write_all(LinkedFile *file, DiskFile to)
{
  DiskStatus *status = file->status;
  uint64_t place = HDF5_SUPERBLOCK_BYTES;
  disk_write_at(to, file->links.at, file->links.count, place, status);
  place += file->links.count;
  for (int i = 0; i < file->set_count; i++) {
    LinkedSet *set = &file->sets[i];
    if (set->kind != SET_COUNT) continue;
    set->address = place;
    write_count(set, to, status);
    place += (bytes_of(set) + 7) & ~UINT64_C(7);
  }
  Hdf5Bytes objects = {0}, begin = {0};
  const uint64_t root = put_objects(file, &objects, place);
  disk_write_at(to, objects.at, objects.count, place, status);
  hdf5_bytes_superblock(&begin, root, place + objects.count);
  assert(begin.count == HDF5_SUPERBLOCK_BYTES && "the first bytes have their room");
  disk_write_at(to, begin.at, begin.count, 0, status);
  memory_free(begin.at);
  memory_free(objects.at);
}

void linked_file_end(LinkedFile *file)
{
  DiskStatus *status = file->status;
  end_collection(file);
  if (!status->failed) {
    char *temporary = disk_temporary(file->path);
    const int open = disk_open_new(temporary, status);
    if (!status->failed) write_all(file, (DiskFile){open, file->path});
    disk_close(open, file->path, status);
    disk_rename(temporary, file->path, status);
    if (status->failed) unlink(temporary);
    memory_free(temporary);
  }
  memory_free(file->links.at);
  memory_free(file->attributes);
  memory_free(file->sets);
  memory_free(file->names);
  memory_free(file->path);
  arena_destroy(&file->arena);
  *file = (LinkedFile){0};
}
