#pragma once
// Hashes per stage of a step for --hash-log: the first that differs between two runs names the
// culprit.
#include "detect.h"
#include "world.h"

// Collective when the world asks for stage hashes, else nothing. After detection: pairs, patches,
// warm start.
void stage_hash_contacts(World *world, const DetectReport *detected);

// Collective likewise. At the end of the step: reactions, velocities, poses; completes the step's
// line.
void stage_hash_bodies(World *world);
