#pragma once
// Contacts that are taken as closed where they begin, however the model of the bodies overlaps or
// gapes there.
//
// In the first step in which both bodies are there, every point whose gap or overlap was at most
// the tolerance at its start gets it as its offset: from then on its gap is what it has opened
// since. Offsets belong to the faces of the pair. A point takes that of the old point with its key,
// else of the nearest old one with a normal near its own. Where the pair had none with such a
// normal, an overlap within the tolerance is taken as closed as at the start: bodies that began
// inside each other are not thrown apart when they turn over another face. Offsets are forgotten
// once all points that have one are open by more than the tolerance: the bodies are then as they
// were modelled.
#include "generator.h"
#include "persist.h"

// Two bodies at the middle of the step.
typedef struct {
  OldPoints known;    // points of the pair in the last step
  bool begins;        // one of the bodies appears in this step
  vec3 way, turn;     // of the lower body past the higher one since then: m at the lower one's
                      // centre, rad; those of the first half of the step
  double tolerance;   // m (case: contact.initial)
  double near;        // m, a point without an offset beyond this gap is no contact
  mat3 rotation;      // of the lower body, to world
} InitialPair;

// Local. How much farther than others the pair is searched, m: points with an offset may have a gap
// as large, and are remembered until they have opened by as much.
double initial_gaps_reach(const InitialPair *pair);

// Local. Gives points their offsets, takes these from their gaps, and drops patches that are no
// contacts.
void initial_gaps_take(const InitialPair *pair, PatchSet *set);
