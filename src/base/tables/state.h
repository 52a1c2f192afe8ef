#pragma once
// The state of a simulation: a list of tables and a few numbers beside them. Hash, migration,
// ghosts, checkpoints, restart, frames and info walk the list, and a new table needs no change of
// them. Meshes in frames and summaries in info name bodies and contacts besides.
#include "table.h"

// Numbers of the solver that go from step to step, as bits; all zero: it carries none.
#define STATE_WORDS 128
typedef struct {
  uint64_t word[STATE_WORDS];
} StateWords;

#define STATE_TABLES 8   // most

typedef struct {
  int table_count;
  Table *tables[STATE_TABLES];   // [table_count], bodies first; all begin with FIELD_BODIES
  int64_t step;                  // steps done
  StateWords words;
} State;

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
