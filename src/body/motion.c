// Moves bodies by Moreau's midpoint rule, behind kinds of bodies.
#include "motion.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "guided.h"
#include "kind.h"
#include "nodes.h"
#include "rotation.h"

#define LARGE_TURN 0.2   // rad in one step

mat3 motion_inertia(const Bodies *bodies, int row, ShapeSet *shapes, const double *densities)
{
  assert_debug(row >= 0 && densities[bodies->material[row]] > 0 &&
               "a body's material has a density");
  return mat3_scale(densities[bodies->material[row]],
                    shape_set_get(shapes, bodies->shape[row])->inertia);
}

void motion_add_mass(const MidState *mid, unsigned held, double *block)
{
  assert_debug(motion_moves(mid) && "a body with unknowns moves");
  const mat3 turning = mat3_inverse(
      held ? guided_filled(mid->inverse_inertia, held, mid->inverse_mass) : mid->inverse_inertia);
  for (int i = 0; i < 3; i++) {
    block[MOTION_UNKNOWNS * i + i] += 1 / mid->inverse_mass;
    const double t[3] = {turning.row[i].x, turning.row[i].y, turning.row[i].z};
    for (int j = 0; j < 3; j++) block[MOTION_UNKNOWNS * (3 + i) + 3 + j] += t[j];
  }
}

void motion_weigh(const MidState *mid, double *weight)
{
  assert_debug(motion_moves(mid) && "a body with unknowns moves");
  const mat3 inverse = mid->inverse_inertia;
  const double trace = inverse.row[0].x + inverse.row[1].y + inverse.row[2].z;
  const double gyration = sqrt(3 * mid->inverse_mass / trace);
  for (int i = 0; i < 3; i++) {
    weight[i] = 1;
    weight[3 + i] = 1 / gyration;
  }
}

void motion_begin(Bodies *bodies, int row, ShapeSet *shapes, const double *densities)
{
  assert(row >= 0 && row < bodies->table.count && "a row of the table");
  const Shape *shape = shape_set_get(shapes, bodies->shape[row]);
  bodies->mass[row] = densities[bodies->material[row]] * shape->volume;
  bodies->angular[row] = rotation_momentum(bodies->orientation[row], bodies->spin[row],
                                           motion_inertia(bodies, row, shapes, densities));
}

void motion_first_half(Bodies *bodies, ShapeSet *shapes, const double *densities, double step,
                       MidState *mid)
{
  assert(step > 0 && "time goes on");
  assert((mid != NULL || bodies->table.count == 0) && "every row has a state at the middle");
  for (int i = 0; i < bodies->table.count; i++) {
    if (bodies->drive[i] != DRIVE_DYNAMIC) {
      mid[i] = (MidState){.rotation = quat_to_mat3(bodies->orientation[i])};
      continue;
    }
    const BodyKind *kind = kind_of(bodies, i);
    kind->move(bodies, i, (Twist){bodies->velocity[i], bodies->spin[i]}, 0.5 * step);
    const mat3 inertia = motion_inertia(bodies, i, shapes, densities);
    kind->at_middle(bodies, i, &inertia, &mid[i]);
  }
}

void motion_at_start(const Bodies *bodies, ShapeSet *shapes, const double *densities, MidState *mid)
{
  assert((mid != NULL || bodies->table.count == 0) && "every row has a state");
  for (int i = 0; i < bodies->table.count; i++) {
    if (bodies->drive[i] != DRIVE_DYNAMIC) {
      mid[i] = (MidState){.rotation = quat_to_mat3(bodies->orientation[i])};
      continue;
    }
    const mat3 inertia = motion_inertia(bodies, i, shapes, densities);
    kind_of(bodies, i)->at_middle(bodies, i, &inertia, &mid[i]);
  }
}

void motion_second_half(Bodies *bodies, double step)
{
  assert(step > 0 && "time goes on");
  for (int i = 0; i < bodies->table.owned; i++) {
    if (bodies->drive[i] != DRIVE_DYNAMIC) continue;
    const Twist u = {bodies->velocity[i], bodies->spin[i]};
    kind_of(bodies, i)->move(bodies, i, u, 0.5 * step);
  }
}

void motion_shift(Bodies *bodies, const Twist *shift)
{
  assert((shift != NULL || bodies->table.owned == 0) && "every own row has a shift");
  for (int i = 0; i < bodies->table.owned; i++)
    if (bodies->drive[i] == DRIVE_DYNAMIC) kind_of(bodies, i)->shift(bodies, i, shift[i]);
}

