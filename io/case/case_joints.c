// Reads the list of joints of a case file.
#include "case_joints.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "group.h"

#define MOST_JOINTS 1000000   // every rank holds them all
#define SPACE "space"         // the partner that does not move

// A line whose length at the start differs from the one given by less than this share of it is
// neither stretched nor pressed.
#define LENGTH_ROUNDING 1e-9

#define LEAST_LENGTH 1e-9   // of what gives a direction, m

static const NumberRule LIMIT = {0, 1e18, "a force from 0 to 1e18 N"};
static const NumberRule STIFFNESS = {1e-9, 1e18, "a stiffness from 1e-9 to 1e18 N/m"};
static const NumberRule DAMPING = {0, 1e18, "a damping from 0 to 1e18 N s/m"};

// -- kinds ----------------------------------------------------------------------------------------

// what a kind holds
enum { TENSION = 1, PUSH = 2, SHEAR = 4, ALL = TENSION | PUSH | SHEAR };
// optional keys that it takes beside those of every joint
enum {
  TAKES_STIFFNESS = 1,
  TAKES_DAMPING = 2,
  TAKES_PRETENSION = 4,
  TAKES_SIDE = 8,
  TAKES_LENGTH = 16
};

typedef struct {
  const char *key;
  JointKind kind;
  bool line;          // between two places
  const char *axis;   // key of its direction; NULL: a line has its own
  bool axis_needed;   // else for its limits alone
  int holds, takes;
} KindRule;

static const KindRule kinds[] = {
    {"ball", JOINT_BALL, false, "axis", false, ALL, 0},
    {"hinge", JOINT_HINGE, false, "axis", true, ALL, 0},
    {"slider", JOINT_SLIDER, false, "axis", true, SHEAR, 0},
    {"weld", JOINT_WELD, false, "axis", false, ALL, 0},
    {"pin", JOINT_PIN, false, "axis", true, SHEAR, 0},
    {"roller", JOINT_ROLLER, false, "normal", true, TENSION | PUSH, 0},
    {"direction", JOINT_ROLLER, false, "axis", true, TENSION | PUSH, 0},
    {"rod", JOINT_ROD, true, NULL, false, TENSION | PUSH, 0},
    {"cable", JOINT_CABLE, true, NULL, false, TENSION, TAKES_LENGTH},
    {"strut", JOINT_STRUT, true, NULL, false, PUSH, TAKES_LENGTH},
    {"tie", JOINT_TIE, true, NULL, false, TENSION | PUSH,
     TAKES_STIFFNESS | TAKES_DAMPING | TAKES_PRETENSION | TAKES_SIDE | TAKES_LENGTH},
    {"spring", JOINT_SPRING, true, NULL, false, TENSION | PUSH,
     TAKES_STIFFNESS | TAKES_DAMPING | TAKES_LENGTH},
    {"dowel", JOINT_DOWEL, false, "axis", true, ALL,
     TAKES_STIFFNESS | TAKES_DAMPING | TAKES_PRETENSION},
};
enum { KIND_KEYS = sizeof kinds / sizeof kinds[0] };

static const char *const entry_keys[] = {
    "ball",      "hinge",   "slider",     "weld",         "pin",      "roller", "direction",
    "rod",       "cable",   "strut",      "tie",          "spring",   "dowel",  "between",
    "axis",      "normal",  "name",       "touch",        "strength", "yield",  "repeat",
    "stiffness", "damping", "pretension", "tension_only", "length",   NULL};

const char *case_joints_word(JointKind kind)
{
  assert((int)kind >= 0 && kind < JOINT_KIND_COUNT && "a joint has a kind");
  if (kind == JOINT_SERVO) return "servo";
  int k = 0;
  while (kinds[k].kind != kind) k++;
  return kinds[k].key;
}

// The kind of an entry, with keys that go with it alone; NULL after a failure.
static const KindRule *read_kind(CaseReader *reader, const CaseNode *entry)
{
  const char *words[KIND_KEYS + 1];
  for (int k = 0; k < KIND_KEYS; k++) words[k] = kinds[k].key;
  words[KIND_KEYS] = NULL;
  const int choice = case_value_choice(reader, entry, words);
  if (choice < 0) return NULL;
  const KindRule *kind = &kinds[choice];
  const struct {
    const char *key;
    bool taken;
  } optional[] = {
      {"axis", kind->axis && strcmp(kind->axis, "axis") == 0},
      {"normal", kind->axis && strcmp(kind->axis, "normal") == 0},
      {"stiffness", kind->takes & TAKES_STIFFNESS},
      {"damping", kind->takes & TAKES_DAMPING},
      {"pretension", kind->takes & TAKES_PRETENSION},
      {"tension_only", kind->takes & TAKES_SIDE},
      {"length", kind->takes & TAKES_LENGTH},
  };
  for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++) {
    const CaseNode *node = case_tree_find(entry, optional[i].key);
    if (node && !optional[i].taken)
      case_tree_fail_key(reader, node, "a %s has no '%s'", kind->key, optional[i].key);
  }
  return reader->failed ? NULL : kind;
}

