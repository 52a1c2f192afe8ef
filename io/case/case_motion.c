// Reads the prescribed motion of an entry of the list of bodies.
#include "case_motion.h"

#include <assert.h>
#include <string.h>

#include "case_time.h"

// One of two keys, by value or by its rate; true for the second. Refuses both, and a start in the
// entry where there is nothing to start.
static bool read_rate(CaseReader *reader, const CaseNode *entry, const CaseNode *motion,
                      const char *value, const char *rate, const Case *c, TimeVector *vector)
{
  assert(vector != NULL && strcmp(value, rate) != 0 && "a value and its rate are two keys");
  const CaseNode *by_value = case_tree_find(motion, value), *by_rate = case_tree_find(motion, rate);
  const CaseNode *start = case_tree_find(entry, value);
  if (by_value && by_rate)
    case_tree_fail(reader, motion, "expected one of '%s' and '%s', found both", value, rate);
  else if (start && !by_rate)
    case_tree_fail(reader, start,
                   "the motion of this body is prescribed; '%s' beside it is the start of "
                   "'motion.%s', which is not given",
                   value, rate);
  const bool turns = strcmp(value, "spin") == 0;
  *vector = by_value
                ? case_time_read(reader, by_value, turns ? TIME_SPIN : TIME_VELOCITY, c)
                : case_time_read(reader, by_rate, turns ? TIME_SPIN_RATE : TIME_ACCELERATION, c);
  return by_rate != NULL;
}

const Motion *case_read_motion(CaseReader *reader, const CaseNode *entry, const Case *c,
                               const BodyGroup *group)
{
  assert(c->step > 0 && "the step is read before motions");
  static const char *const keys[] = {"velocity", "acceleration", "spin", "angular_acceleration",
                                     "about",    "free",         "lock", NULL};
  const CaseNode *node = case_tree_find(entry, "motion");
  if (reader->failed || !node) return NULL;
  if (group->fixed) case_tree_fail(reader, node, "a fixed body has no motion");
  const CaseNode *motion = case_value_mapping(reader, node, keys);
  if (!motion) return NULL;
  const bool travels = case_tree_find(motion, "velocity") || case_tree_find(motion, "acceleration");
  const bool turns =
      case_tree_find(motion, "spin") || case_tree_find(motion, "angular_acceleration");
  const CaseNode *about = case_tree_find(motion, "about");
  if (!travels && !turns)
    case_tree_fail(reader, node,
                   "expected 'velocity' or 'acceleration', 'spin' or 'angular_acceleration', found "
                   "none; 'fixed: true' is for a body that rests");
  else if (about && !turns)
    case_tree_fail(reader, about, "the point that the body turns about, and nothing turns it");
  Motion *read = arena_allocate_zero(reader->arena, 1, sizeof *read);
  read->accelerated =
      read_rate(reader, entry, motion, "velocity", "acceleration", c, &read->travel);
  read->spun_up =
      read_rate(reader, entry, motion, "spin", "angular_acceleration", c, &read->turning);
  read->has_about = about != NULL;
  read->about = case_value_vector(reader, about, &CASE_VALUE_COORDINATE, (vec3){0});
  return read;
}
