#pragma once
// A structure: a list of solids in one coordinate frame, with names and supports.
#include <stdbool.h>

#include "arena.h"
#include "shape.h"

// More are a slip: every stone has a shape of its own.
#define STRUCTURE_MOST 1000000

typedef struct {
  int count;
  ShapeRecipe *solids;   // [count] m
  const char **names;    // [count] "": it goes by its number
  bool *fixed;           // [count] supports
  bool held;             // there are supports
  Arena *arena;
  int solid_room, name_room, fixed_room;
} Structure;

// What is wrong with the measures of a structure: the key at fault and why.
typedef struct {
  const char *key, *reason;   // reason NULL: nothing is wrong
} StructureFault;

#define STRUCTURE_SOUND ((StructureFault){NULL, NULL})

// Local. A structure without solids; all that is in it comes from the arena.
Structure structure_new(Arena *arena);

// Local. One stone more. The name is kept as it is.
void structure_add(Structure *structure, ShapeRecipe solid, const char *name);

// Local. The last stone is a support.
void structure_hold(Structure *structure);

// Local. A name in the arena of the structure.
const char *structure_name(Structure *structure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Local. A convex part from the next points of an arena, and a solid of such parts.
PartRecipe structure_part(int count, Arena *arena);
ShapeRecipe structure_solid(int part_count, Arena *arena);
