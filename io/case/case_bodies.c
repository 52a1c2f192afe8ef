// Reads the list of bodies of a case file: shapes, places, groups and their keys.
#include "case_bodies.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_container.h"
#include "case_elastic.h"
#include "case_fill.h"
#include "case_guide.h"
#include "case_marks.h"
#include "case_materials.h"
#include "case_meshes.h"
#include "case_motion.h"
#include "case_rubble.h"
#include "case_shapes.h"
#include "case_stones.h"
#include "case_structures.h"
#include "case_where.h"
#include "random.h"
#include "recipe.h"

#define COUNT_MAX 2147483647   // of anything that is counted by an int

// places in CASE_MAKERS
enum {
  MESH_KEY = 10,
  COMPAS_KEY = 11,
  CONTAINER_KEY = 12,
  FIRST_GENERATOR = 13,
  FIRST_STRUCTURE = 18,
  STRUCTURES = 3
};
static const GroupKind generator_kinds[] = {GROUP_GRID, GROUP_WALL, GROUP_ARCH, GROUP_STONES,
                                            GROUP_RUBBLE};
typedef void StructureReader(CaseReader *, const CaseNode *, BodyGroup *);
static StructureReader *const structure_readers[] = {case_structures_vault, case_structures_dome,
                                                     case_structures_column};

static void read_grid(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"box",   "hull",  "convex",  "wedge",     "voussoir",
                                     "prism", "parts", "sphere",  "ellipsoid", "pipe",
                                     "mesh",  "count", "spacing", NULL};
  const CaseNode *grid = case_value_mapping(reader, node, keys);
  const int choice = case_value_choice(reader, grid, CASE_SHAPE_KEYS);
  group->shape = case_read_shape(reader, grid, choice);
  case_value_counts(reader, case_value_require(reader, grid, "count"), 3, group->count);
  group->spacing = case_value_vector(reader, case_value_require(reader, grid, "spacing"),
                                     &CASE_VALUE_COORDINATE, (vec3){0});
}

static void read_wall(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"courses", "bricks", "brick", "joint",
                                     "bond",    "leaves", "ends",  NULL};
  if (case_structures_takes_wall(node)) {
    case_structures_wall(reader, node, group);
    return;
  }
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
  if (case_structures_takes_arch(node)) {
    case_structures_arch(reader, node, group);
    return;
  }
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
  group->embrace = case_value_angle(reader, case_tree_find(arch, "embrace"), &degrees, 180);
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

// Keys that the bodies of an entry, or of a part of it, have in common.
static void read_keys(CaseReader *reader, const CaseNode *keys, const Case *c, BodyGroup *group)
{
  assert(group->motion == NULL && group->guide == NULL && "keys are read once");
  const bool held = group->container && !case_tree_find(keys, "motion");
  group->fixed = case_value_flag(reader, case_tree_find(keys, "fixed"), held);
  group->velocity = read_rate(reader, keys, "velocity", group->fixed);
  group->spin = read_rate(reader, keys, "spin", group->fixed);
  if (case_guide_takes(keys)) case_guide_read(reader, keys, c, group);
  else group->motion = case_read_motion(reader, keys, c, group);
  group->birth = read_birth(reader, case_tree_find(keys, "birth"), c);
  group->material =
      case_read_material_name(reader, case_value_require(reader, keys, "material"), c);
  case_elastic_read(reader, case_tree_find(keys, "elastic"), c, group);
}

static void read_generator(CaseReader *reader, const CaseNode *entry, int choice, BodyGroup *group)
{
  assert(choice >= 0 && group->kind == 0 && "an entry has one generator");
  if (choice == MESH_KEY) {
    case_read_mesh_group(reader, case_tree_find(entry, "mesh"), group);
    return;
  }
  if (choice == COMPAS_KEY) {
    case_read_compas_group(reader, case_tree_find(entry, "compas"), group);
    return;
  }
  if (choice < FIRST_GENERATOR) {
    group->kind = GROUP_BODY;
    group->shape = group->container
                       ? case_read_container(reader, case_tree_find(entry, "container"))
                       : case_read_shape(reader, entry, choice);
    return;
  }
  const CaseNode *generator = case_tree_find(entry, CASE_MAKERS[choice]);
  if (choice >= FIRST_STRUCTURE) {
    group->kind = GROUP_STRUCTURE;
    structure_readers[choice - FIRST_STRUCTURE](reader, generator, group);
    return;
  }
  group->kind = generator_kinds[choice - FIRST_GENERATOR];
  switch (group->kind) {
  case GROUP_GRID: read_grid(reader, generator, group); return;
  case GROUP_WALL: read_wall(reader, generator, group); return;
  case GROUP_STONES: case_read_stones(reader, generator, group); return;
  case GROUP_RUBBLE: group->rubble = case_read_rubble(reader, generator); return;
  default: read_arch(reader, generator, group); return;
  }
}

