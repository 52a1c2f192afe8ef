#pragma once
// Reference geometry of a body: convex parts and their true facets, a surface of triangles, a
// sphere or an ellipsoid; mass properties. Immutable and shared.
#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "polyhedron.h"
#include "vec3.h"

// One convex part: the hull of its points in the coordinate frame of its description, m.
typedef struct {
  int count;
  vec3 *points;
  int triangle_count;
  int (*triangles)[3];           // its true surface where the recipe knows it: corners are points,
                                 // counter-clockwise seen from outside, no two overlap
  const int *triangle_numbers;   // of a surface alone: in its file, from 1; NULL: none
} PartRecipe;
typedef struct {
  double radius;   // m; above 0: a sphere about the origin, without parts
  vec3 radii;      // m; above 0: an ellipsoid about the origin along the axes, without parts
  int part_count;
  PartRecipe *parts;
  bool surface_known;   // all parts carry their true surface, and do not overlap
  bool surface_alone;   // its one part is a closed surface of triangles and no hull
} ShapeRecipe;

// A convex polygon of the body's surface lying in one face of a part. A face without facets is
// internal: it is shared by two parts and never a contact surface. A face that is covered in part
// has the facets of its uncovered rest.
typedef struct {
  int face;   // of the part
  int corner_count;
  bool whole;            // the face itself: its corners are the face's loop, in order
  const vec3 *corners;   // counter-clockwise seen from outside, body frame, m
} Facet;

typedef struct {
  Polyhedron hull;   // body frame, origin at the centre of mass of the shape, m
  int facet_count;
  Facet *facets;      // sorted by face
  int *facet_start;   // [hull.face_count + 1] into facets
  int *loop_edge;     // [as hull.face_vertices] edge that leaves that corner of that face
} Part;

// A closed surface, body frame, origin at the centre of mass, m.
typedef struct {
  int point_count, triangle_count;
  const vec3 *points;
  const int (*triangles)[3];   // counter-clockwise seen from outside
  const int *numbers;          // [triangle_count] in its file, from 1; NULL: none
} ShapeSurface;

typedef struct {
  double sphere_radius;   // m; above 0: a sphere about the origin, which has no parts
  vec3 radii;             // m; above 0: an ellipsoid along the axes, which has no parts either
  const ShapeSurface *surface;   // of a body that is a surface alone, without parts; else NULL
  int part_count;
  Part *parts;
  double volume;       // m3
  vec3 center;         // centre of mass in the coordinate frame of its description, m
  mat3 inertia;        // about the centre of mass, for unit density, m5
  double radius;       // of the smallest sphere about the centre of mass that holds the body, m
  double extent;       // largest side of the bounding box, m
  double inradius;     // distance from the centre of mass to the surface, at least 1e-3 extent, m
  int output_points;   // corners of all facets; spheres and ellipsoids have none
  int output_cells;    // facets
} Shape;

typedef enum { SHAPE_OK, SHAPE_HULL, SHAPE_OVERLAP, SHAPE_NO_VOLUME } ShapeStatus;

typedef struct {
  ShapeStatus status;
  HullStatus hull;   // where status is SHAPE_HULL
  int part, other;   // the part(s) at fault
} ShapeResult;

// Local. Convex hulls of point sets in one coordinate frame, as one body, a surface, a sphere or an
// ellipsoid.
// Faces that two parts share become internal; parts that overlap by more than rounding are refused.
// Where the recipe knows the surface, facets come from its triangles and no part is compared with
// another: the time is near linear in the parts, and the caller vouches that they do not overlap.
// Memory from the arena, which outlives the shape.
ShapeResult shape_build(const ShapeRecipe *recipe, Arena *arena, Shape *shape);

// Local. Writes a phrase that says what is wrong with which part ("part 2: all points lie in one
// plane"); parts are counted from one, as people count.
void shape_result_text(ShapeResult result, char *text, size_t bytes);

// Shapes built on first use from their recipes; each is stored once per rank.
typedef struct {
  int count;
  const ShapeRecipe *recipes;   // [count], outlive the set
  Shape **built;                // [count], NULL until asked for
  Arena arena;
} ShapeSet;

ShapeSet shape_set_new(const ShapeRecipe *recipes, int count);
void shape_set_destroy(ShapeSet *set);

// Local. The shape; its recipe is known to be sound (checked when it was read), so a failure here
// is our bug.
const Shape *shape_set_get(ShapeSet *set, int index);