// -- places and direction -------------------------------------------------------------------------

static void read_places(CaseReader *reader, const CaseNode *node, const KindRule *kind,
                        Joint *joint)
{
  if (!kind->line) {
    joint->places[0] = case_value_vector(reader, node, &CASE_VALUE_COORDINATE, (vec3){0});
    joint->places[1] = joint->places[0];
    return;
  }
  const CaseNode *list =
      case_value_list(reader, node, 0, "a list of two places [[x, y, z], [x, y, z]]");
  char found[TREE_FOUND_BYTES];
  if (list && (list->count != 2 || list->members[0]->kind != NODE_LIST))
    case_tree_fail(reader, node, "expected a list of two places [[x, y, z], [x, y, z]], found %s",
                   case_tree_found(node, found));
  for (int i = 0; i < 2 && !reader->failed; i++)
    joint->places[i] =
        case_value_vector(reader, list->members[i], &CASE_VALUE_COORDINATE, (vec3){0});
  if (!reader->failed && !(vec3_norm(vec3_sub(joint->places[0], joint->places[1])) >= LEAST_LENGTH))
    case_tree_fail(reader, node,
                   "the two places coincide, and the %s has no direction; a 'dowel' "
                   "with a stiffness is a spring about a place",
                   kind->key);
}

static void read_axis(CaseReader *reader, const CaseNode *entry, const KindRule *kind, Joint *joint)
{
  if (!kind->axis || reader->failed) return;
  const CaseNode *limits = case_tree_find(entry, "strength");
  if (!limits) limits = case_tree_find(entry, "yield");
  const CaseNode *node = case_tree_find(entry, kind->axis);
  joint->axis = case_value_vector(reader, node, &CASE_VALUE_COORDINATE, (vec3){0, 0, 1});
  if (reader->failed) return;
  if (!node && kind->axis_needed) case_value_require(reader, entry, kind->axis);
  else if (!node && limits)
    case_tree_fail(reader, limits,
                   "limits of a %s are along an axis and across it, and the key 'axis' is missing",
                   kind->key);
  else if (node && kind->kind == JOINT_BALL && !limits)
    case_tree_fail(reader, node, "a %s has an axis for 'strength' or 'yield' alone, found neither",
                   kind->key);
  else if (!(vec3_norm(joint->axis) >= LEAST_LENGTH))
    case_tree_fail(reader, node, "expected a direction, found a vector without length");
}

// -- stiffness and limits -------------------------------------------------------------------------

// A number for a line, or a mapping of the two directions of a place; of a place one number is for
// both.
static void read_directions(CaseReader *reader, const CaseNode *node, const KindRule *kind,
                            const NumberRule *rule, double values[JOINT_DIRECTIONS])
{
  static const char *const keys[] = {"normal", "shear", NULL};
  if (!node || reader->failed) return;
  if (!kind->line && node->kind == NODE_MAPPING) {
    const CaseNode *mapping = case_value_mapping(reader, node, keys);
    if (mapping && mapping->count == 0)
      case_tree_fail(reader, node, "expected 'normal', 'shear' or both, found none");
    for (int d = 0; d < JOINT_DIRECTIONS; d++)
      values[d] = case_value_number(reader, case_tree_find(mapping, keys[d]), rule, values[d]);
    return;
  }
  const double value = case_value_number(reader, node, rule, 0);
  values[JOINT_NORMAL] = value;
  if (!kind->line) values[JOINT_TANGENT] = value;
}

