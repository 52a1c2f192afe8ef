// Free nodes in a frame that is given. With u = V + W x y + d', y at the middle of the step, the
// change of d' follows from
//   A0 c = h (f + M a - K0 (d - thermal + (b h + eta) d') - M (t + w x (w x y) + 2 w x d'))
//          - M (dV + dW x y),
// a row for each free node, w the mean spin and t the frame's own acceleration beside dV.
#include "finite_held.h"

#include <assert.h>

#include "check.h"

static vec3 place_of(const FiniteBody *body, const FiniteMiddle *middle, int n)
{
  return vec3_add(body->place[n], middle->displacement[n]);
}

static vec3 of_frame(const FiniteFrame *frame, int end, vec3 y)
{
  return vec3_add(frame->velocity[end], vec3_cross(frame->spin[end], y));
}

void finite_held_start(const FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                       vec3 *start)
{
  assert_debug(middle->displacement && middle->rate && "a state of each node");
  for (int n = 0; n < body->nodes; n++)
    start[n] = vec3_add(of_frame(frame, 0, place_of(body, middle, n)), middle->rate[n]);
}

// What the mass of a node does against its frame, N s: M (dV + dW x y + h (t + ...)).
static vec3 inertia_of(const FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                       int n)
{
  const vec3 y = place_of(body, middle, n);
  const vec3 w = vec3_scale(0.5, vec3_add(frame->spin[0], frame->spin[1]));
  const vec3 turning = vec3_cross(w, vec3_axpy(2, middle->rate[n], vec3_cross(w, y)));
  const vec3 gained = vec3_sub(of_frame(frame, 1, y), of_frame(frame, 0, y));
  const vec3 all = vec3_axpy(body->step, vec3_add(frame->turning, turning), gained);
  return vec3_scale(body->lumped[n], all);
}

// Loads at a node and its share of an acceleration of all bodies, N.
static vec3 load_of(const FiniteBody *body, const FiniteMiddle *middle, int n)
{
  const vec3 force = middle->force ? middle->force[n] : (vec3){0, 0, 0};
  return vec3_axpy(body->lumped[n], middle->acceleration, force);
}

// K0 (d - thermal + (b h + eta) d'), N.
static const vec3 *elastic_of(FiniteBody *body, const FiniteMiddle *middle)
{
  const double lag = body->dissipation * body->step + body->damping;
  const double heat = body->expansion * middle->temperature;
  for (int n = 0; n < body->nodes; n++) {
    const vec3 felt = vec3_axpy(-heat, body->place[n], middle->displacement[n]);
    body->other[n] = vec3_axpy(lag, middle->rate[n], felt);
  }
  finite_stiffness_force(&body->stiffness, body->other, body->force);
  return body->force;
}

void finite_held_free(FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                      vec3 *end)
{
  assert(body->held != NULL && middle->rate != end && "some nodes are held");
  const vec3 *elastic = elastic_of(body, middle);
  vec3 *change = body->other;
  for (int n = 0; n < body->nodes; n++) {
    const vec3 force = vec3_sub(load_of(body, middle, n), elastic[n]);
    const vec3 inertia = inertia_of(body, middle, frame, n);
    change[n] = vec3_sub(vec3_scale(body->step, force), inertia);
  }
  finite_body_respond(body, change);
  for (int n = 0; n < body->nodes; n++) {
    const vec3 rate = vec3_add(middle->rate[n], change[n]);
    end[n] = vec3_add(of_frame(frame, 1, place_of(body, middle, n)), rate);
  }
}

void finite_held_rate(const FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                      const vec3 *velocities, vec3 *rate)
{
  assert_debug(velocities != NULL && rate != NULL && "nodes have velocities");
  for (int n = 0; n < body->nodes; n++)
    rate[n] = vec3_sub(velocities[n], of_frame(frame, 1, place_of(body, middle, n)));
  finite_body_leave_held(body, rate);
}

AffineWorks finite_held_works(FiniteBody *body, const FiniteMiddle *middle, const vec3 *end_rate,
                              const double temperature[3])
{
  assert(middle->rate != end_rate && "rates of two instants");
  AffineWorks works = finite_body_works(body, middle, end_rate, temperature);
  double fall = 0;
  for (int n = 0; n < body->nodes; n++) {
    const vec3 both = vec3_add(middle->rate[n], end_rate[n]);
    fall += body->lumped[n] * vec3_dot(middle->acceleration, both);
  }
  works.load += 0.5 * body->step * fall;
  return works;
}

void finite_held_reaction(FiniteBody *body, const FiniteMiddle *middle, const FiniteFrame *frame,
                          const vec3 *end_rate, vec3 *reaction)
{
  assert(body->held != NULL && reaction != end_rate && "some nodes are held");
  const vec3 *elastic = elastic_of(body, middle);
  for (int n = 0; n < body->nodes; n++) {
    const vec3 force = vec3_sub(elastic[n], load_of(body, middle, n));
    reaction[n] = vec3_axpy(body->step, force, inertia_of(body, middle, frame, n));
    body->other[n] = vec3_sub(end_rate[n], middle->rate[n]);
  }
  finite_stiffness_force(&body->stiffness, body->other, body->force);
  const double share = finite_body_share(body);
  for (int n = 0; n < body->nodes; n++)
    reaction[n] = body->held[n] ? vec3_axpy(share, body->force[n], reaction[n]) : (vec3){0, 0, 0};
}
