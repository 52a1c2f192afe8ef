// Places the stones of an inlet, layer by layer.
#include "inlet.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "ground.h"
#include "phrase.h"
#include "scene.h"

#define INLET_MOST_CELLS 2147483648.0   // along a side: as many as there can be bodies
#define INLET_CLEARANCE 1.01            // way of a layer before the next one, in diameters
#define INLET_ROUNDING 1e-9             // relative: times and lengths that differ by less are equal

static uint64_t stones_a_layer(const Stones *s)
{
  assert_debug(s->cells[0] > 0 && s->cells[1] > 0 && "a layer has cells");
  return (uint64_t)s->cells[0] * (uint64_t)s->cells[1];
}

// How far stones get from the plane of their layer in a time; velocity and gravity are the
// components normal to it.
static double way(double velocity, double gravity, double time)
{
  return fabs(velocity * time + 0.5 * gravity * time * time);
}

// The time in which stones get that far, infinite where they never do.
static double time_to_leave(double velocity, double gravity, double distance)
{
  assert(!(distance < 0) && "stones leave by a way");
  const double v = fabs(velocity), g = fabs(gravity);
  if (v == 0 && g == 0) return INFINITY;
  const bool against = (velocity > 0 && gravity < 0) || (velocity < 0 && gravity > 0);
  if (!against) return 2 * distance / (v + sqrt(v * v + 2 * g * distance));
  // thrown against gravity: on the way there, or behind the plane after the return
  const double square = v * v - 2 * g * distance;
  if (square >= 0) return 2 * distance / (v + sqrt(square));
  return (v + sqrt(v * v + 2 * g * distance)) / g;
}

// Whole steps that last at least a time.
static double steps_of(double time, double step) { return ceil(time / step - INLET_ROUNDING); }

// The component of a vector along a unit normal; one of rounding is none.
static double component(vec3 normal, vec3 v)
{
  const double along = vec3_dot(normal, v);
  return fabs(along) > INLET_ROUNDING * vec3_norm(v) ? along : 0;
}

static const char *lay_cells(Stones *s, Arena *arena)
{
  assert(s->pitch > 0 && "stones have a size");
  for (int k = 0; k < 2; k++) {
    const double cells = floor(s->width[k] / s->pitch * (1 + INLET_ROUNDING));
    if (!(cells >= 1))
      return phrase_make(arena,
                         "inlet.size: %g by %g m has no room for the largest stones; they need "
                         "%.6g m along each side, the diameter of the sphere about them",
                         s->width[0], s->width[1], s->pitch);
    s->cells[k] = cells < INLET_MOST_CELLS ? (int64_t)cells : (int64_t)INLET_MOST_CELLS;
  }
  return NULL;
}

// Times of layers, when there are several.
static const char *lay_times(const BodyGroup *group, const GroupSetting *setting, Arena *arena,
                             double *steps)
{
  const Stones *s = group->stones;
  const vec3 normal = mat3_mul(quat_to_mat3(group->turn), (vec3){0, 0, 1});
  const double velocity = component(normal, group->velocity);
  const double gravity = component(normal, ground_gravity(setting->c, group->birth));
  const double needed = time_to_leave(velocity, gravity, INLET_CLEARANCE * s->pitch);
  const bool given = s->every > 0;

  // under gravity that changes, who gives a time knows better
  if (given && !ground_gravity_is_constant(setting->c)) {
    *steps = steps_of(s->every, setting->step);
    return NULL;
  }
  if (!(needed < INFINITY))
    return "inlet: neither velocity nor gravity moves a layer out of its plane; give a velocity";
  *steps = steps_of(given ? s->every : needed, setting->step);
  const double reached = way(velocity, gravity, *steps * setting->step);
  if (reached >= s->pitch * (1 - INLET_ROUNDING)) return NULL;
  return phrase_make(arena,
                     "inlet.every: in %g s a layer moves %.6g m out of its plane, and the next one "
                     "needs %.6g m; expected at least %.6g s, or a larger velocity",
                     *steps * setting->step, reached, s->pitch, needed);
}

const char *inlet_prepare(BodyGroup *group, const GroupSetting *setting, Arena *arena)
{
  assert(group->kind == GROUP_INLET && group->stones != NULL && "an inlet has stones");
  Stones *s = group->stones;
  const char *refusal = lay_cells(s, arena);
  if (refusal) return refusal;
  const uint64_t layers = (s->count - 1) / stones_a_layer(s) + 1;
  double steps = 1;
  if (layers > 1) refusal = lay_times(group, setting, arena, &steps);
  if (refusal) return refusal;
  if (steps < 1) steps = 1;
  if (!(group->birth / setting->step + (double)layers * steps < CASE_MOST_STEPS))
    return phrase_make(arena, "inlet: %g layers take too many steps of %g s", (double)layers,
                       setting->step);
  s->layer_time = steps * setting->step;
  return NULL;
}

InletCell inlet_cell(const BodyGroup *group, uint64_t index)
{
  assert_debug(group->kind == GROUP_INLET && "an inlet has layers");
  const Stones *s = group->stones;
  const uint64_t cell = index % stones_a_layer(s), nx = (uint64_t)s->cells[0];
  const vec3 sides = {s->width[0] / (double)s->cells[0], s->width[1] / (double)s->cells[1],
                      s->pitch};
  return (InletCell){.middle = {((double)(cell % nx) + 0.5) * sides.x - 0.5 * s->width[0],
                                ((double)(cell / nx) + 0.5) * sides.y - 0.5 * s->width[1], 0},
                     .sides = sides};
}

double inlet_birth(const BodyGroup *group, uint64_t index)
{
  assert_debug(group->kind == GROUP_INLET && "an inlet has layers");
  const Stones *s = group->stones;
  return group->birth + (double)(index / stones_a_layer(s)) * s->layer_time;
}
