// Evaluates guides of the case, and what they do to their bodies.
#include "guides.h"

#include <assert.h>

#include "check.h"
#include "kind.h"
#include "scene.h"

static Twist given_at(const Guide *guide, double time)
{
  return (Twist){time_vector_at(&guide->travel, time), time_vector_at(&guide->turning, time)};
}

void guides_begin(Bodies *bodies, int row, const Guide *guide, double time)
{
  assert(row >= 0 && row < bodies->table.owned && "an own row");
  const Twist given = given_at(guide, time);
  bodies->velocity[row] = guided_mix(guide->held, bodies->velocity[row], given.v);
  bodies->spin[row] = guided_mix(guide->held >> GUIDED_SPIN, bodies->spin[row], given.w);
}

const HeldMotion *guides_hold(const Case *c, const Bodies *bodies, double end, Arena *arena)
{
  assert(c->guide_count >= 0 && "guides are counted");
  if (c->guide_count == 0) return NULL;
  HeldMotion *all = arena_allocate_zero(arena, (size_t)bodies->table.count + 1, sizeof *all);
  for (int i = 0; i < bodies->table.count; i++) {
    const unsigned held = kind_held(bodies, i);
    if (held == 0) continue;
    const Guide *guide = scene_body(c, bodies->id[i]).guide;
    assert(guide != NULL && guide->held == held && "what is held is the case's to say");
    all[i] = (HeldMotion){.held = held, .end = given_at(guide, end), .angular = bodies->angular[i]};
  }
  return all;
}

MotionChange guides_change(const Case *c, const Bodies *bodies, int row, GuideInterval interval,
                           MotionChange change)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  const unsigned held = kind_held(bodies, row);
  if (held == 0) return change;
  const Twist end = given_at(scene_body(c, bodies->id[row]).guide, interval.end);
  // gravity is added to all components
  const vec3 v = vec3_sub(vec3_sub(end.v, bodies->velocity[row]), interval.fall);
  change.velocity = guided_mix(held, change.velocity, v);
  change.spin = guided_mix(held >> GUIDED_SPIN, change.spin, vec3_sub(end.w, bodies->spin[row]));
  return change;
}

// Impulse and its moment about the centre of mass, world axes.
typedef struct {
  vec3 push, turn;   // N s, N m s
} Impulse;

// What all points of an own row give it, in order of key.
static Impulse impulse_on(const Problem *problem, int row)
{
  assert_debug(row >= 0 && row < problem->own_rows && "pairs of own rows are known");
  Impulse sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = problem->body_start[row]; k < problem->body_start[row + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) {
      const PointLever *lever = &problem->levers[i];
      const vec3 r = vec3_scale(side.sign, mat3_mul_transposed(lever_basis(lever), problem->r[i]));
      sum.push = vec3_add(sum.push, r);
      sum.turn = vec3_add(sum.turn, vec3_cross(vec3_add(lever->low_arm, side.shift), r));
    }
  }
  return sum;
}

// The guide gives what momenta have gained and nothing else has given: its work is that impulse
// times the mean of the velocities at both ends of the step.
static double work_on(const Bodies *b, const MotionForces *acting, Impulse given, Twist start,
                      int row)
{
  assert_debug(acting->step > 0 && acting->held[row].held && "a guide acts for a time");
  const HeldMotion *held = &acting->held[row];
  const double h = acting->step, m = b->mass[row];
  given.push = vec3_axpy(h * m, acting->acceleration, given.push);
  if (acting->loads) {
    given.push = vec3_axpy(h, acting->loads[row].force, given.push);
    given.turn = vec3_axpy(h, acting->loads[row].torque, given.turn);
  }
  const vec3 gained = vec3_scale(m, vec3_sub(b->velocity[row], start.v));
  const vec3 push = guided_given(held->held, vec3_sub(gained, given.push));
  const vec3 turned = vec3_sub(b->angular[row], held->angular);
  const vec3 turn = guided_given(held->held >> GUIDED_SPIN, vec3_sub(turned, given.turn));
  return 0.5 * (vec3_dot(push, vec3_add(start.v, b->velocity[row])) +
                vec3_dot(turn, vec3_add(start.w, b->spin[row])));
}

void guides_add_work(const Bodies *bodies, const MotionForces *acting, const Problem *problem,
                     const Twist *start, ExactSum *work)
{
  assert(problem->own_rows == bodies->table.owned && "the interval is solved");
  if (!acting->held) return;
  for (int i = 0; i < bodies->table.owned; i++)
    if (acting->held[i].held && !kind_founded(bodies, i))
      exact_sum_add(work, work_on(bodies, acting, impulse_on(problem, i), start[i], i));
}
