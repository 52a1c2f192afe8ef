// Moves bodies with a prescribed motion.
#include "prescribed.h"

#include <assert.h>

#include "check.h"
#include "kind.h"
#include "rotation.h"
#include "scene.h"

// A prescribed row and what the case says of it.
typedef struct {
  const Motion *motion;   // NULL: of a foundation that rests
  vec3 arm;               // from the point that travels to the centre of mass, body axes, m
} Driven;

bool prescribed_row(const Bodies *bodies, int row)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  return bodies->drive[row] == DRIVE_PRESCRIBED || kind_founded(bodies, row);
}

static Driven driven_row(World *world, int row)
{
  assert_debug(prescribed_row(&world->bodies, row) && "the case moves the body");
  const Bodies *b = &world->bodies;
  const BodyRecipe recipe = scene_body(world->c, b->id[row]);
  assert_debug((recipe.motion || kind_founded(b, row)) && "what the case moves has a motion");
  Driven driven = {recipe.motion, {0, 0, 0}};
  if (!recipe.motion || !recipe.motion->has_about) return driven;
  const mat3 turn = quat_to_mat3(recipe.turn);
  const Shape *shape = shape_set_get(&world->shapes, recipe.shape);
  const vec3 center = vec3_add(recipe.origin, mat3_mul(turn, shape->center));
  driven.arm = mat3_mul_transposed(turn, vec3_sub(center, recipe.motion->about));
  return driven;
}

static vec3 arm_now(const Bodies *bodies, int row, const Driven *driven)
{
  return mat3_mul(quat_to_mat3(bodies->orientation[row]), driven->arm);
}

// velocity of the centre of mass from that of the point, and back
static vec3 of_center(Twist point, vec3 arm) { return vec3_add(point.v, vec3_cross(point.w, arm)); }
static vec3 of_point(Twist center, vec3 arm)
{
  return vec3_sub(center.v, vec3_cross(center.w, arm));
}

typedef struct {
  Twist start, end;   // of the point that travels
} PointMotion;

// Velocities of the point at both ends of the coming step. A velocity is that of the case at these
// times; an acceleration acts like gravity, with its value at the middle.
static PointMotion point_motion(const World *world, int row, const Driven *driven)
{
  const Bodies *b = &world->bodies;
  const Motion *m = driven->motion;
  const double h = world_interval(world);
  PointMotion p = {.start = {.v = {0, 0, 0}}};
  if (!m) return p;
  if (m->spun_up) {
    p.start.w = b->spin[row];
    p.end.w = vec3_axpy(h, time_vector_at(&m->turning, world_time(world, 0.5)), p.start.w);
  } else {
    p.start.w = time_vector_at(&m->turning, world_time(world, 0));
    p.end.w = time_vector_at(&m->turning, world_time(world, 1));
  }
  if (m->accelerated) {
    p.start.v = of_point((Twist){b->velocity[row], b->spin[row]}, arm_now(b, row, driven));
    p.end.v = vec3_axpy(h, time_vector_at(&m->travel, world_time(world, 0.5)), p.start.v);
  } else {
    p.start.v = time_vector_at(&m->travel, world_time(world, 0));
    p.end.v = time_vector_at(&m->travel, world_time(world, 1));
  }
  return p;
}

// Half a step with the velocities of the point; the centre of mass stays on its circle about it.
static void move_half(World *world, int row, const Driven *driven, Twist point)
{
  assert_debug(world_interval(world) > 0 && "time goes on");
  Bodies *b = &world->bodies;
  const double half = 0.5 * world_interval(world);
  const vec3 before = arm_now(b, row, driven);
  b->orientation[row] = rotation_apply(b->orientation[row], point.w, half);
  const vec3 place = vec3_axpy(half, point.v, vec3_sub(b->position[row], before));
  b->position[row] = vec3_add(place, arm_now(b, row, driven));
}

static void set_velocities(World *world, int row, Twist point, vec3 arm)
{
  Bodies *b = &world->bodies;
  b->velocity[row] = of_center(point, arm);
  b->spin[row] = point.w;
  b->angular[row] = rotation_momentum(b->orientation[row], point.w,
                                      motion_inertia(b, row, &world->shapes, world->densities));
}

