// Containers: volumes and middles of closed forms, a free room inside, walls without gaps.
#include <stdio.h>

#include "container.h"
#include "gjk.h"
#include "harness.h"
#include "memory.h"
#include "trig.h"

// Volume of a container of a room over an outline of that many square metres.
static void check_solid(const Container *c, double room_area, double outer_area, double height,
                        Arena *arena)
{
  const ShapeRecipe recipe = container_shape(c, arena);
  Shape shape;
  const ShapeResult result = shape_build(&recipe, arena, &shape);
  if (!CHECK(result.status == SHAPE_OK)) return;
  const double ends = c->thickness * outer_area, walls = height * (outer_area - room_area);
  const double volume = walls + ends * (c->floor + c->lid);
  CHECK_NEAR(shape.volume, volume, 1e-13 * volume);
  const double moment = walls * 0.5 * height - c->floor * ends * 0.5 * c->thickness +
                        c->lid * ends * (height + 0.5 * c->thickness);
  CHECK_NEAR(shape.center.x, 0, 1e-14 * shape.extent);
  CHECK_NEAR(shape.center.y, 0, 1e-14 * shape.extent);
  CHECK_NEAR(shape.center.z, moment / volume, 1e-13 * shape.extent);

  // the surface, inside and outside: what parts share is no surface
  double surface = 0, inward = 0;
  for (int p = 0; p < shape.part_count; p++)
    for (int f = 0; f < shape.parts[p].facet_count; f++) {
      const Facet *facet = &shape.parts[p].facets[f];
      const vec3 area = polyhedron_area_vector(facet->corners, facet->corner_count);
      surface += vec3_norm(area);
      inward += area.z;
    }
  CHECK_NEAR(inward, 0, 1e-12 * surface);
  double perimeters = 0;
  if (c->box.x > 0) perimeters = 4 * (c->box.x + c->box.y) + 8 * c->thickness;
  else
    perimeters = 2 * c->sides * (2 * c->radius + c->thickness) *
                 (trig_sin(TRIG_PI / c->sides) / trig_cos(TRIG_PI / c->sides));
  double expected = perimeters * height + 2 * (outer_area - room_area);

  const double outer = c->box.x > 0 ? 2 * (c->box.x + c->box.y) + 8 * c->thickness
                                    : 2 * outer_area / (c->radius + c->thickness);

  expected += (c->floor + c->lid) * (c->thickness * outer + 2 * room_area);
  CHECK_NEAR(surface, expected, 1e-12 * expected);
}

static void test_solids(Arena *arena)
{
  for (int ends = 0; ends < 4; ends++) {
    const Container box = {
        .box = {2, 0.7, 1.3}, .thickness = 0.11, .floor = ends & 1, .lid = ends > 1};
    check_solid(&box, 2 * 0.7, 2.22 * 0.92, 1.3, arena);
    static const int sides[] = {3, 4, 24, 97};
    for (int k = 0; k < 4; k++) {
      const Container drum = {.radius = 0.6,
                              .height = 0.4,
                              .sides = sides[k],
                              .thickness = 0.07,
                              .floor = ends & 1,
                              .lid = ends > 1};
      const double angle = TRIG_PI / sides[k];
      const double per_square = sides[k] * trig_sin(angle) / trig_cos(angle);
      check_solid(&drum, per_square * 0.6 * 0.6, per_square * 0.67 * 0.67, 0.4, arena);
    }
  }
}

// Whether a place is in some part.
static bool holds(const ShapeRecipe *shape, vec3 place)
{
  for (int p = 0; p < shape->part_count; p++)
    if (gjk_distance(shape->parts[p].points, shape->parts[p].count, &place, 1).distance == 0)
      return true;
  return false;
}

// The circle of a drum is free, and what lies behind it is wall.
static void test_room(Arena *arena)
{
  const Container drum = {
      .radius = 0.6, .height = 0.4, .sides = 11, .thickness = 0.07, .floor = true};
  const ShapeRecipe shape = container_shape(&drum, arena);
  CHECK(shape.part_count == 12);
  const double corner = 0.6 / trig_cos(TRIG_PI / 11);
  for (int k = 0; k < 360; k++) {
    const double angle = k * TRIG_PI / 180;
    const vec3 ray = {trig_cos(angle), trig_sin(angle), 0};
    CHECK(!holds(&shape, vec3_add(vec3_scale(0.6 * (1 - 1e-9), ray), (vec3){0, 0, 1e-9})));
    CHECK(holds(&shape, vec3_add(vec3_scale(corner, ray), (vec3){0, 0, 0.2})));
    CHECK(holds(&shape, vec3_add(vec3_scale(0.3, ray), (vec3){0, 0, -0.03})));
    CHECK(!holds(&shape, vec3_add(vec3_scale(0.3, ray), (vec3){0, 0, 0.41})));
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_solids(&arena);
  test_room(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
