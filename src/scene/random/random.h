#pragma once
// Random numbers without state: each is a function of the stream it belongs to and of its place.
#include <stdint.h>

#include "vec3.h"

// Local. The stream with that number under an older stream, or under a seed.
uint64_t random_stream(uint64_t parent, uint64_t number);

// Local. Number index of a stream, uniform in [0, 1), of 53 bits.
double random_uniform(uint64_t stream, uint64_t index);

// Local. A direction uniform on the unit sphere, from two uniform numbers.
vec3 random_direction(double first, double second);

// Local. A rotation uniform among all rotations, from three uniform numbers (Shoemake 1992, Uniform
// random rotations).
quat random_rotation(double first, double second, double third);
