// Points of prisms and pipes, and the drums of columns.
#include "prism.h"

#include <assert.h>

#include "trig.h"

double prism_radius(int sides, double width)
{
  assert(sides >= 3 && "a polygon has three sides");
  return 0.5 * width / trig_cos(TRIG_PI / sides);
}

// A corner of a polygon.
static vec3 corner(int sides, int number, double radius, double z)
{
  const double angle = (2 * (number % sides) + 1) * (TRIG_PI / sides);
  return (vec3){radius * trig_cos(angle), radius * trig_sin(angle), z};
}

PartRecipe prism_make(const PrismMeasures *measures, Arena *arena)
{
  const PrismMeasures *m = measures;
  assert(m->sides >= 3 && m->radius > 0 && m->height > 0 && m->taper >= 0 && "a prism has a size");
  const bool pyramid = m->taper == 0;
  PartRecipe part = structure_part(pyramid ? m->sides + 1 : 2 * m->sides, arena);
  for (int i = 0; i < m->sides; i++) {
    part.points[i] = corner(m->sides, i, m->radius, 0);
    if (!pyramid) part.points[m->sides + i] = corner(m->sides, i, m->taper * m->radius, m->height);
  }
  if (pyramid) part.points[m->sides] = (vec3){0, 0, m->height};
  return part;
}

ShapeRecipe prism_pipe(const PrismMeasures *measures, double thickness, Arena *arena)
{
  const PrismMeasures *m = measures;
  assert(m->sides >= 3 && thickness > 0 && thickness < m->radius && "a pipe has a hole");
  ShapeRecipe pipe = structure_solid(m->sides, arena);
  for (int i = 0; i < m->sides; i++) {
    pipe.parts[i] = structure_part(8, arena);
    for (int k = 0; k < 8; k++)
      pipe.parts[i].points[k] = corner(
          m->sides, i + (k & 1), k & 2 ? m->radius : m->radius - thickness, k & 4 ? m->height : 0);
  }
  return pipe;
}

static bool is_block(vec3 size) { return size.x > 0 && size.y > 0 && size.z > 0; }

StructureFault prism_column_check(const ColumnMeasures *measures)
{
  const ColumnMeasures *m = measures;
  if (m->drums < 1) return (StructureFault){"drums", "a column needs at least one drum"};
  if (m->shaft.sides < 3) return (StructureFault){"sides", "a drum has at least 3 sides"};
  if ((double)m->drums * m->shaft.sides > 1e8)
    return (StructureFault){"drums", "drums times sides are more than 100 million"};
  if (!(m->shaft.radius > 0)) return (StructureFault){"radius", "a drum has no volume"};
  if (!(m->shaft.height > 0)) return (StructureFault){"height", "a column needs a height above 0"};
  if (!(m->shaft.taper > 0))
    return (StructureFault){"taper", "a column has a width at its upper end"};
  return STRUCTURE_SOUND;
}

static void add_block(Structure *structure, vec3 size, double foot, const char *name)
{
  ShapeRecipe solid = structure_solid(1, structure->arena);
  solid.parts[0] = structure_part(8, structure->arena);
  for (int i = 0; i < 8; i++)
    solid.parts[0].points[i] =
        (vec3){i & 1 ? 0.5 * size.x : -0.5 * size.x, i & 2 ? 0.5 * size.y : -0.5 * size.y,
               i & 4 ? foot + size.z : foot};
  structure_add(structure, solid, name);
}

Structure prism_column(const ColumnMeasures *measures, Arena *arena)
{
  const ColumnMeasures *m = measures;
  assert(prism_column_check(m).reason == NULL && "the measures are sound");
  Structure structure = structure_new(arena);
  const double foot = is_block(m->base) ? m->base.z : 0, top = foot + m->shaft.height;
  const int sides = m->shaft.sides;
  if (is_block(m->base)) add_block(&structure, m->base, 0, "base");
  for (int d = 0; d < m->drums; d++) {
    ShapeRecipe solid = structure_solid(1, arena);
    solid.parts[0] = structure_part(2 * sides, arena);
    for (int end = 0; end < 2; end++) {
      const double share = (double)(d + end) / m->drums;
      const double radius = m->shaft.radius * (1 + (m->shaft.taper - 1) * share);
      const double z = d + end == m->drums ? top : foot + m->shaft.height * share;
      for (int i = 0; i < sides; i++)
        solid.parts[0].points[end * sides + i] = corner(sides, i, radius, z);
    }
    structure_add(&structure, solid, "");
  }
  if (is_block(m->capital)) add_block(&structure, m->capital, top, "capital");
  return structure;
}
