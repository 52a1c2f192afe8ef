// Reads containers.
#include "case_container.h"

#include <assert.h>

#include "container.h"

static void read_drum(CaseReader *reader, const CaseNode *node, Container *container)
{
  assert(!(container->radius > 0) && "a drum is read once");
  static const char *const keys[] = {"radius", "height", "sides", NULL};
  const CaseNode *drum = case_value_mapping(reader, node, keys);
  container->radius =
      case_value_number(reader, case_value_require(reader, drum, "radius"), &CASE_VALUE_LENGTH, 1);
  container->height =
      case_value_number(reader, case_value_require(reader, drum, "height"), &CASE_VALUE_LENGTH, 1);
  container->sides = (int)case_value_integer(reader, case_tree_find(drum, "sides"),
                                             CONTAINER_FEWEST_SIDES, CONTAINER_MOST_SIDES, 24);
}

ShapeRecipe case_read_container(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"box", "drum", "thickness", "floor", "lid", NULL};
  static const char *const rooms[] = {"box", "drum", NULL};
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  const int room = case_value_choice(reader, mapping, rooms);
  Container container = {.floor = true};
  if (room == 0)
    container.box = case_value_vector(reader, case_tree_find(mapping, "box"), &CASE_VALUE_LENGTH,
                                      (vec3){1, 1, 1});
  if (room == 1) read_drum(reader, case_tree_find(mapping, "drum"), &container);
  container.thickness = case_value_number(reader, case_value_require(reader, mapping, "thickness"),
                                          &CASE_VALUE_LENGTH, 1);
  container.floor = case_value_flag(reader, case_tree_find(mapping, "floor"), true);
  container.lid = case_value_flag(reader, case_tree_find(mapping, "lid"), false);
  return reader->failed ? (ShapeRecipe){0} : container_shape(&container, reader->arena);
}
