// Reads motions by component.
#include "case_guide.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "case_time.h"
#include "guided.h"

static const char *const NAMES[] = {"x", "y", "z", "rx", "ry", "rz", NULL};

// A mapping of components is told from a function of time by its keys.
static bool is_by_component(const CaseNode *velocity)
{
  if (!velocity || velocity->kind != NODE_MAPPING) return false;
  for (int k = 0; k < GUIDED_COMPONENTS; k++)
    if (case_tree_find(velocity, NAMES[k])) return true;
  return false;
}

static bool is_guide(const CaseNode *motion)
{
  if (!motion || motion->kind != NODE_MAPPING) return false;
  return case_tree_find(motion, "free") || case_tree_find(motion, "lock") ||
         is_by_component(case_tree_find(motion, "velocity"));
}

bool case_guide_takes(const CaseNode *entry)
{
  assert(entry != NULL && "a motion is that of an entry");
  return is_guide(case_tree_find(entry, "motion"));
}

// Bits of what each key names.
typedef struct {
  unsigned given, free, lock;
} Named;

// Where nothing but locks is told, other components are free; else what no key names is at rest.
static unsigned held_by(Named named)
{
  const bool locks_alone = named.lock && named.free == 0 && named.given == 0;
  return locks_alone ? named.lock : GUIDED_ALL & ~named.free;
}

// Bits of the components that the keys of a mapping, or the words of a list are.
static unsigned bits_of(const CaseNode *node)
{
  unsigned bits = 0;
  for (int i = 0; node && node->kind != NODE_SCALAR && i < node->count; i++)
    for (int k = 0; k < GUIDED_COMPONENTS; k++)
      if (node->kind == NODE_MAPPING ? strcmp(node->members[i]->key, NAMES[k]) == 0
                                     : case_value_is_word(node->members[i], NAMES[k]))
        bits |= 1U << k;
  return bits;
}

unsigned case_guide_held(const CaseNode *motion)
{
  assert(motion != NULL && "a motion is given");
  if (!is_guide(motion)) return GUIDED_ALL;
  const CaseNode *velocity = case_tree_find(motion, "velocity");
  return held_by((Named){is_by_component(velocity) ? bits_of(velocity) : 0,
                         bits_of(case_tree_find(motion, "free")),
                         bits_of(case_tree_find(motion, "lock"))});
}

// Bits of the components that a list names.
static unsigned read_names(CaseReader *reader, const CaseNode *node)
{
  unsigned bits = 0;
  if (!node) return bits;
  const CaseNode *list = case_value_list(reader, node, 1, "a list of x, y, z, rx, ry, rz");
  for (int i = 0; list && i < list->count && !reader->failed; i++) {
    char found[TREE_FOUND_BYTES];
    int k = 0;
    while (NAMES[k] && !case_value_is_word(list->members[i], NAMES[k])) k++;
    if (!NAMES[k])
      case_tree_fail(reader, list->members[i], "expected one of x, y, z, rx, ry, rz, found %s",
                     case_tree_found(list->members[i], found));
    else if (bits >> k & 1)
      case_tree_fail(reader, list->members[i], "'%s' stands here twice", NAMES[k]);
    else bits |= 1U << k;
  }
  return bits;
}

// -- functions of time
// ------------------------------------------------------------------------------

// A number along an axis.
static vec3 along(int axis, double number)
{
  assert(axis >= 0 && axis < 3 && "a vector has three components");
  return (vec3){axis == 0 ? number : 0, axis == 1 ? number : 0, axis == 2 ? number : 0};
}

static VectorTable table_along(const VectorTable *table, int axis, Arena *arena)
{
  VectorTable turned = *table;
  turned.samples = arena_allocate(arena, (size_t)table->count * sizeof *turned.samples);
  for (int i = 0; i < table->count; i++)
    turned.samples[i] =
        (VectorSample){table->samples[i].time, along(axis, table->samples[i].value.x)};
  return turned;
}

// Three functions of time of one number each, which is in x, as a vector.
static TimeVector merge(const TimeVector of[3], Arena *arena)
{
  TimeVector sum = {0};
  size_t room = 1;
  for (int axis = 0; axis < 3; axis++)
    room += (size_t)(of[axis].table_count + of[axis].cosine_count + of[axis].pulse_count);
  sum.tables = arena_allocate(arena, room * sizeof *sum.tables);
  sum.cosines = arena_allocate(arena, room * sizeof *sum.cosines);
  sum.pulses = arena_allocate(arena, room * sizeof *sum.pulses);
  for (int axis = 0; axis < 3; axis++) {
    for (int i = 0; i < of[axis].table_count; i++)
      sum.tables[sum.table_count++] = table_along(&of[axis].tables[i], axis, arena);
    for (int i = 0; i < of[axis].cosine_count; i++) {
      sum.cosines[sum.cosine_count] = of[axis].cosines[i];
      sum.cosines[sum.cosine_count++].amplitude = along(axis, of[axis].cosines[i].amplitude.x);
    }
    for (int i = 0; i < of[axis].pulse_count; i++) {
      sum.pulses[sum.pulse_count] = of[axis].pulses[i];
      sum.pulses[sum.pulse_count++].amplitude = along(axis, of[axis].pulses[i].amplitude.x);
    }
  }
  return sum;
}

// -- the motion
// ------------------------------------------------------------------------------------

