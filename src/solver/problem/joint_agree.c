// Projects offsets of joints on those that a motion of their bodies has.
#include "joint_agree.h"

#include <assert.h>

#include "check.h"

#define FREEDOMS 6       // of one rigid body against another
#define DEPENDENT 1e-9   // of a motion's size: what is left of it where others make it up

// Rigid directions of a pair.
typedef struct {
  int count;
  double **offsets;   // where they are kept, m/s
  vec3 *along, *place;
} Held;

static void add_direction(Held *held, double *offset, vec3 along, vec3 place)
{
  held->offsets[held->count] = offset;
  held->along[held->count] = along;
  held->place[held->count++] = place;
}

// Directions in which points that joints hold neither give nor let go.
static Held held_of(Problem *problem, int k, Arena *arena)
{
  const int first = problem->joints[k].point, end = problem->pairs[k].end;
  const size_t room = 3 * (size_t)(end - first);
  Held held = {.offsets = arena_allocate(arena, room * sizeof *held.offsets),
               .along = arena_allocate(arena, room * sizeof *held.along),
               .place = arena_allocate(arena, room * sizeof *held.place)};
  for (int i = first; i < end; i++) {
    PointLimits *limits = &problem->limits[i];
    const PointLever *lever = &problem->levers[i];
    if (!(problem->offset[i] < INFINITY)) continue;
    if (limits->tension > 0 && limits->push > 0 && limits->give[0] == 0)
      add_direction(&held, &problem->offset[i], lever->normal, lever->low_arm);
    if (!(limits->shear > 0) || limits->give[1] != 0) continue;
    add_direction(&held, &limits->along[0], lever->tangent, lever->low_arm);
    add_direction(&held, &limits->along[1], vec3_cross(lever->normal, lever->tangent),
                  lever->low_arm);
  }
  return held;
}

static double dot(const double *a, const double *b, int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

static void take_off(double *a, const double *unit, int count)
{
  const double share = dot(a, unit, count);
  for (int i = 0; i < count; i++) a[i] -= share * unit[i];
}

// Velocities in the directions held, of three shifts and three turns about the middle of the
// places, all of one size.
static void make_motions(const Held *held, double *motions[FREEDOMS])
{
  assert_debug(held->count > 0 && "there are directions");
  vec3 middle = {0, 0, 0};
  for (int i = 0; i < held->count; i++) middle = vec3_add(middle, held->place[i]);
  middle = vec3_scale(1 / (double)held->count, middle);
  double size = 0;
  for (int i = 0; i < held->count; i++)
    size = larger_of(size, vec3_norm(vec3_sub(held->place[i], middle)));
  const double turn = size > 0 ? 1 / size : 0;
  for (int i = 0; i < held->count; i++) {
    const vec3 n = held->along[i];
    const vec3 moment = vec3_scale(turn, vec3_cross(vec3_sub(held->place[i], middle), n));
    const double velocities[FREEDOMS] = {n.x, n.y, n.z, moment.x, moment.y, moment.z};
    for (int f = 0; f < FREEDOMS; f++) motions[f][i] = velocities[f];
  }
}

// Gram and Schmidt, twice for the sake of rounding; motions that others make up go. Returns how
// many are left.
static int make_units(double *motions[FREEDOMS], int count)
{
  int units = 0;
  for (int f = 0; f < FREEDOMS; f++) {
    double *motion = motions[f];
    const double before = sqrt(dot(motion, motion, count));
    for (int u = 0; u < 2 * units; u++) take_off(motion, motions[u % units], count);
    const double left = sqrt(dot(motion, motion, count));
    if (!(left > DEPENDENT * before)) continue;
    for (int i = 0; i < count; i++) motions[units][i] = motion[i] / left;
    units++;
  }
  return units;
}

void joint_offsets_agree(Problem *problem, int k, Arena *arena)
{
  assert(problem->joints != NULL && problem->limits != NULL && "points of joints have limits");
  const SolverPair *pair = &problem->pairs[k];
  if (pair->end - problem->joints[k].point < 2) return;
  if (!rigid_pairs_has(problem->bodies, pair->low, pair->high)) return;   // strains have freedoms
  const ArenaMark mark = arena_mark(arena);
  const Held held = held_of(problem, k, arena);
  if (held.count > 1) {
    const size_t bytes = (size_t)held.count * sizeof(double);
    double *motions[FREEDOMS], *offset = arena_allocate(arena, bytes),
                               *agreed = arena_allocate_zero(arena, bytes, 1);
    for (int f = 0; f < FREEDOMS; f++) motions[f] = arena_allocate(arena, bytes);
    make_motions(&held, motions);
    const int units = make_units(motions, held.count);
    for (int i = 0; i < held.count; i++) offset[i] = *held.offsets[i];

    // the part along each motion, from what is left of the offsets
    for (int u = 0; u < units && units < held.count; u++) {
      const double share = dot(offset, motions[u], held.count);
      for (int i = 0; i < held.count; i++) agreed[i] += share * motions[u][i];
      take_off(offset, motions[u], held.count);
    }
    for (int i = 0; i < held.count && units < held.count; i++) *held.offsets[i] = agreed[i];
  }
  arena_release(arena, mark);
}

// -- loops of bodies ------------------------------------------------------------------------------

static bool is_endless(PointLaw law)
{
  return fmin(fmin(law.tension, law.push), law.shear) == INFINITY && law.give[0] == 0 &&
         law.give[1] == 0;
}

double joint_offsets_strain(const Problem *problem)
{
  double largest = 0;
  if (!problem->joints) return largest;
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->joints[k].point; i < problem->pairs[k].end; i++)
      if (is_endless(problem_law(problem, i)))
        largest = larger_of(largest, vec3_norm(problem->r[i]));
  return largest;
}

void joint_offsets_relax(Problem *problem)
{
  if (!problem->joints) return;
  assert(problem->limits != NULL && "points of joints have limits");
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->joints[k].point; i < problem->pairs[k].end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      if (!(p.offset.x < INFINITY) || !is_endless(p.law)) continue;
      const vec3 u = problem_velocity(&p, problem_now(problem));
      problem->offset[i] = -u.x;
      problem->limits[i].along[0] = -u.y;
      problem->limits[i].along[1] = -u.z;
      problem->r[i] = (vec3){0, 0, 0};
    }
}
