#pragma once
// Lines of the tables of a run: history.csv and removed.csv.
#include "world.h"

#define HISTORY_LINES_BYTES 2048   // of a line or heading, at most
#define HISTORY_LINES_REMOVED "step,time,id,name,mass,x,y,z,velocity_x,velocity_y,velocity_z"

// Local. The columns of history.csv, and their values of a step; line: [HISTORY_LINES_BYTES].
void history_lines_heading(char *line);
void history_lines_of_step(const StepRecord *record, char *line);

// Local. Row i of the bodies that left in the last step.
void history_lines_of_removed(const World *world, int i, char *line);

// Local. Name of a body's entry in the case; empty where it has none.
const char *history_lines_group(const World *world, uint64_t id);
