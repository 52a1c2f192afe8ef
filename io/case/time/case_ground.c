// Reads the base and the tilt of a case.
#include "case_ground.h"

#include <assert.h>
#include <math.h>

#include "case_time.h"

#define MOST_ANGLE 1e5   // rad, that our sine takes

static void read_tilt(CaseReader *reader, Case *c)
{
  static const char *const keys[] = {"axis", "rate", "start", "to", NULL};
  static const NumberRule rate_rule = {-1e6, 1e6, "a rate from -1e6 to 1e6 degrees a second"};
  static const NumberRule start_rule = {0, 1e9, "a time from 0 to 1e9 s"};
  static const NumberRule to_rule = {0, 360, "an angle from 0 to 360 degrees"};
  const CaseNode *tilt = case_value_mapping(reader, case_tree_find(reader->root, "tilt"), keys);
  if (!tilt) return;
  const CaseNode *axis = case_value_require(reader, tilt, "axis"),
                 *rate = case_value_require(reader, tilt, "rate"), *to = case_tree_find(tilt, "to");
  c->tilt = (Tilt){
      .given = true,
      .axis = case_value_direction(reader, axis, (vec3){0}),
      .rate = case_value_angle(reader, rate, &rate_rule, 0),
      .start = case_value_number(reader, case_tree_find(tilt, "start"), &start_rule, 0),
      .origin = c->origin,
      .most = to ? case_value_angle(reader, to, &to_rule, 0) : INFINITY,
  };
  if (!reader->failed && !to && fabs(c->tilt.rate) * c->end > MOST_ANGLE)
    case_tree_fail(reader, rate, "the angle at time.end is beyond %g rad", MOST_ANGLE);
}

static void read_base(CaseReader *reader, Case *c)
{
  static const char *const keys[] = {"acceleration", "frame", NULL};
  const CaseNode *node = case_tree_find(reader->root, "base");
  const CaseNode *base = case_value_mapping(reader, node, keys);
  if (!base) return;
  const CaseNode *frame = case_tree_find(base, "frame"),
                 *acceleration = case_value_require(reader, base, "acceleration");
  const bool moving = case_value_is_word(frame, "moving");
  char found[TREE_FOUND_BYTES];
  if (frame && !moving && !case_value_is_word(frame, "world"))
    case_tree_fail(reader, frame, "expected 'world' or 'moving', found %s",
                   case_tree_found(frame, found));
  c->base = (Base){.given = true, .is_frame = moving, .line = case_tree_line(base)};
  c->base.motion.accelerated = true;
  c->base.motion.travel = case_time_read(reader, acceleration, TIME_ACCELERATION, c);
}

void case_ground_read(CaseReader *reader, Case *c)
{
  assert(!c->base.given && !c->tilt.given && "the ground is read once");
  read_tilt(reader, c);
  read_base(reader, c);
}
