// Turns bodies into world axes.
#include "poses.h"

#include <assert.h>

#include "check.h"
#include "part_pairs.h"

Poses poses_new(const DetectInput *in, const Box *boxes, Arena *arena)
{
  assert(in->bodies != NULL && in->mid != NULL && "bodies have places");
  const size_t rows = (size_t)in->bodies->table.count + 1;
  return (Poses){in, boxes, arena_allocate_zero(arena, rows, sizeof(PosedBody)), arena};
}

const PosedBody *poses_get(Poses *poses, int row)
{
  assert_debug(row >= 0 && row < poses->in->bodies->table.count && "a body has a row");
  PosedBody *posed = &poses->bodies[row];
  if (posed->shape) return posed;
  const Bodies *bodies = poses->in->bodies;
  const Shape *shape = shape_set_get(poses->in->shapes, bodies->shape[row]);
  SurfaceSet *bases = poses->in->bases;
  *posed = (PosedBody){.shape = shape,
                       .rotation = poses->in->mid[row].rotation,
                       .center = bodies->position[row],
                       .velocity = bodies->velocity[row],
                       .spin = bodies->spin[row]};
  if (bases) posed->surface = surface_set_get(bases, bodies->shape[row]);
  if (bases && bases->spheres) posed->sharp = surface_set_get_sharp(bases, bodies->shape[row]);
  // surfaces need no parts, but where bonds are made of patches or parts share volumes
  const bool shares = poses->in->volumes && !poses->in->inner;
  if (!bases || (poses->in->surfaces && (poses->in->surfaces->bonded || shares)))
    part_pairs_pose(posed, poses->arena);
  if (bodies->drive[row] == DRIVE_DYNAMIC)
    posed->velocity =
        vec3_axpy(poses->in->motion.step, poses->in->motion.acceleration, bodies->velocity[row]);
  if (poses->in->motion.changes) {
    const MotionChange change = poses->in->motion.changes[row];
    posed->velocity = vec3_add(posed->velocity, change.velocity);
    posed->spin = vec3_add(posed->spin, change.spin);
  }
  return posed;
}

const PosedBody *poses_get_volume(Poses *poses, int row)
{
  const PosedBody *posed = poses_get(poses, row);
  InnerSet *inner = poses->in->inner;
  if (inner && !posed->inner)
    poses->bodies[row].inner = inner_set_get(inner, poses->in->bodies->shape[row]);
  return posed;
}
