// Parts an entry of the list of bodies by names, patterns, numbers and boxes.
#include "case_where.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_members.h"
#include "group.h"
#include "member_index.h"
#include "random.h"
#include "search.h"
#include "shape.h"

#define MOST_PARTED 10000000   // bodies of an entry that are told apart
#define MOST_PARTS 100000      // of an entry
#define SHOWN_NAMES 12         // in a message

static const char *const item_keys[] = {"match",    "number", "box",      "leave",
                                        "material", "fixed",  "velocity", "spin",
                                        "birth",    "motion", "elastic",  NULL};
static const char *const choices[] = {"match", "number", "box", NULL};

// Keys that count for some bodies of the entry, on top of others.
typedef struct {
  int below;   // layer; -1: none
  const CaseNode *keys;
} Layer;

// An entry while it is parted.
typedef struct {
  CaseReader *reader;
  const CaseNode *entry;
  const BodyGroup *group;
  const EntrySetting *setting;
  uint64_t bodies;
  int *layer;   // [bodies] the topmost one of each
  int count, capacity;
  Layer *layers;       // [count] 0: the keys of the entry
  vec3 *centers;       // [bodies] m, world axes; NULL until a box asks for them
  MemberIndex index;   // of no group until a name asks for it
} Parting;

// -- keys -----------------------------------------------------------------------------------------

static bool is_drive(const char *key)
{
  static const char *const keys[] = {"fixed", "velocity", "spin", "motion", "elastic", NULL};
  int k = 0;
  while (keys[k] && strcmp(keys[k], key) != 0) k++;
  return keys[k] != NULL;
}

// What counts of a key, from the topmost layer down. A body that a layer holds or moves has no
// velocity, motion or elasticity of the layers below it, unless one between frees it.
static const CaseNode *find_key(const Parting *p, int layer, const char *key)
{
  assert(layer >= 0 && layer < p->count && "a body has a layer");
  bool freed = false;
  for (int at = layer; at >= 0; at = p->layers[at].below) {
    const CaseNode *keys = p->layers[at].keys, *node = case_tree_find(keys, key);
    const CaseNode *fixed = case_tree_find(keys, "fixed");
    if (node) return freed && strcmp(key, "motion") == 0 ? NULL : node;
    if (!is_drive(key)) continue;
    if (fixed && !case_value_is_word(fixed, "true")) freed = true;
    const bool motion = case_tree_find(keys, "motion") != NULL;
    if (!freed && (motion || (fixed && strcmp(key, "fixed") != 0))) return NULL;
  }
  return NULL;
}

// The keys of a layer in one mapping, whose members stay where the file has them.
static const CaseNode *merge(const Parting *p, int layer)
{
  if (layer == 0) return p->entry;
  static const char *const keys[] = {"material", "fixed",  "velocity", "spin",
                                     "birth",    "motion", "elastic",  NULL};
  Arena *arena = &p->reader->scratch;
  CaseNode *merged = arena_allocate(arena, sizeof *merged);
  *merged = *p->entry;
  merged->members = arena_allocate(arena, sizeof keys);
  merged->count = 0;
  for (int k = 0; keys[k]; k++) {
    const CaseNode *node = find_key(p, layer, keys[k]);
    if (node) merged->members[merged->count++] = (CaseNode *)node;
  }
  return merged;
}

// -- layers ---------------------------------------------------------------------------------------

// Puts keys on top of every body that is marked; bodies of one layer stay together.
static void cover(Parting *p, const bool *marked, const CaseNode *keys)
{
  assert(keys != NULL && p->count > 0 && "a layer lies on others");
  Arena *arena = &p->reader->scratch;
  const int before = p->count;
  int *above = arena_allocate(arena, (size_t)before * sizeof *above);
  for (int i = 0; i < before; i++) above[i] = -1;
  for (uint64_t b = 0; b < p->bodies; b++) {
    if (!marked[b]) continue;
    const int below = p->layer[b];
    if (above[below] < 0) {
      p->layers =
          arena_grow(arena, p->layers, (int64_t)p->count + 1, &p->capacity, sizeof *p->layers);
      p->layers[p->count] = (Layer){below, keys};
      above[below] = p->count++;
    }
    p->layer[b] = above[below];
  }
}

// A mapping that no file has: {fixed: true}, or nothing.
static const CaseNode *plain_keys(const Parting *p, bool fixed)
{
  Arena *arena = &p->reader->scratch;
  CaseNode *mapping = arena_allocate(arena, sizeof *mapping);
  CaseNode *flag = arena_allocate(arena, sizeof *flag);
  *mapping = *p->entry;
  *flag = (CaseNode){.kind = NODE_SCALAR,
                     .plain = true,
                     .text = "true",
                     .key = "fixed",
                     .line = p->entry->line,
                     .column = p->entry->column,
                     .parent = (CaseNode *)p->entry};
  mapping->count = fixed;
  mapping->members = arena_allocate(arena, sizeof(CaseNode *));
  mapping->members[0] = flag;
  return mapping;
}