static BodyGroup read_entry(CaseReader *reader, const CaseNode *node, const Case *c)
{
  static const char *const others[] = {"at",   "turn",  "velocity", "spin",    "material", "fixed",
                                       "name", "birth", "motion",   "elastic", "where"};
  enum { OTHERS = sizeof others / sizeof *others };
  const char *keys[FIRST_STRUCTURE + STRUCTURES + OTHERS + 1] = {0};
  for (int i = 0; i < FIRST_STRUCTURE + STRUCTURES; i++) keys[i] = CASE_MAKERS[i];
  for (int i = 0; i < OTHERS; i++) keys[FIRST_STRUCTURE + STRUCTURES + i] = others[i];
  BodyGroup group = {0};
  const CaseNode *entry = case_value_mapping(reader, node, keys);
  const int choice = case_value_choice(reader, entry, CASE_MAKERS);
  if (choice < 0) return group;
  group.line = case_tree_line(node);
  group.maker = CASE_MAKERS[choice];
  group.container = choice == CONTAINER_KEY;
  group.name = case_value_text(reader, case_tree_find(entry, "name"), "");
  group.at =
      case_value_vector(reader, case_tree_find(entry, "at"), &CASE_VALUE_COORDINATE, (vec3){0});
  group.turn = case_read_turn(reader, case_tree_find(entry, "turn"));
  read_keys(reader, entry, c, &group);
  read_generator(reader, entry, choice, &group);
  case_elastic_demand(reader, case_tree_find(entry, "elastic"), &group);
  return group;
}

// Pieces have numbers, and bodies that are told apart stay whole.
static void settle_cuts(CaseReader *reader, const CaseNode *node, BodyGroup *entry)
{
  case_elastic_demand_pieces(reader, node, entry);
  if (!group_is_cut(entry)) return;
  const bool apart = case_tree_find(node, "where") || entry->member_fixed;
  if (apart && entry->cuts.asked)
    case_tree_fail(reader, case_tree_find(node, "elastic"),
                   "'most_nodes' does not go with 'where', nor with supports");
  if (apart) entry->cuts = (BodyCuts){.asked = false};
  else entry->member_names = NULL;
}

// The groups of an entry: one, or its parts.
static void add_entry(CaseReader *reader, const CaseNode *node, const EntrySetting *setting,
                      Case *c, int *capacity)
{
  assert(c->group_count <= *capacity && "groups lie in their room");
  BodyGroup entry = read_entry(reader, node, c);
  if (reader->failed) return;
  // the number of its bodies is known when they are packed
  if (entry.kind == GROUP_FILL)
    case_fill_pack(reader, node, &entry, random_stream(c->seed, (uint64_t)setting->number));
  if (!reader->failed) settle_cuts(reader, node, &entry);
  if (reader->failed) return;
  const EntryParts parts = case_where_read(reader, node, &entry, setting);
  if (reader->failed) return;
  const int count = parts.count > 0 ? parts.count : 1;
  c->groups = arena_grow(reader->arena, c->groups, (int64_t)c->group_count + count, capacity,
                         sizeof *c->groups);
  for (int i = 0; i < count && !reader->failed; i++) {
    BodyGroup *group = &c->groups[c->group_count++];
    *group = entry;
    if (parts.count == 0) continue;
    group->part_count = count;
    group->part = i;
    group->part_begin = parts.parts[i].begin;
    group->part_end = parts.parts[i].end;
    group->motion = NULL;
    group->guide = NULL;
    read_keys(reader, parts.parts[i].keys, c, group);
    case_elastic_demand(reader, case_tree_find(parts.parts[i].keys, "elastic"), group);
  }
}

void case_read_bodies(CaseReader *reader, Case *c)
{
  assert(c->groups == NULL && c->group_count == 0 && "bodies are read once");
  assert((reader->failed || c->material_count > 0) && "materials come before bodies");
  const CaseNode *node = case_value_require(reader, reader->root, "bodies");
  const CaseNode *list = case_value_list(reader, node, 1, "a list of at least one body");
  if (!list) return;
  int capacity = 0;
  for (int i = 0; i < list->count && !reader->failed; i++) {
    const EntrySetting setting = {c, i};
    add_entry(reader, list->members[i], &setting, c, &capacity);
  }
  for (int i = 0; i < c->group_count; i++) c->motion_count += c->groups[i].motion != NULL;
  for (int i = 0; i < c->group_count; i++) c->guide_count += c->groups[i].guide != NULL;
  c->motion_count += c->base.given && !c->base.is_frame;
}

double case_least_extent(const Case *c, const BodyGroup *group)
{
  assert(group->shape_count > 0 && "a group has a shape");
  double least = INFINITY;
  for (int s = group->first_shape; s < group->first_shape + group->shape_count; s++) {
    vec3 low, high;
    recipe_bounds(&c->shapes[s], &low, &high);
    const vec3 sides = vec3_sub(high, low);
    least = smaller_of(least, larger_of(sides.x, larger_of(sides.y, sides.z)));
  }
  return least;
}
