// Gravity in the axes of the case: tilted, and with the inertia of a moving frame.
#include "ground.h"

#include <assert.h>
#include <math.h>

#include "trig.h"

// Whether the base is the frame that the case is seen in.
static bool is_shaken(const Case *c) { return c->base.given && c->base.is_frame; }

// A ground that turns one way sees gravity turn the other way.
static vec3 tilted(const Tilt *tilt, vec3 gravity, double time)
{
  assert(tilt->most >= 0 && "an angle has a size");
  const double since = time - (tilt->origin ? *tilt->origin : 0) - tilt->start;
  if (!(since > 0)) return gravity;
  const double turned = tilt->rate * since;
  const double angle = fmin(fmax(turned, -tilt->most), tilt->most);
  const double c = trig_cos(angle), s = trig_sin(angle);
  const vec3 along = vec3_scale(vec3_dot(tilt->axis, gravity), tilt->axis);
  const vec3 across = vec3_cross(gravity, tilt->axis);
  return vec3_axpy(s, across, vec3_axpy(c, vec3_sub(gravity, along), along));
}

vec3 ground_gravity(const Case *c, double time)
{
  assert((!c->base.given || c->base.motion.accelerated) && "a base has an acceleration");
  vec3 gravity = time_vector_at(&c->gravity, time);
  if (c->tilt.given) gravity = tilted(&c->tilt, gravity, time);
  if (is_shaken(c)) gravity = vec3_sub(gravity, time_vector_at(&c->base.motion.travel, time));
  return gravity;
}

double ground_gravity_bound(const Case *c)
{
  const double inertia = is_shaken(c) ? time_vector_bound(&c->base.motion.travel) : 0;
  return time_vector_bound(&c->gravity) + inertia;
}

bool ground_gravity_is_constant(const Case *c)
{
  return !c->tilt.given && time_vector_is_constant(&c->gravity) &&
         (!is_shaken(c) || time_vector_is_constant(&c->base.motion.travel));
}

bool ground_moves(const Case *c) { return c->base.given && !c->base.is_frame; }
