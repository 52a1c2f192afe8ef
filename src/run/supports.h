#pragma once
// What the ends of a stage and probes ask of joints and supports: how far a joint has opened, what
// a support bears.
#include "put_joints.h"
#include "world.h"

// Two bodies and the joint that they have where the case puts them.
typedef struct {
  FramePair pair;   // where they are: as supports_read_pose left them
  PutJoints put;
} WatchedJoint;

// Local. The joint of these bodies; supports_forget.
WatchedJoint supports_watch(const Case *c, const JointEnd ends[2], ShapeSet *shapes);
void supports_forget(WatchedJoint *joint);

// Local. Whether they touch as the case puts them.
bool supports_touch(const WatchedJoint *joint);

// Local. A body of the case; where it is is not known.
FrameBody supports_body(const Case *c, JointEnd end);

enum { POSE_NUMBERS = 7 };   // of a place and an orientation

// Local. Where an own body is, else -INFINITY: the largest numbers of all ranks are its pose.
void supports_fill_pose(const Bodies *bodies, uint64_t id, double pose[POSE_NUMBERS]);

// Local. Where such numbers say that a body is; it is not there where no rank has it.
void supports_read_pose(const double pose[POSE_NUMBERS], FrameBody *body);

// Collective. How far the joint between two bodies has opened since the case put them, m, as
// put_joints_motion has it.
double supports_opening(World *world, const OpeningLimit *limit);

// Collective. The size of the sum of all contact forces of the last step on bodies from others, N.
double supports_force(const World *world, const ForceLimit *limit);
