#pragma once
// Joints as the case puts its bodies: how far two bodies have opened, slid and turned since then.
#include "frame_pairs.h"
#include "scene.h"
#include "shape.h"

// Where the case puts a body.
typedef struct {
  vec3 centre;   // of mass, m
  quat turn;
} PutPlace;

// The contact of two bodies as the case puts them, world axes.
typedef struct {
  IdPair bodies;
  PutPlace low, high;
  int first, count;   // of the points; count 0: they do not touch there
  vec3 normal;        // unit, into the lower body
} PutJoint;

typedef struct {
  int count, point_count;
  PutJoint *of;   // [count] by ids (memory)
  vec3 *points;   // [point_count] (memory)
} PutJoints;

// Local. Joints of these pairs and of no others: those known before are kept.
void put_joints_follow(PutJoints *joints, const FramePairs *pairs, const Case *c, ShapeSet *shapes);
void put_joints_end(PutJoints *joints);

// How two bodies have moved since the case put them; the same whichever has the lower id, but for
// signs.
typedef struct {
  bool touched;     // they had a joint then, and opening and slip count from it
  double opening;   // of the farthest corner along the normal, m; what closes does not count
  double slip;      // of the mean of the corners along the joint, m
  vec3 turn;        // rotation of the lower body against the higher one, world axes, rad
} JointMotion;

// Local. number: of the pair that the joints follow.
JointMotion put_joints_motion(const PutJoints *joints, int number, const FramePair *pair);

// Local. That of each pair, which the joints follow: motions[pairs->count].
void put_joints_motions(const PutJoints *joints, const FramePairs *pairs, JointMotion *motions);

// Local. The rotation of a unit quaternion as axis times angle, at most half a turn, rad.
vec3 put_joints_rotation(quat q);
