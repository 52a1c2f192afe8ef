#include "case_loads.h"

#include <string.h>

#include "case_time.h"

static const NumberRule FORCE = {-1e18, 1e18, "a number from -1e18 to 1e18"};

// A name of no entry: the nearest one may have been meant.
static void refuse_name(CaseReader *reader, const CaseNode *node, const Case *c)
{
  const char **names =
      arena_allocate(&reader->scratch, ((size_t)c->group_count + 1) * sizeof *names);
  int count = 0;
  for (int i = 0; i < c->group_count; i++)
    if (*c->groups[i].name) names[count++] = c->groups[i].name;
  char found[TREE_FOUND_BYTES], list[256], meant[TREE_FOUND_BYTES] = "";
  const char *nearest = node->kind == NODE_SCALAR ? value_nearest(node->text, names, count) : NULL;
  value_join(names, count, list, sizeof list);
  if (nearest) tree_quote(nearest, meant, sizeof meant);
  tree_fail(reader, node, "expected the name of an entry of 'bodies', found %s%s%s%s; names: %s",
            tree_found(node, found), nearest ? " (did you mean '" : "", meant, nearest ? "'?)" : "",
            count > 0 ? list : "none");
}

// Numbers of the groups with the name of a node, in scratch.
static int find_groups(CaseReader *reader, const CaseNode *node, const Case *c, int *groups)
{
  if (reader->failed || !node) return 0;
  int count = 0;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    if (!*group->name || !value_is_word(node, group->name)) continue;
    if (group->fixed || group->motion)
      tree_fail(reader, node, "'%s', line %d, is %s, and no load moves it", node->text, group->line,
                group->fixed ? "fixed" : "moved by a prescribed motion");
    groups[count++] = i;
  }
  if (count == 0) refuse_name(reader, node, c);
  return count;
}

static BodyLoad read_load(CaseReader *reader, const CaseNode *node, const Case *c)
{
  static const char *const keys[] = {"on", "force", "at", "torque", "frame", NULL};
  const CaseNode *entry = value_mapping(reader, node, keys);
  const CaseNode *force = tree_find(entry, "force"), *torque = tree_find(entry, "torque"),
                 *at = tree_find(entry, "at"), *frame = tree_find(entry, "frame");
  char found[TREE_FOUND_BYTES];
  if (entry && !force && !torque)
    tree_fail(reader, entry, "expected 'force', 'torque' or both, found none");
  else if (at && !force) tree_fail(reader, at, "the place of a force, and there is none");
  else if (frame && !value_is_word(frame, "world") && !value_is_word(frame, "body"))
    tree_fail(reader, frame, "expected 'world' or 'body', found %s", tree_found(frame, found));
  return (BodyLoad){.force = case_read_time_vector(reader, force, &FORCE, c),
                    .torque = case_read_time_vector(reader, torque, &FORCE, c),
                    .has_at = at != NULL,
                    .at = value_vector(reader, at, &VALUE_COORDINATE, (vec3){0}),
                    .follows = value_is_word(frame, "body")};
}

// A load on a group, while loads are read.
typedef struct {
  int group, load;
} Target;

// Gives every group the numbers of its loads, in their order.
static void tell_groups(CaseReader *reader, Case *c, const Target *targets, size_t count)
{
  int **lists = arena_allocate_zero(&reader->scratch, (size_t)c->group_count + 1, sizeof *lists);
  for (size_t t = 0; t < count; t++) c->groups[targets[t].group].load_count++;
  for (int i = 0; i < c->group_count; i++) {
    BodyGroup *group = &c->groups[i];
    if (group->load_count == 0) continue;
    lists[i] = arena_allocate(reader->arena, (size_t)group->load_count * sizeof **lists);
    group->loads = lists[i];
    group->load_count = 0;
  }
  for (size_t t = 0; t < count; t++) {
    BodyGroup *group = &c->groups[targets[t].group];
    lists[targets[t].group][group->load_count++] = targets[t].load;
  }
}

void case_read_loads(CaseReader *reader, Case *c)
{
  const CaseNode *node = tree_find(reader->root, "loads");
  const CaseNode *list = value_list(reader, node, 0, "a list of loads");
  if (!list) return;
  c->loads = arena_allocate_zero(reader->arena, (size_t)list->count + 1, sizeof *c->loads);
  int *groups = arena_allocate(&reader->scratch, ((size_t)c->group_count + 1) * sizeof *groups);
  size_t count = 0, room = 0;
  Target *targets = NULL;
  for (int i = 0; i < list->count && !reader->failed; i++) {
    c->loads[i] = read_load(reader, list->members[i], c);
    const CaseNode *on = value_require(reader, list->members[i], "on");
    const int found = find_groups(reader, on, c, groups);
    if (count + (size_t)found > room) {
      room = 2 * room + (size_t)found;
      Target *larger = arena_allocate(&reader->scratch, room * sizeof *larger);
      if (count > 0) memcpy(larger, targets, count * sizeof *larger);
      targets = larger;
    }
    for (int k = 0; k < found; k++) targets[count++] = (Target){groups[k], i};
  }
  c->load_count = list->count;
  if (!reader->failed) tell_groups(reader, c, targets, count);
}
