// Reads how bodies deform, and makes their finite elements.
#include "case_elastic.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "crc32c.h"
#include "elastic_cells.h"
#include "finite_blocks.h"
#include "mesh_list.h"
#include "parallel.h"

#define MESSAGE_BYTES 1024

// ------------------------------------------------------------------------------------------------
// Reading.

// Three counts, or the word 'file'.
static void read_cells(CaseReader *reader, const CaseNode *cells, ElasticMesh *mesh)
{
  char found[TREE_FOUND_BYTES];
  mesh->of_file = case_value_is_word(cells, "file");
  if (mesh->of_file) return;
  if (cells->kind == NODE_SCALAR)
    case_tree_fail(reader, cells, "expected [nx, ny, nz] or 'file', found %s",
                   case_tree_found(cells, found));
  if (!reader->failed) case_value_counts(reader, cells, 3, mesh->cells);
  for (int a = 0; a < 3 && !reader->failed; a++)
    if (mesh->cells[a] > ELASTIC_MOST_CELLS)
      case_tree_fail(reader, cells, "more than %d cells along an axis", ELASTIC_MOST_CELLS);
}

// The bit of a side of cells; -1: the word means none.
static int side_of(const CaseNode *node)
{
  static const char *const words[] = {"-x", "+x", "-y", "+y", "-z", "+z", NULL};
  int side = 0;
  while (words[side] && !case_value_is_word(node, words[side])) side++;
  return words[side] ? side : -1;
}

// Sides whose nodes go with the frame of the body: one, or a list.
static void read_held(CaseReader *reader, const CaseNode *node, ElasticMesh *mesh)
{
  const bool many = node->kind == NODE_LIST;
  const CaseNode *list =
      many ? case_value_list(reader, node, 1, "a list of at least one side") : node;
  for (int i = 0; list && i < (many ? list->count : 1) && !reader->failed; i++) {
    char found[TREE_FOUND_BYTES];
    const CaseNode *side = many ? list->members[i] : node;
    const int bit = side_of(side);
    if (bit < 0)
      case_tree_fail(reader, side, "expected a side of the cells, -x +x -y +y -z or +z, found %s",
                     case_tree_found(side, found));
    else mesh->held |= 1u << bit;
  }
  for (int a = 0; a < 3 && !reader->failed; a++) {
    const unsigned sides = mesh->held >> (2 * a) & 3;
    if (sides == 3 && mesh->cells[a] == 1)
      case_tree_fail(reader, node, "both sides of one layer of cells: no node is left to move");
  }
}

// Pieces of bodies with many nodes, and their strengths.
static BodyCuts read_cuts(CaseReader *reader, const CaseNode *mapping, const ElasticMesh *mesh)
{
  static const NumberRule strength = {0, 1e15, "a strength from 0 to 1e15 Pa"};
  static const char *const keys[] = {"cohesion", "tensile_strength", NULL};
  const CaseNode *most = case_tree_find(mapping, "most_nodes"),
                 *weld = case_tree_find(mapping, "weld");
  BodyCuts cuts = {.cohesion = INFINITY, .tensile_strength = INFINITY, .asked = most != NULL};
  const int nodes =
      (int)case_value_integer(reader, most, FINITE_HEXAHEDRON, 1000000, ELASTIC_MOST_NODES);
  cuts.most_nodes = mesh->of_file ? nodes : 0;
  if (most && mesh->cells[0] == 0 && !mesh->of_file)
    case_tree_fail(reader, most,
                   "bodies of hexahedra alone are cut into pieces: of {cells: [nx, ny, nz]} or of "
                   "{cells: file}");
  else if (most && mesh->held) case_tree_fail(reader, most, "a foundation is not cut into pieces");
  if (!reader->failed && mesh->cells[0] > 0 && !mesh->held && elastic_nodes(mesh) > nodes)
    finite_blocks_count(mesh->cells, nodes, cuts.blocks);
  if (!weld || reader->failed) return cuts;
  const CaseNode *strengths = case_value_mapping(reader, weld, keys);
  cuts.cohesion = case_value_number(reader, case_value_require(reader, strengths, keys[0]),
                                    &strength, INFINITY);
  cuts.tensile_strength = case_value_number(reader, case_value_require(reader, strengths, keys[1]),
                                            &strength, INFINITY);
  if (!reader->failed && cuts.blocks[0] == 0 && !mesh->of_file)
    case_tree_fail(reader, weld,
                   "its %d nodes are one piece, and nothing is welded: lower 'most_nodes'",
                   mesh->cells[0] > 0 ? elastic_nodes(mesh) : 0);
  return cuts;
}

