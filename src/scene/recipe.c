// Boxes, wedges and voussoirs as recipes of parts; placing, scaling and bounds of recipes.
#include "recipe.h"

#include <assert.h>

#include "trig.h"

quat recipe_turn(vec3 axis, double angle)
{
  // scaled first, so that squares of very long or short axes neither overflow nor vanish
  const vec3 size = vec3_max(axis, vec3_neg(axis));
  const double largest =
      size.x > size.y ? (size.x > size.z ? size.x : size.z) : (size.y > size.z ? size.y : size.z);
  assert(largest > 0 && "axis of a turn is zero");
  const vec3 scaled = {axis.x / largest, axis.y / largest, axis.z / largest};
  const double s = trig_sin(0.5 * angle) / vec3_norm(scaled);

  // adding zero turns -0 into 0: the identity has one form
  return quat_normalize(
      (quat){trig_cos(0.5 * angle), s * scaled.x + 0.0, s * scaled.y + 0.0, s * scaled.z + 0.0});
}

static PartRecipe new_part(int count, Arena *arena)
{
  assert(count > 0 && "a part has points");
  return (PartRecipe){.count = count,
                      .points = arena_allocate(arena, (size_t)count * sizeof(vec3))};
}

PartRecipe recipe_box(vec3 size, Arena *arena)
{
  const vec3 half = vec3_scale(0.5, size);
  PartRecipe part = new_part(8, arena);
  for (int i = 0; i < 8; i++)
    part.points[i] =
        (vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
  return part;
}

PartRecipe recipe_wedge(vec3 size, Arena *arena)
{
  const double x = 0.5 * size.x, y = 0.5 * size.y;
  PartRecipe part = new_part(6, arena);
  for (int side = 0; side < 2; side++) {
    vec3 *p = part.points + 3 * side;
    const double y_side = side ? y : -y;
    p[0] = (vec3){-x, y_side, 0};
    p[1] = (vec3){x, y_side, 0};
    p[2] = (vec3){x, y_side, size.z};
  }
  return part;
}

PartRecipe recipe_voussoir(double radius, double thickness, double width, double angle,
                           Arena *arena)
{
  assert(angle > 0 && angle < 4 && "a voussoir opens by less than a half turn");
  const double inner = radius - 0.5 * thickness, outer = radius + 0.5 * thickness;
  const double sine = trig_sin(0.5 * angle), cosine = trig_cos(0.5 * angle);
  PartRecipe part = new_part(8, arena);
  for (int i = 0; i < 8; i++) {
    const double r = i & 4 ? outer : inner;
    part.points[i] =
        (vec3){(i & 1 ? r : -r) * sine, i & 2 ? 0.5 * width : -0.5 * width, r * cosine};
  }
  return part;
}

void recipe_place(PartRecipe *part, vec3 at, quat turn)
{
  assert(part->count >= 0 && (part->points != NULL || part->count == 0) && "points are given");
  const mat3 rotation = quat_to_mat3(turn);
  for (int i = 0; i < part->count; i++)
    part->points[i] = vec3_add(at, mat3_mul(rotation, part->points[i]));
}

ShapeRecipe recipe_single(PartRecipe part, Arena *arena)
{
  ShapeRecipe shape = {.part_count = 1, .parts = arena_allocate(arena, sizeof(PartRecipe))};
  shape.parts[0] = part;
  return shape;
}

void recipe_bounds(const ShapeRecipe *shape, vec3 *low, vec3 *high)
{
  assert((shape->part_count == 0 || shape->parts[0].count > 0) && "a part has points");
  *high = (vec3){shape->radius, shape->radius, shape->radius};
  if (shape->radii.x > 0) *high = shape->radii;
  if (shape->part_count > 0) *high = shape->parts[0].points[0];
  *low = shape->part_count > 0 ? *high : vec3_neg(*high);
  for (int p = 0; p < shape->part_count; p++)
    for (int i = 0; i < shape->parts[p].count; i++) {
      *low = vec3_min(*low, shape->parts[p].points[i]);
      *high = vec3_max(*high, shape->parts[p].points[i]);
    }
}

double recipe_size(const ShapeRecipe *shape)
{
  vec3 low, high;
  recipe_bounds(shape, &low, &high);
  const vec3 side = vec3_sub(high, low);
  const double low_xy = side.x < side.y ? side.x : side.y;
  const double high_xy = side.x < side.y ? side.y : side.x;
  if (side.z < low_xy) return low_xy;
  return side.z > high_xy ? high_xy : side.z;
}

double recipe_reach(const ShapeRecipe *shape)
{
  const double round = larger_of(larger_of(shape->radius, shape->radii.x),
                                 larger_of(shape->radii.y, shape->radii.z));
  double farthest = round * round;
  for (int p = 0; p < shape->part_count; p++)
    for (int i = 0; i < shape->parts[p].count; i++) {
      const vec3 point = shape->parts[p].points[i];
      const double square = vec3_dot(point, point);
      if (square > farthest) farthest = square;
    }
  return sqrt(farthest);
}

ShapeRecipe recipe_scale(const ShapeRecipe *shape, vec3 center, double scale, Arena *arena)
{
  assert(scale > 0 && "a copy has a size");
  ShapeRecipe scaled = *shape;
  scaled.radius = scale * shape->radius;
  scaled.radii = vec3_scale(scale, shape->radii);
  if (shape->part_count == 0) return scaled;
  scaled.parts = arena_allocate(arena, (size_t)shape->part_count * sizeof(PartRecipe));
  for (int p = 0; p < shape->part_count; p++) {
    const PartRecipe *part = &shape->parts[p];
    PartRecipe copy = new_part(part->count, arena);
    copy.triangle_count = part->triangle_count;
    copy.triangles = part->triangles;
    for (int i = 0; i < part->count; i++)
      copy.points[i] = vec3_scale(scale, vec3_sub(part->points[i], center));
    scaled.parts[p] = copy;
  }
  return scaled;
}
