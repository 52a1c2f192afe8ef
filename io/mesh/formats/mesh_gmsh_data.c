// The large sections of Gmsh files: entities, nodes, elements.
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "mesh_gmsh.h"

#include "check.h"
#include "mesh_hexa.h"
#include "search.h"

static const GmshElement ELEMENTS[] = {
    {1, 2, ELEMENT_SKIPPED, 0, "line"},        {2, 3, ELEMENT_FACE, 3, "triangle"},
    {3, 4, ELEMENT_FACE, 4, "quadrangle"},     {4, 4, ELEMENT_TETRA, 4, "tetrahedron"},
    {5, 8, ELEMENT_HEXA, 8, "hexahedron"},     {6, 6, ELEMENT_REFUSED, 6, "prisms"},
    {7, 5, ELEMENT_REFUSED, 5, "pyramids"},    {8, 3, ELEMENT_SKIPPED, 0, "line"},
    {9, 6, ELEMENT_FACE, 3, "triangle"},       {10, 9, ELEMENT_FACE, 4, "quadrangle"},
    {11, 10, ELEMENT_TETRA, 4, "tetrahedron"}, {12, 27, ELEMENT_HEXA, 8, "hexahedron"},
    {13, 18, ELEMENT_REFUSED, 6, "prisms"},    {14, 14, ELEMENT_REFUSED, 5, "pyramids"},
    {15, 1, ELEMENT_SKIPPED, 0, "point"},      {16, 8, ELEMENT_FACE, 4, "quadrangle"},
    {17, 20, ELEMENT_HEXA, 8, "hexahedron"},   {18, 15, ELEMENT_REFUSED, 6, "prisms"},
    {19, 13, ELEMENT_REFUSED, 5, "pyramids"},  {26, 4, ELEMENT_SKIPPED, 0, "line"},
    {27, 5, ELEMENT_SKIPPED, 0, "line"},       {28, 6, ELEMENT_SKIPPED, 0, "line"},
};

// The kind of an element type; NULL with a message for those that are not read.
static const GmshElement *find_element(MeshScan *scan, int64_t type)
{
  for (size_t i = 0; i < sizeof ELEMENTS / sizeof ELEMENTS[0]; i++) {
    if (ELEMENTS[i].type != type) continue;
    if (ELEMENTS[i].role != ELEMENT_REFUSED) return &ELEMENTS[i];
    mesh_scan_fail(scan, "%s are not read; save tetrahedra or hexahedra, or the surface alone",
                   ELEMENTS[i].name);
    return NULL;
  }
  mesh_scan_fail(scan,
                 "elements of type %lld are not read; save triangles, quadrangles, "
                 "tetrahedra or hexahedra of first or second order",
                 (long long)type);
  return NULL;
}

// -------------------------------------------------------------------------------------------------
// Entities

// A counted list of whole numbers; the first one or 0.
static bool read_tags(GmshReader *reader, int64_t *first)
{
  int64_t count, tag;
  if (first) *first = 0;
  if (!mesh_gmsh_read_size(reader, "a number of tags", &count)) return false;
  for (int64_t i = 0; i < count; i++) {
    if (!mesh_gmsh_read_int(reader, "a tag", &tag)) return false;
    if (i == 0 && first) *first = tag;
  }
  return true;
}

// One entity; those of a partition also say what they are part of.
static bool read_entity(GmshReader *reader, int dimension, bool partitioned)
{
  assert(dimension >= 0 && dimension <= 3 && "entities have up to three dimensions");
  GmshEntry entity = {.dimension = dimension, .order = reader->entities.count};
  int64_t parent_dimension;
  if (!mesh_gmsh_read_int(reader, "the tag of an entity", &entity.tag)) return false;
  entity.parent = entity.tag;
  if (partitioned) {
    if (!mesh_gmsh_read_int(reader, "a dimension", &parent_dimension) ||
        !mesh_gmsh_read_int(reader, "the tag of an entity", &entity.parent) ||
        !read_tags(reader, NULL))
      return false;
    if (parent_dimension != dimension) entity.parent = entity.tag;
  }
  if (!mesh_gmsh_skip_doubles(reader, dimension == 0 ? 3 : 6) ||
      !read_tags(reader, &entity.physical) || (dimension > 0 && !read_tags(reader, NULL)))
    return false;
  if (dimension >= 2) *(GmshEntry *)mesh_list_add(&reader->entities, sizeof entity) = entity;
  return true;
}

