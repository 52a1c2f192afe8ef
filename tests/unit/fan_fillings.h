#pragma once
// Solids of the quality suite as tetrahedra, without TetGen.
#include "quality_points.h"
#include "quality_setup.h"
#include "quality_solid.h"

// Every solid as tetrahedra between its surface and its centre of mass.
static inline QualityFilling *fan_fillings(const QualityScenes *scenes, Arena *arena)
{
  QualityFilling *fillings = arena_allocate(arena, (size_t)scenes->solid_count * sizeof *fillings);
  for (int s = 0; s < scenes->solid_count; s++) {
    const QualitySolid *solid = &scenes->solids[s];
    const int count = solid->point_count;
    vec3 *points = arena_allocate(arena, (size_t)(count + 1) * sizeof *points);
    for (int i = 0; i < count; i++) points[i] = solid->points[i];
    points[count] = quality_solid_center(solid);
    int(*tetra)[4] = arena_allocate(arena, (size_t)solid->triangle_count * sizeof *tetra);
    for (int t = 0; t < solid->triangle_count; t++) {
      // seen from the fourth corner the others turn clockwise
      tetra[t][0] = count;
      for (int k = 0; k < 3; k++) tetra[t][k + 1] = solid->triangles[t][k];
    }
    fillings[s] =
        (QualityFilling){count + 1, points, solid->triangle_count, (const int(*)[4])tetra};
  }
  return fillings;
}
