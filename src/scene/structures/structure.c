// Collects the solids of a structure with their names and supports.
#include "structure.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#define NAME_BYTES 512   // longest name, with its zero

Structure structure_new(Arena *arena)
{
  assert(arena != NULL && "solids have a home");
  return (Structure){.arena = arena};
}

void structure_add(Structure *structure, ShapeRecipe solid, const char *name)
{
  assert(solid.part_count > 0 && name != NULL && "a stone has a solid and a name, be it empty");
  Structure *s = structure;
  const int64_t wanted = (int64_t)s->count + 1;
  s->solids = arena_grow(s->arena, s->solids, wanted, &s->solid_room, sizeof *s->solids);
  s->names = arena_grow(s->arena, s->names, wanted, &s->name_room, sizeof *s->names);
  s->fixed = arena_grow(s->arena, s->fixed, wanted, &s->fixed_room, sizeof *s->fixed);
  s->solids[s->count] = solid;
  s->names[s->count] = name;
  s->fixed[s->count] = false;
  s->count++;
}

void structure_hold(Structure *structure)
{
  assert(structure->count > 0 && "a support is a stone");
  structure->fixed[structure->count - 1] = true;
  structure->held = true;
}

const char *structure_name(Structure *structure, const char *format, ...)
{
  char text[NAME_BYTES];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  assert(length >= 0 && length < NAME_BYTES && "a name has room");
  char *name = arena_allocate(structure->arena, (size_t)length + 1);
  return memcpy(name, text, (size_t)length + 1);
}

PartRecipe structure_part(int count, Arena *arena)
{
  assert(count >= 4 && "a part has four corners");
  return (PartRecipe){.count = count,
                      .points = arena_allocate(arena, (size_t)count * sizeof(vec3))};
}

ShapeRecipe structure_solid(int part_count, Arena *arena)
{
  assert(part_count > 0 && "a solid has a part");
  return (ShapeRecipe){.part_count = part_count,
                       .parts = arena_allocate_zero(arena, (size_t)part_count, sizeof(PartRecipe))};
}
