#pragma once
// The hash of the state: one 128-bit number that any partition, owner and restart leaves alone.
#include "bodies.h"
#include "contacts.h"

// Numbers of the solver that go from step to step, as bits; all zero: it carries none.
#define STATE_WORDS 16
typedef struct {
  uint64_t word[STATE_WORDS];
} StateWords;

// Local. Sum over this rank's rows. The state's hash is par_sum_hash of it plus state_hash_step.
Hash128 state_hash_rows(const Bodies *bodies, const Contacts *contacts);
Hash128 state_hash_step(int64_t step, const StateWords *words);