// The finite elements of {cells: ..., held: [-z]} or {size: s}.
static ElasticMesh read_mesh(CaseReader *reader, const CaseNode *node, BodyCuts *cuts)
{
  static const char *const keys[] = {"cells", "size", "held", "most_nodes", "weld", NULL},
                           *const kinds[] = {"cells", "size", NULL};
  static const NumberRule size = {1e-9, 1e9, "a length of cells from 1e-9 to 1e9 m"};
  ElasticMesh mesh = {.size = 0};
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  const int choice = reader->failed ? -1 : case_value_choice(reader, mapping, kinds);
  if (choice == 0) read_cells(reader, case_tree_find(mapping, "cells"), &mesh);
  if (choice == 1) mesh.size = case_value_number(reader, case_tree_find(mapping, "size"), &size, 0);
  const CaseNode *held = reader->failed ? NULL : case_tree_find(mapping, "held");
  if (held && mesh.cells[0] == 0)
    case_tree_fail(reader, held, "faces are held of {cells: [nx, ny, nz]} alone");
  else if (held) read_held(reader, held, &mesh);
  if (!reader->failed) *cuts = read_cuts(reader, mapping, &mesh);
  return mesh;
}

void case_elastic_read(CaseReader *reader, const CaseNode *node, const Case *c, BodyGroup *group)
{
  assert(group->material >= 0 && "the material is known");
  group->affine = false;
  group->finite = (ElasticMesh){.size = 0};
  group->cuts = (BodyCuts){.asked = false};
  if (!node || reader->failed) return;
  char found[TREE_FOUND_BYTES];
  if (node->kind == NODE_MAPPING) group->finite = read_mesh(reader, node, &group->cuts);
  else if (case_value_is_word(node, "affine")) group->affine = true;
  else
    case_tree_fail(reader, node,
                   "expected 'affine', {cells: [nx, ny, nz]}, {cells: file} or {size: s}, found %s",
                   case_tree_found(node, found));
  if (reader->failed) return;
  const bool held = group->finite.held != 0;
  static const char *const way = "unless faces of it are held: {cells: [4, 4, 2], held: [-z]}";
  if (group->fixed && !held) case_tree_fail(reader, node, "a fixed body does not deform, %s", way);
  else if (group->motion && !held)
    case_tree_fail(reader, node, "a body with a prescribed motion does not deform, %s", way);
  else if (group->guide)
    case_tree_fail(reader, node, "a body with a prescribed motion does not deform");
  else if (held && !group->fixed && !group->motion)
    case_tree_fail(reader, node, "'held' is for a body that is fixed or has a 'motion'");
  else if (!(c->materials[group->material].elastic.young > 0))
    case_tree_fail(reader, node, "the material '%s' has no 'young', in Pa",
                   c->materials[group->material].name);
}

// What pieces of a body of a file have, or why it has none.
void case_elastic_demand_pieces(CaseReader *reader, const CaseNode *node, const BodyGroup *group)
{
  if (reader->failed || !group->finite.of_file || !group->cells) return;
  const CaseNode *elastic = case_tree_find(node, "elastic"),
                 *most = case_tree_find(elastic, "most_nodes"),
                 *weld = case_tree_find(elastic, "weld"), *asked = weld ? weld : most;
  if (!asked) return;
  const FiniteMesh *cells = group->cells;
  if (case_tree_find(node, "where"))
    case_tree_fail(reader, asked, "bodies of an entry with 'where' stay whole");
  else if (cells->corners == FINITE_TETRAHEDRON)
    case_tree_fail(reader, asked,
                   "bodies of hexahedra alone are cut into pieces, and the file has tetrahedra");
  else if (weld && !group_is_cut(group))
    case_tree_fail(reader, weld,
                   "its %d nodes are one piece, and nothing is welded: lower 'most_nodes'",
                   cells->nodes);
}

