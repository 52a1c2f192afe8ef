// Reads walls in bond: leaves, ties, ends, and openings under lintels or arches.
#include <stdio.h>
#include <string.h>

#include "case_measures.h"
#include "case_structures.h"
#include "wall_structure.h"

#define MOST_OPENINGS 1000

bool case_structures_takes_wall(const CaseNode *wall)
{
  // what each key is where a wall is no more than a single leaf in running bond
  static const char *const plain[][2] = {
      {"bond", "running"}, {"leaves", "1"}, {"ends", "straight"}, {"ties", ""}, {"openings", ""}};
  for (int k = 0; k < 5; k++) {
    const CaseNode *node = case_tree_find(wall, plain[k][0]);
    if (node && !case_value_is_word(node, plain[k][1])) return true;
  }
  return false;
}

// One word for both ends, or one for each.
static void read_ends(CaseReader *reader, const CaseNode *node, bool toothed[2])
{
  static const char *const words[] = {"straight", "toothed", NULL};
  if (node && node->kind == NODE_LIST && node->count != 2) {
    case_tree_fail(reader, node, "expected a word, or [LEFT, RIGHT]");
    return;
  }
  for (int end = 0; end < 2; end++) {
    const CaseNode *word = node && node->kind == NODE_LIST ? node->members[end] : node;
    toothed[end] = case_measures_word(reader, word, words, 0) == 1;
  }
}

static void read_ties(CaseReader *reader, const CaseNode *node, WallMeasures *wall)
{
  static const char *const keys[] = {"courses", "bricks", NULL};
  const CaseNode *ties = case_value_mapping(reader, node, keys);
  if (!ties) return;
  wall->tie_courses = case_measures_count(reader, ties, "courses");
  wall->tie_bricks = case_measures_count(reader, ties, "bricks");
}

static const CaseNode *read_pair(CaseReader *reader, const CaseNode *opening, const char *key,
                                 double pair[2])
{
  const CaseNode *node = case_value_require(reader, opening, key);
  const bool at = strcmp(key, "at") == 0;
  if (node)
    case_value_numbers(reader, node, at ? &CASE_VALUE_COORDINATE : &CASE_VALUE_LENGTH, 2, pair);
  return node;
}

// A lintel of a brick's height on half a brick at each end, where the opening says nothing.
static void read_head(CaseReader *reader, const CaseNode *opening, const WallMeasures *wall,
                      WallOpening *o)
{
  static const char *const lintel_keys[] = {"height", "bearing", NULL};
  static const char *const arch_keys[] = {"rise", "thickness", "n", "voussoirs", "form", NULL};
  const CaseNode *lintel = case_tree_find(opening, "lintel");
  const CaseNode *arch = case_tree_find(opening, "arch");
  if (lintel && arch) case_tree_fail_key(reader, arch, "the opening has a lintel already");
  if (arch) {
    o->head = OPENING_ARCH;
    o->ring = case_measures_ring(reader, case_value_mapping(reader, arch, arch_keys), o->width);
    return;
  }
  const double top = wall->courses * wall->brick.z;
  o->head = OPENING_LINTEL;
  if (!lintel && o->z + o->height >= top - 1e-9 * wall->brick.x) o->head = OPENING_BARE;
  const CaseNode *keys = case_value_mapping(reader, lintel, lintel_keys);
  o->lintel_height =
      case_value_number(reader, case_tree_find(keys, "height"), &CASE_VALUE_LENGTH, wall->brick.z);
  o->bearing = case_value_number(reader, case_tree_find(keys, "bearing"), &CASE_VALUE_LENGTH,
                                 0.5 * wall->brick.x);
}

static const char *read_name(CaseReader *reader, const CaseNode *node, int number,
                             const WallOpening *before)
{
  char text[32];
  snprintf(text, sizeof text, "opening_%d", number);
  const size_t bytes = strlen(text) + 1;
  const char *name = case_value_text(reader, node, "");
  if (!reader->failed && strlen(name) > 200) case_tree_fail(reader, node, "at most 200 letters");
  if (!*name) name = memcpy(arena_allocate(reader->arena, bytes), text, bytes);
  for (int i = 0; i < number && !reader->failed; i++)
    if (strcmp(before[i].name, name) == 0)
      case_tree_fail(reader, node, "opening %d has the same name", i);
  return name;
}

static void read_openings(CaseReader *reader, const CaseNode *node, WallMeasures *wall)
{
  static const char *const keys[] = {"at", "size", "lintel", "arch", "name", NULL};
  const CaseNode *list = case_value_list(reader, node, 1, "a list of at least one opening");
  if (!list) return;
  if (list->count > MOST_OPENINGS) {
    case_tree_fail(reader, list, "expected at most %d openings, found %d", MOST_OPENINGS,
                   list->count);
    return;
  }
  WallOpening *openings = arena_allocate_zero(reader->arena, (size_t)list->count, sizeof *openings);
  for (int i = 0; i < list->count && !reader->failed; i++) {
    const CaseNode *opening = case_value_mapping(reader, list->members[i], keys);
    double at[2] = {0, 0}, size[2] = {1, 1};
    read_pair(reader, opening, "at", at);
    read_pair(reader, opening, "size", size);
    WallOpening *o = &openings[i];
    *o = (WallOpening){.x = at[0], .z = at[1], .width = size[0], .height = size[1]};
    read_head(reader, opening, wall, o);
    o->name = read_name(reader, case_tree_find(opening, "name"), i, openings);
  }
  wall->opening_count = list->count;
  wall->openings = openings;
}

void case_structures_wall(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"courses", "bricks", "brick", "joint",    "bond",
                                     "leaves",  "ties",   "ends",  "openings", NULL};
  static const char *const bonds[] = {"running", "stack", "english", "flemish", NULL};
  static const NumberRule joint = {0, 1e9, "a width from 0 to 1e9 m"};
  const CaseNode *wall = case_value_mapping(reader, node, keys);
  WallMeasures m = {
      .bond = (WallBond)case_measures_word(reader, case_tree_find(wall, "bond"), bonds, 0),
      .courses = case_measures_count(reader, wall, "courses"),
      .bricks = case_measures_count(reader, wall, "bricks"),
      .brick = case_value_vector(reader, case_value_require(reader, wall, "brick"),
                                 &CASE_VALUE_LENGTH, (vec3){1, 1, 1}),
      .joint = case_value_number(reader, case_tree_find(wall, "joint"), &joint, 0)};
  const bool headers = m.bond == WALL_ENGLISH || m.bond == WALL_FLEMISH;
  m.leaves =
      (int)case_value_integer(reader, case_tree_find(wall, "leaves"), 1, 1000, headers ? 2 : 1);
  read_ends(reader, case_tree_find(wall, "ends"), m.toothed);
  read_ties(reader, case_tree_find(wall, "ties"), &m);
  if (reader->failed || !wall) return;
  const CaseNode *openings = case_tree_find(wall, "openings");
  if (openings) read_openings(reader, openings, &m);
  if (reader->failed) return;
  const WallFault at = wall_structure_check(&m);
  if (at.fault.reason) {
    case_measures_refuse(reader, at.opening < 0 ? wall : openings->members[at.opening], at.fault);
    return;
  }
  const Structure structure = wall_structure_make(&m, reader->arena);
  case_measures_take(&structure, group);
}
