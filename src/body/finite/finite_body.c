// Bodies of finite elements: reference data, energies, and one step of their nodes.
#include "finite_body.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "memory.h"

static vec3 *new_vectors(int nodes) { return memory_allocate((size_t)nodes * sizeof(vec3)); }

double finite_body_share(const FiniteBody *body)
{
  assert_debug(body->step > 0 && "a step takes time");
  const double h = body->step, both = 1 + body->dissipation;
  return 0.25 * h * h * both * both + 0.5 * body->damping * h;
}

FiniteBody *finite_body_new(const FiniteMesh *mesh, const FiniteInput *input, int *bad)
{
  assert(input->moments.mass > 0 && input->step > 0 && "a body that moves");
  const double s = input->high_frequency_ratio;
  assert(s >= 0 && s <= 1 && input->law.damping >= 0 && "nothing makes energy");
  FiniteBody *body = memory_allocate_zero(1, sizeof *body);
  if (!finite_stiffness_new(mesh, &input->law, &body->stiffness, bad)) {
    memory_free(body);
    return NULL;
  }
  body->nodes = mesh->nodes;
  body->damping = input->law.damping;
  body->expansion = input->law.expansion;
  body->dissipation = (1 - s) / (1 + s);
  body->step = input->step;
  body->place = new_vectors(mesh->nodes);
  body->stretched = new_vectors(mesh->nodes);
  body->force = new_vectors(mesh->nodes);
  body->other = new_vectors(mesh->nodes);
  body->lumped = memory_allocate((size_t)mesh->nodes * sizeof(double));
  if (input->held) {
    body->held = memory_allocate((size_t)mesh->nodes * sizeof(bool));
    memcpy(body->held, input->held, (size_t)mesh->nodes * sizeof(bool));
  }

  body->mass = input->moments.mass;
  body->inertia_error = finite_masses(mesh, &input->moments, body->lumped);
  memcpy(body->place, mesh->place, (size_t)mesh->nodes * sizeof(vec3));
  finite_stiffness_force(&body->stiffness, body->place, body->stretched);
  body->factor =
      finite_factor_new(&body->stiffness, finite_body_share(body), body->lumped, body->held);
  assert(body->factor != NULL && "masses and stiffnesses are positive");
  body->scratch = finite_scratch_new(&body->stiffness, body->place, body->held);
  return body;
}

void finite_body_destroy(FiniteBody *body)
{
  if (!body) return;
  assert_debug(body->nodes > 0 && "a body that was made");
  finite_factor_destroy(body->factor);
  finite_scratch_destroy(body->scratch);
  finite_stiffness_destroy(&body->stiffness);
  memory_free(body->place);
  memory_free(body->stretched);
  memory_free(body->force);
  memory_free(body->other);
  memory_free(body->lumped);
  memory_free(body->held);
  memory_free(body);
}

// ------------------------------------------------------------------------------------------------
// Fields and energies

static vec3 momentum_of(const FiniteBody *body, const vec3 *velocities)
{
  vec3 sum = {0, 0, 0};
  for (int n = 0; n < body->nodes; n++) sum = vec3_axpy(body->lumped[n], velocities[n], sum);
  return sum;
}

mat3 finite_body_inertia(const FiniteBody *body, const vec3 *displacement)
{
  assert_debug(displacement != NULL && "a displacement of each node");
  double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, xz = 0;
  for (int n = 0; n < body->nodes; n++) {
    const vec3 y = vec3_add(body->place[n], displacement[n]);
    const double m = body->lumped[n];
    xx += m * y.x * y.x, yy += m * y.y * y.y, zz += m * y.z * y.z;
    xy += m * y.x * y.y, yz += m * y.y * y.z, xz += m * y.x * y.z;
  }
  return (mat3){{{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}}};
}

// x . K0 x, J
static double form(FiniteBody *body, const vec3 *x)
{
  finite_stiffness_force(&body->stiffness, x, body->force);
  double sum = 0;
  for (int n = 0; n < body->nodes; n++) sum += vec3_dot(x[n], body->force[n]);
  return sum;
}

// d less what a temperature stretches
static void without_heat(const FiniteBody *body, const vec3 *displacement, double temperature,
                         vec3 *felt)
{
  for (int n = 0; n < body->nodes; n++)
    felt[n] = vec3_axpy(-body->expansion * temperature, body->place[n], displacement[n]);
}

double finite_body_energy(FiniteBody *body, const vec3 *displacement, double temperature)
{
  assert(displacement != body->other && "scratch is not a state");
  without_heat(body, displacement, temperature, body->other);
  return 0.5 * form(body, body->other);
}

double finite_body_rate_energy(const FiniteBody *body, const vec3 *rate)
{
  assert_debug(rate != NULL && "a rate of each node");
  double sum = 0;
  for (int n = 0; n < body->nodes; n++) sum += body->lumped[n] * vec3_dot(rate[n], rate[n]);
  return 0.5 * sum;
}

void finite_body_respond(FiniteBody *body, vec3 *values)
{
  if (body->held) {
    finite_factor_solve(body->factor, values);
    return;
  }
  vec3 momentum = {0, 0, 0};
  for (int n = 0; n < body->nodes; n++) momentum = vec3_add(momentum, values[n]);
  const vec3 mean = vec3_scale(1 / body->mass, momentum);
  for (int n = 0; n < body->nodes; n++) values[n] = vec3_axpy(-body->lumped[n], mean, values[n]);
  finite_factor_solve(body->factor, values);
  const vec3 lost = vec3_scale(1 / body->mass, momentum_of(body, values));
  for (int n = 0; n < body->nodes; n++) values[n] = vec3_add(values[n], vec3_sub(mean, lost));
  assert_debug(vec3_is_finite(mean) && "impulses are numbers");
}

