// Rigid bodies: the first kind.
#include "rigid.h"

#include "check.h"
#include "kind.h"
#include "rotation.h"

static void move(Bodies *bodies, int row, Twist u, double time)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && "the case moves the others");
  bodies->position[row] = vec3_axpy(time, u.v, bodies->position[row]);
  bodies->orientation[row] = rotation_apply(bodies->orientation[row], u.w, time);
}

static void shift(Bodies *bodies, int row, Twist by) { move(bodies, row, by, 1); }

static void at_middle(const Bodies *bodies, int row, const mat3 *inertia, MidState *mid)
{
  assert_debug(bodies->mass[row] > 0 && "a body that moves has a mass");
  const mat3 r = quat_to_mat3(bodies->orientation[row]);
  mid->rotation = r;
  mid->inverse_mass = 1 / bodies->mass[row];
  mid->inverse_inertia = mat3_mul_mat(r, mat3_mul_mat(mat3_inverse(*inertia), mat3_transpose(r)));
}

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

static MotionMass mass(const Bodies *bodies, int row, const MidState *mid)
{
  (void)bodies;
  (void)row;
  return (MotionMass){1 / mid->inverse_mass, mat3_inverse(mid->inverse_inertia)};
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

static vec3 velocity(const MaterialPoint *point, Twist u) { return rigid_velocity(u, point->arm); }

static void push(const MaterialPoint *point, const MidState *mid, vec3 impulse, double sign,
                 Twist *u)
{
  *u = rigid_push(*u, mid, impulse, point->arm, sign);
}

static sym3 delassus(const MaterialPoint *point, const MidState *mid, const mat3 *basis)
{
  const double mass = mid->inverse_mass;
  sym3 w = {mass, 0, 0, mass, 0, mass};
  rigid_add_turning(mid, basis, point->arm, &w);
  return w;
}

static void take_impulse(Bodies *bodies, const MaterialPoint *point, vec3 impulse, double sign)
{
  rigid_take_impulse(&bodies->angular[point->row], impulse, point->arm, sign);
}

const BodyKind kind_rigid = {.name = "rigid",
                             .in_lanes = true,
                             .move = move,
                             .shift = shift,
                             .at_middle = at_middle,
                             .free_velocity = free_velocity,
                             .take_load = take_load,
                             .end_velocity = end_velocity,
                             .momenta = momenta,
                             .mass = mass,
                             .surface = surface,
                             .arm = arm,
                             .velocity = velocity,
                             .push = push,
                             .delassus = delassus,
                             .take_impulse = take_impulse};
