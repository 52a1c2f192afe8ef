// Bodies of finite elements: a rigid row, and nodes of their own table that move in its frame
// (finite_body.h). In a step velocities of nodes are in the axes of the body at its middle.
#include <assert.h>
#include <string.h>

#include "body_tensor.h"
#include "check.h"
#include "elastic.h"
#include "finite_held.h"
#include "frame_kind.h"
#include "nodes.h"
#include "rotation.h"

// A row with its mesh and its nodes.
typedef struct {
  const ElasticFinite *finite;
  FiniteBody *body;
  vec3 *displacement, *rate;   // [body->nodes]
} FiniteRow;

static FiniteRow row_of(const Bodies *bodies, int row)
{
  assert(bodies->elastic != NULL && bodies->nodes != NULL && "the table knows what deforms");
  const ElasticFinite *finite =
      elastic_finite(bodies->elastic, bodies->shape[row], bodies->material[row]);
  const int first = nodes_find(bodies->nodes, bodies->id[row]);
  assert(first >= 0 && "nodes are where their body is");
  return (FiniteRow){finite, finite->body, bodies->nodes->displacement + first,
                     bodies->nodes->rate + first};
}

// ------------------------------------------------------------------------------------------------
// Motion.

static void move(Bodies *bodies, int row, Twist u, double time)
{
  assert_debug(bodies->nodes != NULL && "the table has nodes");
  frame_kind_move(bodies, row, u, time);
  const FiniteRow of = row_of(bodies, row);
  for (int n = 0; n < of.body->nodes; n++)
    of.displacement[n] = vec3_axpy(time, of.rate[n], of.displacement[n]);
}

static const vec3 *nodal_loads(const ElasticFinite *finite, const RowForces *forces,
                               bool with_couple)
{
  const DeformingLoad *deforming = forces->deforming;
  if (!forces->load && !deforming) return NULL;
  const mat3 back = mat3_transpose(forces->mid->rotation);
  const FiniteBody *body = finite->body;
  vec3 force = forces->load ? forces->load->force : (vec3){0, 0, 0};
  mat3 slope = mat3_diagonal(0, 0, 0);
  if (deforming) force = vec3_sub(force, deforming->placed);
  if (deforming && with_couple)
    slope = mat3_skew(mat3_mul(mat3_inverse(forces->inertia), mat3_mul(back, deforming->couple)));
  const vec3 pull = vec3_scale(1 / body->mass, mat3_mul(back, force));
  const vec3 *placed = deforming ? deforming->nodes : NULL;
  for (int n = 0; n < body->nodes; n++) {
    const vec3 pulled = vec3_add(pull, mat3_mul(slope, body->place[n]));
    const vec3 at = placed ? placed[n] : (vec3){0, 0, 0};
    finite->load[n] = vec3_axpy(body->lumped[n], pulled, at);
  }
  return finite->load;
}

// The state at the middle of the step and what acts there, body frame.
static FiniteMiddle middle_of(const Bodies *bodies, int row, const FiniteRow *of,
                              const RowForces *forces)
{
  const mat3 r = forces->mid->rotation;
  return (FiniteMiddle){.displacement = of->displacement,
                        .rate = of->rate,
                        .velocity = mat3_mul_transposed(r, bodies->velocity[row]),
                        .spin = mat3_mul_transposed(r, bodies->spin[row]),
                        .acceleration = mat3_mul_transposed(r, forces->acceleration),
                        .force = nodal_loads(of->finite, forces, true),
                        .temperature = forces->deforming ? forces->deforming->temperature[1] : 0};
}

// What the torque of loads is more than with the arms of the rigid body.
static vec3 deformed_torque(const FiniteRow *of, const RowForces *forces)
{
  vec3 sum = {0, 0, 0};
  const vec3 *load = nodal_loads(of->finite, forces, false);
  for (int n = 0; load && n < of->body->nodes; n++)
    sum = vec3_add(sum, vec3_cross(of->displacement[n], load[n]));
  return mat3_mul(forces->mid->rotation, sum);
}

