#pragma once
// The state of a simulation: a list of tables and a few numbers beside them. Hash, migration,
// ghosts, checkpoints, restart, frames and info walk the list, and a new table needs no change of
// them. Meshes in frames and summaries in info name bodies and contacts besides.
#include <stdbool.h>

#include "table.h"

// Numbers of the solver that go from step to step, as bits; all zero: it carries none.
#define STATE_WORDS 128
typedef struct {
  uint64_t word[STATE_WORDS];
} StateWords;

#define STATE_TABLES 8   // most

// The part of a run that is under way: of cases with stages; all zero: the first, or there are
// none.
typedef struct {
  int64_t index;        // among the stages
  int64_t first_step;   // steps that were done when it began
  int64_t unsolved;     // steps since then that did not reach the tolerance
  double first_time;    // s, when it began
} StateStage;

static inline bool state_stage_any(const StateStage *stage)
{
  return stage->index != 0 || stage->first_step != 0 || stage->unsolved != 0 ||
         stage->first_time != 0;
}

typedef struct {
  int table_count;
  Table *tables[STATE_TABLES];   // [table_count], bodies first; all begin with FIELD_BODIES
  int64_t step;                  // steps done
  StateWords words;
  StateStage stage;
} State;

// Local. The time of a state whose stage has steps of that length, s.
static inline double state_time(const State *state, double step)
{
  return state->stage.first_time + (double)(state->step - state->stage.first_step) * step;
}

// Local. Adds a table, which was begun and outlives the state. A name stands once.
void state_add(State *state, Table *table);

// Local. The tables of another state without rows, in memory of their own; step and words zero.
State state_new_like(const State *other);
void state_destroy(State *state);

// Local. A copy of the own rows of all tables and of the numbers beside them, in the arena; the
// other takes the rows back into its tables, whose ghosts go.
State state_copy(const State *state, Arena *arena);
void state_take_back(State *state, const State *copy);

// Local. Drops all rows, ghosts included.
void state_clear(State *state);

// Collective. The hash of the state: one 128-bit number that any partition, owner and restart
// leaves alone.
Hash128 state_hash(const State *state);
