// Evaluates laws between materials that change in time.
#include "law_in_time.h"

#include <assert.h>
#include <string.h>

static double value_of(const TimeVector *function, bool moves, double constant, double time)
{
  if (!moves) return constant;
  const double value = time_vector_at(function, time).x;
  return value > 0 ? value : 0;   // rounding at a bound of zero
}

static SurfaceLaw law_at(const SurfaceLaw *constant, const LawInTime *change, double time)
{
  SurfaceLaw law = *constant;
  const double factor = change->reduced ? time_vector_at(&change->reduction, time).x : 1;
  assert(factor > 0 && "strength is divided by it");
  law.friction = value_of(&change->friction, change->moves_friction, law.friction, time) / factor;
  law.cohesion = value_of(&change->cohesion, change->moves_cohesion, law.cohesion, time) / factor;
  law.tensile_strength =
      value_of(&change->tensile_strength, change->moves_tensile, law.tensile_strength, time) /
      factor;
  if (law.friction * law.tensile_strength > law.cohesion)
    law.tensile_strength = law.cohesion / law.friction;
  return law;
}

const SurfaceLaws *law_in_time_at(const SurfaceLaws *laws, const LawInTime *changes, int count,
                                  double time, Arena *arena)
{
  assert(count >= 0 && (changes != NULL || count == 0) && "changes are counted");
  if (count == 0) return laws;
  const size_t entries = (size_t)surface_laws_count(laws->material_count);
  SurfaceLaws *now = arena_allocate(arena, sizeof *now);
  *now = *laws;
  now->laws = arena_allocate(arena, entries * sizeof *now->laws);
  memcpy(now->laws, laws->laws, entries * sizeof *now->laws);
  for (int i = 0; i < count; i++)
    now->laws[changes[i].law] = law_at(&laws->laws[changes[i].law], &changes[i], time);
  return now;
}
