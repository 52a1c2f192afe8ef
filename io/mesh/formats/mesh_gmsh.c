// Gmsh 2.2 and 4.1, text and binary: the sections of the file, and mesh blocks from groups and
// entities.
#include "mesh_gmsh.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "search.h"

// -------------------------------------------------------------------------------------------------
// Sections of the file

// "2.2 0 8"; binary files then have the number 1 in their byte order.
static bool read_format(GmshReader *reader)
{
  assert(reader->tag_bytes == 0 && "a file has one format");
  MeshScan *scan = &reader->scan;
  int64_t kind, bytes;
  const MeshWord version = mesh_scan_word(scan);
  reader->new_format = mesh_word_is(version, "4.1");
  if (!reader->new_format && !mesh_word_is(version, "2.2"))
    return mesh_scan_expected(scan, "version 2.2 or 4.1", version);
  if (!mesh_scan_integer(scan, "a kind of file", 0, 1, &kind) ||
      !mesh_scan_integer(scan, "a size of numbers", 4, 8, &bytes))
    return false;
  if (bytes != 8 && (bytes != 4 || !reader->new_format))
    return mesh_scan_fail(scan, "numbers of %lld bytes are not read", (long long)bytes);
  reader->tag_bytes = reader->new_format ? (int)bytes : 4;
  if (kind == 0) return mesh_scan_is_text(scan);

  mesh_scan_skip_line(scan);
  scan->binary = true;
  if (!mesh_scan_has(scan, 4, "the mark of the byte order")) return false;
  const int64_t little = mesh_scan_signed(scan, 4);
  scan->at -= 4;
  scan->big_endian = true;
  const int64_t big = mesh_scan_signed(scan, 4);
  scan->big_endian = little != 1;
  return little == 1 || big == 1 ||
         mesh_scan_fail(scan, "expected the number 1 in one of the byte orders, found %lld",
                        (long long)little);
}

// Names in quotes, as text also in binary files.
static bool read_names(GmshReader *reader)
{
  MeshScan *scan = &reader->scan;
  int64_t count;
  if (!mesh_scan_integer(scan, "a number of names", 0, INT_MAX, &count)) return false;
  for (int64_t i = 0; i < count; i++) {
    GmshEntry group = {.order = i};
    if (!mesh_scan_integer(scan, "a dimension", 0, 3, &group.dimension) ||
        !mesh_scan_integer(scan, "the number of a group", INT_MIN, INT_MAX, &group.tag))
      return false;
    group.name = mesh_scan_rest(scan);
    const size_t length = group.name.length;
    if (length < 2 || group.name.begin[0] != '"' || group.name.begin[length - 1] != '"')
      return mesh_scan_expected(scan, "a name in quotes", group.name);
    group.name = (MeshWord){group.name.begin + 1, length - 2};
    *(GmshEntry *)mesh_list_add(&reader->groups, sizeof group) = group;
  }
  return true;
}

// To the end mark of a section that is not needed, which stays unread.
static bool skip_section(MeshScan *scan, const char *end_mark)
{
  assert(end_mark[0] == '$' && "a section has an end mark");
  const size_t length = strlen(end_mark);
  mesh_scan_skip_line(scan);
  while (mesh_scan_left(scan) > 0) {
    const char *found = memmem(scan->at, mesh_scan_left(scan), end_mark, length);
    if (!found) break;
    while (scan->at < found) mesh_scan_skip_line(scan);
    if (scan->at == found) return true;
  }
  return mesh_scan_fail(scan, "the file ends before %s", end_mark);
}

static bool read_section(GmshReader *reader, MeshWord name, const char *end_mark)
{
  assert(name.length > 0 && "a section has a name");
  MeshScan *scan = &reader->scan;
  char quote[MESH_QUOTE_BYTES];
  if (reader->tag_bytes == 0) {
    if (mesh_word_is(name, "$Comments")) return skip_section(scan, end_mark);
    return mesh_word_is(name, "$MeshFormat") ? read_format(reader)
                                             : mesh_scan_expected(scan, "$MeshFormat", name);
  }
  const bool entities = mesh_word_is(name, "$Entities");
  const bool partitioned = mesh_word_is(name, "$PartitionedEntities");
  const bool nodes = mesh_word_is(name, "$Nodes"), elements = mesh_word_is(name, "$Elements");
  if (mesh_word_is(name, "$MeshFormat") || (nodes && reader->has_nodes) ||
      (elements && reader->has_elements))
    return mesh_scan_fail(scan, "a second section %s", mesh_word_quote(scan, name, quote));
  if (mesh_word_is(name, "$PhysicalNames")) return read_names(reader);
  if (mesh_word_is(name, "$ParametricNodes"))
    return mesh_scan_fail(scan, "nodes with parameters are read from version 4.1 alone");
  if (!(nodes || elements || (reader->new_format && (entities || partitioned))))
    return skip_section(scan, end_mark);

  if (scan->binary) mesh_scan_skip_line(scan);
  reader->has_nodes = reader->has_nodes || nodes;
  reader->has_elements = reader->has_elements || elements;
  if (elements && !reader->has_nodes) return mesh_scan_fail(scan, "$Elements before $Nodes");
  return nodes      ? mesh_gmsh_read_nodes(reader)
         : elements ? mesh_gmsh_read_elements(reader)
                    : mesh_gmsh_read_entities(reader, partitioned);
}

