#pragma once
// What functions of time of a case are of, in which units files may have them.
#include "case_value.h"

typedef enum {
  TIME_ACCELERATION,   // m/s2
  TIME_VELOCITY,       // m/s
  TIME_SPIN,           // rad/s
  TIME_SPIN_RATE,      // rad/s2
  TIME_FORCE,          // N
  TIME_TORQUE,         // N m
  TIME_PLACE,          // m
  TIME_TEMPERATURE,    // K, one number, as of those below
  TIME_SPEED,          // m/s
  TIME_TURN,           // rad/s
  TIME_THRUST,         // N
  TIME_PRESSURE,       // Pa
  TIME_FRICTION,       // a coefficient
  TIME_STRENGTH,       // Pa
  TIME_REDUCTION,      // of strength, a factor that divides it
} TimeQuantity;

// What its numbers must be.
extern const NumberRule *const CASE_QUANTITY_RULES[];

// Local. Its SI units in one of a unit, by name; false where it has no unit of that name.
bool case_quantity_unit(TimeQuantity quantity, const char *name, double *size);

// Local. Writes its units as "a, b, c".
void case_quantity_units(TimeQuantity quantity, char *names, size_t bytes);

static inline int case_quantity_components(TimeQuantity quantity)
{
  return quantity >= TIME_TEMPERATURE ? 1 : 3;
}
