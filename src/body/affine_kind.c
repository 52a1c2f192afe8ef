// Affine bodies: the second kind. Between points they move by four nodes (affine.h).
#include "affine.h"

#include <assert.h>

#include "body_tensor.h"
#include "check.h"
#include "elastic.h"
#include "frame_kind.h"
#include "rigid.h"
#include "rotation.h"

static const Affine *affine_of(const Bodies *bodies, int row)
{
  assert(bodies->elastic != NULL && bodies->gradient != NULL && "the table knows what deforms");
  return elastic_affine(bodies->elastic, bodies->shape[row], bodies->material[row]);
}

static void to_body(const mat3 *rotation, vec3 *values)
{
  for (int i = 0; i < AFFINE_NODES; i++) values[i] = mat3_mul_transposed(*rotation, values[i]);
}

static void to_world(const mat3 *rotation, vec3 *values)
{
  for (int i = 0; i < AFFINE_NODES; i++) values[i] = mat3_mul(*rotation, values[i]);
}

// ------------------------------------------------------------------------------------------------
// Motion.

static void move(Bodies *bodies, int row, Twist u, double time)
{
  assert_debug(bodies->gradient != NULL && "the table has columns for what deforms");
  frame_kind_move(bodies, row, u, time);
  bodies->gradient[row] =
      mat3_add(bodies->gradient[row], mat3_scale(time, bodies->gradient_rate[row]));
}

// The state at the middle of the step and what acts there, body frame.
static AffineMiddle middle_of(const Bodies *bodies, int row, const RowForces *forces)
{
  const mat3 r = forces->mid->rotation;
  AffineMiddle middle = {.gradient = bodies->gradient[row],
                         .gradient_rate = bodies->gradient_rate[row],
                         .velocity = mat3_mul_transposed(r, bodies->velocity[row]),
                         .spin = mat3_mul_transposed(r, bodies->spin[row]),
                         .acceleration = mat3_mul_transposed(r, forces->acceleration)};
  if (forces->load) middle.force = mat3_mul_transposed(r, forces->load->force);
  if (!forces->deforming) return middle;
  middle.dyad = mat3_mul_mat(mat3_transpose(r), forces->deforming->dyad);
  middle.couple = mat3_mul_transposed(r, forces->deforming->couple);
  middle.temperature = forces->deforming->temperature[1];
  return middle;
}

// What the torque of loads is more than with the arms of the rigid body: the sum of (R G X) x F.
static vec3 deformed_torque(const Bodies *bodies, int row, const RowForces *forces)
{
  if (!forces->deforming) return (vec3){0, 0, 0};
  const mat3 m = mat3_mul_mat(mat3_mul_mat(forces->mid->rotation, bodies->gradient[row]),
                              mat3_transpose(forces->deforming->dyad));
  return vec3_new(m.row[1].z - m.row[2].y, m.row[2].x - m.row[0].z, m.row[0].y - m.row[1].x);
}

// The spin that belongs to an angular momentum once the body deforms at a rate.
static vec3 spin_of(const Bodies *bodies, int row, const RowForces *forces, vec3 momentum,
                    mat3 rate, vec3 guess)
{
  const double half = 0.5 * forces->step;
  const mat3 gradient = mat3_add(bodies->gradient[row], mat3_scale(half, rate));
  const mat3 inertia = affine_inertia(affine_of(bodies, row), gradient);
  return rotation_spin_of_momentum(forces->mid->rotation, inertia, momentum, half, guess);
}

static Twist free_velocity(const Bodies *bodies, int row, const RowForces *forces)
{
  assert(forces->start != NULL && forces->end != NULL && "nodes have velocities");
  const Affine *affine = affine_of(bodies, row);
  const AffineMiddle middle = middle_of(bodies, row, forces);
  affine_start(affine, &middle, forces->start);
  affine_free(affine, &middle, forces->end);
  const mat3 rate = affine_rate(affine, middle.gradient, forces->end);
  to_world(&forces->mid->rotation, forces->start);
  to_world(&forces->mid->rotation, forces->end);

  // momenta as those of a rigid body
  const double h = forces->step;
  Twist free = {.v = vec3_axpy(h, forces->acceleration, bodies->velocity[row])};
  vec3 momentum = bodies->angular[row];
  if (forces->load) {
    free.v = vec3_axpy(h / bodies->mass[row], forces->load->force, free.v);
    const vec3 torque = vec3_add(forces->load->torque, deformed_torque(bodies, row, forces));
    momentum = vec3_axpy(h, torque, momentum);
  }
  free.w = spin_of(bodies, row, forces, momentum, rate, bodies->spin[row]);
  return free;
}

static void take_load(Bodies *bodies, int row, const RowForces *forces)
{
  assert_debug(forces->load != NULL && "a load is taken where one acts");
  const vec3 torque = vec3_add(forces->load->torque, deformed_torque(bodies, row, forces));
  bodies->angular[row] = vec3_axpy(forces->step, torque, bodies->angular[row]);
}

