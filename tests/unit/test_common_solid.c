// Measures of common solids: against exact arithmetic, by both routes, and of bodies in pieces.
#include "common_solid.h"

#include <string.h>

#include "exact_moments.h"
#include "harness.h"
#include "intersection_reference.h"
#include "intersection_second.h"
#include "part_surface.h"
#include "posed_scene.h"

// (posed_scene.h has boxes of its own)
#define solid_box solid_box_hull
#include "random_solids.h"
#undef solid_box

static const vec3 zero = {0, 0, 0};

static void check_vec3(vec3 value, vec3 expected, double tolerance)
{
  CHECK_NEAR(vec3_norm(vec3_sub(value, expected)), 0, tolerance);
}

static void check_second(mat3 value, mat3 expected, double tolerance)
{
  for (int i = 0; i < 3; i++) check_vec3(value.row[i], expected.row[i], tolerance);
}

// A hull as a body of one part, all of it surface.
static Shape *shape_of(const Polyhedron *hull, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  PartRecipe part = {.count = hull->vertex_count, .points = (vec3 *)hull->vertices};
  const ShapeResult result =
      shape_build(&(ShapeRecipe){.part_count = 1, .parts = &part}, arena, shape);
  CHECK(result.status == SHAPE_OK);
  return shape;
}

static ExactBody exact_body(const PosedBody *body)
{
  return (ExactBody){&body->shape->parts[0].hull, body->rotation, body->center};
}

// Volume, centroid (as first moment), second moments and areas to 1e-12 of the power of the length.
static void check_exact(double volume, vec3 centroid, mat3 second, const ExactMoments *exact,
                        double length)
{
  const double l3 = length * length * length;
  const double *c = exact->centroid, *s = exact->second;
  CHECK_NEAR(volume, exact->volume, 1e-12 * l3);
  check_vec3(vec3_scale(volume, vec3_sub(centroid, vec3_new(c[0], c[1], c[2]))), zero,
             1e-12 * l3 * length);
  const mat3 expected = {{{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}}};
  check_second(second, expected, 1e-12 * l3 * length * length);
}

// Random pairs of all kinds of solids, needles and plates too, by the fast route and by the
// reference, which is asked for all it can do.
static void test_exact(int rounds)
{
  ExactSpace *space = exact_space_new();
  Random random = {23};
  int met = 0, by_reference = 0;
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const double size = random_between(&random, -3, 3), scale = pow(10, size);
    PosedBody bodies[2];
    for (int k = 0; k < 2; k++) {
      Polyhedron hull = solid_random(&random, (k ? n / SOLID_KINDS : n) % SOLID_KINDS, &arena);
      for (int i = 0; i < hull.vertex_count; i++)
        ((vec3 *)hull.vertices)[i] = vec3_scale(scale, hull.vertices[i]);
      const vec3 at = vec3_scale(scale, random_in_cube(&random, k ? 0.4 : 100));
      bodies[k] = body_place(shape_of(&hull, &arena), random_rotation(&random),
                             k ? vec3_add(bodies[0].center, at) : at, zero, &arena);
    }
    const CommonParts parts = {&bodies[0], &bodies[1], 0, 0};
    CommonPolygons seams = {0};
    const CommonPart common = common_solid_parts(&parts, (CommonFaces){&seams, NULL}, &arena);
    const ExactIntersection x =
        exact_intersection(space, exact_body(&bodies[0]), exact_body(&bodies[1]));
    const double length = larger_of(bodies[0].shape->extent, bodies[1].shape->extent);
    const double l3 = length * length * length;
    CHECK(common.status != COMMON_FAILED);
    if (x.empty || common.status == COMMON_NONE) {
      CHECK_NEAR(common.solid.volume, x.volume, 1e-12 * l3);
      arena_destroy(&arena);
      continue;
    }
    met++;
    const ExactMoments exact = exact_moments_last(space);
    CHECK_NEAR(exact.volume, x.volume, 1e-15 * x.volume);
    const CommonSolid *solid = &common.solid;
    check_exact(solid->volume, solid->centroid, solid->second, &exact, length);
    for (int side = 0; side < 2; side++)
      check_vec3(solid->area[side], x.area[side], 1e-12 * length * length);
    check_vec3(vec3_add(solid->area[0], solid->area[1]), zero,
               1e-13 * (solid->size[0] + solid->size[1]));
    CHECK(seams.count == 0);

    const PartOverlap placed = part_surface_overlap(&bodies[0], 0, &bodies[1], 0, &arena);
    const Intersection slow = intersection_reference(&placed.hull_a, &placed.hull_b, 0, &arena);
    if (slow.status == INTERSECTION_OK) {
      by_reference++;
      check_exact(slow.volume, slow.centroid, intersection_second(&slow), &exact, length);
    }
    arena_destroy(&arena);
  }
  CHECK(met > rounds / 2 && by_reference > met - rounds / 50);
  exact_space_destroy(space);
}

int main(void)
{
  test_exact(1400);
  return test_report();
}
