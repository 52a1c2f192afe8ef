// Rigid bodies: the first kind.
#include "rigid.h"

#include "check.h"
#include "frame_kind.h"
#include "rotation.h"

// torque-free rotation conserves angular momentum
static Twist free_velocity(const Bodies *bodies, int row, const RowForces *forces)
{
  assert_debug(forces->step > 0 && bodies->mass[row] > 0 && "a mass is moved for a time");
  const double h = forces->step;
  Twist free = {.v = vec3_axpy(h, forces->acceleration, bodies->velocity[row])};
  vec3 momentum = bodies->angular[row];
  if (forces->load) {
    free.v = vec3_axpy(h / bodies->mass[row], forces->load->force, free.v);
    momentum = vec3_axpy(h, forces->load->torque, momentum);
  }
  free.w = rotation_spin_of_momentum(forces->mid->rotation, forces->inertia, momentum, 0.5 * h,
                                     bodies->spin[row]);
  return free;
}

static void take_load(Bodies *bodies, int row, const RowForces *forces)
{
  assert_debug(forces->load != NULL && "a load is taken where one acts");
  bodies->angular[row] = vec3_axpy(forces->step, forces->load->torque, bodies->angular[row]);
}

// Angular momentum is changed by torques alone; the spin follows from it, however long a body
// tumbles.
static void end_velocity(Bodies *bodies, int row, const RowForces *forces, Twist found,
                         const Twist *free)
{
  bodies->velocity[row] = found.v;
  bodies->spin[row] =
      free ? free->w
           : rotation_spin_of_momentum(forces->mid->rotation, forces->inertia, bodies->angular[row],
                                       0.5 * forces->step, found.w);
}

static Momenta momenta(const Bodies *bodies, int row)
{
  const vec3 momentum = vec3_scale(bodies->mass[row], bodies->velocity[row]);
  return (Momenta){.energy = {0.5 * vec3_dot(momentum, bodies->velocity[row]),
                              0.5 * vec3_dot(bodies->angular[row], bodies->spin[row])},
                   .momentum = momentum,
                   .angular = {vec3_cross(bodies->position[row], momentum), bodies->angular[row]}};
}

static void surface(const Bodies *bodies, int row, const vec3 *reference, int count, vec3 *places)
{
  assert_debug(count >= 0 && "places are counted");
  const mat3 rotation = quat_to_mat3(bodies->orientation[row]);
  for (int k = 0; k < count; k++)
    places[k] = vec3_add(bodies->position[row], mat3_mul(rotation, reference[k]));
}

static vec3 arm(const Bodies *bodies, const MaterialPoint *point)
{
  (void)bodies;
  return point->arm;
}

const BodyKind kind_rigid = {.name = "rigid",
                             .in_lanes = true,
                             .move = frame_kind_move,
                             .free_velocity = free_velocity,
                             .take_load = take_load,
                             .end_velocity = end_velocity,
                             .momenta = momenta,
                             .surface = surface,
                             .arm = arm,
                             FRAME_KIND};
