#pragma once
// Forces of the volumetric law as loads of bodies, and what they do to energies.
#include "bodies.h"
#include "exact_sum.h"
#include "motion.h"
#include "surface_law.h"
#include "volumes.h"

// Rows and their bodies at the middle of a step.
typedef struct {
  Volumes *volumes;
  const Bodies *bodies;
  const MidState *mid;   // [rows of bodies]
  const SurfaceLaws *laws;
  double step;   // s
} VolumeForces;

// Own bodies that the step is too long for: h^2 sum k A / m > 1 or h a F W > 1, see
// volume_forces.c.
typedef struct {
  int64_t count;
  uint64_t first;   // the lowest of them
} StiffBodies;

// Local. Adds the forces of all rows to the loads of own bodies ([own rows of bodies]), in the
// order of keys: the same sums on any number of ranks. Scratch from the arena.
StiffBodies volume_forces_add(const VolumeForces *forces, LoadSum *loads, Arena *arena);

// Works of rows in a step.
typedef struct {
  const Twist *start, *end;   // [rows of bodies] u(n), u(n+1)
  ExactSum *work;             // all of it
  ExactSum *prescribed;       // what prescribed bodies do to the others
} VolumeWorks;

// Local. Adds the works of own rows: impulse and couple times the means of both velocities. Rows
// then tell what they took in the step by these means.
void volume_forces_work(const VolumeForces *forces, const VolumeWorks *works);

// Local. Adds the impulses of own rows, each once for every dynamic body that it has, N s.
void volume_forces_impulses(const VolumeForces *forces, ExactSum *sum);
