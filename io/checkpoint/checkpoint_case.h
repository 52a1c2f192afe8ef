#pragma once
// The case that a checkpoint carries, against the one that is to go on from it.
#include "checkpoint.h"
#include "state.h"

// Collective. Says what differs, and refuses what is neither without effect nor allowed, with one
// message: CHECKPOINT_READ, CHECKPOINT_OTHER_CASE, or CHECKPOINT_DAMAGED where the carried case
// cannot be read.
CheckpointStatus checkpoint_case_compare(const char *folder, const CheckpointHeader *header,
                                         const Case *c, const CaseAllowance *allowed);

// Collective. Whether time, bodies and joints of a checkpoint, of which this rank has some, are
// those that the case has after that many steps; false on all ranks after one message.
bool checkpoint_case_fits(const char *folder, const CheckpointHeader *header, const Case *c,
                          const State *state);
