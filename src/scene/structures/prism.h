#pragma once
// Regular prisms, drums of columns, and pipes.
#include "structure.h"

#define PRISM_MOST_SIDES 10000
#define PIPE_MOST_SIDES 1000   // each is a convex part

// A regular polygon about the z axis; a side looks along +x. The base lies in the plane z = 0.
typedef struct {
  int sides;
  double radius;   // of the circle through the corners of the base, m
  double height;   // m
  double taper;    // size of the upper end over that of the base; 0: a pyramid
} PrismMeasures;

// Local. The radius of the circle through the corners of a polygon whose sides lie half a width
// from its middle, m.
double prism_radius(int sides, double width);

// Local. The points of a prism.
PartRecipe prism_make(const PrismMeasures *measures, Arena *arena);

// Local. A ring of convex parts, one a side; the thickness lies within the radius, so that inner
// and outer corners lie on one ray.
ShapeRecipe prism_pipe(const PrismMeasures *measures, double thickness, Arena *arena);

typedef struct {
  int drums;
  PrismMeasures shaft;
  vec3 base, capital;   // full sizes of a block below the shaft and above it, m; 0: none
} ColumnMeasures;

// Local. What is wrong with the measures, by the key of a column.
StructureFault prism_column_check(const ColumnMeasures *measures);

// Local. The base, drums from below and the capital; the middle of its foot is the origin.
Structure prism_column(const ColumnMeasures *measures, Arena *arena);
