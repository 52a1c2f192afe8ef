#pragma once
// Convex polygons in the plane of x and z that are cut by lines: cross sections of stones.
#include <stdbool.h>

#include "arena.h"
#include "shape.h"

// Corners nearer to a line than this times the extent of the polygon lie on it.
#define SECTION_TOLERANCE 1e-10

typedef struct {
  double x, z;   // m
} SectionPoint;

typedef struct {
  int count;
  SectionPoint *corners;   // [count] counter-clockwise where x points right and z up
} Section;

typedef struct {
  int count, capacity;
  Section *items;
} Sections;

// What a line leaves on its two sides; no corners: nothing.
typedef struct {
  Section left, right;
} SectionHalves;

// Local. A polygon of so many corners to be filled in, and a rectangle.
Section section_new(int count, Arena *arena);
Section section_box(SectionPoint low, SectionPoint high, Arena *arena);

// Local. Its area, m2.
double section_area(const Section *section);

// Local. Adds a polygon to a list.
void section_append(Sections *list, Section section, Arena *arena);

// Local. Cuts by the line from a to b. Both halves have the same new corners, bit for bit, and so
// have two polygons with a common edge that one line cuts.
SectionHalves section_cut(const Section *section, SectionPoint a, SectionPoint b, Arena *arena);

// Local. Whether two polygons have area in common.
bool section_overlaps(const Section *p, const Section *q);

// Local. How long two polygons lie side by side, m.
double section_contact(const Section *p, const Section *q);

// Local. What is left of a polygon without a convex hole, as convex pieces that are added to the
// list. A rectangle is cut out along its sides; of other holes lines run outward from the corners.
void section_subtract(const Section *section, const Section *hole, Arena *arena, Sections *pieces);

// Local. The solid of these polygons between two places on y, one part for each.
ShapeRecipe section_extrude(const Sections *sections, double y_low, double y_high, Arena *arena);
