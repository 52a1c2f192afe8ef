// The base that moves all fixed bodies: what contradicts it, and where it is.
#include "shaken_base.h"

#include <assert.h>
#include <math.h>

#include "ground.h"
#include "group.h"
#include "kind.h"
#include "parallel.h"
#include "phrase.h"
#include "scene.h"

// Whether the base has a body to move.
static bool has_fixed(const Case *c)
{
  for (int i = 0; i < c->group_count; i++) {
    const GroupSize size = group_size(&c->groups[i]);
    if (c->groups[i].fixed || (!c->groups[i].motion && size.total > size.dynamic)) return true;
  }
  return false;
}

const char *shaken_base_check(const Case *c)
{
  assert(c->body_count > 0 && "a case is prepared");
  if (!ground_moves(c)) return NULL;
  const char *path = c->path ? c->path : "case", *reason = NULL;
  if (c->servo_count > 0)
    return phrase_make(
        c->arena,
        "%s:%d: base: the servo of line %d keeps its body to a speed in space, which "
        "does not move with the base: give 'frame: moving'",
        path, c->base.line, c->servos[0].line);
  if (!has_fixed(c))
    reason = "no body is fixed, so that it moves none: fix one, or give 'frame: moving'";
  else if (scene_next_birth(c, 1) != SCENE_NEVER)
    reason = "bodies that appear later do not know where it is by then: give 'frame: moving'";
  for (int i = 0; i < c->joint_row_count && !reason; i++)
    if (c->joint_rows[i].bodies.high == BODIES_SPACE)
      reason = "space, which joints hold on to, does not move with it: give 'frame: moving', or a "
               "fixed body in its place";
  return reason ? phrase_make(c->arena, "%s:%d: base: %s", path, c->base.line, reason) : NULL;
}

bool shaken_base_has_moved(const Case *stage) { return stage->shaken || ground_moves(stage); }

vec3 shaken_base_displacement(const Case *stage, const Bodies *bodies, const vec3 *since,
                              ShapeSet *shapes)
{
  assert(bodies->table.owned >= 0 && "bodies are counted");
  vec3 moved = {0, 0, 0};
  // where a stage does not move it, it stays where one before left it
  const Case *c = stage->shaken && !since ? stage->shaken : stage;
  if (!ground_moves(c)) return moved;
  // all have moved alike: the one with the lowest id speaks for them
  double lowest = INFINITY;
  for (int i = 0; i < bodies->table.owned; i++) {
    const bool led = bodies->drive[i] != DRIVE_DYNAMIC || kind_founded(bodies, i);
    if (!led || (double)bodies->id[i] >= lowest) continue;
    const BodyRecipe recipe = scene_body(c, bodies->id[i]);
    if (recipe.motion != &c->base.motion) continue;
    lowest = (double)bodies->id[i];
    const LoadStart start = scene_recipe_start(&recipe, shape_set_get(shapes, recipe.shape));
    moved = vec3_sub(bodies->position[i], since ? since[i] : start.centre);
  }
  const double first = par_min(lowest);
  double values[3] = {-INFINITY, -INFINITY, -INFINITY};
  if (first == lowest && lowest < INFINITY) {
    values[0] = moved.x;
    values[1] = moved.y;
    values[2] = moved.z;
  }
  par_max_many(values, 3);
  return first < INFINITY ? (vec3){values[0], values[1], values[2]} : (vec3){0, 0, 0};
}
