// Stones of domes: pyramids from the centre of the sphere, cut by two concentric polyhedra.
#include "dome_structure.h"

#include <assert.h>
#include <math.h>

#include "ring.h"
#include "trig.h"

// What stones are made of: a grid of directions from the centre.
typedef struct {
  double inner, outer;     // radii, m
  double center;           // height of the centre, m
  int levels, places;      // rows of the grid, places around
  double *sine, *cosine;   // [levels] of the angle from the axis
  vec3 *around;            // [places] horizontal unit vectors
  Arena *arena;
} DomeGrid;

StructureFault dome_structure_check(const DomeMeasures *measures)
{
  const DomeMeasures *m = measures;
  if (!(m->span > 0)) return (StructureFault){"span", "a dome needs a span above 0"};
  if (!(m->rise > 1e-4 * m->span))
    return (StructureFault){"rise", "a dome rises by at least a 10000th of its span"};
  if (!(m->rise <= 0.5 * m->span))
    return (StructureFault){"rise", "a dome rises by at most half its span"};
  if (!(m->thickness > 0)) return (StructureFault){"thickness", "a stone has no volume"};
  if (m->meridians < 3) return (StructureFault){"meridians", "a dome needs at least 3 meridians"};
  if (m->hoops < 1) return (StructureFault){"hoops", "a dome needs at least one hoop"};
  if ((double)m->meridians * (m->hoops + 1.0) > STRUCTURE_MOST / 4)
    return (StructureFault){"hoops", "the dome has more than 250000 stones"};
  if (!(m->oculus >= 0)) return (StructureFault){"oculus", "an oculus has a diameter, or 0"};
  if (!(m->oculus < m->span))
    return (StructureFault){"oculus", "the oculus is as large as the dome or larger"};
  return STRUCTURE_SOUND;
}

// Sines and cosines of the joints between hoops; the first and the last are given to the bit.
static void set_levels(const DomeMeasures *m, DomeGrid *grid)
{
  const double radius = grid->inner, half = 0.5 * m->span, hole = 0.5 * m->oculus / radius;
  const double lowest = ring_angle(half / radius, -grid->center / radius + 0.0);
  const double highest =
      m->oculus > 0 ? ring_angle(hole, sqrt(1 - hole * hole)) : lowest / (2 * m->hoops + 1);
  for (int h = 0; h <= m->hoops; h++) {
    const double angle = lowest + (highest - lowest) * h / m->hoops;
    grid->sine[h] = trig_sin(angle);
    grid->cosine[h] = trig_cos(angle);
  }
  grid->sine[0] = half / radius;
  grid->cosine[0] = -grid->center / radius;
}

static DomeGrid make_grid(const DomeMeasures *m, Arena *arena)
{
  const double half = 0.5 * m->span;
  const double radius = m->rise == half ? half : 0.5 * (m->rise + half * half / m->rise);
  DomeGrid grid = {.inner = radius,
                   .outer = radius + m->thickness,
                   .center = m->rise - radius,
                   .levels = m->hoops + 1,
                   .places = m->aligned ? m->meridians : 2 * m->meridians,
                   .arena = arena};
  grid.sine = arena_allocate(arena, (size_t)grid.levels * sizeof(double));
  grid.cosine = arena_allocate(arena, (size_t)grid.levels * sizeof(double));
  grid.around = arena_allocate(arena, (size_t)grid.places * sizeof(vec3));
  set_levels(m, &grid);
  for (int i = 0; i < grid.places; i++) {
    const double angle = 2 * TRIG_PI * i / grid.places;
    grid.around[i] = (vec3){trig_cos(angle), trig_sin(angle), 0};
  }
  return grid;
}

static vec3 grid_point(const DomeGrid *grid, int level, int place, double radius)
{
  const vec3 around = grid->around[place % grid->places];
  const double ring = radius * grid->sine[level];
  return (vec3){ring * around.x, ring * around.y, grid->center + radius * grid->cosine[level]};
}

// A field of the grid above a level, from a place on; below the lowest level: a springer.
static PartRecipe grid_part(const DomeGrid *grid, int level, int place)
{
  PartRecipe part = structure_part(8, grid->arena);
  for (int i = 0; i < 8; i++) {
    const bool upper = i & 4;
    const double radius = i & 2 ? grid->outer : grid->inner;
    const int row = level < 0 ? 0 : upper ? level + 1 : level;
    part.points[i] = grid_point(grid, row, place + (i & 1), radius);
    if (level < 0 && !upper) part.points[i].z = -(grid->outer - grid->inner);
  }
  return part;
}

// Stone number j of a hoop: one field, or two whose first one moves from hoop to hoop.
static ShapeRecipe hoop_stone(const DomeGrid *grid, int level, int j, bool aligned)
{
  ShapeRecipe solid = structure_solid(aligned ? 1 : 2, grid->arena);
  const int odd = level > 0 && level % 2 == 1;
  if (aligned) solid.parts[0] = grid_part(grid, level, j);
  else
    for (int i = 0; i < 2; i++) solid.parts[i] = grid_part(grid, level, 2 * j + odd + i);
  return solid;
}

static ShapeRecipe top_stone(const DomeGrid *grid)
{
  ShapeRecipe solid = structure_solid(1, grid->arena);
  solid.parts[0] = structure_part(2 * grid->places, grid->arena);
  for (int i = 0; i < grid->places; i++) {
    solid.parts[0].points[2 * i] = grid_point(grid, grid->levels - 1, i, grid->inner);
    solid.parts[0].points[2 * i + 1] = grid_point(grid, grid->levels - 1, i, grid->outer);
  }
  return solid;
}

Structure dome_structure_make(const DomeMeasures *measures, Arena *arena)
{
  const DomeMeasures *m = measures;
  assert(dome_structure_check(m).reason == NULL && "the measures are sound");
  Structure structure = structure_new(arena);
  const DomeGrid grid = make_grid(m, arena);
  for (int h = 0; h < m->hoops; h++)
    for (int j = 0; j < m->meridians; j++)
      structure_add(&structure, hoop_stone(&grid, h, j, m->aligned), "");
  if (m->oculus == 0) structure_add(&structure, top_stone(&grid), "keystone");
  for (int j = 0; j < m->meridians && m->supports; j++) {
    structure_add(&structure, hoop_stone(&grid, -1, j, m->aligned),
                  structure_name(&structure, "springer.%d", j));
    structure_hold(&structure);
  }
  return structure;
}
