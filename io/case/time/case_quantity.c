// Ranges and units of functions of time.
#include "case_quantity.h"

#include <assert.h>
#include <string.h>

#include "trig.h"

static const NumberRule force = {-1e18, 1e18, "a number from -1e18 to 1e18"};
static const NumberRule temperature = {-1e6, 1e6, "a temperature from -1e6 to 1e6 K"};

static const NumberRule pressure = {-1e15, 1e15, "a pressure from -1e15 to 1e15 Pa"};
static const NumberRule friction = {0, 1e6, "a coefficient from 0 to 1e6"};
static const NumberRule strength = {0, 1e15, "a strength from 0 to 1e15 Pa"};
static const NumberRule reduction = {1e-6, 1e6, "a factor from 1e-6 to 1e6"};

const NumberRule *const CASE_QUANTITY_RULES[] = {
    [TIME_ACCELERATION] = &CASE_VALUE_RATE,
    [TIME_VELOCITY] = &CASE_VALUE_RATE,
    [TIME_SPIN] = &CASE_VALUE_RATE,
    [TIME_SPIN_RATE] = &CASE_VALUE_RATE,
    [TIME_FORCE] = &force,
    [TIME_TORQUE] = &force,
    [TIME_PLACE] = &CASE_VALUE_COORDINATE,
    [TIME_TEMPERATURE] = &temperature,
    [TIME_SPEED] = &CASE_VALUE_RATE,
    [TIME_TURN] = &CASE_VALUE_RATE,
    [TIME_THRUST] = &force,
    [TIME_PRESSURE] = &pressure,
    [TIME_FRICTION] = &friction,
    [TIME_STRENGTH] = &strength,
    [TIME_REDUCTION] = &reduction,
};

// the first of each quantity is that of the SI
static const struct {
  TimeQuantity quantity;
  const char *name;
  double size;
} units[] = {
    {TIME_ACCELERATION, "m/s2", 1},
    {TIME_ACCELERATION, "g", 9.80665},
    {TIME_ACCELERATION, "cm/s2", 0.01},
    {TIME_ACCELERATION, "gal", 0.01},
    {TIME_ACCELERATION, "mm/s2", 0.001},
    {TIME_VELOCITY, "m/s", 1},
    {TIME_VELOCITY, "cm/s", 0.01},
    {TIME_VELOCITY, "mm/s", 0.001},
    {TIME_SPIN, "rad/s", 1},
    {TIME_SPIN, "deg/s", TRIG_PI / 180},
    {TIME_SPIN_RATE, "rad/s2", 1},
    {TIME_SPIN_RATE, "deg/s2", TRIG_PI / 180},
    {TIME_FORCE, "N", 1},
    {TIME_FORCE, "kN", 1000},
    {TIME_FORCE, "MN", 1e6},
    {TIME_TORQUE, "N m", 1},
    {TIME_TORQUE, "kN m", 1000},
    {TIME_TORQUE, "MN m", 1e6},
    {TIME_PLACE, "m", 1},
    {TIME_PLACE, "mm", 0.001},
    {TIME_TEMPERATURE, "K", 1},
    {TIME_SPEED, "m/s", 1},
    {TIME_SPEED, "cm/s", 0.01},
    {TIME_SPEED, "mm/s", 0.001},
    {TIME_TURN, "rad/s", 1},
    {TIME_TURN, "deg/s", TRIG_PI / 180},
    {TIME_THRUST, "N", 1},
    {TIME_THRUST, "kN", 1000},
    {TIME_THRUST, "MN", 1e6},
    {TIME_PRESSURE, "Pa", 1},
    {TIME_PRESSURE, "kPa", 1000},
    {TIME_PRESSURE, "MPa", 1e6},
    {TIME_FRICTION, "1", 1},
    {TIME_REDUCTION, "1", 1},
    {TIME_STRENGTH, "Pa", 1},
    {TIME_STRENGTH, "kPa", 1000},
    {TIME_STRENGTH, "MPa", 1e6},
};
enum { UNIT_COUNT = sizeof units / sizeof *units };

bool case_quantity_unit(TimeQuantity quantity, const char *name, double *size)
{
  assert(name != NULL && size != NULL && "a unit has a name and a size");
  for (int i = 0; i < UNIT_COUNT; i++) {
    if (units[i].quantity != quantity || strcmp(units[i].name, name) != 0) continue;
    *size = units[i].size;
    return true;
  }
  return false;
}

void case_quantity_units(TimeQuantity quantity, char *names, size_t bytes)
{
  const char *found[UNIT_COUNT];
  int count = 0;
  for (int i = 0; i < UNIT_COUNT; i++)
    if (units[i].quantity == quantity) found[count++] = units[i].name;
  assert(count > 0 && "a quantity has a unit");
  case_value_join(found, count, names, bytes);
}