static void read_response(CaseReader *reader, const CaseNode *entry, const KindRule *kind,
                          Joint *joint)
{
  assert(kind->kind == joint->kind && "a joint has its kind");
  const CaseNode *stiffness = case_tree_find(entry, "stiffness"),
                 *damping = case_tree_find(entry, "damping"),
                 *pretension = case_tree_find(entry, "pretension");
  const bool spring = kind->kind == JOINT_SPRING;
  joint->stiffness[JOINT_NORMAL] = spring ? 0 : INFINITY;
  joint->stiffness[JOINT_TANGENT] = INFINITY;
  read_directions(reader, stiffness, kind, &STIFFNESS, joint->stiffness);
  read_directions(reader, damping, kind, &DAMPING, joint->damping);
  joint->pretension = case_value_number(reader, pretension, &LIMIT, 0);
  if (reader->failed) return;
  if (spring && !stiffness && !damping)
    case_tree_fail(reader, entry, "expected 'stiffness', 'damping' or both, found none");
  else if (spring && !stiffness && !(joint->damping[JOINT_NORMAL] > 0))
    case_tree_fail(reader, damping, "a spring without stiffness and damping holds nothing");
  for (int d = 0; d < JOINT_DIRECTIONS && !reader->failed; d++)
    if (joint->damping[d] > 0 && isinf(joint->stiffness[d]))
      case_tree_fail(reader, damping,
                     "a damping beside a stiffness, and there is none: without "
                     "'stiffness' the %s is rigid",
                     kind->key);
  if (!reader->failed && joint->pretension > 0 && isinf(joint->stiffness[JOINT_NORMAL]))
    case_tree_fail(reader, pretension,
                   "a pretension stretches, and the %s is rigid without "
                   "'stiffness'",
                   kind->key);
}

// What a line holds from the start on; a place at which it would be stretched or pressed already is
// a slip.
static void read_length(CaseReader *reader, const CaseNode *node, const KindRule *kind,
                        Joint *joint)
{
  joint->length = -1;
  if (!node || reader->failed) return;
  const double start = vec3_norm(vec3_sub(joint->places[0], joint->places[1]));
  joint->length = case_value_number(reader, node, &CASE_VALUE_LENGTH, start);
  if (reader->failed || isfinite(joint->stiffness[JOINT_NORMAL])) return;
  const double room = LENGTH_ROUNDING * start;
  if (joint->push == 0 && joint->length < start - room)
    case_tree_fail(reader, node, "the places are %.9g m apart: a rigid %s cannot be shorter", start,
                   kind->key);
  else if (joint->tension == 0 && joint->length > start + room)
    case_tree_fail(reader, node, "the places are %.9g m apart: a rigid %s cannot be longer", start,
                   kind->key);
  else if (joint->push > 0 && joint->tension > 0)
    case_tree_fail(reader, node,
                   "a rigid %s that holds both ways is as long as its places are "
                   "apart: leave 'length' out",
                   kind->key);
}

static void read_limits(CaseReader *reader, const CaseNode *entry, const KindRule *kind,
                        Joint *joint)
{
  static const char *const keys[] = {"tension", "compression", "shear", NULL};
  const CaseNode *strength = case_tree_find(entry, "strength"),
                 *yield = case_tree_find(entry, "yield"),
                 *side = case_tree_find(entry, "tension_only");
  int holds = kind->holds;
  if (kind->kind == JOINT_TIE && case_value_flag(reader, side, true)) holds = TENSION;
  double limits[3];
  for (int k = 0; k < 3; k++) limits[k] = holds & 1 << k ? INFINITY : 0;
  if (strength && yield)
    case_tree_fail(reader, yield, "expected one of 'strength' and 'yield', found both");
  const CaseNode *node = strength ? strength : yield;
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  for (int k = 0; k < 3 && mapping; k++) {
    const CaseNode *limit = case_tree_find(mapping, keys[k]);
    if (limit && !(holds & 1 << k))
      case_tree_fail(reader, limit, "a %s holds no %s", kind->key, keys[k]);
    limits[k] = case_value_number(reader, limit, &LIMIT, limits[k]);
  }
  if (mapping && mapping->count == 0)
    case_tree_fail(reader, node, "expected 'tension', 'compression' or 'shear', found none");
  joint->tension = limits[0];
  joint->push = limits[1];
  joint->shear = limits[2];
  joint->breaks = strength != NULL;
  if (reader->failed) return;
  if (joint->tension == 0 && joint->push == 0 && joint->shear == 0)
    case_tree_fail(reader, node, "with these limits the %s holds nothing", kind->key);
  else if (joint->pretension > joint->tension)
    case_tree_fail(reader, case_tree_find(entry, "pretension"),
                   "more than the tension that the %s holds, %g N", kind->key, joint->tension);
}

