// Damping of bodies by their unbalanced forces and by their mass.
//
// Local damping (Cundall 1987) is a force against the velocity, a share of the force that nothing
// balances. That force is only known once contacts are, so that of the step before is taken, which
// is state: m (v(n) - v(n-1)) / h without damping. Vectors take the place of Cundall's components,
// which would depend on the axes. Damping by mass takes a velocity without forces by exp(-c h), the
// exact solution. Together they stop a body at most.
#include "damping.h"

#include <assert.h>

#include "check.h"
#include "kind.h"
#include "trig.h"

// Guided bodies go as their guides say.
static bool is_damped(const Bodies *b, int row)
{
  return b->drive[row] == DRIVE_DYNAMIC && kind_held(b, row) == 0;
}

// How much of a speed local damping takes: `change` of it, and no more than `most`; over the speed.
static double share_taken(double change, double speed, double most)
{
  assert_debug(change >= 0 && speed >= 0 && most >= 0 && "sizes are not below zero");
  if (!(speed > 0)) return 0;
  return change < most * speed ? change / speed : most;
}

// slowed: share of the velocity that damping by mass takes.
static void damp_row(const Bodies *b, const MotionForces *acting, int row, double slowed,
                     const Damping *damping, double alpha)
{
  const double h = acting->step, mass = b->mass[row];
  const vec3 v = b->velocity[row], w = b->spin[row];
  const double kept = 1 - slowed;

  // momenta that damping takes, as shares of the momenta there are
  damping->mass[row] =
      (LoadSum){vec3_scale(-slowed * mass / h, v), vec3_scale(-slowed / h, b->angular[row])};
  const double force = alpha * vec3_norm(b->net_force[row]);
  const double stopped = share_taken(h * force / mass, vec3_norm(v), kept);
  const double spin = vec3_norm(w);
  const double torque = alpha * vec3_norm(b->net_torque[row]);
  vec3 turning = {0, 0, 0};
  if (spin > 0 && torque > 0) {
    // along the axis a torque T for h changes the energy by -T h |w| + (T h)^2 (a.I^-1 a) / 2, a
    // being the axis: least at T h = |w| / (a.I^-1 a)
    const vec3 axis = vec3_scale(1 / spin, w);
    const double soft = vec3_dot(axis, mat3_mul(acting->mid[row].inverse_inertia, axis));
    const double most = kept * spin / soft;
    turning = vec3_scale(-(h * torque < most ? torque : most / h), axis);
  }
  damping->local[row] = (LoadSum){vec3_scale(-stopped * mass / h, v), turning};
}

const Damping *damping_begin(const Bodies *b, const DampingSettings *settings, MotionForces *acting,
                             Arena *arena)
{
  if (!settings->given) return NULL;
  assert((b->table.count == 0 || b->net_force != NULL) && !acting->deforming &&
         "rows know their last forces, and are rigid");
  const size_t rows = (size_t)b->table.count + 1;
  Damping *damping = arena_allocate(arena, sizeof *damping);
  *damping = (Damping){.external = acting->loads,
                       .local = arena_allocate_zero(arena, rows, sizeof(LoadSum)),
                       .mass = arena_allocate_zero(arena, rows, sizeof(LoadSum)),
                       .momentum = arena_allocate_zero(arena, rows, sizeof(vec3))};
  LoadSum *all = arena_allocate_zero(arena, rows, sizeof *all);
  const double slowed = 1 - trig_exp(-settings->mass * acting->step);
  for (int i = 0; i < b->table.count; i++) {
    if (acting->loads) all[i] = acting->loads[i];
    if (!is_damped(b, i)) continue;
    damp_row(b, acting, i, slowed, damping, settings->local);
    damping->momentum[i] = b->angular[i];
    const LoadSum *local = &damping->local[i], *mass = &damping->mass[i];
    all[i].force = vec3_add(all[i].force, vec3_add(local->force, mass->force));
    all[i].torque = vec3_add(all[i].torque, vec3_add(local->torque, mass->torque));
  }
  acting->loads = all;
  return damping;
}

const LoadSum *damping_external(const Damping *damping, const MotionForces *acting)
{
  return damping ? damping->external : acting->loads;
}

void damping_keep(Bodies *b, const Damping *damping, const MotionForces *acting, const Twist *start)
{
  if (!damping) return;
  const double h = acting->step;
  assert(h > 0 && start != NULL && "a step takes time");
  for (int i = 0; i < b->table.owned; i++) {
    b->net_force[i] = b->net_torque[i] = (vec3){0, 0, 0};
    if (!is_damped(b, i)) continue;
    const LoadSum *local = &damping->local[i], *mass = &damping->mass[i];
    const vec3 change = vec3_scale(b->mass[i] / h, vec3_sub(b->velocity[i], start[i].v)),
               turned = vec3_scale(1 / h, vec3_sub(b->angular[i], damping->momentum[i]));
    b->net_force[i] = vec3_sub(change, vec3_add(local->force, mass->force));
    b->net_torque[i] = vec3_sub(turned, vec3_add(local->torque, mass->torque));
  }
}

void damping_add_works(const Bodies *b, const Damping *damping, const Twist *start, double step,
                       ExactSum sums[2])
{
  if (!damping) return;
  for (int i = 0; i < b->table.owned; i++) {
    if (!is_damped(b, i)) continue;
    exact_sum_add(&sums[0], motion_work_of_load(b, i, damping->local[i], start[i], step));
    exact_sum_add(&sums[1], motion_work_of_load(b, i, damping->mass[i], start[i], step));
  }
}
