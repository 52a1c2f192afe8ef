#pragma once
// Boxes to find the overlapping ones among: from evenly spread to very uneven. Local.
#include "box_overlap.h"

#define OVERLAP_SCENARIOS 5

// The names: "random", "polydisperse", "ordered wall", "shuffled wall", "random and floors".
const char *overlap_scenario_name(int scenario);

// Fills boxes[count], count >= 1; the same ones in every run and on every machine.
// - random: equal cubes in the unit cube, about 8 neighbours each
// - polydisperse: sides over two decades, evenly by logarithm; as many pairs
// - ordered wall: four leaves in running bond, course by course, 16 neighbours each, which touch
// - shuffled wall: the same bricks in no order
// - random and floors: random, the last ten replaced by floors through all of them
void overlap_scenario_fill(int scenario, Box *boxes, int count);
