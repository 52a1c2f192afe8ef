// Reads the list of loads of a case file.
#include "case_loads.h"

#include <assert.h>

#include "case_members.h"
#include "case_time.h"

// Whether a group, or another part of its entry, has dynamic bodies: what is held beside them, as
// the supports of an arch, is loaded in vain.
static bool has_dynamic(const Case *c, int number)
{
  const BodyGroup *group = &c->groups[number];
  if (group->part_count == 0) return !group->fixed && !group->motion;
  const BodyGroup *parts = group - group->part;
  for (int i = 0; i < group->part_count; i++)
    if (!parts[i].fixed && !parts[i].motion) return true;
  return false;
}

// The parts of entries that "ENTRY.MEMBER" means: each holds that body alone.
static const NamedBodies *find_members(CaseReader *reader, const CaseNode *node, const Case *c,
                                       const BodyNames *names, int *count)
{
  *count = 0;
  const char *entry, *member = case_member_split(reader, names, node->text, &entry);
  if (!member) return NULL;
  int entries;
  const NamedBodies *parts = case_names_find(names, entry, &entries);
  NamedBodies *found = arena_allocate(&reader->scratch, (size_t)entries * sizeof *found);
  int last = -1;   // first part of the entry that was looked at
  for (int k = 0; k < entries; k++) {
    const BodyGroup *group = &c->groups[parts[k].group];
    const int first = parts[k].group - group->part;
    if (first == last) continue;
    last = first;
    const int64_t number = case_member_find(group, member);
    JointEnd place;
    if (number >= 0 && case_member_place(c, first, (uint64_t)number, &place))
      found[(*count)++] = (NamedBodies){parts[k].name, place.group};
  }
  return found;
}

// The groups with the name of a node, in their order.
static const NamedBodies *find_groups(CaseReader *reader, const CaseNode *node, const Case *c,
                                      const BodyNames *names, int *count)
{
  *count = 0;
  if (reader->failed || !node) return NULL;
  const bool text = node->kind == NODE_SCALAR;
  const NamedBodies *found = text ? case_names_find(names, node->text, count) : NULL;
  const bool entries = *count > 0;
  if (text && !entries) found = find_members(reader, node, c, names, count);
  for (int k = 0; k < *count; k++) {
    const BodyGroup *group = &c->groups[found[k].group];
    if (entries ? !has_dynamic(c, found[k].group) : group->fixed || group->motion)
      case_tree_fail(reader, node, "'%s', line %d, is %s, and no load moves it", node->text,
                     group->line, group->fixed ? "fixed" : "moved by a prescribed motion");
  }
  if (*count == 0) case_names_refuse(reader, node, node->text, c);
  return found;
}

// A temperature changes nothing of a rigid body, nor of one that does not expand.
static void refuse_rigid(CaseReader *reader, const CaseNode *node, const Case *c,
                         const NamedBodies *groups, int count)
{
  for (int k = 0; k < count && !reader->failed; k++) {
    const BodyGroup *group = &c->groups[groups[k].group];
    if (group->fixed || group->motion) continue;   // a part of an entry whose others are not
    const bool expands = c->materials[group->material].elastic.expansion != 0;
    if (!group->affine || !expands)
      case_tree_fail(reader, node, "'%s', line %d, %s, and no temperature changes it", group->name,
                     group->line, group->affine ? "has no 'expansion'" : "is rigid");
  }
}

static BodyLoad read_load(CaseReader *reader, const CaseNode *node, const Case *c)
{
  static const char *const keys[] = {"on", "force", "at", "torque", "frame", "temperature", NULL};
  const CaseNode *entry = case_value_mapping(reader, node, keys);
  const CaseNode *force = case_tree_find(entry, "force"), *torque = case_tree_find(entry, "torque"),
                 *at = case_tree_find(entry, "at"), *frame = case_tree_find(entry, "frame"),
                 *temperature = case_tree_find(entry, "temperature");
  char found[TREE_FOUND_BYTES];
  if (entry && !force && !torque && !temperature)
    case_tree_fail(reader, entry,
                   "expected 'force', 'torque' or both, or 'temperature', found none");
  else if (at && !force) case_tree_fail(reader, at, "the place of a force, and there is none");
  else if (frame && !case_value_is_word(frame, "world") && !case_value_is_word(frame, "body"))
    case_tree_fail(reader, frame, "expected 'world' or 'body', found %s",
                   case_tree_found(frame, found));
  return (BodyLoad){.force = case_time_read(reader, force, TIME_FORCE, c),
                    .torque = case_time_read(reader, torque, TIME_TORQUE, c),
                    .temperature = case_time_read(reader, temperature, TIME_TEMPERATURE, c),
                    .has_at = at != NULL,
                    .at = case_value_vector(reader, at, &CASE_VALUE_COORDINATE, (vec3){0}),
                    .follows = case_value_is_word(frame, "body")};
}

// A load on a group, while loads are read.
typedef struct {
  int group, load;
} Target;

// Gives every group the numbers of its loads, in their order.
static void tell_groups(CaseReader *reader, Case *c, const Target *targets, int count)
{
  assert(count >= 0 && (targets != NULL || count == 0) && "targets are given");
  int **lists = arena_allocate_zero(&reader->scratch, (size_t)c->group_count + 1, sizeof *lists);
  for (int t = 0; t < count; t++) c->groups[targets[t].group].load_count++;
  for (int i = 0; i < c->group_count; i++) {
    BodyGroup *group = &c->groups[i];
    if (group->load_count == 0) continue;
    lists[i] = arena_allocate(reader->arena, (size_t)group->load_count * sizeof **lists);
    group->loads = lists[i];
    group->load_count = 0;
  }
  for (int t = 0; t < count; t++) {
    BodyGroup *group = &c->groups[targets[t].group];
    lists[targets[t].group][group->load_count++] = targets[t].load;
  }
}

void case_read_loads(CaseReader *reader, Case *c)
{
  assert(c->loads == NULL && c->load_count == 0 && "loads are read once");
  const CaseNode *node = case_tree_find(reader->root, "loads");
  const CaseNode *list = case_value_list(reader, node, 0, "a list of loads");
  if (!list) return;
  c->loads = arena_allocate_zero(reader->arena, (size_t)list->count + 1, sizeof *c->loads);
  const BodyNames names = case_names_list(c, &reader->scratch);
  int count = 0, capacity = 0;
  Target *targets = NULL;
  for (int i = 0; i < list->count && !reader->failed; i++) {
    c->loads[i] = read_load(reader, list->members[i], c);
    const CaseNode *on = case_value_require(reader, list->members[i], "on");
    int found;
    const NamedBodies *groups = find_groups(reader, on, c, &names, &found);
    const CaseNode *temperature = case_tree_find(list->members[i], "temperature");
    if (temperature) refuse_rigid(reader, temperature, c, groups, found);
    targets =
        arena_grow(&reader->scratch, targets, (int64_t)count + found, &capacity, sizeof *targets);
    for (int k = 0; k < found; k++) targets[count++] = (Target){groups[k].group, i};
  }
  c->load_count = list->count;
  if (!reader->failed) tell_groups(reader, c, targets, count);
}
