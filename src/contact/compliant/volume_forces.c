// Sums the forces of common volumes over bodies, and their works over rows.
#include "volume_forces.h"

#include "check.h"
#include "rigid.h"

// What rows do to one body.
typedef struct {
  LoadSum load;
  double stiffness;   // sum of k A, N/m
  double damping;     // largest a F W along the normal, 1/s
} BodyVolumes;

typedef struct {
  const VolumeForces *forces;
  BodyVolumes *of;   // [own rows]
} VolumeSum;

// The two bodies of a row, and their arms to its point.
typedef struct {
  int row[2];    // the lower one first
  vec3 arm[2];   // m, world axes
} VolumeEnds;

static VolumeEnds ends_of(const VolumeForces *forces, int row)
{
  const Bodies *b = forces->bodies;
  const IdPair ids = forces->volumes->bodies[row];
  const int low = bodies_find(b, ids.low), high = bodies_find(b, ids.high);
  assert(low >= 0 && high >= 0 && "a row's bodies are here");
  const vec3 arm = forces->volumes->arm[row];
  const vec3 between = vec3_sub(b->position[low], b->position[high]);
  return (VolumeEnds){{low, high}, {arm, vec3_add(arm, between)}};
}

// Mobility of the point along the normal, 1/kg.
static double mobility_along(const MidState *mid, vec3 normal, vec3 arm)
{
  const vec3 turn = vec3_cross(arm, normal);
  return mid->inverse_mass + vec3_dot(turn, mat3_mul(mid->inverse_inertia, turn));
}

static void add_row(void *context, const Volumes *v, int row)
{
  const VolumeSum *sum = context;
  const VolumeForces *in = sum->forces;
  const Bodies *b = in->bodies;
  const VolumeEnds ends = ends_of(in, row);
  const int low = ends.row[0], high = ends.row[1];
  const double per_step = 1 / in->step;
  const vec3 force = vec3_scale(per_step, v->impulse[row]);
  const vec3 couple = vec3_scale(per_step, v->couple[row]);
  const VolumetricLaw *law = &surface_laws_of(in->laws, b, low, high)->volumetric;
  const double mobility = mobility_along(&in->mid[low], v->normal[row], ends.arm[0]) +
                          mobility_along(&in->mid[high], v->normal[row], ends.arm[1]);
  const double damping = law->damping * per_step * v->spring[row] * mobility;
  for (int side = 0; side < 2; side++) {
    const int body = ends.row[side];
    if (body >= b->table.owned || b->drive[body] != DRIVE_DYNAMIC) continue;
    BodyVolumes *of = &sum->of[body];
    const double sign = side == 0 ? 1 : -1;
    const vec3 torque = vec3_add(couple, vec3_cross(ends.arm[side], force));
    of->load.force = vec3_axpy(sign, force, of->load.force);
    of->load.torque = vec3_axpy(sign, torque, of->load.torque);
    of->stiffness += law->stiffness * v->area[row];
    of->damping = larger_of(of->damping, damping);
  }
}

StiffBodies volume_forces_add(const VolumeForces *forces, LoadSum *loads, Arena *arena)
{
  assert(forces->step > 0 && loads != NULL && "a step takes time");
  const Bodies *b = forces->bodies;
  const double h = forces->step;
  const ArenaMark mark = arena_mark(arena);
  VolumeSum sum = {forces,
                   arena_allocate_zero(arena, (size_t)b->table.owned + 1, sizeof(BodyVolumes))};
  volumes_visit(forces->volumes, add_row, &sum);
  StiffBodies stiff = {0, 0};
  for (int i = 0; i < b->table.owned; i++) {
    const BodyVolumes *of = &sum.of[i];
    loads[i].force = vec3_add(loads[i].force, of->load.force);
    loads[i].torque = vec3_add(loads[i].torque, of->load.torque);
    const double square = h * h * of->stiffness * forces->mid[i].inverse_mass;
    if (!(square > 1) && !(h * of->damping > 1)) continue;
    if (stiff.count++ == 0) stiff.first = b->id[i];
  }
  arena_release(arena, mark);
  return stiff;
}

// Velocity of a place of a body and its spin, means over the step.
static Twist mean_at(const VolumeWorks *works, int row, vec3 arm)
{
  const Twist p = works->start[row], q = works->end[row];
  const Twist mean = {vec3_scale(0.5, vec3_add(p.v, q.v)), vec3_scale(0.5, vec3_add(p.w, q.w))};
  return (Twist){rigid_velocity(mean, arm), mean.w};
}

// What a row took in the step, with the means of velocities; of friction the difference to what it
// takes with those at the start, with which bristles are told their way.
static void measure_losses(const VolumeForces *forces, const VolumeEnds *ends, int row,
                           const Twist mean[2], const Twist *start)
{
  Volumes *v = forces->volumes;
  const vec3 n = v->normal[row], impulse = v->impulse[row], couple = v->couple[row];
  const vec3 u = vec3_sub(mean[0].v, mean[1].v), w = vec3_sub(mean[0].w, mean[1].w);
  const Twist low = start[ends->row[0]], high = start[ends->row[1]];
  const vec3 u0 = vec3_sub(rigid_velocity(low, ends->arm[0]), rigid_velocity(high, ends->arm[1]));
  const vec3 w0 = vec3_sub(low.w, high.w);
  const double along = vec3_dot(impulse, n), about = vec3_dot(couple, n);
  const vec3 sliding = vec3_axpy(-along, n, impulse), rolling = vec3_axpy(-about, n, couple);
  v->damped[row] = -(along - v->spring[row]) * vec3_dot(u, n);
  v->rolled[row] = -vec3_dot(rolling, w);
  v->rubbed[row] -= vec3_dot(sliding, vec3_sub(u, u0)) + about * vec3_dot(vec3_sub(w, w0), n);
}

void volume_forces_work(const VolumeForces *forces, const VolumeWorks *works)
{
  assert(works->work != NULL && works->prescribed != NULL && "works are added");
  const Volumes *v = forces->volumes;
  for (int i = 0; i < v->table.owned; i++) {
    const VolumeEnds ends = ends_of(forces, i);
    Twist mean[2];
    for (int side = 0; side < 2; side++) {
      mean[side] = mean_at(works, ends.row[side], ends.arm[side]);
      const double sign = side == 0 ? 1 : -1;
      const double done =
          sign * (vec3_dot(v->impulse[i], mean[side].v) + vec3_dot(v->couple[i], mean[side].w));
      exact_sum_add(works->work, done);
      if (forces->bodies->drive[ends.row[side]] == DRIVE_PRESCRIBED)
        exact_sum_add(works->prescribed, -done);
    }
    measure_losses(forces, &ends, i, mean, works->start);
  }
}

void volume_forces_impulses(const VolumeForces *forces, ExactSum *sum)
{
  assert(sum != NULL && "impulses are added");
  const Volumes *v = forces->volumes;
  const int32_t *drive = forces->bodies->drive;
  for (int i = 0; i < v->table.owned; i++) {
    const VolumeEnds ends = ends_of(forces, i);
    const int times = (drive[ends.row[0]] == DRIVE_DYNAMIC) + (drive[ends.row[1]] == DRIVE_DYNAMIC);
    exact_sum_add(sum, times * vec3_norm(v->impulse[i]));
  }
}