static void end_velocity(Bodies *bodies, int row, const RowForces *forces, Twist found,
                         const Twist *free)
{
  assert(forces->end != NULL && forces->works != NULL && "nodes have velocities");
  const Affine *affine = affine_of(bodies, row);
  const AffineMiddle middle = middle_of(bodies, row, forces);
  vec3 end[AFFINE_NODES];
  for (int i = 0; i < AFFINE_NODES; i++) end[i] = forces->end[i];
  to_body(&forces->mid->rotation, end);
  const mat3 rate = affine_rate(affine, middle.gradient, end);
  const vec3 spin =
      free ? free->w : spin_of(bodies, row, forces, bodies->angular[row], rate, found.w);

  static const double cold[3] = {0};
  const double *temperature = forces->deforming ? forces->deforming->temperature : cold;
  *forces->works = affine_works(affine, &middle, rate, temperature);
  const vec3 turns = vec3_add(bodies->spin[row], spin);
  forces->works->load += 0.5 * forces->step * vec3_dot(deformed_torque(bodies, row, forces), turns);
  bodies->velocity[row] = found.v;
  bodies->spin[row] = spin;
  bodies->gradient_rate[row] = rate;
}

static Momenta momenta(const Bodies *bodies, int row)
{
  Momenta of = kind_rigid.momenta(bodies, row);
  of.energy[1] += affine_rate_energy(affine_of(bodies, row), bodies->gradient_rate[row]);
  return of;
}

static void surface(const Bodies *bodies, int row, const vec3 *reference, int count, vec3 *places)
{
  assert_debug(count >= 0 && "places are counted");
  const mat3 rotation = quat_to_mat3(bodies->orientation[row]);
  for (int k = 0; k < count; k++) {
    const vec3 moved = vec3_add(reference[k], mat3_mul(bodies->gradient[row], reference[k]));
    places[k] = vec3_add(bodies->position[row], mat3_mul(rotation, moved));
  }
}

// ------------------------------------------------------------------------------------------------
// Material points. Velocities, impulses and W here are those of the body frame; what the body
// deforms comes on top (field, resist).

static vec3 arm(const Bodies *bodies, const MaterialPoint *point)
{
  const mat3 r = quat_to_mat3(bodies->orientation[point->row]);
  const vec3 reference = mat3_mul_transposed(r, point->arm);
  return vec3_add(point->arm, mat3_mul(r, mat3_mul(bodies->gradient[point->row], reference)));
}

// ------------------------------------------------------------------------------------------------
// Nodes.

static int nodes(const Bodies *bodies, int row)
{
  (void)bodies;
  (void)row;
  return AFFINE_NODES;
}

// a matrix of world axes in those of the body
static mat3 in_body(mat3 rotation, mat3 m)
{
  return mat3_mul_mat(mat3_transpose(rotation), mat3_mul_mat(m, rotation));
}

static mat3 field(const Bodies *bodies, int row, const MidState *mid, const vec3 *nodes)
{
  vec3 own[AFFINE_NODES];
  for (int i = 0; i < AFFINE_NODES; i++) own[i] = nodes[i];
  to_body(&mid->rotation, own);
  return body_tensor_turned(mid->rotation,
                            affine_field(affine_of(bodies, row), bodies->gradient[row], own));
}

static void spread(const Bodies *bodies, int row, const MidState *mid, BodyField of, vec3 *nodes)
{
  const mat3 r = mid->rotation;
  affine_spread(affine_of(bodies, row), bodies->gradient[row], mat3_mul_transposed(r, of.v),
                in_body(r, of.gradient), nodes);
  to_world(&r, nodes);
}

static mat3 resist(const Bodies *bodies, int row, const MidState *mid, mat3 of)
{
  const mat3 own = in_body(mid->rotation, of);
  return body_tensor_turned(mid->rotation,
                            affine_resist(affine_of(bodies, row), bodies->gradient[row], own));
}

static double elastic_energy(const Bodies *bodies, int row, double temperature)
{
  return affine_energy(affine_of(bodies, row), bodies->gradient[row], temperature);
}

static void tensors(Bodies *bodies, int row, double temperature)
{
  const Affine *affine = affine_of(bodies, row);
  const mat3 r = quat_to_mat3(bodies->orientation[row]), gradient = bodies->gradient[row];
  const mat3 felt = mat3_add(gradient, mat3_scale(-1, affine_thermal(affine, temperature)));
  bodies->strain[row] = body_tensor_in_world(r, affine_strain(gradient));
  bodies->stress[row] = body_tensor_in_world(r, affine_stress(affine, felt));
}

const BodyKind kind_affine = {.name = "affine",
                              .in_lanes = false,
                              .move = move,
                              .free_velocity = free_velocity,
                              .take_load = take_load,
                              .end_velocity = end_velocity,
                              .momenta = momenta,
                              .surface = surface,
                              .arm = arm,
                              .nodes = nodes,
                              .field = field,
                              .spread = spread,
                              .resist = resist,
                              .elastic_energy = elastic_energy,
                              .tensors = tensors,
                              FRAME_KIND};
