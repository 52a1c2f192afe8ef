#pragma once
// What touches what at the start of a case: contacts, overlaps, gaps, and bodies that nothing
// holds.
#include "case.h"

enum { CASE_START_WORST = 10 };   // that are named

// Two bodies whose parts overlap or gape where they touch.
typedef struct {
  uint64_t low, high;   // ids
  double size;          // overlap or gap, m
} StartPair;

typedef struct {
  int64_t count;
  int named;                           // at most CASE_START_WORST
  StartPair worst[CASE_START_WORST];   // the largest first, then by ids
} StartPairs;

typedef struct {
  int64_t count;
  int named;
  uint64_t first[CASE_START_WORST];   // ids, ascending
} StartBodies;

// Pairs are judged as they are modelled; contact.initial closes some of them. Bodies that appear
// later are not there.
typedef struct {
  bool looked;   // false: the bodies have too many parts, and nothing else is told
  int64_t bodies, dynamic;
  int64_t pairs, points;   // of bodies in contact, and contact points between them
  int64_t closed;          // points that contact.initial takes as closed
  int64_t volumes;         // rows of the volumetric law; their bodies are in contact, too
  int64_t failed;          // pairs of parts too deep in each other for a patch, or without a force
  int64_t met;             // pairs of the model lmd whose base surfaces meet, which is refused
  IdPair first_met;        // the lowest of them
  StartPairs overlaps;     // deeper than rounding
  StartPairs gaps;         // above zero and below contact.margin, or contact.initial
  StartBodies lone;        // dynamic ones that touch nothing and have no joint
  StartBodies unsupported;   // others that contacts and joints lead to nothing that stands
} StartReport;

// Local. Looks at the bodies of the start, if they have no more parts than that.
StartReport case_start_look(const Case *c, int64_t most_parts);

enum { CASE_START_NAME_BYTES = 160 };

// Local. What a body is called: "vault.pier_1", "ground", or "7 (unnamed)".
const char *case_start_name(const Case *c, uint64_t id, char text[CASE_START_NAME_BYTES]);

// Local. Why a run refuses two bodies whose base surfaces meet when they begin.
const char *case_start_refusal(const Case *c, IdPair pair, char *text, size_t bytes);

// Local. The report in one line for the log of a run; "" where nothing was looked at.
const char *case_start_line(const Case *c, const StartReport *report, char *text, size_t bytes);
