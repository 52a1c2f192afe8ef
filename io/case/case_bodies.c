// Reads the list of bodies of a case file: shapes, places, groups and their keys.
#include "case_bodies.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "case_materials.h"
#include "case_meshes.h"
#include "case_motion.h"
#include "case_shapes.h"
#include "case_stones.h"
#include "search.h"

#define COUNT_MAX 2147483647   // of anything that is counted by an int

// the keys that make a group, those of CASE_SHAPE_KEYS first
static const char *const group_keys[] = {"box",   "hull",   "convex",    "wedge", "voussoir",
                                         "parts", "sphere", "ellipsoid", "mesh",  "grid",
                                         "wall",  "arch",   "stones",    NULL};
enum { MESH_KEY = 8, FIRST_GENERATOR = 9 };
static const GroupKind generator_kinds[] = {GROUP_GRID, GROUP_WALL, GROUP_ARCH, GROUP_STONES};

static void read_grid(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"box",    "hull",      "convex", "wedge", "voussoir", "parts",
                                     "sphere", "ellipsoid", "mesh",   "count", "spacing",  NULL};
  const CaseNode *grid = case_value_mapping(reader, node, keys);
  const int choice = case_value_choice(reader, grid, CASE_SHAPE_KEYS);
  group->shape = case_read_shape(reader, grid, choice);
  case_value_counts(reader, case_value_require(reader, grid, "count"), 3, group->count);
  group->spacing = case_value_vector(reader, case_value_require(reader, grid, "spacing"),
                                     &CASE_VALUE_COORDINATE, (vec3){0});
}

static void read_wall(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"courses", "bricks", "brick", "joint", NULL};
  static const NumberRule joint = {0, 1e9, "a width from 0 to 1e9 m"};
  const CaseNode *wall = case_value_mapping(reader, node, keys);
  group->courses =
      (int)case_value_integer(reader, case_value_require(reader, wall, "courses"), 1, COUNT_MAX, 1);
  group->bricks =
      (int)case_value_integer(reader, case_value_require(reader, wall, "bricks"), 1, COUNT_MAX, 1);
  group->brick = case_value_vector(reader, case_value_require(reader, wall, "brick"),
                                   &CASE_VALUE_LENGTH, (vec3){0});
  group->joint = case_value_number(reader, case_tree_find(wall, "joint"), &joint, 0);
}

static void read_arch(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"voussoirs", "radius",   "thickness", "width",
                                     "embrace",   "supports", NULL};
  static const NumberRule degrees = {1e-6, 270, "an angle from 1e-6 to 270 degrees"};
  const CaseNode *arch = case_value_mapping(reader, node, keys);
  group->voussoirs =
      (int)case_value_integer(reader, case_value_require(reader, arch, "voussoirs"), 1, 1000000, 1);
  group->radius =
      case_value_number(reader, case_value_require(reader, arch, "radius"), &CASE_VALUE_LENGTH, 1);
  group->thickness = case_value_number(reader, case_value_require(reader, arch, "thickness"),
                                       &CASE_VALUE_LENGTH, 1);
  group->width =
      case_value_number(reader, case_value_require(reader, arch, "width"), &CASE_VALUE_LENGTH, 1);
  group->embrace = case_read_angle(reader, case_tree_find(arch, "embrace"), &degrees, 180);
  group->supports = case_value_flag(reader, case_tree_find(arch, "supports"), true);
}

// A fixed body does not move, whatever velocity it were given.
static vec3 read_rate(CaseReader *reader, const CaseNode *entry, const char *key, bool fixed)
{
  const CaseNode *node = case_tree_find(entry, key);
  if (node && fixed) case_tree_fail(reader, node, "a fixed body has no %s", key);
  return case_value_vector(reader, node, &CASE_VALUE_RATE, (vec3){0});
}

static double read_birth(CaseReader *reader, const CaseNode *node, const Case *c)
{
  assert(c->step > 0 && "the step is read before bodies");
  static const NumberRule birth = {0, 1e12, "a time from 0 to 1e12 s"};
  const double time = case_value_number(reader, node, &birth, 0);
  if (!reader->failed && time / c->step > CASE_MOST_STEPS)
    case_tree_fail(reader, node, "%g s are too many steps of %g s", time, c->step);
  return time;
}

// Whether the bodies of an entry deform.
static bool read_elastic(CaseReader *reader, const CaseNode *node, const Case *c,
                         const BodyGroup *group)
{
  if (!node || reader->failed) return false;
  char found[TREE_FOUND_BYTES];
  if (!case_value_is_word(node, "affine"))
    case_tree_fail(reader, node, "expected 'affine', found %s", case_tree_found(node, found));
  else if (group->fixed) case_tree_fail(reader, node, "a fixed body does not deform");
  else if (group->motion)
    case_tree_fail(reader, node, "a body with a prescribed motion does not deform");
  else if (!(c->materials[group->material].elastic.young > 0))
    case_tree_fail(reader, node, "the material '%s' has no 'young', in Pa",
                   c->materials[group->material].name);
  return !reader->failed;
}

