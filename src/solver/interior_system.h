#pragma once
// The contact problem of a step as operators for the interior-point method: weights of points are
// blocks that are not symmetric. Bodies are rigid.
#include "contact_system.h"
#include "interior.h"

typedef struct InteriorSystem InteriorSystem;

// Collective. Factors of the system's cache are reused where the pattern is the same. Memory from
// the arena; the system must outlive it.
InteriorSystem *interior_system_new(ContactSystem *system, Lu **cache, Arena *arena);

// Local. Its operators; valid as long as both systems.
InteriorOperators interior_system_operators(InteriorSystem *interior);
