#pragma once
// Why a run with time.until ended, and the file that says so.
#include "error_text.h"
#include "forces.h"
#include "results.h"
#include "world.h"

typedef enum {
  OUTCOME_NONE,   // it goes on
  OUTCOME_REST,
  OUTCOME_END,   // of its time
  OUTCOME_DISPLACED,
  OUTCOME_ENERGETIC,
  OUTCOME_UNCONVERGED,
  OUTCOME_OPENED,
  OUTCOME_FORCED,
  OUTCOME_UNFINISHED   // the time of the run was over before the stage, and another was to follow
} OutcomeKind;

typedef enum { VERDICT_HOLDS, VERDICT_FAILS, VERDICT_UNDECIDED } OutcomeVerdict;

typedef struct {
  OutcomeKind kind;
  int64_t step;
  double time;           // s
  double value, limit;   // in the unit of the key
  uint64_t body;         // that moved farthest, of OUTCOME_DISPLACED
  char stage[64];        // its name, "": none
} Outcome;

// What else the file of an outcome tells: of the stages of a case, and of forces.
typedef struct {
  const Case *whole;
  int count;
  const Outcome *of;      // [count] of the first stages
  const Forces *forces;   // NULL: the run goes on
} OutcomeParts;

// The same as it is read: of the first stages up to so many.
typedef struct {
  int most, count;
  Outcome *of;     // [most] those behind count stay as they are
  Forces forces;   // FORCES_UNKNOWN where it says nothing
} OutcomeTold;

// Local. "rest", "end", "displaced", "energetic", "unconverged", "opened", "forced",
// "unfinished"; what it means for
// the case.
const char *outcome_name(OutcomeKind kind);
OutcomeVerdict outcome_verdict(OutcomeKind kind);
const char *outcome_verdict_name(OutcomeVerdict verdict);

// Collective. Whether the last step ends the run, or the stage; unconverged: steps so far that
// were. A failure goes before rest, and rest before the time of a stage.
Outcome outcome_judge(World *world, int64_t unconverged);

// Local. Whether the coming step is one that is judged.
bool outcome_may_come(const World *world);

// Local. The outcome as a line for people.
const char *outcome_line(const Case *c, const Outcome *outcome, char *text, size_t bytes);

// Local, on rank 0. Writes outcome.json into the folder; fails into the status. c: as the last
// stage has it.
void outcome_write(const Results *results, const Case *c, const Outcome *outcome,
                   const OutcomeParts *stages, DiskStatus *status);

// Local, on rank 0. What outcome.json of a folder says; kind OUTCOME_NONE where there is none, or
// one that was made for other keys of until than those of the case (NULL: of any). told: what else
// it says, whatever the keys. Damaged files fail into the status.
Outcome outcome_read(const char *folder, const Case *c, OutcomeTold *told, DiskStatus *status);