// A dollar sign and letters, few enough for the end mark.
static bool is_section_name(MeshWord name)
{
  assert(name.length > 0 && "a section has a name");
  bool sound = name.begin[0] == '$' && name.length > 1 && name.length + 4 <= MESH_QUOTE_BYTES;
  for (size_t i = 1; i < name.length && sound; i++) {
    const char c = name.begin[i];
    sound = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
  return sound;
}

static bool read_sections(GmshReader *reader)
{
  MeshScan *scan = &reader->scan;
  mesh_scan_skip_mark(scan);
  scan->across_lines = true;
  MeshWord name;
  while ((name = mesh_scan_word(scan)).length > 0) {
    char end_mark[MESH_QUOTE_BYTES];
    if (!is_section_name(name)) return mesh_scan_expected(scan, "a section like $Nodes", name);
    snprintf(end_mark, sizeof end_mark, "$End%.*s", (int)name.length - 1, name.begin + 1);
    if (!read_section(reader, name, end_mark)) return false;
    const MeshWord end = mesh_scan_word(scan);
    if (!mesh_word_is(end, end_mark)) return mesh_scan_expected(scan, end_mark, end);
  }
  return reader->has_elements || mesh_scan_fail(scan, "no section $Elements");
}

// -------------------------------------------------------------------------------------------------
// Mesh blocks

static int compare_entries(const void *a, const void *b)
{
  const GmshEntry *p = a, *q = b;
  if (p->dimension != q->dimension) return p->dimension < q->dimension ? -1 : 1;
  if (p->tag != q->tag) return p->tag < q->tag ? -1 : 1;
  return (p->order > q->order) - (p->order < q->order);
}

static void sort_entries(const MeshList *entries)
{
  if (entries->count > 0)
    qsort(entries->rows, (size_t)entries->count, sizeof(GmshEntry), compare_entries);
}

// The first entry of that dimension and tag in a sorted list, NULL for none.
static const GmshEntry *find_entry(const MeshList *entries, int64_t dimension, int64_t tag)
{
  assert(dimension >= 0 && dimension <= 3 && "entities have up to three dimensions");
  const GmshEntry wanted = {.dimension = dimension, .tag = tag, .order = -1};
  const GmshEntry *rows = entries->rows;
  const int64_t at = search_rows(rows, entries->count, sizeof *rows, &wanted, compare_entries);
  const bool found = at < entries->count && rows[at].dimension == dimension && rows[at].tag == tag;
  return found ? &rows[at] : NULL;
}

// Keys are 2 tag for an entity, 2 tag + 1 for a group. Files of 4.1 name entities alone at their
// elements; this puts the groups in their place.
static void apply_groups(const GmshReader *reader, int64_t *keys, int64_t count, int dimension)
{
  assert(reader->new_format && count >= 0 && "files of 4.1 name entities at their elements");
  int64_t last = 0, last_key = 0;
  for (int64_t i = 0; i < count; i++) {
    if (i == 0 || keys[i] != last) {
      last = keys[i];
      const GmshEntry *entity = find_entry(&reader->entities, dimension, last / 2);
      last_key = !entity                 ? last
                 : entity->physical != 0 ? 2 * llabs(entity->physical) + 1
                                         : 2 * entity->parent;
    }
    keys[i] = last_key;
  }
}

static const char *mesh_block_name(const GmshReader *reader, int64_t key, int dimension,
                                   Arena *arena)
{
  assert((dimension == 2 || dimension == 3) && "a mesh block is a surface or a volume");
  const bool is_group = key % 2 != 0;
  const int64_t tag = is_group ? (key - 1) / 2 : key / 2;
  const GmshEntry *group = is_group ? find_entry(&reader->groups, dimension, tag) : NULL;
  if (group && group->name.length > 0) return mesh_word_name(group->name, arena);
  enum { NAME_BYTES = 40 };
  char *name = arena_allocate(arena, NAME_BYTES);
  const char *kind = is_group ? "group" : dimension == 3 ? "volume" : "surface";
  snprintf(name, NAME_BYTES, "%s %lld", kind, (long long)tag);
  return name;
}

static void finish(GmshReader *reader, MeshReading *reading)
{
  assert(reader->has_nodes && reader->has_elements && "a sound file has nodes and elements");
  MeshDraft *draft = reader->draft;
  const int dimension = draft->tetra.count > 0 ? 3 : 2;
  sort_entries(&reader->entities);
  sort_entries(&reader->groups);
  if (reader->new_format && dimension == 3)
    apply_groups(reader, draft->tetra_key.rows, draft->tetra_key.count, dimension);
  else if (reader->new_format)
    apply_groups(reader, draft->face_key.rows, draft->face_key.count, dimension);
  const int64_t *keys = mesh_draft_finish(reading);
  for (int i = 0; i < reading->soup->mesh_block_count; i++)
    reading->soup->mesh_block_names[i] =
        mesh_block_name(reader, keys[i], dimension, reading->arena);
}

bool mesh_gmsh_read(MeshReading *reading)
{
  assert(reading->file_count >= 1 && reading->files[0].bytes != NULL && "a mesh has a file");
  GmshReader reader = {.scan = mesh_scan_new(&reading->files[0], reading->error),
                       .draft = &reading->draft};
  const bool sound = read_sections(&reader);
  if (sound) finish(&reader, reading);
  memory_free(reader.groups.rows);
  memory_free(reader.entities.rows);
  memory_free(reader.nodes.rows);
  mesh_scan_destroy(&reader.scan);
  return sound;
}
