#pragma once
// Mesh blocks and their fillings for the tests of cutting into convex parts.
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "convex_parts.h"
#include "exact_sum.h"
#include "harness.h"
#include "mesh_block.h"

static inline double sixfold_volume(vec3 a, vec3 b, vec3 c, vec3 d)
{
  return vec3_dot(vec3_sub(b, a), vec3_cross(vec3_sub(c, a), vec3_sub(d, a)));
}

// Volume of a closed surface, m3.
static inline double block_volume(const MeshBlock *block)
{
  ExactSum sum = exact_sum_new();
  for (int t = 0; t < block->triangle_count; t++) {
    const int *v = block->triangles[t];
    exact_sum_add(&sum, sixfold_volume(block->points[0], block->points[v[0]], block->points[v[1]],
                                       block->points[v[2]]));
  }
  return exact_sum_value(&sum) / 6;
}

static inline double block_area(const MeshBlock *block)
{
  double area = 0;
  for (int t = 0; t < block->triangle_count; t++) {
    const int *v = block->triangles[t];
    const vec3 a = vec3_sub(block->points[v[1]], block->points[v[0]]);
    area += 0.5 * vec3_norm(vec3_cross(a, vec3_sub(block->points[v[2]], block->points[v[0]])));
  }
  return area;
}

static inline double filling_volume(const Tetrahedra *filling)
{
  ExactSum sum = exact_sum_new();
  for (int t = 0; t < filling->tetra_count; t++) {
    const int *v = filling->tetra[t];
    const vec3 *p = filling->points;
    exact_sum_add(&sum, sixfold_volume(p[v[0]], p[v[1]], p[v[2]], p[v[3]]));
  }
  return exact_sum_value(&sum) / 6;
}

// A mesh of tests/meshes as a mesh block; polygons become fans.
static inline MeshBlock block_read(const char *name, Arena *arena)
{
  char path[1024], line[512];
  snprintf(path, sizeof path, "%s/meshes/%s.obj", TESTS_FOLDER, name);
  MeshBlock block = {.name = name,
                     .points = arena_allocate(arena, 4096 * sizeof(vec3)),
                     .triangles = arena_allocate(arena, 4096 * sizeof(int[3]))};
  FILE *file = fopen(path, "r");
  if (!CHECK(file != NULL)) return block;
  while (fgets(line, sizeof line, file)) {
    vec3 p;
    if (sscanf(line, "v %lf %lf %lf", &p.x, &p.y, &p.z) == 3) {
      block.points[block.point_count++] = p;
    } else if (line[0] == 'f') {
      int loop[64], count = 0, read, at = 1;
      while (sscanf(line + at, "%d%n", &loop[count], &read) == 1) {
        at += read;
        count++;
      }
      for (int k = 1; k + 1 < count; k++) {
        const int triangle[3] = {loop[0] - 1, loop[k] - 1, loop[k + 1] - 1};
        memcpy(block.triangles[block.triangle_count++], triangle, sizeof triangle);
      }
    }
  }
  fclose(file);
  block.volume = block_volume(&block);
  return block;
}

// Turned and moved, with the volume anew.
static inline void block_place(MeshBlock *block, mat3 turn, vec3 at)
{
  for (int i = 0; i < block->point_count; i++) {
    block->points[i] = vec3_add(mat3_mul(turn, block->points[i]), at);
  }
  block->volume = block_volume(block);
}
