#pragma once
// Points of the simple solids that case files and generators are made of.
#include "arena.h"
#include "shape.h"
#include "vec3.h"

// Local. The unit quaternion of a turn by an angle (rad, |angle| <= 1e5) about an axis of any
// length but zero. A zero angle gives the identity exactly.
quat recipe_turn(vec3 axis, double angle);

// Local. A box of full sizes (m) about the origin.
PartRecipe recipe_box(vec3 size, Arena *arena);

// Local. A right triangular prism: base size.x by size.y centred at the origin, in the plane z = 0;
// height size.z at x = size.x / 2, falling to 0 at x = -size.x / 2 (m).
PartRecipe recipe_wedge(vec3 size, Arena *arena);

// Local. A ring segment with straight chords between two radial joints, symmetric about +z; centre
// of the ring at the origin, axis along y. radius is that of the centre line (m), angle < pi (rad).
PartRecipe recipe_voussoir(double radius, double thickness, double width, double angle,
                           Arena *arena);

// Local. Turns the points about the origin, then moves them.
void recipe_place(PartRecipe *part, vec3 at, quat turn);

// Local. A shape of one part.
ShapeRecipe recipe_single(PartRecipe part, Arena *arena);

// Local. The smallest box along the axes that holds a shape.
void recipe_bounds(const ShapeRecipe *shape, vec3 *low, vec3 *high);

// Local. The middle side of that box: the size of a stone, m.
double recipe_size(const ShapeRecipe *shape);

// Local. Radius of the smallest sphere about the origin that holds a shape, m.
double recipe_reach(const ShapeRecipe *shape);

// Local. A copy of a shape whose center comes to the origin, scaled about it; a sphere or
// an ellipsoid keeps its center, which is the origin. Triangles are shared with the original.
ShapeRecipe recipe_scale(const ShapeRecipe *shape, vec3 center, double scale, Arena *arena);
