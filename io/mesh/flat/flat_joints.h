#pragma once
// Faces of neighbours that share a joint, and the joints that go on from face to face.
#include <stdbool.h>

#include "flat_faces.h"

typedef struct {
  int count;
  int *joint;         // [faces] number of the joint or face of its own that a face belongs to
  int *first;         // [count + 1] into members
  int *members;       // faces by that number
  FlatPlane *plane;   // [count] to which all members are fitted; the normal is that of the first
  bool *shared;       // [count] two bodies or more have it
  int shared_count;
  double widest, deepest;   // gap and overlap that were closed, m
} FlatJoints;

// Local. Two faces of different bodies share a joint where they look at each other, lie over each
// other, and are no farther apart than the reach of both, or no deeper in each other than their
// overlap. Joints grow from the largest face as long as corners stay near the plane of all (arena).
FlatJoints flat_joints_find(const FlatFaces *all, Arena *arena);

// Points to which a plane is fitted, and those through which it must go.
typedef struct {
  int count;
  const vec3 *points;   // m
  int pin_count;        // at most 3
  const vec3 *pins;     // m
} FlatPoints;

// Local. The plane near another one that has the least squares of heights of the points; false
// where pins leave no plane.
bool flat_joints_fit(FlatPlane near, FlatPoints points, FlatPlane *plane);
