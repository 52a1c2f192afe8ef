// Reads the list of loads of a case file.
#include "case_loads.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "case_faces.h"
#include "case_time.h"
#include "case_wheel.h"
#include "order.h"

// A temperature changes nothing of a rigid body, nor of one that does not expand.
static void refuse_rigid(CaseReader *reader, const CaseNode *node, const Case *c,
                         const BodySelection *on)
{
  for (int k = 0; k < on->count && !reader->failed; k++) {
    const BodyGroup *group = &c->groups[on->spans[k].group];
    const bool expands = c->materials[group->material].elastic.expansion != 0;
    if (!group_deforms(group) || !expands)
      case_tree_fail(reader, node, "'%s', line %d, %s, and no temperature changes it", group->name,
                     group->line, group_deforms(group) ? "has no 'expansion'" : "is rigid");
  }
}

// What a force on a body in pieces means, of which each is a body, has to be said.
static void refuse_pieces(CaseReader *reader, const CaseNode *entry, const Case *c,
                          const BodySelection *on)
{
  const CaseNode *force = case_tree_find(entry, "force"),
                 *pushes = force ? force : case_tree_find(entry, "torque");
  if (!pushes || case_tree_find(entry, "per")) return;
  for (int k = 0; k < on->count && !reader->failed; k++) {
    const BodyGroup *group = &c->groups[on->spans[k].group];
    if (group_is_cut(group) && on->spans[k].end - on->spans[k].begin > 1)
      case_tree_fail(reader, pushes,
                     "'%s', line %d, is in pieces (elastic.most_nodes), and each would have all of "
                     "it: name one, as '%s.0', or give 'per'",
                     group->name, group->line, group->name);
  }
}

// How a load on several bodies is meant.
static LoadPer read_per(CaseReader *reader, const CaseNode *node, bool pushes)
{
  static const struct {
    const char *word;
    LoadPer per;
  } words[] = {{"body", LOAD_PER_BODY}, {"shared", LOAD_PER_GROUP}, {"mass", LOAD_PER_KILOGRAM}};
  if (!node || reader->failed) return LOAD_PER_BODY;
  char found[TREE_FOUND_BYTES];
  if (!pushes) case_tree_fail(reader, node, "of a force or a torque, and there is none");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (case_value_is_word(node, words[i].word)) return words[i].per;
  case_tree_fail(reader, node, "expected 'body', 'shared' or 'mass', found %s",
                 case_tree_found(node, found));
  return LOAD_PER_BODY;
}

// Keys of one kind of load that another kind has no use for.
static void refuse_beside(CaseReader *reader, const CaseNode *entry, const char *kind,
                          const char *const *others)
{
  for (int k = 0; others[k]; k++) {
    const CaseNode *other = case_tree_find(entry, others[k]);
    if (other)
      case_tree_fail_key(reader, other, "no use beside '%s'; make a load of its own", kind);
  }
}

// A force on a wheel, or a pressure on faces.
static void read_special(BodySelector *selector, const CaseNode *entry, const Case *c,
                         BodyLoad *load)
{
  static const char *const beside_wheel[] = {"at",  "torque",   "frame", "temperature",
                                             "per", "pressure", "faces", NULL};
  static const char *const beside_pressure[] = {"force",       "torque", "at", "frame",
                                                "temperature", "per",    NULL};
  CaseReader *reader = selector->reader;
  const CaseNode *wheel = case_tree_find(entry, "wheel"),
                 *pressure = case_tree_find(entry, "pressure"),
                 *faces = case_tree_find(entry, "faces");
  if (wheel) {
    refuse_beside(reader, entry, "wheel", beside_wheel);
    case_value_require(reader, entry, "force");
    load->wheel = case_wheel_read(selector, wheel, case_tree_find(entry, "on"), c);
  } else if (pressure) {
    refuse_beside(reader, entry, "pressure", beside_pressure);
    load->pressure = case_time_read(reader, pressure, TIME_PRESSURE, c);
    load->faces = case_faces_read(reader, case_value_require(reader, entry, "faces"));
  } else if (faces) {
    case_tree_fail_key(reader, faces, "of a 'pressure', and there is none");
  }
}

static BodyLoad read_load(BodySelector *selector, const CaseNode *node, const Case *c)
{
  static const char *const keys[] = {"name",        "on",  "force", "at",       "torque", "frame",
                                     "temperature", "per", "wheel", "pressure", "faces",  NULL};
  CaseReader *reader = selector->reader;
  const CaseNode *entry = case_value_mapping(reader, node, keys);
  const CaseNode *force = case_tree_find(entry, "force"), *torque = case_tree_find(entry, "torque"),
                 *at = case_tree_find(entry, "at"), *frame = case_tree_find(entry, "frame"),
                 *temperature = case_tree_find(entry, "temperature");
  const bool special = case_tree_find(entry, "wheel") || case_tree_find(entry, "pressure");
  char found[TREE_FOUND_BYTES];
  if (entry && !force && !torque && !temperature && !special)
    case_tree_fail(reader, entry,
                   "expected 'force', 'torque' or both, or 'temperature', or 'pressure', found "
                   "none");
  else if (at && !force) case_tree_fail(reader, at, "the place of a force, and there is none");
  else if (frame && !case_value_is_word(frame, "world") && !case_value_is_word(frame, "body"))
    case_tree_fail(reader, frame, "expected 'world' or 'body', found %s",
                   case_tree_found(frame, found));
  BodyLoad load = {.force = case_time_read(reader, force, TIME_FORCE, c),
                   .torque = case_time_read(reader, torque, TIME_TORQUE, c),
                   .temperature = case_time_read(reader, temperature, TIME_TEMPERATURE, c),
                   .has_at = at != NULL,
                   .at = case_value_vector(reader, at, &CASE_VALUE_COORDINATE, (vec3){0}),
                   .follows = case_value_is_word(frame, "body")};
  load.name = case_value_text(reader, case_tree_find(entry, "name"), "");
  read_special(selector, entry, c, &load);
  load.per = read_per(reader, case_tree_find(entry, "per"), force || torque);
  return load;
}