// The spin that belongs to an angular momentum once the body deforms at a rate.
static vec3 spin_of(const FiniteRow *of, const RowForces *forces, vec3 momentum, const vec3 *rate,
                    vec3 guess)
{
  const double half = 0.5 * forces->step;
  vec3 *end = of->finite->load;   // in the place of loads that are done with
  for (int n = 0; n < of->body->nodes; n++) end[n] = vec3_axpy(half, rate[n], of->displacement[n]);
  const mat3 inertia = finite_body_inertia(of->body, end);
  return rotation_spin_of_momentum(forces->mid->rotation, inertia, momentum, half, guess);
}

static Twist free_velocity(const Bodies *bodies, int row, const RowForces *forces)
{
  assert(forces->start != NULL && forces->end != NULL && "nodes have velocities");
  const FiniteRow of = row_of(bodies, row);
  const FiniteMiddle middle = middle_of(bodies, row, &of, forces);
  finite_body_start(of.body, &middle, forces->start);
  finite_body_free(of.body, &middle, forces->end);
  vec3 *rate = of.finite->rate;
  finite_body_rate(of.body, of.displacement, forces->end, rate);

  // momenta as those of a rigid body
  const double h = forces->step;
  Twist free = {.v = vec3_axpy(h, forces->acceleration, bodies->velocity[row])};
  vec3 momentum = bodies->angular[row];
  if (forces->load) {
    free.v = vec3_axpy(h / bodies->mass[row], forces->load->force, free.v);
    const vec3 torque = vec3_add(forces->load->torque, deformed_torque(&of, forces));
    momentum = vec3_axpy(h, torque, momentum);
  }
  free.w = spin_of(&of, forces, momentum, rate, bodies->spin[row]);
  return free;
}

static void take_load(Bodies *bodies, int row, const RowForces *forces)
{
  assert_debug(forces->load != NULL && "a load is taken where one acts");
  const FiniteRow of = row_of(bodies, row);
  const vec3 torque = vec3_add(forces->load->torque, deformed_torque(&of, forces));
  bodies->angular[row] = vec3_axpy(forces->step, torque, bodies->angular[row]);
}

static void end_velocity(Bodies *bodies, int row, const RowForces *forces, Twist found,
                         const Twist *free)
{
  assert(forces->end != NULL && forces->works != NULL && "nodes have velocities");
  const FiniteRow of = row_of(bodies, row);
  vec3 *rate = of.finite->rate;
  finite_body_rate(of.body, of.displacement, forces->end, rate);

  static const double cold[3] = {0};
  const double *temperature = forces->deforming ? forces->deforming->temperature : cold;
  const FiniteMiddle middle = middle_of(bodies, row, &of, forces);
  *forces->works = finite_body_works(of.body, &middle, rate, temperature);
  const vec3 torque = deformed_torque(&of, forces);
  const vec3 spin = free ? free->w : spin_of(&of, forces, bodies->angular[row], rate, found.w);
  const vec3 turns = vec3_add(bodies->spin[row], spin);
  forces->works->load += 0.5 * forces->step * vec3_dot(torque, turns);
  bodies->velocity[row] = found.v;
  bodies->spin[row] = spin;
  memcpy(of.rate, rate, (size_t)of.body->nodes * sizeof *rate);
}

static Momenta momenta(const Bodies *bodies, int row)
{
  Momenta sum = kind_rigid.momenta(bodies, row);
  const FiniteRow of = row_of(bodies, row);
  sum.energy[1] += finite_body_rate_energy(of.body, of.rate);
  return sum;
}

// The displacement of a reference place of the surface, body frame.
static vec3 displacement_of(const FiniteRow *of, vec3 reference)
{
  const FinitePlace place = finite_shape_place(of->finite->shape, reference);
  return finite_place_value(&place, of->displacement);
}

static void surface(const Bodies *bodies, int row, const vec3 *reference, int count, vec3 *places)
{
  assert_debug(count >= 0 && "places are counted");
  const FiniteRow of = row_of(bodies, row);
  const mat3 rotation = quat_to_mat3(bodies->orientation[row]);
  for (int k = 0; k < count; k++) {
    const vec3 moved = vec3_add(reference[k], displacement_of(&of, reference[k]));
    places[k] = vec3_add(bodies->position[row], mat3_mul(rotation, moved));
  }
}

// ------------------------------------------------------------------------------------------------
// Material points, as far as the body frame moves them; the rest is that of nodes.

