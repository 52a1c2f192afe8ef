#pragma once
// A mechanism of limit analysis as frames for ParaView: bodies on their way along it.
#include "statics.h"

// Collective. Makes the folder, which must not hold results, and writes frames 0 to 10, in which
// the farthest place moves by a fifth of a body's size. The motions are rank 0's. The world's
// places and velocities are those of the last frame afterwards. EXIT_DONE, or an exit code after
// one message.
int mechanism_write(World *world, const StaticsScene *scene, const LimitMotion *motions,
                    const char *folder);

// Local, on rank 0. The bodies that move most, at most `most` of them into fastest, in the order
// of their speed, then of their ids; returns how many. *moving: bodies that move at all.
int mechanism_fastest(const StaticsScene *scene, const LimitMotion *motions, int most, int *fastest,
                      int *moving);
