#include "case_shapes.h"

#include <assert.h>

#include "case_meshes.h"
#include "recipe.h"
#include "trig.h"

// in the order of CASE_PART_KEYS and CASE_SHAPE_KEYS
enum { PART_BOX, PART_HULL, PART_WEDGE, PART_VOUSSOIR, SHAPE_OF_PARTS, SHAPE_SPHERE, SHAPE_MESH };

const char *const CASE_PART_KEYS[] = {"box", "hull", "wedge", "voussoir", NULL};
const char *const CASE_SHAPE_KEYS[] = {"box",   "hull",   "wedge", "voussoir",
                                       "parts", "sphere", "mesh",  NULL};

double case_read_angle(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                       double fallback_degrees)
{
  return value_number(reader, node, rule, fallback_degrees) * (TRIG_PI / 180);
}

quat case_read_turn(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"axis", "angle", NULL};
  static const NumberRule degrees = {-360, 360, "an angle from -360 to 360 degrees"};
  const CaseNode *mapping = value_mapping(reader, node, keys);
  const CaseNode *axis_node = value_require(reader, mapping, "axis");
  const CaseNode *angle_node = value_require(reader, mapping, "angle");
  const vec3 axis = value_vector(reader, axis_node, &VALUE_COORDINATE, (vec3){0});
  const double angle = case_read_angle(reader, angle_node, &degrees, 0);
  if (reader->failed || !mapping) return quat_identity();
  if (axis.x == 0 && axis.y == 0 && axis.z == 0) {
    tree_fail(reader, axis_node, "expected a direction, found [0, 0, 0]");
    return quat_identity();
  }
  return recipe_turn(axis, angle);
}

static PartRecipe read_hull(CaseReader *reader, const CaseNode *node)
{
  const CaseNode *list = value_list(reader, node, 4, "a list of at least 4 points [x, y, z], in m");
  if (!list) return (PartRecipe){0};
  const size_t count = (size_t)list->count;
  PartRecipe part = {.count = list->count,
                     .points = arena_allocate(reader->arena, count * sizeof(vec3))};
  for (int i = 0; i < part.count; i++)
    part.points[i] = value_vector(reader, list->members[i], &VALUE_COORDINATE, (vec3){0});
  return part;
}

static PartRecipe read_voussoir(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"radius", "thickness", "width", "angle", NULL};
  static const NumberRule degrees = {1e-6, 178, "an angle from 1e-6 to 178 degrees"};
  const CaseNode *m = value_mapping(reader, node, keys);
  const CaseNode *thick = value_require(reader, m, "thickness");
  const double radius = value_number(reader, value_require(reader, m, "radius"), &VALUE_LENGTH, 1);
  const double thickness = value_number(reader, thick, &VALUE_LENGTH, 1);
  const double width = value_number(reader, value_require(reader, m, "width"), &VALUE_LENGTH, 1);
  const double angle = case_read_angle(reader, value_require(reader, m, "angle"), &degrees, 1);
  if (reader->failed || !m) return (PartRecipe){0};
  if (thickness >= 2 * radius) {
    tree_fail(reader, thick, "expected less than twice the radius, found %g m", thickness);
    return (PartRecipe){0};
  }
  return recipe_voussoir(radius, thickness, width, angle, reader->arena);
}

static PartRecipe read_part(CaseReader *reader, const CaseNode *mapping, int choice)
{
  const CaseNode *node = tree_find(mapping, CASE_PART_KEYS[choice]);
  switch (choice) {
  case PART_HULL: return read_hull(reader, node);
  case PART_VOUSSOIR: return read_voussoir(reader, node);
  default: break;
  }
  assert((choice == PART_BOX || choice == PART_WEDGE) && "a part without reader");
  const vec3 size = value_vector(reader, node, &VALUE_LENGTH, (vec3){1, 1, 1});
  return choice == PART_BOX ? recipe_box(size, reader->arena) : recipe_wedge(size, reader->arena);
}

static ShapeRecipe read_parts(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"box", "hull", "wedge", "voussoir", "at", "turn", NULL};
  const CaseNode *list = value_list(reader, node, 1, "a list of at least one part");
  if (!list) return (ShapeRecipe){0};
  const size_t count = (size_t)list->count;
  ShapeRecipe shape = {.part_count = list->count,
                       .parts = arena_allocate_zero(reader->arena, count, sizeof(PartRecipe))};
  for (int i = 0; i < shape.part_count && !reader->failed; i++) {
    const CaseNode *entry = value_mapping(reader, list->members[i], keys);
    const int choice = value_choice(reader, entry, CASE_PART_KEYS);
    if (choice < 0) break;
    shape.parts[i] = read_part(reader, entry, choice);
    const vec3 at = value_vector(reader, tree_find(entry, "at"), &VALUE_COORDINATE, (vec3){0});
    const quat turn = case_read_turn(reader, tree_find(entry, "turn"));
    if (!reader->failed) recipe_place(&shape.parts[i], at, turn);
  }
  return shape;
}

static ShapeRecipe read_sphere(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"radius", NULL};
  const CaseNode *radius = value_require(reader, value_mapping(reader, node, keys), "radius");
  return (ShapeRecipe){.radius = value_number(reader, radius, &VALUE_LENGTH, 1)};
}

ShapeRecipe case_read_shape(CaseReader *reader, const CaseNode *mapping, int choice)
{
  if (reader->failed || !mapping) return (ShapeRecipe){0};
  if (choice == SHAPE_OF_PARTS) return read_parts(reader, tree_find(mapping, "parts"));
  if (choice == SHAPE_SPHERE) return read_sphere(reader, tree_find(mapping, "sphere"));
  if (choice == SHAPE_MESH) return case_read_solid(reader, tree_find(mapping, "mesh"));
  return recipe_single(read_part(reader, mapping, choice), reader->arena);
}
