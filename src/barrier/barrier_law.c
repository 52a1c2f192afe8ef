// The barrier and its companions in closed form.
#include "barrier_law.h"

#include <assert.h>

#include "trig.h"

BarrierValue barrier_law_at(double gap, double distance)
{
  assert(gap > 0 && distance > 0 && "surfaces of two bodies never touch");
  if (gap >= distance) return (BarrierValue){0, 0, 0};
  // with r = d/D and q = r - 1: b/D = -q^2 ln r
  const double r = gap / distance, q = (gap - distance) / distance;
  const double logarithm = trig_log(r), ratio = q / r;
  return (BarrierValue){-distance * q * q * logarithm, -q * (2 * logarithm + ratio),
                        (ratio * (ratio - 4) - 2 * logarithm) / distance};
}

BarrierValue barrier_law_friction(double slip, double stick)
{
  assert(slip >= 0 && stick > 0 && "a slip has a size");
  if (slip >= stick) return (BarrierValue){slip, 1, 0};
  const double y = slip / stick;
  return (BarrierValue){stick * (y * y * (1 - y / 3) + 1.0 / 3.0), (2 - y) * y,
                        2 * (1 - y) / stick};
}

BarrierValue barrier_law_mollifier(double c, double e)
{
  assert(c >= 0 && e > 0 && "squares of lengths");
  if (c >= e) return (BarrierValue){1, 0, 0};
  const double y = c / e;
  return (BarrierValue){(2 - y) * y, 2 * (1 - y) / e, -2 / (e * e)};
}
