#pragma once
// What a body frame does in all kinds where it moves as a rigid body does: operations of kind.h.
#include "kind.h"

// Local. See BodyKind.
void frame_kind_move(Bodies *bodies, int row, Twist u, double time);
void frame_kind_shift(Bodies *bodies, int row, Twist shift);
void frame_kind_at_middle(const Bodies *bodies, int row, const mat3 *inertia, MidState *mid);
MotionMass frame_kind_mass(const Bodies *bodies, int row, const MidState *mid);
vec3 frame_kind_velocity(const MaterialPoint *point, Twist u);
void frame_kind_push(const MaterialPoint *point, const MidState *mid, vec3 impulse, double sign,
                     Twist *u);
sym3 frame_kind_delassus(const MaterialPoint *point, const MidState *mid, const mat3 *basis);
void frame_kind_take_impulse(Bodies *bodies, const MaterialPoint *point, vec3 impulse, double sign);

// These in an entry of KINDS.
#define FRAME_KIND                                                                           \
  .shift = frame_kind_shift, .at_middle = frame_kind_at_middle, .mass = frame_kind_mass,     \
  .velocity = frame_kind_velocity, .push = frame_kind_push, .delassus = frame_kind_delassus, \
  .take_impulse = frame_kind_take_impulse
