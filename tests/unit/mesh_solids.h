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
static inline double mesh_block_volume(const MeshBlock *mesh_block)
{
  ExactSum sum = exact_sum_new();
  for (int t = 0; t < mesh_block->triangle_count; t++) {
    const int *v = mesh_block->triangles[t];
    exact_sum_add(&sum, sixfold_volume(mesh_block->points[0], mesh_block->points[v[0]],
                                       mesh_block->points[v[1]], mesh_block->points[v[2]]));
  }
  return exact_sum_value(&sum) / 6;
}

static inline double mesh_block_area(const MeshBlock *mesh_block)
{
  double area = 0;
  for (int t = 0; t < mesh_block->triangle_count; t++) {
    const int *v = mesh_block->triangles[t];
    const vec3 a = vec3_sub(mesh_block->points[v[1]], mesh_block->points[v[0]]);
    area += 0.5 *
            vec3_norm(vec3_cross(a, vec3_sub(mesh_block->points[v[2]], mesh_block->points[v[0]])));
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
  MeshBlock mesh_block = {.name = name,
                          .points = arena_allocate(arena, 4096 * sizeof(vec3)),
                          .triangles = arena_allocate(arena, 4096 * sizeof(int[3]))};
  FILE *file = fopen(path, "r");
  if (!CHECK(file != NULL)) return mesh_block;
  while (fgets(line, sizeof line, file)) {
    vec3 p;
    if (sscanf(line, "v %lf %lf %lf", &p.x, &p.y, &p.z) == 3) {
      mesh_block.points[mesh_block.point_count++] = p;
    } else if (line[0] == 'f') {
      int loop[64], count = 0, read, at = 1;
      while (sscanf(line + at, "%d%n", &loop[count], &read) == 1) {
        at += read;
        count++;
      }
      for (int k = 1; k + 1 < count; k++) {
        const int triangle[3] = {loop[0] - 1, loop[k] - 1, loop[k + 1] - 1};
        memcpy(mesh_block.triangles[mesh_block.triangle_count++], triangle, sizeof triangle);
      }
    }
  }
  fclose(file);
  mesh_block.volume = mesh_block_volume(&mesh_block);
  return mesh_block;
}

// Turned and moved, with the volume anew.
static inline void block_place(MeshBlock *mesh_block, mat3 turn, vec3 at)
{
  for (int i = 0; i < mesh_block->point_count; i++) {
    mesh_block->points[i] = vec3_add(mat3_mul(turn, mesh_block->points[i]), at);
  }
  mesh_block->volume = mesh_block_volume(mesh_block);
}
