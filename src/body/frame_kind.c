// A body frame that moves as a rigid body.
#include "frame_kind.h"

#include "check.h"
#include "rigid.h"
#include "rotation.h"

void frame_kind_move(Bodies *bodies, int row, Twist u, double time)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && "the case moves the others");
  bodies->position[row] = vec3_axpy(time, u.v, bodies->position[row]);
  bodies->orientation[row] = rotation_apply(bodies->orientation[row], u.w, time);
}

void frame_kind_shift(Bodies *bodies, int row, Twist by)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  frame_kind_move(bodies, row, by, 1);
}

void frame_kind_at_middle(const Bodies *bodies, int row, const mat3 *inertia, MidState *mid)
{
  assert_debug(bodies->mass[row] > 0 && "a body that moves has a mass");
  const mat3 r = quat_to_mat3(bodies->orientation[row]);
  mid->rotation = r;
  mid->inverse_mass = 1 / bodies->mass[row];
  mid->inverse_inertia = mat3_mul_mat(r, mat3_mul_mat(mat3_inverse(*inertia), mat3_transpose(r)));
}

MotionMass frame_kind_mass(const Bodies *bodies, int row, const MidState *mid)
{
  (void)bodies;
  (void)row;
  return (MotionMass){1 / mid->inverse_mass, mat3_inverse(mid->inverse_inertia)};
}

vec3 frame_kind_velocity(const MaterialPoint *point, Twist u)
{
  return rigid_velocity(u, point->arm);
}

void frame_kind_push(const MaterialPoint *point, const MidState *mid, vec3 impulse, double sign,
                     Twist *u)
{
  *u = rigid_push(*u, mid, impulse, point->arm, sign);
}

sym3 frame_kind_delassus(const MaterialPoint *point, const MidState *mid, const mat3 *basis)
{
  const double mass = mid->inverse_mass;
  sym3 w = {mass, 0, 0, mass, 0, mass};
  rigid_add_turning(mid, basis, point->arm, &w);
  return w;
}

void frame_kind_take_impulse(Bodies *bodies, const MaterialPoint *point, vec3 impulse, double sign)
{
  rigid_take_impulse(&bodies->angular[point->row], impulse, point->arm, sign);
}
