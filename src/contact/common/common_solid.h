#pragma once
// What a compliant law needs to know of the solid that two bodies share: volume, centroid, second
// moments, and whose surface bounds it.
#include "generator.h"

// All relative to the centre of the first body, a, in world axes. All zero: nothing is shared.
typedef struct {
  double volume;    // m3
  vec3 centroid;    // m
  mat3 second;      // integral of (x - centroid)(x - centroid)' over the volume, m5
  vec3 area[2];     // sum of outward area vectors of a's surface inside of b, and of b's in a, m2
  double size[2];   // areas of the same, m2: 0: no surface of that body bounds the solid
  vec3 flat[2];     // area vector of the largest face of the same, m2; of spheres it is all
  vec3 middle[2];   // centroid of that face, m; of a lens: the place at the height of a flat
                    // surface with the same work over the depth
} CommonSolid;

// Local. The sum of two solids that share no volume.
CommonSolid common_solid_sum(const CommonSolid *p, const CommonSolid *q);

typedef enum {
  COMMON_NONE,    // no volume above rounding; nothing is filled in
  COMMON_OK,      // there is one, and its measures
  COMMON_FAILED   // it could not be found; nothing is filled in
} CommonStatus;

// A face of a common solid, or one of a part, in part.
typedef struct {
  int owner;          // 0: of a face of a's part, 1: of b's
  vec3 normal;        // unit, outward
  int first, count;   // corners, counter-clockwise seen from outside
} CommonPolygon;

// Polygons one after another; all zero: none. Memory of the arena that they are asked for with.
typedef struct {
  int count, room, corner_count, corner_room;
  CommonPolygon *polygons;
  vec3 *corners;   // m
} CommonPolygons;

// A part of each of two bodies.
typedef struct {
  const PosedBody *a, *b;
  int part_a, part_b;
} CommonParts;

typedef struct {
  CommonStatus status;
  bool rerouted;   // the fast route could not make the solid
  CommonSolid solid;
} CommonPart;

// What of two parts is added to polygons. NULL: it is not asked for.
typedef struct {
  CommonPolygons *seams;   // faces that are no surface of a body, or not all of it: those between
                           // parts of one body
  CommonPolygons *faces;   // all faces
} CommonFaces;

// Local. The common solid of two parts of bodies. Faces that two parts of a body share count for
// neither body's surface: volumes, moments and areas of the pieces of a body add up to those of the
// body. Scratch from the arena, released on return.
CommonPart common_solid_parts(const CommonParts *parts, CommonFaces add, Arena *arena);
