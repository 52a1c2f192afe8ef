// The volumetric point of two parts: what the common solid of whole bodies gives, what seams take
// away from it, what is left where there is no common solid.
#include "volumetric.h"

#include "harness.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};

static mat3 straight(void) { return mat3_diagonal(1, 1, 1); }

static vec3 world(vec3 x, const PosedBody *a) { return vec3_add(x, a->center); }

// Where the common solid tells no normal, the true face of least overlap does.
static void test_inside(Arena *arena)
{
  const Solid big = solid_box(zero, vec3_new(1, 1, 1));
  const Solid small = solid_box(vec3_new(0.4, 0.4, 0.5), vec3_new(0.6, 0.6, 0.9));
  const PosedBody a = body_from_solid(&big, straight(), zero, zero, arena);
  const PosedBody b = body_from_solid(&small, straight(), zero, zero, arena);
  const PartOverlap parts = part_surface_overlap(&a, 0, &b, 0, arena);
  const VolumetricPoint p = volumetric_point(&parts, arena);
  CHECK(p.status == VOLUMETRIC_FACE_AXIS && p.normal.z == -1);
  CHECK_NEAR(p.gap, -0.5, 1e-15);
  CHECK_NEAR(p.area, 0.5 * (6 * 0.2 * 0.2 + 4 * 0.2 * 0.2), 1e-15);
  CHECK_NEAR(vec3_norm(vec3_sub(world(p.point, &a), vec3_new(0.5, 0.5, 0.7))), 0, 1e-15);
}

// Two boxes side by side make one body: what meets only the seam between them has no surface there.
static void test_seam(Arena *arena)
{
  Solid pair = {0};
  solid_add_box(&pair, zero, vec3_new(1, 1, 1));
  solid_add_box(&pair, vec3_new(1, 0, 0), vec3_new(2, 1, 1));
  const PosedBody a = body_from_solid(&pair, straight(), zero, zero, arena);
  // the upper faces of the parts inside of the other body: its sides are surface in both
  const Solid brick = solid_box(vec3_new(0.75, 0.25, 0.9), vec3_new(1.25, 0.75, 1.4));
  const PosedBody b = body_from_solid(&brick, straight(), zero, zero, arena);
  double area = 0;
  for (int part = 0; part < 2; part++) {
    const PartOverlap parts = part_surface_overlap(&a, part, &b, 0, arena);
    const VolumetricPoint p = volumetric_point(&parts, arena);
    if (!CHECK(p.status == VOLUMETRIC_OK)) continue;
    area += p.area;
    CHECK(p.normal.z < -0.9);
    // (the part's side at the seam is nearer than its top, but no surface)
    CHECK(a.parts[part].planes[p.face_a].normal.z == 1);
  }
  CHECK_NEAR(area, 0.25 + 4 * 0.5 * 0.5 * 0.1, 1e-15);
  // with seams of their own all round, nothing of two parts is surface
  Solid core = {0};
  for (int i = 0; i < 27; i++)
    solid_add_box(&core, vec3_new(i % 3, i / 3 % 3, i / 9),
                  vec3_new(i % 3 + 1, i / 3 % 3 + 1, i / 9 + 1));
  const PosedBody d = body_from_solid(&core, straight(), vec3_new(-1, -1, -1), zero, arena);
  const PosedBody e = body_from_solid(&core, straight(), vec3_new(-0.7, -0.6, -0.5), zero, arena);
  const PartOverlap inner = part_surface_overlap(&d, 13, &e, 13, arena);
  CHECK(volumetric_point(&inner, arena).status == VOLUMETRIC_INTERNAL);
  CHECK(volumetric_touch(&inner).status == VOLUMETRIC_INTERNAL);
  // of a part with two sides inside the core of the other body, these sides
  const PosedBody c = body_from_solid(&pair, straight(), vec3_new(-0.5, 0.1, 0.1), zero, arena);
  const PartOverlap half = part_surface_overlap(&d, 13, &c, 1, arena);
  const VolumetricPoint p = volumetric_point(&half, arena);
  CHECK(p.status == VOLUMETRIC_OK);
  CHECK_NEAR(p.area, 0.5 * 0.9, 1e-15);
  CHECK_NEAR(vec3_norm(vec3_sub(p.normal, vec3_new(0, -sqrt(0.5), -sqrt(0.5)))), 0, 1e-15);
  CHECK_NEAR(vec3_norm(vec3_sub(world(p.point, &d), vec3_new(0.75, 0.325, 0.325))), 0, 1e-15);
}

// No common solid: a touch in the middle of the nearest points.
static void test_apart(Arena *arena)
{
  const Solid box = solid_box(zero, vec3_new(1, 1, 1));
  const PosedBody a = body_from_solid(&box, straight(), zero, zero, arena);
  for (int i = 0; i < 2; i++) {
    const PosedBody b = body_from_solid(&box, straight(), vec3_new(1 + i, 0, 0), zero, arena);
    const PartOverlap parts = part_surface_overlap(&a, 0, &b, 0, arena);
    CHECK(volumetric_point(&parts, arena).status == VOLUMETRIC_NONE);
    const VolumetricPoint p = volumetric_touch(&parts);
    CHECK(p.status == VOLUMETRIC_TOUCH && p.area == 0 && p.normal.x == -1);
    CHECK_NEAR(p.gap, i, 1e-15);
    CHECK_NEAR(world(p.point, &a).x, 1 + 0.5 * i, 1e-15);
    // (at a corner several faces are as near)
    CHECK_NEAR(plane_height(a.parts[0].planes[p.face_a], p.point), 0.5 * i, 1e-15);
  }
}