static RowForces forces_on(const Bodies *bodies, int row, const MotionForces *forces)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  const Deforming *deforming = forces->deforming;
  const bool deforms = deforming && deforming->first[row] < deforming->first[row + 1];
  return (RowForces){.mid = &forces->mid[row],
                     .inertia = motion_inertia(bodies, row, forces->shapes, forces->densities),
                     .acceleration = forces->acceleration,
                     .load = forces->loads ? &forces->loads[row] : NULL,
                     .step = forces->step,
                     .start = deforms ? deforming->start + deforming->first[row] : NULL,
                     .end = deforms ? deforming->end + deforming->first[row] : NULL,
                     .deforming = deforms && deforming->loads ? &deforming->loads[row] : NULL,
                     .works = deforms ? &deforming->works[row] : NULL,
                     .reaction = deforms ? deforming->reaction + deforming->first[row] : NULL,
                     .held = forces->held && forces->held[row].held ? &forces->held[row] : NULL};
}

void motion_free_velocities(const Bodies *bodies, const MotionForces *forces, Twist *start,
                            Twist *free)
{
  assert(forces->step > 0 && "time goes on");
  assert(bodies->table.owned <= bodies->table.count && "own rows come first");
  for (int i = 0; i < bodies->table.count; i++) {
    if (bodies->drive[i] == DRIVE_PRESCRIBED) continue;
    if (bodies->drive[i] == DRIVE_FIXED) {
      start[i] = free[i] = (Twist){{0, 0, 0}, {0, 0, 0}};
      continue;
    }
    // the case has said how foundations start
    if (!kind_founded(bodies, i)) start[i] = (Twist){bodies->velocity[i], bodies->spin[i]};
    const RowForces on = forces_on(bodies, i, forces);
    free[i] = kind_of(bodies, i)->free_velocity(bodies, i, &on);
  }
}

void motion_take_loads(Bodies *bodies, int row, const MotionForces *forces)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && "the case moves the others");
  if (!forces->loads) return;
  const RowForces on = forces_on(bodies, row, forces);
  kind_of(bodies, row)->take_load(bodies, row, &on);
}

void motion_end_velocity(Bodies *bodies, int row, const MotionForces *forces, Twist found,
                         const Twist *free)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && "the case moves the others");
  const RowForces on = forces_on(bodies, row, forces);
  kind_of(bodies, row)->end_velocity(bodies, row, &on, found, free);
}

void motion_gather(const Bodies *bodies, const MotionForces *forces, const vec3 *nodes,
                   const Twist *twist, mat3 *stretch)
{
  const Deforming *deforming = forces->deforming;
  assert(deforming != NULL && nodes != NULL && "rows that deform have nodes");
  for (int i = 0; i < bodies->table.count; i++) {
    stretch[i] = mat3_diagonal(0, 0, 0);
    const int first = deforming->first[i];
    if (first == deforming->first[i + 1] || kind_of(bodies, i)->mesh) continue;
    const mat3 field = kind_of(bodies, i)->field(bodies, i, &forces->mid[i], nodes + first);
    stretch[i] = mat3_add(field, mat3_scale(-1, mat3_skew(twist[i].w)));
  }
}

void motion_spread(const Bodies *bodies, const MotionForces *forces, Velocities velocities,
                   const unsigned char *touched)
{
  const Deforming *deforming = forces->deforming;
  assert(deforming != NULL && velocities.stretch != NULL && "rows that deform have nodes");
  for (int i = 0; i < bodies->table.owned; i++) {
    const int first = deforming->first[i];
    const int end = deforming->first[i + 1];
    if (first == end || !touched[i]) continue;
    if (kind_of(bodies, i)->mesh) {
      memcpy(deforming->end + first, velocities.nodes + first,
             (size_t)(end - first) * sizeof(vec3));
      continue;
    }
    const Twist u = velocities.twist[i];
    const BodyField field = {u.v, mat3_add(mat3_skew(u.w), velocities.stretch[i])};
    kind_of(bodies, i)->spread(bodies, i, &forces->mid[i], field, deforming->end + first);
  }
}

MotionChange motion_change(const Bodies *bodies, int row, mat3 inertia, LoadSum load, double step)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && step > 0 && "loads move dynamic rows");
  if (vec3_norm(load.force) == 0 && vec3_norm(load.torque) == 0)
    return (MotionChange){.path_excess = 0};
  const mat3 r = quat_to_mat3(bodies->orientation[row]);
  const unsigned held = kind_held(bodies, row);
  if (held) {
    const vec3 push = vec3_scale(step / bodies->mass[row], load.force);
    return (MotionChange){guided_free(held, push),
                          vec3_scale(step, mat3_mul(guided_inverse(r, inertia, held), load.torque)),
                          0};
  }
  const vec3 body_torque = mat3_mul_transposed(r, load.torque);
  const vec3 spin = mat3_mul(r, mat3_mul(mat3_inverse(inertia), body_torque));
  return (MotionChange){vec3_scale(step / bodies->mass[row], load.force), vec3_scale(step, spin),
                        0};
}