// A load on bodies of a group, while loads are read.
typedef struct {
  BodySpan span;
  int load;
} Target;

static int compare_targets(const void *p, const void *q)
{
  const Target *a = p, *b = q;
  if (a->span.group != b->span.group) return a->span.group < b->span.group ? -1 : 1;
  if (a->span.begin != b->span.begin) return a->span.begin < b->span.begin ? -1 : 1;
  return (a->load > b->load) - (a->load < b->load);
}

// Tells a group of the loads on its bodies: between two numbers where a span begins or ends, all
// bodies have the same.
static void tell_group(CaseReader *reader, BodyGroup *group, const Target *targets, int count)
{
  assert(count > 0 && "something acts on the group");
  Arena *scratch = &reader->scratch;
  uint64_t *cuts = arena_allocate(scratch, 2 * (size_t)count * sizeof *cuts);
  size_t cut_count = 0, kept = 0;
  for (int t = 0; t < count; t++) {
    cuts[cut_count++] = targets[t].span.begin;
    cuts[cut_count++] = targets[t].span.end;
  }
  qsort(cuts, cut_count, sizeof *cuts, order_u64s);
  for (size_t i = 0; i < cut_count; i++)
    if (i == 0 || cuts[i] != cuts[kept - 1]) cuts[kept++] = cuts[i];
  LoadSpan *spans = arena_allocate(reader->arena, kept * sizeof *spans);
  int *open = arena_allocate(scratch, (size_t)count * sizeof *open), open_count = 0, next = 0;
  group->load_spans = spans;
  for (size_t i = 0; i + 1 < kept; i++) {
    // those that go on, then those that begin; numbers of loads ascend
    int left = 0;
    for (int k = 0; k < open_count; k++)
      if (targets[open[k]].span.end > cuts[i]) open[left++] = open[k];
    open_count = left;
    for (; next < count && targets[next].span.begin == cuts[i]; next++) open[open_count++] = next;
    if (open_count == 0) continue;
    int *loads = arena_allocate(reader->arena, (size_t)open_count * sizeof *loads);
    for (int k = 0; k < open_count; k++) {
      int at = k;
      for (; at > 0 && loads[at - 1] > targets[open[k]].load; at--) loads[at] = loads[at - 1];
      loads[at] = targets[open[k]].load;
    }
    spans[group->load_span_count++] = (LoadSpan){cuts[i], cuts[i + 1], open_count, loads};
  }
}

static void tell_groups(CaseReader *reader, Case *c, Target *targets, int count)
{
  assert(count >= 0 && (targets != NULL || count == 0) && "targets are given");
  if (count > 0) qsort(targets, (size_t)count, sizeof *targets, compare_targets);
  for (int t = 0, end; t < count; t = end) {
    const int group = targets[t].span.group;
    for (end = t; end < count && targets[end].span.group == group;) end++;
    tell_group(reader, &c->groups[group], targets + t, end - t);
  }
}

// A name means one load, and a text of digits the number of one.
static void check_name(CaseReader *reader, const CaseNode *entry, const Case *c, int number)
{
  const CaseNode *node = case_tree_find(entry, "name");
  const char *name = c->loads[number].name;
  if (reader->failed || !node) return;
  if (*name && strspn(name, "0123456789") == strlen(name))
    case_tree_fail(reader, node,
                   "expected a name, found a number: loads have numbers by themselves");
  for (int k = 0; k < number && *name && !reader->failed; k++)
    if (strcmp(c->loads[k].name, name) == 0)
      case_tree_fail(reader, node, "loads.%d has this name already", k);
}

static uint64_t count_bodies(const BodySelection *selection)
{
  uint64_t count = 0;
  for (int k = 0; k < selection->count; k++)
    count += selection->spans[k].end - selection->spans[k].begin;
  return count;
}

void case_read_loads(CaseReader *reader, Case *c)
{
  assert(c->loads == NULL && c->load_count == 0 && "loads are read once");
  const CaseNode *node = case_tree_find(reader->root, "loads");
  const CaseNode *list = case_value_list(reader, node, 0, "a list of loads");
  if (!list) return;
  c->loads = arena_allocate_zero(reader->arena, (size_t)list->count + 1, sizeof *c->loads);
  BodySelector selector = case_selection_begin(reader, c);
  int count = 0, capacity = 0;
  Target *targets = NULL;
  for (int i = 0; i < list->count && !reader->failed; i++) {
    BodyLoad *load = &c->loads[i];
    *load = read_load(&selector, list->members[i], c);
    check_name(reader, list->members[i], c, i);
    if (load->wheel) {
      c->wheel_count++;
      continue;
    }
    const CaseNode *on_node = case_value_require(reader, list->members[i], "on");
    const BodySelection on = case_selection_read(&selector, on_node, SELECTION_DYNAMIC);
    const CaseNode *temperature = case_tree_find(list->members[i], "temperature");
    if (temperature) refuse_rigid(reader, temperature, c, &on);
    if (!reader->failed) refuse_pieces(reader, list->members[i], c, &on);
    if (reader->failed) return;
    load->share = 1 / (double)count_bodies(&on);
    targets = arena_grow(&reader->scratch, targets, (int64_t)count + on.count, &capacity,
                         sizeof *targets);
    for (int k = 0; k < on.count; k++) targets[count++] = (Target){on.spans[k], i};
  }
  c->load_count = list->count;
  if (!reader->failed) tell_groups(reader, c, targets, count);
}
