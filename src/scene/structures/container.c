// Makes walls, floor and lid of boxes and drums.
#include "container.h"

#include <assert.h>

#include "trig.h"

// A part whose points are those of a polygon at two heights, seen along z.
static PartRecipe make_prism(const vec3 *corners, int count, double low, double high, Arena *arena)
{
  assert(count >= 3 && low < high && "a prism has a base and a height");
  PartRecipe part = {.count = 2 * count,
                     .points = arena_allocate(arena, 2 * (size_t)count * sizeof(vec3))};
  for (int i = 0; i < count; i++) {
    part.points[i] = (vec3){corners[i].x, corners[i].y, low};
    part.points[count + i] = (vec3){corners[i].x, corners[i].y, high};
  }
  return part;
}

static PartRecipe make_cuboid(vec3 low, vec3 high, Arena *arena)
{
  const vec3 corners[4] = {
      {low.x, low.y, 0}, {high.x, low.y, 0}, {high.x, high.y, 0}, {low.x, high.y, 0}};
  return make_prism(corners, 4, low.z, high.z, arena);
}

// Adds floor and lid over an outline; the room has that height.
static void add_ends(const Container *c, const vec3 *outline, int count, double height,
                     ShapeRecipe *shape, Arena *arena)
{
  const double t = c->thickness;
  if (c->floor) shape->parts[shape->part_count++] = make_prism(outline, count, -t, 0, arena);
  if (c->lid)
    shape->parts[shape->part_count++] = make_prism(outline, count, height, height + t, arena);
}

static ShapeRecipe make_box(const Container *c, Arena *arena)
{
  assert(c->box.x > 0 && c->box.y > 0 && c->box.z > 0 && "the room has sizes");
  ShapeRecipe shape = {.parts = arena_allocate_zero(arena, 6, sizeof(PartRecipe))};
  const double x = 0.5 * c->box.x, y = 0.5 * c->box.y, z = c->box.z, t = c->thickness;
  const vec3 outline[4] = {
      {-x - t, -y - t, 0}, {x + t, -y - t, 0}, {x + t, y + t, 0}, {-x - t, y + t, 0}};
  add_ends(c, outline, 4, z, &shape, arena);

  // walls across x hold the ends of those across y
  PartRecipe *walls = shape.parts + shape.part_count;
  walls[0] = make_cuboid((vec3){-x - t, -y - t, 0}, (vec3){-x, y + t, z}, arena);
  walls[1] = make_cuboid((vec3){x, -y - t, 0}, (vec3){x + t, y + t, z}, arena);
  walls[2] = make_cuboid((vec3){-x, -y - t, 0}, (vec3){x, -y, z}, arena);
  walls[3] = make_cuboid((vec3){-x, y, 0}, (vec3){x, y + t, z}, arena);
  shape.part_count += 4;
  return shape;
}

static ShapeRecipe make_drum(const Container *c, Arena *arena)
{
  assert(c->sides >= CONTAINER_FEWEST_SIDES && c->sides <= CONTAINER_MOST_SIDES &&
         "a drum has sides");
  const int sides = c->sides;
  ShapeRecipe shape = {.parts = arena_allocate_zero(arena, (size_t)sides + 2, sizeof(PartRecipe))};
  vec3 inner[CONTAINER_MOST_SIDES], outer[CONTAINER_MOST_SIDES];
  const double stretch = 1 / trig_cos(TRIG_PI / sides);
  for (int k = 0; k < sides; k++) {
    const double angle = (2 * k + 1) * (TRIG_PI / sides);
    const vec3 ray = {trig_cos(angle) * stretch, trig_sin(angle) * stretch, 0};
    inner[k] = vec3_scale(c->radius, ray);
    outer[k] = vec3_scale(c->radius + c->thickness, ray);
  }
  add_ends(c, outer, sides, c->height, &shape, arena);
  for (int k = 0; k < sides; k++) {
    const int before = (k + sides - 1) % sides;
    const vec3 base[4] = {inner[before], outer[before], outer[k], inner[k]};
    shape.parts[shape.part_count++] = make_prism(base, 4, 0, c->height, arena);
  }
  return shape;
}

ShapeRecipe container_shape(const Container *container, Arena *arena)
{
  assert(container->thickness > 0 && "walls are solid");
  return container->box.x > 0 ? make_box(container, arena) : make_drum(container, arena);
}