static bool asks_for_file(const CaseNode *keys)
{
  const CaseNode *elastic = case_tree_find(keys, "elastic");
  return elastic && elastic->kind == NODE_MAPPING &&
         case_value_is_word(case_tree_find(elastic, "cells"), "file");
}

bool case_elastic_of_file(const CaseNode *node)
{
  assert(node != NULL && "a node of an entry");
  const CaseNode *entry = node->parent;
  if (!entry || entry->kind != NODE_MAPPING) return false;
  bool asks = asks_for_file(entry);
  const CaseNode *where = case_tree_find(entry, "where");
  for (int i = 0; where && where->kind == NODE_LIST && i < where->count && !asks; i++)
    asks = where->members[i]->kind == NODE_MAPPING && asks_for_file(where->members[i]);
  return asks;
}

void case_elastic_demand(CaseReader *reader, const CaseNode *node, const BodyGroup *group)
{
  assert((node != NULL || !group->finite.of_file || reader->failed) && "a key asks for cells");
  if (reader->failed || !group->finite.of_file || group->cells) return;
  if (strcmp(group->maker, "mesh") == 0)
    case_tree_fail(reader, node,
                   "the mesh has faces alone: expected tetrahedra or hexahedra in it, or {size: s} "
                   "in the place of {cells: file}");
  else
    case_tree_fail(reader, node,
                   "cells of a file go with 'mesh', not with '%s': expected {size: s} or {cells: "
                   "[nx, ny, nz]}",
                   group->maker);
}

// ------------------------------------------------------------------------------------------------
// What they do not go with.

// A phrase; NULL: nothing of the case.
static const char *cells_contradict(const Case *c)
{
  if (c->contact.model == CONTACT_MODEL_LMD)
    return "they know 'contact.model' patch and volumetric alone";
  return NULL;
}

// Writes a message about the cells of a group. Always false.
static bool refuse(const Case *c, const BodyGroup *group, const char *reason, const char *remedy,
                   ErrorText error)
{
  assert(elastic_mesh_is(&group->finite) && "the group has cells");
  char name[64];
  case_tree_quote(group->name, name, sizeof name);
  snprintf(error.text, error.bytes, "%s:%d: body%s%s%s: elastic.%s: %s%s", c->path, group->line,
           *name ? " '" : "", name, *name ? "'" : "", group->finite.size > 0 ? "size" : "cells",
           reason, remedy);
  return false;
}

bool case_elastic_check(const Case *c, const BodyGroup *group, const Shape *shape, ErrorText error)
{
  assert(error.bytes > 0 && "a message has room");
  const ElasticMesh *mesh = &group->finite;
  if (!elastic_mesh_is(mesh)) return true;
  const char *fault = elastic_mesh_fault(shape, mesh);
  if (!fault) fault = cells_contradict(c);
  if (fault) return refuse(c, group, fault, "; leave them out or use 'elastic: affine'", error);
  char reason[256];
  if (!(mesh->size > 0) || elastic_size_fits(shape, mesh->size, (ErrorText){reason, sizeof reason}))
    return true;
  return refuse(c, group, reason, "", error);
}

// ------------------------------------------------------------------------------------------------
// Making.