#define WINDOW 1e-2
#define LAYER 1e-3

static VolumetricPoint near_point(const PosedBody *a, const PosedBody *b, Arena *arena)
{
  const PartOverlap parts = part_surface_overlap(a, 0, b, 0, arena);
  return volumetric_near(&parts, (VolumetricReach){WINDOW, LAYER}, arena);
}

// A box on a larger one, apart or in it by less than a layer: the gap is exact, the point in the
// middle of the small face and between the two, the area that of the face and the layer's rim.
static void test_near_faces(Arena *arena)
{
  const Solid large = solid_box(vec3_new(-2, -2, -1), vec3_new(2, 2, 0));
  const Solid small = solid_box(vec3_new(-0.5, -0.5, 0), vec3_new(0.5, 0.5, 1));
  const PosedBody a = body_from_solid(&large, straight(), zero, zero, arena);
  const double gaps[] = {9e-3, 1e-3, 1e-9, 0, -1e-9, -0.9e-3};
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    const PosedBody b =
        body_from_solid(&small, straight(), vec3_new(0.3, 0.2, gaps[i]), zero, arena);
    const VolumetricPoint p = near_point(&a, &b, arena);
    CHECK(p.status == VOLUMETRIC_OK);
    CHECK_NEAR(vec3_norm(vec3_sub(p.normal, vec3_new(0, 0, -1))), 0, 1e-13);
    CHECK_NEAR(p.gap, gaps[i], 1e-15);
    CHECK_NEAR(p.area, 1 + 2 * LAYER, 1e-12);
    CHECK_NEAR(vec3_norm(vec3_sub(world(p.point, &a), vec3_new(0.3, 0.2, 0.5 * gaps[i]))), 0,
               1e-12);
  }
  // beyond the window, and what shares a layer or more, whose bits stay
  const PosedBody far = body_from_solid(&small, straight(), vec3_new(0, 0, 0.0101), zero, arena);
  CHECK(near_point(&a, &far, arena).status == VOLUMETRIC_NONE);
  const PosedBody deep = body_from_solid(&small, straight(), vec3_new(0, 0, -2e-3), zero, arena);
  const PartOverlap parts = part_surface_overlap(&a, 0, &deep, 0, arena);
  const VolumetricPoint p = near_point(&a, &deep, arena), q = volumetric_point(&parts, arena);
  CHECK(p.status == q.status && p.gap == q.gap && p.area == q.area && p.normal.z == q.normal.z);
  CHECK(vec3_norm(vec3_sub(p.point, q.point)) == 0);
}

// Boxes flush or farther beside each other pass by; edges that cross have the way between them.
static void test_near_edges(Arena *arena)
{
  const Solid box = solid_box(zero, vec3_new(1, 1, 1));
  const PosedBody a = body_from_solid(&box, straight(), zero, zero, arena);
  for (int i = 0; i < 2; i++) {
    const PosedBody b =
        body_from_solid(&box, straight(), vec3_new(1 + 0.02 * i, 0, 1.001), zero, arena);
    CHECK(near_point(&a, &b, arena).status == VOLUMETRIC_NONE);
  }
  // two ridges across each other, the upper one turned by a right angle
  const mat3 lower = rotation_about(vec3_new(1, 0, 0), atan(1)),
             upper = rotation_about(vec3_new(0, 1, 0), atan(1));
  const Solid bar = solid_box(vec3_new(-0.5, -0.5, -0.5), vec3_new(0.5, 0.5, 0.5));
  const PosedBody c = body_from_solid(&bar, lower, zero, zero, arena);
  for (int i = 0; i < 3; i++) {
    const double gap = 4e-3 * i - 4e-3;
    const vec3 at = vec3_new(0.1, 0.2, sqrt(2.0) + gap);
    const PosedBody d = body_from_solid(&bar, upper, at, zero, arena);
    const VolumetricPoint p = near_point(&c, &d, arena);
    if (!CHECK(p.status == VOLUMETRIC_OK)) continue;
    CHECK_NEAR(vec3_norm(vec3_sub(p.normal, vec3_new(0, 0, -1))), 0, 1e-12);
    CHECK_NEAR(p.gap, gap, 1e-12);
    const vec3 middle = vec3_new(0.1, 0, sqrt(0.5) + 0.5 * gap);
    CHECK_NEAR(vec3_norm(vec3_sub(world(p.point, &c), middle)), 0, 1e-4);
  }
  // parts with a seam have no such way: what slides over the seam meets no edge of it
  Solid pair = {0};
  solid_add_box(&pair, zero, vec3_new(1, 1, 1));
  solid_add_box(&pair, vec3_new(1, 0, 0), vec3_new(2, 1, 1));
  const PosedBody two = body_from_solid(&pair, straight(), zero, zero, arena);
  const PosedBody on = body_from_solid(&box, straight(), vec3_new(1.001, 0, 1.001), zero, arena);
  CHECK(near_point(&two, &on, arena).status == VOLUMETRIC_NONE);
}

int main(void)
{
  Arena arena = arena_new();
  test_inside(&arena);
  test_seam(&arena);
  test_apart(&arena);
  test_near_faces(&arena);
  test_near_edges(&arena);
  arena_destroy(&arena);
  return test_report();
}
