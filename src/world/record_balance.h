#pragma once
// How far forces are from equilibrium at the end of a step.
#include "scheme.h"
#include "world.h"

// Collective. How far forces are from equilibrium and what the solver leaves of them. Both shares
// are of the sum over dynamic bodies of h |m g + F|, F the loads on a body, and of |r| at all its
// points: the unbalanced force ratio of 3DEC (ratio-average) and YADE (unbalancedForce), whose mean
// forces have the same number of bodies above and below. A servo that its speed holds has not come
// to its force: what holds it is no balance.
void record_balance_of_step(World *world, const Step *step);