// "x, ry"
static const char *list_names(unsigned bits, char *text, size_t bytes)
{
  const char *names[GUIDED_COMPONENTS];
  int count = 0;
  for (int k = 0; k < GUIDED_COMPONENTS; k++)
    if (bits >> k & 1) names[count++] = NAMES[k];
  case_value_join(names, count, text, bytes);
  return text;
}

enum { NAMES_BYTES = 48 };

static void refuse_both(CaseReader *reader, const CaseNode *node, unsigned both, const char *first,
                        const char *second)
{
  char text[NAMES_BYTES];
  if (both)
    case_tree_fail(reader, node,
                   "'%s' and '%s' both name %s: expected each component in one of them", first,
                   second, list_names(both, text, sizeof text));
}

// Keys that do not go with components.
static void refuse_others(CaseReader *reader, const CaseNode *motion)
{
  static const char *const others[] = {"acceleration", "spin", "angular_acceleration", "about",
                                       NULL};
  for (int k = 0; others[k]; k++) {
    const CaseNode *other = case_tree_find(motion, others[k]);
    if (other)
      case_tree_fail(reader, other,
                     "a motion by component has velocity (x, y, z, rx, ry, rz), free and lock, and "
                     "no '%s'",
                     others[k]);
  }
  const CaseNode *velocity = case_tree_find(motion, "velocity");
  if (velocity && !is_by_component(velocity))
    case_tree_fail(reader, velocity,
                   "as a vector it prescribes all components, and '%s' says otherwise: expected "
                   "'velocity' by component, as {x: 0.1}",
                   case_tree_find(motion, "free") ? "free" : "lock");
}

static unsigned held_of(CaseReader *reader, const CaseNode *motion, Named named)
{
  const unsigned unnamed = GUIDED_ALL & ~(named.given | named.free | named.lock);
  const CaseNode *lock = case_tree_find(motion, "lock");
  char text[NAMES_BYTES];
  if (lock && named.free == 0 && named.given != 0 && unnamed)
    case_tree_fail(reader, lock,
                   "beside 'velocity' it leaves %s, which are neither prescribed nor locked: name "
                   "them in 'lock', or in 'free'",
                   list_names(unnamed, text, sizeof text));
  return held_by(named);
}

// A start in a component that is held.
static void refuse_start(CaseReader *reader, const CaseNode *entry, unsigned held, bool turns)
{
  static const NumberRule any = {-INFINITY, INFINITY, "a number"};
  const CaseNode *start = case_tree_find(entry, turns ? "spin" : "velocity");
  if (reader->failed || !start) return;
  const vec3 v = case_value_vector(reader, start, &any, (vec3){0});
  const unsigned moving = (unsigned)((v.x != 0) | (v.y != 0) << 1 | (v.z != 0) << 2);
  const unsigned both = (turns ? moving << GUIDED_SPIN : moving) & held;
  char text[NAMES_BYTES];
  if (both)
    case_tree_fail(reader, start,
                   "the start of %s is 'motion''s to say, which does not leave it free",
                   list_names(both, text, sizeof text));
}

void case_guide_read(CaseReader *reader, const CaseNode *entry, const Case *c, BodyGroup *group)
{
  assert(c->step > 0 && group->motion == NULL && "the step is read before motions");
  static const char *const keys[] = {"velocity", "acceleration", "spin", "angular_acceleration",
                                     "about",    "free",         "lock", NULL};
  const CaseNode *node = case_tree_find(entry, "motion");
  if (!reader->failed && group->fixed) case_tree_fail(reader, node, "a fixed body has no motion");
  const CaseNode *motion = case_value_mapping(reader, node, keys);
  if (reader->failed) return;
  refuse_others(reader, motion);
  const CaseNode *velocity = case_value_mapping(reader, case_tree_find(motion, "velocity"), NAMES);
  const CaseNode *free = case_tree_find(motion, "free"), *lock = case_tree_find(motion, "lock");
  Named named = {0, read_names(reader, free), read_names(reader, lock)};
  TimeVector of[GUIDED_COMPONENTS] = {0};
  for (int k = 0; k < GUIDED_COMPONENTS && velocity; k++) {
    const CaseNode *component = case_tree_find(velocity, NAMES[k]);
    if (!component) continue;
    named.given |= 1U << k;
    of[k] = case_time_read(reader, component, k < GUIDED_SPIN ? TIME_SPEED : TIME_TURN, c);
  }
  refuse_both(reader, free, named.given & named.free, "velocity", "free");
  refuse_both(reader, lock, named.given & named.lock, "velocity", "lock");
  refuse_both(reader, lock, named.free & named.lock, "free", "lock");
  const unsigned held = held_of(reader, motion, named);
  if (!reader->failed && held == 0)
    case_tree_fail(reader, node, "all components are free: a body without 'motion' moves so");
  refuse_start(reader, entry, held, false);
  refuse_start(reader, entry, held, true);
  if (reader->failed) return;
  const TimeVector travel = merge(of, reader->arena),
                   turning = merge(of + GUIDED_SPIN, reader->arena);
  if (held == GUIDED_ALL) {
    Motion *whole = arena_allocate_zero(reader->arena, 1, sizeof *whole);
    whole->travel = travel;
    whole->turning = turning;
    group->motion = whole;
    return;
  }
  Guide *guide = arena_allocate(reader->arena, sizeof *guide);
  *guide = (Guide){held, travel, turning};
  group->guide = guide;
}
