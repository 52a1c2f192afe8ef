#pragma once
// Forces and torques of the case on its bodies.
#include "motion.h"
#include "world.h"

// The functions of time of all loads at one time.
typedef struct {
  const vec3 *forces, *torques;   // [case->load_count]
} LoadValues;

// Local. Loads at the middle of the coming step; memory from the arena.
LoadValues loads_at_middle(const World *world, Arena *arena);

// Local. What acts on a row in the orientation it has now; nothing on a body that is not dynamic.
LoadSum loads_on(World *world, const LoadValues *values, int row);

// Local. The same for all rows, [bodies.table.count] in the arena, or NULL for a case without
// loads.
LoadSum *loads_on_all(World *world, Arena *arena);

// Local. What loads change of the free motion of a dynamic row in the coming step.
MotionChange loads_change(World *world, LoadSum load, int row);
