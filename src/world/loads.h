#pragma once
// Forces, torques and temperatures of the case on its bodies, and what they do to those that
// deform.
#include "exact_sum.h"
#include "halo.h"
#include "motion.h"
#include "world.h"

// Where a wheel pushes a body.
typedef struct {
  uint64_t id;   // of the body
  int load;
  vec3 place;   // world axes, as bodies are when it was looked for, m
  vec3 force;   // N
} WheelTouch;

// The functions of time of all loads at one time, and where wheels are then.
typedef struct {
  const vec3 *forces, *torques;   // [case->load_count]
  const double *pressures;        // [case->load_count] Pa
  int touch_count;
  const WheelTouch *touches;   // [touch_count] by id, the same on all ranks
  int off;                     // wheels that push and have no body below them
  int first_off;               // the lowest load of these
} LoadValues;

// Collective where the case has wheels. Loads at the middle of the coming step, wheels on bodies as
// they are now; memory from the arena.
LoadValues loads_at_middle(World *world, Arena *arena);

// Local. The same without one of the loads, or that one alone.
LoadValues loads_choose(const Case *c, const LoadValues *all, int load, bool alone, Arena *arena);

// Local. What acts on a row in the orientation it has now; nothing on a body that is not dynamic.
LoadSum loads_on(World *world, const LoadValues *values, int row);

// Local. The same for all rows, [bodies.table.count] in the arena; NULL for a case without loads.
// Notes wheels off the ground in the record.
LoadSum *loads_on_all(World *world, const LoadValues *values, Arena *arena);

// Local. What others add to own bodies as they are now, world->loaded.
void loads_ask_others(World *world, Arena *arena);

// Collective. Gives ghosts what others add to them, and adds that to the loads of all rows. loads:
// NULL for none, and so is the result.
LoadSum *loads_add_others(World *world, LoadSum *loads, const HaloPlan *plan, Arena *arena);

// Local. What loads change of the free motion of a dynamic row in the coming step.
MotionChange loads_change(World *world, LoadSum load, int row);

// Local. Nodes of all rows that deform and what acts on them at the middle of the coming step, in
// the arena; NULL for a case without such bodies.
const Deforming *loads_begin_deforming(World *world, const LoadValues *values, Arena *arena);

// Works of a step on bodies that deform, in the order of their sums: of damping, of the time
// scheme, and of loads and temperature as far as they deform bodies.
enum { LOADS_DAMPING, LOADS_SCHEME, LOADS_STRAIN, LOADS_WORKS };

// Local. Adds the works of own rows to sums [LOADS_WORKS].
void loads_add_works(const World *world, const Deforming *deforming, ExactSum *sums);

// Local. Elastic energy of an own dynamic row after the last step, J.
double loads_elastic_energy(const World *world, int row);

// Local. Strain and stress of own rows after the last step, which frames show.
void loads_fill_tensors(World *world);
