// Decides on which side of a triangle or a line a point of a grid lies.
#include "mesh_exact.h"

#include <assert.h>

// Far from the origin differences to the low end are exact; near it the coordinates themselves are.
static double grid_zero(double low, double extent) { return fabs(low) > 4 * extent ? low : 0; }

GridPoint *mesh_exact_grid(const vec3 *points, int count, Arena *scratch)
{
  assert(count >= 0 && (points != NULL || count == 0) && "points are given");
  GridPoint *grid = arena_allocate(scratch, (size_t)count * sizeof(GridPoint));
  if (count == 0) return grid;
  vec3 low = points[0], high = points[0];
  for (int i = 1; i < count; i++) low = vec3_min(low, points[i]), high = vec3_max(high, points[i]);
  const vec3 size = vec3_sub(high, low);
  const double xy = size.x > size.y ? size.x : size.y, extent = xy > size.z ? xy : size.z;
  int exponent;
  (void)frexp(extent, &exponent);
  const double scale = ldexp(1, MESH_GRID_BITS - exponent);
  const vec3 zero = {grid_zero(low.x, extent), grid_zero(low.y, extent), grid_zero(low.z, extent)};
  for (int i = 0; i < count; i++) {
    if (extent <= 0) {
      grid[i] = (GridPoint){0, 0, 0};
      continue;
    }
    grid[i] = (GridPoint){(int64_t)floor((points[i].x - zero.x) * scale),
                          (int64_t)floor((points[i].y - zero.y) * scale),
                          (int64_t)floor((points[i].z - zero.z) * scale)};
  }
  return grid;
}