Momenta motion_momenta(const Bodies *bodies, int row)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && "momenta are those of dynamic rows");
  return kind_of(bodies, row)->momenta(bodies, row);
}

MotionMass motion_mass(const Bodies *bodies, int row, const MidState *mid)
{
  assert(motion_moves(mid) && "a body that moves has a mass");
  return kind_of(bodies, row)->mass(bodies, row, mid);
}

void motion_surface(const Bodies *bodies, int row, const vec3 *reference, int count, vec3 *places)
{
  assert(count >= 0 && row >= 0 && row < bodies->table.count && "points of a row's surface");
  kind_of(bodies, row)->surface(bodies, row, reference, count, places);
}

double motion_work_of_acceleration(const Bodies *bodies, int row, vec3 acceleration, Twist start,
                                   double step)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && step > 0 && "a mass is moved for a time");
  const vec3 both = vec3_add(start.v, bodies->velocity[row]);
  return step * bodies->mass[row] * (0.5 * vec3_dot(acceleration, both));
}

double motion_work_of_load(const Bodies *bodies, int row, LoadSum load, Twist start, double step)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && step > 0 && "a mass is moved for a time");
  const vec3 v = vec3_add(start.v, bodies->velocity[row]), w = vec3_add(start.w, bodies->spin[row]);
  return 0.5 * step * (vec3_dot(load.force, v) + vec3_dot(load.torque, w));
}

double motion_elastic_energy(const Bodies *bodies, int row, double temperature)
{
  assert_debug(bodies->drive[row] == DRIVE_DYNAMIC && "energies are those of dynamic rows");
  const BodyKind *kind = kind_of(bodies, row);
  return kind->elastic_energy ? kind->elastic_energy(bodies, row, temperature) : 0;
}

void motion_fill_tensors(Bodies *bodies, int row, double temperature)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  if (!bodies->strain) return;
  const BodyKind *kind = kind_of(bodies, row);
  bodies->strain[row] = bodies->stress[row] = (BodyTensor){0};
  if (kind->tensors) kind->tensors(bodies, row, temperature);
}

static bool gradient_is_finite(const mat3 *g)
{
  return vec3_is_finite(g->row[0]) && vec3_is_finite(g->row[1]) && vec3_is_finite(g->row[2]);
}

// of rows of finite elements
static bool nodes_are_finite(const Bodies *bodies, int row)
{
  const int count = bodies->nodes ? kind_mesh_nodes(bodies, row) : 0;
  const int first = count > 0 ? nodes_find(bodies->nodes, bodies->id[row]) : 0;
  for (int n = first; n < first + count; n++)
    if (!vec3_is_finite(bodies->nodes->displacement[n]) || !vec3_is_finite(bodies->nodes->rate[n]))
      return false;
  return true;
}

bool motion_is_finite(const Bodies *bodies, int row)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  const quat q = bodies->orientation[row];
  return vec3_is_finite(bodies->position[row]) && vec3_is_finite(bodies->velocity[row]) &&
         vec3_is_finite(bodies->spin[row]) && vec3_is_finite(bodies->angular[row]) &&
         isfinite(q.w + q.x + q.y + q.z) &&
         (!bodies->gradient || (gradient_is_finite(&bodies->gradient[row]) &&
                                gradient_is_finite(&bodies->gradient_rate[row]))) &&
         nodes_are_finite(bodies, row);
}

bool motion_is_large(const Bodies *bodies, int row, const Shape *shape, double step)
{
  assert_debug(shape->inradius > 0 && step > 0 && "a shape has an inside, a step takes time");
  const double move = step * vec3_norm(bodies->velocity[row]),
               turn = step * vec3_norm(bodies->spin[row]);
  return move > 0.5 * shape->inradius || (shape->sphere_radius <= 0 && turn > LARGE_TURN);
}

bool motion_is_false(const Bodies *bodies, int row, const Shape *shape, double step)
{
  assert_debug(row >= 0 && step > 0 && "a row moves for a time");
  return shape->sphere_radius <= 0 && step * vec3_norm(bodies->spin[row]) > MOTION_FALSE_TURN;
}