// The cells of a shape on this rank (finite_mesh_destroy); false with a message.
static bool make_cells(const Case *c, const BodyGroup *group, int shape, FiniteMesh *mesh,
                       ErrorText error)
{
  assert(shape >= group->first_shape && shape < group->first_shape + group->shape_count &&
         "a shape of the group");
  char reason[MESSAGE_BYTES - 256] = "";
  const ErrorText why = {reason, sizeof reason};
  Arena scratch = arena_new();
  Shape built;
  const ShapeResult result = shape_build(&c->shapes[shape], &scratch, &built);
  assert(result.status == SHAPE_OK && "the shapes were checked");
  (void)result;
  bool made = true;
  const double bulge = c->elastic_meshes[shape].bulge;
  if (group->finite.of_file)
    *mesh = finite_mesh_copy(&group->cells[shape - group->first_shape], built.center);
  else made = elastic_cells_make(&built, group->finite.size, mesh, why);
  bool sound = made && elastic_mesh_fits(mesh, &built, bulge, why);
  if (made && !sound) finite_mesh_destroy(mesh);
  arena_destroy(&scratch);
  return sound || refuse(c, group, reason, "", error);
}

// Collective. The mesh of rank 0 on all ranks, in the arena.
static const FiniteMesh *share(FiniteMesh *mesh, Arena *arena)
{
  assert((par_rank() != 0 || mesh->cells > 0) && "rank 0 has a mesh");
  int counts[3] = {mesh->nodes, mesh->cells, mesh->corners};
  par_broadcast(counts, sizeof counts, 0);
  const size_t nodes = (size_t)counts[0], corners = (size_t)counts[1] * (size_t)counts[2];
  FiniteMesh *shared = arena_allocate(arena, sizeof *shared);
  *shared = (FiniteMesh){.nodes = counts[0],
                         .cells = counts[1],
                         .corners = counts[2],
                         .place = arena_allocate(arena, nodes * sizeof(vec3)),
                         .corner = arena_allocate(arena, corners * sizeof(int))};
  if (par_rank() == 0) {
    memcpy(shared->place, mesh->place, nodes * sizeof(vec3));
    memcpy(shared->corner, mesh->corner, corners * sizeof(int));
    finite_mesh_destroy(mesh);
  }
  par_broadcast(shared->place, nodes * sizeof(vec3), 0);
  par_broadcast(shared->corner, corners * sizeof(int), 0);
  return shared;
}

// A line of the list of meshes: other cells are no state of this case's nodes.
static void add_line(Case *c, const BodyGroup *group, uint32_t sum)
{
  static const char path[] = "cells of elastic.size";
  char key[48];
  const int length = snprintf(key, sizeof key, "bodies.%d.elastic", group->entry);
  const MeshLine line = {sum, sum, length, (int)sizeof path - 1, key, path};
  const size_t before = strlen(c->meshes), bytes = mesh_list_print(&line, NULL, 0) + 1;
  char *text = arena_allocate(c->arena, before + bytes);
  memcpy(text, c->meshes, before);
  mesh_list_print(&line, text + before, bytes);
  c->meshes = text;
}

bool case_elastic_make(Case *c, ErrorText error)
{
  assert(c->arena != NULL && c->meshes != NULL && "the case was prepared");
  assert(error.text != NULL && error.bytes > 0 && "a message has room");
  bool sound = true;
  for (int i = 0; c->elastic_meshes && i < c->group_count && sound; i++) {
    const BodyGroup *group = &c->groups[i];
    if (!(group->finite.size > 0) && !group->finite.of_file) continue;
    uint32_t sum = 0;
    const int end = group->first_shape + group->shape_count;
    for (int s = group->first_shape; s < end && sound; s++) {
      ElasticMesh *of = &c->elastic_meshes[s];
      FiniteMesh mesh = {0};
      if (!of->made && par_rank() == 0) sound = make_cells(c, group, s, &mesh, error);
      par_broadcast(&sound, sizeof sound, 0);
      if (!sound) break;
      if (!of->made) of->made = share(&mesh, c->arena);
      sum = crc32c(sum, of->made->place, (size_t)of->made->nodes * sizeof(vec3));
      sum = crc32c(sum, of->made->corner,
                   (size_t)of->made->cells * (size_t)of->made->corners * sizeof(int));
    }
    if (sound && group->finite.size > 0 && (group->part == 0 || !(group[-1].finite.size > 0)))
      add_line(c, group, sum);
  }
  if (!sound) par_broadcast(error.text, error.bytes, 0);
  for (int k = 0; k < c->stage_count; k++) c->stages[k].meshes = c->meshes;
  return sound;
}
