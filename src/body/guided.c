// Guided bodies: the third kind. M^-1 is zero in the held components, so that no impulse changes
// them.
#include "guided.h"

#include <assert.h>

#include "kind.h"
#include "rigid.h"
#include "rotation.h"

#define SPIN_ITERATIONS 50   // as of free bodies

static double *number_of(mat3 *m, int row, int column)
{
  vec3 *of = &m->row[row];
  return column == 0 ? &of->x : column == 1 ? &of->y : &of->z;
}

// Rows and columns of held axes become zero, with a number on the diagonal.
static mat3 without_held(mat3 m, unsigned spin_held, double diagonal)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if ((spin_held >> i | spin_held >> j) & 1) *number_of(&m, i, j) = i == j ? diagonal : 0;
  return m;
}

mat3 guided_inverse(mat3 rotation, mat3 inertia, unsigned held)
{
  assert_debug(inertia.row[0].x > 0 && "every axis has inertia");
  const unsigned spin_held = held >> GUIDED_SPIN;
  const mat3 turned = mat3_mul_mat(rotation, mat3_mul_mat(inertia, mat3_transpose(rotation)));
  const mat3 world = mat3_scale(0.5, mat3_add(turned, mat3_transpose(turned)));
  const mat3 inverse = mat3_inverse(without_held(world, spin_held, inertia.row[0].x));
  return without_held(inverse, spin_held, 0);
}

mat3 guided_filled(mat3 inverse, unsigned held, double scale)
{
  assert_debug(scale > 0 && "what stands for a mass is above zero");
  for (int i = 0; i < 3; i++)
    if (guided_holds(held, GUIDED_SPIN + i)) *number_of(&inverse, i, i) = scale;
  return inverse;
}

vec3 guided_spin(const GuidedSpin *of, vec3 guess, vec3 *momentum)
{
  assert_debug(!(of->half_step < 0) && momentum != NULL && "time goes on");
  const unsigned spin_held = of->held >> GUIDED_SPIN;
  const mat3 inertia =
      mat3_mul_mat(of->rotation, mat3_mul_mat(of->inertia, mat3_transpose(of->rotation)));
  vec3 w = guided_mix(spin_held, guess, of->given), best = w;
  double last = INFINITY;
  for (int i = 0; i < SPIN_ITERATIONS; i++) {
    // Newton with d/dw [exp(h/2 w) I w] ~ I - h/2 [exp(h/2 w) I w]x
    const vec3 turned = rotation_turn(vec3_scale(of->half_step, w), mat3_mul(inertia, w));
    const vec3 miss = guided_free(spin_held, vec3_sub(of->momentum, turned));
    const double size = vec3_norm(miss);
    if (!(size < last)) break;
    best = w;
    *momentum = turned;
    last = size;
    if (size == 0) break;
    const mat3 slope = mat3_add(inertia, mat3_scale(-of->half_step, mat3_skew(turned)));
    const mat3 free = without_held(slope, spin_held, of->inertia.row[0].x);
    w = vec3_add(w, guided_free(spin_held, mat3_mul(mat3_inverse(free), miss)));
  }
  return best;
}

void guided_take_out(unsigned row_held, unsigned column_held, double *block)
{
  assert_debug(row_held <= GUIDED_ALL && column_held <= GUIDED_ALL && "components have bits");
  for (int i = 0; i < GUIDED_COMPONENTS; i++)
    for (int j = 0; j < GUIDED_COMPONENTS; j++)
      if (guided_holds(row_held, i) || guided_holds(column_held, j))
        block[GUIDED_COMPONENTS * i + j] = 0;
}

// ------------------------------------------------------------------------------------------------
// The kind.

static void move(Bodies *bodies, int row, Twist u, double time)
{
  kind_rigid.move(bodies, row, u, time);
}

static void shift(Bodies *bodies, int row, Twist by) { kind_rigid.move(bodies, row, by, 1); }

static void at_middle(const Bodies *bodies, int row, const mat3 *inertia, MidState *mid)
{
  assert_debug(bodies->mass[row] > 0 && "a body that moves has a mass");
  mid->rotation = quat_to_mat3(bodies->orientation[row]);
  mid->inverse_mass = 1 / bodies->mass[row];
  mid->inverse_inertia = guided_inverse(mid->rotation, *inertia, kind_held(bodies, row));
}

