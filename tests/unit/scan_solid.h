#pragma once
// A stone as a scanner sees it: a closed surface of many triangles, with dents, a notch and noise.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "arena.h"
#include "harness.h"
#include "hash.h"
#include "mesh_block.h"

typedef struct {
  double notch;   // depth, of the radius
  double dents;
  double noise;
} ScanShape;

static const ScanShape SCAN_STONE = {0.3, 0.12, 0.002};

// Distance from the middle in a direction.
static inline double scan_radius(vec3 u, ScanShape shape, uint64_t point)
{
  double radius = 1 + 0.08 * u.x * u.y + 0.06 * cos(2 * u.z + 1);
  for (uint64_t i = 0; i < 6; i++) {
    const double turn = 2.4 * (double)i, height = 0.3 * (double)i - 0.75;
    const double flat = sqrt(1 - height * height);
    const vec3 at = {flat * cos(turn), flat * sin(turn), height};
    const vec3 away = vec3_sub(u, at);
    radius -= shape.dents * exp(-vec3_dot(away, away) / 0.06);
  }
  const double side = u.x > 0 ? fmin(1, u.x / 0.3) : 0;
  radius -= shape.notch * side * exp(-u.z * u.z / 0.015);
  const double chance = (double)(hash_mix(point, 5) >> 11) * 0x1p-53;
  return radius + shape.noise * (4 * chance - 2);
}

// Number of a point of a grid of n cells on each side of a cube; *count: how many there are so far.
static inline int scan_point(int *numbers, int n, const int at[3], int *count)
{
  int *number = &numbers[(at[0] * (n + 1) + at[1]) * (n + 1) + at[2]];
  if (*number < 0) *number = (*count)++;
  return *number;
}

// 12 n n triangles. Arena.
static inline MeshSoup scan_soup(int n, ScanShape shape, Arena *arena)
{
  const int room = 6 * (n + 1) * (n + 1), side = n + 1;
  MeshSoup soup = {.path = "scan.off", .mesh_block_count = 1};
  soup.points = arena_allocate(arena, (size_t)room * sizeof(vec3));
  soup.face_start = arena_allocate(arena, ((size_t)12 * (size_t)(n * n) + 1) * sizeof(int));
  soup.corners = arena_allocate(arena, (size_t)36 * (size_t)(n * n) * sizeof(int));
  soup.face_block = arena_allocate_zero(arena, (size_t)12 * (size_t)(n * n), sizeof(int));
  soup.mesh_block_names = arena_allocate(arena, sizeof(char *));
  soup.mesh_block_names[0] = "";
  int *numbers = arena_allocate(arena, (size_t)(side * side * side) * sizeof(int));
  for (int i = 0; i < side * side * side; i++) numbers[i] = -1;
  for (int square = 0; square < 6 * n * n; square++) {
    const int axis = square / (2 * n * n), far = square / (n * n) % 2;
    const int i = square / n % n, j = square % n;
    int v[4];
    for (int k = 0; k < 4; k++) {
      const int du = k == 1 || k == 2, dv = k >= 2;
      int at[3];
      at[axis] = far * n;
      at[(axis + 1) % 3] = i + du;
      at[(axis + 2) % 3] = j + dv;
      const int before = soup.point_count;
      v[k] = scan_point(numbers, n, at, &soup.point_count);
      if (v[k] < before) continue;
      vec3 u;
      for (int c = 0; c < 3; c++) (&u.x)[c] = tan((2.0 * at[c] / n - 1) * 0.78539816339744831);
      u = vec3_scale(1 / vec3_norm(u), u);
      const vec3 p = vec3_scale(scan_radius(u, shape, (uint64_t)v[k]), u);
      soup.points[v[k]] = (vec3){p.x, 0.8 * p.y, 0.7 * p.z};
    }
    const int corners[6] = {v[0], v[1], v[2], v[0], v[2], v[3]};
    for (int c = 0; c < 6; c++) soup.corners[6 * square + c] = corners[far ? c : 5 - c];
  }
  soup.face_count = 12 * n * n;
  for (int f = 0; f <= soup.face_count; f++) soup.face_start[f] = 3 * f;
  return soup;
}

// A soup of one body as that body.
static inline MeshBlock scan_body(const MeshSoup *soup, Arena *arena)
{
  MeshBlocks blocks = {0};
  char error[512] = "";
  const MeshFrame as_it_is = {.scale = 1, .up = 2};
  const bool sound =
      mesh_block_make(soup, as_it_is, arena, &blocks, (ErrorText){error, sizeof error});
  if (!CHECK(sound && blocks.count == 1)) printf("  %s\n", error);
  return sound ? blocks.of[0] : (MeshBlock){0};
}
