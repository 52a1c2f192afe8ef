#pragma once
// Hashes per stage of a step for --hash-log: the first that differs between two runs names the
// culprit.
#include "detect.h"
#include "world.h"

// Collective when the world asks for stage hashes, else nothing. After detection: pairs, patches,
// warm start.
void stage_hash_contacts(World *world, const DetectReport *detected);

// Collective likewise. Reactions of a whole step that is given up.
void stage_hash_unsolved(World *world);

// Collective likewise. At the end of the interval under way: reactions, velocities, poses. The name
// of a stage of a half ends in -1 or -2.
void stage_hash_bodies(World *world);

// Local likewise. Completes the step's line.
void stage_hash_end(World *world);