static vec3 arm(const Bodies *bodies, const MaterialPoint *point)
{
  const FiniteRow of = row_of(bodies, point->row);
  const mat3 r = quat_to_mat3(bodies->orientation[point->row]);
  const vec3 reference = mat3_mul_transposed(r, point->arm);
  return vec3_add(point->arm, mat3_mul(r, displacement_of(&of, reference)));
}

// ------------------------------------------------------------------------------------------------
// Nodes.

static int nodes(const Bodies *bodies, int row)
{
  assert_debug(bodies->elastic && bodies->elastic->meshes && "shapes have meshes");
  return elastic_nodes(&bodies->elastic->meshes[bodies->shape[row]]);
}

static const ElasticFinite *mesh(const Bodies *bodies, int row)
{
  return elastic_finite(bodies->elastic, bodies->shape[row], bodies->material[row]);
}

static double elastic_energy(const Bodies *bodies, int row, double temperature)
{
  const FiniteRow of = row_of(bodies, row);
  return finite_body_energy(of.body, of.displacement, temperature);
}

// Means over the body.
static void tensors(Bodies *bodies, int row, double temperature)
{
  const FiniteRow of = row_of(bodies, row);
  const Affine *constants =
      elastic_affine(bodies->elastic, bodies->shape[row], bodies->material[row]);
  const mat3 r = quat_to_mat3(bodies->orientation[row]);
  const mat3 gradient = finite_shape_gradient(of.finite->shape, of.displacement);
  const mat3 felt = mat3_add(gradient, mat3_scale(-1, affine_thermal(constants, temperature)));
  bodies->strain[row] = body_tensor_in_world(r, affine_strain(gradient));
  bodies->stress[row] = body_tensor_in_world(r, affine_stress(constants, felt));
}

// ------------------------------------------------------------------------------------------------
// Foundations: some nodes are held in a frame that moves as the case says (finite_held.h). Nothing
// else moves the frame: it has no momenta of its own.

// The case moves the frame (prescribed.h).
static void move_nodes(Bodies *bodies, int row, Twist u, double time)
{
  (void)u;
  const FiniteRow of = row_of(bodies, row);
  for (int n = 0; n < of.body->nodes; n++)
    of.displacement[n] = vec3_axpy(time, of.rate[n], of.displacement[n]);
}

static void stay(Bodies *bodies, int row, Twist by)
{
  (void)by;
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && "its nodes move");
}

static Twist in_body(mat3 rotation, Twist u)
{
  return (Twist){mat3_mul_transposed(rotation, u.v), mat3_mul_transposed(rotation, u.w)};
}

static FiniteFrame frame_of(const RowForces *forces)
{
  assert_debug(forces->held && forces->held->held == GUIDED_ALL && "the case moves the frame");
  const mat3 r = forces->mid->rotation;
  const Twist start = in_body(r, forces->held->start), end = in_body(r, forces->held->end);
  return (FiniteFrame){.velocity = {start.v, end.v},
                       .spin = {start.w, end.w},
                       .turning = mat3_mul_transposed(r, forces->held->turning)};
}

static FiniteMiddle middle_in_frame(const FiniteRow *of, const RowForces *forces)
{
  const mat3 r = forces->mid->rotation;
  return (FiniteMiddle){.displacement = of->displacement,
                        .rate = of->rate,
                        .acceleration = mat3_mul_transposed(r, forces->acceleration),
                        .force = nodal_loads(of->finite, forces, true),
                        .temperature = forces->deforming ? forces->deforming->temperature[1] : 0};
}

static Twist free_in_frame(const Bodies *bodies, int row, const RowForces *forces)
{
  assert(forces->start != NULL && forces->end != NULL && "nodes have velocities");
  const FiniteRow of = row_of(bodies, row);
  const FiniteMiddle middle = middle_in_frame(&of, forces);
  const FiniteFrame frame = frame_of(forces);
  finite_held_start(of.body, &middle, &frame, forces->start);
  finite_held_free(of.body, &middle, &frame, forces->end);
  return forces->held->end;
}

static void take_nothing(Bodies *bodies, int row, const RowForces *forces)
{
  (void)forces;
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && "its nodes move");
}

