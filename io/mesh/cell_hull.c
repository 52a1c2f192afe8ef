#include "cell_hull.h"

#include <math.h>
#include <stdlib.h>

#include "hull_triangles.h"

static int compare_numbers(const void *p, const void *q)
{
  const int a = *(const int *)p, b = *(const int *)q;
  return (a > b) - (a < b);
}

int cells_list_points(const Cells *cells, const int *members, int count, const int *part,
                      int *points, int *marks, int token)
{
  int found = 0;
  for (int i = 0; i < count; i++) {
    const int c = members[i];
    for (int j = 0; j < cells->cells[c].count; j++) {
      const CellFace *face = &cells->faces[cells->cells[c].faces[j]];
      const int other = cells_across(face, c);
      if (other >= 0 && part[other] == part[c]) continue;
      for (int k = 0; k < face->count; k++) {
        const int p = cells->loops[face->first + k];
        if (marks[p] == token) continue;
        marks[p] = token;
        points[found++] = p;
      }
    }
  }
  qsort(points, (size_t)found, sizeof *points, compare_numbers);
  return found;
}

bool cells_hull_is(const Cells *cells, const int *points, int count, double volume, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  GridPoint *grid = arena_allocate(scratch, (size_t)count * sizeof *grid);
  bool *skipped = arena_allocate_zero(scratch, (size_t)count, sizeof *skipped);
  vec3 low = cells->points[points[0]], high = low;
  for (int i = 1; i < count; i++) {
    low = vec3_min(low, cells->points[points[i]]);
    high = vec3_max(high, cells->points[points[i]]);
  }
  const vec3 size = vec3_sub(high, low);
  int exponent;
  (void)frexp(fmax(size.x, fmax(size.y, size.z)), &exponent);
  for (int i = 0; i < count; i++) {
    const vec3 x = vec3_sub(cells->points[points[i]], low);
    grid[i] = (GridPoint){(int64_t)ldexp(x.x, GRID_BITS - exponent),
                          (int64_t)ldexp(x.y, GRID_BITS - exponent),
                          (int64_t)ldexp(x.z, GRID_BITS - exponent)};
  }
  HullTriangles hull;
  double sixfold = 0;
  if (count >= 4 && hull_triangulate(grid, count, skipped, scratch, &hull)) {
    for (int t = 0; t < hull.count; t++) {
      const int *v = hull.triangles[t].vertex;
      const vec3 from = cells->points[points[0]];
      const vec3 a = vec3_sub(cells->points[points[v[0]]], from);
      const vec3 b = vec3_sub(cells->points[points[v[1]]], from);
      const vec3 c = vec3_sub(cells->points[points[v[2]]], from);
      sixfold += vec3_dot(a, vec3_cross(b, c));
    }
  }
  arena_release(scratch, mark);
  // coordinates of a small part are rounded on the scale of the solid
  const double solid = cells->extent * cells->extent * cells->extent;
  return fabs(sixfold / 6 - volume) <= CELL_VOLUME * volume + 1e-16 * solid;
}
