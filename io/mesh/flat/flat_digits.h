#pragma once
// How finely the numbers of a file are written.
#include <stdbool.h>

#include "vec3.h"

// Local. The largest step whose multiples all coordinates of points in use are: 0.001 for a file of
// three decimals, 0.025 where such a file was scaled by 25. Numbers of single precision have the
// step of their last binary digit. 0: numbers of full precision. In the file's unit.
double flat_digits_step(const vec3 *points, const bool *used, int count);