bool mesh_gmsh_read_entities(GmshReader *reader, bool partitioned)
{
  assert(reader->new_format && "files of 2.2 have no entities");
  int64_t counts[4], ghosts, ignored;
  if (partitioned) {
    if (!mesh_gmsh_read_size(reader, "a number of partitions", &ignored) ||
        !mesh_gmsh_read_size(reader, "a number of ghost entities", &ghosts))
      return false;
    for (int64_t i = 0; i < ghosts; i++)
      if (!mesh_gmsh_read_int(reader, "a ghost entity", &ignored) ||
          !mesh_gmsh_read_int(reader, "a partition", &ignored))
        return false;
  }
  for (int d = 0; d < 4; d++)
    if (!mesh_gmsh_read_size(reader, "a number of entities", &counts[d])) return false;
  for (int d = 0; d < 4; d++)
    for (int64_t i = 0; i < counts[d]; i++)
      if (!read_entity(reader, d, partitioned)) return false;
  return true;
}

// -------------------------------------------------------------------------------------------------
// Nodes

static void add_node(GmshReader *reader, int64_t tag)
{
  assert_debug((reader->nodes.count == reader->draft->points.count || reader->new_format) &&
               "a node's point comes next");
  const GmshNode node = {tag, reader->nodes.count};
  *(GmshNode *)mesh_list_add(&reader->nodes, sizeof node) = node;
}

static bool read_place(GmshReader *reader)
{
  vec3 point;
  return mesh_gmsh_read_double(reader, "x of a node", &point.x) &&
         mesh_gmsh_read_double(reader, "y of a node", &point.y) &&
         mesh_gmsh_read_double(reader, "z of a node", &point.z) &&
         mesh_draft_point(reader->draft, &reader->scan, point);
}

// 2.2: number and place of each node.
static bool read_old_nodes(GmshReader *reader)
{
  int64_t count, tag;
  if (!mesh_gmsh_read_count_line(reader, "a number of nodes", &count)) return false;
  for (int64_t i = 0; i < count; i++) {
    if (!mesh_gmsh_read_int(reader, "the number of a node", &tag)) return false;
    add_node(reader, tag);
    if (!read_place(reader)) return false;
  }
  return true;
}

// 4.1: entity blocks of numbers, then of places; nodes with parameters have as many as dimensions.
static bool read_node_block(GmshReader *reader)
{
  int64_t dimension, entity, parametric, count, tag;
  if (!mesh_gmsh_read_int(reader, "a dimension", &dimension) ||
      !mesh_gmsh_read_int(reader, "the tag of an entity", &entity) ||
      !mesh_gmsh_read_int(reader, "0 or 1 for parameters", &parametric) ||
      !mesh_gmsh_read_size(reader, "a number of nodes", &count))
    return false;
  if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1)
    return mesh_scan_fail(&reader->scan,
                          "nodes of dimension %lld and parameters %lld, expected 0 to 3 and 0 or 1",
                          (long long)dimension, (long long)parametric);
  for (int64_t i = 0; i < count; i++) {
    if (!mesh_gmsh_read_size(reader, "the number of a node", &tag)) return false;
    add_node(reader, tag);
  }
  for (int64_t i = 0; i < count; i++)
    if (!read_place(reader) || (parametric && !mesh_gmsh_skip_doubles(reader, dimension)))
      return false;
  return true;
}

// 4.1: heads of the sections of nodes and of elements.
static bool read_head(GmshReader *reader, int64_t *entity_blocks, int64_t *count)
{
  int64_t ignored;
  return mesh_gmsh_read_size(reader, "a number of blocks", entity_blocks) &&
         mesh_gmsh_read_size(reader, "a number of rows", count) &&
         mesh_gmsh_read_size(reader, "the least tag", &ignored) &&
         mesh_gmsh_read_size(reader, "the largest tag", &ignored);
}

static bool demand_rows(GmshReader *reader, const char *what, int64_t found, int64_t expected)
{
  assert(found >= 0 && "rows are counted");
  return found == expected ||
         mesh_scan_fail(&reader->scan, "%lld %s, and the section announces %lld", (long long)found,
                        what, (long long)expected);
}

