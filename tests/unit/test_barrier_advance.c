// Random bodies thrown at each other: what is left of their paths has no overlap, by exact
// arithmetic, and ends where it should.
// BARRIER_IMPACTS=10000: that many pairs.
#include "barrier_advance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "barrier_skin.h"
#include "exact_intersection.h"
#include "harness.h"
#include "random_frames.h"
#include "random_solids.h"
#include "shape.h"

#define INSTANTS 16
#define KINDS (SOLID_KINDS + 2)

typedef struct {
  int part_count;
  Polyhedron parts[FRAME_PARTS];   // whose union it is
  BarrierSurface surface;
} Body;

static Body random_frame_body(Random *random, bool ring, Arena *arena)
{
  vec3 corners[FRAME_PARTS][8];
  PartRecipe parts[FRAME_PARTS];
  const int count = random_frame(random, ring, corners);
  for (int k = 0; k < count; k++) parts[k] = (PartRecipe){.count = 8, .points = corners[k]};
  const ShapeRecipe recipe = {.part_count = count, .parts = parts};
  Shape shape;
  CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK);
  Body body = {.part_count = count};
  for (int k = 0; k < count; k++) body.parts[k] = shape.parts[k].hull;
  CHECK(barrier_skin_build(&shape, (BarrierSkin){0, 1}, arena, &body.surface).status ==
        BARRIER_SKIN_OK);
  return body;
}

static Body random_body(Random *random, int kind, Arena *arena)
{
  if (kind >= SOLID_KINDS) return random_frame_body(random, kind > SOLID_KINDS, arena);
  Body body = {.part_count = 1};
  body.parts[0] = solid_random(random, kind, arena);
  body.surface = barrier_surface_of_solid(&body.parts[0], 1, arena);
  return body;
}

static quat random_turn(Random *random)
{
  const vec3 v = random_direction(random);
  return quat_normalize((quat){random_between(random, -1, 1), v.x, v.y, v.z});
}

static BarrierPath random_path(Random *random, const Body *body, vec3 target)
{
  const double length = pow(10, random_between(random, -2, 1.7));
  const vec3 way = vec3_sub(vec3_axpy(0.5, random_direction(random), target), (vec3){0, 0, 0});
  const vec3 start = random_in_cube(random, 3);
  const vec3 towards = vec3_sub(way, start);
  return (BarrierPath){&body->surface,
                       start,
                       random_turn(random),
                       {{0, 0, 0}, {0, 0, 0}},
                       {vec3_scale(length / vec3_norm(towards), towards),
                        vec3_scale(random_between(random, 0, 6), random_direction(random))}};
}

static bool overlap(ExactSpace *space, const Body bodies[2], const BarrierBody posed[2])
{
  for (int i = 0; i < bodies[0].part_count; i++) {
    for (int k = 0; k < bodies[1].part_count; k++) {
      const ExactBody a = {&bodies[0].parts[i], posed[0].rotation, posed[0].position};
      const ExactBody b = {&bodies[1].parts[k], posed[1].rotation, posed[1].position};
      if (!exact_intersection(space, a, b).empty) return true;
    }
  }
  return false;
}

static void test_impacts(int pairs, Arena *arena)
{
  Random random = {31};
  ExactSpace *space = exact_space_new();
  int hits = 0, overlaps = 0, early = 0, through = 0;
  for (int n = 0; n < pairs; n++) {
    const ArenaMark mark = arena_mark(arena);
    const Body bodies[2] = {random_body(&random, n % KINDS, arena),
                            random_body(&random, n / KINDS % KINDS, arena)};
    BarrierPath paths[2];
    paths[0] = random_path(&random, &bodies[0], (vec3){0, 0, 0});
    paths[1] = random_path(&random, &bodies[1], paths[0].position);
    BarrierBody posed[2];
    for (int k = 0; k < 2; k++) posed[k] = barrier_advance_body(&paths[k], 0);
    const double first = barrier_advance_distance(posed, INFINITY, arena);
    if (first > 1e-3) {
      const double share = barrier_advance_share(paths, arena);
      CHECK(share > 0 && share <= 1);
      for (int i = 1; i <= INSTANTS; i++) {
        for (int k = 0; k < 2; k++)
          posed[k] = barrier_advance_body(&paths[k], share * i / INSTANTS);
        overlaps += overlap(space, bodies, posed);
      }
      hits += share < 1;
      const double last = barrier_advance_distance(posed, INFINITY, arena);
      if (share < 1) {
        CHECK(last < 0.1 * first && last > 1e-3 * first);
      } else {
        CHECK(last > 0);
      }
      // some paths lead through: apart at their end, not within
      early += share < 0.5;
      for (int k = 0; k < 2; k++) posed[k] = barrier_advance_body(&paths[k], 1);
      through += share < 1 && barrier_advance_distance(posed, INFINITY, arena) > 0.3;
    }
    arena_release(arena, mark);
  }
  CHECK(overlaps == 0);
  CHECK(hits > pairs / 20 && hits < pairs && through > pairs / 50 && early > 0);
  printf("%d pairs, %d met, %d of them would pass through, %d overlaps\n", pairs, hits, through,
         overlaps);
  exact_space_destroy(space);
}

// A distance within which nothing is looked for may be any that is not below.
static void test_distances(Arena *arena)
{
  Random random = {8};
  for (int n = 0; n < 200; n++) {
    const ArenaMark mark = arena_mark(arena);
    const Body a = random_body(&random, n % KINDS, arena);
    const Body b = random_body(&random, n / KINDS % KINDS, arena);
    const BarrierBody posed[2] = {
        {&a.surface, {0, 0, 0}, random_rotation(&random)},
        {&b.surface, random_in_cube(&random, 2), random_rotation(&random)}};
    const double exact = barrier_advance_distance(posed, INFINITY, arena);
    const double within = random_between(&random, 0, 2);
    const double found = barrier_advance_distance(posed, within, arena);
    if (exact < within) CHECK_NEAR(found, exact, 1e-13);
    else CHECK(found >= within);
    const BarrierBody swapped[2] = {posed[1], posed[0]};
    CHECK_NEAR(barrier_advance_distance(swapped, INFINITY, arena), exact, 1e-12);
    arena_release(arena, mark);
  }
}

int main(void)
{
  Arena arena = arena_new();
  const char *pairs = getenv("BARRIER_IMPACTS");
  test_impacts(pairs ? atoi(pairs) : 500, &arena);
  test_distances(&arena);
  arena_destroy(&arena);
  return test_report();
}
