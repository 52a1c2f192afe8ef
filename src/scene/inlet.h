#pragma once
// Inlets: layers of stones that appear one after the other in a rectangle.
#include "arena.h"
#include "case.h"
#include "group.h"

// Local. Lays out cells and times of an inlet whose stones have their shapes. NULL, or a phrase
// (arena) that says what to change.
const char *inlet_prepare(BodyGroup *group, const GroupSetting *setting, Arena *arena);

// A cell of a layer: its middle in the coordinate frame of the group, and its sides.
typedef struct {
  vec3 middle, sides;   // m
} InletCell;

// Local. The cell of stone number index.
InletCell inlet_cell(const BodyGroup *group, uint64_t index);

// Local. When stone number index appears, s.
double inlet_birth(const BodyGroup *group, uint64_t index);