// -- ends -----------------------------------------------------------------------------------------

// The entry of a body, first of its parts, and its number in it. *numbered: by the name or number
// of a member.
static JointEnd read_end(BodySelector *selector, const CaseNode *node, bool *numbered)
{
  char found[TREE_FOUND_BYTES];
  if (node->kind == NODE_MAPPING || node->kind == NODE_SCALAR)
    return case_selection_end(selector, node, numbered);
  case_tree_fail(selector->reader, node, "expected the name of a body, found %s",
                 case_tree_found(node, found));
  return (JointEnd){-1, 0, false};
}

// Leads ends by entry and number to the groups that have these bodies; a body that its entry leaves
// out is refused.
static bool place_ends(CaseReader *reader, const CaseNode *node, const Case *c, Joint *joint)
{
  for (int i = 0; i < 2 && !reader->failed; i++) {
    const JointEnd end = joint->ends[i];
    if (end.group >= 0 && !case_member_place(c, end.group, end.index, &joint->ends[i]))
      case_tree_fail(reader, node, "number %" PRIu64 " of '%s' is left out by 'where'", end.index,
                     c->groups[end.group].name);
    joint->ends[i].by_place = end.by_place;
  }
  return !reader->failed;
}

static bool is_dynamic(const Case *c, JointEnd end)
{
  // the dynamic bodies of a group come first
  return end.group >= 0 && end.index < group_size(&c->groups[end.group]).dynamic;
}

// Are these ends those of a joint? The node is named where they are not.
static bool check_ends(CaseReader *reader, const CaseNode *node, const Case *c, const Joint *named)
{
  Joint joint = *named;
  if (!place_ends(reader, node, c, &joint)) return false;
  const JointEnd a = joint.ends[0], b = joint.ends[1];
  assert(a.group >= 0 && "the first end is a body");
  if (a.group == b.group && a.index == b.index)
    case_tree_fail(reader, node, "both ends are one body, number %" PRIu64 " of '%s'",
                   named->ends[0].index, c->groups[a.group].name);
  else if (!is_dynamic(c, a) && !is_dynamic(c, b))
    case_tree_fail(reader, node,
                   "number %" PRIu64
                   " of '%s' is not dynamic, and neither is its partner: there is "
                   "nothing to hold",
                   named->ends[0].index, c->groups[a.group].name);
  return !reader->failed;
}

static void read_ends(BodySelector *selector, const CaseNode *node, Joint *joint, bool numbered[2])
{
  CaseReader *reader = selector->reader;
  const Case *c = selector->c;
  static const char *const expected = "[BODY, BODY], [BODY, space] or [BODY]";
  const CaseNode *list = case_value_list(reader, node, 0, expected);
  char found[TREE_FOUND_BYTES];
  if (!list) return;
  if (list->count < 1 || list->count > 2) {
    case_tree_fail(reader, node, "expected %s, found %s", expected,
                   list->count == 0 ? "a joint to nobody" : case_tree_found(node, found));
    return;
  }
  joint->ends[1] = (JointEnd){-1, 0, false};
  for (int i = 0; i < list->count && !reader->failed; i++) {
    const CaseNode *end = list->members[i];
    int count = 0;
    if (case_value_is_word(end, SPACE)) {
      const NamedBodies *entry = case_names_find(&selector->names, SPACE, &count);
      if (count > 0)
        case_tree_fail(reader, end,
                       "'" SPACE "' stands for what does not move, and the entry of line "
                       "%d has that name: give it another one",
                       c->groups[entry->group].line);
      else if (i == 0)
        case_tree_fail(reader, end,
                       "'" SPACE "' is the second of the two: expected "
                       "the name of a body");
      continue;
    }
    joint->ends[i] = read_end(selector, end, &numbered[i]);
  }
  if (!reader->failed) check_ends(reader, node, c, joint);
}

// -- the list -------------------------------------------------------------------------------------

// How a joint is repeated: places move, numbers of bodies grow.
typedef struct {
  int64_t count;   // with the first
  vec3 spacing;
  int64_t step[2];
} Repeat;

