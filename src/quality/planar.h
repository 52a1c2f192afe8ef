#pragma once
// Convex polygons in a plane, for areas that owe nothing to the code they judge. Local.
typedef struct {
  double x, y;
} PlanarPoint;

// Area of a polygon in order, positive counter-clockwise, m2.
double planar_area(const PlanarPoint *corners, int count);

// Area of the convex hull of points, which are sorted in doing so (Andrew 1979).
double planar_hull_area(PlanarPoint *points, int count, PlanarPoint *scratch);

#define PLANAR_MAX_CORNERS 16

typedef struct {
  int count;
  PlanarPoint corners[PLANAR_MAX_CORNERS + 1];   // in order, repeated and idle ones among them
} PlanarPolygon;

// What two convex polygons have in common, each in order either way (Sutherland and Hodgman 1974).
PlanarPolygon planar_common(const PlanarPolygon *a, const PlanarPolygon *b);

// Corners that are no nearer than a distance (m) to the straight line between their neighbours.
int planar_corner_count(const PlanarPolygon *polygon, double distance);
