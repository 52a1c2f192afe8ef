#pragma once
// One contact point from the volume that two convex parts of bodies share.
#include "part_surface.h"

typedef enum {
  VOLUMETRIC_OK,          // all from the common solid
  VOLUMETRIC_FACE_AXIS,   // its surface tells no normal, which is the true face's of least overlap
  VOLUMETRIC_TOUCH,       // no common solid was used: the middle of the nearest points, no area
  VOLUMETRIC_INTERNAL,    // no true surface there; nothing is filled in
  VOLUMETRIC_NONE,        // no volume above rounding; nothing is filled in
  VOLUMETRIC_FAILED       // the common solid could not be found; nothing is filled in
} VolumetricStatus;

typedef struct {
  VolumetricStatus status;
  vec3 point;           // relative to a's centre, world axes, m
  vec3 normal;          // unit, from b into a
  double gap;           // along the normal, negative: depth, m
  double area;          // half the true surface of the common solid, m2
  int face_a, face_b;   // nearest to the point, true where there are such
  bool rerouted;        // the fast route could not make the common solid
} VolumetricPoint;

// Local. What intersection_contact makes of the common solid, by the fast route or by the reference
// where that fails. Faces that two parts of one body share are no surface: what they make of the
// common solid counts neither for point, normal nor area, so that the pieces of a body add up to
// the body. Scratch from the arena, released on return.
VolumetricPoint volumetric_point(const PartOverlap *parts, Arena *arena);

// How far apart parts may be that a point is looked for all the same, m.
typedef struct {
  double window;   // gap up to which there is one
  double layer;    // parts that share less than this are moved together until they share it
} VolumetricReach;

// Local. The same of parts whose bodies deform: their surfaces may meet though the parts do not.
// Parts that share less than a layer are moved together along the true face's axis that parts them
// most until they share it, or where that leads past the other one across two edges, of parts whose
// surface is their body's. The gap is that without the move, the point in the middle between the
// surfaces. NONE: they are farther apart than the window, or pass beside each other.
VolumetricPoint volumetric_near(const PartOverlap *parts, VolumetricReach reach, Arena *arena);

// Local. TOUCH, for parts that have no common solid to look at: normal and gap of the true face
// that separates most, or INTERNAL where neither part has one.
VolumetricPoint volumetric_touch(const PartOverlap *parts);