static Repeat read_repeat(CaseReader *reader, const CaseNode *node, const bool numbered[2])
{
  static const char *const keys[] = {"count", "spacing", "step", NULL};
  Repeat repeat = {.count = 1};
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  if (!mapping) return repeat;
  const CaseNode *step = case_tree_find(mapping, "step");
  const bool two = step && step->kind == NODE_LIST;
  char found[TREE_FOUND_BYTES];
  if (two && step->count != 2)
    case_tree_fail(reader, step, "expected a whole number or a list of 2, found %s",
                   case_tree_found(step, found));
  repeat.count =
      case_value_integer(reader, case_value_require(reader, mapping, "count"), 1, MOST_JOINTS, 1);
  repeat.spacing = case_value_vector(reader, case_tree_find(mapping, "spacing"),
                                     &CASE_VALUE_COORDINATE, (vec3){0});
  for (int i = 0; i < 2 && !reader->failed; i++)
    if (numbered[i])
      repeat.step[i] =
          case_value_integer(reader, two ? step->members[i] : step, -2147483647, 2147483647, 1);
  if (reader->failed) return repeat;
  if (step && !numbered[0] && !numbered[1])
    case_tree_fail(reader, step, "numbers of bodies grow by it, and 'between' has none");
  else if (repeat.count > 1 && vec3_norm(repeat.spacing) == 0 && repeat.step[0] == 0 &&
           repeat.step[1] == 0)
    case_tree_fail(reader, node, "the copies would coincide: expected a 'spacing' or a 'step'");
  return repeat;
}

// The next copy of a joint; fails where a body that it names is not there.
static Joint move_on(CaseReader *reader, const CaseNode *node, const Case *c, const Joint *joint,
                     const Repeat *repeat)
{
  Joint next = *joint;
  for (int i = 0; i < 2; i++) {
    next.places[i] = vec3_add(joint->places[i], repeat->spacing);
    if (joint->ends[i].group < 0) continue;
    const BodyGroup *group = &c->groups[joint->ends[i].group];
    const uint64_t bodies = group_entry_size(group).total;
    const int64_t number = (int64_t)joint->ends[i].index + repeat->step[i];
    if (number < 0 || (uint64_t)number >= bodies)
      case_tree_fail(reader, node,
                     "a copy would be about number %" PRId64 " of '%s', which has %" PRIu64
                     " bodies, counted from 0",
                     number, group->name, bodies);
    next.ends[i].index = (uint64_t)number;
  }
  if (!reader->failed) check_ends(reader, node, c, &next);
  return next;
}

static Joint read_joint(CaseReader *reader, const CaseNode *node, const KindRule *kind)
{
  Joint joint = {.kind = kind->kind, .line = case_tree_line(node)};
  read_places(reader, case_tree_find(node, kind->key), kind, &joint);
  read_axis(reader, node, kind, &joint);
  read_response(reader, node, kind, &joint);
  read_limits(reader, node, kind, &joint);
  read_length(reader, case_tree_find(node, "length"), kind, &joint);
  joint.name = case_value_text(reader, case_tree_find(node, "name"), "");
  joint.passes = !case_value_flag(reader, case_tree_find(node, "touch"), true);
  return joint;
}

void case_read_joints(CaseReader *reader, Case *c)
{
  assert(c->joints == NULL && c->joint_count == 0 && "joints are read once");
  const CaseNode *node = case_tree_find(reader->root, "joints");
  const CaseNode *list = case_value_list(reader, node, 0, "a list of joints");
  if (!list) return;
  BodySelector selector = case_selection_begin(reader, c);
  int capacity = 0;
  for (int i = 0; i < list->count && !reader->failed; i++) {
    const CaseNode *entry = case_value_mapping(reader, list->members[i], entry_keys);
    const KindRule *kind = read_kind(reader, entry);
    if (!kind) return;
    Joint joint = read_joint(reader, entry, kind);
    bool numbered[2] = {false, false};
    read_ends(&selector, case_value_require(reader, entry, "between"), &joint, numbered);
    const CaseNode *copies = case_tree_find(entry, "repeat");
    const Repeat repeat = read_repeat(reader, copies, numbered);
    if (!reader->failed && c->joint_count + repeat.count > MOST_JOINTS)
      case_tree_fail(reader, copies ? copies : entry, "with it the case has more than %d joints",
                     MOST_JOINTS);
    if (reader->failed) return;
    c->joints = arena_grow(reader->arena, c->joints, c->joint_count + repeat.count, &capacity,
                           sizeof *c->joints);
    for (int64_t k = 0; k < repeat.count && !reader->failed; k++) {
      c->joints[c->joint_count] = joint;
      place_ends(reader, entry, c, &c->joints[c->joint_count++]);
      if (k + 1 < repeat.count) joint = move_on(reader, copies, c, &joint, &repeat);
    }
  }
}
