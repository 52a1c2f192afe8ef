#pragma once
// Friction and strength of pairs of materials that change in time.
#include "arena.h"
#include "surface_law.h"
#include "time_vector.h"

// What of one law changes; a function without terms stands for the constant of the law.
typedef struct {
  int law;   // in the table of laws
  bool moves_friction, moves_cohesion, moves_tensile;
  TimeVector friction;                     // its x
  TimeVector cohesion, tensile_strength;   // their x, Pa
  TimeVector reduction;                    // its x, > 0, divides all of them
  bool reduced;
} LawInTime;

// Local. Does anything change?
static inline bool law_in_time_moves(const LawInTime *change)
{
  return change->moves_friction || change->moves_cohesion || change->moves_tensile ||
         change->reduced;
}

// Local. The laws at a time, s: those of the case themselves where nothing changes, else a copy in
// the arena. A joint is no stronger in tension than where its cone of shear ends.
const SurfaceLaws *law_in_time_at(const SurfaceLaws *laws, const LawInTime *changes, int count,
                                  double time, Arena *arena);
