#pragma once
// Lines of the tables of a run: history.csv and removed.csv.
#include "world.h"

#define COMMAND_HISTORY_BYTES 2048   // of a line or heading, at most
#define COMMAND_REMOVED_HEADING "step,time,id,name,mass,x,y,z,velocity_x,velocity_y,velocity_z"

// Local. The columns of history.csv, and their values of a step; line: [COMMAND_HISTORY_BYTES].
void command_history_heading(char *line);
void command_history_line(const StepRecord *record, char *line);

// Local. Row i of the bodies that left in the last step.
void command_removed_line(const World *world, int i, char *line);

// Local. Name of a body's entry in the case; empty where it has none.
const char *command_group_name(const World *world, uint64_t id);