static bool read_new_nodes(GmshReader *reader)
{
  int64_t entity_blocks, count;
  if (!read_head(reader, &entity_blocks, &count)) return false;
  for (int64_t i = 0; i < entity_blocks; i++)
    if (!read_node_block(reader)) return false;
  return demand_rows(reader, "nodes", reader->nodes.count, count);
}

static int compare_nodes(const void *a, const void *b)
{
  const GmshNode *p = a, *q = b;
  if (p->tag != q->tag) return p->tag < q->tag ? -1 : 1;
  return (p->row > q->row) - (p->row < q->row);
}

bool mesh_gmsh_read_nodes(GmshReader *reader)
{
  assert(reader->has_nodes && reader->nodes.count == 0 && "nodes are read once");
  if (!(reader->new_format ? read_new_nodes(reader) : read_old_nodes(reader))) return false;
  GmshNode *nodes = reader->nodes.rows;
  const int64_t count = reader->nodes.count;
  bool sorted = true;
  for (int64_t i = 1; i < count && sorted; i++) sorted = nodes[i - 1].tag < nodes[i].tag;
  if (!sorted) qsort(nodes, (size_t)count, sizeof *nodes, compare_nodes);
  for (int64_t i = 1; i < count && !sorted; i++)
    if (nodes[i - 1].tag == nodes[i].tag)
      return mesh_scan_fail(&reader->scan, "two nodes have the number %lld",
                            (long long)nodes[i].tag);
  return true;
}

// The row of a node's point; -1 for a number that no node has.
static int64_t find_node(const GmshReader *reader, int64_t tag)
{
  const GmshNode *nodes = reader->nodes.rows;
  const int64_t count = reader->nodes.count;
  if (count == 0 || tag < nodes[0].tag || tag > nodes[count - 1].tag) return -1;

  // numbers without gaps are where they must be
  const uint64_t guess = (uint64_t)tag - (uint64_t)nodes[0].tag;
  if (guess < (uint64_t)count && nodes[guess].tag == tag) return nodes[guess].row;

  const GmshNode wanted = {.tag = tag, .row = -1};
  const int64_t at = search_rows(nodes, count, sizeof *nodes, &wanted, compare_nodes);
  return nodes[at].tag == tag ? nodes[at].row : -1;
}

// -------------------------------------------------------------------------------------------------
// Elements

// Does a cell go with those that came before it?
static bool demand_one_kind(GmshReader *reader, const GmshElement *element)
{
  assert(element->corners <= HEXA_CORNERS && "cells have eight corners at most");
  const MeshDraft *draft = reader->draft;
  const bool tetra = element->role == ELEMENT_TETRA && draft->hexa.count > 0;
  const bool hexa =
      element->role == ELEMENT_HEXA && draft->hexa.count == 0 && draft->tetra.count > 0;
  return !(tetra || hexa) ||
         mesh_scan_fail(
             &reader->scan,
             "tetrahedra and hexahedra in one file are not read; save cells of one kind");
}

// A cell from rows of points in the order of the file. Gmsh goes round the lower side of a
// hexahedron, then round the upper one.
static bool add_cell(GmshReader *reader, const GmshElement *element, const int64_t *rows,
                     int64_t key)
{
  static const int of_gmsh[HEXA_CORNERS] = {0, 1, 3, 2, 4, 5, 7, 6};
  if (element->role == ELEMENT_TETRA)
    return mesh_draft_tetra(reader->draft, &reader->scan, rows, key);
  if (element->role != ELEMENT_HEXA) return true;
  int64_t corners[HEXA_CORNERS];
  for (int c = 0; c < HEXA_CORNERS; c++) corners[c] = rows[of_gmsh[c]];
  return mesh_draft_hexa(reader->draft, &reader->scan, corners, key);
}