static GuidedSpin spin_of(const RowForces *forces, vec3 momentum)
{
  return (GuidedSpin){.rotation = forces->mid->rotation,
                      .inertia = forces->inertia,
                      .momentum = momentum,
                      .given = forces->held->end.w,
                      .half_step = 0.5 * forces->step,
                      .held = forces->held->held};
}

static Twist free_velocity(const Bodies *bodies, int row, const RowForces *forces)
{
  assert(forces->held != NULL && "a guide says what it holds");
  const double h = forces->step;
  vec3 v = vec3_axpy(h, forces->acceleration, bodies->velocity[row]);
  vec3 momentum = bodies->angular[row];
  if (forces->load) {
    v = vec3_axpy(h / bodies->mass[row], forces->load->force, v);
    momentum = vec3_axpy(h, forces->load->torque, momentum);
  }
  const GuidedSpin spin = spin_of(forces, momentum);
  return (Twist){guided_mix(forces->held->held, v, forces->held->end.v),
                 guided_spin(&spin, bodies->spin[row], &momentum)};
}

static void take_load(Bodies *bodies, int row, const RowForces *forces)
{
  kind_rigid.take_load(bodies, row, forces);
}

// Free components of the angular momentum are changed by torques alone. The others follow from the
// spin.
static void end_velocity(Bodies *bodies, int row, const RowForces *forces, Twist found,
                         const Twist *free)
{
  assert(forces->held != NULL && "a guide says what it holds");
  const unsigned held = forces->held->held;
  const vec3 taken = bodies->angular[row];
  const GuidedSpin spin = spin_of(forces, taken);
  vec3 momentum = taken;
  bodies->velocity[row] = guided_mix(held, found.v, forces->held->end.v);
  bodies->spin[row] = guided_spin(&spin, free ? free->w : found.w, &momentum);
  bodies->angular[row] = guided_mix(held >> GUIDED_SPIN, taken, momentum);
}

static Momenta momenta(const Bodies *bodies, int row) { return kind_rigid.momenta(bodies, row); }

// (of what is held any number above zero stands for the inertia)
static MotionMass mass(const Bodies *bodies, int row, const MidState *mid)
{
  const unsigned held = kind_held(bodies, row);
  return (MotionMass){1 / mid->inverse_mass,
                      mat3_inverse(guided_filled(mid->inverse_inertia, held, mid->inverse_mass))};
}

static void surface(const Bodies *bodies, int row, const vec3 *reference, int count, vec3 *places)
{
  kind_rigid.surface(bodies, row, reference, count, places);
}

static vec3 arm(const Bodies *bodies, const MaterialPoint *point)
{
  return kind_rigid.arm(bodies, point);
}

static vec3 velocity(const MaterialPoint *point, Twist u) { return rigid_velocity(u, point->arm); }

static void push(const MaterialPoint *point, const MidState *mid, vec3 impulse, double sign,
                 Twist *u)
{
  const vec3 turn = mat3_mul(mid->inverse_inertia, vec3_cross(point->arm, impulse));
  u->v = vec3_axpy(sign * mid->inverse_mass, guided_free(point->held, impulse), u->v);
  u->w = vec3_axpy(sign, turn, u->w);
}

static sym3 delassus(const MaterialPoint *point, const MidState *mid, const mat3 *basis)
{
  vec3 free[3];
  for (int i = 0; i < 3; i++) free[i] = guided_free(point->held, basis->row[i]);
  const double m = mid->inverse_mass;
  sym3 w = {m * vec3_dot(free[0], free[0]), m * vec3_dot(free[0], free[1]),
            m * vec3_dot(free[0], free[2]), m * vec3_dot(free[1], free[1]),
            m * vec3_dot(free[1], free[2]), m * vec3_dot(free[2], free[2])};
  rigid_add_turning(mid, basis, point->arm, &w);
  return w;
}

static void take_impulse(Bodies *bodies, const MaterialPoint *point, vec3 impulse, double sign)
{
  rigid_take_impulse(&bodies->angular[point->row], impulse, point->arm, sign);
}

const BodyKind kind_guided = {.name = "guided",
                              .in_lanes = false,
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
