// Reads rooms that stones fill, and packs them while the case is read.
#include "case_fill.h"

#include <assert.h>

#include "fill.h"
#include "group.h"

static Room read_cylinder(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"radius", "height", NULL};
  const CaseNode *cylinder = case_value_mapping(reader, node, keys);
  assert(reader->arena != NULL && "what is read has a place");
  return (Room){.kind = ROOM_CYLINDER,
                .radius = case_value_number(reader, case_value_require(reader, cylinder, "radius"),
                                            &CASE_VALUE_LENGTH, 1),
                .height = case_value_number(reader, case_value_require(reader, cylinder, "height"),
                                            &CASE_VALUE_LENGTH, 1)};
}

Fill *case_read_fill(CaseReader *reader, const CaseNode *node, const CaseNode **mesh)
{
  static const char *const keys[] = {"box", "cylinder", "mesh", "fraction", NULL};
  static const char *const rooms[] = {"box", "cylinder", "mesh", NULL};
  static const NumberRule fraction = {0.001, FILL_DENSEST, "a share of the room, 0.001 to 0.9"};
  assert(mesh != NULL && "the mesh has a place");
  Fill *fill = arena_allocate_zero(reader->arena, 1, sizeof *fill);
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  const int room = case_value_choice(reader, mapping, rooms);
  if (room == 0)
    fill->room = (Room){.kind = ROOM_BOX,
                        .size = case_value_vector(reader, case_tree_find(mapping, "box"),
                                                  &CASE_VALUE_LENGTH, (vec3){1, 1, 1})};
  if (room == 1) fill->room = read_cylinder(reader, case_tree_find(mapping, "cylinder"));
  fill->fraction =
      case_value_number(reader, case_value_require(reader, mapping, "fraction"), &fraction, 0.5);
  *mesh = room == 2 ? case_tree_find(mapping, "mesh") : NULL;
  return fill;
}

void case_fill_surface(Fill *fill, const ShapeRecipe *surface)
{
  assert(surface->surface_alone && surface->part_count == 1 && "a room is what a surface holds");
  const PartRecipe *part = &surface->parts[0];
  fill->room = (Room){.kind = ROOM_SURFACE,
                      .triangle_count = part->triangle_count,
                      .points = part->points,
                      .triangles = (const int(*)[3])part->triangles};
}

void case_fill_pack(CaseReader *reader, const CaseNode *entry, BodyGroup *group, uint64_t stream)
{
  assert(group->kind == GROUP_FILL && group->stones != NULL && "a fill has stones");
  if (reader->failed || group_check(group)) return;   // refused later
  const char *refusal = fill_make(group, stream, reader->arena);
  if (refusal) case_tree_fail(reader, case_tree_find(entry, "stones"), "%s", refusal);
}