// The nodes of one element, of which the corners are kept.
static bool read_element_nodes(GmshReader *reader, const GmshElement *element, int64_t key)
{
  assert_debug(element->role != ELEMENT_REFUSED && "elements that are not read were refused");
  assert_debug(element->corners <= element->nodes && "corners are the first of the nodes");
  MeshScan *scan = &reader->scan;
  int64_t rows[HEXA_CORNERS] = {0};
  if (element->role == ELEMENT_FACE && !mesh_draft_face(reader->draft, scan, key)) return false;
  if (!demand_one_kind(reader, element)) return false;
  for (int i = 0; i < element->nodes; i++) {
    int64_t tag;
    const bool sound = reader->new_format
                           ? mesh_gmsh_read_size(reader, "a node of an element", &tag)
                           : mesh_gmsh_read_int(reader, "a node of an element", &tag);
    if (!sound) return false;
    if (i >= element->corners) continue;
    const int64_t row = find_node(reader, tag);
    if (row < 0)
      return mesh_scan_fail(scan, "a %s names node %lld, and there is none of that number",
                            element->name, (long long)tag);
    rows[i] = row;
    if (element->role == ELEMENT_FACE && !mesh_draft_corner(reader->draft, scan, row)) return false;
  }
  return add_cell(reader, element, rows, key);
}

// 2.2: the tags of an element are its group, its entity, and its partitions.
static bool read_old_tags(GmshReader *reader, int64_t count, int64_t *key)
{
  assert(count >= 0 && "tags are counted");
  int64_t group = 0, entity = 0, tag;
  for (int64_t i = 0; i < count; i++) {
    if (!mesh_gmsh_read_int(reader, "a tag of an element", &tag)) return false;
    if (i == 0) group = tag;
    if (i == 1) entity = tag;
  }
  *key = group != 0 ? 2 * llabs(group) + 1 : 2 * entity;
  return true;
}

// 2.2, text: number, type, number of tags, tags, nodes. Binary: type, how many follow and number of
// tags are written once for several elements.
static bool read_old_elements(GmshReader *reader)
{
  MeshScan *scan = &reader->scan;
  int64_t count, number, type, tags, follow = 1, key;
  if (!mesh_gmsh_read_count_line(reader, "a number of elements", &count)) return false;
  for (int64_t done = 0; done < count; done += follow) {
    const bool head = scan->binary
                          ? mesh_gmsh_read_int(reader, "the type of elements", &type) &&
                                mesh_gmsh_read_int(reader, "a number of elements", &follow)
                          : mesh_gmsh_read_int(reader, "the number of an element", &number) &&
                                mesh_gmsh_read_int(reader, "the type of an element", &type);
    if (!head || !mesh_gmsh_read_int(reader, "a number of tags", &tags)) return false;
    if (follow < 1 || follow > count - done || tags < 0)
      return mesh_scan_fail(scan, "%lld elements with %lld tags follow, and %lld are left",
                            (long long)follow, (long long)tags, (long long)(count - done));
    const GmshElement *element = find_element(scan, type);
    for (int64_t i = 0; i < follow; i++)
      if (!element ||
          (scan->binary && !mesh_gmsh_read_int(reader, "the number of an element", &number)) ||
          !read_old_tags(reader, tags, &key) || !read_element_nodes(reader, element, key))
        return false;
  }
  return true;
}

// 4.1: entity blocks of one entity and type.
static bool read_element_block(GmshReader *reader, int64_t *total)
{
  int64_t dimension, entity, type, count, tag;
  if (!mesh_gmsh_read_int(reader, "a dimension", &dimension) ||
      !mesh_gmsh_read_int(reader, "the tag of an entity", &entity) ||
      !mesh_gmsh_read_int(reader, "the type of elements", &type) ||
      !mesh_gmsh_read_size(reader, "a number of elements", &count))
    return false;
  const GmshElement *element = find_element(&reader->scan, type);
  if (!element) return false;
  for (int64_t i = 0; i < count; i++)
    if (!mesh_gmsh_read_size(reader, "the number of an element", &tag) ||
        !read_element_nodes(reader, element, 2 * entity))
      return false;
  *total += count;
  return true;
}

static bool read_new_elements(GmshReader *reader)
{
  int64_t entity_blocks, count, total = 0;
  if (!read_head(reader, &entity_blocks, &count)) return false;
  for (int64_t i = 0; i < entity_blocks; i++)
    if (!read_element_block(reader, &total)) return false;
  return demand_rows(reader, "elements", total, count);
}

bool mesh_gmsh_read_elements(GmshReader *reader)
{
  assert(reader->has_nodes && reader->has_elements && "nodes come before elements");
  return reader->new_format ? read_new_elements(reader) : read_old_elements(reader);
}
