#pragma once
// The contact problem of one group of touching bodies out of a larger one. Rows of bodies stay as
// they are; pairs and points are those of the group, in the same order.
#include "contact_groups.h"
#include "problem.h"

typedef struct {
  Problem problem;
  int *points;   // [its points] of the whole
} ProblemPart;

// Which group.
typedef struct {
  int place;
  bool deforms;   // some of its rows do
  bool alone;     // no other rank knows of it, and all that is done with it is done by this rank
                  // alone (par_alone_begin); else all ranks make their part
} PartChoice;

// Local. The part of a group. Impulses are copies, and so are velocities, which begin as free. It
// has no copies of split bodies and no plans of colours: sweeps want the whole. Memory from the
// arena.
ProblemPart problem_part_new(const Problem *whole, const ContactGroups *groups, PartChoice choice,
                             Velocities free, Arena *arena);

// Local. The part's impulses become the whole's.
void problem_part_store(const ProblemPart *part, Problem *whole);
