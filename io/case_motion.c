#include "case_motion.h"

#include "case_time.h"

// One of two keys, by value or by its rate; true for the second. Refuses both, and a start in the
// entry where there is nothing to start.
static bool read_rate(CaseReader *reader, const CaseNode *entry, const CaseNode *motion,
                      const char *value, const char *rate, const Case *c, TimeVector *vector)
{
  const CaseNode *by_value = tree_find(motion, value), *by_rate = tree_find(motion, rate);
  const CaseNode *start = tree_find(entry, value);
  if (by_value && by_rate)
    tree_fail(reader, motion, "expected one of '%s' and '%s', found both", value, rate);
  else if (start && !by_rate)
    tree_fail(reader, start,
              "the motion of this body is prescribed; '%s' beside it is the start of "
              "'motion.%s', which is not given",
              value, rate);
  *vector = case_read_time_vector(reader, by_value ? by_value : by_rate, &VALUE_RATE, c);
  return by_rate != NULL;
}

const Motion *case_read_motion(CaseReader *reader, const CaseNode *entry, const Case *c,
                               const BodyGroup *group)
{
  static const char *const keys[] = {
      "velocity", "acceleration", "spin", "angular_acceleration", "about", NULL};
  const CaseNode *node = tree_find(entry, "motion");
  if (reader->failed || !node) return NULL;
  if (group->fixed) tree_fail(reader, node, "a fixed body has no motion");
  const CaseNode *motion = value_mapping(reader, node, keys);
  if (!motion) return NULL;
  const bool travels = tree_find(motion, "velocity") || tree_find(motion, "acceleration");
  const bool turns = tree_find(motion, "spin") || tree_find(motion, "angular_acceleration");
  const CaseNode *about = tree_find(motion, "about");
  if (!travels && !turns)
    tree_fail(reader, node,
              "expected 'velocity' or 'acceleration', 'spin' or 'angular_acceleration', found "
              "none; 'fixed: true' is for a body that rests");
  else if (about && !turns)
    tree_fail(reader, about, "the point that the body turns about, and nothing turns it");
  Motion *read = arena_allocate_zero(reader->arena, 1, sizeof *read);
  read->accelerated =
      read_rate(reader, entry, motion, "velocity", "acceleration", c, &read->travel);
  read->spun_up =
      read_rate(reader, entry, motion, "spin", "angular_acceleration", c, &read->turning);
  read->has_about = about != NULL;
  read->about = value_vector(reader, about, &VALUE_COORDINATE, (vec3){0});
  return read;
}