static void end_in_frame(Bodies *bodies, int row, const RowForces *forces, Twist found,
                         const Twist *free)
{
  (void)found;
  (void)free;
  assert(forces->end != NULL && forces->works != NULL && forces->reaction != NULL &&
         "nodes have velocities and what holds them");
  const FiniteRow of = row_of(bodies, row);
  const FiniteMiddle middle = middle_in_frame(&of, forces);
  const FiniteFrame frame = frame_of(forces);
  vec3 *rate = of.finite->rate;
  finite_held_rate(of.body, &middle, &frame, forces->end, rate);
  static const double cold[3] = {0};
  const double *temperature = forces->deforming ? forces->deforming->temperature : cold;
  *forces->works = finite_held_works(of.body, &middle, rate, temperature);
  finite_held_reaction(of.body, &middle, &frame, rate, forces->reaction);
  bodies->velocity[row] = forces->held->end.v;
  bodies->spin[row] = forces->held->end.w;
  memcpy(of.rate, rate, (size_t)of.body->nodes * sizeof *rate);
}

// All that moves has what its nodes have.
static Momenta momenta_of_nodes(const Bodies *bodies, int row)
{
  const FiniteRow of = row_of(bodies, row);
  const mat3 r = quat_to_mat3(bodies->orientation[row]);
  const vec3 v = mat3_mul_transposed(r, bodies->velocity[row]),
             w = mat3_mul_transposed(r, bodies->spin[row]);
  Momenta sum = {.energy = {0, 0}};
  vec3 momentum = {0, 0, 0}, angular = {0, 0, 0};   // body axes, about the centre of mass
  for (int n = 0; n < of.body->nodes; n++) {
    const vec3 y = vec3_add(of.body->place[n], of.displacement[n]);
    const vec3 u = vec3_add(vec3_add(v, vec3_cross(w, y)), of.rate[n]);
    const vec3 p = vec3_scale(of.body->lumped[n], u);
    sum.energy[1] += 0.5 * vec3_dot(p, u);
    momentum = vec3_add(momentum, p);
    angular = vec3_add(angular, vec3_cross(y, p));
  }
  sum.momentum = mat3_mul(r, momentum);
  sum.angular[0] = vec3_cross(bodies->position[row], sum.momentum);
  sum.angular[1] = mat3_mul(r, angular);
  return sum;
}

// As a material point the frame yields to nothing.
static void push_nothing(const MaterialPoint *point, const MidState *mid, vec3 impulse, double sign,
                         Twist *u)
{
  (void)point, (void)mid, (void)impulse, (void)sign;
  assert_debug(u != NULL && "a frame has a velocity");
}

static sym3 no_delassus(const MaterialPoint *point, const MidState *mid, const mat3 *basis)
{
  (void)point, (void)mid, (void)basis;
  return (sym3){0};
}

static void take_no_impulse(Bodies *bodies, const MaterialPoint *point, vec3 impulse, double sign)
{
  (void)impulse, (void)sign;
  assert_debug(bodies->drive[point->row] == DRIVE_DYNAMIC && "its nodes move");
}

// ------------------------------------------------------------------------------------------------
// What bodies of finite elements do, however their frame moves.
#define FINITE_KIND                                                                \
  .in_lanes = false, .surface = surface, .arm = arm, .nodes = nodes, .mesh = mesh, \
  .elastic_energy = elastic_energy, .tensors = tensors

const BodyKind kind_finite = {.name = "finite elements",
                              .move = move,
                              .free_velocity = free_velocity,
                              .take_load = take_load,
                              .end_velocity = end_velocity,
                              .momenta = momenta,
                              FRAME_KIND,
                              FINITE_KIND};

const BodyKind kind_foundation = {.name = "foundation",
                                  .move = move_nodes,
                                  .shift = stay,
                                  .at_middle = frame_kind_at_middle,
                                  .free_velocity = free_in_frame,
                                  .take_load = take_nothing,
                                  .end_velocity = end_in_frame,
                                  .momenta = momenta_of_nodes,
                                  .mass = frame_kind_mass,
                                  .velocity = frame_kind_velocity,
                                  .push = push_nothing,
                                  .delassus = no_delassus,
                                  .take_impulse = take_no_impulse,
                                  FINITE_KIND};
