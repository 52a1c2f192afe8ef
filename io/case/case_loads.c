// Reads the list of loads of a case file.
#include "case_loads.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "case_time.h"
#include "search.h"

static const NumberRule FORCE = {-1e18, 1e18, "a number from -1e18 to 1e18"};

// A name of no entry: the nearest one may have been meant.
static void refuse_name(CaseReader *reader, const CaseNode *node, const Case *c)
{
  assert(c->group_count > 0 && "bodies are read before loads");
  const char **names =
      arena_allocate(&reader->scratch, ((size_t)c->group_count + 1) * sizeof *names);
  int count = 0;
  for (int i = 0; i < c->group_count; i++)
    if (*c->groups[i].name) names[count++] = c->groups[i].name;
  char found[TREE_FOUND_BYTES], list[256], meant[TREE_FOUND_BYTES] = "";
  const char *nearest =
      node->kind == NODE_SCALAR ? case_value_nearest(node->text, names, count) : NULL;
  case_value_join(names, count, list, sizeof list);
  if (nearest) case_tree_quote(nearest, meant, sizeof meant);
  case_tree_fail(reader, node,
                 "expected the name of an entry of 'bodies', found %s%s%s%s; names: %s",
                 case_tree_found(node, found), nearest ? " (did you mean '" : "", meant,
                 nearest ? "'?)" : "", count > 0 ? list : "none");
}

// Groups by name: a case may have as many names as bodies, and a load for each.
typedef struct {
  const char *name;
  int group;
} NamedGroup;

typedef struct {
  int count;
  NamedGroup *groups;   // [count] with a name, by name, then in their order
} GroupNames;

static int compare_names(const void *p, const void *q)
{
  const NamedGroup *a = p, *b = q;
  const int order = strcmp(a->name, b->name);
  return order != 0 ? order : (a->group > b->group) - (a->group < b->group);
}

static GroupNames sort_names(const Case *c, Arena *scratch)
{
  assert(c->group_count >= 0 && (c->groups != NULL || c->group_count == 0) &&
         "bodies are read before loads");
  GroupNames names = {0};
  names.groups = arena_allocate(scratch, ((size_t)c->group_count + 1) * sizeof *names.groups);
  for (int i = 0; i < c->group_count; i++)
    if (*c->groups[i].name) names.groups[names.count++] = (NamedGroup){c->groups[i].name, i};
  qsort(names.groups, (size_t)names.count, sizeof *names.groups, compare_names);
  return names;
}

// The first of the groups with a name, as many as there are behind it, or none.
static const NamedGroup *find_name(const GroupNames *names, const char *name, int *count)
{
  assert(name != NULL && names->count >= 0 && "a name is looked for");
  const NamedGroup wanted = {name, -1};
  const int64_t low =
      search_rows(names->groups, names->count, sizeof wanted, &wanted, compare_names);
  *count = 0;
  while (low + *count < names->count && strcmp(names->groups[low + *count].name, name) == 0)
    ++*count;
  return names->groups + low;
}

// The groups with the name of a node, in their order.
static const NamedGroup *find_groups(CaseReader *reader, const CaseNode *node, const Case *c,
                                     const GroupNames *names, int *count)
{
  *count = 0;
  if (reader->failed || !node) return NULL;
  const NamedGroup *found = node->kind == NODE_SCALAR ? find_name(names, node->text, count) : NULL;
  for (int k = 0; k < *count; k++) {
    const BodyGroup *group = &c->groups[found[k].group];
    if (group->fixed || group->motion)
      case_tree_fail(reader, node, "'%s', line %d, is %s, and no load moves it", node->text,
                     group->line, group->fixed ? "fixed" : "moved by a prescribed motion");
  }
  if (*count == 0) refuse_name(reader, node, c);
  return found;
}

static BodyLoad read_load(CaseReader *reader, const CaseNode *node, const Case *c)
{
  static const char *const keys[] = {"on", "force", "at", "torque", "frame", NULL};
  const CaseNode *entry = case_value_mapping(reader, node, keys);
  const CaseNode *force = case_tree_find(entry, "force"), *torque = case_tree_find(entry, "torque"),
                 *at = case_tree_find(entry, "at"), *frame = case_tree_find(entry, "frame");
  char found[TREE_FOUND_BYTES];
  if (entry && !force && !torque)
    case_tree_fail(reader, entry, "expected 'force', 'torque' or both, found none");
  else if (at && !force) case_tree_fail(reader, at, "the place of a force, and there is none");
  else if (frame && !case_value_is_word(frame, "world") && !case_value_is_word(frame, "body"))
    case_tree_fail(reader, frame, "expected 'world' or 'body', found %s",
                   case_tree_found(frame, found));
  return (BodyLoad){.force = case_read_time_vector(reader, force, &FORCE, c),
                    .torque = case_read_time_vector(reader, torque, &FORCE, c),
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
  const GroupNames names = sort_names(c, &reader->scratch);
  int count = 0, capacity = 0;
  Target *targets = NULL;
  for (int i = 0; i < list->count && !reader->failed; i++) {
    c->loads[i] = read_load(reader, list->members[i], c);
    const CaseNode *on = case_value_require(reader, list->members[i], "on");
    int found;
    const NamedGroup *groups = find_groups(reader, on, c, &names, &found);
    targets =
        arena_grow(&reader->scratch, targets, (int64_t)count + found, &capacity, sizeof *targets);
    for (int k = 0; k < found; k++) targets[count++] = (Target){groups[k].group, i};
  }
  c->load_count = list->count;
  if (!reader->failed) tell_groups(reader, c, targets, count);
}
