// Reads the path and the patch of a wheel.
#include "case_wheel.h"

#include <assert.h>

#include "case_time.h"

static const NumberRule SIDE = {0, 1e9, "a side from 0 to 1e9 m"};
static const NumberRule SPEED = {1e-12, 1e9, "a speed from 1e-12 to 1e9 m/s"};
static const NumberRule START = {-1e12, 1e12, "a time from -1e12 to 1e12 s"};

// Points, and how far they are along the path.
static void read_path(CaseReader *reader, const CaseNode *wheel, const CaseNode *node,
                      const Case *c, LoadWheel *read)
{
  const CaseNode *list = case_value_list(reader, node, 1, "a list of places [[x, y, z], ...]");
  if (!list) return;
  const size_t count = (size_t)list->count;
  vec3 *points = arena_allocate(reader->arena, count * sizeof *points);
  double *along = arena_allocate(reader->arena, count * sizeof *along);
  along[0] = 0;
  for (size_t i = 0; i < count && !reader->failed; i++) {
    points[i] =
        case_value_vector(reader, list->members[i], &CASE_VALUE_COORDINATE, (vec3){0, 0, 0});
    if (i == 0) continue;
    along[i] = along[i - 1] + vec3_norm(vec3_sub(points[i], points[i - 1]));
    if (!reader->failed && !(along[i] > along[i - 1]))
      case_tree_fail(reader, list->members[i], "the place before it, and a wheel rolls on");
  }
  const CaseNode *speed = case_tree_find(wheel, "speed"), *start = case_tree_find(wheel, "start");
  if (count > 1) speed = case_value_require(reader, wheel, "speed");
  else if (speed || start)
    case_tree_fail(reader, speed ? speed : start, "of a path, and the wheel stands on one place");
  *read = (LoadWheel){.point_count = list->count,
                      .points = points,
                      .along = along,
                      .speed = case_value_number(reader, speed, &SPEED, 1),
                      .start = case_value_number(reader, start, &START, 0),
                      .origin = c->origin};
}

static void read_position(CaseReader *reader, const CaseNode *wheel, const CaseNode *node,
                          const Case *c, LoadWheel *read)
{
  static const char *const of_paths[] = {"speed", "start"};
  for (int k = 0; k < 2; k++) {
    const CaseNode *other = case_tree_find(wheel, of_paths[k]);
    if (other) case_tree_fail(reader, other, "of a 'path'; 'position' is a function of time");
  }
  read->position = case_time_read(reader, node, TIME_PLACE, c);
}

const LoadWheel *case_wheel_read(BodySelector *selector, const CaseNode *node, const CaseNode *on,
                                 const Case *c)
{
  assert(c->step > 0 && "the step is read before wheels");
  static const char *const keys[] = {"path",    "speed", "start", "position",
                                     "heading", "patch", NULL};
  static const char *const ways[] = {"path", "position", NULL};
  CaseReader *reader = selector->reader;
  const CaseNode *wheel = case_value_mapping(reader, node, keys);
  const int way = case_value_choice(reader, wheel, ways);
  if (way < 0) return NULL;
  LoadWheel *read = arena_allocate_zero(reader->arena, 1, sizeof *read);
  const CaseNode *where = case_tree_find(wheel, ways[way]),
                 *heading = case_tree_find(wheel, "heading"),
                 *patch = case_tree_find(wheel, "patch");
  if (way == 0) read_path(reader, wheel, where, c, read);
  else read_position(reader, wheel, where, c, read);
  double sides[2] = {0, 0};
  if (patch) case_value_numbers(reader, patch, &SIDE, 2, sides);
  read->length = sides[0];
  read->width = sides[1];
  if (reader->failed) return NULL;
  if (heading && read->point_count > 1)
    case_tree_fail(reader, heading, "the way of rolling, which the path gives itself");
  else if (!heading && read->point_count < 2 && sides[0] != sides[1])
    case_tree_fail(reader, patch,
                   "a patch that is longer one way than the other: give the wheel's 'heading'");
  read->heading = case_value_direction(reader, heading, (vec3){1, 0, 0});
  read->on = case_selection_read(selector, on, SELECTION_ALL);
  return read;
}
