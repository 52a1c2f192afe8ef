// Parts an entry of the list of bodies by names, patterns, numbers and boxes.
#include "case_where.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_marks.h"
#include "group.h"

#define MOST_PARTS 100000   // of an entry

static const char *const item_keys[] = {"match",    "number",  "box",      "kind", "leave",
                                        "material", "fixed",   "velocity", "spin", "birth",
                                        "motion",   "elastic", NULL};
static const char *const choices[] = {"match", "number", "box", "kind", NULL};

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
  uint64_t bodies;
  int *layer;   // [bodies] the topmost one of each
  int count, capacity;
  Layer *layers;   // [count] 0: the keys of the entry
  EntryMarks marks;
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

static void mark_name(Parting *p, const CaseNode *node, bool *marked)
{
  char found[TREE_FOUND_BYTES];
  if (node->kind != NODE_SCALAR) {
    case_tree_fail(p->reader, node, "expected a name or a pattern, found %s",
                   case_tree_found(node, found));
    return;
  }
  const bool pattern = strpbrk(node->text, "*?") != NULL;
  const uint64_t count = pattern ? case_marks_pattern(&p->marks, "", node->text, marked)
                                 : case_marks_name(&p->marks, node->text, marked);
  if (count == 0) case_marks_refuse(&p->marks, node, node->text, NULL);
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

static void mark_numbers(Parting *p, const CaseNode *node, bool *marked)
{
  const MarksNumbers numbers = case_marks_read_numbers(p->reader, node, p->bodies);
  for (int64_t b = numbers.first; b <= numbers.last && !p->reader->failed; b++) marked[b] = true;
}

static void mark_box(Parting *p, const CaseNode *node, bool *marked)
{
  CaseReader *reader = p->reader;
  const MarksBox box = case_marks_read_box(reader, node);
  if (reader->failed) return;
  const uint64_t count = case_marks_box(&p->marks, node, box, marked);
  if (count == 0 && !reader->failed)
    case_tree_fail(reader, node, "no body of this entry has its centre of mass in the box");
}

static void mark_kind(Parting *p, const CaseNode *node, bool *marked)
{
  CaseReader *reader = p->reader;
  const char *kind = case_marks_read_kind(reader, node);
  if (reader->failed) return;
  const uint64_t count = case_marks_kind(&p->marks, node, kind, marked);
  if (count == 0 && !reader->failed)
    case_tree_fail(reader, node, "no body of this entry is of the kind '%s'", kind);
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
  else if (choice == 2) mark_box(p, which, marked);
  else mark_kind(p, which, marked);
  if (!reader->failed) cover(p, marked, item);
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
  if (!where && !group->member_fixed) return (EntryParts){0};
  const CaseNode *list =
      where ? case_value_list(reader, where, 1, "a list of at least one item") : NULL;
  Parting p = {.reader = reader, .entry = entry, .group = group};
  p.marks = case_marks_new(reader, setting->c, group, setting->number);
  p.bodies = p.marks.bodies;
  if (p.bodies == 0) return (EntryParts){0};   // its measures are refused later
  if (where && group->kind == GROUP_INLET)
    case_tree_fail(reader, where, "stones of an inlet are not told apart");
  else if (p.bodies > MARKS_MOST)
    case_tree_fail(reader, where ? where : entry,
                   "the entry has %" PRIu64 " bodies, and at most %d can be told apart", p.bodies,
                   MARKS_MOST);
  if (reader->failed) return (EntryParts){0};

  // the keys of the entry lie below, then what its file or generator holds, then the items in turn
  p.layer = arena_allocate_zero(&reader->scratch, (size_t)p.bodies, sizeof *p.layer);
  p.layers = arena_allocate(&reader->scratch, sizeof *p.layers);
  p.layers[0] = (Layer){-1, entry};
  p.count = p.capacity = 1;
  hold_supports(&p);
  for (int i = 0; list && i < list->count && !reader->failed; i++) read_item(&p, list->members[i]);
  return reader->failed ? (EntryParts){0} : collect(&p);
}
