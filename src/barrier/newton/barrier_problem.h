#pragma once
// One step of bodies with barriers between them as a minimisation: what is given, and iterates.
#include <stdint.h>

#include "arena.h"
#include "barrier_advance.h"
#include "barrier_settings.h"
#include "halo.h"
#include "motion.h"

// Two rows that may feel each other in the step, the lower id first.
typedef struct {
  int low, high;
  double friction;
  bool counted;   // the rank counts its energy: one of all that know the couple does
} BarrierCouple;

typedef struct {
  int own, count;           // own rows, then ghosts
  const uint64_t *ids;      // [count] ascending in either half
  const int *ghost_ranks;   // [count - own]
  HaloPlan plan;
  const BarrierSurface *const *surfaces;   // [count]
  const vec3 *position;                    // [count] at the start of the step, m
  const quat *orientation;                 // [count] likewise
  const double *mass;                      // [count] kg; 0: the row moves as free says
  const mat3 *inertia;   // [count] about the centre of mass at the start, world axes, kg m2
  const Twist *free;     // [count] velocities without contact
  double range;          // m: no point of a row moves farther in the step
  int couple_count;
  const BarrierCouple *couples;   // [couple_count] all of own rows that move, in order of ids
  double step;                    // s
  BarrierSettings settings;
} BarrierProblem;

// Bodies at velocities, with what they feel at the end of the step. Memory of its own.
typedef struct {
  Arena memory;
  Twist *u;              // [count]
  BarrierBody *bodies;   // [count] where u leads
  int *start;            // [couple_count + 1] into the terms
  BarrierTerms terms;
  bool apart;   // no surfaces touch there, on no rank; the rest holds where this is so
} BarrierIterate;

// The most that friction takes at a point, and where it acts.
typedef struct {
  BarrierKind kind;   // of the term that it was made of
  int feature[2];
  vec3 arm[2];    // from the centres of mass, m
  vec3 normal;    // unit
  double limit;   // friction times normal force, N
} BarrierGrip;

typedef struct {
  int *start;   // [couple_count + 1]
  BarrierGrip *of;
} BarrierGrips;

static inline bool barrier_problem_moves(const BarrierProblem *problem, int row)
{
  return problem->mass[row] > 0;
}

// Local. Velocity of the lower body relative to the higher one along the surface, m/s.
static inline vec3 barrier_problem_slip(const BarrierGrip *grip, const Twist pair[2])
{
  const vec3 low = vec3_add(pair[0].v, vec3_cross(pair[0].w, grip->arm[0]));
  const vec3 high = vec3_add(pair[1].v, vec3_cross(pair[1].w, grip->arm[1]));
  const vec3 u = vec3_sub(low, high);
  return vec3_axpy(-vec3_dot(u, grip->normal), grip->normal, u);
}

// Local. A row's path from one velocity on: along share s of the path it has u + s by.
BarrierPath barrier_problem_path(const BarrierProblem *problem, int row, Twist u, Twist by);

// Collective. Fills bodies, terms and apart of an iterate that has its u.
void barrier_problem_look(const BarrierProblem *problem, BarrierIterate *iterate);

// Collective. What a step's beginning is guessed to come to: couples that are as near as barriers
// reach and do not press yet have the terms of longer barriers, which press about as much as it
// takes to stop all free velocities in the step. All others have those of start. distances:
// [couple_count] of its surfaces, m. Poses are start's; what is new is the arena's. False: there is
// no such couple.
bool barrier_problem_expect(const BarrierProblem *problem, const BarrierIterate *start,
                            const double *distances, BarrierIterate *expected, Arena *arena);

// Local. What friction can take at the points that an iterate has.
BarrierGrips barrier_problem_grips(const BarrierProblem *problem, const BarrierIterate *iterate,
                                   Arena *arena);

// What the step minimises, J: kinetic distance, barriers and friction; infinite where surfaces
// touch.
typedef struct {
  double value;
  double rounding;   // what places round away: of a coordinate times the forces that barriers have
} BarrierEnergy;

// Collective. By exact sums.
BarrierEnergy barrier_problem_energy(const BarrierProblem *problem, const BarrierIterate *iterate,
                                     const BarrierGrips *grips);