// -- what an item means ---------------------------------------------------------------------------

static void refuse_name(const Parting *p, const CaseNode *node)
{
  CaseReader *reader = p->reader;
  const char *names[SHOWN_NAMES + 1];
  char rooms[SHOWN_NAMES][MEMBER_LABEL_BYTES], list[256], quoted[TREE_FOUND_BYTES];
  const int shown = p->bodies < SHOWN_NAMES ? (int)p->bodies : SHOWN_NAMES;
  for (int i = 0; i < shown; i++) names[i] = case_member_label(p->group, (uint64_t)i, rooms[i]);
  case_value_join(names, shown, list, sizeof list);
  case_tree_quote(node->text, quoted, sizeof quoted);
  case_tree_fail(reader, node,
                 "no body of this entry is called '%s'; it has %" PRIu64
                 ", %s%s; patterns have * and "
                 "?, and bodies without names go by their numbers from 0",
                 quoted, p->bodies, list, p->bodies > (uint64_t)shown ? ", ..." : "");
}

static void mark_name(Parting *p, const CaseNode *node, bool *marked)
{
  char found[TREE_FOUND_BYTES];
  if (node->kind != NODE_SCALAR) {
    case_tree_fail(p->reader, node, "expected a name or a pattern, found %s",
                   case_tree_found(node, found));
    return;
  }
  bool any = false;
  if (strpbrk(node->text, "*?") == NULL) {
    if (!p->index.group) p->index = member_index_new(p->group, p->bodies, &p->reader->scratch);
    if (!member_index_mark(&p->index, node->text, marked)) refuse_name(p, node);
    return;
  }
  for (uint64_t b = 0; b < p->bodies; b++) {
    char room[MEMBER_LABEL_BYTES];
    if (!case_member_fits(case_member_label(p->group, b, room), node->text)) continue;
    marked[b] = any = true;
  }
  if (!any) refuse_name(p, node);
}

static void mark_names(Parting *p, const CaseNode *node, bool *marked)
{
  if (node->kind != NODE_LIST) {
    mark_name(p, node, marked);
    return;
  }
  const CaseNode *list = case_value_list(p->reader, node, 1, "a name, a pattern or a list of them");
  for (int i = 0; list && i < list->count && !p->reader->failed; i++)
    mark_name(p, list->members[i], marked);
}

// A number, or the first and the last of several.
static void mark_numbers(Parting *p, const CaseNode *node, bool *marked)
{
  CaseReader *reader = p->reader;
  const bool range = node->kind == NODE_LIST;
  char found[TREE_FOUND_BYTES];
  if (range && node->count != 2) {
    case_tree_fail(reader, node, "expected a number, or [FIRST, LAST], found %s",
                   case_tree_found(node, found));
    return;
  }
  int64_t ends[2];
  for (int i = 0; i < 2; i++)
    ends[i] =
        case_value_integer(reader, range ? node->members[i] : node, 0, (int64_t)p->bodies - 1, 0);
  if (reader->failed) return;
  if (ends[1] < ends[0])
    case_tree_fail(reader, node, "the last number, %" PRId64 ", is before the first, %" PRId64,
                   ends[1], ends[0]);
  for (int64_t b = ends[0]; b <= ends[1] && !reader->failed; b++) marked[b] = true;
}

// Centres of mass of all bodies as they appear; false where the generator is refused later.
static bool find_centers(Parting *p, const CaseNode *node)
{
  CaseReader *reader = p->reader;
  Arena *arena = &reader->scratch;
  BodyGroup group = *p->group;
  Stones stones = group.stones ? *group.stones : (Stones){0};
  if (group.stones) group.stones = &stones;
  group.body_count = p->bodies;
  const Case *c = p->setting->c;
  const GroupSetting setting = {
      .stream = random_stream(c->seed, (uint64_t)p->setting->number), .step = c->step, .c = c};
  ShapeRecipe *recipes;
  const char *reason = group_check(&group);
  if (!reason) reason = group_prepare(&group, &setting, arena, &recipes, &group.shape_count);
  if (reason) {
    case_tree_fail(reader, p->entry, "%s", reason);
    return false;
  }
  vec3 *middles = arena_allocate(arena, (size_t)group.shape_count * sizeof *middles);
  for (int i = 0; i < group.shape_count; i++) {
    const ArenaMark mark = arena_mark(arena);
    Shape shape;
    const ShapeResult result = shape_build(&recipes[i], arena, &shape);
    char text[256];
    shape_result_text(result, text, sizeof text);
    if (result.status != SHAPE_OK) case_tree_fail(reader, node, "shape %d: %s", i + 1, text);
    if (reader->failed) return false;
    middles[i] = shape.center;
    arena_release(arena, mark);
  }
  p->centers = arena_allocate(arena, (size_t)p->bodies * sizeof(vec3));
  const mat3 turn = quat_to_mat3(group.turn);
  for (uint64_t b = 0; b < p->bodies; b++) {
    const GroupBody body = group_body(&group, b);
    const vec3 arm = mat3_mul(quat_to_mat3(body.turn), middles[body.shape]);
    p->centers[b] = vec3_add(group.at, mat3_mul(turn, vec3_add(body.origin, arm)));
  }
  return true;
}

