#pragma once
// Where the bodies of the start are, and nobody means them to be: a warning each.
#include "case.h"

// Parts, spheres among them, of the bodies of the start that are looked at, within about a second.
#define CASE_PLACES_MOST_PARTS 200000

// Local. Warns of bodies inside each other, of an assembly that floats above what should carry it,
// and of bodies at rest that have nothing below them. Returns false where the bodies of the start
// have too many parts: it looks at none of them then.
bool case_places_warn(const Case *c);
