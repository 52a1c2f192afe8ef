#pragma once
// What the ends of a stage ask of joints and supports: how far a joint has opened, what a support
// bears.
#include "world.h"

// Collective. How far the joint between two bodies has opened since the case put them, m: the
// corners of their contact there, as points of either body, along its normal, which turns with the
// body of the lower id. The farthest corner counts; what closes does not.
double supports_opening(World *world, const OpeningLimit *limit);

// Collective. The size of the sum of all contact forces of the last step on bodies from others, N.
double supports_force(const World *world, const ForceLimit *limit);

// Local. Whether the bodies of an opening touch as the case puts them; for messages: their ids.
bool supports_touch(const Case *c, const OpeningLimit *limit, uint64_t ids[2]);