static void mark_box(Parting *p, const CaseNode *node, bool *marked)
{
  CaseReader *reader = p->reader;
  char found[TREE_FOUND_BYTES];
  if (node->kind != NODE_LIST || node->count != 2) {
    case_tree_fail(reader, node,
                   "expected [[x, y, z], [x, y, z]], the low and the high corner, "
                   "found %s",
                   case_tree_found(node, found));
    return;
  }
  vec3 corners[2];
  for (int i = 0; i < 2; i++)
    corners[i] = case_value_vector(reader, node->members[i], &CASE_VALUE_COORDINATE, (vec3){0});
  const vec3 low = corners[0], high = corners[1];
  if (!reader->failed && !(low.x <= high.x && low.y <= high.y && low.z <= high.z))
    case_tree_fail(reader, node, "the high corner is below the low one");
  if (reader->failed || (!p->centers && !find_centers(p, node))) return;
  bool any = false;
  for (uint64_t b = 0; b < p->bodies; b++) {
    const vec3 q = p->centers[b];
    const bool inside = q.x >= low.x && q.x <= high.x && q.y >= low.y && q.y <= high.y &&
                        q.z >= low.z && q.z <= high.z;
    if (inside) marked[b] = any = true;
  }
  if (!any) case_tree_fail(reader, node, "no body of this entry has its centre of mass in the box");
}

static void read_item(Parting *p, const CaseNode *node)
{
  CaseReader *reader = p->reader;
  const CaseNode *item = case_value_mapping(reader, node, item_keys);
  const int choice = case_value_choice(reader, item, choices);
  if (choice < 0) return;
  const CaseNode *leave = case_tree_find(item, "leave");
  const bool left = case_value_flag(reader, leave, false);
  if (reader->failed) return;
  if (item->count == 1)
    case_tree_fail(reader, item, "expected a key for these bodies, or 'leave: true'");
  else if (left && item->count > 2)
    case_tree_fail(reader, leave, "bodies that are left out have no other keys");
  if (reader->failed) return;
  bool *marked = arena_allocate_zero(&reader->scratch, (size_t)p->bodies, sizeof *marked);
  const CaseNode *which = case_tree_find(item, choices[choice]);
  if (choice == 0) mark_names(p, which, marked);
  else if (choice == 1) mark_numbers(p, which, marked);
  else mark_box(p, which, marked);
  if (!reader->failed) cover(p, marked, item);
}

// -- loads on single bodies -----------------------------------------------------------------------

static int compare_texts(const void *p, const void *q)
{
  return strcmp(*(const char *const *)p, *(const char *const *)q);
}

LoadedMembers case_where_loaded(CaseReader *reader)
{
  const CaseNode *loads = case_tree_find(reader->root, "loads");
  LoadedMembers loaded = {0};
  if (!loads || loads->kind != NODE_LIST) return loaded;
  loaded.texts =
      arena_allocate(&reader->scratch, ((size_t)loads->count + 1) * sizeof *loaded.texts);
  for (int i = 0; i < loads->count; i++) {
    const CaseNode *load = loads->members[i];
    const CaseNode *on = load->kind == NODE_MAPPING ? case_tree_find(load, "on") : NULL;
    if (on && on->kind == NODE_SCALAR && strchr(on->text, '.'))
      loaded.texts[loaded.count++] = on->text;
  }
  qsort(loaded.texts, (size_t)loaded.count, sizeof *loaded.texts, compare_texts);
  return loaded;
}

