#pragma once
// Random convex solids for tests of properties; the same in every run.
#include <assert.h>
#include <math.h>

#include "polyhedron.h"
#include "random_numbers.h"

static inline Polyhedron solid_of(const vec3 *points, int count, Arena *arena)
{
  Polyhedron solid;
  const HullStatus status = hull_build(points, count, arena, &solid);
  assert(status == HULL_OK && "test solids have a volume");
  (void)status;
  return solid;
}

static inline Polyhedron solid_box(vec3 low, vec3 high, Arena *arena)
{
  vec3 points[8];
  for (int i = 0; i < 8; i++) {
    points[i] = (vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
  }
  return solid_of(points, 8, arena);
}

// Hull of points on a unit sphere, stretched.
static inline Polyhedron solid_ball(Random *random, int points, vec3 stretch, Arena *arena)
{
  vec3 *cloud = arena_allocate(arena, (size_t)points * sizeof(vec3));
  for (int i = 0; i < points; i++) {
    const vec3 v = random_direction(random);
    cloud[i] = (vec3){stretch.x * v.x, stretch.y * v.y, stretch.z * v.z};
  }
  return solid_of(cloud, points, arena);
}

// Regular pyramid or double pyramid of unit radius: an apex has as many faces as the base sides.
static inline Polyhedron solid_pyramid(int sides, double height, double depth, Arena *arena)
{
  vec3 *points = arena_allocate(arena, (size_t)(sides + 2) * sizeof(vec3));
  for (int i = 0; i < sides; i++) {
    const double angle = 6.283185307179586 * i / sides;
    points[i] = (vec3){cos(angle), sin(angle), 0};
  }
  points[sides] = (vec3){0, 0, height};
  points[sides + 1] = (vec3){0, 0, -depth};
  return solid_of(points, depth > 0 ? sides + 2 : sides + 1, arena);
}

static inline Polyhedron solid_prism(int sides, double height, Arena *arena)
{
  vec3 *points = arena_allocate(arena, 2 * (size_t)sides * sizeof(vec3));
  for (int i = 0; i < sides; i++) {
    const double angle = 6.283185307179586 * i / sides;
    points[2 * i] = (vec3){cos(angle), sin(angle), 0};
    points[2 * i + 1] = (vec3){cos(angle), sin(angle), height};
  }
  return solid_of(points, 2 * sides, arena);
}

// A tetrahedron that is not too flat for its moments to be computed to ten digits.
static inline Polyhedron solid_tetrahedron(Random *random, Arena *arena)
{
  for (;;) {
    vec3 p[4];
    for (int i = 0; i < 4; i++) p[i] = random_in_cube(random, 1);
    const vec3 u = vec3_sub(p[1], p[0]), v = vec3_sub(p[2], p[0]), w = vec3_sub(p[3], p[0]);
    if (fabs(vec3_dot(u, vec3_cross(v, w))) > 0.05) return solid_of(p, 4, arena);
  }
}

// Kinds of solids: boxes, tetrahedra, pyramids, prisms, stones, plates and needles.
#define SOLID_KINDS 7

static inline Polyhedron solid_random(Random *random, int kind, Arena *arena)
{
  const double size = random_between(random, 0.3, 1);
  switch (kind) {
  case 0: return solid_box((vec3){-size, -0.5, -0.4}, (vec3){0.6, 0.5, size}, arena);
  case 1: return solid_tetrahedron(random, arena);
  case 2:
    return solid_pyramid(3 + random_below(random, 6), size, random_below(random, 2) * 0.5, arena);
  case 3: return solid_prism(3 + random_below(random, 6), size, arena);
  case 4: return solid_ball(random, 8 + random_below(random, 30), (vec3){size, 0.8, 0.6}, arena);
  case 5: return solid_ball(random, 6 + random_below(random, 10), (vec3){1, 0.8, 0.01}, arena);
  default: return solid_ball(random, 6 + random_below(random, 10), (vec3){1, 0.01, 0.02}, arena);
  }
}