static void read_group(CaseReader *reader, const CaseNode *node, const Case *c, BodyGroup *group)
{
  assert(group->kind == 0 && group->motion == NULL && "a group is read once");
  static const char *const keys[] = {
      "box",  "hull",     "convex", "wedge", "voussoir", "parts",  "sphere",  "ellipsoid",
      "mesh", "grid",     "wall",   "arch",  "stones",   "at",     "turn",    "velocity",
      "spin", "material", "fixed",  "name",  "birth",    "motion", "elastic", NULL};
  const CaseNode *entry = case_value_mapping(reader, node, keys);
  const int choice = case_value_choice(reader, entry, group_keys);
  if (choice < 0) return;

  group->line = case_tree_line(node);
  group->name = case_value_text(reader, case_tree_find(entry, "name"), "");
  group->fixed = case_value_flag(reader, case_tree_find(entry, "fixed"), false);
  group->at =
      case_value_vector(reader, case_tree_find(entry, "at"), &CASE_VALUE_COORDINATE, (vec3){0});
  group->turn = case_read_turn(reader, case_tree_find(entry, "turn"));
  group->velocity = read_rate(reader, entry, "velocity", group->fixed);
  group->spin = read_rate(reader, entry, "spin", group->fixed);
  group->motion = case_read_motion(reader, entry, c, group);
  group->birth = read_birth(reader, case_tree_find(entry, "birth"), c);
  group->material =
      case_read_material_name(reader, case_value_require(reader, entry, "material"), c);
  group->affine = read_elastic(reader, case_tree_find(entry, "elastic"), c, group);

  if (choice == MESH_KEY) {
    case_read_mesh_group(reader, case_tree_find(entry, "mesh"), group);
    return;
  }
  if (choice < FIRST_GENERATOR) {
    group->kind = GROUP_BODY;
    group->shape = case_read_shape(reader, entry, choice);
    return;
  }
  group->kind = generator_kinds[choice - FIRST_GENERATOR];
  const CaseNode *generator = case_tree_find(entry, group_keys[choice]);
  switch (group->kind) {
  case GROUP_GRID: read_grid(reader, generator, group); return;
  case GROUP_WALL: read_wall(reader, generator, group); return;
  case GROUP_STONES: case_read_stones(reader, generator, group); return;
  default: read_arch(reader, generator, group); return;
  }
}

void case_read_bodies(CaseReader *reader, Case *c)
{
  assert(c->groups == NULL && c->group_count == 0 && "bodies are read once");
  assert((reader->failed || c->material_count > 0) && "materials come before bodies");
  const CaseNode *node = case_value_require(reader, reader->root, "bodies");
  const CaseNode *list = case_value_list(reader, node, 1, "a list of at least one body");
  if (!list) return;
  c->group_count = list->count;
  c->groups = arena_allocate_zero(reader->arena, (size_t)list->count, sizeof(BodyGroup));
  for (int i = 0; i < list->count && !reader->failed; i++)
    read_group(reader, list->members[i], c, &c->groups[i]);
  for (int i = 0; i < c->group_count; i++) c->motion_count += c->groups[i].motion != NULL;
}

static int compare_names(const void *p, const void *q)
{
  const NamedBodies *a = p, *b = q;
  const int order = strcmp(a->name, b->name);
  return order != 0 ? order : (a->group > b->group) - (a->group < b->group);
}

BodyNames case_bodies_names(const Case *c, Arena *scratch)
{
  assert(c->group_count >= 0 && (c->groups != NULL || c->group_count == 0) && "bodies are read");
  BodyNames names = {0};
  names.entries = arena_allocate(scratch, ((size_t)c->group_count + 1) * sizeof *names.entries);
  for (int i = 0; i < c->group_count; i++)
    if (*c->groups[i].name) names.entries[names.count++] = (NamedBodies){c->groups[i].name, i};
  qsort(names.entries, (size_t)names.count, sizeof *names.entries, compare_names);
  return names;
}

const NamedBodies *case_bodies_find(const BodyNames *names, const char *name, int *count)
{
  assert(name != NULL && names->count >= 0 && "a name is looked for");
  const NamedBodies wanted = {name, -1};
  const int64_t low =
      search_rows(names->entries, names->count, sizeof wanted, &wanted, compare_names);
  *count = 0;
  while (low + *count < names->count && strcmp(names->entries[low + *count].name, name) == 0)
    ++*count;
  return names->entries + low;
}

void case_bodies_refuse_name(CaseReader *reader, const CaseNode *node, const char *name,
                             const Case *c)
{
  assert(c->group_count > 0 && "bodies are read before those who name them");
  const char **names =
      arena_allocate(&reader->scratch, ((size_t)c->group_count + 1) * sizeof *names);
  int count = 0;
  for (int i = 0; i < c->group_count; i++)
    if (*c->groups[i].name) names[count++] = c->groups[i].name;
  char found[TREE_FOUND_BYTES], list[256], meant[TREE_FOUND_BYTES] = "";
  const char *nearest = node->kind == NODE_SCALAR ? case_value_nearest(name, names, count) : NULL;
  case_value_join(names, count, list, sizeof list);
  if (nearest) case_tree_quote(nearest, meant, sizeof meant);
  case_tree_fail(reader, node,
                 "expected the name of an entry of 'bodies', found %s%s%s%s; names: %s",
                 case_tree_found(node, found), nearest ? " (did you mean '" : "", meant,
                 nearest ? "'?)" : "", count > 0 ? list : "none");
}
