#pragma once
// What bears a joint, seen along its normal, and how friction that is integrated over it limits
// force and spin together.
//
// A rigid field of the plane, s + t J x with J a quarter turn, has a mean length N(s, t) over the
// columns of a common solid. Friction in proportion to the pressure k l(x) of a column l takes the
// power mu F_n N(U, w) of a slip U and a spin w, and its force and torque are the slopes of that
// (Goyal, Ruina and Papadopoulos 1991). Sums over pieces of a solid are those of the solid.
#include "vec3.h"

// An edge of a face of the common solid, in the plane, about the centroid of the solid. Where the
// face is, x is in the height + slope . x along the normal.
typedef struct {
  double from[2], to[2];   // m; faces are surrounded counter-clockwise, seen from outside
  double height;           // m
  double slope[2];
} FootprintEdge;

typedef struct {
  double radius2;   // mean square of the distance to the centroid, m2
  int edge_count;   // 0: a solid of revolution, of which nothing more is known
  const FootprintEdge *edges;
  double reach;       // of the farthest corner, m
  double volume;      // by the edges, m3
  double square[3];   // means of x x, x y and y y, m2: second moments over the volume
} JointFootprint;

// A rigid field of the plane: the displacement at the centroid and the turn about the normal.
typedef struct {
  double s[2];   // m
  double t;      // rad
} FootprintField;

// N and its first and second derivatives, by s[0], s[1] and t.
typedef struct {
  double mean;         // m
  double slope[3];     // 1, 1, m
  double bend[3][3];   // 1/m, 1, m
} FootprintMean;

// Local. A solid of revolution with that mean square of distances: its arm is that of a cap much
// flatter than its disk; of half a sphere it is 0.8 % longer. For
// the tests.
JointFootprint footprint_round(double radius2);

// Local. With radius2, square and edges given: the volume and reach that follow. One whose edges
// hold nothing becomes round.
JointFootprint footprint_of_edges(JointFootprint given);

// Local. Of a field that is not zero. For the tests.
FootprintMean footprint_mean(const JointFootprint *footprint, const FootprintField *field);

// Local. How far a joint slips whose bristle was to have the field given, where friction bears the
// mean length limit (m) of it: the least of limit N(d) + |field - d|^2 / 2 with the square of
// s^2 + radius2 t^2. Zero: it holds.
FootprintField footprint_slip(const JointFootprint *footprint, const FootprintField *field,
                              double limit);