void prescribed_begin(World *world, int row)
{
  assert(row >= 0 && row < world->bodies.table.owned && "an own row");
  assert(prescribed_row(&world->bodies, row) && "the case moves the body");
  const Bodies *b = &world->bodies;
  const Driven driven = driven_row(world, row);
  const Motion *m = driven.motion;
  const double time = world_time(world, 0);
  const Twist point = {m->accelerated ? b->velocity[row] : time_vector_at(&m->travel, time),
                       m->spun_up ? b->spin[row] : time_vector_at(&m->turning, time)};
  set_velocities(world, row, point, arm_now(b, row, &driven));
}

MotionChange prescribed_change(World *world, int row)
{
  assert_debug(row >= 0 && row < world->bodies.table.count && "a row of the table");
  const Bodies *b = &world->bodies;
  const Driven driven = driven_row(world, row);
  const PointMotion p = point_motion(world, row, &driven);
  const vec3 arm = arm_now(b, row, &driven);
  const double h = world_interval(world);

  // on a circle the velocity at the middle of the step differs from that at its start by at most
  // h/2 w^2 times the radius, the way by less than h times that
  const double spin = vec3_norm(p.start.w) + vec3_norm(p.end.w);
  return (MotionChange){vec3_sub(of_center(p.end, arm), b->velocity[row]),
                        vec3_sub(p.end.w, b->spin[row]), h * h * spin * spin * vec3_norm(arm)};
}

// Does the case move any body?
static bool any_driven(const World *world)
{
  assert_debug(world->c->motion_count >= 0 && "motions are counted");
  return world->c->motion_count > 0 || world->c->founded;
}

void prescribed_first_half(World *world, MidState *mid, Twist *start, Twist *end)
{
  assert((!any_driven(world) || (mid != NULL && start != NULL && end != NULL)) &&
         "every row has a state at the middle");
  if (!any_driven(world)) return;
  Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.count; i++) {
    if (!prescribed_row(b, i)) continue;
    const Driven driven = driven_row(world, i);
    const PointMotion p = point_motion(world, i, &driven);
    move_half(world, i, &driven, p.start);
    if (kind_founded(b, i)) {
      const mat3 inertia = motion_inertia(b, i, &world->shapes, world->densities);
      kind_foundation.at_middle(b, i, &inertia, &mid[i]);
    } else {
      mid[i] = (MidState){.rotation = quat_to_mat3(b->orientation[i])};
    }
    const vec3 arm = arm_now(b, i, &driven);
    start[i] = (Twist){of_center(p.start, arm), p.start.w};
    end[i] = (Twist){of_center(p.end, arm), p.end.w};
  }
}

void prescribed_second_half(World *world, const Twist *end)
{
  assert((!any_driven(world) || end != NULL) && "rows have velocities at the end");
  if (!any_driven(world)) return;
  const Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.owned; i++) {
    if (!prescribed_row(b, i)) continue;
    const Driven driven = driven_row(world, i);
    const Twist point = {of_point(end[i], arm_now(b, i, &driven)), end[i].w};
    move_half(world, i, &driven, point);
    set_velocities(world, i, point, arm_now(b, i, &driven));
  }
}

const HeldMotion *prescribed_hold(World *world, const Twist *start, const Twist *end, Arena *arena)
{
  assert((!world->c->founded || (start != NULL && end != NULL)) && "frames have velocities");
  if (!world->c->founded) return NULL;
  const Bodies *b = &world->bodies;
  HeldMotion *all = arena_allocate_zero(arena, (size_t)b->table.count + 1, sizeof *all);
  for (int i = 0; i < b->table.count; i++) {
    if (!kind_founded(b, i)) continue;
    const Driven driven = driven_row(world, i);
    const vec3 w = vec3_scale(0.5, vec3_add(start[i].w, end[i].w));
    const vec3 turning = vec3_cross(w, vec3_cross(w, arm_now(b, i, &driven)));
    all[i] = (HeldMotion){.held = GUIDED_ALL, .end = end[i], .start = start[i], .turning = turning};
  }
  return all;
}
