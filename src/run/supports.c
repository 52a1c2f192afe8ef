// Measures joints that open and forces on supports.
#include "supports.h"

#include <assert.h>
#include <math.h>

#include "exact_sum.h"
#include "parallel.h"

// ------------------------------------------------------------------------------------------------
// Openings.

#define GONE 1e30   // m: a body has left, and JSON has no infinity

FrameBody supports_body(const Case *c, JointEnd end)
{
  assert(end.group >= 0 && end.group < c->group_count && "a body has a group");
  const uint64_t id = c->groups[end.group].first_id + end.index;
  const BodyRecipe recipe = scene_body(c, id);
  return (FrameBody){.id = id, .drive = recipe.drive, .shape = recipe.shape};
}

WatchedJoint supports_watch(const Case *c, const JointEnd ends[2], ShapeSet *shapes)
{
  assert(shapes != NULL && "bodies have shapes");
  const FrameBody a = supports_body(c, ends[0]), b = supports_body(c, ends[1]);
  const bool sorted = a.id < b.id;
  WatchedJoint joint = {
      .pair = {.bodies = id_pair_of(a.id, b.id), .low = sorted ? a : b, .high = sorted ? b : a}};
  const FramePairs pairs = {.count = 1, .of = &joint.pair};
  put_joints_follow(&joint.put, &pairs, c, shapes);
  return joint;
}

void supports_forget(WatchedJoint *joint) { put_joints_end(&joint->put); }

bool supports_touch(const WatchedJoint *joint)
{
  assert(joint->put.count == 1 && "a joint is watched");
  return joint->put.of[0].count > 0;
}

void supports_fill_pose(const Bodies *b, uint64_t id, double pose[POSE_NUMBERS])
{
  assert(b->table.owned >= 0 && "bodies are counted");
  const int row = bodies_find(b, id);
  const bool own = row >= 0 && row < b->table.owned;
  const vec3 x = own ? b->position[row] : (vec3){0};
  const quat q = own ? b->orientation[row] : quat_identity();
  const double numbers[POSE_NUMBERS] = {x.x, x.y, x.z, q.w, q.x, q.y, q.z};
  for (int i = 0; i < POSE_NUMBERS; i++) pose[i] = own ? numbers[i] : -INFINITY;
}

void supports_read_pose(const double pose[POSE_NUMBERS], FrameBody *body)
{
  assert(pose != NULL && body != NULL && "a body has a pose");
  body->there = pose[0] > -INFINITY;
  body->position = (vec3){pose[0], pose[1], pose[2]};
  body->orientation = (quat){pose[3], pose[4], pose[5], pose[6]};
}

double supports_opening(World *world, const OpeningLimit *limit)
{
  assert(limit->most > 0 && "an opening is asked for");
  WatchedJoint joint = supports_watch(world->whole, limit->ends, &world->shapes);
  FramePair *pair = &joint.pair;
  double poses[2 * POSE_NUMBERS];
  supports_fill_pose(&world->bodies, pair->bodies.low, poses);
  supports_fill_pose(&world->bodies, pair->bodies.high, poses + POSE_NUMBERS);
  par_max_many(poses, 2 * POSE_NUMBERS);
  supports_read_pose(poses, &pair->low);
  supports_read_pose(poses + POSE_NUMBERS, &pair->high);
  double opening = GONE;
  if (pair->low.there && pair->high.there) opening = put_joints_motion(&joint.put, 0, pair).opening;
  supports_forget(&joint);
  return opening;
}

// ------------------------------------------------------------------------------------------------
// Forces.

// Adds an impulse on the lower of two bodies, N s, where one of them alone is asked for.
static void add_impulse(const World *world, const ForceLimit *limit, IdPair bodies, vec3 impulse,
                        ExactSum *sums)
{
  const bool low = scene_selects(world->c, &limit->on, bodies.low),
             high = scene_selects(world->c, &limit->on, bodies.high);
  if (low == high) return;
  const vec3 on = low ? impulse : vec3_scale(-1, impulse);
  exact_sum_add(&sums[0], on.x);
  exact_sum_add(&sums[1], on.y);
  exact_sum_add(&sums[2], on.z);
}

double supports_force(const World *world, const ForceLimit *limit)
{
  assert(limit->on.count > 0 && "a force is on bodies");
  const Contacts *contacts = &world->contacts;
  const Volumes *volumes = &world->volumes;
  ExactSum sums[3] = {exact_sum_new(), exact_sum_new(), exact_sum_new()};
  for (int i = 0; i < contacts->table.owned; i++) {
    const vec3 r = contacts->reaction[i];
    if (r.x == 0 && r.y == 0 && r.z == 0) continue;
    const vec3 on_low = mat3_mul_transposed(contacts_basis(contacts->normal[i]), r);
    add_impulse(world, limit, contacts->bodies[i], on_low, sums);
  }
  for (int i = 0; i < volumes->table.owned; i++)
    add_impulse(world, limit, volumes->bodies[i], volumes->impulse[i], sums);
  exact_sum_reduce(sums, 3);
  const vec3 all = {exact_sum_value(&sums[0]), exact_sum_value(&sums[1]),
                    exact_sum_value(&sums[2])};
  return vec3_norm(all) / world->c->step;
}