void finite_body_resist(const FiniteBody *body, const vec3 *values, vec3 *result)
{
  assert(values != result && "a product is in another place");
  finite_stiffness_force(&body->stiffness, values, result);
  const double share = finite_body_share(body);
  for (int n = 0; n < body->nodes; n++)
    result[n] = vec3_axpy(body->lumped[n], values[n], vec3_scale(share, result[n]));
  finite_body_leave_held(body, result);
}

void finite_body_leave_held(const FiniteBody *body, vec3 *values)
{
  assert_debug(values != NULL && "nodes have values");
  for (int n = 0; body->held && n < body->nodes; n++)
    if (body->held[n]) values[n] = (vec3){0, 0, 0};
}

FiniteSingle *finite_body_factor_with(const FiniteBody *body, const double *added)
{
  assert(body->scratch != NULL && added != NULL && "a body with its pattern");
  const FiniteSum sum = {finite_body_share(body), body->lumped, added};
  return finite_single_new(body->scratch, &sum);
}

// ------------------------------------------------------------------------------------------------
// The step

void finite_body_start(const FiniteBody *body, const FiniteMiddle *middle, vec3 *start)
{
  assert_debug(middle->displacement && middle->rate && "a state of each node");
  for (int n = 0; n < body->nodes; n++) {
    const vec3 y = vec3_add(body->place[n], middle->displacement[n]);
    start[n] = vec3_add(vec3_add(middle->velocity, vec3_cross(middle->spin, y)), middle->rate[n]);
  }
}

// f - K0 (d_mid - thermal + (b h + eta) d') - M (w x (w x y) + 2 w x d'), times h
void finite_body_free(FiniteBody *body, const FiniteMiddle *middle, vec3 *end)
{
  const double h = body->step, lag = body->dissipation * h + body->damping;
  vec3 *felt = body->other, *elastic = body->force;
  without_heat(body, middle->displacement, middle->temperature, felt);
  for (int n = 0; n < body->nodes; n++) felt[n] = vec3_axpy(lag, middle->rate[n], felt[n]);
  finite_stiffness_force(&body->stiffness, felt, elastic);

  vec3 *change = felt;
  const vec3 w = middle->spin;
  for (int n = 0; n < body->nodes; n++) {
    const vec3 y = vec3_add(body->place[n], middle->displacement[n]);
    const vec3 turning = vec3_cross(w, vec3_axpy(2, middle->rate[n], vec3_cross(w, y)));
    vec3 force = middle->force ? middle->force[n] : (vec3){0, 0, 0};
    force = vec3_axpy(body->lumped[n], vec3_sub(middle->acceleration, turning), force);
    change[n] = vec3_scale(h, vec3_sub(force, elastic[n]));
  }
  finite_body_respond(body, change);
  finite_body_start(body, middle, end);
  for (int n = 0; n < body->nodes; n++) end[n] = vec3_add(end[n], change[n]);
}

void finite_body_rate(const FiniteBody *body, const vec3 *displacement, const vec3 *velocities,
                      vec3 *rate)
{
  const vec3 v = vec3_scale(1 / body->mass, momentum_of(body, velocities));
  vec3 momentum = {0, 0, 0};
  for (int n = 0; n < body->nodes; n++) {
    const vec3 y = vec3_add(body->place[n], displacement[n]);
    rate[n] = vec3_sub(velocities[n], v);
    momentum = vec3_axpy(body->lumped[n], vec3_cross(y, rate[n]), momentum);
  }
  const vec3 w = mat3_mul(mat3_inverse(finite_body_inertia(body, displacement)), momentum);
  for (int n = 0; n < body->nodes; n++) {
    const vec3 y = vec3_add(body->place[n], displacement[n]);
    rate[n] = vec3_sub(rate[n], vec3_cross(w, y));
  }
  assert_debug(vec3_is_finite(w) && "velocities are numbers");
}

AffineWorks finite_body_works(FiniteBody *body, const FiniteMiddle *middle, const vec3 *end_rate,
                              const double temperature[3])
{
  assert(middle->rate != end_rate && "rates of two instants");
  const double h = body->step, b = body->dissipation;
  vec3 *both = body->other;
  double work = 0, held[2] = {0, 0}, stretch = 0;   // held: K0 Z . d at the start, at the end
  for (int n = 0; n < body->nodes; n++) {
    both[n] = vec3_add(middle->rate[n], end_rate[n]);
    if (middle->force) work += vec3_dot(middle->force[n], both[n]);
    const vec3 z = body->stretched[n], d = middle->displacement[n];
    held[0] += vec3_dot(z, vec3_axpy(-0.5 * h, middle->rate[n], d));
    held[1] += vec3_dot(z, vec3_axpy(0.5 * h, end_rate[n], d));
    stretch += vec3_dot(z, body->place[n]);
  }
  const double all = form(body, both);
  const double gained = form(body, end_rate) - form(body, middle->rate);
  double a[3];
  for (int k = 0; k < 3; k++) a[k] = body->expansion * temperature[k];
  const double heat = a[0] * held[0] - a[2] * held[1] + a[1] * (held[1] - held[0]) +
                      0.5 * stretch * (a[2] * a[2] - a[0] * a[0]);
  return (AffineWorks){.damping = -0.25 * h * body->damping * all,
                       .scheme = -0.25 * h * h * b * (all + 0.5 * b * gained),
                       .load = heat + 0.5 * h * work};
}