// The first of the texts that begin with the name of the entry and a dot; *count of them.
static const char **loaded_members(CaseReader *reader, const LoadedMembers *loaded,
                                   const char *entry, int *count)
{
  assert(entry != NULL && "an entry has a name, be it empty");
  *count = 0;
  if (!*entry || loaded->count == 0) return NULL;
  const size_t length = strlen(entry) + 1;
  char *begin = arena_allocate(&reader->scratch, length + 1);
  memcpy(begin, entry, length - 1);
  memcpy(begin + length - 1, ".", 2);
  const int64_t first =
      search_rows(loaded->texts, loaded->count, sizeof *loaded->texts, &begin, compare_texts);
  while (first + *count < loaded->count &&
         strncmp(loaded->texts[first + *count], begin, length) == 0)
    ++*count;
  return loaded->texts + first;
}

// Every body that a load names gets a layer of its own, without keys.
static void isolate(Parting *p, const char *const *texts, int count)
{
  const CaseNode *none = plain_keys(p, false);
  const size_t skipped = strlen(p->group->name) + 1;
  for (int i = 0; i < count; i++) {
    const int64_t number = case_member_find(p->group, texts[i] + skipped);
    if (number < 0 || (i > 0 && strcmp(texts[i], texts[i - 1]) == 0)) continue;
    p->layers = arena_grow(&p->reader->scratch, p->layers, (int64_t)p->count + 1, &p->capacity,
                           sizeof *p->layers);
    p->layers[p->count] = (Layer){p->layer[number], none};
    p->layer[number] = p->count++;
  }
}

// -- parts ----------------------------------------------------------------------------------------

static EntryParts collect(Parting *p)
{
  Arena *arena = &p->reader->scratch;
  EntryParts all = {0};
  int capacity = 0;
  const CaseNode **keys = arena_allocate_zero(arena, (size_t)p->count, sizeof *keys);
  for (uint64_t b = 0, end; b < p->bodies && !p->reader->failed; b = end) {
    const int layer = p->layer[b];
    for (end = b + 1; end < p->bodies && p->layer[end] == layer;) end++;
    if (case_value_is_word(find_key(p, layer, "leave"), "true")) continue;
    if (!keys[layer]) keys[layer] = merge(p, layer);
    all.parts = arena_grow(arena, all.parts, (int64_t)all.count + 1, &capacity, sizeof *all.parts);
    all.parts[all.count++] = (EntryPart){b, end, keys[layer]};
    if (all.count > MOST_PARTS)
      case_tree_fail(p->reader, p->entry,
                     "its bodies fall into more than %d runs of bodies with the same keys; tell "
                     "neighbours apart less often, or make entries of their own",
                     MOST_PARTS);
  }
  if (all.count == 0 && !p->reader->failed)
    case_tree_fail(p->reader, p->entry, "'where' leaves no body of this entry");
  return all;
}

static void hold_supports(Parting *p)
{
  bool *held = arena_allocate_zero(&p->reader->scratch, (size_t)p->bodies, sizeof *held);
  for (uint64_t b = 0; b < p->bodies; b++) held[b] = group_holds(p->group, b);
  cover(p, held, plain_keys(p, true));
}

EntryParts case_where_read(CaseReader *reader, const CaseNode *entry, const BodyGroup *group,
                           const EntrySetting *setting)
{
  assert(group->part_count == 0 && "an entry is parted once");
  const CaseNode *where = case_tree_find(entry, "where");
  if (reader->failed) return (EntryParts){0};
  int loads;
  const char **texts = loaded_members(reader, setting->loaded, group->name, &loads);
  if (!where && !group->member_fixed && loads == 0) return (EntryParts){0};
  const CaseNode *list =
      where ? case_value_list(reader, where, 1, "a list of at least one item") : NULL;
  Parting p = {.reader = reader, .entry = entry, .group = group, .setting = setting};
  p.bodies = group_check(group) ? 0 : group_entry_size(group).total;
  if (p.bodies == 0) return (EntryParts){0};   // its measures are refused later
  if (where && group->kind == GROUP_INLET)
    case_tree_fail(reader, where, "stones of an inlet are not told apart");
  else if (p.bodies > MOST_PARTED)
    case_tree_fail(reader, where ? where : entry,
                   "the entry has %" PRIu64 " bodies, and at most %d can be told apart", p.bodies,
                   MOST_PARTED);
  if (reader->failed) return (EntryParts){0};

  // the keys of the entry lie below, then what its file or generator holds, then the items in turn
  p.layer = arena_allocate_zero(&reader->scratch, (size_t)p.bodies, sizeof *p.layer);
  p.layers = arena_allocate(&reader->scratch, sizeof *p.layers);
  p.layers[0] = (Layer){-1, entry};
  p.count = p.capacity = 1;
  hold_supports(&p);
  for (int i = 0; list && i < list->count && !reader->failed; i++) read_item(&p, list->members[i]);
  if (reader->failed) return (EntryParts){0};
  isolate(&p, texts, loads);
  return collect(&p);
}
